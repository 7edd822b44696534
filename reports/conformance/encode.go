package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// encode encodes a report as JSON with its members in order. All of its texts are made visible, regardless of their origin.
func encode(r *Report) (jsontext.Value, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(data))
	to := jsontext.NewEncoder(&out)
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSpace(out.Bytes()), nil
		}
		if err == nil && token.Kind() == '"' {
			token = jsontext.String(text.Visible(token.String()))
		}
		if err == nil {
			err = to.WriteToken(token)
		}
		if err != nil {
			return nil, err
		}
	}
}

// canonical returns the signed form of a report: RFC 8785 without the value of the signature.
func canonical(data []byte) ([]byte, error) {
	var all map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		return nil, err
	}
	if signature, signed := all["signature"].(map[string]any); signed {
		delete(signature, "value")
	}
	bare, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	value := jsontext.Value(bare)
	if err := value.Canonicalize(); err != nil {
		return nil, err
	}
	return value, nil
}

// writeJSON writes a report as indented JSON.
func writeJSON(w io.Writer, value jsontext.Value) error {
	out := value.Clone()
	if err := out.Indent(jsontext.WithIndent("  ")); err != nil {
		return err
	}
	_, err := w.Write(append(out, '\n'))
	return err
}

// writeYAML writes a report as YAML, in the same order as JSON.
func writeYAML(w io.Writer, value jsontext.Value) error {
	node, err := asYAML(jsontext.NewDecoder(bytes.NewReader(value)))
	if err != nil {
		return err
	}
	node.HeadComment = "# A conformance report. hallmark verify checks it; docs/vendors.md explains it."
	out, err := yaml.Dump(node, yaml.WithV4Defaults(), yaml.WithLineWidth(lineWidth))
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// lineWidth is the length above which lines of YAML are wrapped.
const lineWidth = 150

// asYAML converts one JSON value.
func asYAML(from *jsontext.Decoder) (*yaml.Node, error) {
	token, err := from.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{', '[':
		node, end := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, jsontext.Kind('}')
		if token.Kind() == '[' {
			node, end = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, ']'
		}
		numbers := 0
		for from.PeekKind() != end {
			child, err := asYAML(from)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
			if child.Tag == "!!int" {
				numbers++
			}
		}
		if numbers > 0 && numbers*2 == len(node.Content) {
			node.Style = yaml.FlowStyle // totals are easier to read and compare on one line
		}
		_, err := from.ReadToken()
		return node, err
	case '"':
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: token.String()}, nil
	case 't', 'f':
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: token.String()}, nil
	case '0':
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: token.String()}, nil
	default:
	}
	return nil, fmt.Errorf("a report must not contain %s", token.Kind())
}
