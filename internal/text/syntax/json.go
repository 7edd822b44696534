package syntax

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// JSON returns the first mistake that makes a text no JSON (RFC 8259), or nil if it is JSON. Repeated names are no mistake of this kind.
func JSON(data []byte) *Error {
	s := &jsonScanner{data: data}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return errorAt(data, 0, formatJSON, "it begins with a byte order mark; save it as UTF-8 without one")
	}
	s.space()
	if s.pos == len(data) {
		return &Error{Format: formatJSON, Reason: "it is empty"}
	}
	s.value(0)
	s.space()
	if s.err == nil && s.pos < len(data) {
		s.fail(s.pos, "something follows after its end")
	}
	if s.err == nil && !utf8.Valid(data) {
		offset := 0
		for i, r := range string(data) {
			if isInvalid(data[i:], r) {
				offset = i
				break
			}
		}
		s.fail(offset, notUTF8, data[offset])
	}
	return s.err
}

// MeansJSON reports whether the author of a text means it to be JSON: it begins like an object with a quoted name. YAML has braces, too.
func MeansJSON(data []byte) bool {
	inner, isObject := bytes.CutPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))), []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimSpace(inner), []byte(`"`))
}

// maxNesting is how deep JSON may be nested, as encoding/json allows.
const maxNesting = 10_000

// jsonScanner reads JSON up to the first mistake.
type jsonScanner struct {
	data []byte
	pos  int
	err  *Error
}

// fail records the first mistake, and ends the scan.
func (s *jsonScanner) fail(offset int, format string, args ...any) {
	if s.err == nil {
		reason := fmt.Sprintf(format, args...)
		if found, bad := badCharacter(s.data[:min(offset+1, len(s.data))]); bad != "" && found <= offset && s.data[found] < utf8.RuneSelf {
			offset, reason = found, bad
		}
		s.err = errorAt(s.data, offset, formatJSON, reason)
	}
	s.pos = len(s.data)
}

// space skips white space.
func (s *jsonScanner) space() {
	for s.pos < len(s.data) && bytes.IndexByte([]byte(" \t\r\n"), s.data[s.pos]) >= 0 {
		s.pos++
	}
}

// next skips white space and returns the next byte, or 0 at the end.
func (s *jsonScanner) next() byte {
	s.space()
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *jsonScanner) value(depth int) {
	switch c := s.next(); {
	case s.pos == len(s.data):
		s.fail(s.pos, "it ends too early: a value is missing")
	case depth > maxNesting:
		s.fail(s.pos, "it is nested deeper than %d levels", maxNesting)
	case c == '{':
		s.list(depth, '}')
	case c == '[':
		s.list(depth, ']')
	case c == '"':
		s.text()
	case c == '-' || c >= '0' && c <= '9':
		s.number()
	case c == '\'':
		s.fail(s.pos, "a text stands in single quotes; write double ones")
	case c == '#' || c == '/':
		s.fail(s.pos, "JSON has no comments")
	case c == ',' || c == '}' || c == ']' || c == ':':
		s.fail(s.pos, "a value is missing before %q", string(c))
	default:
		s.word()
	}
}

// list reads an object or an array, with its brackets.
func (s *jsonScanner) list(depth int, end byte) {
	open := s.pos
	s.pos++
	for first := true; s.err == nil; first = false {
		c := s.next()
		switch {
		case s.pos == len(s.data):
			s.open(open)
			return
		case c == end && first:
			s.pos++
			return
		case end == '}':
			s.member(open)
		default:
			s.value(depth + 1)
		}
		if end == '}' && s.err == nil {
			s.value(depth + 1)
		}
		if s.err != nil || s.more(open, end) {
			return
		}
	}
}

// member reads the name of a member and the colon.
func (s *jsonScanner) member(open int) {
	switch c := s.data[s.pos]; {
	case c == '\'':
		s.fail(s.pos, "a name stands in single quotes; write double ones")
		return
	case c == '#' || c == '/':
		s.fail(s.pos, "JSON has no comments")
		return
	case c != '"':
		s.fail(s.pos, "a name in double quotes is expected, not %s", s.excerpt())
		return
	}
	name := s.pos
	s.text()
	if s.err != nil {
		return
	}
	shown := text.Short(string(s.data[name+1 : s.pos-1]))
	switch c := s.next(); {
	case s.pos == len(s.data):
		s.open(open)
	case c != ':':
		s.fail(s.pos, "a : is missing after the name %s", shown)
	default:
		s.pos++
		if s.next() == 0 && s.pos == len(s.data) {
			s.open(open)
		}
	}
}

// more reads what follows an element: a comma, or the end of the list, which done reports.
func (s *jsonScanner) more(open int, end byte) (done bool) {
	switch c := s.next(); {
	case s.pos == len(s.data):
		s.open(open)
	case c == end:
		s.pos++
		return true
	case c == ',':
		comma := s.pos
		s.pos++
		if c := s.next(); c == '}' || c == ']' {
			s.fail(comma, "there is a comma before the closing %q", string(c))
		}
	case c == '}' || c == ']':
		s.fail(s.pos, "%s is closed by %q", s.place(open), string(c))
	case c == '#' || c == '/':
		s.fail(s.pos, "JSON has no comments")
	default:
		s.fail(s.pos, "a comma is missing before %s", s.excerpt())
	}
	return false
}

// open reports a bracket that nothing closes.
func (s *jsonScanner) open(offset int) {
	s.fail(len(bytes.TrimRight(s.data, " \t\r\n")), "it ends too early: %s is not closed", s.place(offset))
}

// place names a bracket.
func (s *jsonScanner) place(offset int) string {
	where := errorAt(s.data, offset, formatJSON, "")
	return fmt.Sprintf("the %q of line %d, column %d", string(s.data[offset]), where.Line, where.Column)
}

// excerpt returns what stands at the position, shortened.
func (s *jsonScanner) excerpt() string {
	if s.data[s.pos] == '"' {
		return "the next text"
	}
	end := s.pos + 1
	for end < len(s.data) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), s.data[end]) < 0 {
		end++
	}
	return text.Short(string(s.data[s.pos:end]))
}

func (s *jsonScanner) text() {
	start := s.pos
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return
		case c == '\n' || c == '\r':
			s.fail(start, "the text that begins here is not closed in its line")
			return
		case c < ' ':
			s.fail(s.pos, "a text contains the control character U+%04X; write it as \\u%04x", c, c)
			return
		case c == '\\':
			if s.escape(); s.err != nil {
				return
			}
		}
	}
	s.fail(start, "the text that begins here is not closed")
}

// escape reads an escape up to its last character.
func (s *jsonScanner) escape() {
	start := s.pos
	s.pos++
	switch {
	case s.pos == len(s.data):
	case s.data[s.pos] == 'u':
		if hex := s.data[s.pos+1 : min(s.pos+5, len(s.data))]; len(hex) < 4 || len(bytes.Trim(hex, "0123456789abcdefABCDEF")) > 0 {
			s.fail(start, "after \\u four hexadecimal digits are expected")
			return
		}
		s.pos += 4
	case bytes.IndexByte([]byte(`"\/bfnrt`), s.data[s.pos]) < 0:
		r, _ := utf8.DecodeRune(s.data[s.pos:])
		s.fail(start, "%s is no escape; write \\\\ for a backslash", text.Visible(`\`+string(r)))
	}
}

// jsonNumber matches numbers.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func (s *jsonScanner) number() {
	start := s.pos
	for s.pos < len(s.data) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), s.data[s.pos]) < 0 {
		s.pos++
	}
	if literal := s.data[start:s.pos]; !jsonNumber.Match(literal) {
		s.fail(start, "%s is no number", text.Short(string(literal)))
	}
}

// word reads true, false or null.
func (s *jsonScanner) word() {
	start, word := s.pos, s.excerpt()
	for _, known := range []string{"true", "false", "null"} {
		if word == known {
			s.pos += len(known)
			return
		}
		if strings.EqualFold(word, known) {
			s.fail(start, "%s must be written %s", word, known)
			return
		}
	}
	if word == "None" || word == "nil" || word == "undefined" {
		s.fail(start, "%s must be written null", word)
		return
	}
	s.fail(start, "%s is no value; a text stands in double quotes", word)
}

// invalidCharacter matches the messages of encoding/json.
var invalidCharacter = regexp.MustCompile(`^invalid character (.+?) (looking for|after|in) (.+)$`)

// Decoding returns what is wrong by an error of encoding/json, for texts that are read as they come and not kept. Where the text is at
// hand, [JSON] says it better.
func Decoding(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wrongType(wrong)
	}
	wrong, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return strings.TrimPrefix(text.Visible(err.Error()), "json: ")
	}
	m := invalidCharacter.FindStringSubmatch(wrong.Error())
	if m == nil {
		return "it ends too early"
	}
	character := text.Visible(m[1])
	switch {
	case m[3] == "beginning of value":
		return "a value is expected, not " + character
	case m[3] == "beginning of object key string":
		return "a name in double quotes is expected, not " + character
	case m[3] == "object key":
		return "a : is expected, not " + character
	case m[3] == "object key:value pair":
		return "a comma or } is expected, not " + character
	case m[3] == "array element":
		return "a comma or ] is expected, not " + character
	case m[3] == "top-level value":
		return "something follows after its end"
	case strings.Contains(m[3], "numeric literal"), strings.Contains(m[3], "decimal point"), strings.Contains(m[3], "exponent"):
		return "a number contains " + character
	case strings.Contains(m[3], "escape"):
		return "an escape contains " + character
	case strings.HasPrefix(m[3], "string literal"):
		return "a text contains " + character + " unescaped, or is not closed"
	}
	return "a word is neither true, false nor null"
}

// wrongType describes a value of another type than its member has.
func wrongType(wrong *json.UnmarshalTypeError) string {
	kind, _, _ := strings.Cut(wrong.Value, " ")
	is := map[string]string{"number": "a number", "string": "a text", "object": "an object", "array": "a list", "bool": "true or false"}[kind]
	if is == "" {
		is = "something else"
	}
	expected := "an object"
	if wrong.Type != nil {
		switch wrong.Type.Kind() {
		case reflect.String:
			expected = "a text"
		case reflect.Bool:
			expected = "true or false"
		case reflect.Slice, reflect.Array:
			expected = "a list"
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			expected = "a whole number"
		case reflect.Float32, reflect.Float64:
			expected = "a number"
		default:
		}
	}
	if wrong.Field == "" {
		return fmt.Sprintf("it is %s, where %s is expected", is, expected)
	}
	return fmt.Sprintf("its member %s is %s, where %s is expected", text.Short(wrong.Field), is, expected)
}
