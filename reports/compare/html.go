package compare

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/html"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

// HTML writes the comparison as one self-contained page. It has no scripts or external references, and its content security policy forbids
// both.
func HTML(c *Comparison, w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"visible": text.Visible, "lines": text.VisibleLines, "plural": text.Count[int],
		"cell": htmlCell, "stand": htmlStand, "ground": htmlGround,
		"asked": Item.asked, "pace": Pace.words, "whole": Item.whole,
		"phrase": text.Short, "begun": (*Run).started, "dict": dict,
	}).Parse(pageText)
	if err != nil {
		return err
	}
	word, because := c.Outcome()
	style, policy := html.Sheet(styleText)
	return page.Execute(w, htmlPage{
		Comparison: c, Word: word, Why: because, Style: style, Policy: policy,
		Sorts: []htmlSort{
			{Title: "Judged differently", Says: "Some keep these rules, and others break them.", Open: true, Rows: sorted(c, Differing)},
			{Title: "Broken by all", Says: "No implementation keeps these rules.", Open: true, Rows: sorted(c, Broken)},
			{Title: "Not judged in all", Says: "These rules are kept wherever they were judged.", Rows: sorted(c, Missed)},
			{Title: "Kept or observed in all", Rows: sorted(c, Kept)},
			{Title: "Judged in none", Rows: sorted(c, Unjudged)},
		},
	})
}

type htmlPage struct {
	*Comparison
	Word, Why string
	Style     template.CSS
	Policy    string
	Sorts     []htmlSort
}

type htmlSort struct {
	Title, Says string
	Open        bool
	Rows        []Row
}

// Steps returns the lists of changed rules.
func (p htmlPage) Steps() []htmlSteps {
	ch := p.Change
	return []htmlSteps{
		{"Broke", "bad", ch.Broke, true}, {"Fixed", "good", ch.Fixed, false}, {"Still broken", "bad", ch.Still, true},
		{"No longer judged", "none", ch.Lost, false}, {"Judged now", "", ch.Gained, false}, {"New rules", "", ch.New, false}, {"Gone rules", "", ch.Gone, false},
	}
}

type htmlSteps struct {
	Title, Class string
	Steps        []Step
	// Long reports whether each rule is shown with its cause.
	Long bool
}

// Scenarios returns the scenarios that only one of the runs had.
func (p htmlPage) Scenarios() []htmlScenarios {
	return []htmlScenarios{{"New scenarios", p.Change.Appeared}, {"Gone scenarios", p.Change.Vanished}}
}

type htmlScenarios struct {
	Title string
	IDs   []string
}

// Class returns the style class of the outcome.
func (p htmlPage) Class() string {
	switch p.Word {
	case "WORSE":
		return "bad"
	case "BETTER", "UNCHANGED", "ALIKE":
		return "good"
	}
	return "doubt"
}

func sorted(c *Comparison, s Sort) []Row {
	var all []Row
	for _, r := range c.Rows {
		if r.Sort() == s {
			all = append(all, r)
		}
	}
	return all
}

// whole lists all requests of an item if asked leaves some out.
func (i Item) whole() string {
	if len(i.Asked) <= askedShown {
		return ""
	}
	return strings.Join(i.Asked, ", ")
}

// htmlCell returns a verdict for a table cell.
func htmlCell(v verdict.Verdict) string {
	if v == "" {
		return "–"
	}
	return string(v)
}

// htmlStand returns the style class of a verdict on a rule or run.
func htmlStand(v verdict.Verdict) string {
	switch v {
	case verdict.Conformant:
		return "good"
	case verdict.Outdated, verdict.Violated:
		return "bad"
	case verdict.Excepted, verdict.Partial, verdict.Inconclusive, verdict.Warned:
		return "doubt"
	default:
	}
	switch standing(v) {
	case good:
		return "good"
	case bad:
		return "bad"
	case known:
		return "doubt"
	default:
		return "none"
	}
}

// htmlGround returns the background class of an answer: none for the most common answer, and a different one for each other answer.
func htmlGround(item Item, answer string) string {
	if answer == "" {
		return "none"
	}
	groups := item.Groups()
	slices.SortStableFunc(groups, func(x, y Group) int { return len(y.Runs) - len(x.Runs) })
	at := slices.IndexFunc(groups, func(g Group) bool { return g.Answer == answer })
	switch {
	case at <= 0:
		return ""
	case at == 1:
		return "other"
	}
	return "other-" + strconv.Itoa(min(at, 3))
}

// dict passes named values to a template.
func dict(pairs ...any) map[string]any {
	all := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := pairs[i].(string); ok {
			all[name] = pairs[i+1]
		}
	}
	return all
}
