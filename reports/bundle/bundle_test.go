package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	gherkin "github.com/cucumber/gherkin/go/v42"
	cucumber "github.com/cucumber/messages/go/v34"
	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func packed(tb testing.TB, v *view.View) []byte { return sample.Written(tb, Format(), v) }

// unzipped are the texts in a bundle, by their names.
func unzipped(t *testing.T, bundle []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || !fs.ValidPath(f.Name) || all[f.Name] != "" {
			t.Fatalf("%s: %v", f.Name, err)
		}
		all[f.Name] = string(text)
	}
	return all
}

// unwrapped is a text without white space: lines are broken where they get too long, also within a word.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), "") }

func TestABundleHoldsEachFailure(t *testing.T) {
	archive := sample.Schema(t, "../har/testdata/har-schema-2.0.0/har.json")
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			bundle := packed(t, v)
			if !bytes.Equal(bundle, packed(t, v)) {
				t.Error("the same record gives another bundle")
			}
			all := unzipped(t, bundle)
			failing, _ := v.Causes()
			for i, c := range failing {
				dir := caseName(i, c.Rule) + "/"
				for _, part := range []string{c.Rule, text.Short(c.Lead.Expected.String()), "hallmark replay"} {
					if !strings.Contains(unwrapped(all[dir+"README.txt"]), unwrapped(part)) {
						t.Errorf("%sREADME.txt does not say %q", dir, part)
					}
				}
				sample.Valid(t, archive, []byte(all[dir+"exchanges.har"]))
				for _, ex := range v.Cited(c.Lead) {
					if !strings.Contains(all[dir+"exchanges.har"], fmt.Sprintf(`"_hallmark":{"exchange":%d,`, ex.Seq)) {
						t.Errorf("%sexchanges.har lacks exchange %d", dir, ex.Seq)
					}
				}
				script(t, dir, all[dir+"replay.sh"], len(v.Cited(c.Lead)), name == "broken" || name == "hostile")
			}
			for name, text := range all {
				if strings.Contains(text, sample.Key) {
					t.Errorf("%s holds the key", name)
				}
				if strings.HasSuffix(name, ".feature") {
					continue // the suite's own text
				}
				for _, r := range text {
					if r != '\n' && !unicode.IsPrint(r) && (r != '\u2026') {
						t.Fatalf("%s: %U stands there as it is", name, r)
					}
				}
			}
			read, err := Read(must(zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))))
			if (err != nil) != (len(failing) == 0) {
				t.Fatalf("%d failures: %v", len(failing), err)
			}
			for i, f := range read {
				if f.Rule != failing[i].Rule || f.Broken[0] != failing[i].Lead.Rule || f.Scenarios[0] != failing[i].Scenario || f.Options.Seed != v.Record.Options.Seed {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// script checks that a shell understands what is written, and that shellcheck has nothing against it where it is.
func script(t *testing.T, dir, text string, requests int, closely bool) {
	t.Helper()
	shell := "sh"
	if strings.HasPrefix(text, "#!/usr/bin/env bash\n") {
		shell = "bash"
	}
	check := exec.CommandContext(t.Context(), shell, "-n")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%sreplay.sh: %v: %s", dir, err, out)
	}
	if n := strings.Count(text, "curl -sS"); n != requests {
		t.Errorf("%sreplay.sh sends %d requests, not %d:\n%s", dir, n, requests, text)
	}
	if _, err := exec.LookPath("shellcheck"); err != nil || !closely {
		return // it takes its time, and the scripts of the other samples are the same
	}
	// SC2016: what stands in single quotes was sent as it is. SC2089, SC2090: quotes in a variable.
	check = exec.CommandContext(t.Context(), "shellcheck", "-e", "SC2016,SC2089,SC2090", "-")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%sreplay.sh: %v: %.1500s", dir, err, out)
	}
}

// The script asks the service that it is told of, with the key of the environment.
func TestTheScriptAsksAgain(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is missing")
	}
	v := sample.Broken(t)
	failing, _ := v.Causes()
	bin := t.TempDir() // a curl that says what it is told to do
	fake := "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n"
	if err := os.WriteFile(filepath.Join(bin, "curl"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	all := unzipped(t, packed(t, v))
	for i, c := range failing {
		run := exec.CommandContext(t.Context(), "bash", "-s", "http://other.example/v1")
		run.Stdin = strings.NewReader(all[caseName(i, c.Rule)+"/replay.sh"])
		run.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HALLMARK_API_KEY=sesame-open"}
		out, err := run.CombinedOutput()
		cited := v.Cited(c.Lead)
		// An id would be that of the new response, and this curl gives none: nothing is asked in its place.
		stop := -1
		for k, ex := range cited {
			if k > 0 && ex.Operation == "getPet" && stop < 0 { // the first one asks for the id that was read
				stop = k
			}
		}
		switch {
		case stop >= 0:
			if err == nil || !strings.Contains(string(out), ": no id in response1\n") || strings.Contains(string(out), "/pets/>") {
				t.Errorf("%s: without an id: %v, %s", c.Rule, err, out)
			}
			cited = cited[:stop]
		case err != nil:
			t.Fatalf("%v: %s", err, out)
		}
		for _, ex := range cited {
			want := "<http://other.example/v1" + strings.TrimPrefix(ex.Request.URL, v.Record.Target.BaseURL) + ">"
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %s is not asked for: %s", c.Rule, want, out)
			}
			if ex.Request.Header.Get("Authorization") == "Bearer $HALLMARK_API_KEY" && !strings.Contains(string(out), "<Authorization: Bearer sesame-open>") {
				t.Errorf("%s: the key is not sent: %s", c.Rule, out)
			}
		}
		if !strings.Contains(all[caseName(i, c.Rule)+"/replay.sh"], "HALLMARK_API_KEY") {
			continue // what shows it is a request with a key that was made up
		}
		run = exec.CommandContext(t.Context(), "bash", "-s")
		run.Stdin = strings.NewReader(all[caseName(i, c.Rule)+"/replay.sh"])
		run.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
		if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), "is the API key") {
			t.Errorf("without a key: %v, %s", err, out)
		}
	}
}

// Every scenario of the suite, as a feature of its own, is the same scenario.
func TestOneScenarioAsAFeature(t *testing.T) {
	v := sample.Good(t)
	z := &archive{View: v}
	type step struct{ Text, Doc, Media, Table string }
	pickles := func(name, text string) map[string]*cucumber.Pickle {
		newID := (&cucumber.Incrementing{}).NewId
		document, err := gherkin.ParseGherkinDocument(strings.NewReader(text), newID)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		all := map[string]*cucumber.Pickle{}
		for _, p := range gherkin.Pickles(*document, name, newID) {
			all[fmt.Sprintf("%s:%d", name, p.Location.Line)] = p
		}
		return all
	}
	steps := func(p *cucumber.Pickle) (name string, tags []string, all []step) {
		for _, tag := range p.Tags {
			tags = append(tags, tag.Name)
		}
		for _, s := range p.Steps {
			one := step{Text: strings.TrimRight(s.Text, " ")} // of an outline whose last value is empty; Gherkin trims lines
			if s.Argument != nil && s.Argument.DocString != nil {
				one.Doc, one.Media = s.Argument.DocString.Content, s.Argument.DocString.MediaType
			}
			if s.Argument != nil && s.Argument.DataTable != nil {
				for _, row := range s.Argument.DataTable.Rows {
					for _, c := range row.Cells {
						one.Table += c.Value + "|"
					}
					one.Table += "\n"
				}
			}
			all = append(all, one)
		}
		return p.Name, tags, all
	}
	n := 0
	for file, text := range v.Features {
		for id, want := range pickles(file, text) {
			got := pickles("scenario.feature", z.feature(id))
			if len(got) != 1 {
				t.Fatalf("%s gives %d scenarios:\n%s", id, len(got), z.feature(id))
			}
			for _, p := range got {
				n++
				wantName, wantTags, wantSteps := steps(want)
				name, tags, all := steps(p)
				if diff := cmp.Diff(line(wantName), line(name)) + cmp.Diff(wantTags, tags) + cmp.Diff(wantSteps, all); diff != "" {
					t.Fatalf("%s: %s", id, diff)
				}
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d scenarios were tried", n)
	}
	if z.feature("preflight") != "" || z.feature("features/list.feature:1") != "" {
		t.Error("what is no scenario became one")
	}
}

func TestReadingIsBounded(t *testing.T) {
	good := must(json.Marshal(Failure{Schema: Schema, Rule: "a", Broken: []string{"a"}, Scenarios: []string{"s"}}))
	many := fstest.MapFS{}
	for i := range maxFailures + 1 {
		many[fmt.Sprintf("%d/failure.json", i)] = &fstest.MapFile{Data: good}
	}
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	w := must(z.Create("01-x/failure.json"))
	zeros := make([]byte, 1<<20)
	for range 200 {
		_ = must(w.Write(zeros))
	}
	_ = must(z.Create("../../failure.json"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files fs.FS
		says  string
	}{
		"nothing":       {fstest.MapFS{}, "holds no failure"},
		"too many":      {many, "holds 201 failures"},
		"no JSON":       {fstest.MapFS{"failure.json": {Data: []byte("{")}}, "damaged"},
		"other schema":  {fstest.MapFS{"failure.json": {Data: []byte(`{"schema":"hallmark.bundle/v9\u001b[2J"}`)}}, `hallmark.bundle/v9\x1b[2J, and this`},
		"says nothing":  {fstest.MapFS{"failure.json": {Data: []byte(`{"schema":"` + Schema + `"}`)}}, "does not say what was broken"},
		"a zip bomb":    {must(zip.NewReader(bytes.NewReader(bomb.Bytes()), int64(bomb.Len()))), "larger than 4 MiB"},
		"not a file":    {fstest.MapFS{"failure.json/x": {Data: good}}, ""},
		"out of a zip":  {fstest.MapFS{"failure.json": {Data: good}}, "-"},
		"a folder down": {fstest.MapFS{"01-a/failure.json": {Data: good}, "01-a/other": {}}, "-"},
	} {
		all, err := Read(c.files)
		switch {
		case c.says == "-":
			if err != nil || len(all) != 1 {
				t.Errorf("%s: %v", name, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{filepath.Join(t.TempDir(), "none"), "bundle_test.go"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }
