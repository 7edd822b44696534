package session_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports/github"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// unseen are characters that steer a terminal, turn the direction of writing, or cannot be seen.
const unseen = "\u202e\u202a\u2066\u2069\u200b\u200d\u200f\u00ad\ufeff\x1b[31m\x07\u0085"

// steering matches characters of unseen that were written as they are.
var steering = regexp.MustCompile("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u00ad\ufeff\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\u0080-\u009f]")

// names are members of a record whose values connect its parts; a record in which they differ shows other causes.
var names = []string{"schema", "id", "rule", "rules", "scenario", "operation", "level", "started", "ended", "now", "begin", "end", "at", "asked", "fate", "method", "kind", "class", "state", "sources", "body", "contract", "constraint", "type", "features", "catalogue"}

// forged returns a record with invisible characters after each of its texts.
func forged(t *testing.T, from *record.Record) *record.Record {
	t.Helper()
	var poison func(v any) any
	poison = func(v any) any {
		switch v := v.(type) {
		case string:
			return v + unseen
		case []any:
			for i := range v {
				v[i] = poison(v[i])
			}
		case map[string]any:
			for name, member := range v {
				if !slices.Contains(names, name) {
					v[name] = poison(member)
				}
			}
		}
		return v
	}
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	var out record.Record
	poisoned := 0
	for _, member := range slices.Sorted(maps.Keys(tree)) {
		was := tree[member]
		clean, _ := json.Marshal(map[string]any{member: was})
		if !slices.Contains(names, member) {
			tree[member] = poison(was)
		}
		dirty, err := json.Marshal(map[string]any{member: tree[member]})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(dirty, &out); err != nil { // a member whose texts are times, or of a fixed form
			if err := json.Unmarshal(clean, &out); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s stays as it is: %v", member, err)
			continue
		}
		poisoned++
	}
	if poisoned < 5 || len(out.Scenarios) == 0 || !strings.Contains(out.Scenarios[0].Name, "\u202e") {
		t.Fatalf("%d members hold what cannot be seen", poisoned)
	}
	return &out
}

// No report holds a character from outside that steers a terminal, turns the direction of writing or cannot be seen.
func TestReportsAreVisible(t *testing.T) {
	from := sample.Broken(t)
	sources := from.Sources
	sources.Features = map[string]string{}
	for name, text := range from.Features {
		sources.Features[name] = strings.ReplaceAll(text, "Feature: ", "Feature: "+strings.TrimRight(unseen, "\u0085"))
	}
	v := view.New(forged(t, from.Record), sources)
	if failing, _ := v.Causes(); len(failing) == 0 {
		t.Fatal("nothing fails")
	}
	check := func(name string, text []byte) {
		if at := steering.FindIndex(text); at != nil {
			t.Errorf("%s: …%q…", name, text[max(0, at[0]-60):min(len(text), at[1]+20)])
		}
	}
	for _, f := range session.Formats() {
		var out bytes.Buffer
		if err := f.Write(&out, v); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if !bytes.HasPrefix(out.Bytes(), []byte("PK")) {
			check(f.Name, out.Bytes())
			continue
		}
		archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.File {
			check(f.Name, []byte(file.Name))
			r, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			check(f.Name+": "+file.Name, text)
		}
	}
	var out bytes.Buffer
	if err := terminal.Write(&out, v, terminal.Look{}); err != nil {
		t.Fatal(err)
	}
	check("text", out.Bytes())
	check("annotations", []byte(github.Annotations(v, func(verdict.Cause) github.Location { return github.Location{File: "api.yaml", Line: 1} })))
}
