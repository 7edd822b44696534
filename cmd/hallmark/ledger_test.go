package main

import (
	"testing"

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
