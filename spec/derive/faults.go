package derive

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
)

// Fault is a defect of one operation that follows from the contract, as data: a service that has it breaks one rule.
type Fault struct {
	// Name is made of words joined by hyphens, Rule the id of the rule that it breaks, Says a sentence.
	Name, Rule, Says string
	// Operation is an operationId; Method and Path are the operation's.
	Operation, Method, Path string
	// Status is that of the responses that it spoils; 0 when it is about requests.
	Status int
	// Do names what is done, At the place in the body (names of properties, "*" for every item) or the parameter.
	Do string
	At []string
	// Value is a JSON text: what is put there, or what a bad request is mended with.
	Value string
	// Allowed, Low, High and Type say which values are good.
	Allowed         []string
	Low, High, Type string
	// To is another status, Media another media type.
	To    int
	Media string
}

// Faults derives the faults of every operation: what its responses may lack, which of its constraints may go unchecked or
// be checked too strictly, and which bad credential may be let in. It fails when one belongs to no rule of the catalogue.
func Faults(c *spec.Contract, catalogue *spec.Catalogue) ([]Fault, error) {
	var all []Fault
	var errs []error
	for _, op := range c.Operations() {
		m := &faultMaker{catalogue: catalogue, op: op}
		for _, a := range op.Responses {
			m.answer(a)
		}
		m.requests()
		m.security()
		all = append(all, m.faults...)
		errs = append(errs, m.errs...)
	}
	return all, errors.Join(errs...)
}

// faultMaker derives the faults of one operation.
type faultMaker struct {
	catalogue *spec.Catalogue
	op        spec.Operation
	faults    []Fault
	errs      []error
}

// add puts a fault to its rule.
func (m *faultMaker) add(rule spec.Rule, known bool, name, says string, f Fault) {
	f.Name = m.op.ID + "-" + name
	if !known {
		m.errs = append(m.errs, fmt.Errorf("%s: no rule of the catalogue is broken by a service of which this is true: %s", f.Name, says))
		return
	}
	f.Rule, f.Says = rule.ID, says
	f.Operation, f.Method, f.Path = m.op.ID, m.op.Method, m.op.Path
	m.faults = append(m.faults, f)
}

// rule returns a rule by its id.
func (m *faultMaker) rule(id string) (spec.Rule, bool) { return m.catalogue.Rule(id) }

// neighbours are the statuses that are plausible in place of another.
func neighbours(status int) []int {
	switch status {
	case 200:
		return []int{201, 202, 204, 206, 500}
	case 201:
		return []int{200, 202, 204, 500}
	case 400:
		return []int{200, 409, 422, 500}
	case 401:
		return []int{400, 403, 404, 500}
	case 404:
		return []int{200, 204, 400, 410, 500}
	}
	return []int{500}
}

// answer derives what may be wrong with one documented response.
func (m *faultMaker) answer(a spec.DocumentedResponse) {
	status := strconv.Itoa(a.Status)
	where := "answer " + status + " of " + m.op.ID
	way := append([]string{a.Pointer}, a.Via...)
	rule, ok := m.catalogue.ForCase(m.op.ID, string(Answer), way...)
	for _, to := range neighbours(a.Status) {
		m.add(rule, ok, fmt.Sprintf("%s-as-%d", status, to), fmt.Sprintf("What should be an %s is answered %d.", where, to),
			Fault{Status: a.Status, Do: "status", To: to})
	}
	media := a.JSON()
	if media == nil || media.Schema == nil {
		return
	}
	noBody, noJSON, wrongMedia := spec.Envelope(a.Status)
	spoilt := func(rule, name, says string, f Fault) {
		f.Status = a.Status
		r, ok := m.rule(rule)
		m.add(r, ok, status+"-"+name, fmt.Sprintf("The %s %s.", where, says), f)
	}
	spoilt(wrongMedia, "no-media-type", "has no Content-Type", Fault{Do: "media"})
	spoilt(wrongMedia, "text-media-type", "is labelled as plain text", Fault{Do: "media", Media: "text/plain; charset=utf-8"})
	spoilt(wrongMedia, "page-media-type", "is labelled as a page for people", Fault{Do: "media", Media: "text/html"})
	spoilt(noBody, "no-body", "has no body", Fault{Do: "no-body"})
	spoilt(noJSON, "cut", "is cut off in the middle", Fault{Do: "cut"})
	spoilt(noJSON, "rubbish", "ends in text that is no JSON", Fault{Do: "rubbish"})

	whole, ok := m.catalogue.Owner(m.op.ID, media.Chain(), "type")
	add := func(name, says string, f Fault) {
		f.Status = a.Status
		m.add(whole, ok, status+"-"+name, fmt.Sprintf("The %s %s.", where, says), f)
	}
	add("null", "is null", Fault{Do: "body", Value: "null"})
	if media.Schema.Type == "array" {
		add("first-item", "is the first item without its array", Fault{Do: "first"})
		add("envelope", "is put into an object", Fault{Do: "envelope"})
	} else {
		add("array", "is put into an array", Fault{Do: "array"})
		add("string", "is a string", Fault{Do: "body", Value: `"done"`})
	}
	w := valueFaults{m, a, map[*spec.Schema]bool{}}
	w.values(media.Edge, nil, nil, "the "+where)
}

// valueFaults derives what may be wrong with the values in a response.
type valueFaults struct {
	*faultMaker
	answer spec.DocumentedResponse
	// seen are the schemas on the way: they may lead to themselves.
	seen map[*spec.Schema]bool
}

// values derives what may be wrong with the properties in a response, and in the items of its arrays; outer is the way to
// the edge.
func (m *valueFaults) values(e spec.Edge, outer, at []string, of string) {
	s, a, chain := e.Schema, m.answer, e.Chain(outer...)
	if m.seen[s] {
		return
	}
	m.seen[s] = true
	if s.Items != nil {
		m.values(*s.Items, chain, append(slices.Clip(at), "*"), "every item of "+of)
		return
	}
	for _, p := range s.Properties {
		place := slices.Concat(at, []string{p.Name})
		dotted := strings.ReplaceAll(strings.Join(place, "-"), "*-", "")
		inside := p.Chain(chain...)
		add := func(name, keyword, says string, way []string, f Fault) {
			f.Status, f.At = a.Status, place
			rule, ok := m.catalogue.Owner(m.op.ID, way, keyword)
			m.add(rule, ok, fmt.Sprintf("%d-%s-%s", a.Status, dotted, name), fmt.Sprintf("In %s, %s %s.", of, p.Name, says), f)
		}
		if p.Required {
			keyword := strings.TrimPrefix(p.RequiredPointer, s.Pointer+"/")
			add("dropped", keyword, "is missing", chain, Fault{Do: "drop"})
		}
		if p.Schema.Type != "" {
			add("null", "type", "is null", inside, Fault{Do: "set", Value: "null"})
			other := otherTypes(p.Schema)[0]
			add("wrong-type", "type", "is "+other.is, inside, Fault{Do: "set", Value: other.text})
		}
		if p.Schema.Type == "integer" {
			add("fraction", "type", "is a fraction", inside, Fault{Do: "set", Value: "1.5"})
		}
		if p.Schema.Type == "integer" && p.Schema.Format != "" {
			for i, v := range beyond(p.Schema)[:2] {
				add([]string{"too-great", "too-small"}[i], "format", "is "+v.is, inside, Fault{Do: "set", Value: v.text})
			}
		}
		if len(p.Schema.Enum) > 0 {
			add("no-member", "enum", "is a value that is not documented", inside, Fault{Do: "set", Value: quote("nonesuch")})
			add("empty", "enum", "is empty", inside, Fault{Do: "set", Value: `""`})
		}
	}
}
