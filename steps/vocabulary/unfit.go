package vocabulary

import (
	"slices"

	"hallmark/spec"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Unfit returns a function that says why a scenario, which was written for the interface's own contract, does not fit another one;
// nil where the interface leaves out none.
func Unfit(of scenario.Interface) func(*suite.Scenario, *spec.Contract) string {
	if of.Unfit == nil {
		return nil
	}
	type saying struct {
		scenario.Matcher
		says func(groups []string) any
	}
	var forms []saying
	for _, f := range slices.Concat(Forms(), of.Forms) {
		if f.Says != nil {
			forms = append(forms, saying{scenario.NewMatcher(f.Pattern), f.Says})
		}
	}
	return func(p *suite.Scenario, c *spec.Contract) string {
		var said []any
		for _, st := range p.Steps {
			for _, f := range forms {
				if groups, ok := f.Match(st.Text); ok {
					said = append(said, f.says(groups))
				}
			}
		}
		return of.Unfit(said, c)
	}
}
