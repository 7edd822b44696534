package messages

import (
	"io"
	"strings"
	"time"

	cucumber "github.com/cucumber/messages/go/v34"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// protocolVersion is the version of the messages.
const protocolVersion = "34.2.0"

// Format is Cucumber Messages.
func Format() reports.Format {
	return reports.Format{Name: "messages", Says: "Cucumber Messages, as NDJSON, for Cucumber's own formatters and services", Write: write}
}

// write writes the messages of a run in Cucumber's order.
func write(w io.Writer, v *view.View) error {
	s := &stream{View: v, out: jsonout.New(w), newID: (&cucumber.Incrementing{}).NewId}
	s.send(cucumber.Envelope{Meta: &cucumber.Meta{
		ProtocolVersion: protocolVersion,
		Implementation:  &cucumber.Product{Name: "hallmark", Version: v.Record.Suite.Version},
		// A record does not contain the machine that made it.
		Runtime: &cucumber.Product{Name: "Go"}, Os: &cucumber.Product{Name: "unknown"}, Cpu: &cucumber.Product{Name: "unknown"},
	}})
	s.features()
	s.step = s.newID()
	s.send(cucumber.Envelope{StepDefinition: &cucumber.StepDefinition{
		Id: s.step, SourceReference: &cucumber.SourceReference{Uri: "steps"},
		Pattern: &cucumber.StepDefinitionPattern{Source: ".*", Type: cucumber.StepDefinitionPatternType_REGULAR_EXPRESSION},
	}})
	s.run = s.newID()
	s.send(cucumber.Envelope{TestRunStarted: &cucumber.TestRunStarted{Id: s.run, Timestamp: stamp(v.Record.Started)}})
	for i := range v.Record.Scenarios {
		s.scenario(&v.Record.Scenarios[i], s.pickles[i])
	}
	s.finish()
	return s.out.Flush()
}

// stream writes a run as messages.
type stream struct {
	*view.View
	out   *jsonout.Writer
	newID func() string
	// pickles are the pickles of the record's scenarios, in the same order.
	pickles []*cucumber.Pickle
	// step is the id of the single step definition, run that of the run.
	step, run string
}

func (s *stream) send(e cucumber.Envelope) { s.out.Line(e) }

// finish writes the end of the run.
func (s *stream) finish() {
	says := s.Result.Verdict.Word() + ": " + text.Visible(s.Result.Because)
	for _, t := range s.Troubles() {
		says += "\n" + text.Visible(t.Name) + ": " + text.Visible(t.Message)
	}
	for _, d := range s.Result.Deviations {
		if d.Fails {
			says += "\nknown violation of " + text.Visible(d.Rule) + ": " + text.Visible(d.Says)
		}
	}
	s.send(cucumber.Envelope{TestRunFinished: &cucumber.TestRunFinished{
		TestRunStartedId: s.run, Success: s.Result.ExitCode == verdict.ExitOK, Message: says,
		Timestamp: stamp(s.Record.Started.Add(s.Elapsed())),
	}})
}

// scenario returns the result of a scenario.
func (s *stream) scenario(sc *record.Scenario, pickle *cucumber.Pickle) {
	test := &cucumber.TestCase{Id: s.newID(), PickleId: pickle.Id, TestRunStartedId: s.run, TestSteps: []*cucumber.TestStep{}}
	for _, step := range pickle.Steps {
		test.TestSteps = append(test.TestSteps, &cucumber.TestStep{
			Id: s.newID(), PickleStepId: step.Id, StepDefinitionIds: []string{s.step},
			StepMatchArgumentsLists: []*cucumber.StepMatchArgumentsList{{StepMatchArguments: []*cucumber.StepMatchArgument{}}},
		})
	}
	s.send(cucumber.Envelope{TestCase: test})
	began, ended := stamp(sc.Started), stamp(sc.Started.Add(max(sc.Elapsed, 0)))
	attempt := s.newID()
	s.send(cucumber.Envelope{TestCaseStarted: &cucumber.TestCaseStarted{Id: attempt, TestCaseId: test.Id, Timestamp: began}})
	is := s.Case(sc)
	results := resultsOf(sc, is, len(test.TestSteps))
	worst := decisive(results)
	for i, step := range test.TestSteps {
		s.send(cucumber.Envelope{TestStepStarted: &cucumber.TestStepStarted{TestCaseStartedId: attempt, TestStepId: step.Id, Timestamp: began}})
		result := &cucumber.TestStepResult{Status: results[i], Duration: &cucumber.Duration{}}
		if i == worst {
			explain(result, is)
			for _, text := range s.details(sc, is) {
				s.send(cucumber.Envelope{Attachment: &cucumber.Attachment{
					Body: text, ContentEncoding: cucumber.AttachmentContentEncoding_IDENTITY, MediaType: "text/x.cucumber.log+plain",
					TestCaseStartedId: attempt, TestStepId: step.Id, Timestamp: ended,
				}})
			}
		}
		s.send(cucumber.Envelope{TestStepFinished: &cucumber.TestStepFinished{
			TestCaseStartedId: attempt, TestStepId: step.Id, TestStepResult: result, Timestamp: ended,
		}})
	}
	s.send(cucumber.Envelope{TestCaseFinished: &cucumber.TestCaseFinished{TestCaseStartedId: attempt, Timestamp: ended}})
}

// resultsOf returns the results of a scenario's steps, the worst of which is that of the scenario. Cucumber has no result for an error of
// the harness: a step that could not be judged is pending, because unknown ranks below passed. A step with a known violation neither passed
// nor failed, so it is skipped.
func resultsOf(sc *record.Scenario, is view.Case, steps int) []cucumber.TestStepResultStatus {
	bad := map[record.Outcome]cucumber.TestStepResultStatus{
		record.Failed: cucumber.TestStepResultStatus_FAILED, record.Errored: cucumber.TestStepResultStatus_PENDING,
		record.Skipped: cucumber.TestStepResultStatus_SKIPPED, record.Passed: cucumber.TestStepResultStatus_PASSED,
	}[is.Outcome]
	if is.Excused {
		bad = cucumber.TestStepResultStatus_SKIPPED
	}
	results := make([]cucumber.TestStepResultStatus, steps)
	shown := false
	for i := range results {
		results[i] = cucumber.TestStepResultStatus_PASSED
		switch {
		case is.Outcome == record.Skipped, i >= len(sc.Steps), sc.Steps[i].Outcome == record.Skipped:
			if is.Outcome != record.Passed || is.Excused {
				results[i] = cucumber.TestStepResultStatus_SKIPPED
			}
		case sc.Steps[i].Outcome != record.Passed:
			results[i] = bad
			shown = true
		}
	}
	if !shown && steps > 0 && bad != cucumber.TestStepResultStatus_PASSED {
		results[steps-1] = bad // what was found outside the steps
	}
	return results
}

// decisive returns the first step with the worst result.
func decisive(results []cucumber.TestStepResultStatus) int {
	worst := 0
	for i, r := range results {
		if weight(r) > weight(results[worst]) {
			worst = i
		}
	}
	return worst
}

func weight(r cucumber.TestStepResultStatus) int {
	return strings.Index("PASSED SKIPPED PENDING FAILED", string(r))
}

// explain adds what was found to a result.
func explain(result *cucumber.TestStepResult, is view.Case) {
	result.Message = is.Message
	if len(is.Failing) == 0 {
		return
	}
	var lines []string
	if is.Mark != "" {
		lines = append(lines, is.Mark)
	}
	const most = 8
	for i, f := range is.Failing {
		if i == most {
			lines = append(lines, "and "+text.Count(len(is.Failing)-i, "more finding"))
			break
		}
		lines = append(lines, text.Visible(f.Rule), "  expected  "+text.Short(f.Expected.String()), "  actual    "+text.Short(f.Actual.String()))
		if !f.Where.IsZero() {
			lines = append(lines, "  where     "+text.Short(f.Where.String()))
		}
	}
	result.Message = strings.Join(lines, "\n")
	result.Exception = &cucumber.Exception{Type: text.Visible(is.Failing[0].Rule), Message: record.Message(is.Failing[0])}
}

// details returns the detailed text of a scenario: findings with their exchanges and curl commands, warnings and observations.
func (s *stream) details(sc *record.Scenario, is view.Case) []string {
	var all []string
	for _, text := range []string{failure.Text(s.View, sc, is.Failing, "FAIL"), failure.Text(s.View, sc, is.Known, "KNOWN"), failure.Text(s.View, sc, is.Warning, "WARN")} {
		if text != "" {
			all = append(all, text)
		}
	}
	for _, o := range sc.Observations {
		all = append(all, "observed: "+text.Short(o.Asked)+" → "+text.Short(o.Answer)+" ("+text.Visible(o.Rule)+")")
	}
	return all
}

// stamp is a timestamp; 1970 if the time is unknown.
func stamp(t time.Time) *cucumber.Timestamp {
	if t.Year() < 1970 {
		return &cucumber.Timestamp{}
	}
	ts := cucumber.GoTimeToTimestamp(t)
	return &ts
}
