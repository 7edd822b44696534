package promise

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Attribute returns what was judged of a response under the rules of a catalogue by which it is reported.
func (p *Promises) Attribute(catalogue *spec.Catalogue, ex *spec.Exchange, out Judged) Judged {
	under := Judged{Value: out.Value}
	for _, f := range out.Findings {
		f.Rule = catalogue.ResolveFinding(f)
		under.Findings = append(under.Findings, f)
	}
	var shown func(place string) bool // nil until it is needed
	about := func(part string) bool {
		place := spec.PlaceOf(part)
		if place == "" {
			return true
		}
		if shown == nil {
			shown = p.Shows(ex, out.Value.Tree)
		}
		return shown(place)
	}
	for _, rule := range out.Exercised {
		under.Exercised = append(under.Exercised, catalogue.ResolveWithin(rule, about)...)
	}
	for _, f := range under.Findings { // what breaks a rule has put it to the test
		if !slices.Contains(under.Exercised, f.Rule) {
			under.Exercised = append(under.Exercised, f.Rule)
		}
	}
	for _, u := range out.Unjudged {
		u.Rule = catalogue.Resolve(u.Rule, u.Pointer)
		under.Unjudged = append(under.Unjudged, u)
	}
	return under
}
