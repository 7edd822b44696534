package reports_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestOpenSinksRefuses(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		flags []string
		want  string
	}{
		{"no path", []string{"junit"}, "--report junit: a report is asked for as FORMAT:PATH, for example junit:report.xml; formats are json, junit"},
		{"an empty path", []string{"junit:"}, "a report is asked for as FORMAT:PATH"},
		{"no format", []string{":x"}, "a report is asked for as FORMAT:PATH"},
		{"nothing", []string{""}, "a report is asked for as FORMAT:PATH"},
		{"a misspelt format", []string{"jnuit:x"}, `--report jnuit:x: there is no format "jnuit"; formats are json, junit; did you mean junit?`},
		{"a format behind a comma", []string{"junit:x,json"}, "--report junit:x,json: json is asked for without a path; write json:PATH"},
		{"an unknown format", []string{"powerpoint:x"}, `there is no format "powerpoint"; formats are json, junit`},
		{"an unknown form", []string{"junit:by=rules:x"}, `the format junit has no form "by=rules"; forms are by=cause, by=rule, by=scenario`},
		{"a form without a path", []string{"junit:by=rule:"}, "a path is missing, as in junit:by=rule:report.xml"},
		{"a folder", []string{"json:" + dir}, "this is a folder; name a file in it"},
		{"a folder that is not there", []string{"json:" + dir + "/a/b.json"}, "the folder " + dir + "/a does not exist; create it first"},
		{"a file for a folder", []string{"json:" + plain + "/b.json"}, "is not a folder"},
		{"one path twice", []string{"json:" + dir + "/a", "junit:" + dir + "/./a"}, "goes to the same place already; give each report a path of its own"},
		{"standard output twice", []string{"json:-", "junit:-"}, "--report junit:-: json:- goes to the same place already"},
		{"control characters", []string{"\x1b[2J:x"}, `there is no format "\x1b[2J"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reports.OpenSinks(c.flags, formats(), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("the error is not one clean line: %q", err)
			}
		})
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("files were left: %v", left)
	}
}

// A format may be written in another way where the path ends so, whatever case the ending is in.
func TestSinksByEnding(t *testing.T) {
	dir := t.TempDir()
	says := func(text string) func(io.Writer, *view.View) error {
		return func(w io.Writer, _ *view.View) error {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	two := reports.Format{Name: "two", Write: says("one way"), Ending: map[string]func(io.Writer, *view.View) error{".json": says("another")}}
	want := map[string]string{"a.yaml": "one way", "b.json": "another", "c.JSON": "another", "json": "one way", "d.json.txt": "one way"}
	var flags []string
	for name := range want {
		flags = append(flags, "two:"+filepath.Join(dir, name))
	}
	sinks, err := reports.OpenSinks(flags, []reports.Format{two}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := sinks.Finish(fixture.ViewOf(t, &record.Record{})); err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, text)
		}
	}
}

func TestOpenSinksWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := reports.OpenSinks([]string{"json:" + dir + "/a.json"}, formats(), nil); err == nil || !strings.Contains(err.Error(), "nothing can be written in the folder") {
		t.Errorf("%v", err)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func readRecord(t *testing.T, path string) (*record.Record, *verdict.Result) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rec, res, err := reports.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	return rec, res
}

// A killed run leaves the last writing: it has to be whole, and say that it is incomplete.
func TestSinksWriteWhileTheRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	if err := os.WriteFile(path, []byte("an earlier run's"), 0o640); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		sinks, err := reports.OpenSinks([]string{"json:" + path, "junit:" + dir + "/report.xml"}, formats(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "an earlier run's" {
			t.Errorf("checking changed the file: %q, %v", text, err)
		}
		recorder := record.NewRecorder(record.Record{})
		if err := sinks.Start(recorder, fixture.Sources(t)); err != nil {
			t.Fatal(err)
		}
		if rec, res := readRecord(t, path); rec.Complete || len(rec.Scenarios) != 0 || res.ExitCode != verdict.ExitUnjudged {
			t.Errorf("at the beginning: %+v", res)
		}
		recorder.ExercisedAll([]string{"list.accepted", "create.accepted", "list.array"})
		recorder.AddScenario(record.Scenario{ID: "a:1", Rules: []string{"list.array"}, Outcome: record.Passed})
		<-time.After(3 * time.Second) // reports are written every 2
		synctest.Wait()
		rec, res := readRecord(t, path)
		if rec.Complete || len(rec.Scenarios) != 1 || res.Verdict != verdict.Partial || res.ExitCode != verdict.ExitUnjudged {
			t.Errorf("on the way: %d scenarios, %s, exit %d", len(rec.Scenarios), res.Verdict, res.ExitCode)
		}
		if text, err := os.ReadFile(dir + "/report.xml"); err != nil || !strings.Contains(string(text), "the run ended early") {
			t.Errorf("on the way JUnit says %s, %v", text, err)
		}
		recorder.AddScenario(record.Scenario{ID: "a:2", Rules: []string{"list.array"}, Outcome: record.Passed})
		final := recorder.Finish(record.Ending{Complete: true})
		if err := sinks.Finish(fixture.ViewOf(t, &final)); err != nil {
			t.Fatal(err)
		}
		if rec, _ := readRecord(t, path); !rec.Complete || len(rec.Scenarios) != 2 {
			t.Errorf("at the end: %+v", rec)
		}
		<-time.After(time.Minute)
	})
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("files were left: %v", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode changed: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(dir + "/report.xml"); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("others cannot read the report: %v, %v", info.Mode(), err)
	}
}

func TestSinksToStandardOutput(t *testing.T) {
	var out strings.Builder
	sinks, err := reports.OpenSinks([]string{"json:-"}, formats(), &out)
	if err != nil {
		t.Fatal(err)
	}
	if !sinks.Stdout() {
		t.Error("it does not say so")
	}
	recorder := record.NewRecorder(record.Record{})
	if err := sinks.Start(recorder, fixture.Sources(t)); err != nil || out.Len() > 0 {
		t.Errorf("wrote %d bytes at the beginning, %v", out.Len(), err)
	}
	final := recorder.Finish(record.Ending{Complete: true})
	if err := sinks.Finish(fixture.ViewOf(t, &final)); err != nil {
		t.Fatal(err)
	}
	if rec, _, err := reports.ReadJSON(strings.NewReader(out.String())); err != nil || !rec.Complete {
		t.Errorf("%v, %v", rec, err)
	}
}

func TestSinksKeepLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/real", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", dir+"/link"); err != nil {
		t.Skip("no links here")
	}
	finishOne(t, "json:"+dir+"/link")
	if info, err := os.Lstat(dir + "/link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	readRecord(t, dir+"/real")
}

func TestSinksToADevice(t *testing.T) {
	if err := finishOne(t, "json:/dev/null"); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatalf("the device was replaced: %v", err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := finishOne(t, "junit:/dev/full"); err == nil || !strings.Contains(err.Error(), "the report junit:/dev/full could not be written: no space left on device") {
			t.Errorf("%v", err)
		}
	}
}

// finishOne writes one report without Start.
func finishOne(t *testing.T, flag string) error {
	t.Helper()
	sinks, err := reports.OpenSinks([]string{flag}, formats(), nil)
	if err != nil {
		t.Fatal(err)
	}
	final := record.NewRecorder(record.Record{}).Finish(record.Ending{Complete: true})
	return sinks.Finish(fixture.ViewOf(t, &final))
}

func TestSinksWhoseFolderVanishes(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/a", 0o755); err != nil {
		t.Fatal(err)
	}
	sinks, err := reports.OpenSinks([]string{"json:" + dir + "/a/r.json", "json:" + dir + "/r.json"}, formats(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir + "/a"); err != nil {
		t.Fatal(err)
	}
	final := record.NewRecorder(record.Record{}).Finish(record.Ending{Complete: true})
	if err := sinks.Finish(fixture.ViewOf(t, &final)); err == nil || !strings.Contains(err.Error(), "/a/r.json could not be written: no such file") {
		t.Errorf("%v", err)
	}
	readRecord(t, dir+"/r.json") // the others are written all the same
	sinks, err = reports.OpenSinks([]string{"json:" + dir + "/r.json"}, formats(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := sinks.Start(record.NewRecorder(record.Record{}), fixture.Sources(t)); err == nil {
		t.Error("a run may not begin when its reports cannot be written")
	}
	if err := sinks.Finish(fixture.ViewOf(t, &final)); err == nil {
		t.Error("nor may it end as if they had been")
	}
}

// formats are two that write a file each.
func formats() []reports.Format { return []reports.Format{reports.JSON(), junit.Format()} }
