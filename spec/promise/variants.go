package promise

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// mostVariants bounds the requests that [Promises.Variants] returns.
const mostVariants = 8

// Variants returns plain requests of an operation whose bodies follow the branches of oneOf and anyOf and the values of a discriminator,
// wherever in the body they are. It returns none for an operation whose body is given by the file of values.
func (p *Promises) Variants(op *spec.Operation) []request.Request {
	plain, err := p.Requests(op)
	if _, whole := p.options.given.Body(op); err != nil || op.Body == nil || whole || len(plain) == 0 {
		return nil
	}
	o := p.options
	work := plainRequestWork(o.used)
	o = o.bounded(work)
	g := instance.New(instance.Options{Seed: o.Seed, Direction: instance.Request, Valid: o.Valid, Texts: o.texts, Work: work})
	_, sent, ok := plain[0].Body()
	var all []request.Request
	for _, m := range op.Body.Content {
		if !ok || m.Schema == nil || wire.Concrete(m.Type) != sent {
			continue
		}
		for _, c := range g.Valid(instance.Subject{Name: "the body", Edge: m.Edge, Examples: m.Examples}).Cases {
			if c.Kind != instance.Variant || len(all) == mostVariants {
				continue
			}
			with, err := withMembers(plain[0].WithBody(sent, c.Value), o.given)
			if err != nil {
				continue
			}
			with = inOrder(modest(with, o), o.Valid, o.given)
			with.Operation = op
			all = append(all, with)
		}
	}
	return all
}
