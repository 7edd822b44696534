package listing_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/listing"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/prose"
)

func sentences() []promise.Sentence {
	return []promise.Sentence{
		{Sentence: prose.Sentence{Text: "Only tickets with this state.", Line: 8, Place: prose.Parameter, Claim: prose.Claim{Form: prose.Filtered}}, Rules: []string{"a.list.filter"}, Raised: []string{"a.list.filter"}},
		{Sentence: prose.Sentence{Text: "At most 80 characters.", Line: 120, Place: prose.Schema, Claim: prose.Claim{Form: prose.Length}}, Rules: []string{"a.body", "b.body", "c.body"}},
		{Sentence: prose.Sentence{Text: "It is never | shown.", File: "more.yaml", Line: 3, Place: prose.Schema}},
		{Sentence: prose.Sentence{Text: "It must be so.", Line: 9, Place: prose.Document}, Aside: "it cannot be seen"},
	}
}

func TestSentences(t *testing.T) {
	for _, row := range []struct {
		format   string
		openOnly bool
		want     string
	}{
		{listing.Table, false, `LINE         JUDGED BY                     SENTENCE
8            a.list.filter (must: filter)  Only tickets with this state.
120          a.body and 2 more             At most 80 characters.
more.yaml:3  open                          It is never | shown.
9            set aside                     It must be so.

sentences: 3 of 4 judged
`},
		{listing.Table, true, "LINE         JUDGED BY  SENTENCE\nmore.yaml:3  open       It is never | shown.\n\nsentences: 3 of 4 judged\n"},
		{listing.Markdown, true, "| Line | Sentence | Judged by |\n|---|---|---|\n| more.yaml:3 | It is never \\| shown. | open |\n\nsentences: 3 of 4 judged\n"},
	} {
		var out strings.Builder
		open, err := listing.Sentences(&out, sentences(), row.openOnly, row.format, 0)
		if err != nil || open != 1 || out.String() != row.want {
			t.Errorf("%s: %d open, %v\n%s", row.format, open, err, out.String())
		}
	}
	var out strings.Builder
	if _, err := listing.Sentences(&out, sentences()[:1], false, listing.JSON, 0); err != nil || !strings.Contains(out.String(), `"raised": [`) {
		t.Errorf("JSON: %v\n%s", err, out.String())
	}
}
