// Package jsonout writes JSON documents piece by piece, so a report is never in memory as a whole.
//
// Its output is safe to display: characters that control a terminal or change the writing direction are escaped as \u…. Readers of the JSON
// get the original characters.
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

// Writer writes a document. Its methods do nothing after the first error, which Flush returns.
type Writer struct {
	out   *bufio.Writer
	piece bytes.Buffer
	enc   *json.Encoder
	err   error
}

// New returns a writer.
func New(w io.Writer) *Writer {
	j := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	j.enc = json.NewEncoder(&j.piece)
	j.enc.SetEscapeHTML(true)
	return j
}

// Raw writes text that is not a value: brackets, commas, names.
func (j *Writer) Raw(text string) {
	if j.err == nil {
		_, j.err = j.out.WriteString(text)
	}
}

// Value writes a value on one line, without a line end.
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

// pieceBytes is the number of bytes of a text encoded at a time.
const pieceBytes = 16 << 10

// text writes a long text like [Writer.Value], but piece by piece: encoding/json needs several times the memory of a text.
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

// whole returns the largest index, at most most, at which a text can be split without splitting a character.
func whole(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	for end := most; end > most-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return most // the preceding bytes belong to no character
}

// Line writes a value on a line of its own.
func (j *Writer) Line(v any) {
	j.Value(v)
	j.Raw("\n")
}

// List is an array being written, one item a line.
type List struct {
	j     *Writer
	begun bool
}

// List starts an array.
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

// Flush writes the rest and returns the first error.
func (j *Writer) Flush() error {
	if j.err != nil {
		return j.err
	}
	return j.out.Flush()
}

// safe writes JSON with every invisible character escaped. Such characters occur only in strings.
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

// escape writes a non-ASCII character as one or two UTF-16 code units.
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
