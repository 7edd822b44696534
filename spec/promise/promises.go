package promise

import (
	"slices"
	"sync"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/request"
	"hallmark/spec/schema"
)

// Promises are what a contract promises, and what is derived from that. They never change, so any number of goroutines may use them.
type Promises struct {
	Names Names

	contract *spec.Contract
	options  Options
	cases    *cases
}

// cases are those of the operations by id, which are derived once.
type cases struct {
	once  sync.Once
	of    map[string][]Case
	kinds map[string]map[Kind]bool
}

func (p *Promises) derive() *cases {
	p.cases.once.Do(func() {
		p.cases.of, p.cases.kinds = map[string][]Case{}, map[string]map[Kind]bool{}
		operations := p.contract.Operations()
		for i := range operations {
			op := &operations[i]
			p.cases.of[op.ID], p.cases.kinds[op.ID] = derived(op, p.options)
		}
	})
	return p.cases
}

// Of returns the promises of a contract. The same seed gives the same requests; perOperation bounds the cases of one operation, 0
// stands for a bound by the number of operations.
func Of(c *spec.Contract, seed uint64, perOperation int) *Promises {
	if perOperation <= 0 {
		perOperation = defaultPerOperation(len(c.Operations()))
	}
	return &Promises{Names: NamesOf(c.Operations()), contract: c, cases: &cases{}, options: Options{
		Seed: seed, PerOperation: perOperation, operations: c.Operations(), Valid: func(s *spec.Schema, value any) bool {
			v := c.Validator(s)
			return v != nil && len(serious(v.Validate(value, schema.Request).Violations)) == 0
		}, Wrong: func(s *spec.Schema, value any) bool {
			v := c.Validator(s)
			if v == nil {
				return false
			}
			sure, _ := settled(v.Validate(value, schema.Request))
			return len(serious(sure)) > 0
		},
	}}
}

// Requests returns plain requests of an operation, those first that are likeliest to succeed.
func (p *Promises) Requests(op *spec.Operation) ([]request.Request, error) {
	return Requests(op, p.options)
}

// Features derives the scenarios that put the rules of a catalogue to the test.
func (p *Promises) Features(catalogue *spec.Catalogue) []derive.File {
	return features(p.contract, catalogue, p.derive().of)
}

// Catalogue returns the rules that follow from the contract. Those of requests are left out where no such request can be made: of
// many schemas every value is right, and what is wrong in JSON may not be in a form.
func (p *Promises) Catalogue() (*spec.Catalogue, error) {
	all := p.derive()
	rules := slices.DeleteFunc(Rules(p.contract), func(r spec.Rule) bool {
		return !r.Always && !all.kinds[r.Operations[0]][Kind(r.Cases[0])]
	})
	return spec.NewCatalogue(rules)
}

// Response judges a response by what the contract documents of it.
func (p *Promises) Response(ex *spec.Exchange) Judged {
	return (&Responses{contract: p.contract, names: p.Names}).Judge(ex)
}
