package fault

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// Fault is a defect that can be derived from a contract.
type Fault struct {
	// Name consists of the operation, the operator and the place, so it is stable as long as these are.
	Name      string `json:"name"`
	Operation string `json:"operation"`
	Operator  string `json:"operator"`
	Place     string `json:"place,omitempty"`
	// Rules lists the rules that it breaks, starting with the one under which it is listed. A finding about any of them identifies the
	// fault.
	Rules []string   `json:"rules"`
	Level spec.Level `json:"level"`
	Says  string     `json:"says"`

	// Mutation is what is changed. Judged reports whether a single response shows it, and so can be judged by its schemas.
	Mutation mutate.Mutation `json:"-"`
	Judged   bool            `json:"-"`
}

// Rule returns the rule under which the fault is listed.
func (f Fault) Rule() string { return f.Rules[0] }

// Of derives the faults of a contract, in the order of its operations.
func Of(c *spec.Contract, p *promise.Promises, catalogue *spec.Catalogue) []Fault {
	var all []Fault
	operations := c.Operations()
	for i := range operations {
		m := &maker{contract: c, promises: p, catalogue: catalogue, op: &operations[i], operations: operations, known: map[string]bool{}}
		m.statuses()
		m.headers()
		m.bodies()
		m.requests()
		m.credentials()
		m.addFault(Fault{Operator: "condition", Place: "not-needed", Says: m.op.ID + " accepts a change without the If-Match that it requires.", Mutation: mutate.Mutation{
			Do: mutate.ActUnconditional, Name: "If-Match",
		}}, promise.Unconditional)
		m.lives()
		all = append(all, m.faults...)
	}
	return all
}

// maker derives the faults of one operation.
type maker struct {
	contract   *spec.Contract
	promises   *promise.Promises
	catalogue  *spec.Catalogue
	op         *spec.Operation
	operations []spec.Operation
	faults     []Fault
	known      map[string]bool
}

// sign matches characters that are not allowed in names.
var sign = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// addFault adds a fault, unless the catalogue has none of its rules.
func (m *maker) addFault(f Fault, kinds ...promise.Kind) {
	f.Operation = m.op.ID
	var rules []string
	for _, k := range kinds {
		rules = append(rules, m.promises.Names.Rule(m.op.ID, k))
	}
	f.Rules = m.judged(append(rules, f.Rules...))
	f.Place = strings.Trim(sign.ReplaceAllString(f.Place, "-"), "-")
	f.Name = m.promises.Names[m.op.ID] + "." + f.Operator
	if f.Place != "" {
		f.Name += "." + f.Place
	}
	if len(f.Rules) == 0 || m.known[f.Name] {
		return
	}
	rule, _ := m.catalogue.Rule(f.Rules[0])
	f.Level = rule.Level
	if f.Mutation.Path = m.op.Path; f.Mutation.Method != mutate.AnyOther {
		f.Mutation.Method, f.Mutation.Operation = m.op.Method, m.op.ID
	}
	m.known[f.Name] = true
	m.faults = append(m.faults, f)
}

// judged returns the given rules that the catalogue has and that require something.
func (m *maker) judged(rules []string) []string {
	var told []string // by the rules that cover others
	for _, id := range rules {
		for _, by := range m.catalogue.ResolveWithin(id, func(string) bool { return true }) {
			if !slices.Contains(told, by) {
				told = append(told, by)
			}
		}
	}
	return slices.DeleteFunc(told, func(id string) bool {
		r, known := m.catalogue.Rule(id)
		_, off := m.catalogue.Off(id)
		return !known || r.Level == spec.Open || off || r.Untestable != ""
	})
}

// rule returns the id of a rule of another operation.
func (m *maker) rule(op *spec.Operation, k promise.Kind) string {
	if op == nil {
		return ""
	}
	return m.promises.Names.Rule(op.ID, k)
}

// workOfValue limits the work for the values of one subject, in steps of instance.Work.
const workOfValue = 60_000

// generator makes values for responses, or for requests.
func (m *maker) generator(d instance.Direction) *instance.Generator {
	direction := schema.Response
	if d == instance.Request {
		direction = schema.Request
	}
	const seed = 1
	var g *instance.Generator
	texts := instance.NewTexts(seed, m.contract.AssertsFormats())
	g = instance.New(instance.Options{Seed: seed, Texts: texts, Direction: d, PerSubject: workOfValue, Valid: func(s *spec.Schema, value any) bool {
		v := m.contract.Validator(s)
		if v == nil || g.Work().Left() == 0 {
			return false
		}
		r := v.ValidateWithin(value, direction, g.Work().Left())
		g.Work().Spend(r.Steps)
		return !r.GaveUp && len(r.Violations) == 0
	}})
	return g
}

// refusal returns how an operation rejects a request with a status, as far as the contract says.
func (m *maker) refusal(op *spec.Operation, status int) *mutate.Refusal {
	r := &mutate.Refusal{Status: status, Header: map[string]string{}}
	a := op.ResponseFor(status)
	if a == nil {
		return r
	}
	g := m.generator(instance.Response)
	if media := a.JSON(); media != nil && media.Schema != nil {
		if value, err := g.Usual(instance.Subject{Name: "the body", Edge: media.Edge, Examples: media.Examples}); err == nil {
			if object, is := value.(map[string]any); is && strings.Contains(media.Type, "problem") && object["status"] != nil {
				object["status"] = mutate.Number(int64(status))
			}
			r.Body, r.Header["Content-Type"] = string(mutate.WriteJSON(value)), media.Type
			if strings.Contains(media.Type, "*") {
				r.Header["Content-Type"] = "application/json"
			}
		}
	}
	for _, h := range a.Headers {
		if !h.Required || h.Schema == nil {
			continue
		}
		if value, err := g.Usual(instance.Subject{Name: h.Name, Edge: h.Edge, Examples: h.Examples}); err == nil {
			r.Header[h.Name] = plain(value)
		}
	}
	return r
}

// plain returns a value as written in headers.
func plain(v any) string {
	if text, is := v.(string); is {
		return text
	}
	return string(mutate.WriteJSON(v))
}

// steps returns the place that a path leads to.
func steps(path []resource.Step) []string {
	at := []string{}
	for _, step := range path {
		if step.Each {
			at = append(at, mutate.Each)
		} else {
			at = append(at, step.Name)
		}
	}
	return at
}

// exactly returns the documented response of exactly that status, or nil.
func (m *maker) exactly(status int) *spec.DocumentedResponse {
	for i := range m.op.Responses {
		if m.op.Responses[i].Status == status {
			return &m.op.Responses[i]
		}
	}
	return nil
}

// quoted formats a value for a sentence.
func quoted(v any) string {
	text := string(mutate.WriteJSON(v))
	if len(text) > 40 {
		return fmt.Sprintf("a value of %d bytes", len(text))
	}
	return text
}
