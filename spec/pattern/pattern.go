package pattern

import (
	"math/rand/v2"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

const (
	// matchTimeout is the maximum duration of a match, mostSlow the number of timeouts after which the search ends.
	matchTimeout = 100 * time.Millisecond
	mostSlow     = 3
	// maxLength is the maximum number of characters of a text.
	maxLength = 20_000
	// roam is how much longer than necessary an unbounded text may get.
	roam = 12
	// tries is the number of attempts for each requested text.
	tries = 60
	// maxSpent is the maximum number of steps for one call.
	maxSpent = 500_000
)

// Pattern is a pattern of ECMA-262 as JSON Schema uses it: it matches a text that contains a match anywhere. A Pattern is safe for
// concurrent use.
type Pattern struct {
	root *node
	// looks are the bodies of the positive lookaheads.
	looks []*node
	// outside are characters that its classes exclude.
	outside []rune
	matcher *regexp2.Regexp
}

// Compile parses a pattern. It returns an error if the text is not a pattern of ECMA-262 or uses unsupported syntax.
func Compile(text string) (*Pattern, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	matcher, err := regexp2.Compile(rewrite(text), regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	matcher.MatchTimeout = matchTimeout
	p := &Pattern{root: root, matcher: matcher}
	p.collect(root)
	return p, nil
}

func (p *Pattern) collect(n *node) {
	if n.kind == look {
		if n.ahead {
			p.looks = append(p.looks, n.subs[0])
		}
		return
	}
	if n.kind == class && n.set.size() > 1 && len(p.outside) < 40 {
		p.outside = append(p.outside, leftOut(n.set)...)
	}
	for _, sub := range n.subs {
		p.collect(sub)
	}
}

// Matches reports whether the pattern matches anywhere in s. It returns an error if matching takes too long.
func (p *Pattern) Matches(s string) (bool, error) { return p.matcher.MatchString(s) }

// search is the search for texts of one call.
type search struct {
	p        *Pattern
	rng      *rand.Rand
	min, max int
	// slow counts timeouts of matches, spent the steps of the generator.
	slow, spent int
	seen        map[string]bool
	found       []string
}

func (p *Pattern) search(seed uint64, low, high int) *search {
	if high < 0 || high > maxLength {
		high = maxLength
	}
	return &search{p: p, rng: rand.New(rand.NewPCG(seed, 0x70617474)), min: max(low, 0), max: high, seen: map[string]bool{}}
}

// try keeps a text that is new, has the right length, and matches as wanted. It reports whether the text was kept.
func (s *search) try(text string, want bool) bool {
	if n := utf8.RuneCountInString(text); n < s.min || n > s.max || s.seen[text] || s.slow >= mostSlow {
		return false
	}
	s.seen[text] = true
	matches, err := s.p.Matches(text)
	if err != nil {
		s.slow++
		return false
	}
	if matches == want {
		s.found = append(s.found, text)
	}
	return matches == want
}

// Strings returns up to count different texts of low to high characters that match; a negative high means no bound. The same seed gives
// the same texts. If the pattern is that of a date, an address or the like, the texts are real ones. It returns fewer, or none, if it
// finds no more, although there may be some.
func (p *Pattern) Strings(seed uint64, count, low, high int) []string {
	s := p.search(seed, low, high)
	s.natural(seed, count)
	for i := 0; i < tries*count && len(s.found) < count && s.slow < mostSlow; i++ {
		if text, ok := s.candidate(i); ok {
			s.try(text, true)
		}
	}
	return s.found
}

// Shortest returns the shortest matching text of low to high characters that was found, and false if none was.
func (p *Pattern) Shortest(low, high int) (string, bool) {
	s := p.search(0, low, high)
	g := generator{rng: s.rng, minimal: true}
	for length := max(s.min, p.root.min); length <= min(s.max, plus(max(s.min, p.root.min), roam)); length++ {
		if text, ok := g.text(p.root, length); ok && s.try(text, true) {
			return text, true
		}
		for i := range tries / 4 {
			if text, ok := s.sized(length, i); ok && utf8.RuneCountInString(text) == length && s.try(text, true) {
				return text, true
			}
		}
	}
	found := p.Strings(0, 4, low, high)
	if len(found) == 0 {
		return "", false
	}
	return slices.MinFunc(found, func(a, b string) int { return utf8.RuneCountInString(a) - utf8.RuneCountInString(b) }), true
}

// candidate returns a text that may match.
func (s *search) candidate(i int) (string, bool) {
	low := max(s.min, s.p.root.min)
	high := min(s.max, plus(low, roam))
	if low > high {
		return "", false
	}
	return s.sized(low+s.rng.IntN(high-low+1), i)
}

// sized returns a text of about a length that may match.
func (s *search) sized(length, i int) (string, bool) {
	if s.spent > maxSpent {
		return "", false
	}
	g := generator{rng: s.rng}
	defer func() { s.spent += g.total }()
	body, ok := g.text(s.p.root, min(length, s.p.root.max))
	if !ok {
		return "", false
	}
	switch { // lookaheads require something in the text or after the match
	case len(s.p.looks) > 0 && i%3 == 1:
		body = s.overwrite(body)
	case len(s.p.looks) > 0 && i%3 == 2:
		for _, l := range s.p.looks {
			piece, _ := g.text(l, l.min)
			body += piece
		}
	}
	missing := length - utf8.RuneCountInString(body)
	if missing <= 0 {
		return body, true
	}
	filling := make([]rune, missing) // without anchors, anything may surround the match
	for j := range filling {
		filling[j] = tiers[1].char(s.rng.IntN(tiers[1].size()))
	}
	if i%4 == 3 {
		return string(filling) + body, true
	}
	return body + string(filling), true
}

// overwrite writes what the lookaheads require into a text at some position.
func (s *search) overwrite(text string) string {
	runes := []rune(text)
	g := generator{rng: s.rng}
	for _, l := range s.p.looks {
		piece, ok := g.text(l, l.min)
		if r := []rune(piece); ok && len(r) <= len(runes) {
			copy(runes[s.rng.IntN(len(runes)-len(r)+1):], r)
		}
	}
	return string(runes)
}
