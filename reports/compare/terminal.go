package compare

import (
	"io"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// indent is the column of a block's text, column that of its field values.
	indent = 6
	column = 16
	// listed limits the lists that are complete only with --verbose.
	listed = 8
)

// Terminal writes the comparison for a terminal: what needs action first, and a summary in the last line.
func Terminal(c *Comparison, w io.Writer, look terminal.Look) error {
	p := &renderer{layout.New(look.Width, look.Colour), c, look.Detail}
	word, because := c.Outcome()
	if look.Detail == terminal.Brief {
		p.brief()
	} else {
		p.runs()
		if c.Change != nil {
			p.change(c.Change)
		} else {
			p.matrix()
			p.ledger()
		}
	}
	st := layout.Yellow
	switch word {
	case "WORSE":
		st = layout.Red
	case "BETTER", "UNCHANGED", "ALIKE":
		st = layout.Green
	default:
	}
	p.Note(st, word, because)
	_, err := io.WriteString(w, p.String())
	return err
}

type renderer struct {
	*layout.Page
	*Comparison
	detail terminal.Detail
}

// brief writes a line for each newly broken rule, or each rule that only some keep.
func (p *renderer) brief() {
	if p.Change == nil {
		for _, r := range p.Rows {
			if r.Sort() == Differing {
				p.Line(p.Paint(layout.Yellow, "DIFFERS") + "  " + p.Paint(layout.Bold, r.Rule.ID) + "  " + string(r.Rule.Level) + "  " + r.Rule.Says)
			}
		}
		return
	}
	for _, s := range p.Change.Broke {
		text := p.Paint(layout.Red, "BROKE") + "  " + p.Paint(layout.Bold, s.Rule.ID) + "  " + string(s.Rule.Level) + "  " + s.Rule.Says
		if s.Cause != nil {
			text += " · " + s.Cause.Message
		}
		p.Line(text)
	}
}

// letter returns the short name of a run in tables: A, B, C.
func letter(run int) string { return alphabet[run : run+1] }

// alphabet has a letter for each of at most Most runs.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// letters returns the letters of runs.
func letters(runs []int) string {
	all := make([]string, len(runs))
	for i, run := range runs {
		all[i] = letter(run)
	}
	return strings.Join(all, ", ")
}

// runs describes the compared runs.
func (p *renderer) runs() {
	wide := 0
	for _, r := range p.Runs {
		wide = max(wide, text.Columns(r.Name))
	}
	for i, r := range p.Runs {
		parts := []string{r.Verdict.Word() + ", " + r.Because}
		if r.Name != r.host() {
			parts = append(parts, text.Short(r.BaseURL))
		}
		parts = append(append(parts, r.started()), r.Scope...)
		p.Paragraph(0, wide+5, layout.Plain, p.Paint(layout.Bold, letter(i))+"  "+text.Pad(r.Name, wide)+"  "+strings.Join(parts, " · "))
	}
	if p.Mode == Runs {
		p.Paragraph(0, 2, layout.Dim, "Two runs of one implementation ("+p.Because+"): A is before, B after.")
	}
	for _, line := range p.Cautions {
		p.Note(layout.Yellow, "CAUTION", line)
	}
	p.Blank()
}

// short returns a verdict for a table cell.
func short(v verdict.Verdict) (string, layout.Style) {
	switch v {
	case verdict.Conforms:
		return "ok", layout.Plain
	case verdict.Violated:
		return "FAIL", layout.Red
	case verdict.Warned:
		return "warn", layout.Yellow
	case verdict.Deviates:
		return "known", layout.Yellow
	case verdict.Doubtful:
		return "doubt", layout.Yellow
	case verdict.Intermittent:
		return "flaky", layout.Yellow
	case verdict.Observed:
		return "seen", layout.Plain
	case verdict.NotExercised:
		return "not run", layout.Dim
	case verdict.NotApplicable:
		return "n/a", layout.Dim
	default:
		return "–", layout.Dim
	}
}

// matrix writes the areas, and the rules not kept by all.
func (p *renderer) matrix() {
	head := text.Pad("must and should rules kept", 34)
	for i := range p.Runs {
		head += text.Pad("  "+letter(i), 9)
	}
	p.Line(p.Paint(layout.Dim, head))
	for _, a := range p.Areas() {
		line := text.Pad(a.Name+" ("+strconv.Itoa(a.Rules)+")", 34)
		for i := range p.Runs {
			cell, st := strconv.Itoa(a.Kept[i]), layout.Plain
			if a.Broken[i] > 0 {
				cell, st = cell+" !"+strconv.Itoa(a.Broken[i]), layout.Red
			}
			line += "  " + p.Paint(st, text.Pad(cell, 7))
		}
		p.Line(line)
	}
	p.Blank()
	for _, s := range []struct {
		sort  Sort
		title string
		says  string
	}{
		{Differing, "JUDGED DIFFERENTLY", "kept by some, broken by others"},
		{Broken, "BROKEN BY ALL", ""},
		{Missed, "NOT JUDGED IN ALL", "kept wherever they were judged"},
	} {
		p.rows(s.sort, s.title, s.says)
	}
	p.Paragraph(0, 2, layout.Plain, text.Count(p.Count(Kept), "rule")+" kept or observed in all"+also(p.Count(Unjudged), ", %s judged in none")+".")
	p.Blank()
}

func also(n int, format string) string {
	if n == 0 {
		return ""
	}
	return strings.Replace(format, "%s", text.Number(n), 1)
}

// rows writes the rules of a sort in columns, one a line.
func (p *renderer) rows(s Sort, title, says string) {
	n := p.Count(s)
	if n == 0 {
		return
	}
	p.Line(p.Paint(layout.Bold, title) + "  " + strings.TrimSuffix(text.Count(n, "rule")+": "+says, ": "))
	wide := 0
	for _, r := range p.Rows {
		if r.Sort() == s {
			wide = max(wide, text.Columns(r.Rule.ID))
		}
	}
	wide = min(wide, p.Width()-indent-9)
	head := strings.Repeat(" ", indent) + text.Pad("", wide+8)
	for i := range p.Runs {
		head += text.Pad("  "+letter(i), 9)
	}
	p.Line(p.Paint(layout.Dim, head))
	told := 0
	for _, r := range p.Rows {
		if r.Sort() != s {
			continue
		}
		if told++; told > listed && s == Missed && p.detail != terminal.Full {
			p.Line(strings.Repeat(" ", indent) + "and " + text.Number(n-listed) + " more (see --verbose)")
			break
		}
		line := strings.Repeat(" ", indent) + text.Pad(r.Rule.ID, wide) + "  " + p.Paint(layout.Dim, text.Pad(string(r.Rule.Level), 6))
		for _, v := range r.Verdicts {
			cell, st := short(v)
			line += "  " + p.Paint(st, text.Pad(cell, 7))
		}
		p.Line(line)
		if s != Missed && r.Rule.Says != "" {
			p.Paragraph(indent+2, 0, layout.Dim, r.Rule.Says+section(r.Rule))
		}
	}
	p.Blank()
}

// section returns the section of the interface that a rule comes from.
func section(r spec.Rule) string {
	if r.Section == "" {
		return ""
	}
	return " (" + r.Section + ")"
}

// ledger writes the questions that are read differently and counts the others.
func (p *renderer) ledger() {
	all := p.Ambiguities()
	if len(all) > 0 {
		p.Line(p.Paint(layout.Bold, "READ DIFFERENTLY") + "  " + text.Count(len(all), "question") + " that the interface leaves open: what its authors may want to settle")
		for _, q := range all {
			p.question(q, false)
		}
		p.Blank()
	}
	worded, agreed := p.Worded(), p.Agreed()
	if p.detail == terminal.Full {
		for _, s := range []struct {
			title string
			all   []Question
		}{{"READ ALIKE, IN OTHER WORDS", worded}, {"READ ALIKE", agreed}} {
			if len(s.all) == 0 {
				continue
			}
			p.Line(p.Paint(layout.Bold, s.title) + "  " + text.Count(len(s.all), "question"))
			for _, q := range s.all {
				p.question(q, true)
			}
			p.Blank()
		}
		return
	}
	if n := len(worded) + len(agreed); n > 0 {
		p.Paragraph(0, 2, layout.Plain, text.Count(n, "question")+" read alike, "+text.Number(len(worded))+" of them answered in other words or counts (see --verbose).")
		p.Blank()
	}
}

// question writes a question with the answers of the runs. If whole is set, it includes answers on which all agree.
func (p *renderer) question(q Question, whole bool) {
	p.Paragraph(indent, 2, layout.Plain, p.Paint(layout.Bold, q.Rule.ID)+"  "+q.Asks()+section(q.Rule))
	for _, item := range q.Items {
		if !whole && !item.Differs {
			continue
		}
		if len(item.Asked) > 0 {
			p.Paragraph(indent+4, 2, layout.Plain, item.asked())
		}
		for _, g := range item.Groups() {
			p.Paragraph(indent+8, 2, layout.Plain, letters(g.Runs)+"  "+g.Answer)
		}
		if not := item.unasked(); len(not) > 0 {
			p.Paragraph(indent+8, 2, layout.Dim, letters(not)+"  not asked")
		}
	}
}

// change writes what changed since the first run.
func (p *renderer) change(ch *Change) {
	p.steps(layout.Red, "BROKE", ch.Broke, true)
	p.steps(layout.Green, "FIXED", ch.Fixed, false)
	p.steps(layout.Red, "STILL BROKEN", ch.Still, true)
	p.steps(layout.Yellow, "NO LONGER JUDGED", ch.Lost, false)
	p.steps(layout.Plain, "JUDGED NOW", ch.Gained, false)
	p.steps(layout.Plain, "NEW RULES", ch.New, false)
	p.steps(layout.Plain, "GONE RULES", ch.Gone, false)
	if n := len(ch.Questions); n > 0 {
		p.Line(p.Paint(layout.Bold, "ANSWERED OTHERWISE") + "  " + text.Count(n, "question") + " that the interface leaves open")
		for _, q := range ch.Questions {
			p.question(q, false)
		}
		p.Blank()
	}
	for _, s := range []struct {
		title string
		ids   []string
	}{{"NEW SCENARIOS", ch.Appeared}, {"GONE SCENARIOS", ch.Vanished}} {
		if len(s.ids) == 0 {
			continue
		}
		shown := s.ids
		if len(shown) > listed && p.detail != terminal.Full {
			shown = append(shown[:listed:listed], "and "+text.Number(len(s.ids)-listed)+" more")
		}
		p.Note(layout.Bold, s.title, text.Count(len(s.ids), "scenario")+": "+strings.Join(shown, ", "))
		p.Blank()
	}
	p.paces("SLOWER", ch.Slower)
	p.paces("QUICKER", ch.Quicker)
}

func (p *renderer) paces(title string, all []Pace) {
	if len(all) == 0 {
		return
	}
	var parts []string
	for _, pace := range all {
		parts = append(parts, pace.words())
	}
	p.Note(layout.Bold, title, strings.Join(parts, "; ")+"; no rule covers this")
	p.Blank()
}

func (p Pace) words() string {
	return text.Visible(p.Operation) + ", median " + text.Duration(p.Before.Median) + " before and " + text.Duration(p.After.Median) + " after"
}

// steps writes rules before and after. If long is set, it includes their causes.
func (p *renderer) steps(st layout.Style, title string, all []Step, long bool) {
	if len(all) == 0 {
		return
	}
	p.Line(p.Paint(st, title) + "  " + text.Count(len(all), "rule"))
	told := map[*Cause]string{}
	for i, s := range all {
		if !long && i == listed && p.detail != terminal.Full {
			p.Line(strings.Repeat(" ", indent) + "and " + text.Number(len(all)-i) + " more (see --verbose)")
			break
		}
		line := p.Paint(layout.Bold, s.Rule.ID) + "  " + string(s.Rule.Level)
		if s.Rule.Says != "" && long {
			line += "  " + s.Rule.Says
		}
		if s.Note != "" {
			line += " · " + s.Note
		}
		p.Paragraph(indent, 2, layout.Plain, line)
		if !long || s.Cause == nil || standing(s.After) != bad && standing(s.After) != known {
			continue
		}
		if by, before := told[s.Cause]; before {
			p.Paragraph(indent+4, 2, layout.Dim, "by the same cause as "+by)
			continue
		}
		told[s.Cause] = s.Rule.ID
		if s.Cause.Rule != s.Rule.ID {
			p.Paragraph(indent+4, 2, layout.Dim, "by the cause that "+s.Cause.Rule+" leads")
		}
		p.field("expected", s.Cause.Expected)
		p.field("actual", s.Cause.Actual)
		p.field("where", s.Cause.Where)
		p.field("repeated", s.Cause.Repeated)
		if s.Cause.Rerun != "" {
			p.Line(strings.Repeat(" ", indent+4) + text.Visible(s.Cause.Rerun))
		}
	}
	p.Blank()
}

func (p *renderer) field(label, value string) {
	if value != "" {
		p.Paragraph(indent+4, column-indent-4, layout.Plain, text.Pad(label, 10)+value)
	}
}
