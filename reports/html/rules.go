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

// area holds the rules whose ids begin with the same word.
type area struct {
	Name  visible
	Rules []rule
	// Tally counts the rules by verdict: "14 conform, 1 violated".
	Tally  []tick
	Broken []ruleRef
}

// rule is a rule of the catalogue with everything that the run found out about it.
type rule struct {
	look
	ID, Anchor visible
	Name       visible // the id without its area
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

func (p *page) areas() []area {
	byRule := p.scenariosOf()
	words := p.words()
	observed := p.view.Observed()
	var all []area
	for _, rv := range p.view.Result.Rules {
		r := p.view.Rule(rv.Rule)
		if len(all) == 0 || string(all[len(all)-1].Name) != r.Area() {
			all = append(all, area{Name: visible(r.Area())})
		}
		a := &all[len(all)-1]
		one := p.rule(rv, r)
		one.Words, one.MoreWords = p.tell(words[rv.Rule])
		for _, o := range observed[rv.Rule] {
			one.Observed = append(one.Observed, answerOf(o))
		}
		if home := byRule[rv.Rule]; home != nil {
			slices.SortStableFunc(home.own, beforeOthers)
			one.Scenarios, one.Elsewhere = home.own, home.elsewhere(p)
		}
		a.Rules = append(a.Rules, one)
		if rv.Verdict == verdict.Violated || rv.Verdict == verdict.Warned {
			a.Broken = append(a.Broken, p.ruleRef(rv.Rule))
		}
	}
	for i := range all {
		all[i].Tally = tallyOf(all[i].Rules)
	}
	return all
}

func (p *page) rule(rv verdict.RuleVerdict, r spec.Rule) rule {
	name := strings.TrimPrefix(rv.Rule, r.Area()+".")
	one := rule{
		look: lookOf(rv.Verdict), ID: visible(rv.Rule), Anchor: visible("rule-" + slug(rv.Rule)), Name: visible(name), Level: rv.Level,
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

// words groups the findings by rule and wording.
func (p *page) words() map[string][]*ruleDetail {
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
			t.Decisive = p.exchange(cited[len(cited)-1], near)
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
	own   []scenario
	other map[string]int
}

func (p *page) scenariosOf() map[string]*home {
	all := map[string]*home{}
	of := func(id string) *home {
		if all[id] == nil {
			all[id] = &home{other: map[string]int{}}
		}
		return all[id]
	}
	seen := map[string]bool{}
	for i := range p.view.Record.Scenarios {
		sc := &p.view.Record.Scenarios[i]
		for n, id := range sc.Rules {
			if n == 0 {
				one := p.scenario(sc)
				if seen[string(one.Anchor)] {
					one.Anchor = ""
				}
				seen[string(one.Anchor)] = true
				of(id).own = append(of(id).own, one)
			} else {
				of(id).other[sc.Rules[0]]++
			}
		}
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
		ID: visible(sc.ID), Anchor: visible(p.scenarios[sc.ID]), Name: visible(sc.Name), Outcome: sc.Outcome, look: lookOfOutcome(sc.Outcome),
		Reason: visible(sc.Reason), Took: text.Latency(sc.Elapsed),
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
func tallyOf(rules []rule) []tick {
	var all []tick
	for _, v := range order {
		t := tick{look: lookOf(v)}
		for i := range rules {
			if rules[i].look == t.look {
				t.Count++
			}
		}
		if t.Count > 0 {
			all = append(all, t)
		}
	}
	return all
}

func (p *page) ticks() []tick {
	var rules []rule
	for _, a := range p.Areas {
		rules = append(rules, a.Rules...)
	}
	return tallyOf(rules)
}

func (p *page) levels() []spec.Level {
	var all []spec.Level
	for _, s := range p.Run.Standings {
		all = append(all, s.Level)
	}
	return all
}

// operations returns the operations that rules are about or that exchanges call.
func (p *page) operations() []visible {
	seen := map[string]bool{}
	for _, rv := range p.view.Result.Rules {
		for _, op := range p.view.Rule(rv.Rule).Operations {
			seen[op] = true
		}
	}
	for i := range p.view.Record.Exchanges {
		if op := p.view.Record.Exchanges[i].Operation; op != "" {
			seen[op] = true
		}
	}
	return allVisible(sortedKeys(seen))
}

func statusesOf(rec *record.Record) []int {
	seen := map[int]bool{}
	for i := range rec.Exchanges {
		if r := rec.Exchanges[i].Response; r != nil {
			seen[r.Status] = true
		} else {
			seen[0] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
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
