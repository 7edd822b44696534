package html

import (
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// altered is the broken run with something odd about it.
func altered(t *testing.T, change func(rec *record.Record, from *view.Sources)) string {
	t.Helper()
	v := sample.Broken(t)
	rec, from := *v.Record, v.Sources
	change(&rec, &from)
	return written(t, view.New(&rec, from))
}

func TestOddRecords(t *testing.T) {
	cases := []struct {
		name   string
		change func(rec *record.Record, from *view.Sources)
		says   []string
		not    []string
	}{
		{
			"no exchanges", func(rec *record.Record, _ *view.Sources) { rec.Exchanges = nil },
			[]string{"<p>The record holds none.</p>", "Cause 1"},
			[]string{`id="latency"`, `href="#exchange-1`, `id="exchange-filters"`},
		},
		{
			"another contract", func(_ *record.Record, from *view.Sources) { from.Contract = nil },
			[]string{"not available: it is not the one built into this hallmark"}, []string{"What the contract says", "<figcaption>"},
		},
		{
			"no catalogue", func(_ *record.Record, from *view.Sources) { from.Catalogue = nil },
			[]string{"0 rules"}, []string{`href="#rule-`},
		},
		{
			"nothing at all", func(rec *record.Record, _ *view.Sources) {
				*rec = record.Record{Schema: record.Schema}
			},
			[]string{"Inconclusive", "The run had not ended when this was written."}, []string{`id="causes"`, "0001"},
		},
		{
			"lost", func(rec *record.Record, _ *view.Sources) {
				rec.Scenarios = nil
				rec.Lost, rec.Complete = "connection refused \u202e<b>", false
			},
			[]string{"Inconclusive", `The target was lost: connection refused \u202e&lt;b&gt;`}, nil,
		},
		{
			"stopped", func(rec *record.Record, _ *view.Sources) {
				rec.Stopped, rec.Complete = "the run reached its limit of 500 requests (--max-requests)", false
			},
			[]string{"The run reached its limit of 500 requests (--max-requests).", "there may be more"}, nil,
		},
		{
			"filtered, read-only, sharded", func(rec *record.Record, _ *view.Sources) {
				rec.Options.Rules, rec.Target.ReadOnly, rec.Options.Shard = []string{"list.limit.honoured"}, true, "2/5"
			},
			[]string{"This run: read-only · only list.limit.honoured · only shard 2/5."}, nil,
		},
		{
			"merged", func(rec *record.Record, _ *view.Sources) {
				rec.Shards = []record.Part{{Shard: "1/2", Seed: 7, Scenarios: 200}, {Shard: "2/2", Seed: 9, Scenarios: 282}}
			},
			[]string{"2 shards", "seed 9, 282 scenarios"}, nil,
		},
		{
			"known violations", func(rec *record.Record, _ *view.Sources) {
				rec.Deviations = []record.Deviation{
					{Rule: "get.unknown", Message: "expected status 404, actual status 410", Reason: "PETS-17", Link: "https://tracker.example.com/17", Expires: "2999-01-01"},
					{Rule: "get.unknown", Message: "expected a documented status, actual status 410", Reason: "PETS-17", Link: "https://tracker.example.com/17", Expires: "2999-01-01"},
					{Rule: "list.empty", Message: "expected", Reason: "gone", Link: "javascript:alert(1)", Expires: "2999-01-01"},
				}
			},
			[]string{`<a href="https://tracker.example.com/17" rel="noreferrer">`, "it is fixed", `class="rule is-deviates" id="rule-get.unknown"`},
			[]string{`href="javascript`},
		},
		{
			"an intermittent cause", func(rec *record.Record, _ *view.Sources) {
				rec.Confirmations = nil
				for _, c := range sample.Broken(t).Result.Causes {
					rec.Confirmations = append(rec.Confirmations, record.Confirmation{Scenario: c.Scenario, Rule: c.Lead.Rule, Tries: 3, Shown: 1})
				}
			},
			[]string{`<span class="tag unsure">intermittent</span>`, "INTERMITTENT: failed again in 1 of 3 repetitions"}, nil,
		},
		{
			"hallmark itself failed", func(rec *record.Record, _ *view.Sources) { rec.Failure = "a step is undefined" },
			[]string{"Inconclusive", "hallmark itself failed, so this run proves nothing"}, nil,
		},
		{
			"an error", func(rec *record.Record, _ *view.Sources) {
				rec.Scenarios = append([]record.Scenario(nil), rec.Scenarios...)
				rec.Scenarios[100].Outcome, rec.Scenarios[100].Reason = record.Errored, "the connection was <reset>"
			},
			[]string{`id="errors"`, "the connection was &lt;reset&gt;"}, nil,
		},
		{
			"no response", func(rec *record.Record, _ *view.Sources) {
				rec.Exchanges = append([]spec.Exchange(nil), rec.Exchanges...)
				rec.Exchanges[50].Response, rec.Exchanges[50].Lost = nil, "connection reset by peer"
			},
			[]string{`<strong class="unexpected">none</strong> connection reset by peer`}, nil,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := altered(t, c.change)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("it does not say %s", want)
				}
			}
			for _, unwanted := range c.not {
				if strings.Contains(text, unwanted) {
					t.Errorf("it says %s", unwanted)
				}
			}
			if strings.Contains(text, "ZgotmplZ") {
				t.Error("a value stands where none can be made safe")
			}
			checkLinks(t, text)
		})
	}
}

func TestWarningsDoNotLookLikeFailures(t *testing.T) {
	v := sample.Good(t)
	rec := *v.Record
	rec.Scenarios = append([]record.Scenario(nil), rec.Scenarios...)
	rec.Scenarios[10].Findings = []spec.Finding{{Rule: "auth.challenge", Expected: phrase.Of("a header"), Actual: phrase.Of("none"), Cause: "x"}}
	text := written(t, view.New(&rec, v.Sources))
	if !strings.Contains(text, `id="warnings"`) || strings.Contains(text, `id="causes"`) || strings.Contains(text, "Cause 1") {
		t.Error("a broken should rule is told as a failure")
	}
	if !strings.Contains(text, `class="banner is-conforms"`) {
		t.Error("a run with warnings does not look conformant")
	}
}

func TestLatencies(t *testing.T) {
	rec := &record.Record{}
	for i := 1; i <= 100; i++ {
		rec.Exchanges = append(rec.Exchanges, spec.Exchange{Seq: i, Operation: "listPets", Elapsed: time.Duration(i) * time.Millisecond, Response: &spec.Response{Status: 200}})
	}
	rec.Exchanges = append(rec.Exchanges, spec.Exchange{Seq: 101, Operation: "listPets", Elapsed: time.Hour}) // without a response it is no latency
	got := latencyOf(rec).Operations
	if len(got) != 1 || got[0].Count != 100 || got[0].Median != "50 ms" || got[0].P95 != "95 ms" || got[0].Most != "100 ms" || got[0].Slowest != 100 {
		t.Fatalf("%+v", got)
	}
	for _, b := range got[0].Bars {
		if b.X < 0 || b.X+b.Width > 100 || b.Y < 0 || b.Height <= 0 || b.Y+b.Height > 100.01 {
			t.Errorf("a bar lies outside: %+v", b)
		}
	}
	if got[0].MedianAt >= got[0].P95At {
		t.Error("the median is not left of the 95th percentile")
	}
}
