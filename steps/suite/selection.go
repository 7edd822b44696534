package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Selection says which scenarios to run.
type Selection struct {
	// Tags is a tag expression in the syntax of godog ("@a && ~@b, @c") or Cucumber ("@a and not @b").
	Tags string
	// Rules and Operations restrict the selection to scenarios that name one of each.
	Rules, Operations []string
	ReadOnly          bool
	// Only lists the ids of wanted scenarios, and Quick those of a quick run; nil means all.
	Only, Quick []string
	// Shard selects a part of what the rest selects.
	Shard Shard
}

// Whole reports whether the selection leaves out nothing except scenarios that must not write.
func (s Selection) Whole() bool {
	return s.Tags == "" && len(s.Rules) == 0 && len(s.Operations) == 0 && s.Only == nil && s.Quick == nil && s.Shard.Of == 0
}

// Chosen holds the selected scenarios, and those left out for a reason that must be reported.
type Chosen struct {
	// Run holds the scenarios to run by id. Reasons holds, by id, why a scenario is left out.
	Run     map[string]*Scenario
	Reasons map[string]string
	// Skipped lists the scenarios with a reason.
	Skipped []*Scenario
}

// Select returns the scenarios that sel selects. Selecting none is an error: nothing would be judged, and a passing result would be
// misleading.
func (s *Suite) Select(sel Selection, catalogue *spec.Catalogue, contract *spec.Contract) (Chosen, error) {
	expr, err := parseTags(sel.Tags)
	if err != nil {
		return Chosen{}, err
	}
	for _, id := range sel.Rules {
		if _, ok := catalogue.Rule(id); !ok {
			return Chosen{}, fmt.Errorf("no rule is called %q%s (hallmark rules lists them)", id, suggestion(catalogue.Similar(id)))
		}
	}
	for _, id := range sel.Operations {
		if _, ok := contract.Operation(id); !ok {
			return Chosen{}, fmt.Errorf("no operation is called %q%s", id, operationsLike(id, contract))
		}
	}
	c := Chosen{Run: map[string]*Scenario{}, Reasons: map[string]string{}}
	for _, f := range s.Features {
		for _, p := range f.Scenarios {
			switch {
			case sel.Only != nil && !slices.Contains(sel.Only, p.ID()), sel.Quick != nil && !slices.Contains(sel.Quick, p.ID()):
			case !expr(p.Tags), !wantedRule(p, sel.Rules, catalogue), !wantedOperation(p, sel.Operations, catalogue):
			case sel.ReadOnly && !p.Has(ReadOnly):
				c.Reasons[p.ID()] = "the run is read-only, and this scenario creates resources"
				c.Skipped = append(c.Skipped, p)
			default:
				c.Run[p.ID()] = p
			}
		}
	}
	if len(c.Run) == 0 {
		return c, fmt.Errorf("no scenario is selected: %s match none of %d scenarios", describeSelection(sel), s.Scenarios())
	}
	selected := len(c.Run)
	if c.deal(sel.Shard); len(c.Run) == 0 {
		return c, fmt.Errorf("shard %s has no scenario to run, since only %d are selected; use at most %d shards", sel.Shard, selected, selected)
	}
	return c, nil
}

// suggestion proposes a similar word, if there is one.
func suggestion(nearest string) string {
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// operationsLike proposes operations instead of an unknown one: all if there are few, else the most similar one, if any.
func operationsLike(id string, contract *spec.Contract) string {
	const few = 12
	var known []string
	for _, op := range contract.Operations() {
		known = append(known, text.Visible(op.ID))
	}
	if len(known) <= few {
		return "; the contract has " + strings.Join(known, ", ")
	}
	return suggestion(text.Similar(id, known)) + fmt.Sprintf(" (the contract has %d operations)", len(known))
}

func describeSelection(sel Selection) string {
	var parts []string
	if sel.Tags != "" {
		parts = append(parts, fmt.Sprintf("--tags %q", sel.Tags))
	}
	const most = 6 // a prefix shared by many ids stands for all of them
	for i, r := range sel.Rules {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(sel.Rules)-most))
			break
		}
		parts = append(parts, "--rule "+r)
	}
	for _, o := range sel.Operations {
		parts = append(parts, "--operation "+o)
	}
	if sel.Only != nil {
		parts = append(parts, "--rerun")
	}
	if sel.Quick != nil {
		parts = append(parts, "--quick")
	}
	if sel.ReadOnly {
		parts = append(parts, "--read-only")
	}
	return strings.Join(parts, " ")
}

// wantedRule reports whether a scenario names one of the rules, or a rule within one of them.
func wantedRule(p *Scenario, rules []string, catalogue *spec.Catalogue) bool {
	if len(rules) == 0 {
		return true
	}
	for _, id := range p.Rules {
		for id != "" {
			if slices.Contains(rules, id) {
				return true
			}
			r, _ := catalogue.Rule(id)
			id = r.Within
		}
	}
	return false
}

// wantedOperation reports whether a scenario is about one of the operations, by its own tag or by its rules.
func wantedOperation(p *Scenario, operations []string, catalogue *spec.Catalogue) bool {
	if len(operations) == 0 {
		return true
	}
	for _, o := range p.Operations() {
		if slices.Contains(operations, o) {
			return true
		}
	}
	if p.Has(Derived) && len(p.Operations()) > 0 { // its rule may be about other operations too
		return false
	}
	for _, id := range p.Rules {
		r, _ := catalogue.Rule(id)
		for _, o := range r.Operations {
			if slices.Contains(operations, o) {
				return true
			}
		}
	}
	return false
}
