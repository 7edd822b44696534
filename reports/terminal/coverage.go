package terminal

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
)

// coveredShown is how many operations are listed at most that were not judged whole: a screen.
const coveredShown = 40

// coverage writes how much of the contract was judged; in full, on a line for each operation, with the reasons.
func (t *renderer) coverage() {
	c := t.view.Coverage()
	if c == nil || len(c.Operations) == 0 {
		return
	}
	t.Note(layout.Bold, "COVERAGE", c.Summary())
	if t.detail != Full {
		return
	}
	worst := c.Worst()
	for i := range worst {
		if i == coveredShown {
			t.Paragraph(layout.Indent, 2, layout.Plain, "and "+text.Number(len(worst)-i)+" more (--report coverage:FILE lists all)")
			break
		}
		line := strings.Repeat(" ", layout.Indent) + text.Visible(worst[i].ID) + "  " + text.Visible(worst[i].Summary())
		if t.Measured() {
			line = text.TruncateColumns(line, t.Width())
		}
		t.Line(line)
	}
	if n := len(c.Operations) - len(worst); n > 0 {
		t.Paragraph(layout.Indent, 2, layout.Plain, text.Count(n, "operation")+" "+text.Were(n)+" judged whole")
	}
}
