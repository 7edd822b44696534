package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel"

	"github.com/hallmark-kit/hallmark/internal/text/syntax"
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
		err.File = name
		return err
	}
	f.text = string(data)
	f.starts = lineStarts(f.text)
	if name == "" && root.Kind != yaml.MappingNode {
		return &Error{name, root.Line, "it is " + DescribeYAML(root) + ", not an OpenAPI document"}
	}
	d.noteMore(f, root.Line)
	if syntax.MeansJSON(data) {
		if wrong := syntax.JSON(data); wrong != nil {
			d.remarks = append(d.remarks, Remark{atFile(name), wrong.Line, wrong.InLine() + "; it is parsed as YAML"})
		}
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
			root, failed = nil, whyNotYAML(data)
		}
	}()
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, Errorf(0, "it is empty; it must be an OpenAPI document")
	}
	info, err := datamodel.ExtractSpecInfoWithConfig(data, &datamodel.DocumentConfiguration{BypassDocumentCheck: true, SkipJSONConversion: true})
	if err != nil {
		return nil, whyNotYAML(data)
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

// whyNotYAML returns the reason why a text is not YAML, or not the JSON that it is meant to be.
func whyNotYAML(data []byte) *Error {
	wrong := syntax.YAML(data)
	return Errorf(wrong.Line, "%s", wrong.InLine())
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

func lineStarts(text string) []int {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
