package wire

import "slices"

// Hint is what a schema says of a value, as far as it decides how a text is read. Hints may refer to each other in a circle.
// A nil hint admits scalars of any type.
type Hint struct {
	// Types are the JSON types that the schema admits; empty for all scalars.
	Types []string
	// Items is the hint of an array's items.
	Items *Hint
	// Properties are the hints of an object's members by name, Additional that of all others. When Additional is nil, an
	// exploded object has no members but Properties.
	Properties map[string]*Hint
	Additional *Hint
	// Binary reports whether the value is no text (format: binary, or the contentMediaType of a file).
	Binary bool
	// Bounded reports whether the schema says more of a text than its type, so that nothing may be added to it.
	Bounded bool
	// Nullable reports whether null is allowed though it is none of Types.
	Nullable bool
	// Required are the members that an object must have, as far as that decides what the lack of one means in XML.
	Required []string
	// XML is how the value is written in XML.
	XML XML
	// Media is the media type of a text or file in a part of a multipart body (contentMediaType); empty for the default.
	Media string
}

func (h *Hint) admits(typ string) bool { return h != nil && slices.Contains(h.Types, typ) }

// scalar reports whether h admits a scalar.
func (h *Hint) scalar() bool {
	if h == nil || len(h.Types) == 0 {
		return true
	}
	return slices.ContainsFunc(h.Types, func(t string) bool { return t != "array" && t != "object" })
}

// text reports whether h admits a text that stands for itself.
func (h *Hint) text() bool { return h == nil || len(h.Types) == 0 || h.Binary || h.admits("string") }

func (h *Hint) items() *Hint {
	if h == nil {
		return nil
	}
	return h.Items
}

// member returns the hint of a member, and whether the schema speaks of it.
func (h *Hint) member(name string) (*Hint, bool) {
	if h == nil {
		return nil, false
	}
	if m, ok := h.Properties[name]; ok {
		return m, true
	}
	return h.Additional, h.Additional != nil
}
