package steps

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"hallmark/reports"
	"hallmark/spec"
	"hallmark/spec/derive"
)

// The service is judged by what it really answered; records show it with the secrets taken out, should it echo them: in
// whatever form an answer holds them, and the near misses too, of which anybody could make the key again.

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

// secrets finds what must stand in no record: as it is, in either case, and escaped for JSON, URLs or HTML, wholly or here
// and there; in base64 wherever it begins, and in hex.
type secrets struct {
	// by holds the patterns by their first byte, the longest first.
	by [256][]*pattern
	// begins tells which bytes of a text a pattern may begin with.
	begins [256]bool
	known  map[string]*pattern
}

// pattern is what is looked for, in lower case, and what is shown for the texts that are the same in lower case.
type pattern struct {
	folded string
	texts  []secret
	// coded tells that it is in base64, whose neighbours may hold some bits of it.
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
			all.add(secret{text, shown}, false)
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
		if !all.begins[text[i]] {
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
	first, _ := unit(text, i)
	candidates := all.by[lower(first)]
	if raw := lower(text[i]); raw != lower(first) {
		candidates = append(slices.Clone(candidates), all.by[raw]...)
	}
	for _, p := range candidates {
		for _, escaped := range [2]bool{true, false} {
			end, got := match(text, i, p.folded, escaped)
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
func match[T ~string | ~[]byte](text T, i int, folded string, escaped bool) (end int, got string) {
	var buf [64]byte
	seen := buf[:0]
	for k := range len(folded) {
		if i >= len(text) || k >= leastCut && isCut(text, i) {
			if k < leastCut {
				return 0, ""
			}
			return i, ""
		}
		c, width := text[i], 1
		if escaped {
			c, width = unit(text, i)
		}
		if lower(c) != folded[k] {
			return 0, ""
		}
		seen = append(seen, c)
		i += width
	}
	return i, string(seen)
}

// isCut tells whether an ellipsis stands at a place, by which texts are cut.
func isCut[T ~string | ~[]byte](text T, i int) bool {
	const ellipsis = "…"
	return text[i] == ellipsis[0] && i+len(ellipsis) <= len(text) && string(text[i:i+len(ellipsis)]) == ellipsis
}

// unit is the byte that stands at a place, and by how many bytes it is written: itself, or %XX, \u00XX, \/ and the like,
// &#NN; and the like.
func unit[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	left := len(text) - i
	switch text[i] {
	case '%':
		if left >= 3 {
			if v, ok := hexByte(text[i+1], text[i+2]); ok {
				return v, 3
			}
		}
	case '\\':
		k := i + 1
		for k < len(text) && k-i < 8 && text[k] == '\\' {
			k++ // what was escaped is escaped again where it is quoted
		}
		switch rest := len(text) - k; {
		case rest >= 5 && lower(text[k]) == 'u' && text[k+1] == '0' && text[k+2] == '0':
			if v, ok := hexByte(text[k+3], text[k+4]); ok {
				return v, k + 5 - i
			}
		case rest >= 3 && lower(text[k]) == 'x':
			if v, ok := hexByte(text[k+1], text[k+2]); ok {
				return v, k + 3 - i
			}
		}
		if left >= 2 && strings.IndexByte(`"\/'`, text[i+1]) >= 0 {
			return text[i+1], 2
		}
	case '&':
		return entity(text, i)
	}
	return text[i], 1
}

// entity reads a character of HTML.
func entity[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	end := i + 1
	for end < len(text) && end-i < 8 && text[end] != ';' {
		end++
	}
	if end >= len(text) || text[end] != ';' {
		return '&', 1
	}
	name := strings.ToLower(string(text[i+1 : end]))
	width = end + 1 - i
	for known, c := range map[string]byte{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''} {
		if name == known {
			return c, width
		}
	}
	number, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		return '&', 1
	}
	base := 10
	if digits, isHex := strings.CutPrefix(number, "x"); isHex {
		number, base = digits, 16
	}
	value := 0
	for _, d := range []byte(number) {
		v := strings.IndexByte("0123456789abcdef", d)
		if v < 0 || v >= base {
			return '&', 1
		}
		value = value*base + v
	}
	if number == "" || value > 255 {
		return '&', 1
	}
	return byte(value), width
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
func (r *run) maskScenario(s *reports.Scenario) {
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
