package compare

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// Markdown writes the comparison as GitHub-flavoured Markdown within the maximum size of a comment. The last line lists what did not fit.
func Markdown(c *Comparison, w io.Writer) error {
	m := &mark{c}
	word, because := c.Outcome()
	parts := []part{{"", "## " + word + ": " + markdown.Text(because) + "\n\n" + m.runs()}}
	if c.Change != nil {
		parts = append(parts, m.change(c.Change)...)
	} else {
		parts = append(parts, m.matrix()...)
		parts = append(parts, m.ledger()...)
	}
	const sentence = 600 // about what was left out
	left, missing := markdown.Comment-sentence, []string(nil)
	var out strings.Builder
	for _, p := range parts {
		switch {
		case p.text == "":
			continue
		case len(p.text)+1 > left:
			missing = append(missing, p.name)
			continue
		case out.Len() > 0:
			out.WriteByte('\n')
		}
		left -= len(p.text) + 1
		out.WriteString(p.text)
	}
	if len(missing) > 0 {
		out.WriteString("\nLeft out, because only " + text.Number(markdown.Comment) + " bytes fit here: " + strings.Join(missing, "; ") +
			". The reports `html` and `json` hold everything.\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// part is a piece of Markdown, and how it is named if it is left out.
type part struct{ name, text string }

type mark struct{ *Comparison }

// runs describes the compared runs.
func (m *mark) runs() string {
	head := []string{"", "judged", "begun (UTC)", "verdict"}
	var rows [][]string
	for _, r := range m.Runs {
		where := markdown.Code(text.Short(r.BaseURL))
		if len(r.Scope) > 0 {
			where += ", " + markdown.Text(text.Short(strings.Join(r.Scope, ", ")))
		}
		rows = append(rows, []string{"**" + markdown.Text(r.Name) + "**", where, r.started(), "**" + r.Verdict.Word() + "**, " + markdown.Text(r.Because)})
	}
	s := markdown.Table(head, rows)
	if m.Mode == Runs {
		s += "\nTwo runs of one implementation (" + markdown.Text(m.Because) + "), the earlier first.\n"
	}
	if len(m.Cautions) > 0 {
		s += "\n"
		for _, caution := range m.Cautions {
			s += "- Caution: " + markdown.Text(caution) + "\n"
		}
	}
	return s
}

// heads returns the column heads: the names of the runs.
func (m *mark) heads(first ...string) []string {
	for _, r := range m.Runs {
		first = append(first, markdown.Text(r.Name))
	}
	return first
}

// verdictCell returns a verdict for a table; broken is emphasized.
func verdictCell(v verdict.Verdict) string {
	switch standing(v) {
	case bad, known:
		return "**" + string(v) + "**"
	case good:
		return string(v)
	default:
		if v == "" {
			return "–"
		}
		return "*" + string(v) + "*"
	}
}

func (m *mark) matrix() []part {
	var rows [][]string
	for _, a := range m.Areas() {
		row := []string{markdown.Text(a.Name) + " (" + strconv.Itoa(a.Rules) + ")"}
		for i := range m.Runs {
			cell := strconv.Itoa(a.Kept[i])
			if a.Broken[i] > 0 {
				cell += ", **" + strconv.Itoa(a.Broken[i]) + " broken**"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	all := []part{
		{"the rules that are judged differently", m.rows("Judged differently", Differing)},
		{"the rules that are broken by all", m.rows("Broken by all", Broken)},
		{"the areas", titled("Must and should rules kept", markdown.Figures(m.heads("area"), rows))},
	}
	return all
}

// rows returns the table of the rules of a sort.
func (m *mark) rows(title string, s Sort) string {
	var rows [][]string
	for _, r := range m.Rows {
		if r.Sort() == s {
			row := []string{markdown.Code(r.Rule.ID) + " " + string(r.Rule.Level), markdown.Text(r.Rule.Says)}
			for _, v := range r.Verdicts {
				row = append(row, verdictCell(v))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return titled(title+": "+text.Count(len(rows), "rule"), markdown.Table(m.heads("rule", "says"), rows))
}

func (m *mark) ledger() []part {
	differ := m.Ambiguities()
	all := []part{{"the questions that are read differently", m.questions("Questions read differently", differ, false)}}
	for _, s := range []struct {
		title string
		all   []Question
	}{{"Read alike, answered in other words or counts", m.Worded()}, {"Read alike", m.Agreed()}} {
		if len(s.all) > 0 {
			all = append(all, part{"what is " + strings.ToLower(s.title), markdown.Folded(s.title+": "+text.Count(len(s.all), "question"), m.table(s.all, true))})
		}
	}
	return append(all, part{"what was not judged in all", m.missed()})
}

// missed returns the folded table of the rules that not all runs judged.
func (m *mark) missed() string {
	s := m.rows("", Missed)
	if s == "" {
		return ""
	}
	_, table, _ := strings.Cut(s, "\n\n")
	return markdown.Folded("Not judged in all: "+text.Count(m.Count(Missed), "rule")+", kept wherever they were judged", table)
}

func (m *mark) questions(title string, all []Question, whole bool) string {
	if len(all) == 0 {
		return ""
	}
	return titled(title+": "+text.Count(len(all), "question"), m.table(all, whole))
}

// table returns the answers side by side. If whole is set, it includes those on which all agree.
func (m *mark) table(all []Question, whole bool) string {
	var rows [][]string
	for _, q := range all {
		first := markdown.Code(q.Rule.ID) + " " + markdown.Text(q.Asks())
		if q.Rule.Section != "" {
			first += " (" + markdown.Text(q.Rule.Section) + ")"
		}
		for _, item := range q.Items {
			if !whole && !item.Differs {
				continue
			}
			row := []string{first, markdown.Text(item.asked())}
			for _, answer := range item.Answers {
				if answer == "" {
					answer = "*not asked*"
				} else {
					answer = markdown.Text(answer)
				}
				row = append(row, answer)
			}
			rows = append(rows, row)
			first = ""
		}
	}
	return markdown.Table(m.heads("question", "asked"), rows)
}

func (m *mark) change(ch *Change) []part {
	all := []part{
		{"what broke", m.broken("Broke", ch.Broke)},
		{"what was fixed", m.steps("Fixed", ch.Fixed)},
		{"what is still broken", m.broken("Still broken", ch.Still)},
		{"what is no longer judged", m.steps("No longer judged", ch.Lost)},
		{"what is judged now", m.steps("Judged now", ch.Gained)},
		{"the new rules", m.steps("New rules", ch.New)},
		{"the rules that are gone", m.steps("Gone rules", ch.Gone)},
		{"what is answered otherwise", m.questions("Answered otherwise", ch.Questions, false)},
		{"the new scenarios", scenarios("New scenarios", ch.Appeared)},
		{"the scenarios that are gone", scenarios("Gone scenarios", ch.Vanished)},
	}
	var lines []string
	for _, p := range ch.Slower {
		lines = append(lines, "- Slower: "+markdown.Text(p.words())+"\n")
	}
	for _, p := range ch.Quicker {
		lines = append(lines, "- Quicker: "+markdown.Text(p.words())+"\n")
	}
	if len(lines) > 0 {
		all = append(all, part{"the response times", titled("Response times, which no rule covers", strings.Join(lines, ""))})
	}
	return all
}

// broken returns rules with the causes that break them.
func (m *mark) broken(title string, steps []Step) string {
	var rows [][]string
	for _, s := range steps {
		row := []string{markdown.Code(s.Rule.ID) + " " + string(s.Rule.Level), markdown.Text(s.Rule.Says), "", "", "", ""}
		if c := s.Cause; c != nil {
			row[2], row[3], row[4] = markdown.Text(c.Expected), markdown.Text(strings.TrimSpace(c.Actual+" "+c.Repeated)), markdown.Text(c.Where)
		}
		row[5] = markdown.Text(text.Short(s.Note))
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	head := []string{"rule", "says", "expected", "actual", "where", ""}
	if !slices.ContainsFunc(rows, func(row []string) bool { return row[5] != "" }) {
		head = head[:5]
		for i := range rows {
			rows[i] = rows[i][:5]
		}
	}
	return titled(title+": "+text.Count(len(rows), "rule"), markdown.Table(head, rows))
}

// steps returns rules with their verdicts before and after.
func (m *mark) steps(title string, steps []Step) string {
	if len(steps) == 0 {
		return ""
	}
	var rows [][]string
	for _, s := range steps {
		rows = append(rows, []string{markdown.Code(s.Rule.ID) + " " + string(s.Rule.Level), verdictCell(s.Before), verdictCell(s.After), markdown.Text(text.Short(s.Note))})
	}
	return titled(title+": "+text.Count(len(steps), "rule"), markdown.Table([]string{"rule", "before", "after", "why"}, rows))
}

func scenarios(title string, ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	var out strings.Builder
	for _, id := range ids {
		out.WriteString("- " + markdown.Code(id) + "\n")
	}
	return markdown.Folded(title+": "+text.Count(len(ids), "scenario"), out.String())
}

func titled(title, body string) string { return "### " + title + "\n\n" + body }
