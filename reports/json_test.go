package reports_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestJSONComesBack(t *testing.T) {
	rules := fixture.Catalogue(t)
	for name, r := range map[string]*fixture.Run{"good": fixture.GoodRun(t), "bad": fixture.BadRun(t), "broken": fixture.BrokenRun(t), "empty": {Rec: record.Record{Schema: record.Schema}}} {
		t.Run(name, func(t *testing.T) {
			if name == "bad" {
				// Quotes, markup and bytes that are no text must survive, also where they look like the lists' places.
				r.Rec.Target.BaseURL = `https://h/"scenarios":null/"exchanges":null<&>/v1`
				r.Rec.Exchanges[0].Response.Body = spec.Bytes("\xff\x00<script>\u2028")
				r.Rec.Exchanges[1].Request.Body = spec.Bytes(`"exchanges":null`)
			}
			res := verdict.Draw(&r.Rec, rules)
			var out strings.Builder
			if err := reports.WriteJSON(&out, &r.Rec, res); err != nil {
				t.Fatal(err)
			}
			if !json.Valid([]byte(out.String())) {
				t.Fatalf("this is no JSON: %.500s", out.String())
			}
			rec, got, err := reports.ReadJSON(strings.NewReader(out.String()))
			if err != nil {
				t.Fatal(err)
			}
			if r.Rec.Scenarios == nil {
				r.Rec.Scenarios, r.Rec.Exchanges = []record.Scenario{}, []spec.Exchange{}
			}
			if diff := cmp.Diff(&r.Rec, rec); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
			again := verdict.Draw(rec, rules)
			if diff := cmp.Diff(again.Verdict, got.Verdict); diff != "" || got.ExitCode != again.ExitCode || len(got.Rules) != len(rules) || len(got.Causes) != len(again.Causes) {
				t.Errorf("the result changed on its way: %+v", got)
			}
		})
	}
}

func TestJSONIsInLines(t *testing.T) {
	r := fixture.BadRun(t)
	text, err := jsonOf(&r.Rec)
	if err != nil {
		t.Fatal(err)
	}
	exchanges := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimPrefix(line, ","), `{"seq":`) {
			exchanges++
		}
	}
	if exchanges != len(r.Rec.Exchanges) {
		t.Errorf("%d lines for %d exchanges", exchanges, len(r.Rec.Exchanges))
	}
}

// A record of version 1, whose findings have no kind, is read and judged; its known violations go by messages.
func TestReadJSONOfVersion1(t *testing.T) {
	r := fixture.BadRun(t)
	for i := range r.Rec.Scenarios {
		for k := range r.Rec.Scenarios[i].Findings {
			f := &r.Rec.Scenarios[i].Findings[k]
			f.Operation, f.Kind, f.Detail = "", "", ""
		}
	}
	r.Rec.Deviations = []record.Deviation{{Rule: "list.limit.honoured", Message: "expected at most", Reason: "r", Link: "https://x", Expires: "2999-12-31"}}
	r.Rec.Created = []record.Creation{{N: 1, ID: "9223372036854775807", Name: "a", Fate: record.Created}}
	r.Rec.Options.MaxCreated = 50
	text, err := jsonOf(&r.Rec)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.NewReplacer(record.Schema, record.Schema1, `"created":[`, `"animals":[`, `"maxCreated":`, `"maxAnimals":`).Replace(text)
	for _, former := range []string{`"animals":[{`, `"maxAnimals":50`, `"maxAnimals":199`} {
		if !strings.Contains(first, former) {
			t.Fatalf("this is none of version 1: there is no %s", former)
		}
	}
	rec, err := reports.Read(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if rec.Options.MaxCreated != 50 || rec.Proof.MaxCreated != 199 || len(rec.Created) != 1 || rec.Created[0] != r.Rec.Created[0] {
		t.Errorf("what was created: at most %d, proven with %d, %+v", rec.Options.MaxCreated, rec.Proof.MaxCreated, rec.Created)
	}
	res := verdict.Draw(rec, fixture.Catalogue(t))
	if len(res.Causes) == 0 || len(res.Deviations) != 1 || res.Deviations[0].State != verdict.Deviating {
		t.Errorf("%d causes, deviations %+v", len(res.Causes), res.Deviations)
	}
	journal := `{"schema":"` + record.JournalSchema1 + `","head":{}}` + "\n"
	if rec, err := reports.Read(strings.NewReader(journal)); err != nil || rec.Schema != record.Schema {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestReadJSONRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "this is no record of a run: it ends too early, in line 1"},
		{"no JSON", "{\n\"schema\": <\n}", "this is no record of a run: a value is expected, not '<', in line 2"},
		{"a list", "[]", "this is no record of a run"},
		{"another thing", `{"a":1}`, "this is no record of a run: it has no schema member; records are written with --report json:PATH"},
		{"a later version", `{"schema":"hallmark.record/v3"}`, "this record has the schema hallmark.record/v3, and this version of hallmark reads hallmark.record/v2; use the version that wrote it"},
		{"another schema", `{"schema":"junit\u001b"}`, `this is no record of a run: its schema is junit\x1b, not hallmark.record/v2`},
		{"a schema that is no text", `{"schema":7}`, "this is no record of a run"},
		{"a damaged one", "{\"schema\":\"hallmark.record/v1\",\n\"scenarios\":{}}", "the record is damaged"},
		{"two in one file", `{"schema":"hallmark.record/v1"}{}`, "the record is damaged: something follows after its end, in line 1"},
		{"a list twice", `{"schema":"hallmark.record/v1","exchanges":[],"exchanges":[]}`, "the record is damaged: its member exchanges stands there twice"},
		{"no list", "{\"schema\":\"hallmark.record/v1\",\n\"scenarios\":[{}\n,7]}", "it is a number, where an object is expected, in line 3"},
		{"an end too early", "{\"schema\":\"hallmark.record/v1\",\n\"exchanges\":[{}", "the record is damaged: it ends too early, in line 2"},
		{"a small member of another type", `{"schema":"hallmark.record/v1","complete":3}`, "the record is damaged: its member complete is a number, where true or false is expected"},
		{"a body that is neither", `{"schema":"hallmark.record/v1","exchanges":[{"response":{"body":7}}]}`, "the record is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := reports.ReadJSON(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("the error is not one clean line: %q", err)
			}
		})
	}
	if _, _, err := reports.ReadJSON(iotestErr{}); err == nil {
		t.Error("a reader's error was lost")
	}
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, os.ErrClosed }

func FuzzReadJSON(f *testing.F) {
	r := fixture.BadRun(f)
	text, err := jsonOf(&r.Rec)
	if err != nil {
		f.Fatal(err)
	}
	rules := fixture.Catalogue(f)
	f.Add(text)
	f.Add(`{"schema":"hallmark.record/v1","scenarios":[{"findings":[{"rule":"pet.id","exchanges":[-1,0,9]}]}],"exchanges":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		rec, _, err := reports.ReadJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		// Whatever can be read can be told.
		res := verdict.Draw(rec, rules)
		var out strings.Builder
		if err := terminal.Write(&out, fixture.ViewOf(t, rec), terminal.Look{}); err != nil {
			t.Error(err)
		}
		if err := junit.Write(&out, fixture.ViewOf(t, rec)); err != nil {
			t.Error(err)
		}
		if err := reports.WriteJSON(&out, rec, res); err != nil {
			t.Error(err)
		}
	})
}

func jsonOf(rec *record.Record) (string, error) {
	var out strings.Builder
	err := reports.WriteJSON(&out, rec, verdict.Result{})
	return out.String(), err
}
