package html

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// unit is what has a line in the table of operations and a page of its own: an operation, or an area of rules that are about several
// operations or none.
type unit struct {
	look
	// Anchor is the name of its line and of its page.
	Anchor             string
	Name, Method, Path visible
	Summary            visible
	Tags               []visible
	// Uncalled says why the run does not call the operation.
	Uncalled visible
	// Tally counts its rules by verdict.
	Tally []tick
	// rules are its own rules, as indexes into the rules of the result. Shared are broken rules of areas that an exchange of the
	// operation shows to be broken.
	rules  []int
	Shared []ruleRef
	// Exchanges is the number of its exchanges, Latency how long they took, or nil if none was answered.
	Exchanges int
	Latency   *operationLatency
	Cells     []cells
	// Causes are the causes that its exchanges show.
	Causes []causeRef
}

// causeRef links to a cause.
type causeRef struct {
	Number int
	Says   visible
	look
}

// cells are the cells of a line of the coverage matrix that have the same verdict, as the path of an SVG.
type cells struct {
	Class string
	Path  string
}

const (
	// cellWidth and cellHeight are the size of a cell of the coverage matrix, cellStep the distance between cells.
	cellWidth, cellHeight, cellStep = 7, 12, 9
	// otherRules is the kind of rules that were not derived from a contract, otherRequests the unit of exchanges that call no operation.
	otherRules, otherRequests = "other", "other requests"
)

// collectUnits collects the operations, in the order of the contract if that is available, and the areas of all other rules.
func (p *page) collectUnits() {
	p.unitOf = map[string]int{}
	anchors := map[string]bool{}
	add := func(key, prefix string, u unit) int {
		if i, known := p.unitOf[key]; known {
			return i
		}
		u.Anchor = prefix + slug(string(u.Name))
		for n := 2; anchors[u.Anchor]; n++ {
			u.Anchor = prefix + slug(string(u.Name)) + "-" + strconv.Itoa(n)
		}
		anchors[u.Anchor] = true
		p.units, p.unitOf[key] = append(p.units, u), len(p.units)
		return len(p.units) - 1
	}
	if c := p.view.Contract; c != nil {
		for _, op := range c.Operations() {
			add(op.ID, "operation-", unit{
				Name: visible(op.ID), Method: visible(op.Method), Path: visible(op.Path), Summary: visible(op.Summary), Tags: allVisible(op.Tags),
			})
		}
	}
	for _, id := range p.operations() {
		add(id, "operation-", unit{Name: visible(id)})
	}
	p.operationCount = len(p.units)
	for _, one := range p.view.Record.Uncalled {
		if i, known := p.unitOf[one.Operation]; known {
			p.units[i].Uncalled = visible(one.Reason)
		}
	}
	p.home = make(map[string]int, len(p.view.Result.Rules))
	for i, rv := range p.view.Result.Rules {
		r := p.view.Rule(rv.Rule)
		at, known := 0, false
		if len(r.Operations) == 1 {
			at, known = p.unitOf[r.Operations[0]]
		}
		if !known {
			at = add("\x00"+r.Area(), "area-", unit{Name: visible(r.Area())})
		}
		p.home[rv.Rule] = at
		p.units[at].rules = append(p.units[at].rules, i)
	}
	for i := range p.view.Record.Exchanges {
		at, known := p.unitOf[p.view.Record.Exchanges[i].Operation]
		if !known {
			at = add("", "", unit{Name: otherRequests})
		}
		p.units[at].Exchanges++
	}
}

// operations returns the sorted ids of the operations that rules are about or that exchanges call.
func (p *page) operations() []string {
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
	return sortedKeys(seen)
}

// judgeUnits gives each unit its verdict, its line of the coverage matrix and its latency.
func (p *page) judgeUnits() {
	p.collectKinds()
	p.findShared()
	latencies := latencyOf(p.view.Record)
	p.Ticks = latencies.Ticks
	for i := range latencies.Operations {
		one := &latencies.Operations[i]
		if at, known := p.unitOf[one.id]; known {
			p.units[at].Latency = one
		}
	}
	for i := range p.units {
		p.judgeUnit(&p.units[i])
	}
	p.Slowest = slowest(p.units)
}

func (p *page) judgeUnit(u *unit) {
	counts := map[look]int{}
	worst := len(order)
	grid := make([]int, len(p.Kinds)) // 1 plus the place of the verdict in order
	for _, i := range u.rules {
		rv := p.view.Result.Rules[i]
		place := slices.Index(order, rv.Verdict)
		counts[lookOf(rv.Verdict)]++
		worst = min(worst, place)
		if cell := &grid[p.column(rv.Rule)]; *cell == 0 || place+1 < *cell {
			*cell = place + 1
		}
	}
	for _, shared := range u.Shared {
		worst = min(worst, slices.IndexFunc(order, func(v verdict.Verdict) bool { return lookOf(v) == shared.look }))
	}
	u.look = look{"unasked", "no rules"}
	if worst < len(order) {
		u.look = lookOf(order[worst])
	}
	if u.Uncalled != "" {
		u.Word = "not called"
	}
	for _, v := range order {
		if n := counts[lookOf(v)]; n > 0 {
			u.Tally = append(u.Tally, tick{lookOf(v), n})
		}
	}
	for place, v := range order {
		var path strings.Builder
		for x, cell := range grid {
			if cell == place+1 {
				path.WriteString("M" + strconv.Itoa(x*cellStep) + " 0h" + strconv.Itoa(cellWidth) + "v" + strconv.Itoa(cellHeight) + "h-" + strconv.Itoa(cellWidth) + "z")
			}
		}
		if path.Len() > 0 {
			u.Cells = append(u.Cells, cells{lookOf(v).Class, path.String()})
		}
	}
}

// collectKinds collects the columns of the coverage matrix: the kinds of promises, in the order of the rules, and one for all other rules.
func (p *page) collectKinds() {
	p.columns = map[string]int{}
	others := false
	for _, rv := range p.view.Result.Rules {
		kind := p.kind(rv.Rule)
		if _, known := p.columns[kind]; known || kind == otherRules {
			others = others || kind == otherRules
			continue
		}
		p.columns[kind] = len(p.Kinds)
		p.Kinds = append(p.Kinds, visible(kind))
	}
	if others {
		p.columns[otherRules] = len(p.Kinds)
		p.Kinds = append(p.Kinds, otherRules)
	}
}

// kind returns the kind of promises that a rule is about first.
func (p *page) kind(rule string) string {
	return cmp.Or(append(slices.Clone(p.view.Rule(rule).Cases), otherRules)...)
}

func (p *page) column(rule string) int { return p.columns[p.kind(rule)] }

// findShared notes which operations show a rule to be broken that is not theirs alone, and which causes they show.
func (p *page) findShared() {
	seen := map[string]bool{}
	for i := range p.view.Record.Exchanges {
		ex := &p.view.Record.Exchanges[i]
		at, known := p.unitOf[ex.Operation]
		if !known {
			continue
		}
		for _, f := range p.charges[ex.Seq] {
			key := strconv.Itoa(at) + " " + f.Rule
			if home, ours := p.home[f.Rule]; !ours || home == at || seen[key] {
				continue
			}
			seen[key] = true
			if ref := p.ruleRef(f.Rule); ref.Class == "violated" || ref.Class == "warned" {
				p.units[at].Shared = append(p.units[at].Shared, ref)
			}
		}
	}
}

// linkCauses notes the causes that the exchanges of each unit show.
func (p *page) linkCauses(all []verdict.Cause, after int) {
	for i := range all {
		c := &all[i]
		ref := causeRef{Number: after + i + 1, Says: visible(cmp.Or(c.Says, c.Rule)), look: look{"warned", "warning"}}
		if p.view.Fails(*c) {
			ref.look = look{"violated", "cause"}
		}
		seen := map[int]bool{}
		note := func(at int, known bool) {
			if known && !seen[at] {
				seen[at] = true
				p.units[at].Causes = append(p.units[at].Causes, ref)
			}
		}
		at, known := p.home[c.Rule]
		note(at, known)
		for _, n := range c.Exchanges {
			if ex := p.view.Exchange(n); ex != nil {
				at, known = p.unitOf[ex.Operation]
				note(at, known)
			}
		}
	}
}

// Counted says how many rules have each verdict: "2 violated, 14 conform".
func (u *unit) Counted() visible {
	words := make([]string, len(u.Tally))
	for i, t := range u.Tally {
		words[i] = text.Number(t.Count) + " " + plurals(t.Count, t.Word)
	}
	return visible(strings.Join(words, ", "))
}

// Area reports whether the unit is an area of rules.
func (u *unit) Area() bool { return strings.HasPrefix(u.Anchor, "area-") }

// KindAt returns the position of the name of a column of the coverage matrix.
func (p *page) KindAt(i int) int { return i*cellStep + cellWidth }

// MatrixWidth returns the width of the coverage matrix.
func (p *page) MatrixWidth() int { return len(p.Kinds) * cellStep }

// unitPage is the page of a unit.
type unitPage struct {
	*unit
	Rules []rule
	Ticks []mark
	// Coverage is nil for an area of rules, and if it is not known.
	Coverage *unitCoverage
}

// pageOf makes the page of the unit with an index: its rules, the broken ones first.
func (p *page) pageOf(at int) unitPage {
	u := &p.units[at]
	one := unitPage{unit: u, Ticks: p.Ticks, Coverage: unitCoverageOf(p.coverageOf[at])}
	sorted := slices.Clone(u.rules)
	slices.SortStableFunc(sorted, func(x, y int) int { return cmp.Compare(p.urgency(x), p.urgency(y)) })
	for _, i := range sorted {
		one.Rules = append(one.Rules, p.ruleInFull(p.view.Result.Rules[i]))
	}
	return one
}

// urgency orders rules: the broken ones before all others.
func (p *page) urgency(i int) int {
	switch v := p.view.Result.Rules[i].Verdict; v {
	case verdict.Violated:
		return 0
	case verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates:
		return 1
	default:
		return 2
	}
}

// levels returns the levels that occur among the rules.
func (p *page) levels() []spec.Level {
	var all []spec.Level
	for _, s := range p.Run.Standings {
		all = append(all, s.Level)
	}
	return all
}
