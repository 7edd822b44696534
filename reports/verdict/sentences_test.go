package verdict_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// TestSentences counts what a run judged of the sentences of its document: a rule that was not exercised judges none.
func TestSentences(t *testing.T) {
	rules := []spec.Rule{{ID: "a", Level: spec.Must}, {ID: "b", Level: spec.Inferred}}
	judged := record.Sentence{Line: 1, Text: "Judged.", Rules: []string{"b", "a"}}
	broken := record.Sentence{Line: 2, Text: "Not exercised.", Rules: []string{"b"}}
	open := record.Sentence{Line: 3, Text: "Open."}
	aside := record.Sentence{Line: 4, Text: "Set aside.", Aside: "People answer it."}
	for name, test := range map[string]struct {
		sentences []record.Sentence
		require   bool
		shard     string
		summary   string
		exit      int
		verdict   verdict.Verdict
	}{
		"all":                {[]record.Sentence{judged, aside}, true, "", "1 of 2 judged, 1 set aside", verdict.ExitOK, verdict.Conformant},
		"some, not required": {[]record.Sentence{judged, broken, open, aside}, false, "", "1 of 4 judged, 1 open, 1 not exercised, 1 set aside", verdict.ExitOK, verdict.Conformant},
		"one is open":        {[]record.Sentence{judged, open}, true, "", "1 of 2 judged, 1 open", verdict.ExitIncomplete, verdict.Partial},
		"not exercised":      {[]record.Sentence{judged, broken}, true, "", "1 of 2 judged, 1 not exercised", verdict.ExitIncomplete, verdict.Partial},
		"of a shard":         {[]record.Sentence{judged, open}, true, "1/2", "1 of 2 judged, 1 open", verdict.ExitOK, verdict.Partial},
	} {
		t.Run(name, func(t *testing.T) {
			rec := record.Record{
				Complete: true, Scenarios: []record.Scenario{{ID: "f:1", Rules: []string{"a"}, Outcome: record.Passed}}, Exercised: map[string]int{"a": 1},
				Options: record.Options{RequireProse: test.require, Shard: test.shard}, Document: &record.Document{Sentences: test.sentences},
			}
			res := verdict.Draw(&rec, rules)
			if res.Sentences == nil || res.Sentences.Summary() != test.summary {
				t.Fatalf("got %+v, want %s", res.Sentences, test.summary)
			}
			if res.ExitCode != test.exit || res.Verdict != test.verdict {
				t.Errorf("exit code %d, %s: %s; want %d, %s", res.ExitCode, res.Verdict, res.Because, test.exit, test.verdict)
			}
		})
	}
	rec := record.Record{Complete: true, Options: record.Options{RequireProse: true}, Exercised: map[string]int{"a": 1}}
	if res := verdict.Draw(&rec, rules); res.Sentences != nil {
		t.Errorf("a record without sentences has %+v", res.Sentences)
	}
}
