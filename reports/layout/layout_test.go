package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
)

const long = "A page never holds more animals than the limit that was asked for, whatever the store holds, and whoever asks for it."

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		width, want int
		measured    bool
	}{{0, 100, false}, {80, 80, true}, {20, 40, true}, {200, 200, true}} {
		p := layout.New(c.width, false)
		if p.Width() != c.want || p.Measured() != c.measured {
			t.Errorf("of %d columns: lines have %d, measured is %t; want %d, %t", c.width, p.Width(), p.Measured(), c.want, c.measured)
		}
	}
}

// Nothing is lost, no line is too long, and none ends in blanks, however narrow the page is.
func TestLines(t *testing.T) {
	for _, width := range []int{40, 60, 100} {
		p := layout.New(width, false)
		p.Paragraph(4, 2, layout.Bold, long)
		p.Field("expected", long)
		p.Verbatim(layout.Column, layout.Plain, strings.ReplaceAll(long, " ", "_"))
		p.Note(layout.Yellow, "CAUTION", long)
		p.Blank()
		p.Line("the end   ")
		page := p.String()
		for line := range strings.Lines(page) {
			line = strings.TrimSuffix(line, "\n")
			if text.Columns(line) > width || strings.HasSuffix(line, " ") {
				t.Errorf("of %d columns: %q", width, line)
			}
		}
		words := strings.Join(strings.Fields(page), "")
		for _, want := range []string{long, "expected" + long, strings.ReplaceAll(long, " ", "_"), "CAUTION" + long} {
			if !strings.Contains(words, strings.ReplaceAll(want, " ", "")) {
				t.Errorf("of %d columns, this is not whole: %s\n%s", width, want, page)
			}
		}
		if !strings.HasSuffix(page, "\n\nthe end\n") {
			t.Errorf("it ends otherwise:\n%s", page)
		}
	}
}

func TestIndents(t *testing.T) {
	p := layout.New(40, false)
	p.Paragraph(2, 3, layout.Plain, long)
	p.Field("expected", long)
	lines := strings.Split(p.String(), "\n")
	if !strings.HasPrefix(lines[0], "  A page") || !strings.HasPrefix(lines[1], "     ") || strings.HasPrefix(lines[1], "      ") {
		t.Errorf("the paragraph:\n%s", p)
	}
	field := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "      expected  A page") })
	margin := strings.Repeat(" ", layout.Column)
	if field < 0 || !strings.HasPrefix(lines[field+1], margin) || strings.HasPrefix(lines[field+1], margin+" ") {
		t.Errorf("the field:\n%s", p)
	}
}

// Colours change no column, and are only where they may be.
func TestColours(t *testing.T) {
	write := func(p *layout.Page) string {
		p.Paragraph(4, 2, layout.Bold, long)
		p.Field("expected", long)
		p.Note(layout.Red, "FAIL", long)
		p.Verbatim(6, layout.Dim, long)
		return p.String()
	}
	plain, coloured := write(layout.New(60, false)), write(layout.New(60, true))
	if strings.Contains(plain, "\x1b") {
		t.Errorf("colours where there are none: %q", plain)
	}
	if !strings.Contains(coloured, "\x1b[1;31mFAIL\x1b[0m") {
		t.Errorf("no colours: %q", coloured)
	}
	for _, st := range []layout.Style{layout.Bold, layout.Dim, layout.Red, layout.Green, layout.Yellow} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+string(st)+"m", "")
	}
	if coloured = strings.ReplaceAll(coloured, "\x1b[0m", ""); coloured != plain {
		t.Errorf("colours change the text:\n%s\nand without\n%s", coloured, plain)
	}
	if got := layout.New(60, true).Paint(layout.Plain, "text"); got != "text" {
		t.Errorf("plain text is painted: %q", got)
	}
}
