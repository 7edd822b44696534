package promise

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/prose"
)

// Sentence is a sentence of the document that states behaviour, and the rules that judge it.
type Sentence struct {
	prose.Sentence
	// Rules are the ids of the rules that judge what it says; none if the sentence is open.
	Rules []string
	// Raised are those of Rules that it made a must.
	Raised []string
	// Aside is why nothing judges it, if a rule that quotes it says so: the rule is switched off, or cannot be tested.
	Aside string
}

// Open reports whether nothing judges the sentence.
func (s *Sentence) Open() bool { return len(s.Rules) == 0 && s.Aside == "" }

// spoken is a sentence with the derived rules that it is about.
type spoken struct {
	prose.Sentence
	about []about
}

// about is a rule that a sentence is about. raise reports whether the sentence states all that the rule says, so that an inferred rule, or a
// should, becomes a must by it.
type about struct {
	rule  string
	raise bool
}

// Sentences returns the sentences of the document that state behaviour, in its order, with the rules of a catalogue that judge them. A rule
// judges a sentence that its source quotes, too.
func (p *Promises) Sentences(catalogue *spec.Catalogue) []Sentence {
	said := p.spoken()
	all := make([]Sentence, len(said))
	stated := map[string]bool{}
	for i := range said {
		stated[sourceOf(&said[i].Sentence)] = true
	}
	quotes := quotesIn(catalogue, stated)
	for i, s := range said {
		all[i].Sentence = s.Sentence
		one := &all[i]
		for _, a := range s.about {
			id := catalogue.Resolve(a.rule)
			r, ok := catalogue.Rule(id)
			if aside := cmp.Or(r.Off, r.Untestable); aside != "" {
				one.Aside = aside
			}
			if !ok || r.Off != "" || r.Untestable != "" || r.Level == spec.Open || slices.Contains(one.Rules, id) {
				continue
			}
			one.Rules = append(one.Rules, id)
			if a.raise && r.Level == spec.Must && stated[r.Source] {
				one.Raised = append(one.Raised, id)
			}
		}
		one.quoted(quotes)
	}
	return all
}

// quote is a rule with the words of its source in comparable form.
type quote struct {
	rule  spec.Rule
	words string
}

// quotesIn returns the rules whose source, or that of a rule they cover, may quote a sentence, without those of which a sentence of the document is the source: what it says
// elsewhere in the same words may be about something else.
func quotesIn(catalogue *spec.Catalogue, stated map[string]bool) []quote {
	var all []quote
	add := func(r spec.Rule, source string) {
		if derived := strings.HasPrefix(source, "inferred: ") && !strings.Contains(source, saysThat); source != "" && !derived && !stated[source] {
			all = append(all, quote{r, " " + wordsOf(source) + " "})
		}
	}
	for _, r := range catalogue.Rules {
		add(r, r.Source)
	}
	for _, was := range catalogue.AllCovered() {
		if r, ok := catalogue.Rule(catalogue.Resolve(was.ID)); ok {
			add(r, was.Source)
		}
	}
	return all
}

// fewestQuoted is the number of words of the shortest sentence that is searched for in the sources of rules.
const fewestQuoted = 3

// quoted adds the rules that quote the sentence.
func (s *Sentence) quoted(quotes []quote) {
	words := wordsOf(s.Text)
	if strings.Count(words, " ")+1 < fewestQuoted {
		return
	}
	for _, q := range quotes {
		switch {
		case q.rule.Level == spec.Open || !strings.Contains(q.words, " "+words+" ") || slices.Contains(s.Rules, q.rule.ID):
		case q.rule.Off != "":
			s.Aside = q.rule.Off
		case q.rule.Untestable != "":
			s.Aside = q.rule.Untestable
		default:
			s.Rules = append(s.Rules, q.rule.ID)
		}
	}
}

// wordsOf returns the words of a text in lower case, without punctuation.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r <= 127
	}), " ")
}

// readProse returns the sentences of the document with the rules that they are about.
func (p *Promises) readProse() []spoken {
	l := &listener{names: p.Names, contract: p.contract, operations: p.options.operations, lives: p.options.lives(), listed: p.options.listed, sayings: p.options.sayings, merges: map[*spec.Operation]bool{}}
	read := prose.Sentences(p.contract)
	for i := range read {
		if read[i].Claim.Form == prose.RestKept {
			for _, u := range read[i].Uses {
				l.merges[u.Operation] = true
			}
		}
	}
	all := make([]spoken, len(read))
	for i, s := range read {
		all[i] = spoken{Sentence: s}
		if s.Claim.Form != "" {
			all[i].about = l.about(&s)
		}
	}
	return all
}

// raised returns the rules with those made a must that a sentence of the document states.
func (p *Promises) raised(rules []spec.Rule) []spec.Rule {
	at := make(map[string]int, len(rules))
	for i, r := range rules {
		at[r.ID] = i
	}
	for _, s := range p.spoken() {
		for _, a := range s.about {
			i, there := at[a.rule]
			if !there || !a.raise || rules[i].Level != spec.Inferred && rules[i].Level != spec.Should {
				continue
			}
			r := &rules[i]
			r.Stated = r.Level == spec.Inferred
			r.Level, r.Source = spec.Must, sourceOf(&s.Sentence)
		}
	}
	return rules
}

// sourceOf says where a sentence is, and quotes it.
func sourceOf(s *prose.Sentence) string {
	at := "line " + strconv.Itoa(s.Line)
	if s.File != "" {
		at = s.File + ", " + at
	} else {
		at = "the document, " + at
	}
	return at + ": " + inQuotes(s.Text)
}

func inQuotes(text string) string { return "“" + text + "”" }
