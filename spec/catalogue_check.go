package spec

import (
	"fmt"
	"regexp"
	"slices"
)

// ruleID matches ids: an area, which may be the name of an operation, and dotted words.
var ruleID = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9]+(-[A-Za-z0-9]+)*)+$`)

// checkRule returns the mistakes in a rule by itself.
func checkRule(r Rule) []string {
	var all []string
	wrong := func(is bool, text string) {
		if is {
			all = append(all, text)
		}
	}
	wrong(!ruleID.MatchString(r.ID), "needs an id of the form area.word.word")
	wrong(!slices.Contains(levels(), r.Level),
		fmt.Sprintf("has the level %q; it must be must, should, inferred or open", r.Level))
	wrong(r.Section == "", "names no section of the interface document")
	wrong(r.Says == "", "has no sentence; add says")
	wrong(r.Level == Open && r.Asks == "", "is open but has no question; add asks")
	wrong(r.Level != Open && r.Asks != "", "asks a question but is not open")
	wrong(r.Level == Should && r.Source == "", "is a should without a source; name the standard behind it")
	wrong(r.Level == Inferred && r.Source == "", "is inferred without a source; name what it is inferred from")
	wrong(r.Level == Open && r.Always, "is both open and always judged; open rules are only observed")
	wrong(r.Untestable != "" && (r.Always || len(r.Cases) > 0), "is untestable but has cases or always")
	return all
}

// circular returns the rules that are within themselves.
func (c *Catalogue) circular() []string {
	var all []string
	for _, r := range c.Rules {
		at := r
		for range c.Rules {
			next, ok := c.Rule(at.Within)
			if !ok {
				break
			}
			if next.ID == r.ID {
				all = append(all, r.ID)
				break
			}
			at = next
		}
	}
	return all
}
