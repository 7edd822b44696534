package view

import (
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Sources are the texts that a record refers to. The contract and the features are nil if they are not available, as for a record made with
// another contract or other features.
type Sources struct {
	Catalogue *spec.Catalogue
	Contract  *spec.Contract
	// ContractFile is the path of the contract: as named by the user, or in hallmark's repository for a built-in one.
	ContractFile string
	// Features are the texts of the feature files by path, as in the ids of scenarios.
	Features map[string]string
}

// Of drops the sources that do not belong to the suite; features is the digest of the available features.
func (s Sources) Of(suite record.Suite, features string) Sources {
	if s.Contract != nil && s.Contract.Digest() != suite.Contract {
		s.Contract = nil
	}
	if features != suite.Features {
		s.Features = nil
	}
	return s
}

// View is what formats show: a record, its conclusions, and the texts that they refer to. Formats must not modify it.
type View struct {
	Record *record.Record
	Result verdict.Result
	Sources
	// SuggestedIn is the file of the suggested values, if there is one.
	SuggestedIn string
	// Scripts are the files with the requests of causes, by the places of the causes in the result; see [View.Script].
	Scripts map[int]string

	index     *verdict.Index
	exchanges *verdict.ExchangeIndex
	known     verdict.Known
	causes    map[findingKey]int
}

// findingKey identifies a finding of a record.
type findingKey struct {
	scenario, rule, actual, where string
	at                            int
}

func keyOf(scenario string, f spec.Finding) findingKey {
	k := findingKey{scenario: scenario, rule: f.Rule, actual: f.Actual.String(), where: f.Where.String()}
	if n := len(f.Exchanges); n > 0 {
		k.at = f.Exchanges[n-1]
	}
	return k
}

// CauseOf returns the cause of a finding, or nil if it has none, like a known deviation.
func (v *View) CauseOf(sc *record.Scenario, f spec.Finding) *verdict.Cause {
	if i, known := v.causes[keyOf(sc.ID, f)]; known {
		return &v.Result.Causes[i]
	}
	return nil
}

// Script returns the command that runs the script with the requests of a cause, or "" if none was written.
func (v *View) Script(c *verdict.Cause) string {
	i, known := v.causes[keyOf(c.Scenario, c.Lead)]
	if !known || v.Scripts[i] == "" {
		return ""
	}
	shell := "sh "
	if record.NeedsBash(v.Replay(c.Lead)) {
		shell = "bash "
	}
	return shell + text.ShellQuote(v.Scripts[i])
}

// New judges a record and returns its view. The record must not change afterwards.
func New(rec *record.Record, from Sources) *View {
	var rules []spec.Rule
	if from.Catalogue != nil {
		rules = from.Catalogue.Rules
	}
	v := &View{
		Record: rec, Result: verdict.Draw(rec, rules), Sources: from,
		index: verdict.NewIndex(rules), exchanges: verdict.NewExchangeIndex(rec), known: verdict.NewKnown(rec), causes: map[findingKey]int{},
	}
	for i := range v.Result.Causes {
		for _, shown := range v.Result.Causes[i].Showing {
			for _, f := range shown.Findings {
				v.causes[keyOf(shown.Scenario, f)] = i
			}
		}
	}
	return v
}

// Rule returns the rule with an id. If the catalogue lacks it, the rule has only the id.
func (v *View) Rule(id string) spec.Rule {
	r, _ := v.index.Rule(id)
	return r
}

// Verdict returns the verdict of a rule, which is empty if the catalogue lacks the rule.
func (v *View) Verdict(rule string) verdict.RuleVerdict {
	i := slices.IndexFunc(v.Result.Rules, func(r verdict.RuleVerdict) bool { return r.Rule == rule })
	if i < 0 {
		return verdict.RuleVerdict{Rule: rule}
	}
	return v.Result.Rules[i]
}

// Exchange returns the exchange with a number, or nil if it is not in the record.
func (v *View) Exchange(seq int) *spec.Exchange { return v.exchanges.Exchange(seq) }

// Cited returns the recorded exchanges that a finding cites, the decisive one last.
func (v *View) Cited(f spec.Finding) []*spec.Exchange { return v.exchanges.Cited(f) }

// Replay returns the exchanges that reproduce a finding; see [verdict.ExchangeIndex].
func (v *View) Replay(f spec.Finding) []*spec.Exchange { return v.exchanges.Replay(f) }

// Fails reports whether a cause fails the run rather than being a warning.
func (v *View) Fails(c verdict.Cause) bool { return c.Fails(v.Record) }

// Rerun returns the command line that tests a rule again.
func (v *View) Rerun(rule string) string { return verdict.Rerun(v.Record, rule) }

// RerunOf returns the command line that tests the rule of a finding again, by the scenario that made the finding: that may name another rule.
func (v *View) RerunOf(sc *record.Scenario, f spec.Finding) string {
	if len(sc.Rules) > 0 && !slices.Contains(sc.Rules, f.Rule) {
		return v.Rerun(sc.Rules[0])
	}
	return v.Rerun(f.Rule)
}

// Whole reports whether the run covered the whole suite, without a filter, a shard or an early end.
func (v *View) Whole() bool {
	return v.Record.Complete && !v.Record.Filtered() && v.Record.Lost == "" && v.Record.Failure == ""
}

// Sorted holds the findings of a scenario by meaning.
type Sorted struct {
	// Failing findings fail the run, with consequences last; Warning findings violate should rules or are excused as intermittent; Known findings
	// are known violations.
	Failing, Warning, Known []spec.Finding
}

// Sort sorts the findings of a scenario. It drops those that do not count against the target (see [Result.Failures]).
func (v *View) Sort(sc *record.Scenario) Sorted {
	var s Sorted
	var after []spec.Finding
	for _, f := range sc.Findings {
		switch {
		case verdict.Blameless(f.Rule, v.Record, v.index) != "":
		case v.known.Covers(f):
			s.Known = append(s.Known, f)
		case v.Rule(f.Rule).Level == spec.Should && !v.Record.Options.Strict, v.excused(sc, f):
			s.Warning = append(s.Warning, f)
		case f.After != "":
			after = append(after, f)
		default:
			s.Failing = append(s.Failing, f)
		}
	}
	s.Failing = append(s.Failing, after...) // a consequence does not name the failure
	slices.SortStableFunc(s.Failing, func(x, y spec.Finding) int { return btoi(v.isExample(sc, y)) - btoi(v.isExample(sc, x)) })
	return s
}

// isExample reports whether a finding of a scenario is the example of its cause.
func (v *View) isExample(sc *record.Scenario, f spec.Finding) bool {
	c := v.CauseOf(sc, f)
	return c != nil && c.Scenario == sc.ID && c.Lead.Rule == f.Rule && slices.Equal(c.Lead.Exchanges, f.Exchanges)
}

// excused reports whether a finding belongs to a cause that is excused as intermittent or is undecided.
func (v *View) excused(sc *record.Scenario, f spec.Finding) bool {
	c := v.CauseOf(sc, f)
	return c != nil && (c.Excused || c.Undecided)
}

// mark returns the common mark of the causes of some findings: INTERMITTENT, or UNDECIDED if all of them are.
func (v *View) mark(sc *record.Scenario, findings []spec.Finding) string {
	mark := ""
	for _, f := range findings {
		c := v.CauseOf(sc, f)
		switch {
		case c == nil || c.Mark() == "":
			return ""
		case mark == "":
			mark = c.Mark()
		case mark != c.Mark():
			mark = record.IntermittentMark
		}
	}
	return mark
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
