package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Item is one item of a stream: a line of NDJSON, a text of a JSON sequence, an event of an event stream.
type Item struct {
	// Index counts from 0; Line is the first line of the item, from 1.
	Index, Line int
	// Value is the decoded JSON text, or the event as an object with the members data, event, id and retry.
	Value any
	// Data is the data of an event as text, or decoded if it is JSON.
	Data any
	// IsJSON reports whether the data of an event is JSON.
	IsJSON bool
	// Unfinished reports whether the stream ended with the item, before the end of its line or sequence text: it may
	// be cut.
	Unfinished bool
	// Err says what is wrong with this item; the following ones may be right.
	Err error
}

// place returns where the item is, for error messages.
func (i Item) place() string {
	return "item " + strconv.Itoa(i.Index) + ", line " + strconv.Itoa(i.Line)
}

// Items parses a stream of JSON lines, of JSON texts (RFC 7464) or of events (text/event-stream), and calls each
// with its items as they arrive. An item longer than limit bytes ends it with an Error of reason TooLarge; so does
// an error that each returns. Only one item is held in memory at a time.
func Items(contentType string, r io.Reader, limit int, each func(Item) error) error {
	m, err := ParseMedia(contentType)
	if err != nil {
		return err
	}
	s := stream{reader: bufio.NewReader(r), limit: limit, each: each, line: 1}
	switch m.kind() {
	case KindLines:
		return s.lines()
	case KindSequence:
		return s.sequence()
	case KindEvents:
		return s.events()
	default:
		return &Error{Reason: Unsupported, Text: m.String() + " is not a stream of items"}
	}
}

type stream struct {
	reader *bufio.Reader
	limit  int
	each   func(Item) error
	index  int
	// line is the line of the next byte.
	line int
	// afterCR is set if the last line of an event stream ended with CR: an LF that follows belongs to it, however
	// late it arrives.
	afterCR bool
}

// until reads up to the delimiter, which it drops; ended is set if the stream ends before it.
func (s *stream) until(delimiter byte) (text []byte, ended bool, err error) {
	for {
		chunk, err := s.reader.ReadSlice(delimiter)
		if len(text)+len(chunk) > s.limit+1 {
			return nil, false, &Error{Reason: TooLarge, Place: Item{Index: s.index, Line: s.line}.place(),
				Text: "it is longer than " + strconv.Itoa(s.limit) + " bytes"}
		}
		text = append(text, chunk...)
		switch {
		case err == nil:
			return text[:len(text)-1], false, nil
		case errors.Is(err, io.EOF):
			return text, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return text, true, err
		}
	}
}

func (s *stream) give(item Item) error {
	item.Index = s.index
	s.index++
	if item.Err != nil {
		item.Err = withPlace(item.place(), item.Err)
	}
	return s.each(item)
}

// lines parses one JSON text per line. It skips empty lines.
func (s *stream) lines() error {
	for ended := false; !ended; s.line++ {
		var text []byte
		var err error
		if text, ended, err = s.until('\n'); err != nil {
			return err
		}
		if text = bytes.Trim(text, " \t\r"); len(text) == 0 {
			continue
		}
		item := Item{Line: s.line, Unfinished: ended}
		item.Value, item.Err = decodeJSON(text)
		if err := s.give(item); err != nil {
			return err
		}
	}
	return nil
}

func decodeJSON(text []byte) (any, error) {
	decoded, err := exactjson.Decode(text)
	if err != nil {
		return nil, jsonError(err)
	}
	return decoded.Tree, nil
}

// sequence parses JSON texts, each between a record separator and a line feed.
func (s *stream) sequence() error {
	for first, ended := true, false; !ended; first = false {
		var text []byte
		var err error
		if text, ended, err = s.until('\x1e'); err != nil {
			return err
		}
		item := Item{Line: s.line, Unfinished: ended}
		s.line += bytes.Count(text, []byte("\n"))
		content := bytes.Trim(text, " \t\r\n")
		switch {
		case len(content) == 0:
			continue
		case first:
			item.Err = &Error{Reason: Malformed, Text: "the record separator (0x1E) before it is missing"}
		default:
			item.Value, item.Err = decodeJSON(content)
			// RFC 7464, section 2.4: a number or a name may have been cut, unless white space follows it.
			if last := content[len(content)-1]; item.Err == nil && len(content) == len(bytes.TrimLeft(text, " \t\r\n")) &&
				last != '}' && last != ']' && last != '"' {
				item.Err = &Error{Reason: Malformed, Text: "the line feed after it is missing, so it may be truncated"}
			}
		}
		if err := s.give(item); err != nil {
			return err
		}
	}
	return nil
}

// event is an event being built (WHATWG HTML, section 9.2.6).
type event struct {
	line  int
	size  int
	data  []string
	value map[string]any
	err   error
}

// events parses an event stream. It discards an incomplete event at the end.
func (s *stream) events() error {
	if mark, err := s.reader.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = s.reader.Discard(len(mark))
	}
	e := event{value: map[string]any{}}
	for {
		line, ended, err := s.eventLine()
		if err != nil || ended {
			return err // an incomplete line is part of an incomplete event
		}
		if len(line) > 0 && line[0] == ':' { // a comment
			s.line++
			continue
		}
		if e.size += len(line); e.size > s.limit {
			return &Error{Reason: TooLarge, Place: Item{Index: s.index, Line: e.line}.place(), Text: "it is longer than " + strconv.Itoa(s.limit) + " bytes"}
		}
		if len(line) == 0 {
			if err := s.dispatch(e); err != nil {
				return err
			}
			e = event{value: map[string]any{}}
			s.line++
			continue
		}
		if e.line == 0 {
			e.line = s.line
		}
		e.field(line)
		s.line++
	}
}

// eventLine reads a line that ends with CRLF, LF or CR.
func (s *stream) eventLine() (line []byte, ended bool, err error) {
	for {
		c, err := s.reader.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return line, true, nil
		case err != nil:
			return line, true, err
		case c == '\n' && s.afterCR && len(line) == 0:
			s.afterCR = false
			continue
		case c == '\n' || c == '\r':
			s.afterCR = c == '\r'
			return line, false, nil
		case len(line) >= s.limit:
			return nil, false, &Error{Reason: TooLarge, Place: Item{Index: s.index, Line: s.line}.place(),
				Text: "it is longer than " + strconv.Itoa(s.limit) + " bytes"}
		}
		line, s.afterCR = append(line, c), false
	}
}

// field adds a line to the event.
func (e *event) field(line []byte) {
	if !utf8.Valid(line) {
		e.err = &Error{Reason: Malformed, Text: "the event is not UTF-8"}
	}
	name, value, _ := strings.Cut(string(line), ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "data":
		e.data = append(e.data, value)
	case "event":
		e.value["event"] = value
	case "id":
		if !strings.Contains(value, "\x00") {
			e.value["id"] = value
		}
	case "retry":
		if value != "" && strings.Trim(value, "0123456789") == "" {
			digits := strings.TrimLeft(value, "0")
			if digits == "" {
				digits = "0"
			}
			e.value["retry"] = json.Number(digits)
		}
	}
}

// dispatch emits an event, unless it has no data.
func (s *stream) dispatch(e event) error {
	if len(e.data) == 0 {
		return nil
	}
	text := strings.Join(e.data, "\n")
	item := Item{Line: e.line, Data: text, Err: e.err}
	e.value["data"] = text
	item.Value = e.value
	if decoded, err := exactjson.Decode([]byte(text)); err == nil && e.err == nil {
		item.Data, item.IsJSON = decoded.Tree, true
	}
	return s.give(item)
}
