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
	kind := token.Kind()
	if kind == jsontext.KindInvalid || kind == '}' || kind == ']' {
		return nil, nil //nolint:nilnil // the end of what is around it
	}
	n := p.nodes.New()
	n.Kind, n.Line = yaml.ScalarNode, p.line
	switch kind {
	case '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		return n, p.content(n, depth)
	case '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		return n, p.content(n, depth)
	case '"':
		n.Tag, n.Style, n.Value = "!!str", yaml.DoubleQuotedStyle, p.text(token.String())
	case '0':
		n.Tag, n.Value = "!!int", p.text(token.String())
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case 't', 'f':
		n.Tag, n.Value = "!!bool", p.text(token.String())
	case 'n':
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
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
