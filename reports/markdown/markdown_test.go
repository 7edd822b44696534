package markdown_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func written(t testing.TB, v *view.View, limit int) string {
	t.Helper()
	var out bytes.Buffer
	if err := markdown.Write(&out, v, limit); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// check reads a report as a forge does and fails for whatever should not be in it.
func check(t *testing.T, v *view.View, limit int) (doc *nethtml.Node, source string) {
	t.Helper()
	source = written(t, v, limit)
	if len(source) > limit {
		t.Errorf("%d bytes, and the limit is %d", len(source), limit)
	}
	doc = sample.Rendered(t, source)
	for _, trouble := range sample.Troubles(doc) {
		t.Error(trouble)
	}
	if titles := sample.Elements(doc, "h2"); len(titles) != 1 || !strings.HasPrefix(sample.Content(titles[0]), v.Result.Verdict.Word()+": ") {
		t.Errorf("the report does not begin with the verdict %s:\n%.300s", v.Result.Verdict.Word(), source)
	}
	return doc, source
}

// curlShown is how long a curl line may be to be shown, in characters.
const curlShown = 2000

func TestReport(t *testing.T) {
	v := sample.Broken(t)
	doc, _ := check(t, v, markdown.Comment)
	failing, _ := v.Causes()
	var titles []string
	for _, h := range sample.Elements(doc, "h3") {
		titles = append(titles, sample.Content(h))
	}
	for i, c := range failing {
		if i >= len(titles) || !strings.HasPrefix(titles[i], c.Rule+" · "+string(c.Level)) {
			t.Fatalf("cause %d, %s, has no title of its own: %q", i+1, c.Rule, titles)
		}
		details := sample.Content(sample.Elements(doc, "details")[i])
		curl := c.Curl
		if len(curl) > curlShown { // a name as long as the contract allows
			curl = " characters long; the report json holds it."
		}
		for _, part := range []string{curl, c.Rerun} {
			if !strings.Contains(details, part) {
				t.Errorf("%s: nothing folded says %q", c.Rule, part)
			}
		}
		table := sample.Content(sample.Elements(doc, "table")[i])
		for _, part := range []string{c.Lead.Expected.String(), c.Lead.Actual.String()} {
			if !strings.Contains(table, text.Short(part)) {
				t.Errorf("%s: the table does not say %q", c.Rule, part)
			}
		}
	}
	whole := sample.Content(doc)
	for _, part := range []string{
		v.Record.Target.BaseURL, v.Counts(), v.Work(), "Sample & Söhne petstore 1.2.3", fmt.Sprint(sample.Seed), v.Result.Proof.Says,
		v.Unasked(verdict.NotExercised)[0].Reason, v.Asked()[0].Asks, "Left out",
	} {
		if has := strings.Contains(whole, part); has != (part != "Left out") {
			t.Errorf("says %q: %v", part, has)
		}
	}
}

func TestGoodReport(t *testing.T) {
	v := sample.Good(t)
	doc, _ := check(t, v, markdown.Comment)
	for _, h := range sample.Elements(doc, "h3") {
		if strings.Contains(sample.Content(h), "must") {
			t.Errorf("a good run has the cause %q", sample.Content(h))
		}
	}
	if a, b := written(t, v, markdown.Comment), written(t, v, markdown.Comment); a != b {
		t.Error("two reports of one run differ")
	}
}

// A service's texts are shown, and are nothing but text.
func TestHostileReport(t *testing.T) {
	v := sample.Hostile(t)
	doc, source := check(t, v, markdown.Comment)
	if !strings.Contains(sample.Content(doc), `<script>document.title='owned'</script><img src=x`) {
		t.Error("what the service said is not shown")
	}
	for line := range strings.Lines(source) {
		// GitLab takes such lines for commands, GitHub's runner the others.
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "/") || strings.HasPrefix(text, "::") {
			t.Errorf("a line begins like a command: %s", line)
		}
	}
}

// Whatever a record says in its own fields is text, too.
func TestHostileRecord(t *testing.T) {
	rec := *sample.Broken(t).Record
	evil := sample.Evil
	rec.Lost, rec.Stopped, rec.Complete = evil, evil, false
	rec.Target.Implementation = record.Implementation{Organization: evil, Project: "@admin", Version: "#12"}
	rec.Options.Rules, rec.Options.Tags, rec.Options.Again, rec.Options.Rerun = []string{evil}, evil, evil, "hallmark run "+evil
	rec.Target.Proxy = evil
	rec.Deviations = []record.Deviation{
		{Rule: evil, Message: evil, Reason: evil, Link: "https://evil.example.com/", Expires: "2030-01-01"},
		{Rule: "list.limit.honoured", Message: "expected at most ", Reason: "@admin", Link: "http://evil", Expires: "2999-01-01"},
	}
	rec.Patience.Ready = &record.Readiness{Tries: 2, Last: evil}
	rec.NotApplicable = map[string]string{"get.found": evil}
	rec.Scenarios = append([]record.Scenario{{ID: evil, Outcome: record.Errored, Reason: evil}, {
		ID: evil + ":1", Name: evil, Outcome: record.Failed, Rules: []string{"list.order"},
		Findings:     []spec.Finding{{Rule: "list.status.honoured", Expected: phrase.Verbatim(evil), Actual: phrase.Verbatim(evil), Where: phrase.Place{Text: evil}, Exchanges: []int{4711}}},
		Observations: []spec.Observation{{Rule: "list.order", Asked: evil, Answer: evil}, {Rule: evil, Asked: evil, Answer: evil}},
	}}, rec.Scenarios...)
	check(t, view.New(&rec, sample.Broken(t).Sources), markdown.Summary)
	check(t, view.New(&rec, view.Sources{}), markdown.Summary)
}

// Records of all kinds can be told.
func TestOddRecords(t *testing.T) {
	for name, v := range sample.EdgeCases(t) {
		t.Run(name, func(t *testing.T) { check(t, v, markdown.Comment) })
	}
	empty := record.Record{}
	check(t, view.New(&empty, view.Sources{}), markdown.Comment)
}

// Where not everything fits, the verdict and the causes stay longest, and a sentence says what is missing.
func TestLimits(t *testing.T) {
	v := sample.Broken(t)
	whole := written(t, v, markdown.Summary)
	failing, _ := v.Causes()
	for limit := markdown.Least; limit < len(whole)+1000; limit += 500 {
		doc, source := check(t, v, limit)
		text := sample.Content(doc)
		if says := strings.Contains(text, "Left out, since no more than "); says != (source != whole) {
			t.Errorf("with %d of %d bytes: says that something is left out: %v", limit, len(whole), says)
		}
		if !strings.Contains(text, failing[0].Rule) {
			t.Errorf("with %d of %d bytes the first cause is missing", limit, len(whole))
		}
	}
}

// Many causes are told in short before any is left out.
func TestManyCauses(t *testing.T) {
	v := sample.Broken(t)
	rec := *v.Record
	rec.Scenarios, rec.Exchanges = nil, nil
	for i, r := range v.Catalogue.Rules {
		rec.Scenarios = append(rec.Scenarios, record.Scenario{
			ID: fmt.Sprintf("features/concurrent-creation.feature:%d", i+1), Outcome: record.Failed, Rules: []string{r.ID},
			Findings: []spec.Finding{{Rule: r.ID, Expected: phrase.Of(strings.Repeat("x", i+1)), Actual: phrase.Of("something else"), Where: phrase.Place{Text: "nowhere"}}},
		})
	}
	v = view.New(&rec, v.Sources)
	failing, _ := v.Causes()
	doc, _ := check(t, v, markdown.Comment)
	if n := len(sample.Elements(doc, "h3")); n < len(failing) || len(failing) < 20 {
		t.Errorf("%d titles for %d causes that all fit", n, len(failing))
	}
	doc, _ = check(t, v, 8000)
	text := sample.Content(doc)
	if gone := regexp.MustCompile(`[0-9]+ causes of ` + fmt.Sprint(len(failing))).FindString(text); gone == "" {
		t.Errorf("it is not said how many of %d causes are left out", len(failing))
	}
	if !strings.Contains(text, "Rules by area") || !strings.Contains(text, "the requests and answers of ") {
		t.Error("the areas are left out, or the proofs without a word")
	}
}

func BenchmarkWrite(b *testing.B) {
	v := sample.Big(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		if err := markdown.Write(io.Discard, v, markdown.Comment); err != nil {
			b.Fatal(err)
		}
	}
}
