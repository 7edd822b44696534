package compare_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func TestImplementations(t *testing.T) {
	c := five(t)
	if c.Mode != compare.Implementations || c.Change != nil {
		t.Fatalf("compared as %q, %+v", c.Mode, c.Change)
	}
	rows := map[string]compare.Row{}
	for _, r := range c.Rows {
		rows[r.Rule.ID] = r
	}
	for rule, want := range map[string]compare.Sort{
		"list.limit.honoured": compare.Differing, "auth.challenge": compare.Differing,
		"create.status.accepted": compare.Missed, "list.status.honoured": compare.Kept, "get.removed": compare.Unjudged,
	} {
		if r, known := rows[rule]; !known || r.Sort() != want {
			t.Errorf("%s is of the sort %d, want %d: %q", rule, r.Sort(), want, r.Verdicts)
		}
	}
	questions := map[string]compare.Question{}
	for _, q := range c.Ambiguities() {
		questions[q.Rule.ID] = q
	}
	outside, known := questions["list.limit.outside"]
	if !known {
		t.Fatalf("a limit outside of its bounds is no ambiguity, but %d others are", len(questions))
	}
	groups := outside.Items[0].Groups()
	if len(groups) != 2 || !slices.Equal(groups[1].Runs, []int{1}) || !strings.HasPrefix(groups[1].Answer, "status 422") {
		t.Errorf("it is answered %+v", groups)
	}
	challenge := questions["auth.challenge"]
	if len(challenge.Items) != 1 || !strings.HasPrefix(challenge.Items[0].Answers[3], "breaks it: expected") || challenge.Items[0].Answers[0] != "keeps it" {
		t.Errorf("who challenges: %+v", challenge)
	}
	if _, known := questions["create.status.default"]; known {
		t.Error("a status that all give alike is an ambiguity")
	}
	if len(c.Cautions) != 1 || !strings.HasPrefix(c.Cautions[0], "part is partial: ") {
		t.Errorf("cautions: %q", c.Cautions)
	}
	kept := 0
	for _, a := range c.Areas() {
		kept += a.Kept[0]
		if n := a.Kept[2] + a.Broken[2] + a.Missed[2]; n != a.Rules {
			t.Errorf("%s: %d rules of %d", a.Name, n, a.Rules)
		}
	}
	if want := sample.Good(t).Result.Count(verdict.Conforms, ""); kept != want {
		t.Errorf("the good one keeps %d rules by areas, and %d", kept, want)
	}
}

func TestRefused(t *testing.T) {
	a, b := run("x", spec.Must, verdict.Conforms), run("x", spec.Must, verdict.Conforms)
	catalogue := &spec.Catalogue{}
	b.Suite.Contract = "sha256:other"
	for want, try := range map[string]struct {
		runs []*compare.Run
		way  compare.Mode
	}{
		"different contracts":     {[]*compare.Run{a, b}, compare.Auto},
		"name another one":        {[]*compare.Run{a}, compare.Auto},
		"the first with the last": {[]*compare.Run{a, a, a}, compare.Runs},
		"too many":                {slices.Repeat([]*compare.Run{a}, compare.Most+1), compare.Auto},
	} {
		if _, err := compare.New(try.runs, catalogue, try.way); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	b.Suite = record.Suite{Catalogue: "sha256:other"}
	c := compared(t, compare.Auto, a, b)
	if len(c.Cautions) != 1 || !strings.Contains(c.Cautions[0], "other rules") {
		t.Errorf("cautions: %q", c.Cautions)
	}
}

func TestWay(t *testing.T) {
	of := func(project, url string) *compare.Run {
		r := run("x", spec.Must, verdict.Conforms)
		r.Implementation.Project, r.BaseURL = project, url
		return r
	}
	for _, c := range []struct {
		a, b *compare.Run
		want compare.Mode
	}{
		{of("p", "http://a/v1"), of("p", "http://b/v1"), compare.Runs},
		{of("p", "http://a/v1"), of("q", "http://a/v1"), compare.Implementations},
		{of("p", "http://a/v1"), of("", "http://a/v1"), compare.Runs},
		{of("", "http://a/v1"), of("", "http://b/v1"), compare.Implementations},
	} {
		if got := compared(t, compare.Auto, c.a, c.b); got.Mode != c.want {
			t.Errorf("%s at %s, %s at %s: %s", c.a.Implementation.Project, c.a.BaseURL, c.b.Implementation.Project, c.b.BaseURL, got.Mode)
		}
	}
}

func TestNames(t *testing.T) {
	of := func(name, project, version, url, file string) *compare.Run {
		return &compare.Run{Name: name, File: file, BaseURL: url, Implementation: record.Implementation{Project: project, Version: version}}
	}
	runs := []*compare.Run{
		of("mine", "p", "1", "http://a/v1", "1.json"), of("", "p", "1", "http://a/v1", "2.json"), of("", "p", "1", "http://b/v1", "3.json"),
		of("", "p", "2", "http://a/v1", "4.json"), of("", "", "", "http://c:81/v1", "5.json"), of("", "", "", "http://c:81/v1", "6.json"), of("", "", "", "", "7.json"),
		of("mine", "", "", "", "8.json"),
	}
	compare.Nominate(runs)
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	want := []string{"mine", "p 1 (a)", "p 1 (b)", "p 2", "c:81 (5.json)", "c:81 (6.json)", "unnamed", "mine #2"}
	if !slices.Equal(names, want) {
		t.Errorf("names are %q, want %q", names, want)
	}
}

func BenchmarkTake(b *testing.B) {
	v := sample.Big(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		compare.Take("big.json", v)
	}
}
