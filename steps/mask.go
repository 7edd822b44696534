package steps

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/derive"
)

// The service is judged by what it really answered; records show it with the secrets taken out, should it echo them: in
// whatever form a response holds them, and the near misses too, of which anybody could make the key again.

// secret is a text that records must not hold, and what they show in its place.
type secret struct{ text, shown string }

const (
	// leastSecret is how long a text is, in bytes, that is looked for anywhere; a shorter one may be any word, and taking
	// it out would leave records that nobody can read. A shorter key is taken out behind its scheme only.
	leastSecret = 6
	// leastHalf is the same for one half of the key, which tells less of it.
	leastHalf = 12
	// leastCut is how much of a secret has to stand before a cut to be taken for its beginning.
	leastCut = 6
)

// secrets finds what must stand in no record: as it is, in either case, and escaped for JSON, URLs, HTML or C, wholly or
// here and there; in base64 wherever it begins, and in hex; and all of these with separators between their characters that
// no reader sees or that belong to an encoding (see separator).
type secrets struct {
	// by holds the patterns by their first byte, the longest first.
	by [256][]*pattern
	// begins tells which bytes of a text a pattern may begin with.
	begins [256]bool
	// starts holds the first three bytes of the patterns, by triple. Nearly every place of a text is passed over by it.
	starts [1 << 16]bool
	known  map[string]*pattern
}

// triple is a number for three bytes, in either case; different ones may share it.
func triple(a, b, c byte) uint16 {
	return uint16(lower(a))<<11 ^ uint16(lower(b))<<5 ^ uint16(lower(c))
}

// escapes tells which bytes begin an escaped one.
func escapes(c byte) bool { return c == '%' || c == '\\' || c == '&' }

// passes reports whether no pattern stands at a place: nothing is escaped or separated there, and none begins so. Patterns
// are longer than three bytes, and what is left of one before a cut is too.
func passes[T ~string | ~[]byte](all *secrets, text T, i int) bool {
	if i+2 >= len(text) {
		return true
	}
	a, b, c := text[i], text[i+1], text[i+2]
	return !escapes(a) && !mayHide[b] && !mayHide[c] && !all.starts[triple(a, b, c)]
}

// pattern is what is looked for, in lower case, and what is shown for the texts that are the same in lower case.
type pattern struct {
	folded string
	texts  []secret
	// coded reports whether it is in base64, whose neighbours may hold some bits of it.
	coded bool
}

// secretsOf lists what gives a key away, and other secrets.
func secretsOf(key string, more ...secret) *secrets {
	all := &secrets{known: map[string]*pattern{}}
	for _, s := range more {
		if len(s.text) >= leastSecret {
			all.addCoded(s)
		}
	}
	switch {
	case len(key) >= leastSecret:
		all.addCoded(secret{key, keyVariable})
	case key != "":
		for _, scheme := range []string{"Bearer ", "Basic "} {
			all.add(secret{scheme + key, scheme + keyVariable}, false)
		}
	}
	for _, c := range derive.Credentials() {
		if key == "" {
			break
		}
		made, err := makeCredential(c.Words, key)
		if err != nil || made.header == made.shown {
			continue // it cannot be made, or nothing of the key is in it
		}
		_, text, _ := strings.Cut(made.header, " ")
		_, shown, _ := strings.Cut(made.shown, " ")
		if len(text) >= leastHalf || len(text) >= leastSecret && len(text) > len(key)/2 {
			all.addCoded(secret{text, shown})
		}
	}
	for i := range all.by {
		slices.SortStableFunc(all.by[i], func(a, b *pattern) int { return cmp.Compare(len(b.folded), len(a.folded)) })
	}
	return all
}

// addCoded adds a secret with its forms in base64 and hex.
func (all *secrets) addCoded(s secret) {
	all.add(s, false)
	all.add(secret{hex.EncodeToString([]byte(s.text)), s.shown}, false)
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 { // bytes in front of it in its group of three
			text := alphabet.EncodeToString(append(make([]byte, before), s.text...))
			text = text[(before*8+5)/6:]
			if (before+len(s.text))%3 != 0 {
				text = text[:len(text)-1]
			}
			if len(text) >= leastSecret {
				all.add(secret{text, s.shown}, true)
			}
		}
	}
}

func (all *secrets) add(s secret, coded bool) {
	folded := strings.ToLower(s.text)
	p := all.known[folded]
	if p == nil {
		p = &pattern{folded: folded, coded: coded}
		all.known[folded] = p
		c := folded[0]
		all.by[c] = append(all.by[c], p)
		all.starts[triple(c, folded[1], folded[2])] = true
		for _, b := range []byte{c, upper(c), '%', '\\', '&'} {
			all.begins[b] = true
		}
	}
	p.texts = append(p.texts, s)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// hide takes the secrets out of a text.
func (all *secrets) hide(text string) string {
	if out, found := hidden(all, text); found {
		return string(out)
	}
	return text
}

// hideBytes does the same to a body.
func (all *secrets) hideBytes(body []byte) []byte {
	if out, found := hidden(all, body); found {
		return out
	}
	return body
}

// hidden is a text without its secrets, and whether it held any.
func hidden[T ~string | ~[]byte](all *secrets, text T) (out []byte, found bool) {
	if all == nil || len(all.known) == 0 {
		return nil, false
	}
	from := 0
	for i := 0; i < len(text); i++ {
		if !all.begins[text[i]] || passes(all, text, i) {
			continue
		}
		start, end, shown := find(all, text, i, from)
		if end == 0 {
			continue
		}
		out, found = append(append(out, text[from:start]...), shown...), true
		from, i = end, end-1
	}
	if found {
		out = append(out, text[from:]...)
	}
	return out, found
}

// find looks for a secret at one place. It answers with where it stands, not before from, and what is shown for it; with
// an end of 0 when there is none.
func find[T ~string | ~[]byte](all *secrets, text T, i, from int) (start, end int, shown string) {
	for _, depth := range [3]int{1, 0, 2} { // the key itself may look as if it were escaped
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
			return start, end, p.shown(got)
		}
	}
	return 0, 0, ""
}

// shown is what stands for one of the pattern's texts.
func (p *pattern) shown(got string) string {
	for _, s := range p.texts {
		if s.text == got {
			return s.shown
		}
	}
	return p.texts[0].shown
}

// match tells where a pattern that begins at a place ends; 0 when it does not stand there. got is what was really there.
// The beginning of a pattern counts when the text was cut behind it.
func match[T ~string | ~[]byte](text T, i int, folded string, depth int) (end int, got string) {
	var buf [64]byte
	seen := buf[:0]
	for k := range len(folded) {
		if i >= len(text) || k >= leastCut && isCut(text, i) {
			if k < leastCut {
				return 0, ""
			}
			return i, ""
		}
		if k > 0 && depth > 0 && escapes(folded[k]) { // an escaped separator begins with what the secret holds itself
			for skipped := separator(text, i, depth); skipped > 0; skipped = separator(text, i, depth) {
				i += skipped
			}
		}
		c, width := unit(text, i, depth)
		for k > 0 && lower(c) != folded[k] {
			if folded[k] == '\\' && depth > 0 && i+1 < len(text) && text[i] == '\\' && text[i+1] == '\\' {
				c, width = '\\', 2 // what follows is no escape: the secret itself holds a backslash
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

// isCut reports whether an ellipsis stands at a place, by which texts are cut.
func isCut[T ~string | ~[]byte](text T, i int) bool {
	const ellipsis = "…"
	return text[i] == ellipsis[0] && i+len(ellipsis) <= len(text) && string(text[i:i+len(ellipsis)]) == ellipsis
}

// unit is the byte that stands at a place, and by how many bytes it is written: itself, or %XX, \u00XX, \/, \150 and the
// like, &#NN; and the like. A depth of 0 takes what is written as it is, 1 as something that was escaped, and 2 as something that
// was escaped and then perhaps in another way once more: \u0026#NN; is a character of HTML in JSON.
func unit[T ~string | ~[]byte](text T, i, depth int) (c byte, width int) {
	if depth == 0 {
		return raw(text, i)
	}
	c, width = escaped(text, i, raw)
	if depth == 1 || c != '&' && c != '%' && (c != '\\' || text[i] == '\\') {
		return c, width
	}
	if inner, whole := escaped(text, i, once); whole > width {
		return inner, whole
	}
	return c, width
}

// reading returns the byte at a place of a text, and by how many bytes it is written; no bytes stand behind the end.
type reading[T ~string | ~[]byte] func(text T, i int) (c byte, width int)

func raw[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	if i >= len(text) {
		return 0, 0
	}
	return text[i], 1
}

func once[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	if i >= len(text) {
		return 0, 0
	}
	return escaped(text, i, raw)
}

// escaped reads a byte that may be escaped, out of bytes that are read in some way.
func escaped[T ~string | ~[]byte](text T, i int, read reading[T]) (c byte, width int) {
	first, n := read(text, i)
	var next [12]byte
	var at [13]int // where each of next ends
	take := func(count int) int {
		at[0] = i + n
		for k := range count {
			b, w := read(text, at[k])
			if w == 0 {
				return k
			}
			next[k], at[k+1] = b, at[k]+w
		}
		return count
	}
	switch first {
	case '%':
		if take(2) == 2 {
			if v, ok := hexByte(next[0], next[1]); ok {
				return v, at[2] - i
			}
		}
	case '\\':
		if take(1) == 0 || strings.IndexByte(`uUxX\"/'01234567`, next[0]) < 0 {
			break
		}
		have := take(len(next))
		k := 0
		for k < have && k < 7 && next[k] == '\\' {
			k++ // what was escaped is escaped again where it is quoted
		}
		rest := next[k:have]
		switch {
		case len(rest) >= 5 && lower(rest[0]) == 'u' && rest[1] == '0' && rest[2] == '0':
			if v, ok := hexByte(rest[3], rest[4]); ok {
				return v, at[k+5] - i
			}
		case len(rest) >= 3 && lower(rest[0]) == 'x':
			if v, ok := hexByte(rest[1], rest[2]); ok {
				return v, at[k+3] - i
			}
		}
		if v, digits := octal(rest); digits > 0 {
			return v, at[k+digits] - i
		}
		if have > 0 && strings.IndexByte(`"\/'`, next[0]) >= 0 {
			return next[0], at[1] - i
		}
	case '&':
		if take(1) == 0 || next[0] != '#' && (lower(next[0]) < 'a' || lower(next[0]) > 'z') {
			break
		}
		have := take(9)
		if end := bytes.IndexByte(next[:have], ';'); end >= 0 {
			if c, ok := entity(string(next[:end])); ok {
				return c, at[end+1] - i
			}
		}
		if r, length := reference(next[:have]); length > 0 && r >= 0 && r <= 0xff {
			return byte(r), at[length] - i
		}
	}
	return first, n
}

// entity is the character that HTML calls by a name.
func entity(name string) (c byte, ok bool) {
	name = strings.ToLower(name)
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	number, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		return 0, false
	}
	base := 10
	if digits, isHex := strings.CutPrefix(number, "x"); isHex {
		number, base = digits, 16
	}
	value, err := strconv.ParseUint(number, base, 8)
	return byte(value), err == nil
}

func hexByte(a, b byte) (byte, bool) {
	const digits = "0123456789abcdef"
	x, y := strings.IndexByte(digits, lower(a)), strings.IndexByte(digits, lower(b))
	if x < 0 || y < 0 {
		return 0, false
	}
	return byte(x<<4 | y), true //nolint:gosec // two digits
}

// widen takes in the neighbours in base64, which may hold some bits of the secret.
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

// hideHeader is a header without secrets: in its values, and in the names.
func (all *secrets) hideHeader(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		name = all.hide(name)
		for _, v := range values {
			out[name] = append(out[name], all.hide(v))
		}
	}
	return out
}

// masked is a copy of an exchange without the secrets.
func (r *run) masked(ex spec.Exchange) spec.Exchange {
	all := r.client.secrets
	ex.Request.URL = all.hide(ex.Request.URL)
	ex.Request.Body = all.hideBytes(ex.Request.Body)
	ex.Lost = all.hide(ex.Lost)
	if ex.Response == nil {
		return ex
	}
	resp := trimmed(*ex.Response)
	length := len(resp.Body)
	resp.Body = all.hideBytes(resp.Body)
	resp.Size += len(resp.Body) - length // what was taken out was not cut off
	resp.Header = all.hideHeader(resp.Header)
	ex.Response = &resp
	return ex
}

// maskScenario takes the secrets out of a scenario's texts.
func (r *run) maskScenario(s *record.Scenario) {
	mask := func(text *string) { *text = r.client.secrets.hide(*text) }
	mask(&s.Reason)
	for i := range s.Findings {
		f := &s.Findings[i]
		for _, text := range []*string{&f.Expected, &f.Actual, &f.Where, &f.Pointer, &f.Cause} {
			mask(text)
		}
		for k := range f.Story {
			mask(&f.Story[k])
		}
	}
	for i := range s.Observations {
		mask(&s.Observations[i].Asked)
		mask(&s.Observations[i].Answer)
	}
}

// maskedError is an error whose text holds no secret. What it wraps is still found.
type maskedError struct {
	text string
	err  error
}

func (m maskedError) Error() string { return m.text }
func (m maskedError) Unwrap() error { return m.err }

// maskError takes the secrets out of an error's text.
func (all *secrets) maskError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if clean := all.hide(text); clean != text {
		return maskedError{clean, err}
	}
	return err
}
