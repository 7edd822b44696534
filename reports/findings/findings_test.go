package findings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// document is what a reader sees of it.
type document struct {
	head
	Findings []entry
}

func read(t *testing.T, v *view.View) document {
	t.Helper()
	var doc document
	if err := json.Unmarshal(sample.Written(t, Format(), v), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestItKeepsTheSchema(t *testing.T) {
	published := sample.Schema(t, filepath.Join("..", "..", "docs", "findings.schema.json"))
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			out := sample.Sound(t, Format(), v)
			sample.Valid(t, published, out)
			if len(out) > Limit {
				t.Errorf("%d bytes", len(out))
			}
		})
	}
	broken := bytes.Replace(sample.Written(t, Format(), sample.Broken(t)), []byte(`"expected"`), []byte(`"wanted"`), 1)
	var value any
	if err := json.Unmarshal(broken, &value); err != nil || published.Validate(value) == nil {
		t.Errorf("the schema takes a finding without what was expected (%v)", err)
	}
}

func TestEachCauseIsLedByAFinding(t *testing.T) {
	v := sample.Broken(t)
	doc := read(t, v)
	led, seen := map[string]bool{}, map[string]bool{}
	for _, f := range doc.Findings {
		if seen[f.ID] {
			t.Errorf("%s is there twice", f.ID)
		}
		seen[f.ID] = true
		if f.Cause == nil {
			t.Fatalf("%s (%s) has no cause", f.ID, f.Rule)
		}
		if !f.Brief && f.Cause.Rules > 0 {
			led[f.ID] = true
			if len(f.Requests) == 0 || f.Rerun == "" || f.Contract == nil || f.Contract.Line == 0 || f.Says == "" {
				t.Errorf("%+v", f)
			}
		}
	}
	for _, c := range v.Result.Causes {
		if !led[c.ID] {
			t.Errorf("no finding leads the cause %s (%s)", c.ID, c.Rule)
		}
	}
	if doc.Found < len(led) || doc.Found != len(doc.Findings)+doc.LeftOut.Findings {
		t.Errorf("found %d, %d are here, and %+v left out", doc.Found, len(doc.Findings), doc.LeftOut)
	}
}

func TestKnownViolationsComeLast(t *testing.T) {
	known := 0
	for _, f := range read(t, sample.Named(t, "known")).Findings {
		switch {
		case f.Standing == view.Known:
			if known++; f.Cause != nil {
				t.Errorf("%s has the cause %+v", f.ID, f.Cause)
			}
		case known > 0:
			t.Errorf("%s follows a known violation", f.ID)
		}
	}
	if known == 0 {
		t.Error("no known violation is told")
	}
}

// huge returns a record of many findings whose texts are long and need escapes.
func huge(scenarios, places int) *view.View {
	evil := strings.Repeat("\u202e\x1b<\"\\\U000E0041é", 1_000)
	rec := record.Record{
		Suite: record.Suite{Version: evil, Contract: evil}, Target: record.Target{BaseURL: "https://" + evil}, ID: evil, Stopped: evil,
		Options: record.Options{Rerun: "hallmark run " + evil},
	}
	for i := range scenarios {
		sc := record.Scenario{ID: fmt.Sprintf("features/f.feature:%d", i+1), Outcome: record.Failed, Rules: []string{evil}}
		for k := range places {
			seq := 1 + i*places + k
			rec.Exchanges = append(rec.Exchanges, spec.Exchange{
				Seq: seq, Operation: evil, About: evil, Request: spec.Request{Method: evil, URL: "https://" + evil + "/x", Body: []byte(evil)},
			})
			sc.Findings = append(sc.Findings, spec.Finding{
				Rule: fmt.Sprintf("rule%d.%s", i, evil), Operation: evil, Pointer: fmt.Sprintf("/%s/p%d", evil, k), Contract: evil,
				Expected: phrase.Verbatim(evil), Actual: phrase.Verbatim(fmt.Sprint(k) + evil), Where: phrase.Place{Text: evil},
				Exchanges: []int{seq}, Cause: fmt.Sprintf("%d", i),
			})
			sc.Exchanges = append(sc.Exchanges, seq)
		}
		rec.Scenarios = append(rec.Scenarios, sc)
	}
	return view.New(&rec, view.Sources{})
}

func TestItIsBounded(t *testing.T) {
	published := sample.Schema(t, filepath.Join("..", "..", "docs", "findings.schema.json"))
	for _, v := range []*view.View{huge(1, 1), huge(3, 40), huge(40, 50), sample.Big(t, 2000)} {
		out := sample.Sound(t, Format(), v)
		sample.Valid(t, published, out)
		doc := read(t, v)
		if len(out) > Limit {
			t.Errorf("%d bytes for %d findings", len(out), doc.Found)
		}
		if doc.Found != len(doc.Findings)+doc.LeftOut.Findings {
			t.Errorf("found %d, %d are here, and %+v left out", doc.Found, len(doc.Findings), doc.LeftOut)
		}
	}
}

// Details go first, and what leads a cause goes last.
func TestFit(t *testing.T) {
	make5 := func() []piece {
		pieces := make([]piece, 5)
		for i := range pieces {
			pieces[i] = piece{texts: [gone][]byte{[]byte(strings.Repeat("f", 98)), []byte(strings.Repeat("b", 18))}, leads: i < 2}
		}
		return pieces
	}
	for room, want := range map[int]string{500: "fffff", 499: "ffffb", 420: "ffffb", 260: "ffbbb", 259: "ffbb-", 200: "ff---", 199: "fb---", 119: "bb---", 39: "b----", 19: "-----", -5: "-----"} {
		pieces := make5()
		dropped := fit(pieces, room)
		got := ""
		for _, p := range pieces {
			got += string("fb-"[p.detail])
		}
		if got != want || dropped.Details != strings.Count(want, "b") || dropped.Findings != strings.Count(want, "-") {
			t.Errorf("%d bytes: %s (%+v), want %s", room, got, dropped, want)
		}
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }
