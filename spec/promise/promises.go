package promise

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/pattern"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/values"
)

// Promises holds what a contract promises, and what is derived from that. It is safe for concurrent use.
type Promises struct {
	Names Names

	contract  *spec.Contract
	resources *resource.Map
	options   Options
	cases     *cases
	plain     *sync.Map // maps operation ids to [planned]
	// spoken returns the sentences of the document with the rules that they are about.
	spoken func() []spoken
}

// planned holds the plain requests of an operation, or why there are none.
type planned struct {
	all []request.Request
	err error
}

// cases holds the derived cases. They are derived once, and again after they were released.
type cases struct {
	mu sync.Mutex
	// all holds the cases, or is nil if they are not derived.
	all map[string][]Case
	// known reports whether the rest is computed, which is kept.
	known  bool
	kinds  map[string]map[Kind]bool
	others map[string][]Change
	budget Budget
}

// derive returns the cases of the operations, by id.
func (p *Promises) derive() map[string][]Case {
	c := p.cases
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		p.deriveAll(c)
	}
	return c.all
}

// derived returns what is known about the cases without them: the kinds of each operation, the budget, and the
// changes to other valid values.
func (p *Promises) derived() (kinds map[string]map[Kind]bool, all Budget, others map[string][]Change) {
	c := p.cases
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known {
		p.deriveAll(c)
	}
	return c.kinds, c.budget, c.others
}

// deriveAll derives the cases. c.mu must be held.
func (p *Promises) deriveAll(c *cases) {
	c.all, c.kinds, c.others, c.known = map[string][]Case{}, map[string]map[Kind]bool{}, map[string][]Change{}, true
	operations, bound := p.options.operations, p.options.PerOperation
	limit := draftLimit(len(operations))
	if bound > 0 { // enough drafts to show which kinds there are: the rules do not depend on the bound
		limit = max(bound, 3*fewestCases)
	}
	drafts, kinds := p.drafts(limit)
	for i, k := range kinds {
		c.kinds[operations[i].ID] = k
	}
	c.budget = Budget{PerOperation: bound, Given: bound > 0, Shares: map[string]int{}}
	if bound <= 0 {
		c.budget.PerOperation = choose(drafts)
	}
	for i, d := range drafts {
		id := operations[i].ID
		all := append([]Case{d.plain}, slices.Concat(roundRobin(d.groups, c.budget.PerOperation-1)...)...)
		c.budget.addCases(id, d, all)
		back := d.baseCases
		if bound > 0 {
			back = back[:min(len(back), max(0, bound-len(all)))]
		}
		c.all[id] = append(all, back...)
		c.budget.Cases += len(back)
		for _, one := range c.all[id] {
			if one.Kind == Kept {
				c.others[id] = append(c.others[id], one.Change)
			}
		}
	}
}

// mostConcurrentDrafts is the maximum number of operations for which cases are drafted concurrently; with more,
// that would take too much memory.
const mostConcurrentDrafts = 150

// ofOneRound is how many operations share the remaining work at a time.
const ofOneRound = 8

// drafts returns the possible cases of each operation, and their kinds.
func (p *Promises) drafts(limit int) ([]draft, []map[Kind]bool) {
	operations := p.options.operations
	drafts, kinds := make([]draft, len(operations)), make([]map[Kind]bool, len(operations))
	workers := 1
	if len(operations) <= mostConcurrentDrafts {
		workers = min(runtime.GOMAXPROCS(0), 4)
	}
	left := workOfAll
	for first := 0; first < len(operations); first += ofOneRound {
		// All operations of a round may take the same, so the result does not depend on timing.
		last, most := min(first+ofOneRound, len(operations)), min(mostWork, max(leastWork, left))
		var next, spent atomic.Int64
		next.Store(int64(first))
		var wait sync.WaitGroup
		for range workers {
			wait.Go(func() {
				for i := int(next.Add(1)) - 1; i < last; i = int(next.Add(1)) - 1 {
					work := instance.NewWork(most)
					drafts[i], kinds[i] = drafted(&operations[i], p.options, limit, work)
					drafts[i].cost = costOf(p.resources, &operations[i])
					drafts[i].incomplete = work.Incomplete()
					spent.Add(int64(most - work.Left()))
				}
			})
		}
		wait.Wait()
		left -= int(spent.Load())
	}
	return drafts, kinds
}

// Budget returns how many cases were derived, and how many were left out for the budget.
func (p *Promises) Budget() Budget {
	_, all, _ := p.derived()
	return all
}

// Of returns the promises of a contract. The same seed gives the same requests; perOperation bounds the cases of
// one operation, with 0 for a bound computed from the number of requests that all operations take together.
func Of(c *spec.Contract, seed uint64, perOperation int) *Promises {
	m := resource.Of(c)
	read := sync.OnceValue(func() lives { return livesOf(c.Operations(), m, resource.LifeOf) })
	unread := sync.OnceValue(func() lives { return livesOf(c.Operations(), m, resource.UnreadLifeOf) })
	p := &Promises{Names: NamesOf(c.Operations()), contract: c, cases: &cases{}, plain: &sync.Map{}, resources: m, options: Options{
		Seed: seed, PerOperation: max(perOperation, 0), texts: instance.NewTexts(seed, c.AssertsFormats()), operations: c.Operations(), schemes: schemesOf(c.Operations()), sayings: prose.NewSayings(),
		lives: read, unread: unread, Valid: func(s *spec.Schema, value any) bool {
			v := c.Validator(s)
			return v != nil && v.Keeps(value, schema.Request)
		}, within: c.Validator, used: &atomic.Int64{}, names: func(op *spec.Operation, p spec.Parameter) bool { return resource.Names(m, op, p) },
		chosen: []func(*spec.Operation) (spec.Property, bool){m.ChosenName, m.ChosenID}, Wrong: func(s *spec.Schema, value any) bool {
			v := c.Validator(s)
			if v == nil {
				return false
			}
			if keeps, known := v.Settles(value, schema.Request); known {
				return !keeps
			}
			return wrong(v.Validate(value, schema.Request))
		},
	}}
	p.spoken = sync.OnceValue(p.readProse)
	return p
}

// Give sets constants that replace made-up values. It returns an error if one fits no place of the contract, or is
// not allowed there. It must be called before anything is derived.
func (p *Promises) Give(v *values.Values) error {
	p.options.given = v
	p.plain.Clear()
	return v.Check(p.contract, resource.Nouns(p.resources), p.options.Valid)
}

// Elsewhere returns the URL of an operation that another host than that of base serves; see
// [spec.Contract.Elsewhere].
func (p *Promises) Elsewhere(op *spec.Operation, base string) string {
	return p.contract.Elsewhere(op, base)
}

// Given returns the constants, or nil.
func (p *Promises) Given() *values.Values { return p.options.given }

// Members returns what the body of an operation would have without the constants at their places, by pointer.
func (p *Promises) Members(op *spec.Operation) map[string][]any {
	all := p.options.given.Members(op)
	if len(all) == 0 {
		return nil
	}
	without := p.options
	without.given = nil
	plain, err := Requests(op, without)
	if err != nil {
		return nil
	}
	was := map[string][]any{}
	for _, r := range plain {
		body, _, _ := r.Body()
		for _, m := range all {
			if value, there := exactjson.Lookup(body, jsonpointer.Tokens(m.Pointer)); there {
				was[m.Pointer] = append(was[m.Pointer], value)
			}
		}
	}
	return was
}

// Requests returns plain requests of an operation, the most promising first.
func (p *Promises) Requests(op *spec.Operation) ([]request.Request, error) {
	found, known := p.plain.Load(op.ID)
	if !known {
		all, err := Requests(op, p.options)
		found, _ = p.plain.LoadOrStore(op.ID, planned{all, err})
	}
	was, _ := found.(planned)
	all := slices.Clone(was.all)
	for i := range all {
		all[i].Operation = op
	}
	return all, was.err
}

// Features returns the scenarios that test the rules of a catalogue, in the order of the operations.
func (p *Promises) Features(catalogue *spec.Catalogue) []feature.File {
	cases := p.derive()
	return slices.Collect(features(p.Names, p.contract.Operations(), catalogue, func(operation string) []Case { return cases[operation] }))
}

// LastFeatures is like Features, but in the order of the file names, and yields the files one after another. It
// releases the cases as it goes, since cases and files together take much memory. The cases are derived again if
// needed.
func (p *Promises) LastFeatures(catalogue *spec.Catalogue) iter.Seq[feature.File] {
	cases := maps.Clone(p.derive())
	p.cases.mu.Lock()
	p.cases.all = nil
	p.cases.mu.Unlock()
	operations := p.contract.Operations()
	slices.SortFunc(operations, func(a, b spec.Operation) int { return strings.Compare(fileName(p.Names, &a), fileName(p.Names, &b)) })
	return features(p.Names, operations, catalogue, func(operation string) []Case {
		all := cases[operation]
		delete(cases, operation)
		return all
	})
}

// Catalogue returns the rules that follow from the contract, those that its sentences state as must rules. It omits rules about requests that cannot be made:
// for many schemas every value is valid, and what is wrong in JSON may not be in a form.
func (p *Promises) Catalogue() (*spec.Catalogue, error) {
	kinds, _, _ := p.derived()
	rules := slices.DeleteFunc(rulesOf(p.contract, p.options.lives(), p.options.unread()), func(r spec.Rule) bool {
		kind := Kind(r.Cases[0])
		return (!r.Always || kind == Refusal) && !kinds[r.Operations[0]][kind]
	})
	return spec.NewCatalogue(p.raised(rules))
}

// Response judges a response by what the contract documents.
func (p *Promises) Response(ex *spec.Exchange) Judged {
	return (&Responses{contract: p.contract, names: p.Names}).Judge(ex)
}

// Valid reports whether a value conforms to a schema of the contract in a request.
func (p *Promises) Valid(s *spec.Schema, value any) bool { return p.options.Valid(s, value) }

// Matching returns up to count different texts that match the pattern of a schema and its bounds of length; none
// if the schema has no pattern, or restricts texts further. The same seed gives the same texts.
func Matching(s *spec.Schema, seed uint64, count int) []string {
	of := resource.Patterned(s)
	if of == nil {
		return nil
	}
	compiled, err := pattern.Compile(of.Pattern)
	if err != nil {
		return nil
	}
	low, high := 0, -1
	if of.MinLength != nil {
		low = int(*of.MinLength)
	}
	if of.MaxLength != nil {
		high = int(*of.MaxLength)
	}
	return compiled.Strings(seed, count, low, high)
}

// Scenario is a derived scenario.
type Scenario struct {
	// Rule is the id of the rule that it tests.
	Rule string
	// Covered is the id of the derived rule that it tests, where Rule covers that.
	Covered string
	// Title says what is special about it, and Text is the whole scenario as Gherkin.
	Title, Text string
}

// Scenarios calls do with each scenario that tests the rules of a catalogue, in the order of the features.
func (p *Promises) Scenarios(catalogue *spec.Catalogue, do func(Scenario)) {
	operations := p.contract.Operations()
	order := make(map[string]int, len(catalogue.Rules))
	for i, r := range catalogue.Rules {
		order[r.ID] = i
	}
	of := p.derive()
	for i := range operations {
		op := &operations[i]
		for _, one := range blocks(op, p.Names, catalogue, order, of[op.ID]) {
			for _, c := range one.cases {
				var w writer
				w.line("")
				w.scenario(op, []Case{c})
				do(Scenario{Rule: one.rule.ID, Covered: c.covered, Title: oneLine(c.Title), Text: string(w.text)})
			}
		}
	}
}
