package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// A rule is not exercised if some responses that it is about could not be judged, however many others were.
func TestWhatWasNotJudgedDoesNotConform(t *testing.T) {
	rules := fixture.Catalogue(t)
	r := fixture.New(t)
	r.Rec.Options.RequireComplete = true
	r.Rec.Unjudged = []record.Unjudged{
		{Remark: record.Remark{Line: 7, Text: "content of the media type text/x is not read"}, Values: 2, Rules: []string{"answer.body", "list.empty"}},
		{Remark: record.Remark{Line: 9, Text: "it takes too long"}, Values: 1, Rules: []string{"answer.body"}},
	}
	r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
	r.Rec.Unjudged[1].Rules = append(r.Rec.Unjudged[1].Rules, "get.unknown")
	got := map[string]verdict.RuleVerdict{}
	res := verdict.Draw(&r.Rec, rules)
	for _, v := range res.Rules {
		got[v.Rule] = v
	}
	if v := got["answer.body"]; v.Verdict != verdict.NotExercised || !strings.Contains(v.Reason, "line 7: content of the media type text/x is not read (and 1 more place)") {
		t.Errorf("answer.body: %s, %s", v.Verdict, v.Reason)
	}
	if v := got["list.empty"]; v.Verdict != verdict.NotExercised {
		t.Errorf("list.empty: %s", v.Verdict)
	}
	if v := got["get.unknown"]; v.Verdict != verdict.Violated {
		t.Errorf("get.unknown, which is broken besides: %s", v.Verdict)
	}
	r.Rec.Scenarios = r.Rec.Scenarios[:len(r.Rec.Scenarios)-1]
	if res = verdict.Draw(&r.Rec, rules); res.Verdict != verdict.Partial || res.ExitCode != 4 {
		t.Errorf("the run: %s, exit %d (%s)", res.Verdict, res.ExitCode, res.Because)
	}
}
