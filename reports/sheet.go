package reports

import (
	"strings"

	"hallmark/reports/prose"
)

// style is how a piece of text is set off on a terminal that has colours. Nothing is said by colour alone.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	green  style = "1;32"
	yellow style = "1;33"
)

const (
	// defaultWidth is that of a sheet of unknown width, minWidth the least that is laid out, in columns.
	defaultWidth = 100
	minWidth     = 40
	// indent is where the text of a block begins, column where the values of its fields do.
	indent = 6
	column = indent + 10
)

// sheet lays text out for a terminal, a pipe or a file.
type sheet struct {
	out    strings.Builder
	width  int
	colour bool
	// measured reports whether the width is that of a terminal.
	measured bool
}

func newSheet(width int, colour bool) *sheet {
	measured := width > 0
	if !measured {
		width = defaultWidth
	}
	return &sheet{width: max(width, minWidth), colour: colour, measured: measured}
}

func (s *sheet) paint(st style, text string) string {
	if !s.colour || st == plain || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

// line writes one line as it is.
func (s *sheet) line(text string) {
	s.out.WriteString(strings.TrimRight(text, " "))
	s.out.WriteByte('\n')
}

func (s *sheet) blank() { s.out.WriteByte('\n') }

// paragraph writes wrapped text; lines after the first are indented by hang more columns.
func (s *sheet) paragraph(from, hang int, st style, text string) {
	// The first line is wrapped as if it were as narrow as the others.
	lines := prose.Wrap(text, s.width-from-hang)
	for i, l := range lines {
		margin := from
		if i > 0 {
			margin += hang
		}
		s.line(strings.Repeat(" ", margin) + s.paint(st, l))
	}
}

// field writes a label and its wrapped value.
func (s *sheet) field(label, value string) {
	for i, l := range prose.Wrap(value, s.width-column) {
		if i == 0 {
			s.line(strings.Repeat(" ", indent) + s.paint(dim, prose.Pad(label, column-indent)) + l)
			continue
		}
		s.line(strings.Repeat(" ", column) + l)
	}
}

// verbatim writes a long value in as many lines as it needs, broken anywhere.
func (s *sheet) verbatim(from int, st style, text string) {
	for _, l := range chunks(text, s.width-from) {
		s.line(strings.Repeat(" ", from) + s.paint(st, l))
	}
}

// chunks breaks text into pieces of at most width columns.
func chunks(text string, width int) []string {
	width = max(width, 16)
	var all []string
	for prose.Columns(text) > width {
		var head string
		head, text = prose.Split(text, width)
		all = append(all, head)
	}
	return append(all, text)
}
