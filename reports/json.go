package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// WriteJSON writes the record and its result as one JSON object with one line per scenario and exchange, so that it can be searched and
// compared by line. It is safe to print. Only one scenario or exchange is in memory at a time.
func WriteJSON(w io.Writer, rec *record.Record, res verdict.Result) error {
	head := *rec
	head.Schema, head.Scenarios, head.Exchanges = record.Schema, nil, nil
	text, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("the record cannot be written as JSON: %w", err)
	}
	// The lists replace their nulls. Quotes in strings are escaped, so nothing else looks like them.
	before, rest, _ := bytes.Cut(bytes.TrimSuffix(text, []byte("}")), []byte(`"scenarios":null`))
	between, after, _ := bytes.Cut(rest, []byte(`"exchanges":null`))
	out := bufio.NewWriterSize(w, 64<<10)
	safe := jsonout.NewEscaper(out)
	enc := json.NewEncoder(safe)
	enc.SetEscapeHTML(false)

	_, _ = safe.Write(before) // Flush returns the error
	io.WriteString(out, "\n\"scenarios\":[\n")
	if err := lines(out, enc, rec.Scenarios); err != nil {
		return err
	}
	io.WriteString(out, "]")
	_, _ = safe.Write(between)
	io.WriteString(out, "\n\"exchanges\":[\n")
	if err := lines(out, enc, rec.Exchanges); err != nil {
		return err
	}
	io.WriteString(out, "]")
	_, _ = safe.Write(after)
	io.WriteString(out, ",\n\"result\":")
	if err := enc.Encode(res); err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	io.WriteString(out, "}\n")
	return out.Flush()
}

// lines writes the items of an array, one per line.
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
