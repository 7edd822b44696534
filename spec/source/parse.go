package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel"
)

// Parse reads a YAML or JSON text. References to other files cannot be resolved. Its error is an *Error.
func Parse(data []byte) (*Document, error) {
	d := newDocument()
	if err := d.read("", data); err != nil {
		return nil, err
	}
	d.finish()
	return d, nil
}

func newDocument() *Document {
	return &Document{
		files: map[string]*file{}, unread: map[string]string{}, ids: map[string]string{}, anchors: map[string]string{},
		index: map[*Node]map[string]int{},
	}
}

// finish computes the digest once all files are read.
func (d *Document) finish() {
	sum := sha256.New()
	_, _ = io.WriteString(sum, d.files[""].text)
	for _, name := range d.names {
		_, _ = fmt.Fprintf(sum, "\x00%s\x00%s", name, d.files[name].text)
	}
	d.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// read adds a file to the document.
func (d *Document) read(name string, data []byte) error {
	f := &file{name: name}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(data) > maxBytes {
		return &Error{name, 1 + bytes.Count(data[:maxBytes], []byte("\n")), fmt.Sprintf("it is larger than %d MiB", maxBytes>>20)}
	}
	root, err := parseNodes(data)
	if err != nil {
		if line, what := badCharacter(data); line > 0 && err.Line == 0 {
			err = Errorf(line, "it is not YAML: it contains %s", what)
		}
		err.File = name
		return err
	}
	f.text = string(data)
	f.starts = lineStarts(f.text)
	if name == "" && root.Kind != yaml.MappingNode {
		return &Error{name, root.Line, "it is " + DescribeYAML(root) + ", not an OpenAPI document"}
	}
	d.noteMore(f, root.Line)
	if line, column, why := badJSON(data); line > 0 {
		d.remarks = append(d.remarks, Remark{atFile(name), line, fmt.Sprintf("it is not JSON: %s, at column %d; it is parsed as YAML", why, column)})
	}
	s := newScan(d, f)
	var wrong error
	if f.root, _, wrong = s.visit(root, 0); wrong != nil {
		return wrong
	}
	d.values = s.values
	d.files[name] = f
	if name != "" {
		d.names = append(d.names, name)
	}
	if d.external != nil {
		d.external(s)
	}
	return nil
}

// parseNodes parses one text with libopenapi.
func parseNodes(data []byte) (*yaml.Node, *Error) {
	isJSON, odd := false, false
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		var err *Error
		if isJSON, odd, err = lookOver(data); err != nil {
			return nil, err
		}
	}
	switch {
	case odd:
		data = plainJSON(data)
	case !isJSON:
		if line, many := tooManyMarks(data); many {
			return nil, Errorf(line, "it has more than %d values", maxValues)
		}
	}
	root, err := parse(data)
	if err == nil && isJSON {
		tagJSON(root)
	}
	return root, err
}

// noteMore reports further documents in a YAML file. Only the first one is read; it begins in the line first.
func (d *Document) noteMore(f *file, first int) {
	for i := first; i < len(f.starts); i++ {
		if line := f.line(i + 1); line == "---" || strings.HasPrefix(line, "--- ") {
			if strings.TrimSpace(f.text[f.starts[i]+3:]) != "" {
				d.remarks = append(d.remarks, Remark{atFile(f.name), i + 1, "the file contains more than one document; the first is used"})
			}
			return
		}
	}
}

// atFile returns the pointer to a whole file.
func atFile(name string) string {
	if name == "" {
		return ""
	}
	return name + "#"
}

// parse has libopenapi parse a YAML or JSON text of any kind.
func parse(data []byte) (root *yaml.Node, failed *Error) {
	defer func() {
		if r := recover(); r != nil { // a bug in the parser
			root, failed = nil, Errorf(0, "it is not YAML: %v", r)
		}
	}()
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, Errorf(0, "it is empty; it must be an OpenAPI document")
	}
	info, err := datamodel.ExtractSpecInfoWithConfig(data, &datamodel.DocumentConfiguration{BypassDocumentCheck: true, SkipJSONConversion: true})
	if err != nil {
		return nil, Errorf(0, "it is not YAML: %v", err)
	}
	document := info.RootNode
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, Errorf(0, "it is empty; it must be an OpenAPI document")
	}
	root = document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Line == 0 { // libopenapi returns what it cannot parse as one string
		if first := firstDocument(data); len(first) < len(data) {
			return parse(first)
		}
		return nil, whyNotYAML(data)
	}
	return root, nil
}

// firstDocument returns the first document of a YAML text. Mistakes in later ones do not matter.
func firstDocument(data []byte) []byte {
	begun := false
	for i := 0; i < len(data); {
		end := i + 1 + bytes.IndexByte(data[i:], '\n')
		if end == i {
			end = len(data)
		}
		switch line := bytes.TrimRight(data[i:end], "\r\n"); {
		case bytes.Equal(line, []byte("---")) || bytes.HasPrefix(line, []byte("--- ")):
			if begun {
				return data[:i]
			}
			begun = true
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && line[0] != '%':
			begun = true
		}
		i = end
	}
	return data
}

// whyNotYAML returns the reason why a text is not YAML.
func whyNotYAML(data []byte) *Error {
	err := yaml.Unmarshal(data, &yaml.Node{})
	if wrong := (*yaml.LoadError)(nil); errors.As(err, &wrong) {
		return badSyntax(data, wrong)
	}
	return Errorf(0, "it is not YAML: %s", strings.TrimPrefix(fmt.Sprint(err), "yaml: "))
}

// tooManyMarks reports whether a YAML text has more separators than a document may have values, and in which line. The parser
// would read all of them into memory before they can be counted.
func tooManyMarks(data []byte) (line int, many bool) {
	marks := 0
	line = 1
	for i, c := range data {
		switch c {
		case '\n':
			line++
			marks++
		case ',', '[', '{':
			marks++
		case ':':
			if i+1 < len(data) && (data[i+1] == ' ' || data[i+1] == '\n') {
				marks++
			}
		}
		if marks > maxValues {
			return line, true
		}
	}
	return 0, false
}

// badCharacter returns the line and a description of the first character that YAML does not allow; 0 if there is none.
func badCharacter(data []byte) (line int, what string) {
	line = 1
	for i, r := range string(data) {
		switch {
		case r == '\n':
			line++
		case r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\uFFFD")):
			return line, fmt.Sprintf("the byte 0x%02x, which is not UTF-8", data[i])
		case r < ' ' && r != '\t' && r != '\r', r == 0x7f, r >= 0x80 && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return line, fmt.Sprintf("the control character U+%04X", r)
		}
	}
	return 0, ""
}

func lineStarts(text string) []int {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// badSyntax returns the position of a syntax error and its cause, in the terms of JSON or YAML.
func badSyntax(data []byte, wrong *yaml.LoadError) *Error {
	if line, column, why := badJSON(data); line > 0 && wrong.Mark.Line > 0 {
		return Errorf(line, "it is not JSON: %s, at column %d", why, column)
	}
	at := wrong.Mark.Line
	if lines := bytes.Split(data, []byte("\n")); at > 0 && at <= len(lines) {
		text := string(lines[at-1])
		if indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]; strings.Contains(indent, "\t") {
			return Errorf(at, "it is not YAML: the indentation contains a tab at column %d; use spaces", 1+strings.Index(indent, "\t"))
		}
	}
	if wrong.Mark.Column == 0 {
		return Errorf(at, "it is not YAML: %s", wrong.Message)
	}
	return Errorf(at, "it is not YAML: %s, at column %d", wrong.Message, wrong.Mark.Column)
}

// badJSON returns where and why a text is not JSON, and line 0 if it is not meant to be JSON.
func badJSON(data []byte) (line, column int, why string) {
	inner, isObject := bytes.CutPrefix(bytes.TrimSpace(data), []byte("{"))
	if !isObject || !bytes.HasPrefix(bytes.TrimSpace(inner), []byte(`"`)) {
		return 0, 0, "" // YAML has braces, too
	}
	wrong := (*json.SyntaxError)(nil)
	if !errors.As(json.Unmarshal(data, new(json.RawMessage)), &wrong) {
		return 0, 0, ""
	}
	before := data[:max(wrong.Offset-1, 0)]
	why = wrong.Error()
	if rest := data[len(before):]; bytes.HasSuffix(bytes.TrimSpace(before), []byte(",")) && len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
		why = `there is a comma before the closing "]"`
		if rest[0] == '}' {
			why = `there is a comma before the closing "}"`
		}
	}
	return 1 + bytes.Count(before, []byte("\n")), 1 + len(before) - (1 + bytes.LastIndexByte(before, '\n')), why
}
