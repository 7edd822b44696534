package conformance

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// areas divides rules and scenarios by the first part of rule ids, in catalogue order.
func areas(v *view.View) []Area {
	all := []Area{} // never null
	at := map[string]int{}
	of := func(name string) *Area {
		i, known := at[name]
		if !known {
			i = len(all)
			at[name] = i
			all = append(all, Area{Area: name})
		}
		return &all[i]
	}
	messages := firstMessages(v)
	shaky, leading := intermittent(v), leads(v)
	for _, verdict := range v.Result.Rules {
		of(spec.Rule{ID: verdict.Rule}.Area()).addRule(verdict, Failed{
			Says: v.Rule(verdict.Rule).Says, Message: messages[verdict.Rule], Cause: leading[verdict.Rule], Intermittent: shaky[verdict.Rule],
		})
	}
	for i := range v.Record.Scenarios {
		sc := &v.Record.Scenarios[i]
		name := "run" // the preflight belongs to no rule
		if len(sc.Rules) > 0 {
			name = spec.Rule{ID: sc.Rules[0]}.Area()
		}
		of(name).count(sc)
	}
	strict := v.Record.Options.Strict
	for i := range all {
		a := &all[i]
		a.Rules, a.Must = a.tally()
		a.Result = a.conclude(strict)
		slices.SortFunc(a.Skipped, func(x, y Skipped) int { return strings.Compare(x.Reason, y.Reason) })
		for _, s := range a.Skipped {
			slices.Sort(s.Scenarios)
		}
	}
	return all
}

// addRule adds a rule to the list of its verdict; broken describes a violated one.
func (a *Area) addRule(v verdict.RuleVerdict, broken Failed) {
	left := Left{Rule: v.Rule, Level: v.Level, Reason: v.Reason}
	switch v.Verdict {
	case verdict.Conforms:
		switch v.Level {
		case spec.Must:
			a.Conforms.Must = append(a.Conforms.Must, v.Rule)
		case spec.Inferred:
			a.Conforms.Inferred = append(a.Conforms.Inferred, v.Rule)
		default:
			a.Conforms.Should = append(a.Conforms.Should, v.Rule)
		}
	case verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates:
		broken.Rule, broken.Level, broken.Verdict, broken.Findings = v.Rule, v.Level, v.Verdict, v.Findings+v.Known+v.Intermittent+v.Undecided
		a.Failed = append(a.Failed, broken)
	case verdict.Observed:
		a.Observed = append(a.Observed, v.Rule)
	case verdict.NotApplicable:
		a.NotApplicable = append(a.NotApplicable, left)
	case verdict.Untestable:
		a.Untestable = append(a.Untestable, left)
	default:
		a.NotExercised = append(a.NotExercised, left)
	}
}

// count counts a scenario.
func (a *Area) count(sc *record.Scenario) {
	c := &a.Scenarios
	c.Total++
	switch sc.Outcome {
	case record.Passed:
		c.Passed++
		return
	case record.Failed:
		c.Failed++
		return
	case record.Skipped:
		c.Skipped++
	default:
		c.Errors++
		return
	}
	reason := sc.Reason
	if reason == "" {
		reason = "no reason was given"
	}
	i := slices.IndexFunc(a.Skipped, func(s Skipped) bool { return s.Reason == reason })
	if i < 0 {
		i = len(a.Skipped)
		a.Skipped = append(a.Skipped, Skipped{Reason: reason})
	}
	a.Skipped[i].Scenarios = append(a.Skipped[i].Scenarios, sc.ID)
}

// firstMessages returns a message for each violated rule: that of the cause that it leads, otherwise that of its first finding that counts.
func firstMessages(v *view.View) map[string]string {
	all := map[string]string{}
	for _, c := range v.Result.Causes {
		if all[c.Lead.Rule] == "" {
			all[c.Lead.Rule] = c.Message
		}
	}
	for i := range v.Record.Scenarios {
		for _, f := range v.Record.Scenarios[i].Findings {
			if all[f.Rule] == "" {
				all[f.Rule] = record.Message(f)
			}
		}
	}
	return all
}

// intermittent returns the rules whose violation did not show in each repetition.
func intermittent(v *view.View) map[string]bool {
	all := map[string]bool{}
	for _, c := range v.Result.Causes {
		if c.Confirmation.Intermittent() {
			all[c.Lead.Rule] = true
		}
	}
	return all
}

// leads returns the leading rule of the defect for each violated rule. A rule that leads a defect maps to itself.
func leads(v *view.View) map[string]string {
	all := map[string]string{}
	for _, c := range v.Result.Causes {
		for _, also := range c.Also {
			if all[also.Rule] == "" {
				all[also.Rule] = c.Rule
			}
		}
	}
	for _, c := range v.Result.Causes {
		all[c.Lead.Rule], all[c.Rule] = c.Rule, c.Rule
	}
	return all
}
