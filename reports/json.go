package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// document is a record as it is stored, with what was concluded from it.
type document struct {
	Record
	Result *Result `json:"result,omitempty"`
}

// WriteJSON writes the record and its result: one JSON object, with one line for each scenario and exchange, so that it
// can be searched and compared by lines. It holds no more than one of them in memory at a time.
func WriteJSON(w io.Writer, rec *Record, res Result) error {
	head := *rec
	head.Schema, head.Scenarios, head.Exchanges = Schema, nil, nil
	text, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("the record cannot be written as JSON: %w", err)
	}
	// The lists are put in place of their nulls. Within strings quotes are escaped, so nothing else looks like them.
	before, rest, _ := bytes.Cut(bytes.TrimSuffix(text, []byte("}")), []byte(`"scenarios":null`))
	between, after, _ := bytes.Cut(rest, []byte(`"exchanges":null`))
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)

	_, _ = out.Write(before) // the error comes back from Flush
	io.WriteString(out, "\n\"scenarios\":[\n")
	if err := lines(out, enc, rec.Scenarios); err != nil {
		return err
	}
	io.WriteString(out, "]")
	_, _ = out.Write(between)
	io.WriteString(out, "\n\"exchanges\":[\n")
	if err := lines(out, enc, rec.Exchanges); err != nil {
		return err
	}
	io.WriteString(out, "]")
	_, _ = out.Write(after)
	io.WriteString(out, ",\n\"result\":")
	if err := enc.Encode(res); err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	io.WriteString(out, "}\n")
	return out.Flush()
}

// lines writes the items of an array, one a line.
func lines[T any](out *bufio.Writer, enc *json.Encoder, items []T) error {
	for i := range items {
		if i > 0 {
			io.WriteString(out, ",")
		}
		if err := enc.Encode(&items[i]); err != nil {
			return fmt.Errorf("item %d of the record cannot be written as JSON: %w", i, err)
		}
	}
	return nil
}

// ReadJSON reads what WriteJSON wrote. The result is nil when the record holds none. It refuses a schema that it does
// not know: what another version meant by a field cannot be guessed.
func ReadJSON(r io.Reader) (*Record, *Result, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	var which struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &which); err != nil {
		return nil, nil, fmt.Errorf("this is no record of a run: %s", jsonTrouble(data, err))
	}
	switch {
	case which.Schema == nil:
		return nil, nil, fmt.Errorf("this is no record of a run: it has no schema member; records are written with --report json:PATH")
	case *which.Schema != Schema && strings.HasPrefix(*which.Schema, schemaName):
		return nil, nil, fmt.Errorf("this record has the schema %s, and this version of hallmark reads %s; use the version that wrote it", visible(*which.Schema), Schema)
	case *which.Schema != Schema:
		return nil, nil, fmt.Errorf("this is no record of a run: its schema is %s, not %s", cut(visible(*which.Schema), 80), Schema)
	}
	var doc document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, fmt.Errorf("the record is damaged: %s", jsonTrouble(data, err))
	}
	return &doc.Record, doc.Result, nil
}

const schemaName = "hallmark.record/"

// jsonTrouble says what is wrong with a JSON text, and in which line.
func jsonTrouble(data []byte, err error) string {
	offset := int64(-1)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = kind.Offset
	}
	text := strings.TrimPrefix(visible(err.Error()), "json: ")
	if offset < 0 || offset > int64(len(data)) {
		return text
	}
	return fmt.Sprintf("%s, in line %d", text, 1+bytes.Count(data[:offset], []byte("\n")))
}
