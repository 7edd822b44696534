package reports

import (
	"slices"
	"strings"

	"hallmark/spec"
)

// ruleSuites are a suite for each area of the rules, and a case for each rule. A rule fails when its verdict fails the run; its
// text is that of the cause that breaks it.
func (j *junit) ruleSuites() junitSuites {
	all := junitSuites{Name: "hallmark", Time: seconds(elapsed(j.rec))}
	causes := j.causeOfRules()
	for _, r := range j.res.Rules {
		area := spec.Rule{ID: r.Rule}.Area()
		i := slices.IndexFunc(all.Suites, func(s junitSuite) bool { return s.Name == legal(area) })
		if i < 0 {
			i = len(all.Suites)
			all.Suites = append(all.Suites, j.suite(area))
		}
		all.Suites[i].add(j.ruleCase(r, causes[r.Rule]), 0)
	}
	failing, _ := j.Causes()
	if len(failing) > 0 {
		first := legal("rules." + spec.Rule{ID: failing[0].Rule}.Area())
		slices.SortStableFunc(all.Suites, func(x, y junitSuite) int {
			return btoi(y.Cases[0].ClassName == first) - btoi(x.Cases[0].ClassName == first)
		})
		for i := range all.Suites {
			slices.SortStableFunc(all.Suites[i].Cases, func(x, y junitCase) int {
				return btoi(y.id == failing[0].Rule) - btoi(x.id == failing[0].Rule)
			})
		}
	}
	return j.sum(all)
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// causeOfRules gives, for each rule that is broken, the first cause that it leads, else the first that it belongs to.
func (j *junit) causeOfRules() map[string]*Cause {
	by := map[string]*Cause{}
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

// ruleCase is the case of a rule.
func (j *junit) ruleCase(r RuleVerdict, c *Cause) junitCase {
	out := junitCase{
		Name: legal(r.Rule), ClassName: legal("rules." + spec.Rule{ID: r.Rule}.Area()), Time: seconds(0), id: r.Rule,
	}
	says := strings.TrimSuffix(j.Rule(r.Rule).Says, ".")
	switch {
	case r.Verdict == Violated, r.Verdict == Warned && j.rec.Options.Strict:
		out.Failure = &junitProblem{Message: legal(says), Type: legal(string(r.Level))}
		if c != nil {
			out.Failure.Message = legal(marked(c.Mark(), j.ledBy(r.Rule, c)+says+" · "+difference(c.Lead)))
			out.Failure.Text = j.tellCause(c, "FAIL")
		}
	case r.Verdict == Warned, r.Verdict == Intermittent:
		if c != nil {
			out.Out = &junitText{Text: unattached(j.tellCause(c, "WARN"))}
		}
	case r.Verdict == NotExercised, r.Verdict == NotApplicable, r.Verdict == Untestable:
		out.Skipped = skippedFor(phrase(string(r.Verdict) + ": " + r.Reason))
	case r.Verdict == Deviates:
		out.Skipped = skippedFor("broken only as is known (--deviations)")
	}
	return out
}

// ledBy says of a rule that another one leads the cause that breaks it.
func (j *junit) ledBy(rule string, c *Cause) string {
	if c.Rule == rule || c.Lead.Rule == rule {
		return ""
	}
	return "broken by the same cause as " + c.Rule + ": "
}

// causeSuites are one suite, with a failure for each cause that fails the run and a case for each that is only a warning.
func (j *junit) causeSuites() junitSuites {
	all := junitSuites{Name: "hallmark", Time: seconds(elapsed(j.rec))}
	own := j.suite("causes")
	for i := range j.res.Causes {
		c := &j.res.Causes[i]
		out := junitCase{Name: legal(c.Rule), ClassName: "causes", Time: seconds(0), id: c.Rule}
		for k := range j.res.Causes[:i] {
			if j.res.Causes[k].Rule == c.Rule {
				out.Name = legal(c.Rule + ": " + c.Message) // readers take equal names for one test
			}
		}
		if c.fails(j.rec) {
			message := strings.TrimSuffix(c.Says, ".") + " · " + difference(c.Lead)
			out.Failure = &junitProblem{Message: legal(marked(c.Mark(), message)), Type: legal(string(c.Level)), Text: j.tellCause(c, "FAIL")}
		} else {
			out.Out = &junitText{Text: unattached(j.tellCause(c, "WARN"))}
		}
		own.add(out, 0)
	}
	if len(own.Cases) == 0 { // a file without any test counts as an error of the build
		own.add(junitCase{Name: "no cause was found", ClassName: "causes", Time: seconds(0)}, 0)
	}
	all.Suites = append(all.Suites, own)
	return j.sum(all)
}

// tellCause tells a cause at length, as the terminal does.
func (j *junit) tellCause(c *Cause, label string) string {
	s := newSheet(caseWidth, false)
	bl := causeBlock(*c, j.book, j.gallery)
	bl.label = label
	s.block(bl)
	return s.out.String()
}

// unattached keeps readers from taking a file that is named in a text for an attachment.
func unattached(text string) string {
	return strings.ReplaceAll(text, "[[ATTACHMENT|", "[[ATTACHMENT |")
}
