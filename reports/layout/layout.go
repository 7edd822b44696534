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

// Blank writes an empty line.
func (p *Page) Blank() { p.out.WriteByte('\n') }

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

// Note writes a title followed by text; lines after the first are indented.
func (p *Page) Note(st Style, title, s string) { p.Titled(st, title, s, p.width, Indent) }

// Titled writes text after its title, in lines of at most width columns; those after the first are indented by hang.
func (p *Page) Titled(st Style, title, s string, width, hang int) {
	lines := wrap(title+"  "+s, width-hang)
	lines[0] = p.Paint(st, title) + strings.TrimPrefix(lines[0], title)
	for i, line := range lines {
		if i > 0 {
			line = strings.Repeat(" ", hang) + line
		}
		p.Line(line)
	}
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
