package sample

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Big returns a record of at least that many scenarios: a broken run, repeated under other names, with its own exchanges each time (nearly
// two per scenario).
func Big(tb testing.TB, scenarios int) *view.View {
	tb.Helper()
	one := Broken(tb)
	rec := *one.Record
	rec.Scenarios, rec.Exchanges, rec.Exercised = nil, nil, map[string]int{}
	for copies := 0; len(rec.Scenarios) < scenarios; copies++ {
		repeat(&rec, one.Record, copies)
	}
	return view.New(&rec, one.Sources)
}

// repeat adds a copy of a run that shares no memory with the others.
func repeat(rec, from *record.Record, copies int) {
	after := len(rec.Exchanges) * 2 // beyond all numbers, which may have gaps
	for _, ex := range rec.Exchanges {
		after = max(after, ex.Seq)
	}
	moved := func(seqs []int) []int {
		out := slices.Clone(seqs)
		for i := range out {
			out[i] += after
		}
		return out
	}
	for _, sc := range from.Scenarios {
		file, line, _ := strings.Cut(sc.ID, ".feature")
		if copies > 0 && line != "" {
			sc.ID = fmt.Sprintf("%s-%d.feature%s", file, copies, line)
		}
		sc.Exchanges = moved(sc.Exchanges)
		sc.Findings = slices.Clone(sc.Findings)
		for i := range sc.Findings {
			sc.Findings[i].Exchanges = moved(sc.Findings[i].Exchanges)
		}
		sc.Observations = slices.Clone(sc.Observations)
		for i := range sc.Observations {
			if sc.Observations[i].Exchange > 0 {
				sc.Observations[i].Exchange += after
			}
		}
		rec.Scenarios = append(rec.Scenarios, sc)
	}
	for _, ex := range from.Exchanges {
		ex.Seq += after
		ex.Request.Header = maps.Clone(ex.Request.Header)
		ex.Request.Body = slices.Clone(ex.Request.Body)
		if ex.Response != nil {
			answer := *ex.Response
			answer.Header, answer.Body = maps.Clone(answer.Header), slices.Clone(answer.Body)
			ex.Response = &answer
		}
		rec.Exchanges = append(rec.Exchanges, ex)
	}
	for rule, n := range from.Exercised {
		rec.Exercised[rule] += n
	}
}
