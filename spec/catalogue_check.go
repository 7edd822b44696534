package spec

import (
	"fmt"
	"regexp"
	"slices"

	"hallmark/spec/jsonpointer"
)

// ruleID is the form of the ids: an area, which may be the name of an operation, then dotted words.
var ruleID = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9]+(-[A-Za-z0-9]+)*)+$`)

// Check returns everything that is wrong with the catalogue, by itself and as the catalogue of a contract.
func (c *Catalogue) Check(contract *Contract) []error {
	var all []error
	wrong := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	count := map[string]int{}
	for _, r := range c.Rules {
		if count[r.ID]++; count[r.ID] == 2 {
			wrong("the rule id %s is there more than once; ids must be unique", r.ID)
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
				wrong("the rule %s lies within %s, which is no rule%s", r.ID, r.Within, hint)
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
		wrong("the rule %s lies within itself", id)
	}
	for _, k := range contract.Constraints() {
		if !c.covers(k) {
			wrong("the constraint %s (line %d) belongs to no rule; name it, or %s, in the contract list of one",
				k.Pointer, contract.Line(k.Pointer), k.Owner)
		}
	}
	return all
}

// checkRule returns what is wrong with a rule by itself.
func checkRule(r Rule) []string {
	var all []string
	wrong := func(is bool, text string) {
		if is {
			all = append(all, text)
		}
	}
	wrong(!ruleID.MatchString(r.ID), "has no id of the form area.word.word")
	wrong(!slices.Contains(levels(), r.Level),
		fmt.Sprintf("has the level %q; it must be must, should, inferred or open", r.Level))
	wrong(r.Section == "", "names no section of the interface document")
	wrong(r.Says == "", "says nothing; write its sentence")
	wrong(r.Level == Open && r.Asks == "", "is open but asks nothing; write the question it puts to a service")
	wrong(r.Level != Open && r.Asks != "", "asks a question though it is not open")
	wrong(r.Level == Should && r.Source == "", "is a should without a source; name the standard behind it")
	wrong(r.Level == Inferred && r.Source == "", "is inferred without a source; say what it is inferred from")
	wrong(r.Level == Open && r.Always, "is open and always judged; an open rule is observed, never judged")
	wrong(r.Untestable != "" && (r.Always || len(r.Cases) > 0), "is said to be untestable but has cases or always holds")
	return all
}

// circular returns the rules from which within leads back to them.
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

// covers reports whether some rule names the constraint, or a place around it that is no wider than what it is said of.
func (c *Catalogue) covers(k Constraint) bool {
	return slices.ContainsFunc(c.Rules, func(r Rule) bool {
		return slices.ContainsFunc(r.Contract, func(p string) bool {
			return jsonpointer.Within(k.Pointer, p) && jsonpointer.Within(p, k.Owner)
		})
	})
}
