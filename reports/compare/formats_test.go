package compare_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	nethtml "golang.org/x/net/html"

	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// shared are the comparisons of all tests: their runs take a while.
var shared struct {
	sync.Mutex
	five *compare.Comparison
	all  map[string]*compare.Comparison
}

// comparisons are of all kinds, real and hostile.
func comparisons(t *testing.T) map[string]*compare.Comparison {
	t.Helper()
	first := five(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.all == nil {
		shared.all = allKinds(t, first)
	}
	return shared.all
}

func allKinds(t *testing.T, first *compare.Comparison) map[string]*compare.Comparison {
	t.Helper()
	all := map[string]*compare.Comparison{
		"five":       first,
		"runs":       compared(t, compare.Runs, taken(t, "before", sample.Good(t)), taken(t, "after", sample.Broken(t))),
		"runs back":  compared(t, compare.Runs, taken(t, "before", sample.Hostile(t)), taken(t, "after", sample.Good(t))),
		"alike":      compared(t, compare.Implementations, taken(t, "a", sample.Good(t)), taken(t, "b", sample.Good(t))),
		"evil":       compared(t, compare.Implementations, evilRun("a"), evilRun("b"), evilRun("c")),
		"evil runs":  compared(t, compare.Runs, run("other", spec.Must, verdict.Conforms), evilRun("b")),
		"evil runs2": compared(t, compare.Runs, evilRun("a"), evilRun("bb")),
	}
	odd := sample.EdgeCases(t)
	for name, v := range odd {
		other := sample.Good(t)
		if v.Record.Suite.Contract != other.Record.Suite.Contract {
			continue
		}
		all["odd "+name] = compared(t, compare.Implementations, taken(t, name, v), taken(t, "good", other))
		all["odd runs "+name] = compared(t, compare.Runs, taken(t, "good", other), taken(t, name, v))
	}
	return all
}

// evilRun contains something harmful in every text that may come from outside: anybody can write a record.
func evilRun(name string) *compare.Run {
	evil := sample.Evil + name
	finding := spec.Finding{Rule: evil, Expected: phrase.Verbatim(evil), Actual: phrase.Verbatim(evil), Where: phrase.Place{Text: evil}}
	rec := &record.Record{
		Suite:     record.Suite{Version: evil},
		Target:    record.Target{BaseURL: evil, Implementation: record.Implementation{Organization: evil, Project: evil, Version: evil}},
		Scenarios: []record.Scenario{{ID: evil, Outcome: record.Outcome(evil)}},
	}
	for range 50 {
		rec.Exchanges = append(rec.Exchanges, spec.Exchange{Operation: evil, Response: &spec.Response{}, Elapsed: time.Duration(len(name)) * time.Second})
	}
	rec.Scenarios[0].Observations = []spec.Observation{{Rule: "list.order", Asked: sample.Evil, Answer: "status 200 " + evil}, {Rule: "list.order", Asked: "@admin", Answer: "#12"}, {Rule: evil, Asked: evil, Answer: evil}}
	return compare.TakeJudged(evil, rec, &verdict.Result{
		Verdict: verdict.Verdict(evil), Because: evil,
		Rules: []verdict.RuleVerdict{
			{Rule: evil, Level: spec.Must, Verdict: verdict.Violated, Reason: evil},
			{Rule: "list.limit.honoured", Level: spec.Level(evil), Verdict: verdict.Violated},
			{Rule: "list.order", Level: spec.Open, Verdict: verdict.Observed},
			{Rule: "auth.missing", Level: spec.Must, Verdict: verdict.Verdict(evil), Reason: evil},
			{Rule: "get.found", Level: spec.Must, Verdict: verdict.NotExercised, Reason: evil},
		},
		Causes: []verdict.Cause{
			{Rule: "list.limit.honoured", Lead: finding, Message: evil, Curl: evil, Rerun: evil, Also: []verdict.Broken{{Rule: evil}}},
			{Rule: evil, Lead: finding, Message: evil, Curl: evil, Rerun: evil},
		},
	})
}

func TestJSON(t *testing.T) {
	schema := sample.Schema(t, filepath.Join("..", "..", "docs", "comparison.schema.json"))
	for name, c := range comparisons(t) {
		t.Run(name, func(t *testing.T) {
			text := output(t, c, compare.JSON)
			sample.Valid(t, schema, []byte(text))
			unsteered(t, text)
		})
	}
	// The schema detects what is missing.
	whole := output(t, five(t), compare.JSON)
	if broken := strings.Replace(whole, `"verdicts"`, `"verdict"`, 1); broken == whole || schema.Validate(mustJSON(t, broken)) == nil {
		t.Error("the schema takes a rule without verdicts")
	}
}

func TestMarkdown(t *testing.T) {
	for name, c := range comparisons(t) {
		t.Run(name, func(t *testing.T) {
			source := output(t, c, compare.Markdown)
			if len(source) > markdown.Comment {
				t.Errorf("%d bytes", len(source))
			}
			doc := sample.Rendered(t, source)
			for _, trouble := range sample.Troubles(doc) {
				t.Error(trouble)
			}
			word, _ := c.Outcome()
			if heads := sample.Elements(doc, "h2"); len(heads) != 1 || !strings.HasPrefix(sample.Content(heads[0]), word+": ") {
				t.Errorf("it does not begin with %s:\n%.300s", word, source)
			}
			says(t, c, sample.Content(doc))
		})
	}
}

func TestHTML(t *testing.T) {
	for name, c := range comparisons(t) {
		t.Run(name, func(t *testing.T) {
			text := output(t, c, compare.HTML)
			unsteered(t, text)
			doc, err := nethtml.Parse(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			checkPage(t, doc)
			says(t, c, sample.Content(doc))
		})
	}
}

// A script of several lines is shown as lines, so that it can be copied.
func TestHTMLShowsScriptsAsLines(t *testing.T) {
	judged := func(verdicts ...verdict.RuleVerdict) *compare.Run {
		res := verdict.Result{Verdict: verdict.Violated, Rules: verdicts, Causes: []verdict.Cause{{Rule: "get.found", Curl: "one=$(curl -sS 'http://h')\n\x1bcurl", Rerun: "hallmark run"}}}
		return compare.TakeJudged("a", &record.Record{}, &res)
	}
	before, after := judged(verdict.RuleVerdict{Rule: "get.found", Level: spec.Must, Verdict: verdict.Conforms}), judged(verdict.RuleVerdict{Rule: "get.found", Level: spec.Must, Verdict: verdict.Violated})
	doc, err := nethtml.Parse(strings.NewReader(output(t, compared(t, compare.Runs, before, after), compare.HTML)))
	if err != nil {
		t.Fatal(err)
	}
	for _, pre := range sample.Elements(doc, "pre") {
		if want := "one=$(curl -sS 'http://h')\n\\x1bcurl\nhallmark run"; sample.Content(pre) == want {
			return
		}
	}
	t.Error("no script is shown in lines")
}

// checkPage makes sure that a page contains only what its template is made of, and that its policy holds.
func checkPage(t *testing.T, doc *nethtml.Node) {
	t.Helper()
	elements := strings.Fields("html head meta title style body header div main h1 h2 h3 p ul li strong em code pre span table thead tbody tr th td dl dt dd details summary")
	attributes := strings.Fields("lang charset http-equiv content name class id tabindex role aria-labelledby scope")
	seen := map[string]bool{}
	for n := range doc.Descendants() {
		if n.Type == nethtml.CommentNode {
			t.Errorf("a comment: %s", n.Data)
		}
		if n.Type != nethtml.ElementNode {
			continue
		}
		if !slices.Contains(elements, n.Data) {
			t.Errorf("the element %s", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attributes, a.Key) {
				t.Errorf("the attribute %s of %s", a.Key, n.Data)
			}
			if a.Key == "id" && seen[a.Val] {
				t.Errorf("two elements are called %s", a.Val)
			}
			seen[a.Val] = seen[a.Val] || a.Key == "id"
		}
	}
	for _, table := range sample.Elements(doc, "table") {
		columns := len(sample.Elements(sample.Elements(table, "thead")[0], "th"))
		for _, row := range sample.Elements(sample.Elements(table, "tbody")[0], "tr") {
			if n := len(sample.Elements(row, "td")) + len(sample.Elements(row, "th")); n != columns {
				t.Errorf("a row of %d cells in a table of %d columns: %s", n, columns, sample.Content(row))
			}
		}
	}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "aria-labelledby" && !seen[a.Val] {
				t.Errorf("nothing is called %s", a.Val)
			}
		}
	}
	styles := sample.Elements(doc, "style")
	sum := sha256.Sum256([]byte(sample.Content(styles[0])))
	policy := sample.Elements(doc, "meta")[1].Attr
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; len(styles) != 1 || !strings.HasPrefix(policy[1].Val, want) {
		t.Errorf("the policy is %s, and the style wants %s", policy, want)
	}
}

// says checks that nothing important is missing.
func says(t *testing.T, c *compare.Comparison, text string) {
	t.Helper()
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	text = squeezed(text)
	var parts []string
	for _, r := range c.Runs {
		parts = append(parts, r.Name, r.Because)
	}
	parts = append(parts, c.Cautions...)
	for _, q := range c.Ambiguities() {
		for _, item := range q.Items {
			if item.Differs && c.Change == nil {
				parts = append(parts, item.Answers...)
				parts = append(parts, q.Rule.ID, q.Asks())
			}
		}
	}
	if ch := c.Change; ch != nil {
		for _, s := range slices.Concat(ch.Broke, ch.Still) {
			parts = append(parts, s.Rule.ID)
			if s.Cause != nil {
				parts = append(parts, s.Cause.Expected, s.Cause.Actual)
			}
		}
	}
	for _, part := range parts {
		if !strings.Contains(text, squeezed(part)) {
			t.Errorf("it does not say %q", part)
		}
	}
}

func TestTerminal(t *testing.T) {
	for name, c := range comparisons(t) {
		for _, width := range []int{0, 40, 80, 200} {
			for _, detail := range []terminal.Detail{terminal.Usual, terminal.Brief, terminal.Full} {
				var out bytes.Buffer
				if err := compare.Terminal(c, &out, terminal.Look{Width: width, Detail: detail}); err != nil {
					t.Fatal(err)
				}
				unsteered(t, out.String())
				word, because := c.Outcome()
				lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
				if width == 200 && lines[len(lines)-1] != word+"  "+because {
					t.Errorf("%s: the last line is %q", name, lines[len(lines)-1])
				}
				told := c.Count(compare.Differing)
				if c.Change != nil {
					told = len(c.Change.Broke)
				}
				if detail == terminal.Brief && width == 200 && len(lines) != told+1 {
					t.Errorf("%s: in brief there are %d lines for %d rules", name, len(lines), told)
				}
			}
		}
	}
	var out bytes.Buffer
	if err := compare.Terminal(five(t), &out, terminal.Look{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"JUDGED DIFFERENTLY", "list.limit.honoured", "READ DIFFERENTLY", "What does a limit outside 1 to 100 give?",
		"A, C, D, E  status 400, code \"invalid_request\"", "B  status 422, code \"no_limit\"", "CAUTION  part is partial",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("it does not say %q:\n%s", part, out.String())
		}
	}
}

// unsteered makes sure that a text controls no terminal and changes no text direction.
func unsteered(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			t.Errorf("it holds %q", r)
			return
		}
	}
}

func output(t *testing.T, c *compare.Comparison, write func(*compare.Comparison, io.Writer) error) string {
	t.Helper()
	var out, again bytes.Buffer
	if err := write(c, &out); err != nil {
		t.Fatal(err)
	}
	if err := write(c, &again); err != nil {
		t.Fatal(err)
	}
	if out.String() != again.String() {
		t.Error("written twice it differs")
	}
	return out.String()
}

func mustJSON(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
