package wholerun_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"hallmark/reports/record"
	"hallmark/steps"
	"hallmark/tests/runtest"
)

// TestReadingCreatesNothing runs what a read-only run may.
func TestReadingCreatesNothing(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	server := tampered(t, func(r *http.Request, _ *httptest.ResponseRecorder) bool {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is sent", r.Method, r.URL.Path)
		}
		return false
	})
	rec, res := k.Run(t, server.URL+"/v1", referenceKey, func(c *steps.Config) {
		c.Selection.ReadOnly, c.Target.ReadOnly = true, true
	})
	ran := slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Outcome == record.Passed && len(s.Exchanges) > 10 })
	if res.ExitCode != 0 || !ran {
		t.Errorf("the run is %s, and a scenario read much: %t", res.Verdict, ran)
	}
}
