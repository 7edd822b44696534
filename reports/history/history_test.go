package history_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	nethtml "golang.org/x/net/html"

	"github.com/hallmark-kit/hallmark/reports/history"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// run returns the run of a day. The states of the rules a, b, c … are letters: k kept, x broken, w warned, ~ intermittent, d a known violation,
// and - not judged.
func run(day int, contract, prefix, states string) *history.Run {
	at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
	rec := record.Record{
		ID: fmt.Sprintf("%s%d", contract, day), Started: at, Ended: at.Add(time.Duration(day) * time.Second), Complete: true,
		Suite: record.Suite{Contract: "sha256:" + contract}, Target: record.Target{BaseURL: "http://" + prefix + ".example"},
	}
	verdicts := map[rune]verdict.Verdict{
		'k': verdict.Conforms, 'x': verdict.Violated, 'w': verdict.Warned, '~': verdict.Intermittent, 'd': verdict.Deviates, '-': verdict.NotExercised,
	}
	res := verdict.Result{Called: 4, Unreached: make([]verdict.Unreached, 1)}
	var rules []spec.Rule
	for i, state := range states {
		level := spec.Must
		if state == 'w' {
			level = spec.Should
		}
		id := prefix + "." + string(rune('a'+i))
		res.Rules = append(res.Rules, verdict.RuleVerdict{Rule: id, Level: level, Verdict: verdicts[state]})
		rules = append(rules, spec.Rule{ID: id, Says: "Rule " + id + " holds."})
	}
	res.Rules = append(res.Rules, verdict.RuleVerdict{Rule: prefix + ".open", Level: spec.Open, Verdict: verdict.Observed})
	return history.Take(fmt.Sprintf("%02d.json", 99-day), "api.yaml", &rec, &res, rules)
}

func of(t *testing.T, runs ...*history.Run) *history.History {
	t.Helper()
	h, err := history.New(runs)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The order of time counts, whatever the order and the names of the files.
func TestTrends(t *testing.T) {
	days := []string{"kkkxk-kk", "xxkxkx~k", "kxkkwxkd", "xxk-wxkd"}
	var runs []*history.Run
	for _, i := range []int{2, 0, 3, 1} {
		runs = append(runs, run(i+1, "c", "r", days[i]))
	}
	h := of(t, runs...)
	if len(h.Groups) != 1 || len(h.Notes) != 0 {
		t.Fatalf("%d groups, %q", len(h.Groups), h.Notes)
	}
	g := &h.Groups[0]
	var got []string
	for _, r := range g.Rows {
		got = append(got, fmt.Sprintf("%s %s %d/%d", r.ID, r.Trend, r.Times, r.Judged)+" "+g.Story(r))
	}
	want := []string{
		"r.h broken 2/4 broken since 2026-11-03 12:00, in 2 of 4 runs, a known violation",
		"r.b broken 3/4 broken since 2026-11-02 12:00, in 3 of 4 runs",
		"r.f broken 3/3 broken since 2026-11-02 12:00, in 3 of 3 runs",
		"r.e broken 2/4 broken since 2026-11-03 12:00, in 2 of 4 runs",
		"r.a flaky 2/4 broken in 2 of 4 runs, now as well, since 2026-11-04 12:00",
		"r.g flaky 1/4 broken in 1 of 4 runs, kept since 2026-11-03 12:00",
		"r.d fixed 2/3 fixed 2026-11-03 12:00, broken since 2026-11-01 12:00, in 2 of 3 runs",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	word, says := g.Outcome()
	if word != "BROKEN" || says != "4 rules are broken (2 as a warning or a known violation), 2 are flaky, 1 was fixed, 1 was never broken, in 4 runs" {
		t.Errorf("%s %s", word, says)
	}
}

func TestOutcome(t *testing.T) {
	for states, want := range map[string]string{"k": "KEPT", "kx": "BROKEN", "kw": "WARNED", "kd": "WARNED", "k~": "FLAKY", "-": "KEPT"} {
		if word, says := of(t, run(1, "c", "r", states)).Groups[0].Outcome(); word != want {
			t.Errorf("%s: %s (%s), want %s", states, word, says, want)
		}
	}
}

// A contract that changed keeps its history; another interface has its own.
func TestContracts(t *testing.T) {
	h := of(t, run(1, "first", "r", "kkkk"), run(2, "other", "s", "kxk"), run(3, "second", "r", "kkkkx"), run(4, "second", "r", "x"), run(5, "third", "r", "kk"))
	if len(h.Groups) != 2 {
		t.Fatalf("%d groups", len(h.Groups))
	}
	latest, other := h.Groups[0], h.Groups[1]
	if len(latest.Runs) != 4 || latest.Changes != 2 || latest.Runs[0].Digest != "sha256:first" || len(latest.Rows) != 2 {
		t.Errorf("%d runs, %d changes, %+v", len(latest.Runs), latest.Changes, latest.Rows)
	}
	if len(other.Runs) != 1 || other.Changes != 0 || len(other.Rows) != 1 || other.Rows[0].ID != "s.b" {
		t.Errorf("%d runs, %d changes, %+v", len(other.Runs), other.Changes, other.Rows)
	}
	if h := of(t, run(1, "first", "r", "kkkk"), run(2, "second", "r", "----")); len(h.Groups) != 1 {
		t.Errorf("a run that judged nothing has a history of its own: %d groups", len(h.Groups))
	}
}

func TestLeftOut(t *testing.T) {
	timeless := run(3, "c", "r", "k")
	timeless.Started = time.Time{}
	h := of(t, run(1, "c", "r", "k"), run(1, "c", "r", "k"), timeless)
	if len(h.Groups[0].Runs) != 1 || len(h.Notes) != 2 || !strings.Contains(h.Notes[0], "without the time") || !strings.Contains(h.Notes[1], "the same runs") {
		t.Errorf("%d runs, %q", len(h.Groups[0].Runs), h.Notes)
	}
	if _, err := history.New([]*history.Run{timeless}); err == nil || !strings.Contains(err.Error(), "no record of a run with its time") {
		t.Errorf("%v", err)
	}
}

// A run in which hallmark itself failed says nothing.
func TestVoidRuns(t *testing.T) {
	rec := record.Record{Started: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	res := verdict.Result{ExitCode: verdict.ExitHarness, Rules: []verdict.RuleVerdict{{Rule: "r.a", Level: spec.Must, Verdict: verdict.Violated}}}
	if g := of(t, history.Take("a", "", &rec, &res, nil)).Groups[0]; len(g.Rows) != 0 || g.Runs[0].Judged != 0 || g.Runs[0].Rules != 1 {
		t.Errorf("%+v %+v", g.Rows, g.Runs[0])
	}
}

// histories are of all kinds, real and hostile.
func histories(t *testing.T) map[string]*history.History {
	t.Helper()
	var many, samples []*history.Run
	for day := range 700 {
		many = append(many, run(day+1, "c", "r", strings.Repeat("k", day%3)+strings.Repeat("x", 400)))
	}
	for _, v := range sample.All(t) {
		var rules []spec.Rule
		if v.Catalogue != nil {
			rules = v.Catalogue.Rules
		}
		samples = append(samples, history.Take("a.json", v.ContractFile, v.Record, &v.Result, rules))
	}
	evil := sample.Evil
	rec := record.Record{
		ID: evil, Started: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Suite: record.Suite{Version: evil, Contract: evil}, Target: record.Target{BaseURL: evil},
	}
	res := verdict.Result{Verdict: verdict.Verdict(evil), Rules: []verdict.RuleVerdict{{Rule: evil, Level: spec.Level(evil), Verdict: verdict.Violated}}}
	return map[string]*history.History{
		"one":  of(t, run(1, "c", "r", "kx")),
		"some": of(t, run(1, "c", "r", "kkxkw"), run(2, "c", "r", "xkkk~"), run(3, "d", "s", "k")),
		"many": of(t, many...),
		"real": of(t, samples...),
		"evil": of(t, history.Take(evil, evil, &rec, &res, []spec.Rule{{ID: evil, Says: evil}})),
	}
}

func TestFormats(t *testing.T) {
	schema := sample.Schema(t, filepath.Join("..", "..", "docs", "history.schema.json"))
	for name, h := range histories(t) {
		t.Run(name, func(t *testing.T) {
			sample.Valid(t, schema, []byte(output(t, h, history.JSON)))
			checkPage(t, output(t, h, history.HTML))
			for _, width := range []int{0, 40, 100} {
				for _, detail := range []terminal.Detail{terminal.Brief, terminal.Usual, terminal.Full} {
					text := output(t, h, func(h *history.History, w io.Writer) error {
						return history.Terminal(h, w, terminal.Look{Width: width, Detail: detail})
					})
					word, says := h.Groups[0].Outcome()
					if lines := strings.Fields(text); !strings.HasSuffix(strings.Join(lines, " "), word+" "+says) {
						t.Errorf("it does not end with %s %s:\n%s", word, says, text)
					}
				}
			}
		})
	}
}

func TestTerminal(t *testing.T) {
	h := of(t, run(1, "c", "r", "kkxkk"), run(2, "d", "r", "xkkk~"), run(3, "d", "r", "xkkkk"))
	text := output(t, h, func(h *history.History, w io.Writer) error { return history.Terminal(h, w, terminal.Look{Width: 200}) })
	for _, want := range []string{
		"HISTORY  api.yaml at http://r.example, 3 runs, 2026-11-01 12:00 to 2026-11-03 12:00 UTC\n", "BROKEN  1 rule\n", ".xx\n", "FLAKY  1 rule\n", ".~.\n", "FIXED  1 rule\n", "x..\n",
		"RUNS  100 % of the rules judged (first 100 %), 3 of 4 operations succeeded, 3.0 s (median 2.0 s); the contract changed 1 time\n",
		"x broken, ~ broken but not when repeated, k a known violation, . kept, _ not judged\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func output(t *testing.T, h *history.History, write func(*history.History, io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(h, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			t.Errorf("it holds %q", r)
			break
		}
	}
	return out.String()
}

// checkPage makes sure that a page holds only what its template is made of, that its policy holds, and that it is bounded.
func checkPage(t *testing.T, text string) {
	t.Helper()
	doc, err := nethtml.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	elements := strings.Fields(`html head meta title style body main h1 h2 h3 p strong code span div figure figcaption svg line polygon polyline circle rect ul li
		details summary table thead tbody tr th td`)
	attributes := strings.Fields(`lang charset http-equiv content name class id tabindex role aria-label scope viewBox width height points x y x1 y1 x2 y2 cx cy r`)
	n := 0
	for node := range doc.Descendants() {
		if node.Type != nethtml.ElementNode {
			continue
		}
		if n++; !slices.Contains(elements, node.Data) {
			t.Errorf("the element %s", node.Data)
		}
		named := false
		for _, a := range node.Attr {
			if !slices.Contains(attributes, a.Key) {
				t.Errorf("the attribute %s of %s", a.Key, node.Data)
			}
			named = named || a.Key == "aria-label" && a.Val != ""
		}
		if node.Data == "svg" && !named {
			t.Error("a picture without a name")
		}
	}
	sum := sha256.Sum256([]byte(sample.Content(sample.Elements(doc, "style")[0])))
	if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(sample.Elements(doc, "meta")[1].Attr[1].Val, want) {
		t.Errorf("the policy does not allow the style: %s", want)
	}
	const most = 40_000 // 300 strips of 60 runs, with what stands around them
	if n > most {
		t.Errorf("%d elements", n)
	}
}
