package promise

import (
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// validAsRead returns a body that conforms to the schema as a server parses it: the base, or else another valid
// one. An empty object leaves nothing in a form, so a body that must have one is invalid before anything is
// changed in it. ok is false if no such body is known.
func (x *bodies) validAsRead(base any, options wire.BodyOptions) (value any, other, ok bool) {
	survives := func(value any) bool {
		return slices.ContainsFunc(wire.SurvivesBody(x.sent, value, options).Values, func(v any) bool { return !x.options.Wrong(x.media.Schema, v) })
	}
	if x.kind == wire.KindJSON || survives(base) {
		return base, false, true
	}
	at := slices.IndexFunc(x.valid.Cases, func(c instance.Case) bool { return survives(c.Value) })
	if at < 0 {
		return nil, false, false
	}
	return x.valid.Cases[at].Value, true, true
}

// wrongAsRead reports whether a body with the fault of a case violates the schema however a server parses it.
func (x *bodies) wrongAsRead(value any, c instance.Case, options wire.BodyOptions) bool {
	if x.kind != wire.KindJSON && !x.options.Wrong(x.media.Schema, textAt(value, c.Differs)) {
		return false
	}
	return x.breaks(x.media.Schema, openAt(wire.SurvivesBody(x.sent, value, options), c.Differs))
}

// openAt returns a survival with only what is open at one place. The plain request, which has the other members of
// a form too, has shown that the service accepts them as they are serialized.
func openAt(s wire.Survival, pointer string) wire.Survival {
	if tokens := jsonpointer.Tokens(pointer); len(tokens) > 0 && s.OpenIn != nil {
		s.Open = s.OpenIn[tokens[0]]
	}
	return s
}

// withFault returns a body with the fault of a case; false if it has no place for it.
func withFault(other any, c instance.Case) (any, bool) {
	if with, there := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Differs)); there {
		return replaced(other, c.Differs, with)
	}
	return leftOut(other, c.Differs)
}

// partHeaders adds requests in which a part of the body lacks a required header, or has one that violates its
// schema.
func (x *bodies) partHeaders() {
	if x.kind != wire.KindMultipart {
		return
	}
	members, _ := x.base.(map[string]any)
	var missing, wrong []Case
	for _, part := range slices.Sorted(maps.Keys(x.media.Encoding)) {
		if _, there := members[part]; !there {
			continue
		}
		headers := x.media.Encoding[part].Headers
		for i := range headers {
			h := &headers[i]
			if !h.Required || h.Schema == nil {
				continue
			}
			chain := append(slices.Clone(x.chain), x.media.Pointer, h.Pointer)
			missing = append(missing, Case{
				Kind: PartHeader, Aspect: x.fault(), Title: "the part " + part + " has no header " + h.Name, Change: changeOf(NoPartHeader, part, sentence.Quoted(h.Name)),
				Contract: chain,
			})
			param, hint := request.Header(h), request.HintOf(h.Schema)
			for _, c := range x.generate.Invalid(instance.Subject{Name: h.Name, Edge: h.Edge, Outer: chain, Examples: h.Examples}).Cases {
				if x.stillWrong(param, hint, h.Schema, c.Value) {
					wrong = append(wrong, Case{
						Kind: PartHeader, Aspect: x.fault(), Title: "in the part " + part + ", " + c.Description,
						Change: changeOf(PartHeaderIs, part, h.Name, jsonText(c.Value)), Contract: c.Chain,
					})
				}
			}
		}
	}
	x.group(missing...)
	x.group(wrong...)
}

// partHeaders reports whether an operation accepts a multipart body with a part that must have a header.
func partHeaders(op *spec.Operation) bool {
	return slices.ContainsFunc(op.Body.Content, func(m spec.Media) bool {
		return wire.KindOf(m.Type) == wire.KindMultipart && slices.ContainsFunc(slices.Collect(maps.Values(m.Encoding)), func(e spec.Encoding) bool {
			return slices.ContainsFunc(e.Headers, func(h spec.Header) bool { return h.Required && h.Schema != nil })
		})
	})
}

// textAt returns a value as a server may parse it that takes a form field for text and trims it: an array or an
// object is its JSON text, and a scalar has no surrounding blanks.
func textAt(value any, pointer string) any {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case map[string]any:
		tokens := jsonpointer.Tokens(pointer)
		out := make(map[string]any, len(v))
		for name, member := range v {
			if len(tokens) > 0 && name != tokens[0] {
				out[name] = member
				continue
			}
			switch m := member.(type) {
			case map[string]any, []any:
				out[name] = jsonOf(m)
			case string:
				out[name] = strings.TrimSpace(m)
			default:
				out[name] = m
			}
		}
		return out
	}
	return value
}
