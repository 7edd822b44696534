package source

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"
)

// lookOver goes over a text that begins like JSON, and holds the limits: the parser takes all of it into memory before anybody can count. It
// reports whether the text has the tokens of JSON and no others, and whether it holds what JSON allows and YAML does not (odd): libopenapi
// reads JSON as the YAML that it is.
func lookOver(data []byte) (isJSON, odd bool, err *Error) {
	line, values, depth := 1, 0, 0
	textLine := 1 // where the text ends that was read last
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
			return false, false, Errorf(line, "it holds more than %d values", maxValues)
		case depth > maxDepth+1:
			return false, false, Errorf(line, "it nests deeper than %d levels", maxDepth)
		}
		i = end
	}
	return true, odd, nil
}

// isWord reports whether a byte may be one of a number or of true, false and null.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// textEnd returns where the text ends that begins at a quotation mark, and whether YAML would not read it as JSON does; -1 where it has no end,
// or holds what no text of JSON may.
func textEnd(data []byte, start int) (end int, odd bool) {
	for i := start + 1; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			return i + 1, odd
		case c == '\\':
			odd = odd || i+2 < len(data) && data[i+1] == 'u' && data[i+2]|0x20 == 'd' // it may be half of a character
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

// isPlain reports whether a character beyond ASCII may stand in a text of YAML as it is.
func isPlain(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

var (
	// halves are escaped halves of characters, in pairs or alone, and the escaped backslashes that only look like the beginning of one.
	halves = regexp.MustCompile(`\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
	// lateColon is a colon in a later line than its key. No text of JSON holds the end of a line.
	lateColon = regexp.MustCompile(`"([ \t\r]*\n[ \t\r\n]*):`)
)

// plainJSON returns the same JSON, in the same lines, without what YAML does not allow.
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

// tagJSON tags the numbers of a text of JSON as numbers, whatever their size. To YAML, those of more than 64 bits are others, or texts.
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
