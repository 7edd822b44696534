package reports_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"hallmark/reports"
	"hallmark/reports/fixture"
	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/spec"
)

func terminal(t *testing.T, r *fixture.Run, look reports.Look) string {
	t.Helper()
	var out strings.Builder
	if err := reports.Terminal(&out, fixture.ViewOf(t, &r.Rec), look); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTerminal(t *testing.T) {
	strict := fixture.BadRun(t)
	strict.Rec.Options.Strict = true
	for _, c := range []struct {
		file string
		run  *fixture.Run
		look reports.Look
	}{
		{"terminal-good.txt", fixture.GoodRun(t), reports.Look{Width: 100}},
		{"terminal-bad.txt", fixture.BadRun(t), reports.Look{Width: 100}},
		{"terminal-bad-narrow.txt", fixture.BadRun(t), reports.Look{Width: 60}},
		{"terminal-bad-strict-colour.txt", strict, reports.Look{Width: 100, Colour: true}},
		{"terminal-broken.txt", fixture.BrokenRun(t), reports.Look{}},
		{"terminal-part.txt", fixture.PartRun(t), reports.Look{Width: 80}},
	} {
		t.Run(c.file, func(t *testing.T) {
			fixture.Golden(t, c.file, terminal(t, c.run, c.look))
		})
	}
}

func TestTerminalDetails(t *testing.T) {
	for _, c := range []struct {
		file string
		run  *fixture.Run
		look reports.Look
	}{
		{"terminal-good-full.txt", fixture.GoodRun(t), reports.Look{Width: 100, Detail: reports.Full}},
		{"terminal-bad-brief.txt", fixture.BadRun(t), reports.Look{Detail: reports.Brief}},
		{"terminal-broken-brief.txt", fixture.BrokenRun(t), reports.Look{Detail: reports.Brief}},
		{"terminal-good-brief.txt", fixture.GoodRun(t), reports.Look{Detail: reports.Brief}},
	} {
		t.Run(c.file, func(t *testing.T) {
			fixture.Golden(t, c.file, terminal(t, c.run, c.look))
		})
	}
}

// What is said of a good run is seen at once, with a line left for the prompt of the shell.
func TestOneScreen(t *testing.T) {
	r := fixture.New(t)
	for _, rule := range fixture.Catalogue(t) {
		if rule.Level == spec.Open && rule.ID != "get.removed" && rule.ID != "create.name.unusual" {
			r.Scenario(rule.ID, record.Passed).Observations = []spec.Observation{{Rule: rule.ID, Asked: "a question", Answer: "a response", Exchange: 1}}
		}
	}
	r.Rec.NotApplicable = map[string]string{}
	for _, width := range []int{60, 80, 120} {
		text := terminal(t, r, reports.Look{Width: width})
		if n := strings.Count(text, "\n"); n > 24 || !strings.Contains(text, "CONFORMANT") || !strings.Contains(text, "NOT EXERCISED") {
			t.Errorf("%d lines in %d columns:\n%s", n, width, text)
		}
		for line := range strings.Lines(text) {
			if prose.Columns(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d columns: %s", width, line)
			}
		}
	}
}

// What failed stands at the end, and what was observed takes a line.
func TestFailuresAreNotScrolledAway(t *testing.T) {
	text := terminal(t, fixture.BadRun(t), reports.Look{Width: 80})
	last := -1
	for _, mark := range []string{"\nNOT EXERCISED ", "\nNOT APPLICABLE ", "\nOBSERVED ", "\nPROOF ", "\nFAIL ", "\nWARN ", "\nCAUSES ", "\nVIOLATED "} {
		at := strings.Index(text, mark)
		if at <= last {
			t.Errorf("%q stands at %d, after %d", mark, at, last)
		}
		last = at
	}
	if strings.Contains(text, "by id, ascending") {
		t.Error("an observation is told at length")
	}
}

// Logs and scripts look for the verdict in the last line.
func TestVerdictIsTheLastLine(t *testing.T) {
	for _, detail := range []reports.Detail{reports.Usual, reports.Brief, reports.Full} {
		lines := strings.Split(strings.TrimSuffix(terminal(t, fixture.BadRun(t), reports.Look{Detail: detail}), "\n"), "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "VIOLATED  ") || !strings.HasSuffix(last, "seed 42") {
			t.Errorf("the last line is %q", last)
		}
	}
}

func TestTerminalShowsNothingRaw(t *testing.T) {
	for _, r := range []*fixture.Run{fixture.GoodRun(t), fixture.BadRun(t), fixture.BrokenRun(t)} {
		for _, width := range []int{-1, 0, 1, 40, 80, 400} {
			for _, detail := range []reports.Detail{reports.Usual, reports.Brief, reports.Full} {
				for _, c := range terminal(t, r, reports.Look{Width: width, Detail: detail}) {
					if c != '\n' && c != ' ' && !unicode.IsPrint(c) {
						t.Fatalf("%q stands in the text, width %d, detail %d", c, width, detail)
					}
				}
			}
		}
	}
}

func TestTerminalLines(t *testing.T) {
	text := terminal(t, fixture.BadRun(t), reports.Look{Width: 80})
	if strings.Contains(text, "\n\n\n") {
		t.Error("there are two empty lines in a row")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if strings.HasSuffix(line, " ") {
			t.Errorf("line %d ends in a space: %q", i+1, line)
		}
		// Only what is to be copied may be longer than the terminal is wide.
		if prose.Columns(line) > 80 && !strings.Contains(line, "curl ") {
			t.Errorf("line %d is %d columns wide: %q", i+1, prose.Columns(line), line)
		}
	}
}

// Colours may add nothing but themselves.
func TestColourSaysNothing(t *testing.T) {
	r := fixture.BadRun(t)
	without := terminal(t, r, reports.Look{Width: 90})
	with := terminal(t, r, reports.Look{Width: 90, Colour: true})
	for _, st := range []reports.Style{reports.Bold, reports.Dim, reports.Red, reports.Green, reports.Yellow} {
		with = strings.ReplaceAll(with, "\x1b["+string(st)+"m", "")
	}
	with = strings.ReplaceAll(with, "\x1b[0m", "")
	if diff := cmp.Diff(without, with); diff != "" {
		t.Errorf("without and with colours:\n%s", diff)
	}
}

func TestTerminalLongCurl(t *testing.T) {
	r := fixture.New(t)
	seq := r.Exchange(`POST /pets {"name":"`+strings.Repeat("y", 70000)+`"}`, 500, "")
	r.Scenario("create.name.unusual", record.Failed, r.StatusFinding("create.name.unusual", seq, 400, 500))
	text := terminal(t, r, reports.Look{Width: 80})
	if len(text) > 10000 || !strings.Contains(text, "is 70,152 characters long") {
		t.Errorf("a text of %d bytes:\n%.2000s", len(text), text)
	}
}

func TestTerminalReportsWriteErrors(t *testing.T) {
	r := fixture.GoodRun(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	if err := reports.Terminal(full, fixture.ViewOf(t, &r.Rec), reports.Look{}); err == nil {
		t.Error("a full disk was not noticed")
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é, 日本, 😀":    "plain, é, 日本, 😀",
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\x1b[31mred\x1b[0m": `\x1b[31mred\x1b[0m`,
		"\x00\x7f\u0085":     `\x00\x7f\u0085`,
		"\u202eevil\u2066":   `\u202eevil\u2066`,
		"\u200b\ufeff\u2028": `\u200b\ufeff\u2028`,
		"\u00a0":             `\u00a0`,
		"\xff\xfe":           `\xff\xfe`,
		"\ufffd":             "\ufffd",
		"":                   "",
	} {
		if got := prose.Visible(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{strings.Repeat("a", 100), 100, strings.Repeat("a", 100)},
		{"begin" + strings.Repeat("-", 1000) + "end", 40, "begin------ … (1,008 characters) … --end"},
		{strings.Repeat("é", 50), 1, "éééééé … (50 characters) … éé"},
		{"aaaaaaaa", 2, "aaaaaaaa"},
	} {
		if got := prose.Cut(c.in, c.limit); got != c.want {
			t.Errorf("%.20q to %d: %s, want %s", c.in, c.limit, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 20, []string{""}},
		{"one two", 20, []string{"one two"}},
		{"one two three four five", 16, []string{"one two three", "four five"}},
		{"a " + strings.Repeat("b", 40), 20, []string{"a", strings.Repeat("b", 20), strings.Repeat("b", 20)}},
		{strings.Repeat("b", 40) + " a", 16, []string{strings.Repeat("b", 16), strings.Repeat("b", 16), "bbbbbbbb a"}},
		{strings.Repeat("日", 20), 16, []string{strings.Repeat("日", 8), strings.Repeat("日", 8), strings.Repeat("日", 4)}},
	} {
		if diff := cmp.Diff(c.want, prose.Wrap(c.in, c.width)); diff != "" {
			t.Errorf("%q to %d (-want +got):\n%s", c.in, c.width, diff)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -12: "-12"} {
		if got := prose.Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := prose.Plural(1, "scenario") + " " + prose.Plural(0, "scenario") + " " + prose.Plural(1200, "scenario"); got != "1 scenario 0 scenarios 1,200 scenarios" {
		t.Error(got)
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 300)
	body := `[{"id":1,"name":"` + long + `"},{"id":2.5,"name":"b","a/b":{"~":1}},{"id":3,"name":"` + long + `"}]`
	for _, c := range []struct {
		name, body, pointer, text, at string
	}{
		{"short", `{"id":1}`, "/id", `{"id":1}`, ""},
		{"an item of a long list", body, "/1/id", `{"id":2.5,"name":"b","a/b":{"~":1}}`, "/1"},
		{"a key with a slash", `{"x":"` + long + `","a/b":{"~":1}}`, "/a~1b/~0", `{"~":1}`, "/a~1b"},
		{"a place that is not there", body, "/7/id", "", ""},
		{"a value that is long itself", body, "/0/name", "", "/0/name"},
		{"cut off after the place", body[:360], "/1/id", `{"id":2.5,"name":"b","a/b":{"~":1}}`, "/1"},
		{"cut off before the place", body[:330], "/1/id", "", ""},
		{"no JSON", "<html>" + long, "/1/id", "", ""},
		{"no pointer", body, "1", "", ""},
		{"into a number", `[5,"` + long + `"]`, "/0/x", "5", "/0"},
		{"a key for an index", body, "/x", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, at := reports.Excerpt([]byte(c.body), c.pointer, 100)
			if at != c.at || c.text != "" && text != c.text {
				t.Errorf("%q at %q, want %q at %q", text, at, c.text, c.at)
			}
			if c.text == "" && !strings.Contains(text, "characters)") {
				t.Errorf("not shortened: %q", text)
			}
		})
	}
}
