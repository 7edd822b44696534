package wire

import "slices"

// Hint is what a schema says about a value, as far as it determines how a text is parsed. Hints may refer to each
// other in cycles. A nil hint allows scalars of any type.
type Hint struct {
	// Types holds the JSON types that the schema allows; empty for all scalars.
	Types []string
	// Items is the hint for an array's items.
	Items *Hint
	// Properties holds the hints for an object's members by name, and Additional that for all others. If Additional
	// is nil, an exploded object has no other members.
	Properties map[string]*Hint
	Additional *Hint
	// Binary reports whether the value is not text (format: binary, or the contentMediaType of a file).
	Binary bool
	// Bounded reports whether the schema restricts texts beyond their type, so nothing may be added to them.
	Bounded bool
	// Nullable reports whether null is allowed although it is not in Types.
	Nullable bool
	// Required holds the required members of an object, as far as they determine what a missing one means in XML.
	Required []string
	// XML says how the value is written in XML.
	XML XML
	// Media is the media type of a text or file in a part of a multipart body (contentMediaType); empty for the
	// default.
	Media string
}

func (h *Hint) admits(typ string) bool { return h != nil && slices.Contains(h.Types, typ) }

// scalar reports whether h allows a scalar.
func (h *Hint) scalar() bool {
	if h == nil || len(h.Types) == 0 {
		return true
	}
	return slices.ContainsFunc(h.Types, func(t string) bool { return t != "array" && t != "object" })
}

// text reports whether h allows a plain text.
func (h *Hint) text() bool { return h == nil || len(h.Types) == 0 || h.Binary || h.admits("string") }

func (h *Hint) items() *Hint {
	if h == nil {
		return nil
	}
	return h.Items
}

// member returns the hint for a member, and whether the schema defines it.
func (h *Hint) member(name string) (*Hint, bool) {
	if h == nil {
		return nil, false
	}
	if m, ok := h.Properties[name]; ok {
		return m, true
	}
	return h.Additional, h.Additional != nil
}
