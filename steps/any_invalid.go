package steps

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"hallmark/spec"
)

// invalidOnes is how many invalid bodies are tried for each valid one: they are cheap, since nothing is stored.
const invalidOnes = 4

// breaches generates n bodies that a service has to refuse, each kind by its share.
func breaches(op spec.Operation, plain map[string]string, catalogue *spec.Catalogue, n int, seed func(i int) int) []breach {
	var pool []recipe
	for _, r := range newBreaker(op, plain, catalogue).recipes() {
		for range r.share {
			pool = append(pool, r)
		}
	}
	order := rand.New(rand.NewPCG(uint64(seed(-1)), 0)).Perm(len(pool))
	out := make([]breach, n)
	for i := range out {
		out[i] = pool[order[i%len(order)]].make.Example(seed(i))
	}
	return out
}

// whenAnyInvalid is "generated bodies that each break one constraint are sent to createPet".
func (s *scenario) whenAnyInvalid(ctx context.Context, operation string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	cases := breaches(op, s.run.target.Plain, s.run.catalogue, invalidOnes*s.run.examples(), func(i int) int {
		return s.run.seedOf("invalid body", i)
	})
	return newExploration(s, property[breach]{
		noun: "invalid body", plural: "invalid bodies",
		ask:     func(ctx context.Context, t *scenario, b breach) (breach, error) { return b, t.askInvalid(ctx, op, b) },
		smaller: breach.smaller,
		animals: func(breach) int { return 0 },
		rule:    func(b breach) string { return b.rule },
	}).explore(ctx, cases)
}

// askInvalid sends a body that has to be refused.
func (s *scenario) askInvalid(ctx context.Context, op spec.Operation, b breach) error {
	name := s.run.freshName()
	a, err := s.post(ctx, op, []byte(strings.ReplaceAll(b.text, nameHere, name)), []string{name}, "a generated body that breaks a constraint")
	if err != nil {
		return err
	}
	s.expect(a, b.rule, 400)
	return nil
}

// whenNoTrace is "no list holds an animal of theirs". The memory of the run judges every list that is seen.
func (s *scenario) whenNoTrace(ctx context.Context) error {
	before := len(s.findings)
	err := s.whenListsSeen(ctx)
	for i := before; i < len(s.findings); i++ {
		if s.run.fails(s.findings[i]) {
			s.findings[i].Story = s.storyOf(fmt.Sprintf("invalid bodies of --seed %d, what shows it", s.run.Seed), s.findings[i])
		}
	}
	return err
}
