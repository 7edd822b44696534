package history

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/html"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

const (
	// mostPoints is the number of the latest runs in a plot, mostCells that in the strip of a rule, and mostRows the number of rules shown.
	mostPoints, mostCells, mostRows = 500, 60, 300
	// plotWidth and plotHeight are the size of a plot in its own units, and cell the width of a run in a strip.
	plotWidth, plotHeight, cell = 320, 80, 8
)

// HTML writes the history as one self-contained page. It has no scripts or external references, and its content security policy forbids both.
func HTML(h *History, w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{"plural": text.Count[int]}).Parse(pageText)
	if err != nil {
		return err
	}
	out := htmlPage{History: h}
	out.Style, out.Policy = html.Sheet(styleText)
	for i := range h.Groups {
		out.Contracts = append(out.Contracts, newHTMLGroup(i+1, &h.Groups[i]))
	}
	return page.Execute(w, out)
}

type htmlPage struct {
	*History
	Style     template.CSS
	Policy    string
	Contracts []htmlGroup
}

// htmlGroup is a contract on the page.
type htmlGroup struct {
	*Group
	// Number counts the contracts, from 1.
	Number            int
	Word, Says, Class string
	Plots             []plot
	Lists             []htmlList
	// LeftOut is the number of rules that are not shown, Hidden that of the runs before those in the strips.
	LeftOut, Hidden int
	Latest          []htmlRun
}

type htmlList struct {
	Title, Class string
	Rows         []htmlRow
}

type htmlRow struct {
	Row
	Story string
	Cells []htmlCell
	Width int
	// Label says for those who do not see the strip what is in it.
	Label string
}

// htmlCell is a run in the strip of a rule.
type htmlCell struct {
	X, Y, Height int
	Class        string
}

type htmlRun struct {
	*Run
	Coverage string
	Took     string
	Broken   int
	Class    string
	// Changed reports whether its contract is another than that of the run before.
	Changed bool
}

func newHTMLGroup(number int, g *Group) htmlGroup {
	word, says := g.Outcome()
	out := htmlGroup{
		Group: g, Number: number, Word: word, Says: says, Class: map[string]string{"BROKEN": "bad", "FLAKY": "doubt", "WARNED": "doubt", "KEPT": "good"}[word],
		Plots: g.plots(), Hidden: max(len(g.Runs)-mostCells, 0), LeftOut: max(len(g.Rows)-mostRows, 0),
	}
	rows := g.Rows[:min(len(g.Rows), mostRows)]
	for _, l := range []struct {
		trend        Trend
		title, class string
	}{{IsBroken, "Broken", "bad"}, {IsFlaky, "Flaky", "doubt"}, {IsFixed, "Fixed", "good"}} {
		list := htmlList{Title: l.title, Class: l.class}
		for _, r := range rows {
			if r.Trend == l.trend {
				list.Rows = append(list.Rows, g.htmlRow(r))
			}
		}
		if len(list.Rows) > 0 {
			out.Lists = append(out.Lists, list)
		}
	}
	first := max(len(g.Runs)-mostCells, 0)
	for i := len(g.Runs) - 1; i >= first; i-- {
		r := g.Runs[i]
		one := htmlRun{Run: r, Coverage: fmt.Sprintf("%.0f %%", r.Coverage()), Broken: r.count(), Changed: i > 0 && r.Digest != g.Runs[i-1].Digest}
		if r.Took > 0 {
			one.Took = text.Duration(r.Took)
		}
		if one.Broken > 0 {
			one.Class = "bad"
		}
		out.Latest = append(out.Latest, one)
	}
	return out
}

func (g *Group) htmlRow(r Row) htmlRow {
	out := htmlRow{Row: r, Story: g.Story(r)}
	states := r.States[max(len(r.States)-mostCells, 0):]
	var label strings.Builder
	for i, s := range states {
		c := htmlCell{X: i * cell, Y: 6, Height: 6, Class: "none"} // the height tells them apart without colour
		switch s {
		case Kept:
			c.Y, c.Height, c.Class = 10, 4, "good"
		case Broken:
			c.Y, c.Height, c.Class = 0, 14, "bad"
		case Unsteady, Accepted:
			c.Y, c.Height, c.Class = 5, 9, "doubt"
		case Unjudged:
			c.Y, c.Height = 13, 1
		}
		out.Cells = append(out.Cells, c)
		if i > 0 {
			label.WriteString(", ")
		}
		label.WriteString([...]string{Unjudged: "not judged", Kept: "kept", Broken: "broken", Unsteady: "unsteady", Accepted: "known"}[s])
	}
	out.Width = max(len(states), 1) * cell
	out.Label = "The latest " + text.Count(len(states), "run") + ": " + label.String()
	return out
}

// plot is a line over the runs.
type plot struct {
	Title, Most, Label string
	// Points are those of the line, in the units of the plot; Area closes it to the ground. LastX and LastY are the end of the line.
	Points, Area string
	LastX, LastY string
	First, Last  string
}

// plots returns how broken rules, coverage and duration developed.
func (g *Group) plots() []plot {
	runs := g.Runs[max(len(g.Runs)-mostPoints, 0):]
	number := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", v) }
	all := []plot{
		newPlot("Broken rules", runs, number, 0, func(r *Run) float64 { return float64(r.count()) }),
		newPlot("Rules judged", runs, percent, 100, (*Run).Coverage),
	}
	if g.Last().Operations > 0 {
		all = append(all, newPlot("Operations that succeeded", runs, percent, 100, func(r *Run) float64 {
			return 100 * float64(r.Reached) / float64(max(r.Operations, 1))
		}))
	}
	if g.median() > 0 {
		all = append(all, newPlot("Duration", runs, func(v float64) string { return text.Duration(time.Duration(v * float64(time.Second))) }, 0, func(r *Run) float64 {
			return r.Took.Seconds()
		}))
	}
	return all
}

// ends returns the days of the first and the last run, or their times on the same day.
func ends(runs []*Run) (first, last string) {
	from, to := runs[0].Started.UTC(), runs[len(runs)-1].Started.UTC()
	layout := time.DateOnly
	if from.Format(layout) == to.Format(layout) {
		layout = "15:04"
	}
	return from.Format(layout), to.Format(layout)
}

// newPlot returns a plot from zero to the largest value, or to most if that is larger.
func newPlot(title string, runs []*Run, say func(float64) string, most float64, value func(*Run) float64) plot {
	least := value(runs[0])
	peak := least
	for _, r := range runs {
		least, peak = min(least, value(r)), max(peak, value(r))
	}
	most = max(most, peak)
	p := plot{Title: title, Most: say(most)}
	p.First, p.Last = ends(runs)
	var line strings.Builder
	for i, r := range runs {
		x, y := float64(plotWidth)/2, float64(plotHeight)
		if len(runs) > 1 {
			x = float64(plotWidth) * float64(i) / float64(len(runs)-1)
		}
		if most > 0 {
			y -= plotHeight * value(r) / most
		}
		p.LastX, p.LastY = fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y)
		line.WriteString(p.LastX + "," + p.LastY + " ")
	}
	p.Points = strings.TrimSuffix(line.String(), " ")
	if len(runs) > 1 {
		p.Area = fmt.Sprintf("0,%d %s %d,%d", plotHeight, p.Points, plotWidth, plotHeight)
	}
	p.Label = fmt.Sprintf("%s in %s: first %s, last %s, between %s and %s", title, text.Count(len(runs), "run"), say(value(runs[0])), say(value(runs[len(runs)-1])), say(least), say(peak))
	return p
}
