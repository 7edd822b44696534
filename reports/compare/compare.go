package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Mode is how runs are compared.
type Mode string

// The modes.
const (
	// Auto chooses the mode by the records.
	Auto Mode = ""
	// Implementations compares implementations side by side.
	Implementations Mode = "implementations"
	// Runs compares two runs of one implementation, the earlier first.
	Runs Mode = "runs"
)

// Most is the maximum number of runs in a comparison.
const Most = len(alphabet)

// Comparison holds what several runs have in common and where they differ.
type Comparison struct {
	Mode Mode
	// Because says how the mode was chosen.
	Because string
	Runs    []*Run
	// Cautions lists what cannot be compared, and whose verdicts are incomplete.
	Cautions []string
	// Rows holds all rules that can be tested, in catalogue order. Rules of other suites come last.
	Rows []Row
	// Questions holds the open rules that were answered, and the should rules that only some keep.
	Questions []Question
	// Change is what changed since the first run, or nil for implementations.
	Change *Change
}

// Row is a rule with its verdict in each run, in order. The verdict is empty if a run's suite does not have the rule.
type Row struct {
	Rule     spec.Rule
	Verdicts []verdict.Verdict
}

// New compares runs, which must have names; see Nominate.
func New(runs []*Run, catalogue *spec.Catalogue, way Mode) (*Comparison, error) {
	switch {
	case len(runs) < 2:
		return nil, errors.New("a comparison needs at least two records; name another one")
	case len(runs) > Most:
		return nil, fmt.Errorf("%d records are too many to read side by side; compare at most %d", len(runs), Most)
	case way == Runs && len(runs) > 2:
		return nil, fmt.Errorf("changes are shown between two runs, but %d were named; compare the first with the last", len(runs))
	}
	for _, r := range runs[1:] {
		if first := runs[0]; r.Suite.Contract != first.Suite.Contract {
			return nil, fmt.Errorf("%s and %s were judged by different contracts, so their rules may differ; judge both by the same contract",
				text.Visible(first.Name), text.Visible(r.Name))
		}
	}
	c := &Comparison{Mode: way, Because: "as requested", Runs: runs}
	if way == Auto {
		c.Mode, c.Because = decide(runs)
	}
	c.Rows = rows(runs, catalogue)
	c.Questions = questions(runs, c.Rows)
	c.Cautions = cautions(runs, c.Mode)
	if c.Mode == Runs {
		c.Change = newChange(c)
	}
	return c, nil
}

// decide treats two runs as runs of one implementation if they name the same one, or if they have the same address and at least one of them
// names none.
func decide(runs []*Run) (Mode, string) {
	if len(runs) != 2 {
		return Implementations, "more than two records"
	}
	a, b := runs[0].Implementation, runs[1].Implementation
	switch {
	case a.Project != "" && b.Project != "":
		if a.Organization == b.Organization && a.Project == b.Project {
			return Runs, "both are of the implementation " + text.Short(strings.TrimSpace(a.Organization+" "+a.Project))
		}
		return Implementations, "they name different implementations"
	case runs[0].BaseURL == runs[1].BaseURL:
		return Runs, "both are of " + text.Short(runs[0].BaseURL)
	}
	return Implementations, "they are of different addresses"
}

func rows(runs []*Run, catalogue *spec.Catalogue) []Row {
	var all []Row
	known := map[string]bool{}
	add := func(rule spec.Rule) {
		known[rule.ID] = true
		row := Row{Rule: rule}
		tested := false
		for _, r := range runs {
			v := r.verdict(rule.ID)
			tested = tested || v != "" && v != verdict.Untestable
			row.Verdicts = append(row.Verdicts, v)
		}
		if tested {
			all = append(all, row)
		}
	}
	if catalogue != nil {
		for _, rule := range catalogue.Rules {
			add(rule)
		}
	}
	var others []spec.Rule
	for _, r := range runs {
		for id, v := range r.Rules {
			if !known[id] {
				known[id] = true
				others = append(others, spec.Rule{ID: id, Level: v.Level})
			}
		}
	}
	slices.SortFunc(others, func(x, y spec.Rule) int { return cmp.Compare(x.ID, y.ID) })
	for _, rule := range others {
		add(rule)
	}
	return all
}

// cautions lists what a reader must know before relying on the comparison.
func cautions(runs []*Run, way Mode) []string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	first := runs[0]
	for _, r := range runs {
		switch {
		case r.Void != "":
			say("%s: %s.", r.Name, r.Void)
		case r.Verdict == verdict.Inconclusive:
			say("%s is inconclusive: %s. What is missing there was not tested.", r.Name, r.Because)
		case r.Verdict == verdict.Partial:
			say("%s is partial: %s.", r.Name, r.Because)
		}
		if r.Suite.Catalogue != first.Suite.Catalogue {
			say("%s was judged by other rules than %s (hallmark %s and %s): common rules are compared by their ids, and scenarios are not compared.",
				r.Name, first.Name, text.Short(r.Suite.Version), text.Short(first.Suite.Version))
		} else if r.Suite.Features != first.Suite.Features {
			say("%s was judged by other scenarios than %s; verdicts are compared, and scenarios are not.", r.Name, first.Name)
		}
		if r.Strict != first.Strict {
			say("%s and %s differ in --strict, so a broken should rule counts in only one of them.", r.Name, first.Name)
		}
	}
	if way == Runs && runs[1].Started.Before(first.Started) {
		say("%s, named first, was started after %s. So what broke and what was fixed are reversed in time.", first.Name, runs[1].Name)
	}
	return all
}

// Sort classifies a rule by the verdicts of all runs.
type Sort int

// The sorts, the most interesting first.
const (
	// Differing: kept by some and broken by others.
	Differing Sort = iota
	// Broken by all that judged it.
	Broken
	// Missed: not judged in all runs, and the others agree.
	Missed
	// Kept by all, or observed in all.
	Kept
	// Unjudged in all.
	Unjudged
)

// Sort returns the sort of the rule. An open rule cannot differ here: see Question.
func (r Row) Sort() Sort {
	kept, broken, missed := 0, 0, 0
	for _, v := range r.Verdicts {
		switch standing(v) {
		case good:
			kept++
		case bad, known:
			broken++
		default:
			missed++
		}
	}
	switch {
	case kept > 0 && broken > 0:
		return Differing
	case kept+broken == 0:
		return Unjudged
	case broken > 0 && missed == 0:
		return Broken
	case broken > 0:
		return Differing // not judging a rule is a difference if others break it
	case missed > 0:
		return Missed
	}
	return Kept
}

// stand is the meaning of a verdict on a rule.
type stand int

const (
	none stand = iota
	good
	bad
	known
)

func standing(v verdict.Verdict) stand {
	switch v {
	case verdict.Conforms, verdict.Observed:
		return good
	case verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent:
		return bad
	case verdict.Deviates:
		return known
	default:
		return none
	}
}

// Count returns the number of rows of a sort.
func (c *Comparison) Count(s Sort) int {
	n := 0
	for _, r := range c.Rows {
		if r.Sort() == s {
			n++
		}
	}
	return n
}

// Area counts, for the rules whose ids begin with the same word, how many each run keeps, breaks and does not judge.
type Area struct {
	Name string
	// Rules is the number of must and should rules.
	Rules                int
	Kept, Broken, Missed []int
}

// Areas sums up the must and should rules by area.
func (c *Comparison) Areas() []Area {
	var all []Area
	at := map[string]int{}
	for _, row := range c.Rows {
		if row.Rule.Level == spec.Open {
			continue
		}
		name := row.Rule.Area()
		i, seen := at[name]
		if !seen {
			i = len(all)
			at[name] = i
			n := len(c.Runs)
			all = append(all, Area{Name: name, Kept: make([]int, n), Broken: make([]int, n), Missed: make([]int, n)})
		}
		a := &all[i]
		a.Rules++
		for k, v := range row.Verdicts {
			switch standing(v) {
			case good:
				a.Kept[k]++
			case bad, known:
				a.Broken[k]++
			default:
				a.Missed[k]++
			}
		}
	}
	return all
}
