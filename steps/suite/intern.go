package suite

import (
	"slices"
	"strings"
)

// interner makes scenarios share equal texts and tags: most steps and tags of derived features are equal, word for word.
type interner struct {
	texts   map[string]string
	phrases map[Phrase]*Phrase
	// last is the previous scenario. The next one mostly has the same tags.
	last *Scenario
}

func newInterner() *interner {
	return &interner{texts: map[string]string{}, phrases: map[Phrase]*Phrase{}}
}

// text returns a text that equals t, and is a copy: t may be a part of a longer line, which it would keep in memory.
func (n *interner) text(t string) string {
	if known, is := n.texts[t]; is {
		return known
	}
	own := strings.Clone(t)
	n.texts[own] = own
	return own
}

// phrase returns a step as it is written.
func (n *interner) phrase(keyword, text string) *Phrase {
	if known := n.phrases[Phrase{keyword, text}]; known != nil {
		return known
	}
	own := &Phrase{n.text(keyword), n.text(text)}
	n.phrases[*own] = own
	return own
}

// tags sets the tags of a scenario, and the rules that they name.
func (n *interner) tags(p *Scenario, tags []string) {
	if n.last != nil && slices.Equal(n.last.Tags, tags) {
		p.Tags, p.Rules = n.last.Tags, n.last.Rules
	} else {
		p.Tags = make([]string, len(tags))
		for i, t := range tags {
			p.Tags[i] = n.text(t)
		}
		// A rule that stands closer to the scenario is the more specific one; but the Gherkin Rule's own leads.
		p.Rules = slices.Clip(tagValues(p.Tags, "@rule:"))
	}
	n.last = p
}
