package pattern

import (
	"slices"
	"strings"
	"unicode"
)

// foreign are characters that patterns often exclude. The space is last: many services trim it at the ends of a text.
var foreign = []rune{'!', 'é', '0', 'a', 'A', '_', '-', '/', '€', ' '}

// NearMisses returns up to count different texts of low to high characters that do not match, most of them one character away from a
// matching text; a negative high means no bound. The same seed gives the same texts. It returns fewer, or none, if it finds no
// more: most texts match a pattern such as ".*".
func (p *Pattern) NearMisses(seed uint64, count, low, high int) []string {
	s := p.search(seed, low, high)
	bases := p.Strings(seed, 4, low, high)
	for i := 0; i < tries && len(s.found) < count && len(bases) > 0; i++ {
		base := []rune(bases[i%len(bases)])
		if text, ok := s.edit(base, i); ok {
			s.try(text, false)
		}
	}
	length := max(s.min, 1)
	for _, r := range slices.Concat(foreign, s.p.outside) {
		if len(s.found) >= count {
			break
		}
		s.try(strings.Repeat(string(r), length), false)
	}
	if len(s.found) < count {
		s.try("", false)
	}
	return s.found
}

// edit changes a text in one place. The kinds of changes alternate.
func (s *search) edit(base []rune, i int) (string, bool) {
	at := 0
	if len(base) > 0 {
		at = s.rng.IntN(len(base))
	}
	other := foreign[s.rng.IntN(len(foreign)-1)]
	if len(s.p.outside) > 0 && s.rng.IntN(2) == 0 {
		other = s.p.outside[s.rng.IntN(len(s.p.outside))]
	}
	switch kind := i % 7; {
	case kind == 1:
		return string(base) + string(other), true
	case kind == 2:
		return string(other) + string(base), true
	case len(base) == 0:
		return "", false
	case kind == 0:
		return string(base[:at]) + string(other) + string(base[at+1:]), true
	case kind == 3:
		return string(base[:len(base)-1]), true
	case kind == 4:
		return string(base[1:]), true
	case kind == 5:
		return string(base[:at]) + string(base[at+1:]), true
	}
	return strings.Map(swapCase, string(base)), true
}

func swapCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// leftOut returns characters that a class excludes, the plainest first.
func leftOut(s set) []rune {
	var out []rune
	rest := s.complement().and(set{{'!', '~'}})
	for i := 0; i < rest.size(); i += max(rest.size()/3, 1) {
		out = append(out, rest.char(i))
	}
	return out
}
