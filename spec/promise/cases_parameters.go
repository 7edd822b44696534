package promise

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/promise/doubt"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// parameters adds values of parameters, both allowed and faulty.
func (d *deriver) parameters() {
	var missing, allowed []Case
	wrong := newKinds()
	for _, p := range d.op.Parameters {
		if !ours(d.op, p) {
			continue
		}
		chain := append([]string{p.Pointer}, p.Via...)
		if p.Required && p.In != wire.InPath && !d.emptyIsNothing(p) {
			missing = append(missing, Case{
				Kind: ParameterMissing, Aspect: d.fault(), Title: p.Name + " is left out", Change: withoutParameter(p), Contract: chain,
			})
		}
		edge, examples := p.Edge, p.Examples
		if p.Content != nil {
			edge, examples = p.Content.Edge, append(slices.Clone(examples), p.Content.Examples...)
		}
		if edge.Schema == nil {
			continue
		}
		subject := instance.Subject{Name: p.Name, Edge: edge, Outer: chain, Examples: examples}
		param, hint := request.Param(d.op, placeOfParameter(p)), request.HintOf(edge.Schema)
		_, given := d.options.given.Parameter(d.op, p)                                                                                                // other values may be refused for reasons that no schema expresses
		if (p.In != wire.InPath || resource.Fixed(p)) && !given && !conditional(p.Description) && !resource.IsCondition(p) && !resource.IsCursor(p) { // another value in a path names another resource
			valid := d.generate.Valid(subject)
			if s := param.Survives(valid.Base, hint); s.Fate == wire.Carried && !s.Absent && s.Open == "" && s.Fragile == "" {
				d.baseCases = append(d.baseCases, parameterInBase(p, valid.Base, chain)...)
			}
			for _, c := range valid.Cases {
				at := schemaAt(c, edge.Schema)
				first, proven := shorterFirst(c, at, p.Name)
				known := stated(c, at, p.Name, valid.Base)
				if !known && (!proven || c.Pointer != "") || doubt.Doubtful(edge.Schema, c.Value) {
					continue
				}
				if s := param.Survives(c.Value, hint); s.Fate == wire.Carried && !s.Absent && s.Open == "" && s.Fragile == "" {
					one := Case{Kind: Accepted, Aspect: Differs, Title: c.Description, Change: withParameter(p, c.Value), Contract: placesOf(c)}
					if !known {
						one.First = withParameter(p, first)
					}
					allowed = append(allowed, one)
				}
			}
		}
		for _, c := range d.generate.Invalid(subject).Cases {
			if !ignorable(p) && d.stillWrong(param, hint, edge.Schema, c.Value) {
				one := Case{Kind: ParameterValue, Aspect: d.fault(), Title: c.Description, Change: withParameter(p, c.Value), Contract: placesOf(c)}
				if c.Differs != c.Pointer {
					one.First = withParameter(p, c.Repaired)
				}
				wrong.addCase(c.Kind, one)
			}
		}
		if !p.Required && p.In != wire.InPath && !given && !demanded(d.op, p) && !depending(p.Description, true) && !conditional(d.op.Description) && !d.asksInside(p) {
			allowed = append(allowed, Case{Kind: Accepted, Part: PartLeftOut, Aspect: Differs, Title: p.Name + " is left out", Change: withoutParameter(p), Contract: chain})
		}
	}
	d.group(missing...)
	d.group(withoutDuplicates(allowed)...)
	d.groups = append(d.groups, wrong.groups...)
	d.unlistedParameter()
}

// unlistedParameter adds a query parameter that the document does not list: services may ignore or refuse it, but
// must not fail with a server error.
func (d *deriver) unlistedParameter() {
	const name = "hallmarkUnknown"
	whole := slices.ContainsFunc(d.op.Parameters, func(p spec.Parameter) bool { return p.In == wire.InQuerystring })
	if d.op.Method == http.MethodGet && !whole {
		d.group(Case{
			Kind: Robust, Aspect: Unlisted, Title: "the query has a parameter that the contract does not list",
			Change: changeOf(HasParameter, wire.InQuery, name, `"1"`), Contract: []string{d.op.Pointer},
		})
	}
}

// asksInside reports whether a parameter is an exploded object that needs members: many services treat each member
// as a required parameter.
func (d *deriver) asksInside(p spec.Parameter) bool {
	return p.Content == nil && p.Schema != nil && p.Explode && slices.Contains(request.HintOf(p.Schema).Types, "object") &&
		!d.options.Valid(p.Schema, map[string]any{})
}

// emptyIsNothing reports whether a parameter may be an object without members, which is serialized as nothing and
// cannot be distinguished from a missing parameter.
func (d *deriver) emptyIsNothing(p spec.Parameter) bool {
	_, sent, err := request.Param(d.op, placeOfParameter(p)).Serialize(map[string]any{})
	return p.Content == nil && p.Schema != nil && slices.Contains(request.HintOf(p.Schema).Types, "object") && err == nil && !sent &&
		d.options.Valid(p.Schema, map[string]any{})
}

// stillWrong reports whether a value violates its schema however a server parses it.
func (d *deriver) stillWrong(p wire.Param, h *wire.Hint, s *spec.Schema, value any) bool {
	read := p.Survives(value, h)
	return read.Fragile == "" && d.breaks(s, read)
}

// breaks reports whether every value that a server may parse violates a schema.
func (d *deriver) breaks(s *spec.Schema, read wire.Survival) bool {
	if read.Fate == wire.Lost || read.Fate == wire.Vanishes || read.Absent || read.Truncated || read.Open != "" || len(read.Values) == 0 {
		return false
	}
	return !slices.ContainsFunc(read.Values, func(v any) bool { return !d.options.Wrong(s, v) })
}

// sentAnyway are headers that HTTP clients set themselves, so they can neither be left out nor changed.
var sentAnyway = []string{"User-Agent", "Host", "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Cookie", "Date", "Expect", "TE", "Upgrade", "Trailer"}

// ours reports whether the operation determines a parameter. That is not so for headers that every client sends,
// nor for those that carry the credential, although some documents list them as parameters.
func ours(op *spec.Operation, p spec.Parameter) bool {
	if p.In == wire.InHeader && slices.ContainsFunc(sentAnyway, func(name string) bool { return strings.EqualFold(name, p.Name) }) {
		return false
	}
	for _, alternative := range op.Security {
		for _, s := range alternative {
			switch {
			case s.In == p.In && (s.Key == p.Name || p.In == wire.InHeader && strings.EqualFold(s.Key, p.Name)),
				s.Type != "apiKey" && p.In == wire.InHeader && strings.EqualFold(p.Name, "Authorization"):
				return false
			}
		}
	}
	return true
}
