package verdict

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/spec"
)

// Cause is one defect of the target, as far as the findings show it: everything that it breaks, reported once.
type Cause struct {
	// Rule is the leading rule: the one whose breach explains the others.
	Rule    string     `json:"rule"`
	Level   spec.Level `json:"level"`
	Section string     `json:"section,omitempty"`
	Says    string     `json:"says,omitempty"`
	// Lead is the example: of all findings, the one with the simplest exchange. Where several parts of a wider rule
	// are broken in the same way, Rule is the wider rule and Lead.Rule the part.
	Lead spec.Finding `json:"lead"`
	// Message is the example in one line, as it is quoted in the file of known violations.
	Message string `json:"message"`
	// Scenario is the scenario that produced the example.
	Scenario string `json:"scenario,omitempty"`
	// Also are the other rules that the same defect breaks, those with most findings first.
	Also []Broken `json:"also,omitempty"`
	// Scenarios are the ids of all scenarios that show the defect, ordered by file and line; Exchanges are the
	// numbers of all exchanges that show it, in order.
	Scenarios []string `json:"scenarios"`
	Exchanges []int    `json:"exchanges"`
	// Answers are the kinds of the responses that show it.
	Answers []AnswerKind `json:"answers,omitempty"`
	// Findings counts all findings that belong to this cause.
	Findings int `json:"findings"`
	// Confirmation is the result of repeating it; nil if no repetition was asked for.
	Confirmation *record.Confirmation `json:"confirmation,omitempty"`
	// Excused reports whether it would make the run fail, but no repetition showed it again, and the run was asked
	// only to warn about that (--intermittent warn).
	Excused bool `json:"excused,omitempty"`
	// Opinion is what the second judge says about it; nil where the cause rests on no schema, or was not submitted to
	// the second judge.
	Opinion *spec.Opinion `json:"secondJudge,omitempty"`
	// Undecided reports whether the second judge disagrees with all of it, for no known reason: then it does not make
	// the run fail.
	Undecided bool `json:"undecided,omitempty"`
	// Environment reports whether it rests only on responses 502, 503 or 504, and the same requests got other
	// responses when they were repeated: those responses came from a gateway. Such a cause is excused.
	Environment bool `json:"-"`
	// Showing is what each scenario found of it, starting with the example's scenario.
	Showing []ScenarioFindings `json:"-"`
	// Curl holds the shell lines that repeat the example's exchanges, Rerun the command that runs the rule again.
	Curl  string `json:"curl,omitempty"`
	Rerun string `json:"rerun,omitempty"`
	// Asks is the rule that Rerun names besides Rule, where the scenario of the example does not name Rule itself.
	Asks string `json:"asks,omitempty"`
}

// Broken is a rule that is broken by a cause whose leading rule is another one.
type Broken struct {
	Rule  string     `json:"rule"`
	Level spec.Level `json:"level"`
	// Findings counts the findings on the rule, Exchanges the exchanges that show them.
	Findings  int `json:"findings"`
	Exchanges int `json:"exchanges"`
}

// item is one finding with what is needed to group it.
type item struct {
	spec.Finding
	rule     spec.Rule
	scenario int // index into Record.Scenarios
	// at is the number of the decisive exchange, 0 for none.
	at int

	// operation is the operation of the decisive exchange, answered the HTTP status of its response, and allowed the
	// number of statuses that would have been right there; allowed is 0 where that is not known.
	operation string
	answered  int
	allowed   int
	// absent reports whether a response that there is no such thing would have been allowed; partly reports whether
	// the rule held for other requests of the run that may be answered that way.
	absent, partly bool
	// request is equal for items whose decisive exchanges made the same request and got the same status.
	request string
	// foreign reports whether the operation is never allowed to answer with that status, whatever the request.
	foreign bool
	// twice reports whether the last two exchanges called the same operation: the two responses are compared with
	// each other.
	twice bool
	// later reports whether the finding was attached to another one that it names itself.
	later bool
	// spans reports whether the exchanges are of more than one operation: a value from one response is looked for in
	// the response of another operation.
	spans bool
}

// defect is a cause in the making.
type defect struct {
	lead  string
	items []*item
}

// causes groups all findings of a run by the defect behind them. It goes in steps: findings with equal causes
// become one; parts of a wider rule that are broken in the same way become one, led by the wider rule; a finding
// that is explained by another one in the same response joins that one; consequences that name what brought them
// about join that; and so does a finding that is explained by another one about the same resources or requests.
func causes(rec *record.Record, b *Index) []Cause {
	g := NewExchangeIndex(rec)
	first, later := apart(placeItems(rec, b, g))
	defects := joinGroups(equalCauses(first, b), b)
	defects = joinExplained(defects, b)
	attachConsequences(defects, later)
	defects = joinRelated(defects, rec, b, g)
	defects = joinThroughout(defects, rec, b)
	for _, d := range defects {
		d.leadByUnstable(b)
	}

	all := make([]Cause, 0, len(defects))
	for _, d := range defects {
		c := g.cause(d, rec, b)
		c.consult(rec, b)
		var gone bool
		c.Confirmation, gone = confirm(rec, &c)
		c.Excused = gone && rec.Options.Intermittent == record.IntermittentWarn && (c.Level != spec.Should || rec.Options.Strict)
		all = append(all, c)
	}
	excuseEnvironment(rec, all, defects, g)
	slices.SortStableFunc(all, func(x, y Cause) int {
		return cmp.Or(
			cmp.Compare(LevelRank(x.Level), LevelRank(y.Level)),
			// A target that crashes on a request is gone for all other requests.
			cmp.Compare(deathRank(x), deathRank(y)),
			// The defect that shows most often explains most.
			cmp.Compare(len(y.Scenarios), len(x.Scenarios)),
			cmp.Compare(len(y.Exchanges), len(x.Exchanges)),
			cmp.Compare(b.Order(x.Rule), b.Order(y.Rule)),
			cmp.Compare(x.Lead.Cause, y.Lead.Cause),
		)
	})
	return all
}

// deathRank orders causes: those that crash the target come first.
func deathRank(c Cause) int {
	if c.Lead.Kind == spec.KindDied {
		return 0
	}
	return 1
}

// LevelRank orders levels: those that make a run fail come first.
func LevelRank(l spec.Level) int {
	if l.Fails() {
		return 0
	}
	return 1
}

// placeItems lists the findings that may be reported against the target. The others are failures of the harness.
func placeItems(rec *record.Record, b *Index, g *ExchangeIndex) []*item {
	known, deviations, held := documented(rec), NewKnown(rec), heldAbsent(rec)
	var items []*item
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			if Blameless(f.Rule, rec, b) != "" || deviations.Covers(f) {
				continue
			}
			r, _ := b.Rule(f.Rule)
			it := &item{Finding: f, rule: r, scenario: i}
			if n := len(f.Exchanges); n > 0 {
				it.at = f.Exchanges[n-1]
			}
			if ex := g.by[it.at]; ex != nil && ex.Response != nil {
				it.operation, it.answered, it.allowed = ex.Operation, ex.Response.Status, len(ex.Expect.Statuses)
				statuses := known[ex.Operation]
				it.foreign = len(statuses) > 0 && !statuses[it.answered]
				it.absent = slices.Contains(ex.Expect.Statuses, http.StatusNotFound)
				it.partly = held[f.Rule]
				it.request = requestOf(ex)
			}
			if n := len(f.Exchanges); n > 1 {
				ex := g.by[f.Exchanges[n-2]]
				it.twice = ex != nil && ex.Operation == it.operation
			}
			for _, seq := range f.Exchanges {
				if ex := g.by[seq]; ex != nil && ex.Operation != it.operation {
					it.spans = true
				}
			}
			if it.Cause == "" {
				it.Cause = f.Rule + "\x00" + f.Actual.String() + "\x00" + f.Pointer
			}
			items = append(items, it)
		}
	}
	return items
}

// heldAbsent returns the rules that held for a request which was answered that there is no such thing.
func heldAbsent(rec *record.Record) map[string]bool {
	held := map[string]bool{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if ex.Response != nil && ex.Response.Status == http.StatusNotFound && slices.Contains(ex.Expect.Statuses, http.StatusNotFound) {
			held[ex.Expect.Rule] = true
		}
	}
	return held
}

// requestOf returns a text that is equal for exchanges that made the same request, with the same credential, and
// got the same status.
func requestOf(ex *spec.Exchange) string {
	return fmt.Sprintf("%d %s %s %q\n%s", ex.Response.Status, ex.Request.Method, ex.Request.URL, ex.Request.Header["Authorization"], ex.Request.Body)
}

// documented returns, for each operation, the statuses that were right for some request of the run.
func documented(rec *record.Record) map[string]map[int]bool {
	known := map[string]map[int]bool{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		for _, status := range ex.Expect.Statuses {
			if known[ex.Operation] == nil {
				known[ex.Operation] = map[int]bool{}
			}
			known[ex.Operation][status] = true
		}
	}
	return known
}

// apart separates findings that are the consequence of another finding of the run, so that they cannot lead. A
// must rule is never put under a should rule: a defect that fails the run would hide behind a warning.
func apart(items []*item) (first, later []*item) {
	level := map[string]spec.Level{}
	var open []*item
	for _, it := range items {
		if it.After == "" || it.After == it.Finding.Rule {
			first = append(first, it)
			level[it.Finding.Rule] = it.rule.Level
		} else {
			open = append(open, it)
		}
	}
	// A consequence may have consequences of its own, so this goes in rounds.
	for moved := true; moved; {
		moved = false
		var rest []*item
		for _, it := range open {
			if l, there := level[it.After]; there && LevelRank(l) <= LevelRank(it.rule.Level) {
				later, moved = append(later, it), true
				if _, known := level[it.Finding.Rule]; !known {
					level[it.Finding.Rule] = it.rule.Level
				}
			} else {
				rest = append(rest, it)
			}
		}
		open = rest
	}
	return append(first, open...), later
}

// equalCauses makes one defect of all findings with equal Cause, and of those that evidently have the same cause;
// see keysOf.
func equalCauses(items []*item, b *Index) []*defect {
	home := newUnionFind(len(items))
	first := map[string]int{}
	for i, it := range items {
		for _, key := range keysOf(it) {
			if j, seen := first[key]; seen {
				home.join(j, i)
			} else {
				first[key] = i
			}
		}
	}
	var all []*defect
	at := map[int]*defect{}
	for i, it := range items {
		root := home.find(i)
		if at[root] == nil {
			at[root] = &defect{}
			all = append(all, at[root])
		}
		at[root].items = append(at[root].items, it)
	}
	for _, d := range all {
		d.lead = leading(d.items, b)
	}
	return all
}

// keysOf returns what findings of one defect have in common, besides their Cause.
func keysOf(it *item) []string {
	keys := []string{"cause " + it.Cause}
	form := formOf(it)
	if it.Status != 0 || form == "" {
		return keys
	}
	// The same form under the same rule: a media type that is wrong everywhere has a cause for each operation and
	// status.
	keys = append(keys, "form "+it.Finding.Rule+"\x00"+fieldOf(it)+"\x00"+form)
	if isEnvelope(it) {
		// A missing body is the same defect under any status.
		keys = append(keys, "envelope "+form)
	}
	if n := len(it.Exchanges); n > 1 && fieldOf(it) != "" && !it.rule.Always {
		// Two rules of an area that compare the same field of a response with later responses of one operation.
		keys = append(keys, fmt.Sprint("field ", it.rule.Area(), fieldOf(it), it.operation, it.Exchanges[0]))
	}
	return keys
}

// leading picks the rule that explains a group of findings best.
func leading(items []*item, b *Index) string {
	counts := map[string]int{}
	var ids []string
	for _, it := range items {
		if counts[it.Finding.Rule]++; counts[it.Finding.Rule] == 1 {
			ids = append(ids, it.Finding.Rule)
		}
	}
	best := ids[0]
	for _, id := range ids[1:] {
		if leads(b, id, counts[id], best, counts[best]) {
			best = id
		}
	}
	return best
}

// attachConsequences puts each finding that names what brought it about under the defect that holds that rule: one
// in the same exchange if there is one, else one in the same scenario, else the first.
func attachConsequences(defects []*defect, later []*item) {
	holds := make([]map[string]bool, len(defects))
	exchanges := make([]map[int]bool, len(defects))
	scenarios := make([]map[int]bool, len(defects))
	for i, d := range defects {
		holds[i], exchanges[i], scenarios[i] = map[string]bool{d.lead: true}, map[int]bool{}, map[int]bool{}
		for _, it := range d.items {
			holds[i][it.Finding.Rule] = true
			scenarios[i][it.scenario] = true
			for _, seq := range it.Exchanges {
				exchanges[i][seq] = true
			}
		}
	}
	for _, it := range later {
		best, bestScore := -1, -1
		for i := range defects {
			if !holds[i][it.After] {
				continue
			}
			score := 0
			if scenarios[i][it.scenario] {
				score = 1
			}
			for _, seq := range it.Exchanges {
				if exchanges[i][seq] {
					score = 2
				}
			}
			if score > bestScore {
				best, bestScore = i, score
			}
		}
		// apart made sure that there is such a defect, and that it was filled before this finding.
		if best >= 0 {
			it.later = true
			defects[best].items = append(defects[best].items, it)
			holds[best][it.Finding.Rule] = true
		}
	}
}

// Extent describes how far a defect reaches: how often and where it showed first, in which responses, which other
// rules it breaks, and whether it showed again.
func (c Cause) Extent() []string {
	where := text.Count(len(c.Scenarios), "scenario") + ", " + text.Count(len(c.Exchanges), "exchange")
	if len(c.Scenarios) > 1 {
		where += ", this one in " + c.Scenario
	} else {
		where += ", in " + c.Scenario
	}
	parts := []string{where}
	if c.Asks != "" {
		parts = append(parts, "the command also asks about "+c.Asks+", whose scenarios show this")
	}
	if kinds := kindsText(c.Answers); kinds != "" {
		parts = append(parts, "in responses of "+kinds)
	}
	var also []string
	for i, broken := range c.Also {
		if i == alsoNamed {
			also = append(also, text.Count(len(c.Also)-i, "more rule"))
			break
		}
		also = append(also, broken.Rule+" ("+text.Number(broken.Findings)+")")
	}
	if len(also) > 0 {
		parts = append(parts, "also broken by it: "+strings.Join(also, ", "))
	}
	if repeated := c.Confirmation.Sentence(); repeated != "" {
		parts = append(parts, repeated)
	}
	if second := record.OpinionText(c.Opinion); second != "" {
		parts = append(parts, second)
	}
	return parts
}

// alsoNamed limits how many other rules the extent of a cause names.
const alsoNamed = 12

// Fails reports whether a cause makes the run fail; otherwise it is a warning.
func (c Cause) Fails(rec *record.Record) bool {
	return !c.Excused && !c.Undecided && (c.Level != spec.Should || rec.Options.Strict)
}
