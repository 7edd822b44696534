package conformance

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// views are runs of all kinds.
func views(t *testing.T) map[string]*view.View {
	t.Helper()
	all := sample.EdgeCases(t)
	all["good"], all["broken"], all["hostile"] = sample.Good(t), sample.Broken(t), sample.Hostile(t)
	all["evil words"] = changed(t, func(rec *record.Record) {
		rec.Options.Tags, rec.Target.Implementation = sample.Evil, record.Implementation{Project: sample.Evil, Contact: "\x1b\u202e"}
	})
	return all
}

// Every report matches the published schema, says the same in YAML and in JSON, and contains nothing raw or
// secret.
func TestReportsOfAllKindsOfRuns(t *testing.T) {
	schema := sample.Schema(t, filepath.Join("..", "..", "docs", SchemaName))
	for name, v := range views(t) {
		t.Run(name, func(t *testing.T) {
			inYAML, inJSON := written(t, v, nil)
			sample.Valid(t, schema, inJSON)
			one, other := mustRead(t, inYAML), mustRead(t, inJSON)
			if !bytes.Equal(one.content, other.content) {
				t.Errorf("YAML and JSON differ:\n%s\n%s", one.content, other.content)
			}
			again, _ := written(t, v, nil)
			if !bytes.Equal(inYAML, again) {
				t.Error("written again, it is another one")
			}
			for _, text := range [][]byte{inYAML, inJSON} {
				if bytes.Contains(text, []byte(sample.Key)) {
					t.Error("it holds the key")
				}
				if at := bytes.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); at >= 0 {
					t.Errorf("it holds something raw: %q", text[max(0, at-40):min(len(text), at+40)])
				}
			}
			if name != "good" && (one.Result == verdict.Conformant || one.Result == verdict.Excepted) {
				t.Errorf("the result is %s", one.Result)
			}
		})
	}
}

// The result derived from the lists is the run's own verdict if the whole suite was run as hallmark ships it.
func TestResultIsTheRunsOwn(t *testing.T) {
	for name, v := range views(t) {
		r := New(v)
		if r.part() != "" && v.Result.Verdict != verdict.Violated {
			continue
		}
		if r.Result != v.Result.Verdict || r.Because != v.Result.Because {
			t.Errorf("%s: the report says %s (%s), the run %s (%s)", name, r.Result, r.Because, v.Result.Verdict, v.Result.Because)
		}
	}
}

// Less than the whole suite, or another one, is never conformant, whatever the run says.
func TestNothingLessIsConformant(t *testing.T) {
	if r := New(changed(t, func(*record.Record) {})); r.Result != verdict.Conformant || len(r.Caveats) != 0 {
		t.Fatalf("the good run is %s (%s), %q", r.Result, r.Because, r.Caveats)
	}
	for name, c := range map[string]struct {
		change  func(rec *record.Record)
		result  verdict.Verdict
		because string
	}{
		"tags":        {func(rec *record.Record) { rec.Options.Tags = "@read-only" }, verdict.Partial, "only a part"},
		"a rule":      {func(rec *record.Record) { rec.Options.Rules = []string{"list"} }, verdict.Partial, "only a part"},
		"operations":  {func(rec *record.Record) { rec.Options.Operations = []string{"getPet"} }, verdict.Partial, "only a part"},
		"a shard":     {func(rec *record.Record) { rec.Options.Shard = "1/2" }, verdict.Partial, "shard 1/2"},
		"once more":   {func(rec *record.Record) { rec.Options.Again = "record.json" }, verdict.Partial, "only a part"},
		"read-only":   {func(rec *record.Record) { rec.Target.ReadOnly = true }, verdict.Partial, "the run was read-only"},
		"interrupted": {func(rec *record.Record) { rec.Complete = false }, verdict.Partial, "ended early"},
		"stopped":     {func(rec *record.Record) { rec.Stopped = "the run reached its limit" }, verdict.Partial, "reached its limit"},
		"lost":        {func(rec *record.Record) { rec.Lost = "connection refused" }, verdict.Inconclusive, "the target was lost"},
		"the harness": {func(rec *record.Record) { rec.Failure = "a step that nobody knows" }, verdict.Inconclusive, "hallmark itself failed"},
		"nothing":     {func(rec *record.Record) { rec.Scenarios, rec.Exercised = nil, nil }, verdict.Inconclusive, "no rule was exercised"},
		"own features": {
			func(rec *record.Record) { rec.Suite.Foreign = []string{"features"} }, verdict.Partial, "the suite's features are not hallmark's own",
		},
		"own features and contract": {
			func(rec *record.Record) { rec.Suite.Foreign = []string{"features", "contract"} },
			verdict.Partial, "the suite's contract and features are not hallmark's own",
		},
		"nothing known of the suite": {
			func(rec *record.Record) { rec.Suite.Contract, rec.Suite.Features = "", "sha256:x" },
			verdict.Partial, "the suite's contract and features are not hallmark's own",
		},
		"a deviation that is over": {
			func(rec *record.Record) {
				rec.Deviations = []record.Deviation{{Rule: "list.limit.honoured", Message: "expected at most", Reason: "r", Link: "https://a", Expires: "2999-01-31"}}
			}, verdict.Outdated, "known violation",
		},
		"a rule that was not exercised": {
			func(rec *record.Record) { rec.Exercised = nil }, verdict.Partial, "not exercised",
		},
	} {
		r := New(changed(t, c.change))
		if r.Result != c.result || !strings.Contains(r.Because, c.because) {
			t.Errorf("%s: %s (%s), want %s (%s)", name, r.Result, r.Because, c.result, c.because)
		}
		inYAML, _ := written(t, changed(t, c.change), nil)
		if d := mustRead(t, inYAML); d.Result != c.result {
			t.Errorf("%s: read again, it is %s", name, d.Result)
		}
	}
}

// If a run knows something that no list shows, the lists do not overrule it.
func TestTheRunKnowsMore(t *testing.T) {
	v := sample.Good(t)
	for _, own := range []verdict.Verdict{verdict.Partial, verdict.Inconclusive, verdict.Violated, verdict.Excepted, "new"} {
		r := New(v)
		r.Run.Verdict, r.Run.Because = own, "it knows"
		if got, because := r.conclude(); got != own || because != "it knows" {
			t.Errorf("a run that is %s gives %s (%s)", own, got, because)
		}
	}
}

// A report that says that its run was conformant is checked against its lists and its mode, each separately.
func TestTheListsKnowMore(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *Report)
		want   verdict.Verdict
	}{
		"nothing":             {func(*Report) {}, verdict.Conformant},
		"a part":              {func(r *Report) { r.Mode.Whole = false }, verdict.Partial},
		"not complete":        {func(r *Report) { r.Run.Complete = false }, verdict.Partial},
		"stopped":             {func(r *Report) { r.Run.Stopped = "a limit" }, verdict.Partial},
		"read-only":           {func(r *Report) { r.Mode.ReadOnly = true }, verdict.Partial},
		"own features":        {func(r *Report) { r.Suite.Foreign = []string{"features"} }, verdict.Partial},
		"not exercised":       {func(r *Report) { r.Summary.Must.NotExercised = 1 }, verdict.Partial},
		"lost":                {func(r *Report) { r.Run.Lost = "refused" }, verdict.Inconclusive},
		"failures":            {func(r *Report) { r.Run.Failures = []string{"a step"} }, verdict.Inconclusive},
		"errors":              {func(r *Report) { r.Summary.Scenarios.Errors = 1 }, verdict.Inconclusive},
		"nothing exercised":   {func(r *Report) { r.Summary.Rules = Rules{NotExercised: 107} }, verdict.Inconclusive},
		"violated":            {func(r *Report) { r.Summary.Rules.Violated = 1 }, verdict.Violated},
		"warned":              {func(r *Report) { r.Summary.Rules.Warned = 1 }, verdict.Conformant},
		"warned, and strict":  {func(r *Report) { r.Summary.Rules.Warned, r.Mode.Strict = 1, true }, verdict.Violated},
		"deviates":            {func(r *Report) { r.Summary.Rules.Deviates = 1 }, verdict.Excepted},
		"deviating":           {func(r *Report) { r.Deviations = []Deviation{{State: verdict.Deviating}} }, verdict.Excepted},
		"a deviation is over": {func(r *Report) { r.Deviations = []Deviation{{State: verdict.Fixed, Fails: true}} }, verdict.Outdated},
		"violated and errors": {func(r *Report) { r.Summary.Rules.Violated, r.Summary.Scenarios.Errors = 1, 1 }, verdict.Violated},
	} {
		r := New(sample.Good(t))
		c.change(r)
		if got, because := r.conclude(); got != c.want || because == "" {
			t.Errorf("%s: %s (%s), want %s", name, got, because, c.want)
		}
	}
	// An area by itself.
	for name, c := range map[string]struct {
		area   Area
		strict bool
		want   verdict.Verdict
	}{
		"good":               {Area{Rules: Rules{Total: 1, Conforms: 1}}, false, verdict.Conformant},
		"violated":           {Area{Rules: Rules{Total: 2, Conforms: 1, Violated: 1}}, false, verdict.Violated},
		"warned":             {Area{Rules: Rules{Total: 1, Warned: 1}}, false, verdict.Conformant},
		"warned, and strict": {Area{Rules: Rules{Total: 1, Warned: 1}}, true, verdict.Violated},
		"deviates":           {Area{Rules: Rules{Total: 1, Deviates: 1}}, false, verdict.Excepted},
		"a must rule left":   {Area{Rules: Rules{Total: 2, Conforms: 1, NotExercised: 1}, Must: Must{NotExercised: 1}}, false, verdict.Partial},
		"another rule left":  {Area{Rules: Rules{Total: 2, Conforms: 1, NotExercised: 1}}, false, verdict.Conformant},
		"all left":           {Area{Rules: Rules{Total: 1, NotExercised: 1}}, false, verdict.NotExercised},
		"none applies":       {Area{Rules: Rules{Total: 2, NotApplicable: 1, Untestable: 1}}, false, verdict.NotApplicable},
		"no rules":           {Area{}, false, verdict.NotApplicable},
	} {
		if got := c.area.conclude(c.strict); got != c.want {
			t.Errorf("an area, %s: %s, want %s", name, got, c.want)
		}
	}
}

func TestDeviationsInAReport(t *testing.T) {
	v := sample.Broken(t)
	known := *v.Record
	for _, rule := range v.Result.Rules {
		if rule.Verdict == verdict.Violated {
			known.Deviations = append(known.Deviations, record.Deviation{
				Rule: rule.Rule, Message: "expected", Reason: "it is old", Link: "https://issues.example.com/1", Expires: "2999-01-31",
			})
		}
	}
	// Rules that could not be judged because of the defects are ignored: a run that is conformant except for known
	// violations.
	judged := view.New(&known, v.Sources)
	for i, rule := range judged.Result.Rules {
		if rule.Verdict == verdict.NotExercised && rule.Level == spec.Must {
			judged.Result.Rules[i].Verdict = verdict.Conforms
		}
	}
	judged.Result.Verdict = verdict.Excepted
	r := New(judged)
	if r.Result != verdict.Excepted || len(r.Deviations) != len(known.Deviations) || r.Summary.Rules.Deviates != len(known.Deviations) {
		t.Fatalf("%s (%s), %d deviations, %d rules deviate", r.Result, r.Because, len(r.Deviations), r.Summary.Rules.Deviates)
	}
	for _, a := range r.Areas {
		for _, f := range a.Failed {
			if f.Verdict != verdict.Deviates || f.Findings == 0 || !strings.HasPrefix(f.Message, "expected") || a.Result != verdict.Excepted {
				t.Errorf("area %s is %s with %+v", a.Area, a.Result, f)
			}
		}
	}
	if !strings.Contains(strings.Join(r.Caveats, " "), "Known violations were taken into account") {
		t.Errorf("the caveats are %q", r.Caveats)
	}
}

func TestCaveats(t *testing.T) {
	r := New(changed(t, func(rec *record.Record) {
		rec.Target.Insecure, rec.Target.ReadOnly, rec.Target.Implementation = true, true, record.Implementation{}
		rec.Options.Now, rec.Suite.Foreign = "2031-01-01T00:00:00Z", []string{"contract"}
	}))
	all := strings.Join(r.Caveats, "\n")
	for _, want := range []string{"not named", "--insecure", "its contract differs", "--read-only", "as of 2031-01-01", "not known what this suite can detect"} {
		if !strings.Contains(all, want) {
			t.Errorf("no caveat says %q:\n%s", want, all)
		}
	}
	part := New(changed(t, func(rec *record.Record) { rec.Target.ReadOnly = true }))
	if all := strings.Join(part.Caveats, "\n"); !strings.Contains(all, "proof figures do not hold") {
		t.Errorf("no caveat says that a part of the suite was run:\n%s", all)
	}
}

// The contents of each member.
func TestContents(t *testing.T) {
	v := sample.Broken(t)
	r := New(v)
	if r.Implementation.Organization != "Sample & Söhne" || r.Interface.Title == "" || r.Run.ID != v.Record.ID || r.Date.Location() != time.UTC {
		t.Errorf("%+v", r)
	}
	if want := "hallmark run --base-url " + v.Record.Target.BaseURL + " --seed 20261121"; r.Reproduce.Command != want {
		t.Errorf("the command is %s, want %s", r.Reproduce.Command, want)
	}
	if s := r.Summary; s.Exchanges != len(v.Record.Exchanges) || s.Scenarios.Total != len(v.Record.Scenarios) || s.Rules.Total != len(v.Catalogue.Rules) ||
		s.Rules.Violated != v.Result.Count(verdict.Violated, "") || s.Must.Conforms != v.Result.Count(verdict.Conforms, spec.Must) {
		t.Errorf("the summary is %+v", s)
	}
	if ended := v.Record.Ended.UTC(); r.Date.After(ended) || ended.Sub(r.Date) >= time.Second || r.Date.Nanosecond() != 0 {
		t.Errorf("the date is %v, and the run ended at %v", r.Date, ended)
	}
	if len(r.Observations) != r.Summary.Rules.Observed {
		t.Errorf("%d observations for %d observed rules", len(r.Observations), r.Summary.Rules.Observed)
	}
	all, cut := v.Observed(), 0
	for _, o := range r.Observations {
		if len(o.Answers) > answersKept || len(o.Answers)+o.More != len(all[o.Rule]) {
			t.Errorf("%s has %d answers and %d more, of %d", o.Rule, len(o.Answers), o.More, len(all[o.Rule]))
		}
		for i, a := range o.Answers {
			if len(a.Asked) > askedKept || len(a.Asked)+a.More != len(all[o.Rule][i].Asked) {
				t.Errorf("%s: %s has %d questions and %d more, of %d", o.Rule, a.Answer, len(a.Asked), a.More, len(all[o.Rule][i].Asked))
			}
			cut += a.More
		}
	}
	if cut == 0 {
		t.Error("no list of questions was long enough to be cut")
	}
	leading := map[string]bool{}
	for _, a := range r.Areas {
		for _, f := range a.Failed {
			if f.Says == "" || !strings.HasPrefix(f.Message, "expected ") || f.Findings == 0 || f.Cause == "" {
				t.Errorf("%+v", f)
			}
			leading[f.Cause] = true
		}
	}
	shaky := func(r *Report) (n int) {
		for _, a := range r.Areas {
			for _, f := range a.Failed {
				n += one(f.Intermittent)
			}
		}
		return n
	}
	if sure, now := shaky(r), shaky(New(sample.Named(t, "intermittent"))); sure != 0 || now == 0 {
		t.Errorf("%d rules are intermittent where none is, and %d where some are", sure, now)
	}
	for _, c := range v.Result.Causes {
		if !leading[c.Rule] {
			t.Errorf("no failed rule names the cause %s", c.Rule)
		}
	}
	rec := *v.Record
	rec.Options.Rules, rec.Options.Tags, rec.Options.Strict = []string{"list", "get"}, "@a && @b", true
	rec.Shards = []record.Part{{Seed: 1}, {Seed: 2}}
	rec.Options.Seed = 0
	r = New(view.New(&rec, v.Sources))
	if want := " --strict --tags '@a && @b' --rule list --rule get"; !strings.HasSuffix(r.Reproduce.Command, want) || len(r.Reproduce.Seeds) != 2 {
		t.Errorf("%+v", r.Reproduce)
	}
}

// A failing writer is reported.
func TestWritersThatFail(t *testing.T) {
	v := sample.Good(t)
	format := Format(nil)
	for _, write := range []func(io.Writer, *view.View) error{format.Write, format.Ending[".json"]} {
		if err := write(broken{}, v); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func BenchmarkReport(b *testing.B) {
	v := sample.Big(b, 2000)
	for name, write := range map[string]func(io.Writer, *view.View) error{"yaml": Format(nil).Write, "json": Format(nil).Ending[".json"]} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := write(io.Discard, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
