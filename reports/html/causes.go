package html

import (
	"cmp"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// ruleRef links to a rule. Anchor is empty if the page does not contain it.
type ruleRef struct {
	ID     visible
	Anchor string
	look
}

func (p *page) ruleRef(id string) ruleRef {
	ref := ruleRef{ID: visible(id)}
	if verdict, known := p.rules[id]; known {
		ref.Anchor, ref.look = "rule-"+slug(id), lookOf(verdict)
	}
	return ref
}

// scenarioRef links to a scenario.
type scenarioRef struct {
	ID     visible
	Anchor string
}

func (p *page) scenarioRef(id string) scenarioRef { return scenarioRef{visible(id), p.scenarios[id]} }

// cause is one defect in full detail.
type cause struct {
	look
	Number   int
	Rule     ruleRef
	Level    spec.Level
	Section  visible
	Says     visible
	Source   visible
	Narrower ruleRef // the broken part of the rule, or empty for the rule itself
	PartSays visible
	Diff     diff
	Where    visible
	Before   []*exchange
	Decisive *exchange
	Contract []excerpt
	Curl     visible
	Rerun    visible
	Script   visible
	Extent   []visible
	Scenario scenarioRef
	// Message is the message that a known violation's entry would have.
	Message visible
	Unsure  visible
	// Open reports whether the exchange is initially unfolded.
	Open bool
	// Packed reports whether the overview shows only a line, and Part holds the rest.
	Packed bool
	Part   int
}

// mostOpen is the number of causes that the overview shows in full; of the others it shows a line.
const mostOpen = 5

func (p *page) causes(all []verdict.Cause, after int) []cause {
	out := make([]cause, 0, len(all))
	for i := range all {
		one := p.cause(&all[i], after+i+1)
		if one.Packed {
			one.Part = p.addPart("cause-rest", one)
		}
		out = append(out, one)
	}
	return out
}

func (p *page) cause(c *verdict.Cause, number int) cause {
	out := cause{
		look: look{"warned", "warning"}, Number: number, Rule: p.ruleRef(c.Rule), Level: c.Level, Section: visible(c.Section),
		Says: visible(c.Says), Source: visible(p.view.Rule(c.Rule).Source), Diff: compare(c.Lead.Expected, c.Lead.Actual), Where: visible(c.Lead.Where.String()),
		Curl: visible(c.Curl), Rerun: visible(c.Rerun), Script: visible(p.view.Script(c)), Extent: allVisible(c.Extent()),
		Scenario: p.scenarioRef(c.Scenario), Message: visible(c.Message), Unsure: visible(strings.ToLower(c.Mark())), Open: number == 1, Packed: number > mostOpen,
	}
	if p.view.Fails(*c) {
		out.look = look{"violated", "fails"}
	}
	if c.Lead.Rule != c.Rule {
		out.Narrower, out.PartSays = p.ruleRef(c.Lead.Rule), visible(p.view.Rule(c.Lead.Rule).Says)
	}
	cited := p.view.Cited(c.Lead)
	for i, ex := range cited {
		var x *exchange
		if out.Packed {
			x = p.heading(ex) // opened from its block
		} else {
			x = p.exchange(ex, near)
		}
		if i == len(cited)-1 {
			x.Curl = "" // the cause has it already
			out.Decisive = x
		} else {
			out.Before = append(out.Before, x)
		}
	}
	out.Contract = p.excerpts(c.Lead.Contract, p.view.Rule(c.Lead.Rule).Contract)
	return out
}

// excerpt is a part of the contract.
type excerpt struct {
	Pointer visible
	Line    int
	Lines   []visible
	Cut     bool
}

// mostExcerpts is the maximum number of places of the contract shown for a rule.
const mostExcerpts = 3

// excerpts returns the broken constraint, or else the constraints that state the rule.
func (p *page) excerpts(broken string, others []string) []excerpt {
	if p.view.Contract == nil {
		return nil
	}
	pointers := others
	if broken != "" {
		pointers = []string{broken}
	}
	var all []excerpt
	seen := map[int]bool{}
	for _, pointer := range pointers {
		e, ok := p.view.Contract.Excerpt(pointer)
		if !ok || seen[e.Line] || len(all) == mostExcerpts {
			continue
		}
		seen[e.Line] = true
		all = append(all, excerpt{visible(pointer), e.Line, allVisible(e.Lines), e.Cut})
	}
	return all
}

// deviation is a known violation.
type deviation struct {
	look
	Rule    ruleRef
	State   verdict.State
	Fails   bool
	Says    visible
	Message visible
	Reason  visible
	Link    visible
	Address string
	Expires visible
	Seen    int
	Within  int
}

func (p *page) deviations() []deviation {
	var all []deviation
	for _, d := range p.view.Result.Deviations {
		one := deviation{
			look: lookOf(verdict.Deviates), Rule: p.ruleRef(d.Rule), State: d.State, Fails: d.Fails, Says: visible(sentence(d.Says)),
			Message: visible(d.Message), Reason: visible(d.Reason), Link: visible(d.Link), Address: web(d.Link), Expires: visible(d.Expires), Seen: d.Findings, Within: len(d.Scenarios),
		}
		if d.Fails {
			one.look = lookOf(verdict.Violated)
		}
		all = append(all, one)
	}
	return all
}

// unasked holds rules that were not exercised for the same reason.
type unasked struct {
	look
	Reason visible
	Rules  []ruleRef
	Levels []spec.Level // the level of each rule
	More   int          // the number of rules that are not named
}

func (p *page) unasked() []unasked {
	var all []unasked
	for _, verdict := range []verdict.Verdict{verdict.NotExercised, verdict.NotApplicable, verdict.Untestable} {
		for _, u := range p.view.Unasked(verdict) {
			one := unasked{look: lookOf(verdict), Reason: visible(cmp.Or(u.Reason, "no reason was given"))}
			for i, r := range u.Rules {
				if i == mostNamed {
					one.More = len(u.Rules) - i
					break
				}
				one.Rules = append(one.Rules, p.ruleRef(r.Rule))
				one.Levels = append(one.Levels, r.Level)
			}
			all = append(all, one)
		}
	}
	return all
}
