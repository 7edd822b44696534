package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Secret is a text that records must not contain, and its replacement.
type Secret struct {
	Text, Shown string
	// Literal reports whether the text is not searched for in base64 or hex.
	Literal bool
}

const (
	// MinLength is the minimum length, in bytes, of a text that is searched for anywhere. A shorter one may be an ordinary word, and
	// removing it would make records unreadable.
	MinLength = 6
	// minCut is how much of a secret must precede a cut to count as its beginning.
	minCut = 6
)

// Redactor removes secrets from texts: verbatim, in either case, and escaped for JSON, URLs, HTML or C, completely or in parts; in base64
// at any offset, and in hex; and all of these with separators between their characters that are invisible or that belong to an encoding
// (see separator). It is safe for concurrent use.
type Redactor struct {
	current atomic.Pointer[table]

	mu   sync.Mutex
	list []Secret
}

// table is an immutable set of patterns.
type table struct {
	// by holds the patterns by their first byte, the longest first.
	by [256][]*pattern
	// near holds, for two bytes in either case, how close to the beginning of a pattern a window of [MinLength] bytes that ends in them may
	// be: most if it may be there, or that many bytes fewer than most if it is at least so much further on. It allows nearly all of a text
	// to be skipped. The bit begins is set if a pattern begins with the two bytes.
	near  [1 << 16]uint8
	known map[string]*pattern
}

const (
	// most is how far a window may move on if no pattern contains its last two bytes.
	most = MinLength - 1
	// begins is a bit above any number of bytes.
	begins = 1 << 7
)

// pair combines two bytes.
func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// escapes reports whether c may begin an escaped byte.
func escapes(c byte) bool { return c == '%' || c == '\\' || c == '&' }

// pattern is a text to search for, in lower case, with the replacements for the texts that are equal in lower case.
type pattern struct {
	folded string
	texts  []Secret
	// coded reports whether the pattern is base64, whose neighbours may contain some of its bits.
	coded bool
}

// New returns a Redactor of these secrets. It ignores secrets shorter than MinLength, which may be ordinary words.
func New(list ...Secret) *Redactor {
	all := &Redactor{list: list}
	all.current.Store(newTable(list))
	return all
}

// Add adds secrets, like New. Texts being redacted at the same time may still show them.
func (all *Redactor) Add(list ...Secret) {
	if len(list) == 0 {
		return
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.list = append(slices.Clip(all.list), list...)
	all.current.Store(newTable(all.list))
}

func newTable(list []Secret) *table {
	all := &table{known: map[string]*pattern{}}
	for _, s := range list {
		switch {
		case len(s.Text) < MinLength:
		case s.Literal:
			all.addSecret(s, false)
		default:
			all.addCoded(s)
		}
	}
	for i := range all.by {
		slices.SortStableFunc(all.by[i], func(a, b *pattern) int { return cmp.Compare(len(b.folded), len(a.folded)) })
	}
	return all
}

// addCoded adds a secret with its base64 and hex forms.
func (all *table) addCoded(s Secret) {
	all.addSecret(s, false)
	all.addSecret(Secret{Text: hex.EncodeToString([]byte(s.Text)), Shown: s.Shown}, false)
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 { // number of preceding bytes in its group of three
			text := alphabet.EncodeToString(append(make([]byte, before), s.Text...))
			text = text[(before*8+5)/6:]
			if (before+len(s.Text))%3 != 0 {
				text = text[:len(text)-1]
			}
			if len(text) >= MinLength {
				all.addSecret(Secret{Text: text, Shown: s.Shown}, true)
			}
		}
	}
}

func (all *table) addSecret(s Secret, coded bool) {
	folded := fold(s.Text)
	p := all.known[folded]
	if p == nil {
		p = &pattern{folded: folded, coded: coded}
		all.known[folded] = p
		c := folded[0]
		all.by[c] = append(all.by[c], p)
		for k := range most {
			a, b := folded[k], folded[k+1]
			for _, at := range [4]uint16{pair(a, b), pair(upper(a), b), pair(a, upper(b)), pair(upper(a), upper(b))} {
				near := &all.near[at]
				*near = max(*near&^begins, uint8(k+1)) | *near&begins
				if k == 0 {
					*near |= begins
				}
			}
		}
	}
	p.texts = append(p.texts, s)
}

// fold returns text with its ASCII letters in lower case.
func fold(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = lower(c)
	}
	return string(out)
}

// Text returns text without the secrets.
func (all *Redactor) Text(text string) string {
	if out, found := redacted(all, text); found {
		return string(out)
	}
	return text
}

// Bytes returns body without the secrets.
func (all *Redactor) Bytes(body []byte) []byte {
	if out, found := redacted(all, body); found {
		return out
	}
	return body
}

// mayBegin reports whether a pattern may begin at a position, judging by its first two bytes, or escaped.
func mayBegin[T ~string | ~[]byte](all *table, text T, i int) bool {
	if i+1 >= len(text) {
		return false
	}
	return escapes(text[i]) || mayHide[text[i+1]] || all.near[pair(text[i], text[i+1])]&begins != 0
}

// redacted returns a text without its secrets, and whether it contained any.
func redacted[T ~string | ~[]byte](by *Redactor, text T) (out []byte, found bool) {
	if by == nil {
		return nil, false
	}
	all := by.current.Load()
	if all == nil || len(all.known) == 0 {
		return nil, false
	}
	from, plain := 0, 0 // nothing is escaped or separated before plain
	for i := 0; i < len(text); {
		for plain = max(plain, i); plain < len(text) && !mayHide[text[plain]]; {
			plain++
		}
		if plain-i >= MinLength {
			if near := all.near[pair(text[i+MinLength-2], text[i+MinLength-1])] &^ begins; near < most {
				i += most - int(near)
				continue
			}
		} else if plain == len(text) {
			break // the rest is shorter than any pattern
		}
		var start, end int
		var shown string
		if mayBegin(all, text, i) {
			start, end, shown = find(all, text, i, from)
		}
		if end == 0 {
			i++
			continue
		}
		out, found = append(append(out, text[from:start]...), shown...), true
		from, i = end, end
	}
	if found {
		out = append(out, text[from:]...)
	}
	return out, found
}

// find searches for a secret at one position. It returns its range, which starts at from or later, and its replacement; end is 0 if there
// is none.
func find[T ~string | ~[]byte](all *table, text T, i, from int) (start, end int, shown string) {
	for _, depth := range [3]int{1, 0, 2} { // the key itself may look escaped
		first, width := unit(text, i, depth)
		if i+width >= len(text) {
			continue
		}
		second := text[i+width]
		for _, p := range all.by[lower(first)] {
			if !mayHide[second] && lower(second) != p.folded[1] {
				continue
			}
			end, got := match(text, i, p.folded, depth)
			if end == 0 {
				continue
			}
			start = i
			if p.coded {
				start, end = widen(text, start, end, from)
			}
			return start, end, p.replacement(got)
		}
	}
	return 0, 0, ""
}

// replacement returns the replacement for one of the pattern's texts.
func (p *pattern) replacement(got string) string {
	for _, s := range p.texts {
		if s.Text == got {
			return s.Shown
		}
	}
	return p.texts[0].Shown
}

// match returns the end of a pattern that begins at a position, or 0 if it does not. got is the text that was found. The beginning of a
// pattern counts if the text was cut after it.
func match[T ~string | ~[]byte](text T, i int, folded string, depth int) (end int, got string) {
	var buf [64]byte
	seen := buf[:0]
	for k := range len(folded) {
		if i >= len(text) || k >= minCut && isCut(text, i) {
			if k < minCut {
				return 0, ""
			}
			return i, ""
		}
		if k > 0 && depth > 0 && escapes(folded[k]) { // an escaped separator starts with a byte of the secret
			for skipped := separator(text, i, depth); skipped > 0; skipped = separator(text, i, depth) {
				i += skipped
			}
		}
		c, width := unit(text, i, depth)
		for k > 0 && lower(c) != folded[k] {
			if folded[k] == '\\' && depth > 0 && i+1 < len(text) && text[i] == '\\' && text[i+1] == '\\' {
				c, width = '\\', 2 // what follows is not an escape: the secret itself contains a backslash
				break
			}
			skipped := separator(text, i, depth)
			if skipped == 0 {
				return 0, ""
			}
			i += skipped
			c, width = unit(text, i, depth)
		}
		if width == 0 || lower(c) != folded[k] {
			return 0, ""
		}
		seen = append(seen, c)
		i += width
	}
	return i, string(seen)
}

// isCut reports whether there is an ellipsis, which marks cut texts, at a position.
func isCut[T ~string | ~[]byte](text T, i int) bool {
	const ellipsis = "…"
	return text[i] == ellipsis[0] && i+len(ellipsis) <= len(text) && string(text[i:i+len(ellipsis)]) == ellipsis
}

// widen extends a range to the base64 neighbours, which may contain some bits of the secret.
func widen[T ~string | ~[]byte](text T, start, end, from int) (int, int) {
	isDigit := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("+/-_", c) >= 0
	}
	if start > from && isDigit(text[start-1]) {
		start--
	}
	if end < len(text) && isDigit(text[end]) {
		end++
	}
	return start, end
}

// Header returns h without the secrets, in names and values.
func (all *Redactor) Header(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		name = all.Text(name)
		for _, v := range values {
			out[name] = append(out[name], all.Text(v))
		}
	}
	return out
}

// redactedError is an error whose text contains no secret. It still unwraps to the original.
type redactedError struct {
	text string
	err  error
}

func (m redactedError) Error() string { return m.text }
func (m redactedError) Unwrap() error { return m.err }

// Error returns err with the secrets removed from its text. It still unwraps to the original.
func (all *Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if clean := all.Text(text); clean != text {
		return redactedError{clean, err}
	}
	return err
}
