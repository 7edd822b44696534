package source

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"
)

// lookOver scans a text that begins like JSON and enforces the limits, because the parser would read all of it into memory first. It
// reports whether the text consists of JSON tokens only (isJSON), and whether it contains what JSON allows and YAML does not (odd):
// libopenapi parses JSON as YAML.
func lookOver(data []byte) (isJSON, odd bool, err *Error) {
	line, values, depth := 1, 0, 0
	textLine := 1 // the line in which the last string ends
	for i := 0; i < len(data); {
		end := i + 1
		counts := true
		switch c := data[i]; c {
		case '\n':
			line++
			counts = false
		case ' ', ',':
			counts = false
		case '\t', '\r':
			odd = odd || c == '\r' || depth == 0
			counts = false
		case ':':
			odd = odd || line != textLine
			counts = false
		case '"':
			behind, oddText := textEnd(data, i)
			if behind < 0 {
				return false, false, nil
			}
			end, odd, textLine = behind, odd || oddText, line
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			for end = i; end < len(data) && isWord(data[end]); {
				end++
			}
			if end == i {
				return false, false, nil
			}
		}
		if counts {
			values++
		}
		switch {
		case values > maxValues:
			return false, false, Errorf(line, "it has more than %d values", maxValues)
		case depth > maxDepth+1:
			return false, false, Errorf(line, "it is nested deeper than %d levels", maxDepth)
		}
		i = end
	}
	return true, odd, nil
}

// isWord reports whether a byte may be part of a number or of true, false and null.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// textEnd returns the end of the string that begins at a quotation mark, and whether YAML would read it differently. It returns -1 if
// the string does not end or is not valid JSON.
func textEnd(data []byte, start int) (end int, odd bool) {
	for i := start + 1; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			return i + 1, odd
		case c == '\\':
			odd = odd || i+2 < len(data) && data[i+1] == 'u' && data[i+2]|0x20 == 'd' // possibly a surrogate
			i += 2
		case c < ' ':
			return -1, false
		case c < 0x7f:
			i++
		default:
			r, size := utf8.DecodeRune(data[i:])
			odd = odd || !isPlain(r, size)
			i += size
		}
	}
	return -1, false
}

// isPlain reports whether a character beyond ASCII needs no escape in YAML.
func isPlain(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

var (
	// halves matches escaped surrogates, in pairs or alone, and escaped backslashes, which may only look like the beginning of one.
	halves = regexp.MustCompile(`\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
	// lateColon matches a colon on a later line than its key. JSON strings contain no line breaks.
	lateColon = regexp.MustCompile(`"([ \t\r]*\n[ \t\r\n]*):`)
)

// plainJSON returns the same JSON, on the same lines, without what YAML does not allow.
func plainJSON(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == '\r' || r == '\t':
			out = append(out, ' ')
		case r >= 0x7f && !isPlain(r, size):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, data[i:i+size]...)
		}
		i += size
	}
	out = halves.ReplaceAllFunc(out, func(escaped []byte) []byte {
		if len(escaped) == len(`\ud800`) {
			return []byte(`\ufffd`)
		}
		return escaped
	})
	return lateColon.ReplaceAll(out, []byte(`":$1`))
}

// tagJSON tags the numbers in JSON as numbers. YAML would read those of more than 64 bits as floats or strings.
func tagJSON(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value != "" && (n.Value[0] == '-' || n.Value[0] >= '0' && n.Value[0] <= '9') {
		n.Tag = "!!int"
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	}
	for _, item := range n.Content {
		tagJSON(item)
	}
}
