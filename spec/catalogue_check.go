package spec

import (
	"fmt"
	"regexp"
	"slices"

	"hallmark/spec/jsonpointer"
)

// ruleID matches ids: an area, which may be the name of an operation, and dotted words.
var ruleID = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9]+(-[A-Za-z0-9]+)*)+$`)

// Check returns all mistakes in the catalogue, by itself and with respect to a contract.
func (c *Catalogue) Check(contract *Contract) []error {
	var all []error
	wrong := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	count := map[string]int{}
	for _, r := range c.Rules {
		if count[r.ID]++; count[r.ID] == 2 {
			wrong("the rule id %s is used more than once; ids must be unique", r.ID)
		}
		for _, text := range checkRule(r) {
			wrong("the rule %s %s", r.ID, text)
		}
		if r.Within != "" {
			if _, ok := c.Rule(r.Within); !ok {
				hint := ""
				if near := c.Similar(r.Within); near != "" {
					hint = "; did you mean " + near + "?"
				}
				wrong("the rule %s is within %s, which is not a rule%s", r.ID, r.Within, hint)
			}
		}
		for _, p := range r.Contract {
			if !contract.Exists(p) {
				wrong("the rule %s names %s, which is not in the contract", r.ID, p)
			}
		}
		for _, op := range r.Operations {
			if _, ok := contract.Operation(op); !ok {
				wrong("the rule %s names the operation %s, which is not in the contract", r.ID, op)
			}
		}
	}
	for _, id := range c.circular() {
		wrong("the rule %s is within itself", id)
	}
	for _, k := range contract.Constraints() {
		if !c.covers(k) {
			wrong("the constraint %s (line %d) belongs to no rule; add it, or %s, to the contract list of a rule",
				k.Pointer, contract.Line(k.Pointer), k.Owner)
		}
	}
	return all
}

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

// covers reports whether a rule names the constraint, or a place between it and its owner.
func (c *Catalogue) covers(k Constraint) bool {
	return slices.ContainsFunc(c.Rules, func(r Rule) bool {
		return slices.ContainsFunc(r.Contract, func(p string) bool {
			return jsonpointer.Within(k.Pointer, p) && jsonpointer.Within(p, k.Owner)
		})
	})
}
