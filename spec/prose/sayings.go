package prose

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
)

// Sayings reads what sentences about single operations say of what no schema can say. It is safe for concurrent use.
type Sayings struct{ orders, uniques, bounds func() []pattern }

// NewSayings returns a reader.
func NewSayings() *Sayings {
	return &Sayings{sync.OnceValue(orderPatterns), sync.OnceValue(uniquePatterns), sync.OnceValue(boundPatterns)}
}

// read returns what the sentences of a text say that have one of some words and the form of a pattern.
func read(place Place, text string, patterns func() []pattern, words ...string) []Claim {
	may, lower := false, strings.ToLower(text)
	for _, word := range words {
		may = may || strings.Contains(lower, word)
	}
	if !may {
		return nil
	}
	var all []Claim
	for _, one := range split(text) {
		if c, ok := (&Reader{patterns()}).Read(place, one.text); ok {
			all = append(all, c)
		}
	}
	return all
}

// Order returns the order in which an operation lists by default, by the sentences about it and its successes; false if none says so, or
// two say different.
func (y *Sayings) Order(op *spec.Operation) (Claim, bool) {
	texts := []string{op.Summary, op.Description}
	for i := range op.Responses {
		if op.Responses[i].Class() == 2 {
			texts = append(texts, op.Responses[i].Description)
		}
	}
	var found []Claim
	for _, text := range texts {
		found = append(found, read(Operation, text, y.orders, "first", "scending", "order")...)
	}
	for _, c := range found {
		if c.Value != found[0].Value || c.Descending != found[0].Descending {
			return Claim{}, false
		}
	}
	if len(found) == 0 {
		return Claim{}, false
	}
	return found[0], true
}

// Unique returns what the sentences about an operation, its body, its 409 and the members of its body say of values that no two resources
// have, with the name of the member as Value where a sentence describes it.
func (y *Sayings) Unique(op *spec.Operation, members []spec.Property) []Claim {
	words := []string{"unique", "exist", "taken", "in use", "there is", "used", "registered", "same"}
	return ofRequest(op, members, y.uniques, words, []int{http.StatusConflict}, func(c *Claim, name string) { c.Value = name })
}

// Bounds returns what the sentences about an operation, its body, its refusals and the members of its body say of which values lie above
// others, with the name of the member where a sentence describes it.
func (y *Sayings) Bounds(op *spec.Operation, members []spec.Property) []Claim {
	words := []string{"than", "after", "before", "at least", "at most"}
	return ofRequest(op, members, y.bounds, words, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, func(c *Claim, name string) {
		if c.Low == "" {
			c.Low = name
		} else {
			c.High = name
		}
	})
}

// ofRequest reads the sentences about an operation, its body, its refusals with some statuses, and the members of its body, which describe
// names.
func ofRequest(op *spec.Operation, members []spec.Property, patterns func() []pattern, words []string, statuses []int, describe func(c *Claim, name string)) []Claim {
	all := append(read(Operation, op.Summary, patterns, words...), read(Operation, op.Description, patterns, words...)...)
	if op.Body != nil {
		all = append(all, read(RequestBody, op.Body.Description, patterns, words...)...)
	}
	for i := range op.Responses {
		if r := &op.Responses[i]; slices.Contains(statuses, r.Status) {
			all = append(all, read(Response, r.Description, patterns, words...)...)
		}
	}
	for _, p := range members {
		if p.Schema == nil {
			continue
		}
		for _, c := range read(Schema, p.Schema.Description, patterns, words...) {
			describe(&c, p.Name)
			all = append(all, c)
		}
	}
	return all
}
