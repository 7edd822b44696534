package schema

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// errNoMeaning is returned for a text that is no pattern of ECMA-262, or one that was certainly meant otherwise.
var errNoMeaning = errors.New("it has no meaning in ECMA-262")

// The white space of ECMA-262, and its complement, as ranges of a class.
const (
	space    = "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	nonSpace = "\x00-\x08\x0e-\x1f!-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
	anyChar  = "[^\n\r\u2028\u2029]"
)

// rewrite translates a pattern of ECMA-262 into one that the engines interpret in the same way: they differ in $,
// the dot and \s, in classes, and in their escapes.
func rewrite(text string) (string, error) {
	if strings.HasPrefix(text, "/") && len(text) > 2 && strings.HasSuffix(strings.TrimRight(text[1:], "gimsuy"), "/") {
		return "", errors.New("it is enclosed in slashes, which would be part of the pattern")
	}
	w := patternWriter{text: []rune(text)}
	for w.at < len(w.text) {
		if err := w.next(); err != nil {
			return "", err
		}
	}
	if w.class || w.groups < w.highest || w.highest > 0 && w.names != nil {
		return "", errNoMeaning
	}
	for _, name := range w.asked {
		if !slices.Contains(w.names, name) {
			return "", errNoMeaning
		}
	}
	return w.out.String(), nil
}

type patternWriter struct {
	text []rune
	at   int
	out  strings.Builder
	// class reports whether the writer is within brackets, and afterSet whether a class escape such as \d has just
	// been written there.
	class, afterSet bool
	// groups is how many groups capture, highest the greatest number that is referred to.
	groups, highest int
	// names holds the names of groups, asked those that are referred to.
	names, asked []string
}

func (w *patternWriter) peek(n int) rune {
	if w.at+n < len(w.text) {
		return w.text[w.at+n]
	}
	return -1
}

func (w *patternWriter) next() error {
	r := w.text[w.at]
	after := w.afterSet
	w.afterSet = false
	switch {
	case r == '\\':
		return w.escape()
	case w.class && r == ']':
		w.class = false
	case w.class && r == '-' && (after && w.peek(1) != ']' || w.setFollows()):
		w.literal(1, r) // it forms no range with a class escape
		return nil
	case w.class && (r == '[' || r == '&' || r == '~'):
		w.literal(1, r) // engines interpret nested brackets
		return nil
	case w.class:
	case r == '[':
		w.open()
		return nil
	case r == '.':
		w.instead(1, anyChar)
		return nil
	case r == '$':
		w.instead(1, `\z`)
		return nil
	case r == '(':
		return w.group()
	}
	w.copy(1)
	return nil
}

// instead writes a text for n characters.
func (w *patternWriter) instead(n int, text string) {
	w.at += n
	w.out.WriteString(text)
}

// open writes the beginning of a class. An empty one is legal: [] matches nothing, [^] any character.
func (w *patternWriter) open() {
	switch {
	case w.peek(1) == ']':
		w.instead(2, "[^\x00-\U0010ffff]")
	case w.peek(1) == '^' && w.peek(2) == ']':
		w.instead(3, "[\x00-\U0010ffff]")
	case w.peek(1) == '^':
		w.class = true
		w.copy(2)
	default:
		w.class = true
		w.copy(1)
	}
}

// setFollows reports whether a class escape follows the current rune.
func (w *patternWriter) setFollows() bool {
	return w.peek(1) == '\\' && strings.ContainsRune("dDwWsSpP", w.peek(2)) && w.peek(2) > 0
}

// group writes the beginning of a group.
func (w *patternWriter) group() error {
	rest := string(w.text[w.at:min(len(w.text), w.at+4)])
	switch {
	case !strings.HasPrefix(rest, "(?"):
		w.groups++
		w.copy(1)
	case strings.HasPrefix(rest, "(?:"), strings.HasPrefix(rest, "(?="), strings.HasPrefix(rest, "(?!"):
		w.copy(3)
	case strings.HasPrefix(rest, "(?<="), strings.HasPrefix(rest, "(?<!"):
		w.copy(4)
	case strings.HasPrefix(rest, "(?<"):
		w.groups++
		for i := 3; ; i++ {
			switch r := w.peek(i); {
			case r == '>' && i > 3:
				w.names = append(w.names, string(w.text[w.at+3:w.at+i]))
				w.copy(i + 1)
				return nil
			case r == '_', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', i > 3 && r >= '0' && r <= '9':
			default:
				return errNoMeaning
			}
		}
	default:
		return errNoMeaning
	}
	return nil
}

func (w *patternWriter) copy(n int) {
	w.out.WriteString(string(w.text[w.at : w.at+n]))
	w.at += n
}

// escape writes an escape sequence.
func (w *patternWriter) escape() error {
	r := w.peek(1)
	switch {
	case r < 0:
		return errNoMeaning
	case r == 's' || r == 'S':
		w.at += 2
		ranges := space
		if r == 'S' {
			ranges = nonSpace
		}
		if w.afterSet = w.class; w.class {
			w.out.WriteString(ranges)
		} else {
			w.out.WriteString("[" + ranges + "]")
		}
	case strings.ContainsRune("dDwW", r):
		w.afterSet = w.class
		w.copy(2)
	case r == 'b' && w.class:
		w.literal(2, '\b')
	case r == 'b' || r == 'B':
		if w.class {
			return errNoMeaning
		}
		w.copy(2)
	case r == 'p' || r == 'P':
		return w.property()
	case r >= '1' && r <= '9':
		return w.backReference()
	case r == 'k':
		return w.namedReference()
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '0':
		return w.character(r)
	default:
		w.literal(2, r) // an identity escape
	}
	return nil
}

// literal writes one character that is written as n characters.
func (w *patternWriter) literal(n int, r rune) {
	w.at += n
	if strings.ContainsRune(`\^$.|?*+()[]{}-/&~`, r) && (w.class || r != '-' && r != '/' && r != '&' && r != '~') {
		w.out.WriteByte('\\')
	}
	w.out.WriteRune(r)
}

func (w *patternWriter) property() error {
	if w.peek(2) != '{' {
		return errNoMeaning
	}
	for i := 3; ; i++ {
		switch r := w.peek(i); {
		case r == '}' && i > 3:
			w.afterSet = w.class
			w.copy(i + 1)
			return nil
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		default:
			return errNoMeaning
		}
	}
}

func (w *patternWriter) backReference() error {
	n := 0
	i := 1
	for ; w.peek(i) >= '0' && w.peek(i) <= '9' && i < 4; i++ {
		n = n*10 + int(w.peek(i)-'0')
	}
	if w.class {
		return errNoMeaning
	}
	w.highest = max(w.highest, n)
	w.out.WriteString("(?:")
	w.copy(i)
	w.out.WriteString(")") // a digit may follow
	return nil
}

func (w *patternWriter) namedReference() error {
	if w.class || w.peek(2) != '<' {
		return errNoMeaning
	}
	for i := 3; w.peek(i) >= 0; i++ {
		if w.peek(i) == '>' {
			w.asked = append(w.asked, string(w.text[w.at+3:w.at+i]))
			w.copy(i + 1)
			return nil
		}
	}
	return errNoMeaning
}

// controls are the control escapes.
var controls = map[rune]rune{'t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r'}

// character writes an escape for one character.
func (w *patternWriter) character(r rune) error {
	if c, ok := controls[r]; ok {
		w.literal(2, c)
		return nil
	}
	switch r {
	case '0':
		if d := w.peek(2); d >= '0' && d <= '9' {
			return errNoMeaning
		}
		w.literal(2, 0)
		return nil
	case 'c':
		c := w.peek(2)
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			w.literal(3, c%32)
			return nil
		}
	case 'x':
		if c, ok := w.hex(2, 2); ok {
			w.literal(4, c)
			return nil
		}
	case 'u':
		return w.codePoint()
	}
	return errNoMeaning
}

// codePoint writes \u1234, a pair of them, or \u{12345}.
func (w *patternWriter) codePoint() error {
	if w.peek(2) == '{' {
		for i := 3; i < 12; i++ {
			if w.peek(i) != '}' {
				continue
			}
			if c, ok := w.hex(3, i-3); ok && c <= 0x10ffff && !utf16.IsSurrogate(c) {
				w.literal(i+1, c)
				return nil
			}
			break
		}
		return errNoMeaning
	}
	c, ok := w.hex(2, 4)
	if !ok {
		return errNoMeaning
	}
	if !utf16.IsSurrogate(c) {
		w.literal(6, c)
		return nil
	}
	if w.peek(6) == '\\' && w.peek(7) == 'u' {
		if low, ok := w.hex(8, 4); ok {
			if pair := utf16.DecodeRune(c, low); pair != '\ufffd' {
				w.literal(12, pair)
				return nil
			}
		}
	}
	return errNoMeaning
}

// hex parses n hexadecimal digits at an offset.
func (w *patternWriter) hex(from, n int) (rune, bool) {
	if n < 1 || w.at+from+n > len(w.text) {
		return 0, false
	}
	var c rune
	for _, digit := range w.text[w.at+from : w.at+from+n] {
		value := strings.IndexRune("0123456789abcdef", unicode.ToLower(digit))
		if value < 0 || c > unicode.MaxRune {
			return 0, false
		}
		c = c<<4 | rune(value&15)
	}
	return c, c <= unicode.MaxRune
}
