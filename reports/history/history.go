package history

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// History is the runs by contract, and what became of their rules.
type History struct {
	// Groups holds the runs of one contract each, the contract of the latest run first.
	Groups []Group
	// Notes says what was left out.
	Notes []string
}

// Group is the runs of one contract, which may have changed in between.
type Group struct {
	// Runs are in the order of time. There is at least one.
	Runs []*Run
	// Rows holds the rules that any of the runs found broken: first what is broken now, then what is flaky, then what was fixed.
	Rows []Row
	// Kept is the number of rules that were judged and never found broken.
	Kept int
	// Changes is how often the contract changed from one run to the next.
	Changes int

	judged map[string]bool // the rules that any of the runs judged
}

// Trend is what became of a rule.
type Trend string

// The trends, the most urgent first.
const (
	// IsBroken: it is broken in the last run that judged it, and was from a certain run on.
	IsBroken Trend = "broken"
	// IsFlaky: it broke more than once, or was broken and not when it was repeated.
	IsFlaky Trend = "flaky"
	// IsFixed: it was broken, and is kept since.
	IsFixed Trend = "fixed"
)

// Row is a rule that was found broken.
type Row struct {
	Rule
	Trend Trend
	// States has a state for each run.
	States []State
	// Judged is the number of runs that judged it, and Times that of those that found it broken.
	Judged, Times int
	// Since is the index of the first run that found it broken, of the last time that it broke; Fixed that of the first run that kept it
	// afterwards, or -1.
	Since, Fixed int
	// Accepted reports whether it is broken by known violations only, in the last run that judged it.
	Accepted bool
}

// Current reports whether the last run that judged the rule found it broken.
func (r Row) Current() bool { return r.Fixed < 0 }

// New puts runs in order and follows their rules. Runs without a time, and further records of a run, are left out.
func New(runs []*Run) (*History, error) {
	h := &History{}
	all := make([]*Run, 0, len(runs))
	seen := map[string]bool{}
	twice, timeless := 0, 0
	for _, r := range runs {
		key := r.ID + "\x00" + r.Started.UTC().Format(time.RFC3339Nano)
		switch {
		case r.Started.IsZero():
			timeless++
		case r.ID != "" && seen[key]:
			twice++
		default:
			seen[key] = true
			all = append(all, r)
		}
	}
	if timeless > 0 {
		h.Notes = append(h.Notes, text.Count(timeless, "record")+" "+text.Were(timeless)+" left out: without the time of the run, nothing says where it belongs")
	}
	if twice > 0 {
		h.Notes = append(h.Notes, text.Count(twice, "record")+" "+text.Were(twice)+" left out: other files hold the same runs")
	}
	if len(all) == 0 {
		return nil, errors.New("there is no record of a run with its time; hallmark run --report json:FILE writes them")
	}
	slices.SortStableFunc(all, func(a, b *Run) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.File, b.File)) })
	for _, r := range all {
		i := slices.IndexFunc(h.Groups, func(g Group) bool { return g.continues(r) })
		if i < 0 {
			i = len(h.Groups)
			h.Groups = append(h.Groups, Group{judged: map[string]bool{}})
		}
		h.Groups[i].addRun(r)
	}
	slices.SortStableFunc(h.Groups, func(a, b Group) int { return b.Last().Started.Compare(a.Last().Started) })
	for i := range h.Groups {
		h.Groups[i].follow()
	}
	return h, nil
}

// Last returns the latest run.
func (g *Group) Last() *Run { return g.Runs[len(g.Runs)-1] }

// continues reports whether a run belongs to the group: it was judged by the same contract, or by one with mostly the same rules, as a contract
// that changes has. The ids of rules begin with those of operations, so other interfaces have few in common. A run that judged nothing belongs
// to the others of its target.
func (g *Group) continues(r *Run) bool {
	if slices.ContainsFunc(g.Runs, func(one *Run) bool { return one.Digest == r.Digest }) {
		return true
	}
	if len(r.states) == 0 {
		return g.Last().Target == r.Target
	}
	both := 0
	for id := range r.states {
		if g.judged[id] {
			both++
		}
	}
	return 2*both > min(len(r.states), len(g.judged))
}

// addRun adds a later run.
func (g *Group) addRun(r *Run) {
	if len(g.Runs) > 0 && g.Last().Digest != r.Digest {
		g.Changes++
	}
	g.Runs = append(g.Runs, r)
	for id := range r.states {
		g.judged[id] = true
	}
}

// follow finds out what became of each rule.
func (g *Group) follow() {
	rules := map[string]Rule{}
	for _, r := range g.Runs {
		maps.Copy(rules, r.broken)
	}
	g.Kept = len(g.judged) - len(rules)
	for _, rule := range rules {
		g.Rows = append(g.Rows, g.row(rule))
	}
	slices.SortFunc(g.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(trendRank(a.Trend), trendRank(b.Trend)), cmp.Compare(levelRank(a.Level), levelRank(b.Level)), cmp.Compare(b.Since, a.Since), cmp.Compare(a.ID, b.ID))
	})
}

func trendRank(t Trend) int { return slices.Index([]Trend{IsBroken, IsFlaky, IsFixed}, t) }

// levelRank ranks levels that fail a run before others.
func levelRank(l spec.Level) int {
	if l.Fails() {
		return 0
	}
	return 1
}

// row follows a rule through the runs.
func (g *Group) row(rule Rule) Row {
	row := Row{Rule: rule, States: make([]State, len(g.Runs)), Since: -1, Fixed: -1}
	breaks, unsteady := 0, false
	for i, r := range g.Runs {
		state := r.states[rule.ID]
		row.States[i] = state
		if state == Unjudged {
			continue
		}
		row.Judged++
		row.Accepted = state == Accepted
		unsteady = unsteady || state == Unsteady
		switch {
		case state.isBroken():
			row.Times++
			if row.Since < 0 || row.Fixed >= 0 {
				row.Since, row.Fixed = i, -1
				breaks++
			}
		case row.Since >= 0 && row.Fixed < 0:
			row.Fixed = i
		}
	}
	switch {
	case breaks > 1 || unsteady:
		row.Trend = IsFlaky
	case row.Current():
		row.Trend = IsBroken
	default:
		row.Trend = IsFixed
	}
	return row
}

// Count returns the number of rules of a trend.
func (g *Group) Count(t Trend) int {
	n := 0
	for _, r := range g.Rows {
		if r.Trend == t {
			n++
		}
	}
	return n
}

// Outcome is the state of the interface in a word, and in a sentence.
func (g *Group) Outcome() (word, says string) {
	broken, flaky, fixed, mild := g.Count(IsBroken), g.Count(IsFlaky), g.Count(IsFixed), 0
	for _, r := range g.Rows {
		if r.Trend == IsBroken && r.mild() {
			mild++
		}
	}
	says = text.Count(broken, "rule") + " " + text.Are(broken) + " broken"
	if mild > 0 {
		says += " (" + text.Number(mild) + " as a warning or a known violation)"
	}
	says += ", " + text.Number(flaky) + " " + text.Are(flaky) + " flaky, " + text.Number(fixed) + " " + text.Were(fixed) + " fixed, " + text.Number(g.Kept) + " " +
		text.Were(g.Kept) + " never broken, in " + text.Count(len(g.Runs), "run")
	switch {
	case broken > mild:
		return "BROKEN", says
	case flaky > 0:
		return "FLAKY", says
	case broken > 0:
		return "WARNED", says
	}
	return "KEPT", says
}

// mild reports whether the rule does not fail a run as it is broken now.
func (r Row) mild() bool { return r.Accepted || !r.Level.Fails() }

// Name describes the group: the address of the latest run, and the contract.
func (g *Group) Name() string {
	last := g.Last()
	name := cmp.Or(last.Target, "no target")
	if last.Contract != "" {
		name = last.Contract + " at " + name
	}
	return name
}

// Moment returns the time of a run in UTC, to the minute.
func (r *Run) Moment() string { return r.Started.UTC().Format("2006-01-02 15:04") }

// Story says on one line what became of a rule.
func (g *Group) Story(r Row) string {
	times := text.Number(r.Times) + " of " + text.Count(r.Judged, "run")
	switch {
	case r.Trend == IsFlaky && r.Current():
		return "broken in " + times + ", now as well, since " + g.Runs[r.Since].Moment()
	case r.Trend == IsFlaky:
		return "broken in " + times + ", kept since " + g.Runs[r.Fixed].Moment()
	case r.Trend == IsFixed:
		return "fixed " + g.Runs[r.Fixed].Moment() + ", broken since " + g.Runs[r.Since].Moment() + ", in " + times
	case r.Accepted:
		return "broken since " + g.Runs[r.Since].Moment() + ", in " + times + ", a known violation"
	}
	return "broken since " + g.Runs[r.Since].Moment() + ", in " + times
}

// median returns the median duration of the runs whose duration is known, or 0.
func (g *Group) median() time.Duration {
	var all []time.Duration
	for _, r := range g.Runs {
		if r.Took > 0 {
			all = append(all, r.Took)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
