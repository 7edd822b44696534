package bundle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// The scripts beside reports are those of the causes that fail the run, a bounded number, in place of those of an earlier run.
func TestScriptsBesideReports(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "report-scripts")
	names := func() []string {
		var all []string
		entries, err := os.ReadDir(folder)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	all := map[string]*view.View{"broken": sample.Broken(t), "hostile": sample.Hostile(t), "good": sample.Good(t)}
	for name, v := range all {
		if err := WriteScripts(folder, v); err != nil {
			t.Fatal(err)
		}
		failing, _ := v.Causes()
		there := names()
		if len(there) != len(v.Scripts) || len(there) > mostScripts || len(there) > len(failing) {
			t.Errorf("%s: %d scripts of %d causes: %q", name, len(there), len(failing), there)
		}
		for i := range v.Result.Causes {
			c := &v.Result.Causes[i]
			command := v.Script(c)
			if command == "" {
				continue
			}
			written, err := os.ReadFile(v.Scripts[i])
			if err != nil || string(written) != Script(v, *c) || !strings.HasSuffix(strings.Trim(command, "'"), filepath.Base(v.Scripts[i])) {
				t.Errorf("%s: the script of %s is not at %s: %v", name, c.Rule, command, err)
			}
		}
		if outside, err := os.ReadDir(dir); err != nil || len(outside) > 1 {
			t.Errorf("%s: there are files beside the folder: %v", name, outside)
		}
	}
	if err := WriteScripts(folder, all["broken"]); err != nil || len(names()) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	for _, own := range []string{"notes.sh", "01-notes.sh"} {
		if err := os.WriteFile(filepath.Join(folder, own), []byte("#!/bin/sh\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteScripts(folder, all["good"]); err != nil || !slices.Equal(names(), []string{"01-notes.sh", "notes.sh"}) {
		t.Errorf("after a run without failures there are %q: %v", names(), err)
	}
}
