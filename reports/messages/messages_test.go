package messages

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cucumber "github.com/cucumber/messages/go/v34"
	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func written(tb testing.TB, v *view.View) []byte { return sample.Written(tb, Format(), v) }

func TestItKeepsTheSchema(t *testing.T) {
	published := sample.Schema(t, "testdata/messages.schema.json")
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			out := sample.Sound(t, Format(), v)
			i := 0
			for line := range bytes.Lines(out) {
				if i++; testing.Short() && i%10 != 1 {
					continue // make test FULL=1 validates them all
				}
				sample.Valid(t, published, line)
			}
		})
	}
}

// told is what the messages say of a run.
type told struct {
	scenarios int
	statuses  map[string]int
	// names are those of the pickles that were run, in order.
	names []string
}

// follow reads messages as a formatter does: each refers to what came before it.
func follow(t *testing.T, out []byte) told {
	t.Helper()
	var sum told
	sum.statuses = map[string]int{}
	pickles, steps, tests, attempts := map[string]*cucumber.Pickle{}, map[string]bool{}, map[string]*cucumber.TestCase{}, map[string]string{}
	worst := map[string]cucumber.TestStepResultStatus{}
	uris := map[string]bool{}
	need := func(ok bool, what string) {
		if !ok {
			t.Fatalf("%s refers to nothing that came before", what)
		}
	}
	phase := 0
	for line := range bytes.Lines(out) {
		var e cucumber.Envelope
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Meta != nil:
			need(phase == 0, "meta")
			phase = 1
		case e.Source != nil:
			need(phase == 1 && !uris[e.Source.Uri], "source")
			uris[e.Source.Uri] = true
		case e.GherkinDocument != nil:
			need(uris[e.GherkinDocument.Uri], "gherkinDocument")
		case e.Pickle != nil:
			need(uris[e.Pickle.Uri] && pickles[e.Pickle.Id] == nil, "pickle")
			pickles[e.Pickle.Id] = e.Pickle
			for _, s := range e.Pickle.Steps {
				steps[s.Id] = true
			}
		case e.StepDefinition != nil:
		case e.TestRunStarted != nil:
			phase = 2
		case e.TestCase != nil:
			need(phase == 2 && pickles[e.TestCase.PickleId] != nil, "testCase")
			tests[e.TestCase.Id] = e.TestCase
			for _, s := range e.TestCase.TestSteps {
				need(steps[s.PickleStepId], "testStep")
			}
		case e.TestCaseStarted != nil:
			need(tests[e.TestCaseStarted.TestCaseId] != nil, "testCaseStarted")
			attempts[e.TestCaseStarted.Id] = e.TestCaseStarted.TestCaseId
			sum.scenarios++
			sum.names = append(sum.names, pickles[tests[e.TestCaseStarted.TestCaseId].PickleId].Name)
			worst[e.TestCaseStarted.Id] = cucumber.TestStepResultStatus_PASSED
		case e.TestStepFinished != nil:
			need(attempts[e.TestStepFinished.TestCaseStartedId] != "", "testStepFinished")
			if s := e.TestStepFinished.TestStepResult.Status; weight(s) > weight(worst[e.TestStepFinished.TestCaseStartedId]) {
				worst[e.TestStepFinished.TestCaseStartedId] = s
			}
		case e.TestCaseFinished != nil:
			sum.statuses[string(worst[e.TestCaseFinished.TestCaseStartedId])]++
		case e.TestRunFinished != nil:
			phase = 3
		}
	}
	if phase != 3 {
		t.Fatal("the run has no end")
	}
	return sum
}

// expected counts the cases of a record as Cucumber calls them.
func expected(v *view.View) map[string]int {
	all := map[string]int{}
	for i := range v.Record.Scenarios {
		is := v.Case(&v.Record.Scenarios[i])
		switch {
		case is.Outcome == record.Failed:
			all["FAILED"]++
		case is.Outcome == record.Errored:
			all["PENDING"]++
		case is.Outcome == record.Skipped, is.Excused:
			all["SKIPPED"]++
		default:
			all["PASSED"]++
		}
	}
	return all
}

func TestMessagesTellEveryScenario(t *testing.T) {
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			got := follow(t, written(t, v))
			if diff := cmp.Diff(expected(v), got.statuses); diff != "" {
				t.Error(diff)
			}
			for i, sc := range v.Record.Scenarios {
				if line(sc.Name) != line(got.names[i]) {
					t.Fatalf("scenario %s is told as %q", sc.ID, got.names[i])
				}
			}
		})
	}
}

// Names and steps of features that are not at hand may be anything.
func TestFeaturesOfOthers(t *testing.T) {
	v := view.New(&record.Record{Scenarios: []record.Scenario{
		{ID: "features/x.feature:9", Feature: "x", Sentence: "Rule: a\nb", Name: "in a rule", Tags: []string{"@ok", "@#", "no"}, Steps: []record.Step{
			{Keyword: "Given", Text: "a\n\"\"\"\n| x |", Outcome: record.Passed}, {Keyword: "Etant donné", Text: "", Outcome: record.Failed},
		}, Outcome: record.Errored},
		{ID: "features/x.feature:3", Feature: "x", Name: "", Outcome: record.Passed},
		{ID: "features/x.feature:3", Feature: "x", Name: "Examples:", Outcome: record.Skipped, Reason: "\x1b[2J"},
		{ID: "", Name: "\u202e", Outcome: record.Passed},
	}}, view.Sources{Features: map[string]string{"features/x.feature": "no Gherkin"}})
	got := follow(t, written(t, v))
	if diff := cmp.Diff(map[string]int{"PASSED": 2, "SKIPPED": 1, "PENDING": 1}, got.statuses); diff != "" {
		t.Error(diff)
	}
}

// TestCucumberShowsIt hands messages to Cucumber's own libraries: its query library counts what we count, and its HTML
// formatter makes a page.
func TestCucumberShowsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("make test FULL=1 asks Cucumber's own formatter")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing", program)
		}
	}
	tool := filepath.Join("..", "..", "tools", "cucumber-html")
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "render.mjs"} {
		content, err := os.ReadFile(filepath.Join(tool, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("Cucumber's packages cannot be had here: %v: %.500s", err, out)
	}
	// The others differ in nothing that this would see. Of an empty record the formatter has nothing to show.
	for _, name := range []string{"good", "broken", "hostile", "lost", "foreign", "known", "interrupted"} {
		v := sample.Named(t, name)
		t.Run(name, func(t *testing.T) {
			page := filepath.Join(t.TempDir(), "report.html")
			render := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "render.mjs"), page)
			render.Dir = dir
			render.Stdin = bytes.NewReader(written(t, v))
			var out, complaints bytes.Buffer
			render.Stdout, render.Stderr = &out, &complaints
			if err := render.Run(); err != nil {
				t.Fatalf("%v: %.1000s", err, complaints.String())
			}
			var got struct {
				Scenarios, Whole int
				Statuses         map[string]int
				Success          bool
				Message          string
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			maps.DeleteFunc(got.Statuses, func(_ string, n int) bool { return n == 0 })
			if diff := cmp.Diff(expected(v), got.Statuses); diff != "" {
				t.Error(diff)
			}
			if n := len(v.Record.Scenarios); got.Scenarios != n || got.Whole != n {
				t.Errorf("of %d scenarios %d are told, %d with all that belongs to them", n, got.Scenarios, got.Whole)
			}
			if got.Success != (v.Result.ExitCode == verdict.ExitOK) || !strings.HasPrefix(got.Message, v.Result.Verdict.Word()) {
				t.Errorf("%+v", got)
			}
			if html, err := os.ReadFile(page); err != nil || !bytes.Contains(html, []byte("CUCUMBER_MESSAGES")) || bytes.Contains(html, []byte("<script>document.title")) {
				t.Errorf("the page is not as it should be: %v, %d bytes", err, len(html))
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }
