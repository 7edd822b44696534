package suite

import (
	"slices"
	"strings"
)

// sharer lets scenarios hold once what many of them have in common: most steps and tags of derived features are alike, word for word.
type sharer struct {
	texts map[string]string
	// last is the scenario before, whose tags the next one mostly has as well.
	last *Scenario
}

func newSharer() *sharer { return &sharer{texts: map[string]string{}} }

// text returns a text that equals t, in memory of its own: what was parsed is a part of a longer line.
func (s *sharer) text(t string) string {
	if known, is := s.texts[t]; is {
		return known
	}
	own := strings.Clone(t)
	s.texts[own] = own
	return own
}

// tags gives a scenario its tags, and the rules that they name.
func (s *sharer) tags(p *Scenario, tags []string) {
	if s.last != nil && slices.Equal(s.last.Tags, tags) {
		p.Tags, p.Rules = s.last.Tags, s.last.Rules
	} else {
		p.Tags = make([]string, len(tags))
		for i, t := range tags {
			p.Tags[i] = s.text(t)
		}
		// A rule that stands closer to the scenario is the more specific one; but the Gherkin Rule's own leads.
		p.Rules = slices.Clip(tagValues(p.Tags, "@rule:"))
	}
	s.last = p
}
