package layout

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Style is how a piece of text is set off if there are colours. Colour must never be the only carrier of information.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "1;31"
	Green  Style = "1;32"
	Yellow Style = "1;33"
)

const (
	// defaultWidth is the width of a page of unknown width, minWidth the minimum width, in columns.
	defaultWidth = 100
	minWidth     = 40
	// Indent is the column of a block's text.
	Indent = 6
	// minText is the minimum width of a text within its margins, in columns.
	minText = 16
	// Column is the column of a block's field values.
	Column = Indent + 10
)

// Page is text laid out for a terminal, a pipe or a file.
type Page struct {
	out    strings.Builder
	width  int
	colour bool
	// measured reports whether the width is that of a terminal.
	measured bool
}

// New returns an empty page. A width of 0 means unknown.
func New(width int, colour bool) *Page {
	measured := width > 0
	if !measured {
		width = defaultWidth
	}
	return &Page{width: max(width, minWidth), colour: colour, measured: measured}
}

// Width returns the maximum length of a line, in columns.
func (p *Page) Width() int { return p.width }

// Measured reports whether the width is that of a terminal rather than the default.
func (p *Page) Measured() bool { return p.measured }

// Lines returns the number of lines written so far, as LinesOf counts them.
func (p *Page) Lines() int { return p.LinesOf(strings.TrimSuffix(p.out.String(), "\n")) }

// LinesOf returns the number of lines of a text without colours; a line that is wider than the page counts as those that a terminal makes
// of it.
func (p *Page) LinesOf(s string) int {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		n += max(1, (text.Columns(line)+p.width-1)/p.width)
	}
	return n
}

// String returns the text written so far.
func (p *Page) String() string { return p.out.String() }

// Paint styles text if there are colours.
func (p *Page) Paint(st Style, s string) string {
	if !p.colour || st == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// Line writes one line unchanged.
func (p *Page) Line(s string) {
	p.out.WriteString(strings.TrimRight(s, " "))
	p.out.WriteByte('\n')
}

// Blank writes an empty line, unless the page ends with one.
func (p *Page) Blank() {
	if !strings.HasSuffix(p.out.String(), "\n\n") {
		p.out.WriteByte('\n')
	}
}

// Paragraph writes wrapped text. Lines after the first are indented by hang more columns.
func (p *Page) Paragraph(from, hang int, st Style, s string) {
	// The first line is wrapped at the width of the others.
	lines := wrap(s, p.width-from-hang)
	for i, l := range lines {
		margin := from
		if i > 0 {
			margin += hang
		}
		p.Line(strings.Repeat(" ", margin) + p.Paint(st, l))
	}
}

// Field writes a label and its wrapped value.
func (p *Page) Field(label, value string) {
	for i, l := range wrap(value, p.width-Column) {
		if i == 0 {
			p.Line(strings.Repeat(" ", Indent) + p.Paint(Dim, text.Pad(label, Column-Indent)) + l)
			continue
		}
		p.Line(strings.Repeat(" ", Column) + l)
	}
}

// Verbatim writes a long value on as many lines as needed, broken anywhere.
func (p *Page) Verbatim(from int, st Style, s string) {
	for _, l := range chunks(s, p.width-from) {
		p.Line(strings.Repeat(" ", from) + p.Paint(st, l))
	}
}

// Marked writes a long value like Verbatim, and a line of carets under each occurrence of mark that is not part of a longer word.
func (p *Page) Marked(from int, st Style, s, mark string) {
	marks := occurrences(s, mark)
	at := 0
	for _, l := range chunks(s, p.width-from) {
		p.Line(strings.Repeat(" ", from) + p.Paint(st, l))
		carets, columns := "", 0
		for _, begin := range marks {
			first, last := max(begin-at, 0), min(begin+len(mark)-at, len(l))
			if first >= last {
				continue
			}
			column, width := text.Columns(l[:first]), text.Columns(l[first:last])
			carets += strings.Repeat(" ", column-columns) + strings.Repeat("^", width)
			columns = column + width
		}
		if carets != "" {
			p.Line(strings.Repeat(" ", from) + p.Paint(Bold, carets))
		}
		at += len(l)
	}
}

// occurrences returns the offsets of mark in s where it is no part of a longer word.
func occurrences(s, mark string) []int {
	if mark == "" {
		return nil
	}
	var all []int
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return all
		}
		begin := at + i
		at = begin + len(mark)
		if !isWordByte(s, begin-1) && !isWordByte(s, at) {
			all = append(all, begin)
		}
	}
}

func isWordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c >= 0x80
}

// Note writes a title followed by text; lines after the first are indented. It returns the number of lines.
func (p *Page) Note(st Style, title, s string) int { return p.Titled(st, title, s, p.width, Indent) }

// Titled writes text after its title, in lines of at most width columns; those after the first are indented by hang. It returns the number
// of lines.
func (p *Page) Titled(st Style, title, s string, width, hang int) int {
	lines := wrap(title+"  "+s, width-hang)
	lines[0] = p.Paint(st, title) + strings.TrimPrefix(lines[0], title)
	for i, line := range lines {
		if i > 0 {
			line = strings.Repeat(" ", hang) + line
		}
		p.Line(line)
	}
	return len(lines)
}

// wrap breaks s between words into lines of at most width columns, but at least minText.
func wrap(s string, width int) []string { return text.Wrap(s, max(width, minText)) }

// chunks breaks s anywhere into pieces of at most width columns.
func chunks(s string, width int) []string {
	width = max(width, minText)
	var all []string
	for text.Columns(s) > width {
		var head string
		head, s = text.SplitColumns(s, width)
		all = append(all, head)
	}
	return append(all, s)
}
