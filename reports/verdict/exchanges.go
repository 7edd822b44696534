package verdict

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/wfc"
	"github.com/hallmark-kit/hallmark/spec"
)

// ExchangeIndex finds exchanges by number and picks examples that are easy to read.
type ExchangeIndex struct {
	by map[int]*spec.Exchange
	// paths holds the paths of each operation's requests, two at most.
	paths map[string][]string
	// succeeded holds the operations that had a success.
	succeeded map[string]bool
	// history is computed on first use, and so are the exchanges of each scenario, in order.
	history   func() history
	scenarios func() map[string][]*spec.Exchange
}

// NewExchangeIndex indexes the exchanges of a record, which must not change afterwards.
func NewExchangeIndex(rec *record.Record) *ExchangeIndex {
	g := &ExchangeIndex{
		by:    make(map[int]*spec.Exchange, len(rec.Exchanges)),
		paths: map[string][]string{}, succeeded: map[string]bool{},
		history: sync.OnceValue(func() history { return newHistory(rec) }),
		scenarios: sync.OnceValue(func() map[string][]*spec.Exchange {
			all := map[string][]*spec.Exchange{}
			for i := range rec.Exchanges {
				ex := &rec.Exchanges[i]
				all[ex.Scenario] = append(all[ex.Scenario], ex)
			}
			for _, exchanges := range all {
				slices.SortFunc(exchanges, func(x, y *spec.Exchange) int { return x.Seq - y.Seq })
			}
			return all
		}),
	}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		g.by[ex.Seq] = ex
		if ex.Response != nil && ex.Response.Status/100 == http.StatusOK/100 {
			g.succeeded[ex.Operation] = true
		}
		if known := g.paths[ex.Operation]; len(known) < 2 {
			if path := pathOf(ex); !slices.Contains(known, path) {
				g.paths[ex.Operation] = append(known, path)
			}
		}
	}
	return g
}

// addressed reports whether an operation was called with several paths: its path names a resource.
func (g *ExchangeIndex) addressed(operation string) bool {
	return operation != "" && len(g.paths[operation]) > 1
}

// cause returns the Cause of a defect.
func (g *ExchangeIndex) cause(d *defect, rec *record.Record, b *Index) Cause {
	r, _ := b.Rule(d.lead)
	example := g.example(d, b, rec)
	c := Cause{
		ID: example.ID(), WFC: wfc.Of(example.rule, example.Finding), Rule: d.lead, Level: r.Level, Section: r.Section, Says: r.Says,
		Lead: example.Finding, Message: record.Message(example.Finding), Scenario: rec.Scenarios[example.scenario].ID, Findings: len(d.items),
	}
	scenarios, exchanges := map[string]bool{}, map[int]bool{}
	also := map[string]*Broken{}
	shown := map[string]map[int]bool{}
	for _, it := range d.items {
		scenarios[rec.Scenarios[it.scenario].ID] = true
		id := it.rule.ID
		if shown[id] == nil {
			shown[id] = map[int]bool{}
			also[id] = &Broken{Rule: id, Level: it.rule.Level}
		}
		also[id].Findings++
		for _, seq := range it.Exchanges {
			exchanges[seq] = true
			shown[id][seq] = true
		}
	}
	for id, broken := range also {
		if id != d.lead {
			broken.Exchanges = len(shown[id])
			c.Also = append(c.Also, *broken)
		}
	}
	slices.SortFunc(c.Also, func(x, y Broken) int {
		return cmp.Or(cmp.Compare(y.Findings, x.Findings), cmp.Compare(b.Order(x.Rule), b.Order(y.Rule)))
	})
	for id := range scenarios {
		c.Scenarios = append(c.Scenarios, id)
	}
	slices.SortFunc(c.Scenarios, record.ScenarioOrder)
	c.Exchanges = make([]int, 0, len(exchanges))
	for seq := range exchanges {
		c.Exchanges = append(c.Exchanges, seq)
	}
	slices.Sort(c.Exchanges)
	c.Answers = answerKinds(d)
	c.Showing = showing(d, example, rec)
	c.Curl = rec.Target.Script(g.Replay(example.Finding), example.Finding)
	if rec.Traffic != nil { // others made it, so nothing can be run again
		c.Traffic = true
		return c
	}
	c.Rerun = Rerun(rec, d.lead)
	if with := besides(d, example, rec, b); with != "" {
		c.Asks = with
		c.Rerun += " --rule " + text.ShellQuote(with)
	}
	return c
}

// example returns the finding that shows a defect best: about the leading rule or a part of it, from few and small exchanges that the
// record holds completely.
func (g *ExchangeIndex) example(d *defect, b *Index, rec *record.Record) *item {
	distance := map[string]int{}
	for _, it := range d.items {
		id := it.rule.ID
		if _, known := distance[id]; known {
			continue
		}
		switch {
		case id == d.lead:
			distance[id] = 0
		case slices.Contains(b.Path(id), d.lead):
			distance[id] = 1
		default:
			distance[id] = 2
		}
	}
	return slices.MinFunc(d.items, func(x, y *item) int {
		if c := cmp.Compare(distance[x.rule.ID], distance[y.rule.ID]); c != 0 {
			return c
		}
		a, b := g.cost(x), g.cost(y)
		return cmp.Or(slices.Compare(a[:], b[:]), record.ScenarioOrder(rec.Scenarios[x.scenario].ID, rec.Scenarios[y.scenario].ID), cmp.Compare(x.at, y.at))
	})
}

// cost measures how poor an example is and how much there is to read: [not accepted, missing or cut, exchanges, bytes sent, whole excerpts
// received]. Reports show long responses in excerpts, so smaller differences, as between lists of a store that grows, do not count.
func (g *ExchangeIndex) cost(it *item) [5]int {
	const excerpt = 16 << 10
	c := [5]int{0, 2, len(it.Exchanges), 0, 0}
	if it.Status >= 300 {
		// If a request should have been rejected, the exchange that accepted it says more than what went wrong afterwards.
		c[0] = 1
	}
	ex := g.by[it.at]
	if ex == nil {
		return c
	}
	c[1], c[3] = 0, len(ex.Request.URL)+len(ex.Request.Body)
	if ex.Response != nil {
		c[4] = ex.Response.Size / excerpt
		if len(ex.Response.Body) < ex.Response.Size {
			c[1] = 1
		}
	}
	return c
}

// besides returns the rule that the rerun command names in addition to the leading rule. Scenarios are selected by the rules they name, and
// those that show the defect may name neither the leading rule nor a part of it. It returns "" if the leading rule alone selects one of
// them.
func besides(d *defect, example *item, rec *record.Record, b *Index) string {
	own := rec.Scenarios[example.scenario].Rules
	for _, it := range d.items {
		for _, id := range rec.Scenarios[it.scenario].Rules {
			if slices.Contains(b.Path(id), d.lead) {
				return ""
			}
		}
	}
	switch {
	case len(own) == 0:
		return ""
	case slices.Contains(own, example.rule.ID):
		return example.rule.ID
	}
	return own[0]
}

// Rerun returns the command that runs one rule again against the same target.
func Rerun(rec *record.Record, rule string) string {
	if rec.Traffic != nil {
		return "" // others made it
	}
	if rec.Options.Test != "" {
		return "go test -run " + text.ShellQuote(subtest(rec.Options.Test, rule))
	}
	line := rec.Options.Rerun
	if strings.TrimSpace(line) == "" {
		line = "hallmark run --base-url " + text.ShellQuote(rec.Target.BaseURL)
	}
	return line + " --rule " + text.ShellQuote(rule)
}

// subtest returns the pattern for go test's flag -run that selects the subtest of a rule.
func subtest(test, rule string) string {
	operation, name, _ := strings.Cut(rule, ".")
	var levels []string
	for _, level := range append(strings.Split(test, "/"), operation, name) {
		if level != "" {
			levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
		}
	}
	return strings.Join(levels, "/")
}

// Cited returns the exchanges that a finding cites, as far as the record holds them.
func (g *ExchangeIndex) Cited(f spec.Finding) []*spec.Exchange {
	var all []*spec.Exchange
	for _, seq := range f.Exchanges {
		if ex := g.by[seq]; ex != nil {
			all = append(all, ex)
		}
	}
	return all
}

// Exchange returns the exchange with that number, or nil if the record does not hold it.
func (g *ExchangeIndex) Exchange(seq int) *spec.Exchange { return g.by[seq] }
