package promise

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Below is the change that lets the first member of a body lie below the second.
const Below sentence.Sentence = "in its body, {name} is below {name}"

// bound is two members of a body of which a sentence says that one lies above the other.
type bound struct{ low, high string }

// mostBounds bounds how many pairs of an operation are tried.
const mostBounds = 4

// boundsOf returns the pairs of required members of a body of which a sentence says that one lies above the other.
func boundsOf(sayings *prose.Sayings, op *spec.Operation) []bound {
	if op.Body == nil || op.Body.JSON() == nil || ignoresBody(op.Method) || !Refuses(op) {
		return nil
	}
	members := bodyMembers(op)
	var all []bound
	for _, claim := range sayings.Bounds(op, members) {
		if b, ok := claimedBound(claim, op, members); ok && !slices.Contains(all, b) && len(all) < mostBounds {
			all = append(all, b)
		}
	}
	return all
}

// Bounds returns the members of an operation's body of which the document says that the first lies above the second.
func (p *Promises) Bounds(op *spec.Operation) [][2]string {
	var all [][2]string
	for _, b := range boundsOf(p.options.sayings, op) {
		all = append(all, [2]string{b.high, b.low})
	}
	return all
}

// bodyMembers returns the members of an operation's body.
func bodyMembers(op *spec.Operation) []spec.Property {
	var all []spec.Property
	for _, part := range partsOf(op.Body.Schema(), 0) {
		all = append(all, part.Properties...)
	}
	return all
}

// claimedBound returns the members of a body that a sentence means.
func claimedBound(claim prose.Claim, op *spec.Operation, members []spec.Property) (b bound, ok bool) {
	find := func(words string) (string, string) {
		for _, p := range members {
			if p.Schema != nil && resource.SameName(p.Name, words) && resource.Required(op, p.Name) {
				return p.Name, scaleOf(p.Schema)
			}
		}
		return "", ""
	}
	low, of := find(claim.Low)
	high, also := find(claim.High)
	return bound{low, high}, of != "" && of == also && low != high
}

// scaleOf returns what values of a schema are compared as; "" for what has no order.
func scaleOf(s *spec.Schema) string {
	switch {
	case len(s.Enum) > 0 || s.Const != "":
		return ""
	case s.Type == "integer", s.Type == "number":
		return "number"
	case s.Type == "string" && (s.Format == "date" || s.Format == "date-time"):
		return s.Format
	}
	return ""
}

// deriveBounds adds bodies with two members in the wrong order.
func (d *deriver) deriveBounds() {
	var cases []Case
	for _, b := range boundsOf(d.options.sayings, d.op) {
		cases = append(cases, Case{
			Kind: Reversed, Aspect: d.fault(), Title: b.high + " is below " + b.low, Contract: []string{d.op.Body.Pointer},
			Change: Change{Before: Below.Write(jsonpointer.Join("", b.high), jsonpointer.Join("", b.low))},
		})
	}
	d.group(cases...)
}

// BelowIn returns a request in whose body the first member lies slightly below the second; false if the schema allows no such values.
func BelowIn(r request.Request, high, low string, valid func(s *spec.Schema, value any) bool) (request.Request, bool) {
	var upper, lower *requestPart
	for _, p := range requestParts(r) {
		switch {
		case p.place.Name != "":
		case p.pointer == high:
			upper = &p
		case p.pointer == low:
			lower = &p
		}
	}
	if upper == nil || lower == nil {
		return r, false
	}
	if less, ok := littleLess(lower.value); ok {
		if changed, ok := withPart(r, *upper, less, valid); ok {
			return changed, true
		}
	}
	if more, ok := littleMore(upper.value); ok {
		return withPart(r, *lower, more, valid)
	}
	return r, false
}
