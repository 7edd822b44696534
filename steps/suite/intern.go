package suite

import (
	"slices"
	"strconv"

	"hallmark/internal/slab"
)

// interner makes scenarios that share equal texts and tags: most steps and tags of derived features are equal, word for word.
type interner struct {
	known   map[string]string
	phrases map[Phrase]*Phrase
	// last is the previous scenario. The next one mostly has the same tags.
	last *Scenario

	scenarios slab.Of[Scenario]
	steps     slab.Of[Step]
	written   slab.Of[Phrase]
	names     slab.Of[string]
	texts     slab.Texts
}

func newInterner() *interner {
	return &interner{known: map[string]string{}, phrases: map[Phrase]*Phrase{}}
}

// scenario returns a new one with its id, and nothing else.
func (n *interner) scenario(uri string, line int) *Scenario {
	p := n.scenarios.New()
	p.URI, p.Line = uri, line
	p.id = n.texts.Join(uri, ":", strconv.Itoa(line))
	return p
}

// text returns a text that equals t, and is a copy: t may be a part of a longer line, which it would keep in memory.
func (n *interner) text(t string) string {
	if known, is := n.known[t]; is {
		return known
	}
	own := n.texts.Join(t)
	n.known[own] = own
	return own
}

// phrase returns a step as it is written.
func (n *interner) phrase(keyword, text string) *Phrase {
	if known := n.phrases[Phrase{keyword, text}]; known != nil {
		return known
	}
	own := n.written.New()
	own.Keyword, own.Text = n.text(keyword), n.text(text)
	n.phrases[*own] = own
	return own
}

// tags sets the tags of a scenario, and the rules that they name.
func (n *interner) tags(p *Scenario, tags []string) {
	if n.last != nil && slices.Equal(n.last.Tags, tags) {
		p.Tags, p.Rules = n.last.Tags, n.last.Rules
	} else {
		p.Tags = n.names.Slice(len(tags))
		for i, t := range tags {
			p.Tags[i] = n.text(t)
		}
		// A rule that stands closer to the scenario is the more specific one; but the Gherkin Rule's own leads.
		p.Rules = n.names.Copy(tagValues(p.Tags, "@rule:")...)
	}
	n.last = p
}
