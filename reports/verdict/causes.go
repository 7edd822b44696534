package verdict

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/wfc"
	"github.com/hallmark-kit/hallmark/spec"
)

// Cause is one defect of the target with everything that it breaks, as far as the findings show it.
type Cause struct {
	// ID is that of Lead; see [spec.Finding.ID].
	ID string `json:"id"`
	// WFC is the fault category of Lead by Web Fuzzing Commons, or 0.
	WFC wfc.Category `json:"wfc,omitempty"`
	// Rule is the leading rule: the one whose violation explains the others.
	Rule    string     `json:"rule"`
	Level   spec.Level `json:"level"`
	Section string     `json:"section,omitempty"`
	Says    string     `json:"says,omitempty"`
	// Lead is the example: of all findings, the one with the simplest exchange. Where several parts of a wider rule
	// are broken in the same way, Rule is the wider rule and Lead.Rule the part.
	Lead spec.Finding `json:"lead"`
	// Message is the example on one line, as the file of known violations quotes it.
	Message string `json:"message"`
	// Scenario is the scenario that produced the example.
	Scenario string `json:"scenario,omitempty"`
	// Also lists the other rules that the same defect breaks, those with most findings first.
	Also []Broken `json:"also,omitempty"`
	// Scenarios holds the ids of all scenarios that show the defect, ordered by file and line. Exchanges holds the numbers of all exchanges
	// that show it, in order.
	Scenarios []string `json:"scenarios"`
	Exchanges []int    `json:"exchanges"`
	// Answers counts the responses that show the defect by operation and status.
	Answers []AnswerKind `json:"answers,omitempty"`
	// Findings is the number of findings that belong to the cause.
	Findings int `json:"findings"`
	// Confirmation is the result of repeating the cause's scenarios, or nil if no repetition was requested.
	Confirmation *record.Confirmation `json:"confirmation,omitempty"`
	// Excused reports whether the cause would make the run fail, but no repetition showed it again and the run only warns about such causes
	// (--intermittent warn).
	Excused bool `json:"excused,omitempty"`
	// Opinion is the second judge's opinion of the cause. It is nil if the cause rests on no schema or was not submitted to the second
	// judge.
	Opinion *spec.Opinion `json:"secondJudge,omitempty"`
	// Undecided reports whether the second judge disagrees with all of the cause for no known reason. Such a cause does not make the run
	// fail.
	Undecided bool `json:"undecided,omitempty"`
	// Environment reports whether the cause rests only on responses 502, 503 or 504, and the same requests got other responses when
	// repeated, so that a gateway must have sent them. Such a cause is excused.
	Environment bool `json:"-"`
	// Traffic reports whether it is a cause of traffic, whose record has operations in place of scenarios.
	Traffic bool `json:"-"`
	// Showing holds what each scenario found, starting with the example's scenario.
	Showing []ScenarioFindings `json:"-"`
	// Curl holds shell commands that repeat the example's exchanges. Rerun is the command that runs the rule again.
	Curl  string `json:"curl,omitempty"`
	Rerun string `json:"rerun,omitempty"`
	// Asks is the additional rule named by Rerun if the example's scenario does not name Rule itself.
	Asks string `json:"asks,omitempty"`
}

// Broken is a rule broken by a cause that another rule leads.
type Broken struct {
	Rule  string     `json:"rule"`
	Level spec.Level `json:"level"`
	// Findings is the number of findings about the rule, Exchanges the number of exchanges that show them.
	Findings  int `json:"findings"`
	Exchanges int `json:"exchanges"`
}

// item is a finding with the data needed to group it.
type item struct {
	spec.Finding
	rule     spec.Rule
	scenario int // index into Record.Scenarios
	// at is the number of the decisive exchange, or 0.
	at int

	// operation is the operation of the decisive exchange, answered the status of its response, and allowed the number of statuses that
	// would have been correct, or 0 if unknown.
	operation string
	answered  int
	allowed   int
	// absent reports whether a 404 response would have been allowed. partly reports whether the rule held for other requests of the run
	// that allow 404.
	absent, partly bool
	// request is equal for items whose decisive exchanges made the same request and got the same status.
	request string
	// foreign reports whether the operation may never return that status, whatever the request.
	foreign bool
	// twice reports whether the last two exchanges called the same operation, so that their responses are compared.
	twice bool
	// later reports whether the finding was attached to the finding that it names as its cause.
	later bool
	// spans reports whether the exchanges call more than one operation: a value from one operation's response is looked for in another's.
	spans bool
}

// defect is a Cause under construction.
type defect struct {
	lead  string
	items []*item
}

// causes groups the findings of a run by the defect behind them, in steps. Findings with equal causes become one defect. Parts of a wider
// rule that are broken in the same way become one, led by the wider rule. A finding joins another finding in the same response that
// explains it. A finding that names its cause joins that cause. Then a finding joins another one about the same resources or requests
// that explains it. Finally, defects that share a component, a header, a status or a form become one; see joinWidespread.
func causes(rec *record.Record, b *Index) []Cause {
	g := NewExchangeIndex(rec)
	first, later := apart(placeItems(rec, b, g))
	defects := joinGroups(equalCauses(first, b), b)
	defects = joinExplained(defects, b)
	attachConsequences(defects, later)
	defects = joinRelated(defects, rec, b, g)
	defects = joinThroughout(defects, rec, b)
	defects = joinWidespread(defects, b, g)
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
			// A target that crashes on a request is lost for all other requests.
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

// deathRank ranks causes that crash the target before all others.
func deathRank(c Cause) int {
	if c.Lead.Kind == spec.KindDied {
		return 0
	}
	return 1
}

// LevelRank ranks levels that make a run fail before all others.
func LevelRank(l spec.Level) int {
	if l.Fails() {
		return 0
	}
	return 1
}

// placeItems returns the findings that may be reported against the target. All others are failures of the harness.
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

// heldAbsent returns the rules that held for a request answered with 404.
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

// requestOf returns a key that is equal for exchanges with the same request, credential and response status.
func requestOf(ex *spec.Exchange) string {
	return fmt.Sprintf("%d %s %s %q\n%s", ex.Response.Status, ex.Request.Method, ex.Request.URL, ex.Request.Header["Authorization"], ex.Request.Body)
}

// documented returns the statuses that were correct for some request of the run, by operation.
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

// apart separates findings that are consequences of another finding and so cannot lead. A must rule is never put under a should rule: a
// defect that fails the run would hide behind a warning.
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
	// A consequence may have consequences of its own, so repeat until nothing moves.
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

// equalCauses merges findings that have an equal Cause, or evidently the same cause, into one defect; see keysOf.
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

// keysOf returns keys that findings of the same defect share, including their Cause.
func keysOf(it *item) []string {
	keys := []string{"cause " + it.Cause}
	switch {
	case it.Status != 0 && it.rule.Always:
		keys = append(keys, fmt.Sprint("status ", it.Finding.Rule, " ", it.operation, it.Status))
	case it.Status != 0:
		// Responses of one class break a specific rule in the same way, whatever operation and status show it: a credential that nobody
		// checks lets requests in with 200 here and 201 there.
		keys = append(keys, fmt.Sprint("class ", it.Finding.Rule, " ", it.Status/100))
	case isBehaviour(it):
		// So do two ways to ask one operation about one field, or about its response as a whole.
		operation, field := it.operation, fieldOf(it)
		switch {
		case it.Kind == spec.KindDiffers && field != "":
			operation = "" // a creation shows what it stores, and so does a read
			keys = append(keys, fmt.Sprint("compared ", it.rule.Area(), " ", it.operation, " ", field))
		case it.Kind == spec.KindAnother:
			keys = append(keys, fmt.Sprint("class ", it.Finding.Rule, " ", it.answered/100))
		}
		if isOfResources(it) {
			field = ""
		}
		keys = append(keys, fmt.Sprint("kind ", it.Finding.Rule, " ", operation, " ", it.Kind, field))
	}
	form := formOf(it)
	if it.Status != 0 || form == "" {
		return keys
	}
	if it.Kind == spec.KindDiffers && fieldOf(it) != "" {
		// One operation shows one wrong value of a field, whatever it is compared with.
		keys = append(keys, "shown "+it.operation+"\x00"+fieldOf(it)+"\x00"+it.Actual.String())
	}
	// The same form under the same rule: a media type that is wrong everywhere has a separate cause for each operation and status.
	keys = append(keys, "form "+it.Finding.Rule+"\x00"+fieldOf(it)+"\x00"+form)
	if isEnvelope(it) {
		// A missing body is the same defect under any status.
		keys = append(keys, "envelope "+form)
	}
	if n := len(it.Exchanges); n > 1 && fieldOf(it) != "" && !it.rule.Always {
		// Two rules of an area compare the same field of one response with later responses of one operation.
		keys = append(keys, fmt.Sprint("field ", it.rule.Area(), fieldOf(it), it.operation, it.Exchanges[0]))
	}
	return keys
}

// isBehaviour reports whether a finding is about what a response shows or keeps, and not about its form.
func isBehaviour(it *item) bool {
	about := isOfResources(it) || it.Kind == spec.KindDiffers || it.Kind == spec.KindTooLarge || it.Kind == spec.KindTooSmall
	return about && !isSchema(it) && !isOther(it)
}

// isOfResources reports whether a finding is about whole resources, and not about one of their fields.
func isOfResources(it *item) bool {
	return slices.Contains([]spec.FindingKind{spec.KindAnother, spec.KindDuplicate, spec.KindLost, spec.KindUnexpected}, it.Kind)
}

// leading returns the rule that best explains a group of findings.
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

// attachConsequences attaches each finding that names the rule behind it to the defect with that rule: one in the same exchange if there is
// one, else one in the same scenario, else the first.
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
		// apart ensures that there is such a defect and that it was filled before this finding.
		if best >= 0 {
			it.later = true
			defects[best].items = append(defects[best].items, it)
			holds[best][it.Finding.Rule] = true
		}
	}
}

// Extent describes how far a defect reaches: how often and where it showed first, in which responses, which other rules it breaks, and
// whether it was confirmed.
func (c Cause) Extent() []string {
	unit := "scenario"
	if c.Traffic {
		unit = "operation"
	}
	where := text.Count(len(c.Scenarios), unit) + ", " + text.Count(len(c.Exchanges), "exchange")
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

// alsoNamed is the maximum number of other rules that Extent names.
const alsoNamed = 12

// Fails reports whether a cause makes the run fail; if not, it is a warning.
func (c Cause) Fails(rec *record.Record) bool {
	return !c.Excused && !c.Undecided && (c.Level != spec.Should || rec.Options.Strict)
}
