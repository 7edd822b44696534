package request

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// HintOf returns what a schema says about how a text is parsed, or nil without a schema. Hints of recursive schemas are cyclic.
func HintOf(s *spec.Schema) *wire.Hint {
	return hints{}.hint(s)
}

// hints caches the hint of each schema.
type hints map[*spec.Schema]*wire.Hint

func (made hints) hint(s *spec.Schema) *wire.Hint {
	if s == nil {
		return nil
	}
	if h := made[s]; h != nil {
		return h
	}
	h := &wire.Hint{XML: wire.XML{Component: component(s)}}
	made[s] = h
	made.take(h, s, map[*spec.Schema]bool{})
	return h
}

// take adds to a hint what a schema and those that it is composed of say.
func (made hints) take(h *wire.Hint, s *spec.Schema, seen map[*spec.Schema]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for _, t := range s.Types {
		if !slices.Contains(h.Types, t) {
			h.Types = append(h.Types, t)
		}
	}
	h.Binary = h.Binary || s.Format == "binary" || s.ContentMediaType != "" && (s.Type == "" || isFile(s))
	h.Nullable, h.Required = h.Nullable || s.Nullable, append(h.Required, s.Required...)
	if s.XML != nil && h.XML.Name == "" && h.XML.Namespace == "" && h.XML.Prefix == "" && h.XML.Node == "" {
		h.XML.Name, h.XML.Namespace, h.XML.Prefix, h.XML.Node = s.XML.Name, s.XML.Namespace, s.XML.Prefix, s.XML.Node
	}
	if h.XML.Component == "" {
		h.XML.Component = component(s)
	}
	h.XML.Alternatives = h.XML.Alternatives || len(s.OneOf)+len(s.AnyOf) > 0
	h.Bounded = h.Bounded || s.MinLength != nil || s.MaxLength != nil || s.Pattern != "" || len(s.Enum) > 0 || s.Const != ""
	if kind := wire.KindOf(s.ContentMediaType); h.Media == "" && s.ContentEncoding == "" && (kind == wire.KindText || kind == wire.KindBinary) {
		h.Media = s.ContentMediaType
	}
	if s.Items != nil && h.Items == nil {
		h.Items = made.hint(s.Items.Schema)
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		if h.Properties == nil {
			h.Properties = map[string]*wire.Hint{}
		}
		if h.Properties[p.Name] == nil {
			h.Properties[p.Name] = made.hint(p.Schema)
		}
	}
	if s.AdditionalProperties != nil && h.Additional == nil && !s.AdditionalProperties.Schema.Forbidden {
		h.Additional = made.hint(s.AdditionalProperties.Schema)
	}
	for _, parts := range [][]spec.Edge{s.AllOf, s.OneOf, s.AnyOf} {
		for _, e := range parts {
			made.take(h, e.Schema, seen)
		}
	}
	if s.Ref != nil {
		made.take(h, s.Ref.Schema, seen)
	}
}

// component returns the name of a schema among the components, or "".
func component(s *spec.Schema) string {
	tokens := jsonpointer.Tokens(s.Pointer)
	switch {
	case len(tokens) == 3 && tokens[0] == "components" && tokens[1] == "schemas":
		return tokens[2]
	case len(tokens) == 2 && tokens[0] == "definitions":
		return tokens[1]
	}
	return ""
}

// isFile reports whether a string with a contentMediaType represents the bytes of a file rather than a text.
func isFile(s *spec.Schema) bool {
	kind := wire.KindOf(s.ContentMediaType)
	return s.ContentEncoding == "" && (kind == wire.KindBinary || kind == wire.KindYAML || kind == wire.KindForeign)
}
