package spec

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"hallmark/internal/text"
)

// coverage says which rules a derived rule is told by.
type coverage struct {
	// whole is the id of the rule that covers all of it, or what others leave of it; empty where none does.
	whole string
	// parts are the ids of the rules that cover parts of it, by those.
	parts map[string]string
}

// coverageOf returns by which rules others are told.
func coverageOf(rules []Rule) map[string]coverage {
	all := map[string]coverage{}
	for _, r := range rules {
		for _, covers := range r.Covers {
			id, part, _ := strings.Cut(covers, " ")
			c := all[id]
			switch {
			case part == "":
				c.whole = r.ID
			case c.parts == nil:
				c.parts = map[string]string{part: r.ID}
			default:
				c.parts[part] = r.ID
			}
			all[id] = c
		}
	}
	return all
}

// Resolve returns the id of the rule by which a derived rule is told: its own id where none covers it. Where several rules cover parts of it
// the innermost part decides; the parts are places of the contract (JSON Pointers) and words for cases, from the outside in.
func (c *Catalogue) Resolve(id string, parts ...string) string {
	covered, ok := c.covered[id]
	if !ok {
		return id
	}
	for _, part := range slices.Backward(parts) {
		for p := part; p != ""; p = p[:max(strings.LastIndexByte(p, '/'), 0)] {
			if by, ok := covered.parts[p]; ok {
				return by
			}
		}
	}
	return cmp.Or(covered.whole, id)
}

// ResolveWithin returns the ids of the rules by which a derived rule is told that about is true for: a rule that covers a part is left out
// where about(part) is false.
func (c *Catalogue) ResolveWithin(id string, about func(part string) bool) []string {
	covered, ok := c.covered[id]
	if !ok {
		return []string{id}
	}
	all := []string{cmp.Or(covered.whole, id)}
	for part, by := range covered.parts {
		if about(part) && !slices.Contains(all, by) {
			all = append(all, by)
		}
	}
	slices.Sort(all[1:])
	return all
}

// Covered returns a rule that others cover as it was derived: reports do not tell it, but what it is about and how it is put to the test
// follow from it. It is not known of a catalogue that was restored.
func (c *Catalogue) Covered(id string) (Rule, bool) {
	r, ok := c.kept[id]
	return r, ok
}

// covering puts rules of a file in the place of those that they cover.
type covering struct {
	from *Catalogue
	// rules are those that cover others, and at the indexes of the first rules that they cover.
	rules []Rule
	at    []int
	// owners are the entries by what they cover, lines those in which a rule is covered first.
	owners map[string]Entry
	lines  map[string]int
	// was are the covered rules as they were.
	was map[string]Rule
}

func newCovering(c *Catalogue) *covering {
	return &covering{from: c, owners: map[string]Entry{}, lines: map[string]int{}, was: map[string]Rule{}}
}

// add adds an entry that covers rules.
func (c *covering) add(e Entry) error {
	if r, there := c.from.Rule(e.ID); there {
		return wrongRules(e.Line, "the rule %s is derived; what covers others needs an id of its own", text.Visible(r.ID))
	}
	if len(e.Covers) == 0 {
		return wrongRules(e.Line, "the rule %s covers nothing; name derived rules behind covers: (hallmark rules lists them)", text.Visible(e.ID))
	}
	r := e.Rule
	r.Covers = nil
	var all []Rule
	first := len(c.from.Rules)
	for _, one := range e.Covers {
		pattern, part, _ := strings.Cut(strings.TrimSpace(one), " ")
		part = strings.TrimSpace(part)
		found, err := c.matching(e, pattern)
		if err != nil {
			return err
		}
		for _, i := range found {
			covered := c.from.Rules[i]
			key := strings.TrimSpace(covered.ID + " " + part)
			if owner, taken := c.owners[key]; taken {
				if owner.ID == e.ID {
					continue
				}
				return wrongRules(e.Line, "the rule %s covers %s, which %s covers already (line %d)", text.Visible(e.ID), text.Visible(key), text.Visible(owner.ID), owner.Line)
			}
			c.owners[key], c.was[covered.ID] = e, covered
			if part == "" {
				c.lines[covered.ID] = e.Line
			}
			r.Covers = append(r.Covers, key)
			if first = min(first, i); part != "" {
				covered.Contract = partPlaces(covered, part)
			}
			all = append(all, covered)
		}
	}
	r, err := told(r, e, all)
	if err != nil {
		return err
	}
	c.rules, c.at = append(c.rules, r), append(c.at, first)
	return nil
}

// partPlaces returns the places of the contract that a part of a rule is about.
func partPlaces(r Rule, part string) []string {
	if strings.HasPrefix(part, "/") {
		return []string{part}
	}
	return r.Contract
}

// matching returns the indexes of the rules that an entry names by an id, or by a pattern in which * stands for any characters.
func (c *covering) matching(e Entry, pattern string) ([]int, error) {
	var all []int
	for i := range c.from.Rules {
		if fits, err := path.Match(pattern, c.from.Rules[i].ID); err != nil {
			return nil, wrongRules(e.Line, "the rule %s covers %q, which is no pattern: only * stands for something else", text.Visible(e.ID), pattern)
		} else if fits {
			all = append(all, i)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	hint := `"hallmark rules" lists them`
	if near := c.from.Similar(pattern); near != "" && !strings.Contains(pattern, "*") {
		hint = "did you mean " + near + "?"
	}
	what := "is no rule"
	if strings.Contains(pattern, "*") {
		what = "matches no rule"
	}
	return nil, wrongRules(e.Line, "the rule %s covers %s, which %s; %s", text.Visible(e.ID), text.Visible(pattern), what, hint)
}

// told returns the rule that an entry says, with what it does not say as the rules have it that it covers.
func told(r Rule, e Entry, covered []Rule) (Rule, error) {
	first := covered[0]
	differ := func(same func(x, y Rule) bool) bool {
		return slices.ContainsFunc(covered, func(r Rule) bool { return !same(first, r) })
	}
	switch {
	case !e.has("says") && len(covered) > 1:
		return r, wrongRules(e.Line, "the rule %s covers several rules and says nothing; write its sentence (says)", text.Visible(e.ID))
	case !e.has("level") && differ(func(x, y Rule) bool { return x.Level == y.Level }):
		other := covered[slices.IndexFunc(covered, func(r Rule) bool { return r.Level != first.Level })]
		return r, wrongRules(e.Line, "the rule %s covers %s, which is %s, and %s, which is %s; write its level", text.Visible(e.ID), first.ID, first.Level, other.ID, other.Level)
	}
	r.Level, r.Says, r.Section = cmp.Or(r.Level, first.Level), cmp.Or(r.Says, first.Says), cmp.Or(r.Section, first.Section)
	if !e.has("source") && (r.Level == Should || r.Level == Inferred) {
		for _, one := range covered {
			r.Source = cmp.Or(r.Source, one.Source)
		}
		r.Source = cmp.Or(r.Source, "the file of rules")
	}
	if r.Level == Open && !e.has("asks") {
		r.Asks = cmp.Or(first.Asks, "Is it so?")
	}
	everywhere := slices.ContainsFunc(covered, func(r Rule) bool { return len(r.Operations) == 0 })
	for _, one := range covered {
		r.Always = r.Always || one.Always
		if !e.has("operations") && !everywhere {
			r.Operations = union(r.Operations, one.Operations)
		}
		if !e.has("cases") {
			r.Cases = union(r.Cases, one.Cases)
		}
		if !e.has("contract") {
			r.Contract = union(r.Contract, one.Contract)
		}
	}
	if r.Level == Open && r.Always {
		return r, wrongRules(e.Line, "the rule %s covers what every response is judged by, so that it cannot be open; lower it to should, or switch it off with a reason (off: …)", text.Visible(e.ID))
	}
	return r, nil
}

// union adds what a list does not hold yet.
func union(list, more []string) []string {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// apply returns the rules with those that cover others in the place of what they cover. The lines are those of all entries, by id.
func (c *covering) apply(rules []Rule, lines map[string]int) ([]Rule, error) {
	if len(c.rules) == 0 {
		return rules, nil
	}
	for id, by := range c.lines {
		if line, also := lines[id]; also {
			return nil, wrongRules(line, "the rule %s is covered by %s (line %d); change it there", text.Visible(id), text.Visible(c.owners[id].ID), by)
		}
	}
	var all []Rule
	for i, r := range rules {
		for j, at := range c.at {
			if at == i {
				all = append(all, c.rules[j])
			}
		}
		if _, whole := c.lines[r.ID]; !whole {
			all = append(all, r)
		}
	}
	return all, nil
}
