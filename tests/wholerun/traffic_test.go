package wholerun_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/har"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// judgesOf returns what judges of traffic say of a run against a handler: of what passed, and of its recordings.
func judgesOf(t *testing.T, handler http.Handler) map[string]*record.Record {
	t.Helper()
	k := runtest.New(t)
	url := serving(t, handler)
	judge := func() *traffic.Judge {
		return traffic.New(traffic.Basis{Contract: k.Contract, Catalogue: k.Catalogue, Promises: k.Promises},
			traffic.Options{Place: traffic.At(k.Contract, url), Most: traffic.LongestBody})
	}
	live := judge()
	tap := &traffic.Tap{Most: traffic.LongestBody, Requests: true, Submit: live.Add}
	plain := client.NewTransport(8)
	plain.DisableCompression = true
	rec, _ := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Transport = tap.Transport(plain) })
	v := view.New(&rec, view.Sources{Catalogue: k.Catalogue, Contract: k.Contract})
	all := map[string]*record.Record{"live": {}, "HAR": {}, "record": {}}
	live.Fill(all["live"], "live")
	for form, write := range map[string]func(io.Writer) error{
		"HAR":    func(w io.Writer) error { return har.Format().Write(w, v) },
		"record": func(w io.Writer) error { return reports.WriteJSON(w, &rec, v.Result) },
	} {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			t.Fatal(err)
		}
		j := judge()
		err := traffic.Read(&text, traffic.Recording{Base: func(base string) { j.SetPlace(traffic.At(k.Contract, base)) }, Exchange: j.Add, Other: j.Skip})
		if err != nil {
			t.Fatal(err)
		}
		j.Fill(all[form], form)
		if seen := all[form].Traffic.Seen; seen != len(rec.Exchanges) {
			t.Errorf("%s: %d of %d exchanges were read", form, seen, len(rec.Exchanges))
		}
	}
	return all
}

// The traffic of a whole run against a service that keeps its interface shows no broken rule.
func TestTrafficOfTheReference(t *testing.T) {
	t.Parallel()
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	for form, rec := range judgesOf(t, service.Handler()) {
		for _, s := range rec.Scenarios {
			for _, f := range s.Findings {
				t.Errorf("%s: %s is accused: %s, expected %s, actual %s", form, f.Rule, f.Where, f.Expected, f.Actual)
			}
		}
		if res := verdict.Draw(rec, runtest.New(t).Catalogue.Rules); res.ExitCode != verdict.ExitOK || len(rec.Traffic.Unseen) > 0 || len(rec.Traffic.Succeeded) != 3 {
			t.Errorf("%s: exit code %d, %s; unseen are %q", form, res.ExitCode, res.Because, rec.Traffic.Unseen)
		}
	}
}

func TestTrafficOfFreedoms(t *testing.T) {
	for i, f := range variants.Freedoms() {
		if f.Now != "" || f.TLS {
			continue // judged for a day; another transport
		}
		t.Run(f.Name, func(t *testing.T) {
			skip.Sampled(t, i, 12)
			t.Parallel()
			service, err := variants.Build(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"}, f.Variant)
			if err != nil {
				t.Fatal(err)
			}
			defer service.Close()
			for form, rec := range judgesOf(t, service.Handler) {
				for rule, f := range failing(*rec, runtest.New(t).Catalogue) {
					t.Errorf("%s: %s is accused: %s, expected %s, actual %s", form, rule, f.Where, f.Expected, f.Actual)
				}
			}
		})
	}
}

// Faults that single exchanges show are found in the traffic of a run that provokes them.
func TestTrafficOfFaults(t *testing.T) {
	for fault, forms := range map[string][]string{
		"error-code-number":       {"live", "HAR", "record"},
		"media-vendor":            {"live", "HAR", "record"},
		"json-comma-at-the-end":   {"live", "HAR", "record"},
		"limit-100-means-101":     {"live", "HAR", "record"},
		"accepts-cut-body":        {"live", "record"}, // a recording by others may be what cut it
		"accepts-array":           {"live", "HAR", "record"},
		"accepts-any-status":      {"live", "HAR", "record"},
		"name-quotes-fail":        {"live", "HAR", "record"},
		"list-null-item-deep":     {"live", "HAR", "record"},
		"body-none-on-unknown-id": {"live", "record"}, // archives do not tell empty bodies from those that were not kept
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			all := judgesOf(t, brokenService(t, fault))
			for _, form := range forms {
				if len(failing(*all[form], runtest.New(t).Catalogue)) == 0 {
					t.Errorf("%s: nothing is found", form)
				}
			}
		})
	}
}
