package spec

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Change returns the catalogue with the entries of a rules file applied. An entry changes the level, the sentence, the source and other
// fields of a rule, or of all rules that its id matches (*), or switches them off. A rule that covers others replaces the first of them, and new rules are appended; those with sections of
// their own stay together, in the order of the file. The error is a *RulesError.
func (c *Catalogue) Change(entries []Entry) (*Catalogue, error) {
	cover, several, single := newCovering(c), &wildcards{from: c}, []Entry{}
	rules, lines := slices.Clone(c.Rules), map[string]int{}
	for _, e := range entries {
		_, there := c.byID[e.ID]
		first, twice := lines[e.ID]
		lines[e.ID] = e.Line
		switch {
		case twice:
			return nil, wrongRules(e.Line, "the rule %s is already defined in line %d", text.Visible(e.ID), first)
		case e.has("level") && !slices.Contains(levels(), e.Level):
			return nil, wrongRules(e.Line, "the rule %s has the level %q; it must be must, should, inferred or open", text.Visible(e.ID), e.Level)
		case IsPattern(e.ID):
			if err := several.addEntry(e); err != nil {
				return nil, err
			}
		case e.has("covers"):
			if err := cover.addEntry(e); err != nil {
				return nil, err
			}
		case there:
			single = append(single, e)
		case e.isOwn():
			cover.addOwn(e)
		default:
			return nil, c.unknown(e)
		}
	}
	if err := several.apply(rules, cover); err != nil {
		return nil, err
	}
	for _, e := range single {
		changed, err := rules[c.byID[e.ID]].changed(e, c.Rules[c.byID[e.ID]].Level)
		if err != nil {
			return nil, err
		}
		rules[c.byID[e.ID]] = changed
	}
	rules, err := cover.apply(rules, lines)
	if err != nil {
		return nil, err
	}
	changes, err := json.Marshal(rules)
	if err != nil {
		return nil, fmt.Errorf("the rules cannot be written: %w", err)
	}
	sum := sha256.Sum256(append([]byte(c.digest), changes...))
	changed := RestoreCatalogue(rules, digestOf(sum[:]))
	changed.kept = cover.was
	return changed, nil
}

// Off returns why a rule is switched off, and false if it is not.
func (c *Catalogue) Off(id string) (reason string, off bool) {
	r, _ := c.Rule(id)
	return r.Off, r.Off != ""
}

// unknown returns the error for an entry whose rule does not exist, with a suggestion.
func (c *Catalogue) unknown(e Entry) error {
	hint := `"hallmark rules" lists the rules; a new rule needs section, level and says`
	if near := c.Similar(e.ID); near != "" {
		hint = "did you mean " + near + "?"
	}
	return wrongRules(e.Line, "there is no rule %s; %s", text.Visible(e.ID), hint)
}

// changed returns the rule with an entry applied. derived is the level of the rule before all entries.
func (r Rule) changed(e Entry, derived Level) (Rule, error) {
	for key, set := range map[string]func(){
		"says": func() { r.Says = e.Says }, "source": func() { r.Source = e.Source }, "off": func() { r.Off = e.Off },
		"section": func() { r.Section = e.Section }, "within": func() { r.Within = e.Within }, "contract": func() { r.Contract = e.Contract },
		"cases": func() { r.Cases = e.Cases }, "always": func() { r.Always = e.Always }, "operations": func() { r.Operations = e.Operations },
		"untestable": func() { r.Untestable = e.Untestable },
	} {
		if e.has(key) {
			set()
		}
	}
	if e.has("level") && e.Level != r.Level {
		if r.Level, r.Asks = e.Level, ""; r.Level == Open {
			r.Asks = "Is this so?"
		}
	}
	if e.has("asks") {
		r.Asks = e.Asks
	}
	if derived == Inferred && e.states() && (r.Level == Inferred || r.Level == Must) {
		r.Level, r.Stated = Must, true
	}
	r.Stated = r.Stated && r.Level == Must
	switch {
	case r.Level == Open && r.Always:
		return r, wrongRules(e.Line, "the rule %s is checked on every response, so it cannot be open; lower it to should, or switch it off with a reason (off: …)", r.ID)
	case (r.Level == Should || r.Level == Inferred) && r.Source == "":
		r.Source = "the rules file"
	}
	return r, nil
}

// CheckChanged returns a *RulesError for the first mistake in the rules of a file, or nil.
func (c *Catalogue) CheckChanged(contract *Contract, entries []Entry) error {
	for _, e := range entries {
		r, known := c.Rule(e.ID)
		if IsPattern(e.ID) {
			r = e.Rule
		}
		if wrong := checkRule(r); known && e.isOwn() && len(wrong) > 0 {
			return wrongRules(e.Line, "the rule %s %s", text.Visible(e.ID), wrong[0])
		}
		if _, ok := c.Rule(r.Within); r.Within != "" && !ok {
			return wrongRules(e.Line, "the rule %s is within %s, which is not a rule", text.Visible(e.ID), text.Visible(r.Within))
		}
		for _, p := range r.Contract {
			if e.has("contract") && !contract.Exists(p) {
				return wrongRules(e.Line, "the rule %s names %s, which is not in the contract", text.Visible(e.ID), text.Visible(p))
			}
		}
		for _, op := range r.Operations {
			if _, ok := contract.Operation(op); e.has("operations") && !ok {
				return wrongRules(e.Line, "the rule %s names the operation %s, which is not in the contract", text.Visible(e.ID), text.Visible(op))
			}
		}
	}
	if all := c.circular(); len(all) > 0 {
		return wrongRules(0, "the rule %s is within itself", text.Visible(all[0]))
	}
	return nil
}
