package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// maxYAMLNodes is the maximum number of values of a YAML text that are parsed, counting those behind aliases each
// time.
const maxYAMLNodes = 100_000

// parseYAML parses YAML that has a JSON value. Versions of YAML parse some words differently, such as yes and 007:
// then there are several values. A text that cannot be parsed is not necessarily defective, since the library does
// not support all of YAML.
func parseYAML(m Media, data []byte) (Reading, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := d.Decode(&document); err != nil {
		return Reading{}, &Error{Reason: Unsupported, Text: "hallmark cannot parse it as " + m.String()}
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return Reading{}, &Error{Reason: Unsupported, Text: "hallmark supports only a single document in " + m.String()}
	}
	r := yamlReader{}
	values, err := r.node(&document)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Present: true, Values: values, Truncated: r.truncated}, nil
}

type yamlReader struct {
	count     int
	truncated bool
}

func (r *yamlReader) node(n *yaml.Node) ([]any, error) {
	if r.count++; r.count > maxYAMLNodes {
		return nil, &Error{Reason: TooLarge, Text: "there are more values than hallmark supports"}
	}
	place := "line " + strconv.Itoa(n.Line)
	switch n.Kind {
	case yaml.DocumentNode:
		return r.node(n.Content[0])
	case yaml.AliasNode:
		return r.node(n.Alias)
	case yaml.SequenceNode:
		lists := make([][]any, len(n.Content))
		for i, item := range n.Content {
			var err error
			if lists[i], err = r.node(item); err != nil {
				return nil, err
			}
		}
		rows, whole := product(lists)
		r.truncated = r.truncated || !whole
		all := make([]any, len(rows))
		for i, row := range rows {
			all[i] = row
		}
		return all, nil
	case yaml.MappingNode:
		var b objectBuilder
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.Value == "<<" {
				return nil, &Error{Reason: Unsupported, Place: place, Text: "a key is not a string"}
			}
			values, err := r.node(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			b.addProperty(key.Value, Reading{Present: true, Values: values})
		}
		object := b.reading()
		r.truncated = r.truncated || object.Truncated
		return object.Values, nil
	}
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return nil, &Error{Reason: Unsupported, Place: place, Text: "a value has a tag"}
	case n.Style != 0:
		return []any{n.Value}, nil
	}
	return r.plain(n.Value), nil
}

// plain returns the values of an unquoted text in YAML 1.2, and in YAML 1.1.
func (r *yamlReader) plain(s string) []any {
	number, isNumber := lenientNumber(s)
	switch lower := strings.ToLower(s); {
	case lower == "" || lower == "~" || lower == "null":
		return []any{nil}
	case lower == "true" || lower == "false":
		return []any{lower == "true"}
	case lower == "yes" || lower == "on" || lower == "y" || lower == "no" || lower == "off" || lower == "n":
		return []any{lower[0] == 'y' || lower == "on", s}
	case exactjson.IsNumber(s) && !strings.ContainsAny(s, "eE"):
		return []any{json.Number(s)}
	case isNumber:
		return []any{number, s}
	case strings.TrimLeft(lower, "+-.0123456789abcdefinox_:") == "" && strings.ContainsAny(lower[:1], "+-.0123456789"): // other numbers, or none
		r.truncated = true
	}
	return []any{s}
}
