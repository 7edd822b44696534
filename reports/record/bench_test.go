package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func BenchmarkRecorder(b *testing.B) {
	r := record.NewRecorder(record.Record{})
	rules := []string{"answer.status", "answer.body", "answer.media-type", "answer.json", "pet.id", "pet.name", "pet.status", "list.maximum", "list.unique"}
	body := strings.Repeat("x", 9000)
	for i := range b.N {
		r.AddExchange(answer(i, "a", body))
		r.ExercisedAll(rules)
		if i%10 == 0 {
			r.AddScenario(record.Scenario{ID: "a", Outcome: record.Passed})
		}
	}
}

// bigRun is a run of 2,000 scenarios and 5,000 exchanges, every fifth of which shows a defect.
func bigRun(tb testing.TB) *fixture.Run {
	r := fixture.New(tb)
	rules := fixture.Catalogue(tb)
	for i := range 2000 {
		rule := rules[i%len(rules)].ID
		var seqs []int
		for k := range 2 + i%2 {
			seqs = append(seqs, r.Exchange(fmt.Sprintf("GET /pets?limit=%d", k), 200, strings.Repeat(`{"id":1},`, 100)))
		}
		s := r.Scenario(rule, record.Passed)
		s.Exchanges = seqs
		if i%5 == 0 {
			s.Outcome = record.Failed
			s.Findings = []spec.Finding{r.Finding("pet.id", seqs[0], "/0/id", "an id", "none"), r.StatusFinding(fixture.Credentials[i%9], seqs[1], 401, 200)}
		}
	}
	return r
}

func BenchmarkReports(b *testing.B) {
	r := bigRun(b)
	rules := fixture.Catalogue(b)
	view := fixture.ViewOf(b, &r.Rec)
	b.Run("judge", func(b *testing.B) {
		for b.Loop() {
			verdict.Draw(&r.Rec, rules)
		}
	})
	for name, write := range map[string]func(*strings.Builder) error{
		"terminal": func(w *strings.Builder) error { return terminal.Write(w, view, terminal.Look{}) },
		"junit":    func(w *strings.Builder) error { return junit.Write(w, view) },
		"json":     func(w *strings.Builder) error { return reports.WriteJSON(w, &r.Rec, view.Result) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var out strings.Builder
				if err := write(&out); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(out.Len()))
			}
		})
	}
}

// Reading keeps no text of the file besides the resulting record.
func BenchmarkReadJSON(b *testing.B) {
	r := bigRun(b)
	var text strings.Builder
	if err := reports.WriteJSON(&text, &r.Rec, fixture.ViewOf(b, &r.Rec).Result); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, _, err := reports.ReadJSON(strings.NewReader(text.String())); err != nil {
			b.Fatal(err)
		}
	}
}
