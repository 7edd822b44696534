package instance

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// candidate is a case whose value has not been made yet.
type candidate struct {
	place *place
	// make returns the value at the place, or none if there is no such value after all.
	make  func() any
	about constraint
	// path leads to what the case is about: the place, or a member of it.
	path []string
	kind Variation
	says string
	// round counts the earlier candidates about the same constraint of the same place.
	round, nth int
	// turn counts the candidates of its kind.
	turn int
}

// none is no value.
type none struct{}

// collector gathers the candidates of a subject.
type collector struct {
	g      *Generator
	name   string
	all    []candidate
	rounds map[string]int
	// conditions holds the places of schemas under if. Violating them is no fault.
	conditions map[string]bool
}

// maxCandidates bounds the candidates of a subject.
const maxCandidates = 4_000

// mostDropped is how many candidates may turn out to be none, for each case that is wanted.
const mostDropped = 8

// addCandidate adds a candidate.
func (c *collector) addCandidate(p *place, kind Variation, about constraint, says string, value func() any) {
	c.note(candidate{place: p, path: p.path, make: value, about: about, kind: kind, says: says})
}

// addMember adds a candidate that is about a member of the place.
func (c *collector) addMember(p *place, member string, kind Variation, about constraint, says string, value func() any) {
	c.note(candidate{place: p, path: append(slices.Clip(p.path), member), make: value, about: about, kind: kind, says: says})
}

func (c *collector) note(n candidate) {
	if len(c.all) >= maxCandidates || slices.ContainsFunc(n.about.chain(), func(at string) bool { return c.conditions[at] }) {
		return
	}
	key := string(n.kind) + " " + jsonpointer.Join("", n.path...)
	if n.kind == Inside || n.kind == Outside {
		key += "\x00" + n.about.keyword
	}
	n.round, n.nth = c.rounds[key], len(c.all)
	c.rounds[key]++
	c.all = append(c.all, n)
}

// sorted returns the candidates in order. The kinds take turns. Within a kind, the first candidate of each place
// precedes any second one; then come places that the base has before others, shallow before deep ones, and the
// order of the document.
func (c *collector) sorted() []candidate {
	slices.SortFunc(c.all, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(a.round, b.round),
			cmp.Compare(a.place.added, b.place.added),
			cmp.Compare(len(a.place.path), len(b.place.path)),
			cmp.Compare(a.nth, b.nth),
		)
	})
	turns := map[Variation]int{}
	for i := range c.all {
		n := &c.all[i]
		n.turn = turns[n.kind]
		turns[n.kind]++
	}
	slices.SortStableFunc(c.all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.kind.rank(), b.kind.rank()))
	})
	return c.all
}

// choose makes the best candidates that are as valid or invalid as they should be, without duplicate values.
func (c *collector) choose(root parts, valid bool, into *Cases, seen map[[sha256.Size]byte]bool) {
	all := c.sorted()
	c.g.refill()
	for i, n := range all {
		if len(into.Cases) >= c.g.limit || c.g.effort <= 0 {
			into.More += len(all) - i
			return
		}
		if into.Dropped > mostDropped*c.g.limit {
			into.More += len(all) - i
			return
		}
		whole, sound := any(nil), true
		if !valid {
			whole, sound = n.place.repaired(c.g, root)
		}
		made := any(none{})
		if sound {
			made = n.make()
		}
		if made == (none{}) {
			into.Dropped++
			continue
		}
		value := n.place.wrap(made)
		sum := sha256.Sum256([]byte(textOf(value)))
		if seen[sum] {
			continue
		}
		if c.g.keeps(root, value) != valid {
			into.Dropped++
			continue
		}
		// If the smallest or the full instance equals a variant, keep the variant, which says what is special about it.
		seen[sum] = n.kind != Smallest && n.kind != Full
		differs := n.path
		if n.place.within != nil {
			differs = n.place.within
		}
		into.Cases = append(into.Cases, Case{
			Value: value, Repaired: whole, Pointer: jsonpointer.Join("", n.path...), Differs: jsonpointer.Join("", differs...), Constraint: n.about.pointer(), Chain: n.about.chain(),
			Kind: n.kind, Description: c.call(n.path) + " " + n.says,
		})
	}
}

// longName is how many characters of a name are shown; longer names are cut to half of that.
const longName = 60

// call names a place for people: "price.amount", "tags[0]". The whole value has the subject's name.
func (c *collector) call(path []string) string {
	if len(path) == 0 {
		return c.name
	}
	var b strings.Builder
	for i, token := range path {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if n := utf8.RuneCountInString(token); n > longName {
			token = string([]rune(token)[:longName/2]) + "… (" + strconv.Itoa(n) + " characters)"
		}
		if token == "" || strings.ContainsAny(token, " .[]\"\n\t") {
			token = strconv.Quote(token)
		}
		b.WriteString(token)
	}
	if strings.HasPrefix(b.String(), "[") {
		return c.name + b.String()
	}
	return b.String()
}
