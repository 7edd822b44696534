package values

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Sources read what an entry refers to instead of a constant.
type Sources struct {
	// File reads a file, Command runs a command and returns its output.
	File    func(name string) ([]byte, error)
	Command func(words []string) ([]byte, error)
}

// Error is a mistake in a file of values.
type Error struct {
	Line int
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}

func wrong(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

// entry is one entry of the file: a constant, or the bytes of a file or a command.
type entry struct {
	key   string
	line  int
	value any
	raw   []byte // nil for a constant
	used  bool
}

// maxFile bounds a file of values, in bytes.
const maxFile = 1 << 20

// Read reads a file of values. It returns an [Error] with the line of the mistake.
func Read(data []byte, from Sources) (v *Values, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, wrong(0, "it is not YAML")
		}
	}()
	if len(data) > maxFile {
		return nil, wrong(0, "it is larger than %d MiB", maxFile>>20)
	}
	var doc yaml.Node
	v = &Values{by: map[string]*entry{}}
	switch err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); {
	case errors.Is(err, io.EOF):
		return v, nil
	case err != nil:
		why := syntax.YAML(data)
		return nil, wrong(why.Line, "%s", why.InLine())
	case len(doc.Content) != 1 || doc.Content[0].ShortTag() == "!!null":
		return v, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, wrong(root.Line, "it is %s; it must map names to values (name: value)", source.DescribeYAML(root))
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if err := v.read(root.Content[i], root.Content[i+1], from); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// read reads one entry.
func (v *Values) read(key, value *yaml.Node, from Sources) error {
	e := &entry{key: key.Value, line: key.Line}
	if key.Kind != yaml.ScalarNode || key.Value == "" {
		return wrong(key.Line, "a name is expected, not %s", source.DescribeYAML(key))
	}
	if before := v.by[e.key]; before != nil {
		return wrong(e.line, "%s already has a value in line %d", e.key, before.line)
	}
	constant, ok := schema.Value(source.NodeOf(value))
	if !ok {
		return wrong(e.line, "the value of %s is not a JSON value", e.key)
	}
	e.value = constant
	if m, is := constant.(map[string]any); is && len(m) == 1 {
		if name, is := m["file"]; is {
			text, is := name.(string)
			if !is || text == "" {
				return wrong(e.line, "%s needs the name of a file (file: …)", e.key)
			}
			data, err := from.File(text)
			if err != nil {
				return wrong(e.line, "%s: the file %s cannot be read: %v", e.key, text, err)
			}
			e.raw = data
		}
		if line, is := m["command"]; is {
			words, err := wordsOf(line)
			if err != nil {
				return wrong(e.line, "%s: %v", e.key, err)
			}
			data, err := from.Command(words)
			if err != nil {
				return wrong(e.line, "%s: the command %s: %v", e.key, words[0], err)
			}
			e.raw = bytes.TrimRight(data, "\r\n")
		}
		if e.raw == nil && (m["file"] != nil || m["command"] != nil) {
			e.raw = []byte{}
		}
	}
	v.by[e.key] = e
	v.order = append(v.order, e)
	return nil
}

// wordsOf returns the words of a command. Commands are run without a shell, so they must be lists.
func wordsOf(value any) ([]string, error) {
	list, _ := value.([]any)
	var words []string
	for _, one := range list {
		text, is := one.(string)
		if !is {
			return nil, errors.New("a command must be a list of strings: the program and its arguments")
		}
		words = append(words, text)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("a command must be a list of strings: the program and its arguments")
	}
	return words, nil
}
