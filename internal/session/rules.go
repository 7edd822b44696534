package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// SelectRules returns the rules that --rule selects: each word is an id, or the common beginning of several ids
// ("list.limit"). A rule that no scenario names is judged by any response, so it selects the rules whose scenarios
// produce such responses; the note says so. This is not done if another word names scenarios: their responses are
// used to judge it.
func SelectRules(words []string, catalogue *spec.Catalogue, scenarios map[string]int) (ids []string, note string, err error) {
	var notes []string
	for _, word := range words {
		found, err := rulesCalled(word, catalogue)
		if err != nil {
			return nil, "", err
		}
		ids = append(ids, found...)
		if askedAbout(found, catalogue, scenarios) {
			continue
		}
		if !slices.ContainsFunc(found, func(id string) bool { return byTheWay(id, catalogue) }) {
			var others []string
			for _, id := range found {
				others = append(others, JudgedWith(id, catalogue, scenarios)...)
			}
			if len(others) > 0 {
				ids = append(ids, others...)
				notes = append(notes, fmt.Sprintf("no scenario is about %s alone: it is judged in those about %s, which are run", word, strings.Join(others, " and ")))
			}
			continue
		}
		if always(found, catalogue) && anyAskedAbout(words, catalogue, scenarios) {
			continue
		}
		more, which := bringing(found, catalogue, scenarios)
		ids = append(ids, more...)
		notes = append(notes, fmt.Sprintf("no scenario is about %s alone: it is judged on the responses of other scenarios, so %s are run", word, which))
	}
	slices.Sort(ids)
	return slices.Compact(ids), strings.Join(notes, "\nhallmark: "), nil
}

// rulesCalled are the rules of that id, or whose ids begin with it.
func rulesCalled(word string, catalogue *spec.Catalogue) ([]string, error) {
	var ids, known []string
	reason := ""
	for _, r := range catalogue.Rules {
		for i, c := range r.ID {
			if c == '.' && !slices.Contains(known, r.ID[:i]) {
				known = append(known, r.ID[:i])
			}
		}
		known = append(known, r.ID)
		switch {
		case !calledSo(r.ID, word) && !slices.ContainsFunc(r.Covers, func(covered string) bool {
			id, _, _ := strings.Cut(covered, " ")
			return calledSo(id, word)
		}):
		case r.Untestable != "":
			reason = r.Untestable
		default:
			ids = append(ids, r.ID)
		}
	}
	switch {
	case len(ids) > 0:
		return ids, nil
	case reason != "":
		return nil, fmt.Errorf("--rule %s: this rule cannot be tested from outside: %s", text.Visible(word), reason)
	}
	return nil, fmt.Errorf("--rule: there is no rule and no group of rules %q; %s", text.Visible(word),
		cli.Suggest(word, known, `"hallmark rules" lists them`))
}

// calledSo reports whether a word is an id, or the beginning of it.
func calledSo(id, word string) bool {
	return id == word || strings.HasPrefix(id, strings.TrimSuffix(word, ".*")+".")
}

// byTheWay reports whether any response may say something about a rule.
func byTheWay(id string, catalogue *spec.Catalogue) bool {
	r, _ := catalogue.Rule(id)
	return r.Always || r.Level == spec.Open
}

// always reports whether all of the rules are judged by every response that they are about.
func always(ids []string, catalogue *spec.Catalogue) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { r, _ := catalogue.Rule(id); return !r.Always })
}

// anyAskedAbout reports whether scenarios name the rules of one of the words.
func anyAskedAbout(words []string, catalogue *spec.Catalogue, scenarios map[string]int) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		found, err := rulesCalled(word, catalogue)
		return err == nil && askedAbout(found, catalogue, scenarios)
	})
}

// askedAbout reports whether a scenario names one of the rules, or a rule within one.
func askedAbout(ids []string, catalogue *spec.Catalogue, scenarios map[string]int) bool {
	for id := range scenarios {
		for id != "" {
			if slices.Contains(ids, id) {
				return true
			}
			r, _ := catalogue.Rule(id)
			id = r.Within
		}
	}
	return false
}

// JudgedWith returns the rules in whose scenarios a rule is judged that no scenario names: those that cover another part
// of the same derived rule. There are none for a rule that any response is judged by.
func JudgedWith(id string, catalogue *spec.Catalogue, scenarios map[string]int) (ids []string) {
	rule, _ := catalogue.Rule(id)
	if rule.Always || scenarios[id] > 0 {
		return nil
	}
	for _, covers := range rule.Covers {
		derived, part, _ := strings.Cut(covers, " ")
		for _, other := range catalogue.Rules {
			if part != "" && scenarios[other.ID] > 0 && !slices.Contains(ids, other.ID) && slices.ContainsFunc(other.Covers, func(c string) bool {
				same, _, _ := strings.Cut(c, " ")
				return same == derived
			}) {
				ids = append(ids, other.ID)
			}
		}
	}
	return ids
}

// bringing returns the rules whose scenarios use an operation that one of the given rules is about. Rules about other
// operations as well are left out if there are enough without them.
func bringing(ids []string, catalogue *spec.Catalogue, scenarios map[string]int) (rules []string, which string) {
	var operations []string
	for _, id := range ids {
		r, _ := catalogue.Rule(id)
		if len(r.Operations) == 0 {
			operations = nil
			break
		}
		operations = append(operations, r.Operations...)
	}
	slices.Sort(operations)
	operations = slices.Compact(operations)
	if len(operations) == 0 {
		return slices.Collect(maps.Keys(scenarios)), "all scenarios"
	}
	wanted := func(o string) bool { return slices.Contains(operations, o) }
	var others []string
	for id := range scenarios {
		r, _ := catalogue.Rule(id)
		switch {
		case len(r.Operations) > 0 && !slices.ContainsFunc(r.Operations, func(o string) bool { return !wanted(o) }):
			rules = append(rules, id)
		case len(r.Operations) == 0 || slices.ContainsFunc(r.Operations, wanted):
			others = append(others, id)
		}
	}
	if len(rules) == 0 {
		rules = others
	}
	return rules, "those of " + text.Enumerate(operations, "and")
}
