package pattern

import (
	"math/rand/v2"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

const (
	// matchTimeout is how long one match may take, and mostSlow how often that may happen before nothing more is tried.
	matchTimeout = 100 * time.Millisecond
	mostSlow     = 3
	// maxLength is how many characters a text has at most.
	maxLength = 20_000
	// roam is how much longer than it must be a text gets where nothing bounds it.
	roam = 12
	// tries is how often a text is tried for each one that is wanted.
	tries = 60
	// maxSpent is how many steps are made for one call.
	maxSpent = 500_000
)

// Pattern is a pattern of ECMA-262, as JSON Schema has it: it matches a text that holds a match anywhere. A Pattern may be used by
// several goroutines.
type Pattern struct {
	root *node
	// looks are the bodies of the lookaheads that must match.
	looks []*node
	// outside are characters that its classes leave out.
	outside []rune
	matcher *regexp2.Regexp
}

// Compile reads a pattern. The error says that it is no pattern of ECMA-262, or has a syntax that no texts are made for.
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

// Matches reports whether the pattern matches anywhere in s. The error says that it takes too long.
func (p *Pattern) Matches(s string) (bool, error) { return p.matcher.MatchString(s) }

// search tries texts for one call.
type search struct {
	p        *Pattern
	rng      *rand.Rand
	min, max int
	// slow counts matches that took too long, spent the steps of the generator.
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

// try keeps a text that is new, has the right length, and matches as wanted. It reports whether it was kept.
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

// Strings returns up to count different texts of low to high characters that match; a negative high is no bound. The same seed gives
// the same texts. Where the pattern is that of a date, an address or the like they are real ones. It returns fewer, or none, where it finds no more; then there may be some nevertheless.
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

// Shortest returns the shortest text of low to high characters that was found to match; false when none was.
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

// sized returns a text of about that length that may match.
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
	switch { // lookaheads want something in the text, or behind what matches
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
	filling := make([]rune, missing) // a pattern without anchors matches whatever stands beside the match
	for j := range filling {
		filling[j] = tiers[1].at(s.rng.IntN(tiers[1].size()))
	}
	if i%4 == 3 {
		return string(filling) + body, true
	}
	return body + string(filling), true
}

// overwrite puts what the lookaheads want into a text, somewhere.
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
