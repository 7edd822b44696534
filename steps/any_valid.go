package steps

import (
	"context"
	"errors"
	"math"
	"strconv"

	"pgregory.net/rapid"

	"hallmark/spec"
)

// drafts generates valid bodies by the schema of an operation's body.
type drafts struct {
	schema *spec.Schema
	// plain returns the JSON texts of values that the target is known to take.
	plain    map[string]string
	flavours []*rapid.Generator[affix]
}

func newDrafts(op spec.Operation, plain map[string]string) *drafts {
	return &drafts{schema: op.Body.Schema, plain: plain, flavours: flavours()}
}

// generator makes the generator of the nth body. The alphabets take turns, so that each is tried; numbers are plain in
// every other body, since a service that refuses them never comes to the name. Every other time that the name is plain
// they are not: a service that refuses the unusual names would never come to them.
func (d *drafts) generator(n int) *rapid.Generator[draft] {
	return rapid.Custom(func(t *rapid.T) draft {
		out := draft{escaped: rapid.Bool().Draw(t, "escaped"), reversed: rapid.Bool().Draw(t, "reversed")}
		for i := range d.schema.Properties {
			out.fields = append(out.fields, d.field(t, &d.schema.Properties[i], n))
		}
		return out
	})
}

func (d *drafts) field(t *rapid.T, p *spec.Property, n int) draftField {
	f := draftField{name: p.Name}
	s := p.Schema
	switch {
	case len(s.Enum) > 0:
		f.either = true
		f.plain = s.Enum[0]
		f.json = evenly(s.Enum).Draw(t, p.Name)
	case s.Type == "string":
		f.text = true
		if s.MinLength == nil && s.MaxLength == nil {
			around := d.flavours[n%len(d.flavours)].Draw(t, p.Name)
			f.before, f.after = around.before, around.after
		}
	default:
		f.plain = d.plainValue(p)
		f.json = f.plain
		if s.Type == "integer" && (n%2 == 1 || len(d.flavours) > 0 && n%(2*len(d.flavours)) == 0) {
			f.json = strconv.FormatInt(integers(s, (n+1)/2).Draw(t, p.Name), 10)
		}
	}
	f.absent = !p.Required && rapid.Bool().Draw(t, p.Name+" is absent")
	return f
}

// plainValue is the JSON text of an inconspicuous value that is no text.
func (d *drafts) plainValue(p *spec.Property) string {
	var none []string
	r := run{target: Target{Plain: d.plain}}
	return r.plain(*p, &none)
}

// integers generates what a schema allows of int64. Services get different ranges wrong, so these take turns.
func integers(s *spec.Schema, turn int) *rapid.Generator[int64] {
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if n, err := strconv.ParseInt(s.Minimum, 10, 64); err == nil {
		least = n
	}
	if n, err := strconv.ParseInt(s.Maximum, 10, 64); err == nil {
		most = n
	}
	ranges := []*rapid.Generator[int64]{
		// No float64 holds an odd number of this size.
		rapid.Map(rapid.Int64Range(1<<53, math.MaxInt64), func(n int64) int64 { return n | 1 }),
		rapid.Int64Range(1<<31, 1<<53),
		evenly([]int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, -1<<53 - 1}),
		evenly([]int64{0, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536}),
		rapid.Int64Range(math.MinInt64, -1<<31-1),
		evenly([]int64{1<<31 - 1, 1 << 31, -1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1<<53 + 1, 1 << 62}),
		rapid.Int64Range(least, most),
	}
	return rapid.Map(ranges[turn%len(ranges)], func(n int64) int64 { return min(max(n, least), most) })
}

// whenAnyValid is "generated valid bodies are sent to createPet".
func (s *scenario) whenAnyValid(ctx context.Context, operation string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	valid := newDrafts(op, s.run.target.Plain)
	var cases []draft
	for i := range s.run.examples() {
		cases = append(cases, valid.generator(i).Example(s.run.seedOf("valid body", i)))
	}
	return newExploration(s, property[draft]{
		noun: "body", plural: "valid bodies",
		ask:     func(ctx context.Context, t *scenario, d draft) (draft, error) { return d, t.askValid(ctx, op, d) },
		smaller: draft.smaller,
		animals: func(draft) int { return 1 },
		kind:    s.validKind,
	}).explore(ctx, cases)
}

// validKind is kindOf, save that the rules which ask for 201 count as one: which of them is broken depends on what else
// is unusual in the body.
func (s *scenario) validKind(f spec.Finding) string {
	if isStatusFinding(f) && s.run.isStatusRule(f.Rule) && f.Rule != "get.created" {
		return "accepted, " + f.Actual
	}
	return kindOf(f)
}

// askValid creates an animal of a generated body, and reads it back.
func (s *scenario) askValid(ctx context.Context, op spec.Operation, d draft) error {
	fresh := s.run.freshName()
	raw, names := d.write(fresh)
	a, err := s.post(ctx, op, raw, names, "a generated body")
	if err != nil {
		return err
	}
	if rule, open := s.unusualRule(op, d, fresh); open {
		s.expect(a, rule, s.run.terms.added, 400)
	} else {
		s.expect(a, rule, s.run.terms.added)
	}
	if a.status() == 400 {
		s.observeRefusal(a)
	}
	if a.status()/100 != 2 {
		return nil
	}
	for _, p := range op.Body.Schema.Properties {
		s.judgeEcho(a, op, p.Name)
	}
	made, ok := s.made(a)
	if !ok {
		return nil
	}
	return ignoreStop(s.readBack(ctx, creation{animal: made, seq: a.ex.Seq}, "get.created"))
}

// ignoreStop takes no notice of a check that could not be made: what is generated goes on.
func ignoreStop(err error) error {
	if errors.As(err, new(stop)) {
		return nil
	}
	return err
}

// unusualRule is the rule for the status of a response to a draft, and whether that may be 400: for a plain one it is not.
func (s *scenario) unusualRule(op spec.Operation, d draft, fresh string) (string, bool) {
	for _, f := range d.fields {
		if f.unusual(fresh) {
			rule := "create." + f.name + ".unusual"
			if _, ok := s.run.catalogue.Rule(rule); !ok {
				rule = s.acceptedRule(op, s.run.terms.added)
			}
			return rule, true
		}
	}
	return s.acceptedRule(op, s.run.terms.added), false
}
