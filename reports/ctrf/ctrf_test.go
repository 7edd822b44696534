package ctrf

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func written(tb testing.TB, v *view.View) []byte { return sample.Written(tb, Format(), v) }

type results struct {
	Summary     summary
	Tests       []test
	Environment environment
}

func read(t *testing.T, v *view.View) results {
	t.Helper()
	var doc struct{ Results results }
	if err := json.Unmarshal(written(t, v), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Results
}

func TestItKeepsTheSchema(t *testing.T) {
	published := sample.Schema(t, "testdata/ctrf-schema-0.0.json")
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			out := sample.Sound(t, Format(), v)
			sample.Valid(t, published, out)
		})
	}
}

// The summary is what the tests say, and nothing is green that is not.
func TestTheSummaryIsThatOfTheTests(t *testing.T) {
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			r := read(t, v)
			count := map[status]int{}
			ids := map[string]bool{}
			flaky := 0
			for _, one := range r.Tests {
				count[one.Status]++
				if ids[one.TestID] {
					t.Errorf("two tests are called %s", one.TestID)
				}
				ids[one.TestID] = true
				if one.Flaky {
					flaky++
				}
				if one.Status != passed && one.Message == "" {
					t.Errorf("%s is %s, and does not say why", one.Name, one.Status)
				}
				if one.Status == failed && one.Suite[0] != "hallmark" && one.Suite[0] != "known violations" && !strings.HasPrefix(one.Trace, "FAIL  ") {
					t.Errorf("%s failed, and tells %.80q", one.Name, one.Trace)
				}
			}
			s := r.Summary
			if s.Tests != len(r.Tests) || s.Passed != count[passed] || s.Failed != count[failed] || s.Skipped != count[skipped] || s.Other != count[other] || s.Flaky != flaky {
				t.Errorf("%+v for %v", s, count)
			}
			if s.Stop-s.Start != s.Duration || s.Duration < 0 {
				t.Errorf("%+v", s)
			}
			bad := v.Result.ExitCode == verdict.ExitViolated || v.Result.Verdict == verdict.Inconclusive || v.Result.ExitCode == verdict.ExitHarness || v.Record.Lost != "" || !v.Record.Complete
			if bad != (s.Failed > 0) {
				t.Errorf("%s (exit code %d): %d tests failed", v.Result.Verdict, v.Result.ExitCode, s.Failed)
			}
			if r.Environment.Healthy != (v.Result.ExitCode == verdict.ExitOK) {
				t.Errorf("healthy: %v", r.Environment.Healthy)
			}
		})
	}
}

func TestScenariosBecomeTests(t *testing.T) {
	v := sample.Broken(t)
	r := read(t, v)
	for i := range v.Record.Scenarios {
		sc, one := &v.Record.Scenarios[i], r.Tests[i]
		if one.TestID != sc.ID || len(one.Steps) != len(sc.Steps) || one.Duration != sc.Elapsed.Milliseconds() || one.FilePath != sc.File() {
			t.Fatalf("%+v for %+v", one, sc)
		}
		if strings.HasPrefix(sc.ID, "features/") && (one.Line == 0 || one.Suite[0] != sc.Feature || one.Labels["rule"][0] != sc.Rules[0]) {
			t.Errorf("%.300s", fmt.Sprintf("%+v", one))
		}
		if (one.Status == failed) != (len(v.Sort(sc).Failing) > 0) {
			t.Errorf("%s is %s", one.Name, one.Status)
		}
	}
}

func TestWhatComesAndGoesIsFlaky(t *testing.T) {
	v := sample.Named(t, "intermittent")
	r := read(t, v)
	flaky := map[string]bool{}
	for _, one := range r.Tests {
		if one.Flaky {
			flaky[one.TestID] = true
			if one.Status == passed || one.Retries != 3 {
				t.Errorf("%s is %s after %d repetitions", one.Name, one.Status, one.Retries)
			}
		}
	}
	for _, c := range v.Record.Confirmations {
		if !flaky[c.Scenario] {
			t.Errorf("%s is not told as flaky", c.Scenario)
		}
	}
	for _, one := range read(t, sample.Broken(t)).Tests {
		if one.Flaky {
			t.Errorf("%s is told as flaky, though it showed again", one.Name)
		}
	}
}

func TestKnownDeviationsNeitherPassNorFail(t *testing.T) {
	n := 0
	for _, one := range read(t, sample.Named(t, "known")).Tests {
		if one.RawStatus == "known violation" {
			n++
			if one.Status != other || !strings.Contains(one.Message, "it is old") || !strings.HasPrefix(one.Stdout[0], "KNOWN ") {
				t.Errorf("%.300s", fmt.Sprintf("%+v", one))
			}
		}
	}
	if n == 0 {
		t.Error("none is told of")
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }
