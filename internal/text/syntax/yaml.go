package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// YAML returns the mistake for which a parser rejected a text as YAML. If the text is meant to be JSON, it is what makes it no JSON.
func YAML(data []byte) *Error {
	if offset, reason := badCharacter(data); reason != "" {
		if MeansJSON(data) {
			return errorAt(data, offset, formatJSON, reason)
		}
		return errorAt(data, offset, formatYAML, reason)
	}
	if MeansJSON(data) {
		if wrong := JSON(data); wrong != nil {
			return wrong
		}
	}
	wrong := loadError(data)
	if wrong == nil {
		return &Error{Format: formatYAML, Reason: "it cannot be parsed"}
	}
	p := &parsed{lines: strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n"), LoadError: wrong}
	p.end = len(p.lines)
	for p.end > 0 && strings.TrimSpace(p.lines[p.end-1]) == "" {
		p.end--
	}
	return p.describe()
}

// loadError parses a text again, since callers may have wrapped or lost the error of the parser. It returns nil if the text can be parsed.
func loadError(data []byte) (wrong *yaml.LoadError) {
	defer func() {
		if recover() != nil { // a bug in the parser
			wrong = nil
		}
	}()
	wrong, _ = errors.AsType[*yaml.LoadError](yaml.Unmarshal(data, new(yaml.Node)))
	return wrong
}

// parsed is a text with the error of its parser.
type parsed struct {
	*yaml.LoadError
	lines []string
	// end is the number of the last line that is not blank.
	end int
}

// line returns a line by its number, or "".
func (p *parsed) line(number int) string {
	if number < 1 || number > len(p.lines) {
		return ""
	}
	return strings.TrimSuffix(p.lines[number-1], "\r")
}

// wrong returns an error at a place. A place after the text becomes the end of the text.
func (p *parsed) wrong(line, column int, format string, args ...any) *Error {
	if line > p.end && p.end > 0 {
		line, column = p.end, 1+utf8.RuneCountInString(strings.TrimRight(p.line(p.end), " \t\r"))
	}
	return &Error{Format: formatYAML, Line: line, Column: column, Reason: fmt.Sprintf(format, args...)}
}

// here returns an error where the parser stopped.
func (p *parsed) here(format string, args ...any) *Error {
	return p.wrong(p.Mark.Line, p.Mark.Column, format, args...)
}

// atEnd reports whether the parser read the whole text.
func (p *parsed) atEnd() bool { return p.Mark.Line > p.end }

// character returns the character at which the parser stopped, or "".
func (p *parsed) character() string {
	line := []rune(p.line(p.Mark.Line))
	if at := p.Mark.Column - 1; at >= 0 && at < len(line) {
		return string(line[at])
	}
	return ""
}

// unknownAnchor finds the anchor in the parser's message.
var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// describe says in our words what the parser objects to. See the package libyaml for its messages.
func (p *parsed) describe() *Error {
	if column := tabIndent(p.line(p.Mark.Line)); column > 0 {
		return p.wrong(p.Mark.Line, column, "the indentation contains a tab; use spaces")
	}
	context, message := p.ContextMsg, p.Message
	switch {
	case unknownAnchor.MatchString(message):
		return p.here("the anchor after * does not exist; put a text that begins with * into quotes")
	case message == "found unexpected end of stream", message == "found unexpected document indicator":
		return p.wrong(p.ContextMark.Line, p.ContextMark.Column, "the quoted text that begins here is not closed")
	case message == "did not find expected ',' or ']'", message == "did not find expected ',' or '}'":
		return p.open(message)
	case message == "did not find expected node content":
		return p.noContent()
	case message == "could not find expected ':'":
		return p.wrong(p.ContextMark.Line, p.ContextMark.Column, "a : is missing after the key that begins here")
	case message == "mapping values are not allowed in this context":
		return p.secondColon()
	case message == "did not find expected key", message == "did not find expected '-' indicator", message == "did not find expected <document start>":
		return p.notBelow(message)
	case message == "block sequence entries are not allowed in this context":
		return p.here("a list must not begin in the line of its key; put the - into the next line, or the text into quotes")
	case strings.HasPrefix(message, "found a tab"):
		return p.here("the indentation contains a tab; use spaces")
	case message == "found character that cannot start any token":
		if p.character() == "\t" {
			return p.here("there is a tab where only spaces may stand")
		}
		return p.here("a text must not begin with %s; put it into quotes", text.Visible(p.character()))
	case strings.HasPrefix(context, "while scanning an alias"), strings.HasPrefix(context, "while scanning an anchor"):
		return p.wrong(p.ContextMark.Line, p.ContextMark.Column, "a text must not begin with * or &; put it into quotes")
	case strings.Contains(context, "tag"), strings.Contains(message, "tag"):
		return p.here("a tag is unknown or malformed; put a text that begins with ! into quotes")
	case strings.HasPrefix(context, "while scanning a quoted scalar"), strings.Contains(message, "hexadecimal"), strings.Contains(message, "escape"):
		return p.here(`there is no such escape; write \\ for a backslash, or put the text into single quotes`)
	case strings.HasPrefix(context, "while scanning a block scalar"):
		return p.here("after | or > nothing but +, - and a digit may stand; the text begins in the next line")
	case strings.Contains(context, "directive"), strings.Contains(message, "directive"), message == "found incompatible YAML document":
		return p.here("a line that begins with %% is a directive, and this one is unknown; put a text that begins with %% into quotes")
	case strings.Contains(message, "exceeded"), strings.Contains(context, "increasing"):
		return p.here("it is nested too deeply")
	}
	return p.here("it cannot be parsed from here on")
}

// tabIndent returns the column of a tab in the indentation of a line, or 0.
func tabIndent(line string) int {
	return 1 + strings.Index(line[:len(line)-len(strings.TrimLeft(line, " \t"))], "\t")
}

// open reports a list or an object in brackets that is not closed or lacks a comma.
func (p *parsed) open(message string) *Error {
	bracket, end := "[", "]"
	if strings.Contains(message, "}") {
		bracket, end = "{", "}"
	}
	where := fmt.Sprintf("the %s of line %d, column %d", bracket, p.ContextMark.Line, p.ContextMark.Column)
	if p.atEnd() || p.Mark.Line > p.ContextMark.Line {
		return p.here("%s is not closed, or a comma is missing", where)
	}
	return p.here("a comma is missing in %s, or its %s", where, end)
}

// noContent reports a missing value.
func (p *parsed) noContent() *Error {
	if p.atEnd() {
		return p.here("it ends too early: a bracket is not closed")
	}
	switch c := p.character(); c {
	case "]", "}", ",":
		return p.here("nothing is expected to end with %s here", c)
	case "":
		return p.here("a value is missing")
	default:
		return p.here("a value is expected, not %s", text.Visible(c))
	}
}

// secondColon reports a colon where a value, or its continuation, is expected: in the line itself a second one, or the lines above lack
// theirs or are indented otherwise.
func (p *parsed) secondColon() *Error {
	line := []rune(p.line(p.Mark.Line))
	before := string(line[:min(max(p.Mark.Column-1, 0), len(line))])
	if strings.Contains(before, ": ") {
		return p.here("a second : stands in this line; put the text that contains it into quotes")
	}
	above := p.Mark.Line - 1
	for above > 0 && (strings.TrimSpace(p.line(above)) == "" || strings.HasPrefix(strings.TrimSpace(p.line(above)), "#")) {
		above--
	}
	text := strings.TrimRight(p.line(above), " ")
	indent := 1 + len(text) - len(strings.TrimLeft(text, " "))
	switch key := strings.TrimLeft(text, " "); {
	case key == "":
		return p.here("there must be no : here")
	case !strings.Contains(key, ":"):
		return p.wrong(above, indent, "a : is missing after the key that begins here")
	case !strings.Contains(key, ": ") && !strings.HasSuffix(key, ":"):
		return p.wrong(above, indent+strings.Index(key, ":"), "a space is missing after the :")
	}
	column := 1 + len(before) - len(strings.TrimLeft(before, " "))
	return p.wrong(p.Mark.Line, column, "this line is indented more than the key above, which has a value already")
}

// notBelow reports a line that continues nothing of what is above it.
func (p *parsed) notBelow(message string) *Error {
	before := ""
	if line := []rune(p.line(p.Mark.Line)); p.Mark.Column > 0 && p.Mark.Column <= len(line) {
		before = strings.TrimSpace(string(line[:p.Mark.Column-1]))
	}
	closing := bytes.ContainsAny([]byte(p.character()), "]}")
	switch {
	case closing:
		return p.here("the %s closes nothing", p.character())
	case before != "":
		return p.here("something follows the end of a quoted text or of a bracket; put the whole text into quotes")
	case message == "did not find expected '-' indicator":
		return p.here("an entry of the list above (- …) is expected, or another indentation")
	}
	return p.here("a key (name: value) is expected, with the indentation of the keys above")
}

// cannotConstruct and definedTwice match what YAML's decoders say of values that do not fit. The first of several is enough.
var (
	cannotConstruct = regexp.MustCompile("line ([0-9]+): cannot construct !!([a-z]+)(?: `[^`]*`)? into ([^;\\s]+)")
	definedTwice    = regexp.MustCompile(`line ([0-9]+): mapping key "(.*?)" already defined at line ([0-9]+)`)
)

// Constructing returns what is wrong by an error of YAML's decoder about values that are not of the expected types, with its line, or 0.
func Constructing(err error) (line int, reason string) {
	if m := definedTwice.FindStringSubmatch(err.Error()); m != nil {
		return number(m[1]), fmt.Sprintf("the key %s is repeated; it stands in line %s, too", text.Short(m[2]), m[3])
	}
	m := cannotConstruct.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, "it cannot be read"
	}
	is := map[string]string{"seq": "a list", "map": "a map", "str": "a text", "int": "a number", "float": "a number", "bool": "true or false", "null": "nothing", "timestamp": "a date"}[m[2]]
	if is == "" {
		is = "something else"
	}
	expected := "a map"
	switch kind := m[3]; {
	case kind == "string":
		expected = "a text"
	case kind == "bool":
		expected = "true or false"
	case strings.HasPrefix(kind, "[]"):
		expected = "a list"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), strings.HasPrefix(kind, "float"):
		expected = "a number"
	}
	return number(m[1]), fmt.Sprintf("%s is expected, not %s", expected, is)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // it matches digits only
	return n
}
