package failure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// inOrder checks that a text holds these parts, one after the other.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		i := strings.Index(rest, part)
		if i < 0 {
			t.Fatalf("%q is missing, or stands too early, in\n%s", part, text)
		}
		rest = rest[i+len(part):]
	}
}

// ignoredLimit is a run in which lists are longer than was asked for.
func ignoredLimit(t *testing.T) (*view.View, *record.Scenario) {
	t.Helper()
	r := fixture.New(t)
	seq := r.Exchange("GET /pets?limit=3", 200, `[{"id":1},{"id":2},{"id":3},{"id":4}]`)
	r.Rec.Exchanges[seq-1].Correlation = "c-17"
	r.Rec.Exchanges[seq-1].Request.Header.Set("X-Correlation-ID", "c-17")
	r.Rec.Exchanges[seq-1].About = "the store holds more"
	f := r.Finding("list.limit.honoured", seq, "", "at most 3 animals", "4 animals")
	f.Where = f.Where.In("the array's length")
	r.Scenario("list.limit.honoured", record.Failed, f)
	v := fixture.ViewOf(t, &r.Rec)
	return v, &v.Record.Scenarios[0]
}

// A person learns from one block what was promised, what came, what was sent, and how to see it again.
func TestText(t *testing.T) {
	v, sc := ignoredLimit(t)
	rule := v.Rule("list.limit.honoured")
	for name, text := range map[string]string{
		"of findings": failure.Text(v, sc, sc.Findings, "FAIL"),
		"of a cause":  failure.CauseText(v, &v.Result.Causes[0], "FAIL"),
	} {
		t.Run(name, func(t *testing.T) {
			inOrder(t, text,
				"FAIL", "list.limit.honoured", string(rule.Level)+" · "+rule.Section+"\n", rule.Says,
				"expected  at most 3 animals\n", "actual    4 animals\n", "where     GET /pets?limit=3 → 200, the array's length\n",
				"request   GET ", "/pets?limit=3 (case: the store holds more)\n", "trace id  X-Correlation-Id: c-17\n", "response  200", `[{"id":1},{"id":2},{"id":3},{"id":4}]`,
				`curl -sS -H "Authorization: Bearer $HALLMARK_API_KEY" 'https://pets.example.com/v1/pets?limit=3'`+"\n",
				"hallmark run --base-url https://pets.example.com/v1 --rule list.limit.honoured\n",
				sc.ID,
			)
		})
	}
	if text := failure.Text(v, sc, sc.Findings, "KNOWN"); !strings.HasPrefix(text, "KNOWN") {
		t.Errorf("a known violation begins with\n%.80s", text)
	}
}

// A finding about something long shows the place that it is about, and only that much.
func TestTextShowsThePlace(t *testing.T) {
	r := fixture.New(t)
	var items []string
	for i := range 200 {
		items = append(items, fmt.Sprintf(`{"id":%d,"name":"animal %d"}`, i, i))
	}
	items[141] = `{"id":141.5,"name":"odd"}`
	seq := r.Exchange("GET /pets?limit=100", 200, "["+strings.Join(items, ",")+"]")
	r.Scenario("list.array", record.Failed, r.Finding("pet.id", seq, "/141/id", "an int64", "141.5"))
	v := fixture.ViewOf(t, &r.Rec)
	text := failure.Text(v, &v.Record.Scenarios[0], v.Record.Scenarios[0].Findings, "FAIL")
	inOrder(t, text, "response  200", ", here /141", "141.5")
	if strings.Contains(text, "animal 3\"") || strings.Count(text, "\n") > 25 {
		t.Errorf("too much is shown:\n%s", text)
	}
	// What the scenario asks about is what shows it again.
	inOrder(t, text, "FAIL  pet.id", "hallmark run --base-url https://pets.example.com/v1 --rule list.array\n")
}

func TestTextOfSeveralExchanges(t *testing.T) {
	r := fixture.New(t)
	var seqs []int
	for i := range 6 {
		seqs = append(seqs, r.Exchange(fmt.Sprintf(`POST /pets {"name":"a %d"}`, i), 201, fmt.Sprintf(`{"id":%d}`, i)))
	}
	seqs = append(seqs, r.Exchange("GET /pets/5", 404, "{}"))
	lost := r.Exchange("GET /pets/5", 200, "")
	r.Rec.Exchanges[lost-1].Response, r.Rec.Exchanges[lost-1].Lost = nil, "connection reset by peer"
	found := r.Finding("get.created", seqs[6], "", "status 200", "status 404")
	found.Exchanges = seqs
	never := r.Finding("get.found", seqs[6], "", "a response", "none")
	never.Exchanges, never.Where = []int{lost}, phrase.Place{Text: "GET /pets/5"}
	r.Scenario("get.created", record.Failed, found, never)
	v := fixture.ViewOf(t, &r.Rec)
	text := failure.Text(v, &v.Record.Scenarios[0], v.Record.Scenarios[0].Findings, "FAIL")
	inOrder(t, text,
		"before it 3 more exchanges\n", "before it POST ", "before it POST ", "before it POST ", "request   GET ", "response  404",
		"id6=", "get.found", "response  none: connection reset by peer\n")
}

func TestTextOfManyFindings(t *testing.T) {
	r := fixture.New(t)
	seq := r.Exchange("GET /pets", 200, "[]")
	var all []spec.Finding
	for i := range 20 {
		all = append(all, r.Finding("list.array", seq, fmt.Sprintf("/%d", i), "an animal", fmt.Sprintf("the number %d", i)))
	}
	r.Scenario("list.array", record.Failed, all...)
	v := fixture.ViewOf(t, &r.Rec)
	text := failure.Text(v, &v.Record.Scenarios[0], all, "FAIL")
	if n := strings.Count(text, "FAIL"); n != 8 || !strings.HasSuffix(text, "\nand 12 more findings\n") {
		t.Errorf("%d of 20 findings are told, and the end is %q", n, text[max(len(text)-40, 0):])
	}
}

// A body of many thousand characters makes a curl line that nobody reads.
func TestTextPointsToLongScripts(t *testing.T) {
	r := fixture.New(t)
	seq := r.Exchange(`POST /pets {"name":"`+strings.Repeat("x", 5000)+`"}`, 201, "{}")
	r.Scenario("create.refused", record.Failed, r.StatusFinding("create.refused", seq, 400, 201))
	v := fixture.ViewOf(t, &r.Rec)
	text := failure.Text(v, &v.Record.Scenarios[0], v.Record.Scenarios[0].Findings, "FAIL")
	if strings.Contains(text, "curl -sS") || !strings.Contains(text, "characters long; the JSON report holds it.") {
		t.Errorf("the curl line is not pointed to:\n%s", text)
	}
}

// Whatever a service answers, a terminal shows it and does not obey it; and lines are short, but for those to be copied.
func TestTextIsHarmless(t *testing.T) {
	r := fixture.BadRun(t)
	v := fixture.ViewOf(t, &r.Rec)
	told := 0
	check := func(s string) {
		t.Helper()
		for line := range strings.Lines(s) {
			line = strings.TrimSuffix(line, "\n")
			if i := strings.IndexFunc(line, func(c rune) bool { return !unicode.IsPrint(c) }); i >= 0 {
				t.Errorf("a character that does not show: %q", line)
			}
			copied := []string{"curl", "hallmark run", "response", "id"}
			start := strings.TrimSpace(line)
			if text.Columns(line) > 100 && !slices.ContainsFunc(copied, func(p string) bool { return strings.HasPrefix(start, p) }) {
				t.Errorf("a line of %d columns: %s", text.Columns(line), line)
			}
		}
	}
	for i := range v.Record.Scenarios {
		if sc := &v.Record.Scenarios[i]; len(sc.Findings) > 0 {
			told++
			check(failure.Text(v, sc, sc.Findings, "FAIL"))
		}
	}
	for i := range v.Result.Causes {
		told++
		check(failure.CauseText(v, &v.Result.Causes[i], "FAIL"))
	}
	if told < 10 {
		t.Errorf("only %d blocks were looked at", told)
	}
}
