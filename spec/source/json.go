package source

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"hallmark/internal/slab"
)

// parseJSON reads a JSON text into the nodes that YAML would make of it. Where it exceeds a limit the error is an *Error.
func parseJSON(data []byte) (*yaml.Node, error) {
	p := &jsonParser{data: data, line: 1, texts: map[string]string{},
		decoder: jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is text behind it")
	}
	return root, nil
}

type jsonParser struct {
	decoder *jsontext.Decoder
	data    []byte
	// at is the offset up to which lines were counted.
	at, line int
	values   int
	// texts holds each short text once: keys repeat.
	texts map[string]string
	nodes slab.Of[yaml.Node]
}

// value reads the next value, or the end of a list or an object, for which it returns nil.
func (p *jsonParser) value(depth int) (*yaml.Node, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	end := int(p.decoder.InputOffset())
	p.line += bytes.Count(p.data[p.at:end], []byte("\n"))
	p.at = end
	if p.values++; p.values > maxValues {
		return nil, Errorf(p.line, "it holds more than %d values", maxValues)
	}
	if depth > maxDepth {
		return nil, Errorf(p.line, "it nests deeper than %d levels", maxDepth)
	}
	switch token.Kind() {
	case jsontext.KindInvalid, '}', ']': // the end of what is around it
	case '{':
		n := p.node(yaml.MappingNode, "!!map", "")
		return n, p.content(n, depth)
	case '[':
		n := p.node(yaml.SequenceNode, "!!seq", "")
		return n, p.content(n, depth)
	case '"':
		n := p.node(yaml.ScalarNode, "!!str", p.text(token.String()))
		n.Style = yaml.DoubleQuotedStyle
		return n, nil
	case '0':
		text := p.text(token.String())
		if strings.ContainsAny(text, ".eE") {
			return p.node(yaml.ScalarNode, "!!float", text), nil
		}
		return p.node(yaml.ScalarNode, "!!int", text), nil
	case 't', 'f':
		return p.node(yaml.ScalarNode, "!!bool", p.text(token.String())), nil
	case 'n':
		return p.node(yaml.ScalarNode, "!!null", "null"), nil
	}
	return nil, nil
}

// node returns a new node where the parser stands.
func (p *jsonParser) node(kind yaml.Kind, tag, value string) *yaml.Node {
	n := p.nodes.New()
	n.Kind, n.Tag, n.Value, n.Line = kind, tag, value, p.line
	return n
}

// content reads what is in a list or an object.
func (p *jsonParser) content(n *yaml.Node, depth int) error {
	for {
		item, err := p.value(depth + 1)
		if err != nil || item == nil {
			return err
		}
		n.Content = append(n.Content, item)
	}
}

func (p *jsonParser) text(s string) string {
	const short = 40
	if len(s) > short {
		return s
	}
	if known, ok := p.texts[s]; ok {
		return known
	}
	s = strings.Clone(s)
	p.texts[s] = s
	return s
}
