// Package ctrf writes a run in the Common Test Report Format (CTRF), a JSON format read by test dashboards and many CI actions.
package ctrf

import (
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// specVersion is the version of the format.
const specVersion = "0.0.0"

// Format returns the CTRF format.
func Format() reports.Format {
	return reports.Format{Name: "ctrf", Says: "the Common Test Report Format, for test dashboards", Write: write}
}

// write writes the report of a run: a test for each scenario, and one for each problem with the run itself, so that a run that proves nothing is not all
// green.
func write(w io.Writer, v *view.View) error {
	r := &report{View: v, repeated: repetitions(v)}
	j := jsonout.New(w)
	j.Raw("{\"reportFormat\":\"CTRF\",\"specVersion\":\"" + specVersion + "\",\"reportId\":")
	j.Value(r.id())
	if id := v.Record.ID; id != "" {
		j.Raw(",\"runId\":")
		j.Value(id)
	}
	if at := r.start().Add(v.Elapsed()); !r.start().IsZero() {
		j.Raw(",\"timestamp\":")
		j.Value(at.UTC())
	}
	j.Raw(",\"generatedBy\":\"hallmark\",\n\"results\":{\"tool\":")
	j.Value(tool{Name: "hallmark", Version: v.Record.Suite.Version})
	j.Raw(",\n\"environment\":")
	j.Value(r.environment())
	j.Raw(",\n\"tests\":")
	tests := j.List()
	for i := range v.Record.Scenarios {
		t := r.scenario(&v.Record.Scenarios[i])
		r.count(t)
		tests.Add(t)
	}
	for _, t := range r.ofTheRun() {
		r.count(t)
		tests.Add(t)
	}
	tests.End()
	j.Raw(",\n\"summary\":")
	j.Value(r.whole())
	j.Raw("}}\n")
	return j.Flush()
}

// report is a run being converted to CTRF.
type report struct {
	*view.View
	sum summary
	// files holds the paths of the feature files met so far.
	files map[string]bool
	// repeated holds the repeated scenarios by id.
	repeated map[string]record.Confirmation
}

// repetitions returns the results of repeating scenarios, the worst one for a scenario repeated for several rules.
func repetitions(v *view.View) map[string]record.Confirmation {
	all := map[string]record.Confirmation{}
	for _, c := range v.Record.Confirmations {
		if before, there := all[c.Scenario]; c.Tries > 0 && (!there || c.Intermittent() && !before.Intermittent()) {
			all[c.Scenario] = c
		}
	}
	return all
}

func (r *report) start() time.Time { return r.Record.Started }

// id returns a UUID for the report (RFC 9562, version 8), which depends only on the run.
func (r *report) id() string {
	sum := sha256.Sum256([]byte("hallmark ctrf\x00" + r.Record.ID + "\x00" + r.start().UTC().Format(time.RFC3339Nano) + "\x00" + r.Record.Options.Shard))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (r *report) environment() environment {
	rec := r.Record
	made := rec.Target.Implementation
	return environment{
		ReportName: "hallmark: " + text.Visible(rec.Target.BaseURL), AppName: made.Project, AppVersion: made.Version,
		TestEnvironment: rec.Target.BaseURL, ShardID: rec.Options.Shard, Healthy: r.Result.ExitCode == verdict.ExitOK,
		Extra: map[string]any{
			"verdict": r.Result.Verdict, "because": r.Result.Because, "exitCode": r.Result.ExitCode, "complete": rec.Complete, "seed": r.Seed(),
			"contract": rec.Suite.Contract, "catalogue": rec.Suite.Catalogue, "features": rec.Suite.Features,
			"organization": made.Organization, "left": r.Left(), "scope": r.Scope(), "proof": r.Result.Proof,
		},
	}
}

func (r *report) count(t test) {
	r.sum.Tests++
	switch t.Status {
	case passed:
		r.sum.Passed++
	case failed:
		r.sum.Failed++
	case skipped:
		r.sum.Skipped++
	case other:
		r.sum.Other++
	}
	if t.Flaky {
		r.sum.Flaky++
	}
	if r.files == nil {
		r.files = map[string]bool{}
	}
	if t.FilePath != "" {
		r.files[t.FilePath] = true
	}
}

func (r *report) whole() summary {
	s := r.sum
	s.Suites = len(r.files)
	s.Start, s.Stop = unixMilli(r.start()), unixMilli(r.start())+r.Elapsed().Milliseconds()
	s.Duration = s.Stop - s.Start
	return s
}

// unixMilli returns 0 for an unknown time.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
