package spec

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// coverage lists the rules that cover a derived rule.
type coverage struct {
	// whole is the id of the rule that covers all of it, or what other rules leave of it, or "".
	whole string
	// parts maps the parts that are covered to the ids of the rules that cover them.
	parts map[string]string
}

// coverageOf returns the coverage of derived rules.
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

// Resolve returns the id of the rule that covers a derived rule, or its own id if none does. If several rules cover parts of it, the
// innermost part decides; the parts are places of the contract (JSON Pointers) and words for cases, from the outside in, ordered as by
// [PartsOf].
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

// ResolveFinding returns the id of the rule under which a finding is reported.
func (c *Catalogue) ResolveFinding(f Finding) string {
	return c.Resolve(f.Rule, PartsOf(append(slices.Clip(f.Parts), f.Contract)...)...)
}

// PartsOf returns the parts by which a rule may be covered, given places of the contract (JSON Pointers) and words for cases, from the outside
// in: each place, each word, and each word with each place ("left-out /paths/~1tickets/get/parameters/0").
func PartsOf(all ...string) []string {
	var places, words []string
	for _, one := range all {
		switch {
		case one == "":
		case strings.HasPrefix(one, "/"):
			places = append(places, one)
		default:
			words = append(words, one)
		}
	}
	parts := slices.Concat(places, words)
	for _, word := range words {
		for _, place := range places {
			parts = append(parts, word+" "+place)
		}
	}
	return parts
}

// PlaceOf returns the place of the contract in a part of a rule, or "" if the part is only a word.
func PlaceOf(part string) string {
	if _, place, both := strings.Cut(part, " "); both {
		return place
	}
	if strings.HasPrefix(part, "/") {
		return part
	}
	return ""
}

// ResolveWithin returns the ids of the rules that cover a derived rule, without those that cover a part for which about returns false.
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

// Covered returns a covered rule as it was derived. Reports do not show it, but it determines what the covering rule is about and how it
// is exercised. Restored catalogues do not have it.
func (c *Catalogue) Covered(id string) (Rule, bool) {
	r, ok := c.kept[id]
	return r, ok
}

// AllCovered returns the covered rules as they were derived, in the order of their ids.
func (c *Catalogue) AllCovered() []Rule {
	return slices.SortedFunc(maps.Values(c.kept), func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
}

// covering replaces rules by the rules of a file that cover them.
type covering struct {
	from *Catalogue
	// rules are the rules that the file adds, in its order, each at the index of the first rule that it covers, or at the end if it covers
	// none. sectioned reports which of them name a section of their own.
	rules     []Rule
	at        []int
	sectioned []bool
	// owners are the entries by the rules that they cover, lines the lines where a rule is first covered.
	owners map[string]Entry
	lines  map[string]int
	// was are the covered rules before the change.
	was map[string]Rule
}

func newCovering(c *Catalogue) *covering {
	return &covering{from: c, owners: map[string]Entry{}, lines: map[string]int{}, was: map[string]Rule{}}
}

// addEntry adds an entry that covers rules.
func (c *covering) addEntry(e Entry) error {
	if r, there := c.from.Rule(e.ID); there {
		return wrongRules(e.Line, "the rule %s is derived; a rule that covers others needs a new id", text.Visible(r.ID))
	}
	if len(e.Covers) == 0 {
		return wrongRules(e.Line, "the rule %s covers nothing; list derived rules under covers: (hallmark rules lists them)", text.Visible(e.ID))
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
				return wrongRules(e.Line, "the rule %s covers %s, which %s already covers (line %d)", text.Visible(e.ID), text.Visible(key), text.Visible(owner.ID), owner.Line)
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
	r, err := combined(r, e, all)
	if err != nil {
		return err
	}
	c.place(r, first, e.has("section"))
	return nil
}

// addOwn adds an entry that covers nothing.
func (c *covering) addOwn(e Entry) { c.place(e.Rule, len(c.from.Rules), true) }

// place puts a rule at an index.
func (c *covering) place(r Rule, at int, sectioned bool) {
	c.rules, c.at, c.sectioned = append(c.rules, r), append(c.at, at), append(c.sectioned, sectioned)
}

// group puts the rules with sections of their own together, in the order of the file, at the first place that one of them has.
func (c *covering) group() {
	first := len(c.from.Rules)
	for i, at := range c.at {
		if c.sectioned[i] {
			first = min(first, at)
		}
	}
	for i := range c.at {
		if c.sectioned[i] {
			c.at[i] = first
		}
	}
}

// partPlaces returns the places of the contract that a part of a rule is about.
func partPlaces(r Rule, part string) []string {
	if place := PlaceOf(part); place != "" {
		return []string{place}
	}
	return r.Contract
}

// matching returns the indexes of the rules that an id, or a pattern with * for any characters, selects.
func (c *covering) matching(e Entry, pattern string) ([]int, error) {
	all, err := c.from.Matching(pattern)
	if err != nil {
		return nil, wrongRules(e.Line, "the rule %s covers %q, which is not a valid pattern: * is the only wildcard", text.Visible(e.ID), pattern)
	}
	if len(all) > 0 {
		return all, nil
	}
	what := "is not a rule"
	if IsPattern(pattern) {
		what = "matches no rule"
	}
	return nil, wrongRules(e.Line, "the rule %s covers %s, which %s; %s", text.Visible(e.ID), text.Visible(pattern), what, c.from.hint(pattern))
}

// combined returns the rule that an entry defines, with missing fields taken from the rules that it covers.
func combined(r Rule, e Entry, covered []Rule) (Rule, error) {
	first := covered[0]
	differ := func(same func(x, y Rule) bool) bool {
		return slices.ContainsFunc(covered, func(r Rule) bool { return !same(first, r) })
	}
	switch {
	case !e.has("says") && len(covered) > 1:
		return r, wrongRules(e.Line, "the rule %s covers several rules and has no sentence; add says", text.Visible(e.ID))
	case !e.has("level") && differ(func(x, y Rule) bool { return x.Level == y.Level }):
		other := covered[slices.IndexFunc(covered, func(r Rule) bool { return r.Level != first.Level })]
		return r, wrongRules(e.Line, "the rule %s covers %s, which is %s, and %s, which is %s; add its level", text.Visible(e.ID), first.ID, first.Level, other.ID, other.Level)
	}
	if e.states() && !differ(func(x, y Rule) bool { return x.Level == y.Level }) && first.Level == Inferred {
		r.Level, r.Stated = Must, true
	}
	r.Level, r.Says, r.Section = cmp.Or(r.Level, first.Level), cmp.Or(r.Says, first.Says), cmp.Or(r.Section, first.Section)
	if !e.has("source") && (r.Level == Should || r.Level == Inferred) {
		for _, one := range covered {
			r.Source = cmp.Or(r.Source, one.Source)
		}
		r.Source = cmp.Or(r.Source, "the rules file")
	}
	if r.Level == Open && !e.has("asks") {
		r.Asks = cmp.Or(first.Asks, "Is this so?")
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
		return r, wrongRules(e.Line, "the rule %s covers rules that are checked on every response, so it cannot be open; lower it to should, or switch it off with a reason (off: …)", text.Visible(e.ID))
	}
	return r, nil
}

// union appends the items of more that list lacks.
func union(list, more []string) []string {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// apply returns the rules with covered ones replaced. lines are the lines of all entries, by id.
func (c *covering) apply(rules []Rule, lines map[string]int) ([]Rule, error) {
	if len(c.rules) == 0 {
		return rules, nil
	}
	for id, by := range c.lines {
		if line, also := lines[id]; also {
			return nil, wrongRules(line, "the rule %s is covered by %s (line %d); change it there", text.Visible(id), text.Visible(c.owners[id].ID), by)
		}
	}
	c.group()
	var all []Rule
	for i := 0; i <= len(rules); i++ {
		for j, at := range c.at {
			if at == i {
				all = append(all, c.rules[j])
			}
		}
		if i == len(rules) {
			break
		}
		if _, whole := c.lines[rules[i].ID]; !whole {
			all = append(all, rules[i])
		}
	}
	return all, nil
}
