package spec

import (
	"path"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// wildcard stands for any characters of an id in a rules file.
const wildcard = "*"

// IsPattern reports whether an id of a rules file has a wildcard, and so selects rules rather than naming one.
func IsPattern(id string) bool { return strings.Contains(id, wildcard) }

// Matching returns the indexes of the rules whose ids match a pattern, or that have the very id. The error is path.ErrBadPattern.
func (c *Catalogue) Matching(pattern string) ([]int, error) {
	var all []int
	for i := range c.Rules {
		fits, err := path.Match(pattern, c.Rules[i].ID)
		if err != nil {
			return nil, err
		}
		if fits {
			all = append(all, i)
		}
	}
	return all, nil
}

// mostNear is how many patterns are proposed instead of one that matches nothing.
const mostNear = 3

// SimilarPatterns returns the patterns most similar to one that matches no rule, nearest first: those with wildcards at the same segments that do
// match some.
func (c *Catalogue) SimilarPatterns(pattern string) []string {
	segments := strings.Split(pattern, ".")
	var known []string
	for _, r := range c.Rules {
		if near := generalize(r.ID, segments); near != "" && !slices.Contains(known, near) {
			known = append(known, near)
		}
	}
	return text.Nearest(pattern, known, mostNear)
}

// generalize returns an id with wildcards at the segments where a pattern has them, or "" if the id is shorter. A wildcard as the last segment
// replaces the whole rest.
func generalize(id string, pattern []string) string {
	segments := strings.Split(id, ".")
	if len(segments) < len(pattern) {
		return ""
	}
	for i, one := range pattern {
		if !IsPattern(one) {
			continue
		}
		segments[i] = wildcard
		if i == len(pattern)-1 {
			segments = segments[:i+1]
		}
	}
	return strings.Join(segments, ".")
}

// wildcards applies the entries of a rules file whose ids are patterns. An entry with the id of one rule takes precedence over them, and the
// later of two patterns over the earlier.
type wildcards struct {
	from *Catalogue
	// entries are the entries in the order of the file, and matches the indexes of the rules that each selects.
	entries []Entry
	matches [][]int
}

func (w *wildcards) addEntry(e Entry) error {
	if e.has("covers") {
		return wrongRules(e.Line, "the rule %s covers others and needs an id without *", text.Visible(e.ID))
	}
	found, err := w.from.Matching(e.ID)
	if err != nil {
		return wrongRules(e.Line, "%s is not a valid pattern: * is the only wildcard", text.Visible(e.ID))
	}
	if len(found) == 0 {
		return wrongRules(e.Line, "%s matches no rule; %s", text.Visible(e.ID), w.from.hint(e.ID))
	}
	w.entries, w.matches = append(w.entries, e), append(w.matches, found)
	return nil
}

// apply changes the rules that the patterns select. covers says which entries replace rules.
func (w *wildcards) apply(rules []Rule, covers *covering) error {
	for n, e := range w.entries {
		covered := 0
		for _, i := range w.matches[n] {
			if _, whole := covers.lines[rules[i].ID]; whole {
				covered++
				continue
			}
			changed, err := rules[i].changed(e, w.from.Rules[i].Level)
			if err != nil {
				return err
			}
			rules[i] = changed
		}
		if covered == len(w.matches[n]) {
			id := rules[w.matches[n][0]].ID
			return wrongRules(e.Line, "%s matches only rules that others cover: %s is covered by %s (line %d); change them there",
				text.Visible(e.ID), text.Visible(id), text.Visible(covers.owners[id].ID), covers.lines[id])
		}
	}
	return nil
}

// hint proposes what an id or a pattern without a rule may stand for.
func (c *Catalogue) hint(id string) string {
	if !IsPattern(id) {
		if near := c.Similar(id); near != "" {
			return "did you mean " + near + "?"
		}
	} else if near := c.SimilarPatterns(id); len(near) > 0 {
		return "did you mean " + text.Enumerate(near, "or") + "?"
	}
	return `"hallmark rules" lists the rules`
}
