package promise

import (
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
}

// Of returns the promises of a contract. The same seed gives the same requests; perOperation bounds the cases of one operation, 0
// stands for a bound by the number of operations.
func Of(c *spec.Contract, seed uint64, perOperation int) *Promises {
	if perOperation <= 0 {
		perOperation = defaultPerOperation(len(c.Operations()))
	}
	return &Promises{Names: NamesOf(c.Operations()), contract: c, options: Options{
		Seed: seed, PerOperation: perOperation, Valid: func(s *spec.Schema, value any) bool {
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
	return Features(p.contract, catalogue, p.options)
}

// Catalogue returns the rules that follow from the contract.
func (p *Promises) Catalogue() (*spec.Catalogue, error) { return spec.NewCatalogue(Rules(p.contract)) }

// Response judges a response by what the contract documents of it.
func (p *Promises) Response(ex *spec.Exchange) Judged {
	return (&Responses{contract: p.contract, names: p.Names}).Judge(ex)
}
