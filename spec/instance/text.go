package instance

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/pattern"
)

// maxLength is the maximum length of a text; a longer one would test the network rather than a bound.
const maxLength = 1 << 14

// mostMade bounds the cached lists of texts.
const mostMade = 1000

// Texts makes texts that match patterns, and texts of formats, and caches them. The results depend on the seed and
// the arguments only. It is safe for concurrent use.
type Texts struct {
	seeds uint64
	// formats reports whether all known formats bind values, see schema.Asserts.
	formats bool

	mu       sync.Mutex
	patterns map[string]*pattern.Pattern
	made     map[textKey][]string
}

// NewTexts returns the texts of a seed, which generators with that seed may share. formats reports whether all known formats bind values,
// and not only those that can be decided exactly.
func NewTexts(seed uint64, formats bool) *Texts {
	return &Texts{seeds: seed, formats: formats, patterns: map[string]*pattern.Pattern{}, made: map[textKey][]string{}}
}

// once returns the texts of a key, making them if they are not cached.
func (x *Texts) once(key textKey, made func() []string) []string {
	x.mu.Lock()
	known, ok := x.made[key]
	x.mu.Unlock()
	if ok {
		return known
	}
	all := made()
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.made) >= mostMade {
		clear(x.made)
	}
	x.made[key] = all
	return all
}

// seed returns a number for a purpose, derived from the seed of the options.
func (x *Texts) seed(purpose string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose))
	return h.Sum64() ^ x.seeds
}

// textKey identifies cached texts.
type textKey struct {
	text      string
	low, high int
	m         mode
	format    bool
	n         int
}

// compiled returns a pattern, or nil if no texts can be made for it.
func (x *Texts) compiled(text string) *pattern.Pattern {
	x.mu.Lock()
	defer x.mu.Unlock()
	p, ok := x.patterns[text]
	if !ok {
		if q, err := pattern.Compile(text); err == nil {
			p = q
		}
		x.patterns[text] = p
	}
	return p
}

// matches reports whether a pattern matches a text. It returns false for a pattern that is not supported.
func (x *Texts) matches(text, name string) bool {
	p := x.compiled(text)
	if p == nil {
		return false
	}
	ok, err := p.Matches(name)
	return ok && err == nil
}

// matching returns texts that a pattern matches.
func (x *Texts) matching(text string, n int) []string {
	if p := x.compiled(text); p != nil {
		return p.Strings(x.seed(text), n, 0, -1)
	}
	return nil
}

// strings returns texts of the shape, n if that many are found.
func (x *Texts) strings(s *shape, m mode, n int) []string {
	low, high := s.lengths()
	return x.stringsOf(s, m, n, low, high)
}

func (x *Texts) stringsOf(s *shape, m mode, n, low, high int) []string {
	if low > maxLength {
		return nil
	}
	var out []string
	for _, f := range s.formats {
		out = append(out, x.formatted(f.text, n, low, high)...)
	}
	if len(s.patterns) > 0 {
		// Texts made for the pattern need not have the format, so texts of the format that match come first.
		out = slices.DeleteFunc(out, func(text string) bool { return !x.matchesAll(s, text) })
		out = append(out, x.patterned(s, m, n, low, high)...)
	}
	if len(s.patterns) == 0 {
		out = append(out, plain(m, n, low, high)...)
	}
	return distinct(out)
}

func (x *Texts) matchesAll(s *shape, text string) bool {
	return !slices.ContainsFunc(s.patterns, func(p worded) bool { return x.compiled(p.text) != nil && !x.matches(p.text, text) })
}

// patterned returns texts that match all patterns of the shape.
func (x *Texts) patterned(s *shape, m mode, n, low, high int) []string {
	var out []string
	n = max(n, 8)
	for _, w := range s.patterns {
		out = append(out, x.once(textKey{w.text, low, high, m, false, n}, func() []string {
			p := x.compiled(w.text)
			if p == nil {
				return nil
			}
			var found []string
			if m == smallest {
				if text, ok := p.Shortest(low, high); ok {
					found = append(found, text)
				}
			}
			seed := x.seed(w.text)
			if m == roomy {
				seed++
			}
			return append(found, p.Strings(seed, n, low, high)...)
		})...)
	}
	return slices.DeleteFunc(distinct(out), func(text string) bool { return !x.matchesAll(s, text) })
}

// formatted returns texts of a format.
func (x *Texts) formatted(format string, n, low, high int) []string {
	n = max(n, 8)
	return x.once(textKey{format, low, high, usual, true, n}, func() []string {
		found, _ := pattern.Format(format, x.seed(format), n, low, high)
		return found
	})
}

// plain returns texts of a length without other properties.
func plain(m mode, n, low, high int) []string {
	length := max(low, 1)
	if m != smallest {
		length = max(low, len("text"))
	}
	if m == roomy && low > 0 {
		length = low + 2
	}
	if high >= 0 && m == roomy && length >= high {
		length = (low + high) / 2
	}
	if high >= 0 {
		length = min(length, high)
	}
	out := []string{filled("text", length)}
	for i := 1; i < n; i++ {
		word := fmt.Sprint("text", i)
		if high >= 0 && len(word) > high {
			word = letters(i)
		}
		out = append(out, filled(word, max(length, min(len(word), max(high, length)))))
	}
	if high != 0 && low == 0 {
		out = append(out, "")
	}
	return out
}

// letters returns a short word for a number.
func letters(i int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	word := ""
	for ; i > 0; i /= len(alphabet) {
		word = string(alphabet[i%len(alphabet)]) + word
	}
	return word
}

// filled returns a text of exactly length characters that begins with a word, or as much of it as fits.
func filled(word string, length int) string {
	if n := utf8.RuneCountInString(word); n >= length {
		return string([]rune(word)[:length])
	}
	return word + strings.Repeat("x", length-utf8.RuneCountInString(word))
}

func distinct(all []string) []string {
	seen := make(map[string]bool, len(all))
	out := all[:0:0]
	for _, text := range all {
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}
