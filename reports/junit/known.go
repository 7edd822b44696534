package junit

import (
	"github.com/hallmark-kit/hallmark/reports/record"
)

// knownCases returns the suite of known violations: those that no longer hold fail, the others are skipped.
func (j *report) knownCases() []testcase {
	var all []testcase
	for _, d := range j.res.Deviations {
		c := testcase{Name: legal(d.Rule + ": " + d.Message), ClassName: "hallmark.deviations", Time: seconds(0)}
		text := legal(d.Says + " · reason: " + d.Reason + " · " + d.Link)
		if d.Fails {
			c.Failure = &problem{Message: legal(d.Rule + ": known violation, " + string(d.State) + ": " + d.Says), Type: j.level(d.Rule), Text: text}
		} else {
			c.Skipped = skippedFor("known violation, " + string(d.State) + ": " + text)
		}
		all = append(all, c)
	}
	return all
}

// implementation returns the known parts, under names that readers of JUnit can look for.
func implementation(i record.Implementation) []property {
	var all []property
	for _, p := range [][2]string{
		{"organization", i.Organization}, {"project", i.Project}, {"version", i.Version}, {"url", i.URL}, {"contact", i.Contact},
	} {
		if p[1] != "" {
			all = append(all, property{"hallmark.implementation." + p[0], legal(p[1])})
		}
	}
	return all
}
