package github_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hallmark-kit/hallmark/reports/github"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// command is a workflow command as the runner reads it.
type command struct {
	name       string
	properties map[string]string
	data       string
}

// read takes a line for a command in either of the two forms that the runner knows (ActionCommand.cs of actions/runner):
// "::name k=v,k=v::data" after any blanks, and "##[name k=v;k=v]data" anywhere.
func read(line string) (command, bool) {
	if rest, found := strings.CutPrefix(strings.TrimSpace(line), "::"); found {
		if info, data, closed := strings.Cut(rest, "::"); closed {
			return parsed(info, ",", data)
		}
	}
	if _, rest, found := strings.Cut(line, "##["); found {
		if info, data, closed := strings.Cut(rest, "]"); closed {
			return parsed(info, ";", data)
		}
	}
	return command{}, false
}

func parsed(info, separator, data string) (command, bool) {
	name, rest, _ := strings.Cut(info, " ")
	c := command{name: name, properties: map[string]string{}, data: unescaped(data, "%0D", "\r", "%0A", "\n", "%25", "%")}
	for pair := range strings.SplitSeq(strings.TrimSpace(rest), separator) {
		if key, value, found := strings.Cut(pair, "="); found {
			c.properties[key] = unescaped(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		}
	}
	return c, true
}

// unescaped replaces one after the other, as the runner does.
func unescaped(text string, pairs ...string) string {
	for pair := range slices.Chunk(pairs, 2) {
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	return text
}

func commands(t testing.TB, text string) []command {
	t.Helper()
	var all []command
	for line := range strings.Lines(text) {
		c, is := read(strings.TrimSuffix(line, "\n"))
		if !is {
			t.Errorf("this is no command: %s", line)
		}
		all = append(all, c)
	}
	return all
}

// Nothing that passes the guard is a command, however it is cut into pieces, and nothing else is changed.
func TestGuard(t *testing.T) {
	letters := []rune("a:# [\n\r\t\x1b;m0]e\u00a0\u2003é")
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom(letters), 0, 40, -1).Draw(r, "text")
		var out bytes.Buffer
		guard := github.Guard(&out)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(r, "piece")
			if _, err := guard.Write([]byte(rest[:n])); err != nil {
				r.Fatal(err)
			}
			rest = rest[n:]
		}
		for line := range strings.FieldsFuncSeq(out.String(), func(c rune) bool { return c == '\n' || c == '\r' }) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				r.Fatalf("%q passes as %q", text, out.String())
			}
		}
		plain := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if plain(out.String()) != plain(text) {
			r.Fatalf("%q becomes %q", text, out.String())
		}
	})
	for text, want := range map[string]string{
		"::error::owned\n": ": :error::owned\n", "  ::error::x": "  : :error::x", "a ::b:: ##[c]": "a ::b:: ## [c]", "\x1b[1m::x::": "\x1b[1m: :x::",
		"::\n::": ": :\n: :", "plain text: as it is # [1]": "plain text: as it is # [1]",
	} {
		var out bytes.Buffer
		fmt.Fprint(github.Guard(&out), text)
		if out.String() != want {
			t.Errorf("%q becomes %q, want %q", text, out.String(), want)
		}
	}
}

func TestAnnotations(t *testing.T) {
	v := sample.Broken(t)
	all := commands(t, github.Annotations(v, func(c verdict.Cause) github.Location {
		return github.Location{File: "a, b::c 100%.feature", Line: len(c.Rule)}
	}))
	failing, warning := v.Causes()
	if len(all) != len(failing)+len(warning) {
		t.Fatalf("%d annotations for %d causes", len(all), len(failing)+len(warning))
	}
	for i, c := range failing {
		a := all[i]
		want := map[string]string{"title": c.Rule + " (must)", "file": "a, b::c 100%.feature", "line": fmt.Sprint(len(c.Rule))}
		if a.name != "error" || fmt.Sprint(a.properties) != fmt.Sprint(want) {
			t.Errorf("%s: %s %v, want %v", c.Rule, a.name, a.properties, want)
		}
		for _, part := range []string{c.Says, c.Message, c.Rerun} {
			if !slices.Contains(strings.Split(a.data, "\n"), part) {
				t.Errorf("%s does not say %q: %q", c.Rule, part, a.data)
			}
		}
	}
}

// The text of a hostile service, or record, stays in the message.
func TestHostileAnnotations(t *testing.T) {
	rec := *sample.Hostile(t).Record
	rec.Scenarios = append(slices.Clone(rec.Scenarios), record.Scenario{ID: "x:1", Outcome: record.Failed, Rules: []string{"list.status.honoured"}, Findings: []spec.Finding{
		{Rule: "list.status.honoured", Expected: phrase.Of("a\n::error::owned"), Actual: phrase.Of("100%0A::error::owned ##[error]x"), Where: phrase.Place{Text: "\r\n::stop-commands::x"}},
	}})
	v := view.New(&rec, sample.Hostile(t).Sources)
	text := github.Annotations(v, nil)
	for _, a := range commands(t, text) {
		if !slices.Contains([]string{"error", "warning", "notice"}, a.name) || len(a.properties) != 1 || a.properties["title"] == "" {
			t.Errorf("a command %s with %v", a.name, a.properties)
		}
	}
	if !strings.Contains(text, "%250A::error::owned") || strings.ContainsAny(text, "\r\x1b\u202e") {
		t.Errorf("not all is escaped: %q", text)
	}
}

// No more than GitHub shows, and the last says how many more there are.
func TestManyAnnotations(t *testing.T) {
	from := sample.Broken(t)
	rec := *from.Record
	rec.Scenarios, rec.Exchanges = nil, nil
	for i, r := range from.Catalogue.Rules {
		if r.Level != spec.Open && r.Untestable == "" {
			rec.Scenarios = append(rec.Scenarios, record.Scenario{
				ID: fmt.Sprintf("features/x.feature:%d", i), Outcome: record.Failed, Rules: []string{r.ID},
				Findings: []spec.Finding{{Rule: r.ID, Expected: phrase.Of(strings.Repeat("x", i)), Actual: phrase.Of("y")}},
			})
		}
	}
	v := view.New(&rec, from.Sources)
	failing, _ := v.Causes()
	var failures []command
	for _, a := range commands(t, github.Annotations(v, nil)) {
		if a.name == "error" {
			failures = append(failures, a)
		}
	}
	want := fmt.Sprintf("%d more;", len(failing)-github.Most+1)
	if len(failures) != github.Most || !strings.HasPrefix(failures[github.Most-1].data, want) {
		t.Errorf("%d annotations, the last %q; want %d, the last %q", len(failures), failures[len(failures)-1].data, github.Most, want)
	}
}

// A run without a cause says its verdict only where there is something to say.
func TestVerdictAnnotations(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*record.Record)
		want   string
	}{
		"conformant": {func(*record.Record) {}, ""},
		"partial":    {func(r *record.Record) { r.Options.Rules = []string{"list"} }, "notice"},
		"lost":       {func(r *record.Record) { r.Lost = "connection refused" }, "error"},
		"harness":    {func(r *record.Record) { r.Failure = "a step is undefined" }, "error"},
	} {
		rec := *sample.Good(t).Record
		c.change(&rec)
		v := view.New(&rec, sample.Good(t).Sources)
		got := ""
		for _, a := range commands(t, github.Annotations(v, nil)) {
			got += a.name
			if a.properties["title"] != "hallmark: "+v.Result.Verdict.Word() {
				t.Errorf("%s: %v", name, a.properties)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for name, v := range sample.EdgeCases(t) {
		t.Run(name, func(t *testing.T) { commands(t, github.Annotations(v, nil)) })
	}
}
