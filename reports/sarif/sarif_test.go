package sarif

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

const schema = "testdata/sarif-2.1.0.json"

// builtIn is where the contract of the samples stands.
const builtIn = "spec/petstore/openapi.yaml"

func written(tb testing.TB, v *view.View) []byte { return sample.Written(tb, Format(), v) }

// run is what a reader sees of it.
type run struct {
	Tool struct {
		Driver struct{ Rules []struct{ ID string } }
	}
	Invocations []invocation
	Results     []result
}

func read(t *testing.T, v *view.View) run {
	t.Helper()
	var doc struct{ Runs []run }
	if err := json.Unmarshal(written(t, v), &doc); err != nil || len(doc.Runs) != 1 {
		t.Fatal(err)
	}
	return doc.Runs[0]
}

func TestItKeepsTheSchema(t *testing.T) {
	published := sample.Schema(t, schema)
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			out := sample.Sound(t, Format(), v)
			sample.Valid(t, published, out)
			if len(out) > 10_000_000 {
				t.Errorf("%d bytes are more than GitHub takes", len(out))
			}
			r := read(t, v)
			prints := map[string]bool{}
			for i, res := range r.Results {
				// What GitHub asks of a result: a file and a line, relative to the repository, and a rule.
				if len(res.Locations) != 1 || res.Locations[0].Physical.Region.StartLine < 1 || res.Locations[0].Physical.Artifact.URI != builtIn {
					t.Errorf("result %d stands at %+v", i, res.Locations)
				}
				if res.RuleID != r.Tool.Driver.Rules[res.RuleIndex].ID || res.Message.Text == "" {
					t.Errorf("result %d is of rule %d, %s", i, res.RuleIndex, res.RuleID)
				}
				if prints[res.Fingerprints[fingerprint]] {
					t.Errorf("result %d has the fingerprint of another", i)
				}
				prints[res.Fingerprints[fingerprint]] = true
			}
		})
	}
}

// A result stands where the contract says what is broken.
func TestResultsPointAtTheContract(t *testing.T) {
	v := sample.Broken(t)
	r := read(t, v)
	if len(r.Results) != len(v.Result.Causes) {
		t.Fatalf("%d results of %d causes", len(r.Results), len(v.Result.Causes))
	}
	exact := 0
	for i, c := range v.Result.Causes {
		res := r.Results[i]
		line := res.Locations[0].Physical.Region.StartLine
		if c.Lead.Contract != "" {
			exact++
			if want := v.Contract.Line(c.Lead.Contract); line != want {
				t.Errorf("%s: line %d, not %d", c.Rule, line, want)
			}
		}
		want := map[spec.Level]string{spec.Must: "error", spec.Should: "warning"}[c.Level]
		if res.RuleID != c.Rule || res.Level != want || res.Occurrences != c.Findings || len(res.Suppressions) != 0 {
			t.Errorf("%s is told as %+v", c.Rule, res)
		}
		for _, part := range []string{c.Says, "Expected " + text.Short(c.Lead.Expected.String()), "actual " + text.Short(c.Lead.Actual.String()), c.Rerun} {
			if !strings.Contains(res.Message.Text, part) {
				t.Errorf("%s: %q is not in %q", c.Rule, part, res.Message.Text)
			}
		}
		ex := v.Cited(c.Lead)[len(v.Cited(c.Lead))-1]
		if res.Request.Method != ex.Request.Method || !strings.HasSuffix(ex.Request.URL, res.Request.Target) || !strings.HasPrefix(res.Request.Target, "/v1") {
			t.Errorf("%s %s for %s", res.Request.Method, res.Request.Target, ex.Request.URL)
		}
		if res.Response.StatusCode != ex.Response.Status || res.Response.Body != nil && !strings.HasPrefix(string(ex.Response.Body), res.Response.Body.Text) {
			t.Errorf("%+v", res.Response)
		}
	}
	if exact == 0 {
		t.Error("no cause of the sample names a constraint of the contract")
	}
}

func TestTheNextRunHasTheSameFingerprints(t *testing.T) {
	prints := func(v *view.View) map[string]string {
		all := map[string]string{}
		for _, r := range read(t, v).Results {
			all[r.RuleID] = r.Fingerprints[fingerprint]
		}
		return all
	}
	first, again := prints(sample.Broken(t)), prints(sample.Run(t, sample.Options{Wrap: sample.Faulty}))
	same := 0
	for rule, mark := range first {
		other, found := again[rule]
		switch {
		case !found: // which rules are told as causes depends on the order of the responses for some
		case other != mark:
			t.Errorf("%s has the fingerprint %s, and %s in the next run", rule, mark, other)
		default:
			same++
		}
	}
	if same < 3 {
		t.Errorf("%d of %d results have the same fingerprint in the next run: %q and %q", same, len(first), first, again)
	}
}

func TestKnownDeviationsAreSuppressed(t *testing.T) {
	v := sample.Named(t, "known")
	r := read(t, v)
	n := 0
	for _, d := range v.Result.Deviations {
		i := len(v.Result.Causes) + n
		if i >= len(r.Results) || r.Results[i].RuleID != d.Rule || len(r.Results[i].Suppressions) != 1 ||
			!strings.Contains(r.Results[i].Suppressions[0].Justification, d.Reason) || r.Results[i].Request == nil {
			t.Errorf("result %d is not the known violation of %s", i, d.Rule)
		}
		n++
	}
	if n == 0 || len(r.Results) != n+len(v.Result.Causes) {
		t.Errorf("%d results, of which %d are known", len(r.Results), n)
	}
	outdated := read(t, sample.Named(t, "outdated")).Invocations[0].Configuration
	if len(outdated) == 0 || outdated[0].Level != "error" {
		t.Errorf("nothing is said of deviations that no longer hold: %v", outdated)
	}
}

func TestHowTheRunWent(t *testing.T) {
	for name, want := range map[string]struct {
		successful bool
		says       string
	}{
		"good": {true, ""}, "broken": {true, ""}, "lost": {false, "the target stopped answering"}, "interrupted": {false, "did not reach its end"},
		"harness": {false, "hallmark itself failed"}, "a part": {true, ""},
	} {
		in := read(t, sample.Named(t, name)).Invocations[0]
		said := ""
		for _, n := range in.Execution {
			said += n.Message.Text + "\n"
		}
		if in.Successful != want.successful || !strings.Contains(said, want.says) || in.ExitCode != sample.Named(t, name).Result.ExitCode {
			t.Errorf("%s: %+v", name, in)
		}
	}
}

func TestTextStaysText(t *testing.T) {
	for in, want := range map[string]string{
		"[click](https://evil.example)": "[click] (https://evil.example)",
		`{"a":1} and {0} and {12}`:      `{"a":1} and { 0} and { 12}`,
		"/pets/{petId}[0]":              "/pets/{petId}[0]",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q is shown as %q", in, got)
		}
	}
}

func TestContractOfOnesOwn(t *testing.T) {
	v := *sample.Broken(t)
	for name, want := range map[string]artifactLocation{
		"./api/pets v1.yaml": {"api/pets%20v1.yaml", sourceRoot},
		"/srv/pets.yaml":     {"file:///srv/pets.yaml", ""},
		"":                   {"openapi.yaml", sourceRoot},
	} {
		v.ContractFile = name
		if got := read(t, &v).Results[0].Locations[0].Physical.Artifact; got != want {
			t.Errorf("%q is told as %+v", name, got)
		}
	}
}

func TestLongBodiesAreCut(t *testing.T) {
	for _, long := range []string{strings.Repeat("é", longBody), strings.Repeat("\xff", longBody+1)} {
		c, cut := body([]byte(long))
		if !cut || len(c.Text) > longBody || (c.Text == "") != (c.Binary != "") || c.Text != "" && !strings.HasPrefix(long, c.Text) {
			t.Errorf("%v, %d", cut, len(c.Text))
		}
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }

// Readers take another category for another tool, and keep the results of both: the name of the program is in it, not the path of its module.
func TestCategory(t *testing.T) {
	for project, want := range map[string]string{"": "hallmark/", "Pets": "hallmark/Pets/", "a/b": "hallmark/a-b/"} {
		l := &log{View: &view.View{Record: &record.Record{Target: record.Target{Implementation: record.Implementation{Project: project}}}}}
		if got := l.category(); got != want {
			t.Errorf("%q: %q, want %q", project, got, want)
		}
	}
}
