package ctrf

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// status is the status of a test or a step.
type status string

// The statuses of the format except pending, which is for tests never meant to run.
const (
	passed  status = "passed"
	failed  status = "failed"
	skipped status = "skipped"
	// other: it neither passed nor failed. The raw status has the details.
	other status = "other"
)

// The members that are written. Times are in milliseconds, since 1970 for points in time.
type (
	tool struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	summary struct {
		Tests    int   `json:"tests"`
		Passed   int   `json:"passed"`
		Failed   int   `json:"failed"`
		Skipped  int   `json:"skipped"`
		Pending  int   `json:"pending"`
		Other    int   `json:"other"`
		Flaky    int   `json:"flaky"`
		Suites   int   `json:"suites"`
		Start    int64 `json:"start"`
		Stop     int64 `json:"stop"`
		Duration int64 `json:"duration"`
	}
	environment struct {
		ReportName      string         `json:"reportName"`
		AppName         string         `json:"appName,omitempty"`
		AppVersion      string         `json:"appVersion,omitempty"`
		TestEnvironment string         `json:"testEnvironment,omitempty"`
		ShardID         string         `json:"shardId,omitempty"`
		Healthy         bool           `json:"healthy"`
		Extra           map[string]any `json:"extra"`
	}
	test struct {
		TestID    string              `json:"testId,omitempty"`
		Name      string              `json:"name"`
		Status    status              `json:"status"`
		RawStatus string              `json:"rawStatus,omitempty"`
		Duration  int64               `json:"duration"`
		Start     int64               `json:"start,omitempty"`
		Stop      int64               `json:"stop,omitempty"`
		Suite     []string            `json:"suite,omitempty"`
		Message   string              `json:"message,omitempty"`
		Trace     string              `json:"trace,omitempty"`
		Line      int                 `json:"line,omitempty"`
		Tags      []string            `json:"tags,omitempty"`
		Labels    map[string][]string `json:"labels,omitempty"`
		Type      string              `json:"type,omitempty"`
		FilePath  string              `json:"filePath,omitempty"`
		Retries   int                 `json:"retries,omitempty"`
		Flaky     bool                `json:"flaky,omitempty"`
		Stdout    []string            `json:"stdout,omitempty"`
		Steps     []step              `json:"steps,omitempty"`
		Extra     map[string]any      `json:"extra,omitempty"`
	}
	step struct {
		Name   string `json:"name"`
		Status status `json:"status"`
	}
)

// statusOf is the status of an outcome.
func statusOf(o record.Outcome) status {
	switch o {
	case record.Passed:
		return passed
	case record.Failed:
		return failed
	case record.Skipped:
		return skipped
	case record.Errored:
	}
	return other
}

// scenario returns a scenario as a test.
func (r *report) scenario(sc *record.Scenario) test {
	is := r.Case(sc)
	t := test{
		TestID: text.Visible(sc.ID), Name: text.Visible(sc.Title()), Status: statusOf(is.Outcome), RawStatus: string(sc.Outcome),
		Duration: max(sc.Elapsed, 0).Milliseconds(), Message: is.Message, Tags: sc.Tags, Type: "contract", FilePath: sc.File(),
	}
	if t.Name == "" {
		t.Name = "a scenario without a name"
	}
	if at := unixMilli(sc.Started); at != 0 {
		t.Start, t.Stop = at, at+t.Duration
	}
	if sc.Feature != "" {
		t.Suite = append(t.Suite, text.Visible(sc.Feature))
		if sc.Sentence != "" {
			t.Suite = append(t.Suite, text.Visible(sc.Sentence))
		}
	}
	if _, number, found := strings.Cut(sc.ID, ".feature:"); found {
		t.Line, _ = strconv.Atoi(number)
	}
	if labels := labelsOf(sc); len(labels) > 0 {
		t.Labels = labels
	}
	if is.Excused {
		t.Status, t.RawStatus = other, "known violation"
	}
	if len(is.Failing) > 0 {
		t.Trace = failure.Text(r.View, sc, is.Failing, "FAIL")
	}
	for _, part := range []string{failure.Text(r.View, sc, is.Known, "KNOWN"), failure.Text(r.View, sc, is.Warning, "WARN")} {
		if part != "" {
			t.Stdout = append(t.Stdout, strings.Split(strings.TrimSuffix(part, "\n"), "\n")...)
		}
	}
	for _, o := range sc.Observations {
		t.Stdout = append(t.Stdout, "observed: "+text.Short(o.Asked)+" → "+text.Short(o.Answer)+" ("+text.Visible(o.Rule)+")")
	}
	for _, s := range sc.Steps {
		t.Steps = append(t.Steps, step{text.Visible(strings.TrimSpace(s.Keyword + " " + s.Text)), statusOf(s.Outcome)})
	}
	if c, there := r.repeated[sc.ID]; there {
		t.Retries, t.Flaky = c.Tries, c.Intermittent()
		t.Extra = map[string]any{"confirmation": c.Sentence()}
	}
	if is.Mark == verdict.UndecidedMark {
		if t.Extra == nil {
			t.Extra = map[string]any{}
		}
		t.Extra["undecided"] = true
	} else if is.Mark != "" { // also if another scenario of the same cause was repeated
		if t.Extra == nil {
			t.Extra = map[string]any{}
		}
		t.Extra["intermittent"] = true
	}
	return t
}

// labelsOf returns the rules and the operations of a scenario.
func labelsOf(sc *record.Scenario) map[string][]string {
	labels := map[string][]string{}
	if len(sc.Rules) > 0 {
		labels["rule"] = sc.Rules
	}
	if len(sc.Operations) > 0 {
		labels["operation"] = sc.Operations
	}
	return labels
}

// ofTheRun returns failed tests for problems of the run itself and for known violations that no longer hold.
func (r *report) ofTheRun() []test {
	var all []test
	for _, d := range r.Result.Deviations {
		if d.Fails {
			all = append(all, test{
				TestID: "deviation " + d.Rule + ": " + d.Message, Name: "the known violation of " + text.Visible(d.Rule) + " still holds", Status: failed,
				RawStatus: string(d.State), Suite: []string{"known violations"}, Message: text.Visible(d.Says + " (" + d.Message + ")"),
			})
		}
	}
	for _, t := range r.Troubles() {
		all = append(all, test{
			TestID: "run " + t.Name, Name: t.Name, Status: failed, RawStatus: "error", Suite: []string{"hallmark"}, Message: text.Visible(t.Message),
		})
	}
	return all
}
