package verdict_test

import (
	"encoding/json"
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

const provenFigures = "finds 1,015 of 1,016 seeded faults, 1,014 by the rule that they break, and accepts 111 of 112 legal freedoms."

func TestProofStanding(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*record.Record)
		holds   bool
		because string
		says    string
	}{
		{"the whole suite, as proven", func(*record.Record) {}, true, "", "This suite " + provenFigures},
		{"other features", func(r *record.Record) { r.Suite.Features = "sha256:xx" }, false, "its features differ",
			"This suite is not the one that was proven: its features differ. That one " + provenFigures},
		{"another contract", func(r *record.Record) { r.Suite.Contract = "sha256:xx" }, false, "its contract differs",
			"This suite is not the one that was proven: its contract differs. That one " + provenFigures},
		{"another suite", func(r *record.Record) { r.Suite = record.Suite{} }, false, "its contract, rules and features differ",
			"This suite is not the one that was proven: its contract, rules and features differ. That one " + provenFigures},
		{"a filter", func(r *record.Record) { r.Options.Rules = []string{"pet.id"} }, false, "not all scenarios were selected",
			"Only a part of the suite was run: not all scenarios were selected. The whole " + provenFigures},
		{"another suite and a filter", func(r *record.Record) { r.Suite.Features, r.Options.Tags = "", "@x" }, false, "its features differ",
			"This suite is not the one that was proven: its features differ. That one " + provenFigures},
		{"an end before the end", func(r *record.Record) { r.Complete = false }, false, "the run ended early",
			"Only a part of the suite was run: the run ended early. The whole " + provenFigures},
		{"a lost target", func(r *record.Record) { r.Lost, r.Complete = "gone", false }, false, "the target was lost",
			"Only a part of the suite was run: the target was lost. The whole " + provenFigures},
		{"read-only", func(r *record.Record) { r.Target.ReadOnly = true }, false, "the run was read-only",
			"Only a part of the suite was run: the run was read-only. The whole " + provenFigures},
		{"fewer resources", func(r *record.Record) { r.Options.MaxCreated = 50 }, false, "it might create 50 resources, but was proven with 199",
			"Only a part of the suite was run: it might create 50 resources, but was proven with 199. The whole " + provenFigures},
		{"a must rule that nothing exercised", func(r *record.Record) { delete(r.Exercised, "list.empty") }, false, "1 must rule was not exercised",
			"Only a part of the suite was run: 1 must rule was not exercised. The whole " + provenFigures},
		{"a shard", func(r *record.Record) { r.Options.Shard = "2/5" }, false, "this is shard 2/5",
			"Only a part of the suite was run: this is shard 2/5. The whole " + provenFigures},
		{"merged shards", func(r *record.Record) { r.Shards = make([]record.Part, 5) }, false, "it was divided among 5 shards",
			"The whole suite was run, but it was divided among 5 shards, which hides what shows only after many requests. Undivided, it " + provenFigures},
		{"nothing proven", func(r *record.Record) { r.Proof = record.NewProof(spec.Proven{}, 199) }, false, "nothing has been proven yet",
			"Nothing has been proven about this suite yet."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			c.change(&r.Rec)
			got := verdict.Draw(&r.Rec, fixture.Catalogue(t)).Proof
			if got == nil || got.Holds != c.holds || got.Because != c.because || got.Says != c.says {
				t.Errorf("got  %+v\nwant %v, %q, %q", got, c.holds, c.because, c.says)
			}
		})
	}
	for name, change := range map[string]func(*record.Record){
		"a record without a proof":             func(r *record.Record) { r.Proof = nil },
		"a suite that follows from a contract": func(r *record.Record) { r.Suite = record.Suite{Foreign: []string{"contract"}} },
	} {
		r := fixture.New(t)
		change(&r.Rec)
		if got := verdict.Draw(&r.Rec, fixture.Catalogue(t)).Proof; got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Every report says what the suite can detect, and that this does not apply to a partial run; the terminal is silent then.
func TestReportsTellTheProof(t *testing.T) {
	for _, part := range []bool{false, true} {
		r := fixture.GoodRun(t)
		says, holds := "This suite "+provenFigures, "true"
		if part {
			r.Rec.Options.Tags = "@some"
			says, holds = "Only a part of the suite was run: not all scenarios were selected. The whole "+provenFigures, "false"
		}
		var shown strings.Builder
		if err := terminal.Write(&shown, fixture.ViewOf(t, &r.Rec), terminal.Look{Width: 300}); err != nil {
			t.Fatal(err)
		}
		if text := shown.String(); strings.Contains(text, says) == part {
			t.Errorf("the terminal is to say %q of what was run, and nothing of the whole if a part was run:\n%s", says, text)
		}
		var xml strings.Builder
		if err := junit.Write(&xml, fixture.ViewOf(t, &r.Rec)); err != nil {
			t.Fatal(err)
		}
		text := xml.String()
		for _, want := range []string{
			`<property name="hallmark.proof" value="` + says + `">`, `<property name="hallmark.proof.holds" value="` + holds + `">`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("JUnit does not hold %s", want)
			}
		}
		var out strings.Builder
		if err := reports.WriteJSON(&out, &r.Rec, verdict.Draw(&r.Rec, fixture.Catalogue(t))); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Proof  map[string]any
			Result struct{ Proof verdict.ProofStanding }
		}
		if err := json.Unmarshal([]byte(out.String()), &doc); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]float64{"faults": 1016, "killed": 1015, "diagnosed": 1014, "led": 900, "freedoms": 112, "accepted": 111, "mustRules": 73, "withFault": 72} {
			if doc.Proof[name] != want {
				t.Errorf("proof.%s is %v, want %v", name, doc.Proof[name], want)
			}
		}
		if doc.Proof["features"] != "sha256:fe" || doc.Result.Proof.Says != says || doc.Result.Proof.Holds == part {
			t.Errorf("%v, %+v", doc.Proof["features"], doc.Result.Proof)
		}
	}
}

// A quick run is partial, says so in its verdict, and claims no more than its part was proven to detect.
func TestQuickRuns(t *testing.T) {
	const figures = "A quick run finds 1,014 of 1,016 seeded faults by the rule that they break and accepts 111 of 112 legal freedoms, " +
		"with 90 of 410 scenarios: 600 of 2,000 exchanges, and 100 of 400 ms on the reference service."
	work := func(scenarios, exchanges int, ms int64) spec.Work {
		return spec.Work{Scenarios: scenarios, Exchanges: exchanges, Milliseconds: ms}
	}
	quick := func(r *record.Record) {
		r.Options.Quick = true
		r.Proof.Quick = &record.QuickProof{Found: 1014, Accepted: 111, Part: work(90, 600, 100), Whole: work(410, 2000, 400)}
	}
	for _, c := range []struct {
		name          string
		change        func(*record.Record)
		verdict       verdict.Verdict
		because, says string
	}{
		{"as proven", func(*record.Record) {}, verdict.Partial, "nothing is violated, but the run was quick (--quick): ", figures},
		{"a rule that is not judged", func(r *record.Record) { delete(r.Exercised, "list.empty") }, verdict.Partial, "and 1 of ",
			figures},
		{"a shard", func(r *record.Record) { r.Options.Shard = "1/2" }, verdict.Partial, "this is shard 1/2 of a quick run (--quick) only",
			"Only a part of a quick run was played: this is shard 1/2. " + figures},
		{"tags", func(r *record.Record) { r.Options.Tags = "@x" }, verdict.Partial, "the run was quick",
			"Only a part of a quick run was played: not all scenarios were selected. " + figures},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.GoodRun(t)
			quick(&r.Rec)
			c.change(&r.Rec)
			res := verdict.Draw(&r.Rec, fixture.Catalogue(t))
			if res.Verdict != c.verdict || !strings.Contains(res.Because, c.because) || res.Proof.Holds || res.Proof.Says != c.says {
				t.Errorf("%s: %s; %+v", res.Verdict, res.Because, res.Proof)
			}
		})
	}
	r := fixture.BadRun(t)
	quick(&r.Rec)
	if res := verdict.Draw(&r.Rec, fixture.Catalogue(t)); res.Verdict != verdict.Violated || !strings.HasSuffix(res.Because, ", and there may be more: the run was quick (--quick)") {
		t.Errorf("%s: %s", res.Verdict, res.Because)
	}
}
