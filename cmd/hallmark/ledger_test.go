package main

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/reports/record"
)

func TestLedgerCountsWhatWasCreatedRemovedAndLeft(t *testing.T) {
	all := func(fates ...record.Fate) (out []record.Creation) {
		for i, fate := range fates {
			out = append(out, record.Creation{N: i + 1, Fate: fate})
		}
		return out
	}
	for want, created := range map[string][]record.Creation{
		"0 resources created at http://x":                                           nil,
		"1 resource created at http://x":                                            all(record.Created),
		"2 resources created at http://x: 2 removed, 0 left":                        all(record.Removed, record.Removed),
		"3 resources created at http://x: 2 removed, 1 left, and 1 of unknown fate": all(record.Removed, record.Unknown, record.Created, record.Removed),
	} {
		rec := &record.Record{Target: record.Target{BaseURL: "http://x"}, Created: created}
		if got := ledgerLine(rec); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Identifiers and names come from services, and are shown in terminals: nothing in them acts there, and one identifier is one line.
func TestLedgerShowsWhatServicesSayOnly(t *testing.T) {
	const hostile = "7\x1b[31m\u202e\u009b\n8"
	for _, format := range []string{"table", "csv", "json", "ids"} {
		var out strings.Builder
		rec := &record.Record{Created: []record.Creation{{ID: hostile, Name: hostile, Fate: record.Created, Scenario: hostile}}}
		if err := writeLedger(&app{Env: &cli.Env{Stdout: &out, Lookup: func(string) (string, bool) { return "", false }}}, rec, format); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.ContainsAny(got, "\x1b\u202e\u009b") || strings.Contains(got, "\n8") || !strings.Contains(got, "202e") {
			t.Errorf("as %s:\n%q", format, got)
		}
	}
}
