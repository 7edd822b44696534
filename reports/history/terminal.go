package history

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/terminal"
)

const (
	// listed is the number of rules of a trend that are named, unless all are wanted.
	listed = 10
	// stripShown is the number of the latest runs that are shown for each rule.
	stripShown = 40
)

// Terminal writes the history for a terminal: of each contract what is broken, flaky and fixed, and the state of the latest in the last line.
func Terminal(h *History, w io.Writer, look terminal.Look) error {
	p := &renderer{layout.New(look.Width, look.Colour), look.Detail}
	for _, note := range h.Notes {
		p.Note(layout.Yellow, "NOTE", note)
	}
	if n := len(h.Groups); n > 1 {
		p.Note(layout.Bold, "CONTRACTS", text.Number(n)+", whose rules have little in common; each has a history of its own")
	}
	for i := len(h.Groups) - 1; i >= 0; i-- { // the latest is what a reader sees first, above the prompt
		p.group(&h.Groups[i])
	}
	_, err := io.WriteString(w, p.String())
	return err
}

type renderer struct {
	*layout.Page
	detail terminal.Detail
}

func (p *renderer) group(g *Group) {
	first, last := g.Runs[0], g.Last()
	if p.detail != terminal.Brief {
		p.Note(layout.Bold, "HISTORY", g.Name()+", "+text.Count(len(g.Runs), "run")+", "+first.Moment()+" to "+last.Moment()+" UTC")
		p.rows(g, IsBroken, "BROKEN", layout.Red)
		p.rows(g, IsFlaky, "FLAKY", layout.Yellow)
		p.rows(g, IsFixed, "FIXED", layout.Green)
		if g.Count(IsBroken)+g.Count(IsFlaky)+g.Count(IsFixed) > 0 {
			p.Paragraph(layout.Indent, 0, layout.Dim, "a sign for each of the last runs, the latest last: "+legend)
		}
		p.Note(layout.Bold, "RUNS", g.figures())
	}
	word, says := g.Outcome()
	p.Note(map[string]layout.Style{"BROKEN": layout.Red, "FLAKY": layout.Yellow, "WARNED": layout.Yellow, "KEPT": layout.Green}[word], word, says)
}

// figures says how coverage and duration developed.
func (g *Group) figures() string {
	first, last := g.Runs[0], g.Last()
	says := fmt.Sprintf("%.0f %% of the rules judged (first %.0f %%)", last.Coverage(), first.Coverage())
	if last.Operations > 0 {
		says += fmt.Sprintf(", %d of %d operations succeeded", last.Reached, last.Operations)
	}
	if median := g.median(); median > 0 {
		says += ", " + text.Duration(last.Took) + " (median " + text.Duration(median) + ")"
	}
	if g.Changes > 0 {
		says += "; the contract changed " + text.Count(g.Changes, "time")
	}
	return says
}

// rows lists the rules of a trend, with their latest runs.
func (p *renderer) rows(g *Group, t Trend, title string, style layout.Style) {
	n := g.Count(t)
	if n == 0 {
		return
	}
	p.Note(style, title, text.Count(n, "rule"))
	shown := 0
	for _, r := range g.Rows {
		if r.Trend != t {
			continue
		}
		if shown == listed && p.detail != terminal.Full {
			p.Paragraph(layout.Indent, 2, layout.Dim, "and "+text.Number(n-shown)+" more (--verbose)")
			return
		}
		shown++
		p.Paragraph(layout.Indent, 2, layout.Plain, r.ID+"  "+string(r.Level)+"  "+g.Story(r)+"  "+strip(r.States))
	}
}

// legend says what the signs of a strip mean.
const legend = "x broken, ~ broken but not when repeated, k a known violation, . kept, _ not judged"

// strip shows the latest states of a rule with a sign for each run, as the legend says.
func strip(states []State) string {
	var b strings.Builder
	for _, s := range states[max(len(states)-stripShown, 0):] {
		b.WriteByte("_.x~k"[s])
	}
	return b.String()
}
