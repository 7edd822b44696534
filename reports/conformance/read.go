package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/reports/record"
)

const (
	// maxText is the maximum size of a report in bytes. A report with thousands of scenarios is well below it.
	maxText = 4 << 20
	// maxDepth is the maximum nesting of a report; its schema needs seven levels.
	maxDepth = 16
)

// Document is a report that was read.
type Document struct {
	*Report
	// content is what the signature covers.
	content []byte
}

// ReadText reads the text of a report, up to a limit.
func ReadText(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(data) > maxText {
		err = fmt.Errorf("it holds more than %d MiB, so it is not a conformance report", maxText>>20)
	}
	return data, err
}

// read parses a report, in YAML or JSON; only what a report needs is supported, and exactly what the schema allows
// is accepted.
func read(data []byte) (*Document, error) {
	var value any
	var err error
	switch start := bytes.TrimSpace(data); {
	case bytes.HasPrefix(start, []byte(`{"schema":"hallmark.record/`)):
		return nil, errors.New("it is the record of a run, not a conformance report; hallmark report FILE --report conformance:OTHER makes one from it")
	case bytes.HasPrefix(start, []byte("{")):
		value, err = parseJSON(data)
	default:
		value, err = parseYAML(data)
	}
	if err != nil {
		return nil, err
	}
	if err := isReport(value); err != nil {
		return nil, err
	}
	signed, err := json.Marshal(value) // as the signer wrote it
	if err != nil {
		return nil, err
	}
	upgrade(value)
	if err := validate(value); err != nil {
		return nil, fmt.Errorf("it is not what the schema of conformance reports allows:\n%w", err)
	}
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := &Document{Report: new(Report)}
	if err := json.Unmarshal(plain, d.Report); err != nil {
		return nil, err
	}
	d.content, err = canonical(signed)
	return d, err
}

// upgrade gives the members of a report of version 1 their present names.
func upgrade(value any) {
	top, _ := value.(map[string]any)
	if top["apiVersion"] != apiVersion1 {
		return
	}
	top["apiVersion"] = apiVersion
	names := record.Version1()
	for member, name := range map[string]string{"mode": "maxCreated", "summary": "created"} {
		object, _ := top[member].(map[string]any)
		if n, there := object[names[name]]; there {
			delete(object, names[name])
			object[name] = n
		}
	}
}

// isReport rejects other kinds of documents, before the schema finds a hundred mistakes.
func isReport(value any) error {
	top, is := value.(map[string]any)
	if !is {
		return errors.New("it is not a conformance report: it must be a mapping, with apiVersion and kind")
	}
	kind, _ := top["kind"].(string)
	version, _ := top["apiVersion"].(string)
	switch {
	case kind != kindName:
		return fmt.Errorf("it is not a conformance report: its kind is %s, not %s", word(kind), kindName)
	case version != apiVersion && version != apiVersion1:
		return fmt.Errorf("its apiVersion is %s, and this hallmark reads %s; use the version that wrote it", word(version), apiVersion)
	}
	return nil
}

// word returns a quoted word of a report, or that it is missing.
func word(s string) string {
	if s == "" {
		return "nothing"
	}
	return text.Short(s)
}

// parseJSON reads JSON without duplicate members and invalid UTF-8.
func parseJSON(data []byte) (any, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	value, err := jsonValue(decoder)
	if err == nil {
		if _, more := decoder.ReadToken(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more behind the report")
		}
	}
	if err == nil {
		return value, nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*jsontext.SyntacticError)) {
		if wrong := syntax.JSON(data); wrong != nil {
			return nil, wrong
		}
		err = errors.New("a member name is given a second time") // only this parser objects to that
	}
	line := 1 + bytes.Count(data[:min(int(decoder.InputOffset()), len(data))], []byte("\n"))
	return nil, fmt.Errorf("it cannot be read as a report: line %d: %w", line, err)
}

func jsonValue(from *jsontext.Decoder) (any, error) {
	token, err := from.ReadToken()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if from.StackDepth() > maxDepth {
		return nil, errDeep
	}
	switch token.Kind() {
	case '{':
		all := map[string]any{}
		for from.PeekKind() != '}' {
			name, err := from.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String() // name refers to the token, which the next read invalidates
			if all[key], err = jsonValue(from); err != nil {
				return nil, err
			}
		}
		_, err := from.ReadToken()
		return all, err
	case '[':
		all := []any{}
		for from.PeekKind() != ']' {
			item, err := jsonValue(from)
			if err != nil {
				return nil, err
			}
			all = append(all, item)
		}
		_, err := from.ReadToken()
		return all, err
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String())
	case 't', 'f':
		return token.Bool(), nil
	default:
	}
	return nil, errNull
}

var (
	errDeep = errors.New("it is nested deeper than any report")
	errNull = errors.New("null is not allowed in a report")
)

// parseYAML parses YAML that is equivalent to JSON: no anchors, aliases or tags, and one document.
func parseYAML(data []byte) (any, error) {
	var doc, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty")
	case err != nil:
		return nil, syntax.YAML(data)
	case !errors.Is(decoder.Decode(&next), io.EOF):
		return nil, errors.New("there is more than one document in it")
	}
	value, err := yamlValue(doc.Content[0], 1)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as a report: %w", err)
	}
	return value, nil
}

func yamlValue(n *yaml.Node, depth int) (any, error) {
	at := func(err error) error { return fmt.Errorf("line %d: %w", n.Line, err) }
	switch {
	case depth > maxDepth:
		return nil, at(errDeep)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return nil, at(errors.New("a report must not contain anchors or aliases"))
	case n.Style&yaml.TaggedStyle != 0:
		return nil, at(errors.New("a report must not contain tags"))
	}
	switch n.Kind {
	case yaml.MappingNode:
		all := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 {
				return nil, at(errors.New("member names must be plain words"))
			}
			if _, twice := all[key.Value]; twice {
				return nil, fmt.Errorf("line %d: %s is given a second time", key.Line, text.Visible(key.Value))
			}
			value, err := yamlValue(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			all[key.Value] = value
		}
		return all, nil
	case yaml.SequenceNode:
		all := []any{}
		for _, item := range n.Content {
			value, err := yamlValue(item, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, value)
		}
		return all, nil
	default:
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, at(errNull)
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int", "!!float":
		value, err := number(n.Value)
		if err != nil {
			return nil, at(err)
		}
		return value, nil
	}
	return n.Value, nil // a date is also a string
}

// number returns an integer as JSON. The schema limits it.
func number(s string) (any, error) {
	if len(s) > 20 || s == "" || strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") != "" || len(s) > 1 && s[0] == '0' {
		return nil, fmt.Errorf("%s is not a valid whole number", text.Visible(s[:min(len(s), 40)]))
	}
	return json.Number(s), nil
}
