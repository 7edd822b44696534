package values

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
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
	// whole is the command that runs for each request, or nil.
	whole *part
	// parts are the files and commands within a constant, by pointer.
	parts map[string]*part
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
	whole, err := partOf(constant, from)
	if err != nil {
		return wrong(e.line, "%s: %v", e.key, err)
	}
	if whole != nil {
		if e.raw, err = whole.read(); err != nil {
			return wrong(e.line, "%s: %v", e.key, err)
		}
		if whole.again {
			v.repeat(whole)
			e.whole = whole
		}
	} else {
		e.parts = map[string]*part{}
		v.findParts(e, constant, "", from)
	}
	v.by[e.key] = e
	v.order = append(v.order, e)
	return nil
}

// part is a file or a command in the place of a value.
type part struct {
	// file is the name of a file; empty for a command of some words.
	file  string
	words []string
	// again reports whether the command runs for each request.
	again bool
	from  Sources

	once sync.Once
	data []byte
	err  error
	// number numbers the commands that run for each request.
	number int
}

// read returns what the file holds, or what the command prints when it is run first.
func (p *part) read() ([]byte, error) {
	p.once.Do(func() { p.data, p.err = p.run() })
	return p.data, p.err
}

func (p *part) run() ([]byte, error) {
	if p.file != "" {
		data, err := p.from.File(p.file)
		if err != nil {
			return nil, fmt.Errorf("the file %s cannot be read: %w", p.file, err)
		}
		return append([]byte{}, data...), nil
	}
	data, err := p.from.Command(p.words)
	if err != nil {
		return nil, fmt.Errorf("the command %s: %w", p.words[0], err)
	}
	return append([]byte{}, bytes.TrimRight(data, "\r\n")...), nil
}

// partOf returns the file or command that a value stands for, or nil for a constant.
func partOf(value any, from Sources) (*part, error) {
	m, _ := value.(map[string]any)
	each, repeats := m["each"]
	if _, is := m["command"]; is && len(m) == 2 && repeats {
		if each != "request" {
			return nil, errors.New("a command can run for each request (each: request), or once")
		}
	} else if len(m) != 1 {
		return nil, nil //nolint:nilnil // a constant is no mistake
	}
	if name, is := m["file"]; is {
		text, is := name.(string)
		if !is || text == "" {
			return nil, errors.New("it needs the name of a file (file: …)")
		}
		return &part{file: text, from: from}, nil
	}
	line, is := m["command"]
	if !is {
		return nil, nil //nolint:nilnil // as above
	}
	words, err := wordsOf(line)
	if err != nil {
		return nil, err
	}
	return &part{words: words, again: repeats, from: from}, nil
}

// findParts finds the files and commands within a constant. Whether they are meant as such, their schemas say.
func (v *Values) findParts(e *entry, value any, at string, from Sources) {
	switch one := value.(type) {
	case map[string]any:
		if p, err := partOf(one, from); p != nil && err == nil && at != "" {
			if p.again {
				v.repeat(p)
			}
			e.parts[at] = p
			return
		}
		for name, inner := range one {
			v.findParts(e, inner, jsonpointer.Join(at, name), from)
		}
	case []any:
		for i, inner := range one {
			v.findParts(e, inner, jsonpointer.Join(at, strconv.Itoa(i)), from)
		}
	}
}

// repeat numbers a command that runs for each request.
func (v *Values) repeat(p *part) {
	v.repeated = append(v.repeated, p)
	p.number = len(v.repeated)
}

// placeholder returns the placeholder for what the command prints, as the schema of its place requires.
func (p *part) placeholder(s *spec.Schema) string {
	if _, text := asSchema([]byte("1"), s).(string); text {
		return fmt.Sprintf("{command %d}", p.number)
	}
	return fmt.Sprintf("{command %d json}", p.number)
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
