package junit

import (
	"cmp"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Format returns the JUnit XML format.
func Format() reports.Format {
	by := func(f form) func(w io.Writer, v *view.View) error {
		return func(w io.Writer, v *view.View) error { return write(w, v, f) }
	}
	return reports.Format{
		Name: "junit", Says: "JUnit XML, for the test view of CI systems; a case a scenario, or junit:by=rule:PATH and junit:by=cause:PATH",
		Write:    Write,
		Scripts:  true,
		Variants: map[string]func(w io.Writer, v *view.View) error{"by=scenario": by(byScenario), "by=rule": by(byRule), "by=cause": by(byCause)},
	}
}

// Write writes the record as JUnit XML: a suite for each feature file and a case for each scenario. A case fails if it makes the run fail:
// broken should rules do so only under --strict.
func Write(w io.Writer, v *view.View) error { return write(w, v, byScenario) }

// form says what a case represents.
type form int

const (
	byScenario form = iota
	byRule
	byCause
)

func write(w io.Writer, v *view.View, f form) error {
	j := &report{View: v, rec: v.Record, res: &v.Result}
	var all testsuites
	switch f {
	case byRule:
		all = j.ruleSuites()
	case byCause:
		all = j.causeSuites()
	default:
		all = j.suites()
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// report is a view being converted to JUnit XML.
type report struct {
	*view.View
	rec *record.Record
	res *verdict.Result
}

func (j *report) suites() testsuites {
	all := testsuites{Name: "hallmark", Time: seconds(j.Elapsed())}
	at := map[string]int{}
	for i := range j.rec.Scenarios {
		sc := &j.rec.Scenarios[i]
		if silent(sc) {
			continue
		}
		k, known := at[sc.File()]
		if !known {
			k = len(all.Suites)
			at[sc.File()] = k
			all.Suites = append(all.Suites, j.suite(sc.Feature))
		}
		all.Suites[k].addCase(j.testcase(sc), sc.Elapsed)
	}
	slices.SortFunc(all.Suites, func(x, y testsuite) int { return cmp.Compare(x.Name, y.Name) })
	for i := range all.Suites {
		s := &all.Suites[i]
		slices.SortStableFunc(s.Cases, func(x, y testcase) int { return record.ScenarioOrder(x.id, y.id) })
		distinguish(s.Cases)
	}
	j.leadFirst(all.Suites)
	return j.sum(all)
}

// leadFirst moves the suite with the first cause's example to the front, and that case to the front of its suite: readers of only the first
// failure see the cause and not its consequences.
func (j *report) leadFirst(suites []testsuite) {
	failing, _ := j.Causes()
	if len(failing) == 0 {
		return
	}
	for i := range suites {
		at := slices.IndexFunc(suites[i].Cases, func(c testcase) bool { return c.id == failing[0].Scenario && c.Failure != nil })
		if at < 0 {
			continue
		}
		first, cases := suites[i].Cases[at], suites[i].Cases
		copy(cases[1:at+1], cases[:at])
		cases[0] = first
		lead := suites[i]
		copy(suites[1:i+1], suites[:i])
		suites[0] = lead
		return
	}
}

// sum adds the cases that represent no scenario, rule or cause, and the totals.
func (j *report) sum(all testsuites) testsuites {
	all.append(j.suite("known violations"), j.knownCases())
	all.append(j.suite("hallmark"), j.trouble())
	if last := len(all.Suites) - 1; j.Record.Lost != "" && last > 0 { // report a lost target first
		all.Suites = slices.Concat(all.Suites[last:], all.Suites[:last])
	}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	return all
}

// silent reports whether sc is a preflight without findings, which is not shown because it is not a scenario.
func silent(sc *record.Scenario) bool {
	return sc.Preflight() && sc.Outcome == record.Passed && len(sc.Findings)+len(sc.Observations) == 0
}

// suite starts a suite with the properties of the run, which are repeated in each because readers do not support global ones.
func (j *report) suite(feature string) testsuite {
	stamp := ""
	if !j.rec.Started.IsZero() {
		stamp = j.rec.Started.UTC().Format("2006-01-02T15:04:05")
	}
	s := testsuite{Name: legal(feature), Timestamp: stamp, Properties: []property{
		{"hallmark.version", legal(j.rec.Suite.Version)},
		{"hallmark.target", legal(j.rec.Target.BaseURL)},
		{"hallmark.verdict", string(j.res.Verdict)},
		{"hallmark.because", legal(j.res.Because)},
		{"hallmark.exitCode", strconv.Itoa(j.res.ExitCode)},
		{"hallmark.intermittent", strconv.Itoa(j.intermittent())},
		{"hallmark.complete", strconv.FormatBool(j.rec.Complete)},
		{"hallmark.seed", j.Seed()},
		{"hallmark.contract", legal(j.rec.Suite.Contract)},
		{"hallmark.catalogue", legal(j.rec.Suite.Catalogue)},
		{"hallmark.features", legal(j.rec.Suite.Features)},
	}}
	if left := j.Left(); left != "" {
		s.Properties = append(s.Properties, property{"hallmark.left", legal(left)})
	}
	if p := j.res.Proof; p != nil {
		s.Properties = append(s.Properties,
			property{"hallmark.proof", legal(p.Says)}, property{"hallmark.proof.holds", strconv.FormatBool(p.Holds)})
	}
	if j.rec.Target.Insecure {
		s.Properties = append(s.Properties, property{"hallmark.insecure", "true"})
	}
	s.Properties = append(s.Properties, implementation(j.rec.Target.Implementation)...)
	return s
}

// append adds a suite of cases that are not scenarios, if there are any.
func (all *testsuites) append(own testsuite, cases []testcase) {
	if len(cases) == 0 {
		return
	}
	for _, c := range cases {
		own.addCase(c, 0)
	}
	all.Suites = append(all.Suites, own)
}

func (s *testsuite) addCase(c testcase, elapsed time.Duration) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.elapsed += elapsed
	s.Time = seconds(s.elapsed)
}

func (j *report) testcase(sc *record.Scenario) testcase {
	c := testcase{
		Name: legal(sc.Title()), ClassName: legal(className(sc)), File: legal(sc.File()), Time: seconds(sc.Elapsed), id: sc.ID,
	}
	is := j.Case(sc)
	switch {
	case is.Outcome == record.Failed:
		c.Failure = &problem{Message: is.Message, Type: j.level(is.Failing[0].Rule), Text: failure.Text(j.View, sc, is.Failing, "FAIL") + j.scripts(sc, is.Failing)}
	case is.Outcome == record.Errored && sc.Outcome == record.Failed:
		c.Error = &problem{Message: is.Message, Type: "harness", Text: legal(sc.ID)}
	case is.Outcome == record.Errored:
		c.Error = &problem{Message: is.Message, Type: "error", Text: legal(sc.ID)}
	case is.Outcome == record.Skipped, is.Excused:
		// A known violation did not pass, but CI systems would count a failure, and have nothing in between.
		c.Skipped = skippedFor(is.Message)
	}
	if out := j.details(sc, is.Sorted); out != "" {
		c.Out = &cdata{Text: unattached(out)}
	}
	return c
}

// scripts says where the scripts of findings are, a line each.
func (j *report) scripts(sc *record.Scenario, findings []spec.Finding) string {
	var lines []string
	for _, f := range findings {
		if c := j.CauseOf(sc, f); c != nil {
			if line := j.script(c); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "")
}

// script says where the script of a cause is, if there is one.
func (j *report) script(c *verdict.Cause) string {
	if command := j.Script(c); command != "" {
		return "\nAll requests of " + text.Visible(c.Rule) + ", as a script: " + text.Visible(command) + "\n"
	}
	return ""
}

// details returns what a case has to say besides its outcome: known violations, warnings and observations.
func (j *report) details(sc *record.Scenario, found view.Sorted) string {
	var out strings.Builder
	if len(found.Known) > 0 {
		out.WriteString(failure.Text(j.View, sc, found.Known, "KNOWN"))
	}
	if len(found.Warning) > 0 {
		out.WriteString(failure.Text(j.View, sc, found.Warning, "WARN"))
	}
	for _, o := range sc.Observations {
		out.WriteString("observed: " + text.Short(o.Asked) + " → " + text.Short(o.Answer) + " (" + text.Visible(o.Rule) + ")\n")
	}
	return out.String()
}

// trouble returns cases about the run itself: without them an interrupted run would look like a small good one.
func (j *report) trouble() []testcase {
	var all []testcase
	for _, t := range j.Troubles() {
		all = append(all, testcase{
			Name: t.Name, ClassName: "hallmark", Time: seconds(0),
			Error: &problem{Message: legal(t.Message), Type: "run", Text: legal(strings.Join(append([]string{t.Message}, t.More...), "\n"))},
		})
	}
	return all
}

// intermittent returns the number of causes that some repetition did not show.
func (j *report) intermittent() int {
	n := 0
	for i := range j.res.Causes {
		if j.res.Causes[i].Mark() == record.IntermittentMark {
			n++
		}
	}
	return n
}

// level returns the level of a rule, which is the type of its failures.
func (j *report) level(rule string) string {
	return legal(cmp.Or(string(j.Rule(rule).Level), "unknown"))
}

// skippedFor returns the element of a skipped case. The reason is written twice: Jenkins reads the attribute, GitLab the text.
func skippedFor(reason string) *skipped {
	return &skipped{Message: legal(reason), Text: legal(reason)}
}

// className returns the feature's path without extension, with dots: features.derived.listPets.
func className(sc *record.Scenario) string {
	if sc.ID == "" {
		return "hallmark"
	}
	name := strings.TrimSuffix(path.Clean(strings.ReplaceAll(sc.File(), `\`, "/")), ".feature")
	name = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(name, ".", "_"), "/", "."), ".")
	return cmp.Or(name, "hallmark")
}

// distinguish adds the line to names that are not unique in a suite: readers take equal names for one test.
func distinguish(cases []testcase) {
	count := map[string]int{}
	for _, c := range cases {
		count[c.ClassName+"\x00"+c.Name]++
	}
	for i := range cases {
		if count[cases[i].ClassName+"\x00"+cases[i].Name] > 1 {
			_, line := record.ScenarioLine(cases[i].id)
			cases[i].Name += " (line " + strconv.Itoa(line) + ")"
		}
	}
}

// legal makes text valid in XML, which forbids most control characters even when escaped.
func legal(s string) string { return text.Visible(s) }

// seconds formats a duration as JUnit does, in seconds with a decimal point.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 3, 64)
}
