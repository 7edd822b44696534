package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// schemaName is the name of the schema in all versions.
const schemaName = "hallmark.record/"

// ReadJSON reads what WriteJSON wrote, one scenario and one exchange at a time, so that the whole text is never in memory. The result is
// nil if the file has none. It rejects unknown schema versions, whose fields may have other meanings.
func ReadJSON(r io.Reader) (*record.Record, *verdict.Result, error) {
	in := &recordReader{lines: lineReader{from: record.Bounded(r)}}
	in.dec = json.NewDecoder(&in.lines)
	if err := in.read(); err != nil {
		return nil, nil, err
	}
	return &in.rec, in.result, nil
}

// recordReader reads one record.
type recordReader struct {
	dec    *json.Decoder
	lines  lineReader
	rec    record.Record
	result *verdict.Result
}

// The beginnings of errors, before and after the schema is known.
const (
	noRecord = "this is no record of a run"
	damaged  = "the record is damaged"
)

func (in *recordReader) read() error {
	if token, err := in.dec.Token(); err != nil {
		return in.trouble(noRecord, err)
	} else if token != json.Delim('{') {
		return in.trouble(noRecord, errors.New("it is no JSON object"))
	}
	// All members except the lists are small. They are decoded together, so the record's type alone defines them.
	head := map[string]json.RawMessage{}
	kind := noRecord
	for in.dec.More() {
		name, err := in.member(head)
		if err != nil {
			return in.trouble(kind, err)
		}
		if name == "schema" {
			if err := readable(head[name]); err != nil {
				return err
			}
			kind = damaged
		}
	}
	if _, err := in.dec.Token(); err != nil {
		return in.trouble(kind, err)
	}
	if kind == noRecord {
		return errors.New(noRecord + ": it has no schema member; records are written with --report json:PATH")
	}
	if _, err := in.dec.Token(); err == nil {
		return in.trouble(kind, errors.New("something follows after its end"))
	} else if !errors.Is(err, io.EOF) {
		return in.trouble(kind, err)
	}
	return in.fill(head)
}

// member reads a member of the record's object and returns its name.
func (in *recordReader) member(head map[string]json.RawMessage) (string, error) {
	token, err := in.dec.Token()
	if err != nil {
		return "", err
	}
	name, _ := token.(string) // the decoder accepts nothing else here
	if _, twice := head[name]; twice {
		return name, fmt.Errorf("its member %s stands there twice", text.Elide(text.Visible(name), 40))
	}
	head[name] = nil
	switch name {
	case "scenarios":
		in.rec.Scenarios, err = items[record.Scenario](in.dec)
	case "exchanges":
		in.rec.Exchanges, err = items[spec.Exchange](in.dec)
	case "result":
		err = in.dec.Decode(&in.result)
	default:
		var value json.RawMessage
		err = in.dec.Decode(&value)
		head[name] = value
	}
	return name, err
}

// items reads an array or null.
func items[T any](dec *json.Decoder) ([]T, error) {
	token, err := dec.Token()
	switch {
	case err != nil:
		return nil, err
	case token == nil:
		return nil, nil
	case token != json.Delim('['):
		return nil, errors.New("a list is missing")
	}
	all := []T{}
	for dec.More() {
		var one T
		if err := dec.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	_, err = dec.Token()
	return all, err
}

// fill decodes the small members into the record.
func (in *recordReader) fill(head map[string]json.RawMessage) error {
	for _, streamed := range []string{"scenarios", "exchanges", "result"} {
		delete(head, streamed)
	}
	var err error
	var schema string
	if json.Unmarshal(head["schema"], &schema) == nil && schema == record.Schema1 {
		err = record.Upgrade(head)
	}
	var all []byte
	if err == nil {
		all, err = json.Marshal(head)
	}
	if err == nil {
		err = json.Unmarshal(all, &in.rec)
	}
	if err != nil {
		return errors.New(damaged + ": " + text.Short(syntax.Decoding(err)))
	}
	return nil
}

// readable rejects other schemas.
func readable(value json.RawMessage) error {
	var schema string
	if err := json.Unmarshal(value, &schema); err != nil {
		return errors.New(noRecord + ": its schema is no text")
	}
	switch {
	case schema == record.Schema || schema == record.Schema1:
		return nil
	case strings.HasPrefix(schema, schemaName):
		return fmt.Errorf("this record has the schema %s, and this version of hallmark reads %s; use the version that wrote it", text.Visible(schema), record.Schema)
	}
	return fmt.Errorf("%s: its schema is %s, not %s", noRecord, text.Elide(text.Visible(schema), 80), record.Schema)
}

// trouble returns an error with the line of the mistake.
func (in *recordReader) trouble(kind string, err error) error {
	if in.lines.err != nil {
		return fmt.Errorf("the record cannot be read: %w", in.lines.err) // including exceeded limits
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends too early")
	}
	return fmt.Errorf("%s: %s, in line %d", kind, text.Short(syntax.Decoding(err)), in.lines.lineOf(in.dec.InputOffset()))
}

// lineReader records the ends of the lines that are read through it.
type lineReader struct {
	from io.Reader
	read int64
	ends []int64
	err  error
}

// Read implements [io.Reader].
func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	for i := 0; ; {
		k := bytes.IndexByte(p[i:n], '\n')
		if k < 0 {
			break
		}
		i += k + 1
		l.ends = append(l.ends, l.read+int64(i))
	}
	l.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

// lineOf returns the line of an offset, starting at 1.
func (l *lineReader) lineOf(offset int64) int {
	n := sort.Search(len(l.ends), func(i int) bool { return l.ends[i] > offset })
	return n + 1
}

// Read reads a record in either form: what WriteJSON wrote, or a journal.
func Read(r io.Reader) (*record.Record, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	start, err := in.Peek(len(`{"schema":"` + record.JournalName))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	if strings.HasPrefix(string(start), `{"schema":"`+record.JournalName) {
		return record.ReadJournal(in)
	}
	rec, _, err := ReadJSON(in)
	return rec, err
}
