package html

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// index is what script.js filters, searches and finds places by. All text in it is visible, and encoding/json escapes what could be markup.
type index struct {
	Units []indexUnit `json:"units"`
	Rules []indexRule `json:"rules"`
	Kinds []string    `json:"kinds"`
	// Sizes is how many parts a block has, by kind.
	Sizes map[string]int `json:"sizes"`
	// Phases are the rounds of the run.
	Phases []phase `json:"phases,omitempty"`
}

type indexUnit struct {
	Anchor    string   `json:"anchor"`
	Name      string   `json:"name"`
	Method    string   `json:"method,omitempty"`
	Path      string   `json:"path,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Scenarios []string `json:"scenarios,omitempty"`
}

type indexRule struct {
	ID     string `json:"id"`
	Anchor string `json:"anchor"`
	Unit   int    `json:"unit"`
	Class  string `json:"verdict"`
	Word   string `json:"word"`
	Level  string `json:"level"`
	Says   string `json:"says"`
	Kind   int    `json:"kind"`
	Text   string `json:"text,omitempty"`
}

// phase is a round of the run, with times in microseconds since its beginning.
type phase struct {
	Name  string `json:"name"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Count int    `json:"scenarios"`
}

// indexOf makes the index.
func indexOf(p *page) index {
	x := index{Kinds: plain(p.Kinds), Sizes: map[string]int{"exchanges": exchangesSize, "units": unitsSize, "parts": partsSize}, Phases: p.Timeline.Phases}
	for i := range p.units {
		u := &p.units[i]
		one := indexUnit{
			Anchor: u.Anchor, Name: u.Name.String(), Method: u.Method.String(), Path: u.Path.String(), Summary: u.Summary.String(), Tags: plain(u.Tags),
		}
		for _, n := range u.rules {
			for _, sc := range p.scenariosBy[p.view.Result.Rules[n].Rule].scenarios() {
				one.Scenarios = append(one.Scenarios, strings.TrimPrefix(p.scenarios[sc.ID], "scenario-"))
			}
		}
		x.Units = append(x.Units, one)
	}
	for _, rv := range p.view.Result.Rules {
		r := p.view.Rule(rv.Rule)
		l := lookOf(rv.Verdict)
		says := r.Says
		if says == "" {
			says = r.Asks
		}
		x.Rules = append(x.Rules, indexRule{
			ID: text.Visible(rv.Rule), Anchor: p.ruleRef(rv.Rule).Anchor, Unit: p.home[rv.Rule], Class: l.Class, Word: l.Word, Level: string(rv.Level),
			Says: text.Visible(says), Kind: p.column(rv.Rule), Text: p.searched(rv),
		})
	}
	return x
}

// searched returns what a rule is found by besides its id and sentence: the findings about it, and the names of its scenarios.
func (p *page) searched(rv verdict.RuleVerdict) string {
	words := []string{rv.Reason}
	for _, d := range p.words[rv.Rule] {
		words = append(words, record.Message(d.first))
	}
	slices.Sort(words)
	names := map[string]bool{}
	for _, sc := range p.scenariosBy[rv.Rule].scenarios() {
		if !names[sc.Name] {
			names[sc.Name] = true
			words = append(words, sc.Name)
		}
	}
	return text.Visible(strings.Join(words, "\n"))
}

func plain(all []visible) []string {
	out := make([]string, len(all))
	for i, one := range all {
		out[i] = one.String()
	}
	return out
}

// exchangeOrder returns the indexes of the exchanges in the order in which they are packed: those of a unit together, since they are alike.
func (p *page) exchangeOrder() []int {
	all := p.view.Record.Exchanges
	sorted := make([]int, len(all))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, func(x, y int) int { return p.unitOf[all[x].Operation] - p.unitOf[all[y].Operation] })
	return sorted
}

// Bits of the last member of a row.
const (
	rowFound = 1 << iota
	rowWrong
	rowDelayed
)

// row returns the line of an exchange in the lists: its number, its unit, method, path, what is special, status, duration, marks, and
// beginning and duration in microseconds.
func (p *page) row(i int) ([]byte, error) {
	ex := &p.view.Record.Exchanges[i]
	x := p.heading(ex)
	marks := 0
	for _, one := range []struct {
		is  bool
		bit int
	}{{len(x.Charges) > 0, rowFound}, {x.Unexpected, rowWrong}, {ex.Delays > 0, rowDelayed}} {
		if one.is {
			marks |= one.bit
		}
	}
	return json.Marshal([]any{
		x.Seq, p.unitOf[ex.Operation], x.Method.String(), x.Path.String(), x.About.String(), x.Status, x.Took, marks,
		p.since(ex.Started).Microseconds(), ex.Elapsed.Microseconds(),
	})
}

// since returns the time from the beginning of the run, which is 0 if either is unknown. It goes by the wall clock, the only one that a record
// read from a file has.
func (p *page) since(t time.Time) time.Duration {
	begun := p.view.Record.Started.Round(0)
	if begun.IsZero() || t.Before(begun) {
		return 0
	}
	return t.Sub(begun)
}
