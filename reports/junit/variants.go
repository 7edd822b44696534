package junit

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// ruleSuites returns a suite for each area of the rules and a case for each rule. A rule fails if its verdict makes the run fail; its text
// is that of the cause that breaks it.
func (j *report) ruleSuites() testsuites {
	all := testsuites{Name: "hallmark", Time: seconds(j.Elapsed())}
	causes := j.causeOfRules()
	for _, r := range j.res.Rules {
		area := spec.Rule{ID: r.Rule}.Area()
		i := slices.IndexFunc(all.Suites, func(s testsuite) bool { return s.Name == legal(area) })
		if i < 0 {
			i = len(all.Suites)
			all.Suites = append(all.Suites, j.suite(area))
		}
		all.Suites[i].addCase(j.ruleCase(r, causes[r.Rule]), 0)
	}
	failing, _ := j.Causes()
	if len(failing) > 0 {
		first := legal("rules." + spec.Rule{ID: failing[0].Rule}.Area())
		slices.SortStableFunc(all.Suites, func(x, y testsuite) int {
			return zeroOrOne(y.Cases[0].ClassName == first) - zeroOrOne(x.Cases[0].ClassName == first)
		})
		for i := range all.Suites {
			slices.SortStableFunc(all.Suites[i].Cases, func(x, y testcase) int {
				return zeroOrOne(y.id == failing[0].Rule) - zeroOrOne(x.id == failing[0].Rule)
			})
		}
	}
	return j.sum(all)
}

// causeOfRules returns, for each broken rule, the first cause that it leads, or else the first that also breaks it.
func (j *report) causeOfRules() map[string]*verdict.Cause {
	by := map[string]*verdict.Cause{}
	for i := range j.res.Causes {
		c := &j.res.Causes[i]
		if known := by[c.Rule]; known == nil || known.Rule != c.Rule {
			by[c.Rule] = c
		}
		for _, also := range c.Also {
			if by[also.Rule] == nil {
				by[also.Rule] = c
			}
		}
	}
	return by
}

// ruleCase returns the case of a rule.
func (j *report) ruleCase(r verdict.RuleVerdict, c *verdict.Cause) testcase {
	out := testcase{
		Name: legal(r.Rule), ClassName: legal("rules." + spec.Rule{ID: r.Rule}.Area()), Time: seconds(0), id: r.Rule,
	}
	says := strings.TrimSuffix(j.Rule(r.Rule).Says, ".")
	switch {
	case r.Verdict == verdict.Violated, r.Verdict == verdict.Warned && j.rec.Options.Strict:
		out.Failure = &problem{Message: legal(says), Type: legal(string(r.Level))}
		if c != nil {
			out.Failure.Message = legal(view.Marked(c.Mark(), ledBy(r.Rule, c)+says+" · "+view.Difference(c.Lead)))
			out.Failure.Text = failure.CauseText(j.View, c, "FAIL") + j.script(c)
		}
	case r.Verdict == verdict.Warned, r.Verdict == verdict.Doubtful, r.Verdict == verdict.Intermittent:
		if c != nil {
			out.Out = &cdata{Text: unattached(failure.CauseText(j.View, c, "WARN"))}
		}
	case r.Verdict == verdict.NotExercised, r.Verdict == verdict.NotApplicable, r.Verdict == verdict.Untestable:
		out.Skipped = skippedFor(text.Short(string(r.Verdict) + ": " + r.Reason))
	case r.Verdict == verdict.Deviates:
		out.Skipped = skippedFor("broken only as is known (--deviations)")
	}
	return out
}

// ledBy says that a rule is broken by a cause that another rule leads.
func ledBy(rule string, c *verdict.Cause) string {
	if c.Rule == rule || c.Lead.Rule == rule {
		return ""
	}
	return "broken by the same cause as " + c.Rule + ": "
}

// causeSuites returns one suite, with a failure for each cause that fails the run and a case for each warning.
func (j *report) causeSuites() testsuites {
	all := testsuites{Name: "hallmark", Time: seconds(j.Elapsed())}
	own := j.suite("causes")
	for i := range j.res.Causes {
		c := &j.res.Causes[i]
		out := testcase{Name: legal(c.Rule), ClassName: "causes", Time: seconds(0), id: c.Rule}
		for k := range j.res.Causes[:i] {
			if j.res.Causes[k].Rule == c.Rule {
				out.Name = legal(c.Rule + ": " + c.Message) // readers take equal names for one test
			}
		}
		if j.Fails(*c) {
			message := strings.TrimSuffix(c.Says, ".") + " · " + view.Difference(c.Lead)
			out.Failure = &problem{Message: legal(view.Marked(c.Mark(), message)), Type: legal(string(c.Level)), Text: failure.CauseText(j.View, c, "FAIL") + j.script(c)}
		} else {
			out.Out = &cdata{Text: unattached(failure.CauseText(j.View, c, "WARN"))}
		}
		own.addCase(out, 0)
	}
	if len(own.Cases) == 0 { // a file without any test counts as a build error
		own.addCase(testcase{Name: "no cause was found", ClassName: "causes", Time: seconds(0)}, 0)
	}
	all.Suites = append(all.Suites, own)
	return j.sum(all)
}

// unattached keeps readers from taking a file named in a text for an attachment.
func unattached(text string) string {
	return strings.ReplaceAll(text, "[[ATTACHMENT|", "[[ATTACHMENT |")
}

// zeroOrOne returns 1 for true, which cmp cannot compare.
func zeroOrOne(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
