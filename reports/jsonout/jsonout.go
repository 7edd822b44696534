// Package jsonout writes JSON documents piece by piece, so that a report never stands in memory as a whole.
//
// What it writes is safe to show: characters that steer a terminal or turn the direction of writing are escaped as \u….
// Whoever reads the JSON gets them back as they were.
package jsonout

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// Writer writes a document. Its methods do nothing after the first error, which Flush answers.
type Writer struct {
	out   *bufio.Writer
	piece bytes.Buffer
	enc   *json.Encoder
	err   error
}

// New makes a writer.
func New(w io.Writer) *Writer {
	j := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	j.enc = json.NewEncoder(&j.piece)
	j.enc.SetEscapeHTML(true)
	return j
}

// Raw writes what is no value: brackets, commas, names.
func (j *Writer) Raw(text string) {
	if j.err == nil {
		_, j.err = j.out.WriteString(text)
	}
}

// Value writes a value in one line, without a line's end.
func (j *Writer) Value(v any) {
	if text, is := v.(string); is && len(text) > pieceBytes {
		j.text(text)
		return
	}
	if j.err != nil {
		return
	}
	j.piece.Reset()
	if err := j.enc.Encode(v); err != nil {
		j.err = fmt.Errorf("it cannot be written as JSON: %w", err)
		return
	}
	j.safe(bytes.TrimSuffix(j.piece.Bytes(), []byte("\n")))
}

// pieceBytes is how much of a text is encoded at a time, in bytes.
const pieceBytes = 16 << 10

// text writes a long text as [Writer.Value] does, but piece by piece: encoding/json takes several times the memory of a text.
func (j *Writer) text(text string) {
	j.Raw(`"`)
	for len(text) > 0 && j.err == nil {
		end := whole(text, pieceBytes)
		j.piece.Reset()
		j.err = j.enc.Encode(text[:end])
		j.safe(bytes.TrimSuffix(bytes.TrimPrefix(j.piece.Bytes(), []byte(`"`)), []byte("\"\n")))
		text = text[end:]
	}
	j.Raw(`"`)
}

// whole returns where a text can be divided, no further than at so many bytes, without dividing a character.
func whole(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	for end := most; end > most-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return most // the bytes before it are of no character
}

// Line writes a value in a line of its own.
func (j *Writer) Line(v any) {
	j.Value(v)
	j.Raw("\n")
}

// List is an array that is being written, an item a line.
type List struct {
	j     *Writer
	begun bool
}

// List begins an array.
func (j *Writer) List() *List {
	j.Raw("[")
	return &List{j: j}
}

// Add writes an item.
func (l *List) Add(v any) {
	if l.begun {
		l.j.Raw(",")
	}
	l.begun = true
	l.j.Raw("\n")
	l.j.Value(v)
}

// End ends the array.
func (l *List) End() { l.j.Raw("\n]") }

// Flush writes what is left, and answers what went wrong.
func (j *Writer) Flush() error {
	if j.err != nil {
		return j.err
	}
	return j.out.Flush()
}

// safe writes JSON with every character escaped that does not show. Such characters stand in strings only.
func (j *Writer) safe(text []byte) {
	from := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c == 0x7f {
				j.bytes(text[from:i])
				j.Raw(`\u007f`)
				from = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsPrint(r) {
			j.bytes(text[from:i])
			j.escape(r)
			from = i + size
		}
		i += size
	}
	j.bytes(text[from:])
}

// escape writes a character beyond ASCII as one or two units of UTF-16.
func (j *Writer) escape(r rune) {
	if r < 0x10000 {
		j.Raw(fmt.Sprintf(`\u%04x`, r))
		return
	}
	r -= 0x10000
	j.Raw(fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff))
}

func (j *Writer) bytes(text []byte) {
	if j.err == nil {
		_, j.err = j.out.Write(text)
	}
}
