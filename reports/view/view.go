package view

import (
	"slices"

	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// Sources are the texts that a record speaks of. The contract and the features are nil where they are not at hand: of a
// record that another contract or other features made.
type Sources struct {
	Catalogue *spec.Catalogue
	Contract  *spec.Contract
	// ContractFile is where the contract stands: as its reader names it or, of a built-in one, in the repository of hallmark.
	ContractFile string
	// Features are the texts of the feature files, by the paths that the ids of scenarios begin with.
	Features map[string]string
}

// Of leaves out the sources that are not those of the suite; features is the digest of the features at hand.
func (s Sources) Of(suite record.Suite, features string) Sources {
	if s.Contract != nil && s.Contract.Digest() != suite.Contract {
		s.Contract = nil
	}
	if features != suite.Features {
		s.Features = nil
	}
	return s
}

// View is what every format shows: a record, what follows from it, and the texts that the two speak of. A format only
// reads it.
type View struct {
	Record *record.Record
	Result verdict.Result
	Sources

	index     *verdict.Index
	exchanges *verdict.ExchangeIndex
	known     verdict.Known
	causes    map[findingKey]int
}

// findingKey tells the findings of a record apart.
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

// CauseOf returns the cause that a finding of a scenario belongs to; nil for one that belongs to none, as a known deviation.
func (v *View) CauseOf(sc *record.Scenario, f spec.Finding) *verdict.Cause {
	if i, known := v.causes[keyOf(sc.ID, f)]; known {
		return &v.Result.Causes[i]
	}
	return nil
}

// New judges a record and makes it ready to be shown. The record must not change afterwards.
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

// Rule returns the rule with that id; of one that the catalogue lacks, a rule with nothing but its id.
func (v *View) Rule(id string) spec.Rule {
	r, _ := v.index.Rule(id)
	return r
}

// Verdict returns the verdict of the rule with that id; an empty one for a rule that the catalogue lacks.
func (v *View) Verdict(rule string) verdict.RuleVerdict {
	i := slices.IndexFunc(v.Result.Rules, func(r verdict.RuleVerdict) bool { return r.Rule == rule })
	if i < 0 {
		return verdict.RuleVerdict{Rule: rule}
	}
	return v.Result.Rules[i]
}

// Exchange returns the exchange of that number, nil when the record holds none.
func (v *View) Exchange(seq int) *spec.Exchange { return v.exchanges.Exchange(seq) }

// Cited are the exchanges that a finding cites and the record holds, the decisive one last.
func (v *View) Cited(f spec.Finding) []*spec.Exchange { return v.exchanges.Cited(f) }

// Replay are the exchanges that show a finding again; see [verdict.ExchangeIndex].
func (v *View) Replay(f spec.Finding) []*spec.Exchange { return v.exchanges.Replay(f) }

// Fails reports whether a cause makes the run fail; otherwise it is a warning.
func (v *View) Fails(c verdict.Cause) bool { return c.Fails(v.Record) }

// Rerun is the command line that asks about a rule again.
func (v *View) Rerun(rule string) string { return verdict.Rerun(v.Record, rule) }

// Whole reports whether everything that the suite holds was asked: no filter, no shard, no early end.
func (v *View) Whole() bool {
	return v.Record.Complete && !v.Record.Filtered() && v.Record.Lost == "" && v.Record.Failure == ""
}

// Sorted are the findings of a scenario by what they mean.
type Sorted struct {
	// Failing make the run fail, what is a consequence of something else last; Warning break should rules, or are excused as
	// intermittent; Known are covered by known violations.
	Failing, Warning, Known []spec.Finding
}

// Sort sorts the findings of a scenario. Those that may not be held against the target (see [Result.Failures]) are left
// out.
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
	s.Failing = append(s.Failing, after...) // what is a consequence does not give the failure its name
	slices.SortStableFunc(s.Failing, func(x, y spec.Finding) int { return btoi(v.isExample(sc, y)) - btoi(v.isExample(sc, x)) })
	return s
}

// isExample reports whether a finding of a scenario is the example by which its cause is told.
func (v *View) isExample(sc *record.Scenario, f spec.Finding) bool {
	c := v.CauseOf(sc, f)
	return c != nil && c.Scenario == sc.ID && c.Lead.Rule == f.Rule && slices.Equal(c.Lead.Exchanges, f.Exchanges)
}

// excused reports whether a finding belongs to a cause that is excused as intermittent, or is undecided.
func (v *View) excused(sc *record.Scenario, f spec.Finding) bool {
	c := v.CauseOf(sc, f)
	return c != nil && (c.Excused || c.Undecided)
}

// Mark is that of the causes which some findings of a scenario belong to, where all have one: INTERMITTENT, or UNDECIDED where all are that.
func (v *View) Mark(sc *record.Scenario, findings []spec.Finding) string {
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
