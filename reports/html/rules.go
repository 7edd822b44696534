package html

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// mostWords is the maximum number of wordings shown for the findings of a rule, mostLinks the maximum number of exchanges or scenarios
	// linked from each.
	mostWords, mostLinks = 4, 10
)

// rule is a rule of the catalogue with everything that the run found out about it.
type rule struct {
	look
	ID, Anchor visible
	Level      spec.Level
	Section    visible
	Says       visible
	Asks       visible
	Source     visible
	Reason     visible
	Within     ruleRef
	Operations visible
	Exercised  int
	Always     bool
	Contract   []excerpt
	Words      []ruleDetail
	MoreWords  int
	Observed   []answer
	Scenarios  []scenario
	Elsewhere  []elsewhere
	Broken     int
	Known      int
	Rerun      visible
}

// ruleDetail combines the findings about a rule that have the same wording.
type ruleDetail struct {
	Diff      diff
	Where     visible
	Count     int
	Known     bool
	After     ruleRef
	Exchanges seqs
	More      int
	Decisive  *exchange
	first     spec.Finding
}

// elsewhere counts scenarios of a narrower rule that also exercise this one.
type elsewhere struct {
	Rule  ruleRef
	Count int
}

// ruleInFull returns a rule with its findings, observations and scenarios.
func (p *page) ruleInFull(rv verdict.RuleVerdict) rule {
	one := p.rule(rv, p.view.Rule(rv.Rule))
	one.Words, one.MoreWords = p.tell(p.words[rv.Rule])
	for _, o := range p.observedBy[rv.Rule] {
		one.Observed = append(one.Observed, answerOf(o))
	}
	if home := p.scenariosBy[rv.Rule]; home != nil {
		for _, sc := range home.own {
			one.Scenarios = append(one.Scenarios, p.scenario(sc))
		}
		slices.SortStableFunc(one.Scenarios, beforeOthers)
		one.Elsewhere = home.elsewhere(p)
	}
	return one
}

func (p *page) rule(rv verdict.RuleVerdict, r spec.Rule) rule {
	one := rule{
		look: lookOf(rv.Verdict), ID: visible(rv.Rule), Anchor: visible("rule-" + slug(rv.Rule)), Level: rv.Level,
		Section: visible(r.Section), Says: visible(r.Says), Asks: visible(r.Asks), Source: visible(r.Source), Reason: visible(rv.Reason),
		Operations: visible(strings.Join(r.Operations, " ")), Exercised: rv.Exercised, Always: r.Always,
		Contract: p.excerpts("", r.Contract), Broken: rv.Findings, Known: rv.Known,
	}
	if r.Within != "" {
		one.Within = p.ruleRef(r.Within)
	}
	if rv.Verdict != verdict.Untestable {
		one.Rerun = visible(p.view.Rerun(rv.Rule))
	}
	return one
}

// findings groups the findings by rule and wording.
func (p *page) findings() map[string][]*ruleDetail {
	all := map[string][]*ruleDetail{}
	index := map[string]*ruleDetail{}
	for i := range p.view.Record.Scenarios {
		sorted := p.view.Sort(&p.view.Record.Scenarios[i])
		for n, findings := range [][]spec.Finding{sorted.Failing, sorted.Warning, sorted.Known} {
			for _, f := range findings {
				key := f.Rule + "\x00" + record.Message(f)
				t := index[key]
				if t == nil {
					t = &ruleDetail{first: f, Known: n == 2, Where: visible(f.Where.String())}
					index[key] = t
					all[f.Rule] = append(all[f.Rule], t)
				}
				t.Count++
				if len(f.Exchanges) == 0 {
					continue
				}
				if len(t.Exchanges) < mostLinks {
					t.Exchanges = append(t.Exchanges, p.seq(f.Exchanges[len(f.Exchanges)-1]))
				} else {
					t.More++
				}
			}
		}
	}
	return all
}

// tell prepares the most frequent wordings for display.
func (p *page) tell(all []*ruleDetail) (shown []ruleDetail, more int) {
	slices.SortStableFunc(all, func(x, y *ruleDetail) int { return cmp.Compare(y.Count, x.Count) })
	for i, t := range all {
		if i == mostWords {
			return shown, len(all) - i
		}
		t.Diff = compare(t.first.Expected, t.first.Actual)
		if t.first.After != "" {
			t.After = p.ruleRef(t.first.After)
		}
		if cited := p.view.Cited(t.first); len(cited) > 0 {
			t.Decisive = p.heading(cited[len(cited)-1])
		}
		shown = append(shown, *t)
	}
	return shown, 0
}

// seq is the number of an exchange, which may be missing from the record.
type seq struct {
	Number int
	Held   bool
}

type seqs []seq

func (p *page) seq(n int) seq { return seq{n, p.view.Exchange(n) != nil} }

// home collects the scenarios of a rule: those mainly about it, and those that also name it.
type home struct {
	own   []*record.Scenario
	other map[string]int
}

// scenarios returns the scenarios mainly about the rule; h may be nil.
func (h *home) scenarios() []*record.Scenario {
	if h == nil {
		return nil
	}
	return h.own
}

func (p *page) scenariosOf() map[string]*home {
	all := map[string]*home{}
	of := func(id string) *home {
		if all[id] == nil {
			all[id] = &home{other: map[string]int{}}
		}
		return all[id]
	}
	for i := range p.view.Record.Scenarios {
		sc := &p.view.Record.Scenarios[i]
		for n, id := range sc.Rules {
			if n == 0 {
				of(id).own = append(of(id).own, sc)
			} else {
				of(id).other[sc.Rules[0]]++
			}
		}
	}
	// A record read from a journal may hold them in another order, and its page must be the same.
	for _, home := range all {
		slices.SortStableFunc(home.own, func(x, y *record.Scenario) int { return record.ScenarioOrder(x.ID, y.ID) })
	}
	return all
}

// beforeOthers orders scenarios: those that did not pass first, then in file order.
func beforeOthers(x, y scenario) int {
	last := func(s scenario) int {
		switch s.Outcome {
		case record.Failed:
			return 0
		case record.Passed:
			return 2
		default:
			return 1
		}
	}
	return cmp.Or(cmp.Compare(last(x), last(y)), record.ScenarioOrder(string(x.ID), string(y.ID)))
}

func (h *home) elsewhere(p *page) []elsewhere {
	var all []elsewhere
	for _, id := range sortedKeys(h.other) {
		all = append(all, elsewhere{p.ruleRef(id), h.other[id]})
	}
	return all
}

func (p *page) scenario(sc *record.Scenario) scenario {
	one := scenario{
		ID: visible(sc.ID), Name: visible(sc.Name), Outcome: sc.Outcome, look: lookOfOutcome(sc.Outcome),
		Reason: visible(sc.Reason), Took: text.Latency(sc.Elapsed),
	}
	if anchor := p.scenarios[sc.ID]; p.anchored[anchor] == sc {
		one.Anchor = visible(anchor)
	}
	for _, s := range sc.Steps {
		one.Steps = append(one.Steps, step{visible(strings.TrimSpace(s.Keyword)), visible(s.Text), lookOfOutcome(s.Outcome)})
	}
	for _, n := range sc.Exchanges[:min(len(sc.Exchanges), 2*mostLinks)] {
		one.Exchanges = append(one.Exchanges, p.seq(n))
	}
	one.More = len(sc.Exchanges) - len(one.Exchanges)
	sorted := p.view.Sort(sc)
	found := append(slices.Clone(sorted.Failing), sorted.Warning...)
	one.Known = len(sorted.Known)
	for _, f := range found[:min(len(found), mostCharges)] {
		one.Charges = append(one.Charges, charge{p.ruleRef(f.Rule), visible(f.Expected.String()), visible(f.Actual.String())})
	}
	one.Left = len(found) - len(one.Charges)
	return one
}

func lookOfOutcome(o record.Outcome) look {
	switch o {
	case record.Passed:
		return look{"conforms", "passed"}
	case record.Failed:
		return look{"violated", "failed"}
	case record.Skipped:
		return look{"unasked", "skipped"}
	default:
		return look{"warned", string(o)}
	}
}

// tallyOf counts rules by verdict.
func tallyOf(rules []verdict.RuleVerdict) []tick {
	counts := map[look]int{}
	for _, rv := range rules {
		counts[lookOf(rv.Verdict)]++
	}
	var all []tick
	for _, v := range order {
		if n := counts[lookOf(v)]; n > 0 {
			all = append(all, tick{lookOf(v), n})
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// answer is a target's answer to an open rule.
type answer struct {
	Answer visible
	Asked  []visible
	More   int
}

func answerOf(a view.Answered) answer {
	shown := a.Asked[:min(len(a.Asked), mostLinks)]
	return answer{visible(a.Answer), allVisible(shown), len(a.Asked) - len(shown)}
}

// observation is an open rule with its answers.
type observation struct {
	Rule    ruleRef
	Asks    visible
	Answers []answer
	More    int
}

func (p *page) observed() []observation {
	by := p.view.Observed()
	var all []observation
	for _, r := range p.view.Asked() {
		one := observation{Rule: p.ruleRef(r.ID), Asks: visible(cmp.Or(r.Asks, r.Says))}
		for i, a := range by[r.ID] {
			if i == mostLinks {
				one.More = len(by[r.ID]) - i
				break
			}
			one.Answers = append(one.Answers, answerOf(a))
		}
		all = append(all, one)
	}
	return all
}
