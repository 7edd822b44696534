package sample

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// EdgeCases returns records of unusual runs, by what is unusual about them. Every format must handle them. Under -short it returns those
// that differ most from the others. All tests of a process share them.
func EdgeCases(tb testing.TB) map[string]*view.View {
	tb.Helper()
	all := map[string]*view.View{}
	for name, get := range shared(tb, edgeCases) {
		if !testing.Short() || slices.Contains(inShort, name) {
			all[name] = get()
		}
	}
	return all
}

var inShort = []string{"empty", "no sources", "odd exchanges", "interrupted", "known", "undecided"}

var edgeCases = sync.OnceValues(func() (map[string]func() *view.View, error) {
	broken, err := broken()
	if err != nil {
		return nil, err
	}
	change := func(from view.Sources, change func(rec *record.Record)) func() *view.View {
		return sync.OnceValue(func() *view.View {
			rec := *broken.Record
			change(&rec)
			return view.New(&rec, from)
		})
	}
	all := broken.Sources
	return map[string]func() *view.View{
		"empty":        sync.OnceValue(func() *view.View { return view.New(&record.Record{}, view.Sources{}) }),
		"no sources":   change(view.Sources{}, func(*record.Record) {}),
		"foreign":      change(view.Sources{Catalogue: all.Catalogue, ContractFile: all.ContractFile}, func(*record.Record) {}),
		"no exchanges": change(all, func(rec *record.Record) { rec.Exchanges = nil }),
		"odd exchanges": change(all, func(rec *record.Record) {
			rec.Scenarios, rec.Exchanges = nil, edgeExchanges()
		}),
		"interrupted": change(all, func(rec *record.Record) {
			rec.Complete, rec.Ended = false, time.Time{}
			rec.Scenarios = rec.Scenarios[:len(rec.Scenarios)/2]
			rec.Stopped = "the run reached its limit of 500 requests (--max-requests)"
		}),
		"lost": change(all, func(rec *record.Record) {
			rec.Complete, rec.Lost = false, "the target stopped answering: connection refused"
			rec.Scenarios = slices.Clone(rec.Scenarios)
			for i := range rec.Scenarios {
				if i%3 == 0 {
					rec.Scenarios[i].Outcome, rec.Scenarios[i].Reason = record.Errored, "the connection was lost"
				}
			}
		}),
		"harness": change(all, func(rec *record.Record) { rec.Failure = "a step that nobody knows" }),
		"strict":  change(all, func(rec *record.Record) { rec.Options.Strict = true }),
		"known": change(all, func(rec *record.Record) {
			for i, c := range broken.Result.Causes {
				rec.Deviations = append(rec.Deviations, record.Deviation{
					Rule: c.Lead.Rule, Message: "expected", Reason: "it is old", Link: "https://issues.example.com/1", Expires: "2999-01-31",
				})
				if i == 1 {
					break
				}
			}
		}),
		"outdated": change(all, func(rec *record.Record) {
			rec.Deviations = []record.Deviation{
				{Rule: "auth.key.valid", Message: "expected what never was", Reason: "it is old", Link: "https://issues.example.com/1", Expires: "2999-01-31"},
				{Rule: broken.Result.Causes[0].Lead.Rule, Message: "expected", Reason: "it is old", Link: "https://issues.example.com/2", Expires: "2001-01-31"},
			}
		}),
		"intermittent": change(all, func(rec *record.Record) {
			rec.Confirmations = nil
			for _, c := range broken.Result.Causes {
				rec.Confirmations = append(rec.Confirmations, record.Confirmation{Scenario: c.Scenario, Rule: c.Lead.Rule, Tries: 3, Shown: 1})
			}
		}),
		"undecided": change(all, func(rec *record.Record) {
			rec.Opinions = opinionsOn(broken.Result.Causes, spec.Opinion{Says: spec.Disputed, Reason: "it finds nothing wrong there, but elsewhere: \"\x1b[31m<b>\""})
		}),
		"upheld": change(all, func(rec *record.Record) {
			rec.Opinions = opinionsOn(broken.Result.Causes, spec.Opinion{Says: spec.Disputed, Known: "null-body"}, spec.Opinion{Says: spec.Agreed}, spec.Opinion{Says: spec.Unsettled, Reason: "not JSON"})
		}),
		"a part": change(all, func(rec *record.Record) {
			rec.Options.Rules, rec.Target.ReadOnly = []string{"list"}, true
		}),
		"merged": change(all, func(rec *record.Record) {
			rec.Shards = []record.Part{{}, {}}
		}),
	}, nil
})

// opinionsOn returns opinions on the findings of all causes, using the given ones in turn for the causes.
func opinionsOn(causes []verdict.Cause, says ...spec.Opinion) (all []record.Opinion) {
	for i, c := range causes {
		for _, shown := range c.Showing {
			for _, f := range shown.Findings {
				all = append(all, record.Opinion{Finding: f.Cause, Rule: f.Rule, Exchange: f.Decisive(), Opinion: says[i%len(says)]})
			}
		}
	}
	return all
}

// edgeExchanges returns unusual exchanges: without a response, cut, not in UTF-8, with broken headers.
func edgeExchanges() []spec.Exchange {
	at := time.Date(2026, 11, 21, 12, 0, 0, 123456789, time.FixedZone("CET", 3600))
	const base = "https://pets.example.com/v1/pets"
	get := spec.Request{Method: "GET", URL: base + "?limit=1&x&limit=%zz&a=b%20c+d#top", Header: http.Header{
		"Cookie": {"a=b; c=d"}, "X-Two": {"1", "2"}, "Authorization": {"Bearer $HALLMARK_API_KEY"},
	}}
	return []spec.Exchange{
		{Seq: 1, Request: get, Started: at, Lost: "connection refused"},
		{Seq: 2, Request: get, Started: at, Elapsed: 1234567, Response: &spec.Response{
			Status: 200, Size: 5000, Body: []byte("[1,2"), HeadersLeftOut: 3, Header: http.Header{
				"Set-Cookie":   {"sid=1; Path=/; Expires=Sat, 21 Nov 2026 12:00:00 GMT; HttpOnly; Secure", "=;broken"},
				"Content-Type": {"application/json", "text/html"},
			},
		}},
		{Seq: 3, Request: spec.Request{Method: "POST", URL: base, Body: []byte("\xff\xfe\x00")}, Response: &spec.Response{
			Status: 799, Size: 3, Body: []byte("\xff\x00\x80"), TooLong: true,
		}},
		{Seq: 4, Request: spec.Request{Method: "POST", URL: base, Body: []byte{}}, Lost: "the body is broken", Malformed: "body", Response: &spec.Response{
			Status: 302, Header: http.Header{"Location": {"/elsewhere"}},
		}},
	}
}
