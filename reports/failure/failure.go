package failure

import (
	"cmp"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// textWidth is the width of blocks in other formats, in columns, and maxBlocks the maximum number of findings of a scenario that
	// are shown there in detail.
	textWidth = 100
	maxBlocks = 8
	// longCurl is the number of characters from which on a curl command is only referred to.
	longCurl = 4000
	// shortCurl is the maximum number of lines of a curl command in a block of limited length.
	shortCurl = 4
)

// economy limits the lines of a block.
type economy struct {
	// body is the maximum number of lines of a body, before that of exchanges before the decisive one, extent that of lines about the extent,
	// and value that of lines of a sentence or a value; 0 sets no limit.
	body, before, extent, value int
	// curl is the maximum number of lines of a command; 0 sets no limit, and shows the whole script.
	curl int
	// sourceless leaves out where the rule comes from.
	sourceless bool
}

// The economies of a block, from the most generous to the most frugal.
var (
	unlimited = economy{body: 4, before: 3}
	economies = [...]economy{
		{body: 4, before: 3, curl: shortCurl},
		{body: 4, before: 3, curl: shortCurl, extent: 3, sourceless: true},
		{body: 3, before: 3, curl: shortCurl, extent: 2, sourceless: true, value: 4},
		{body: 2, before: 2, curl: shortCurl, extent: 2, sourceless: true, value: 3},
		{body: 2, before: 2, curl: 2, extent: 1, sourceless: true, value: 2},
		{body: 1, before: 1, curl: 1, extent: 1, sourceless: true, value: 1},
	}
)

// Block is one defect as shown to a person: the rule, what was received instead, the evidence, and how to reproduce it.
type Block struct {
	// Label is FAIL, WARN, UNDECIDED or KNOWN, and Style its style.
	Label string
	Style layout.Style
	// Entry is the entry for a list of known violations, or "" if there is no such list.
	Entry string
	// Exchanges are the exchanges that lead cites, the decisive one last; nil hides them.
	Exchanges []*spec.Exchange
	// Replay is the command that repeats the failure from the journal of the run; "" if there is no journal.
	Replay string
	// Script is the command that prints all requests as a script, in place of which it is shown; "" if there is none.
	Script string

	rule   spec.Rule
	part   spec.Rule // the violated part of rule; its id is empty for rule itself
	lead   spec.Finding
	curl   string
	single string // the command that sends the only request that shows it, or ""
	rerun  string
	extent []string // the extent of the defect
}

// OfCause returns the block of a cause.
func OfCause(v *view.View, c *verdict.Cause) Block {
	b := Block{
		Label: "FAIL", Style: layout.Red, Exchanges: v.Cited(c.Lead),
		rule: v.Rule(c.Rule), lead: c.Lead, curl: c.Curl, rerun: c.Rerun, extent: c.Extent(),
	}
	if c.Lead.Rule != c.Rule {
		b.part = v.Rule(c.Lead.Rule)
	}
	if last := len(b.Exchanges) - 1; last == 0 || last > 0 && c.Lead.Status != 0 && v.Record.Target.StandsAlone(v.Replay(c.Lead)) {
		b.single = v.Record.Target.Script(b.Exchanges[last:], c.Lead)
	}
	return b
}

// OfFinding returns the block of all findings with an id.
func OfFinding(v *view.View, f view.Finding) Block {
	if f.Leads {
		return OfCause(v, f.Cause)
	}
	b := Block{Label: "FAIL", Style: layout.Red, Exchanges: v.Cited(f.Example), rule: v.Rule(f.Example.Rule), lead: f.Example, rerun: f.Rerun}
	b.curl = v.Record.Target.Script(v.Replay(f.Example), f.Example)
	return b
}

// writeExtent writes the extent of a defect, on one line if it fits, else on at most so many lines; 0 sets no limit.
func writeExtent(p *layout.Page, parts []string, most int) {
	if line := strings.Join(parts, " · "); text.Columns(line) <= p.Width()-layout.Indent {
		parts = []string{line}
	}
	for i, part := range parts {
		part = text.Visible(part)
		if most > 0 {
			if i == most {
				return
			}
			part = text.TruncateColumns(part, p.Width()-layout.Indent)
		}
		p.Paragraph(layout.Indent, 2, layout.Dim, part)
	}
}

// Write writes the block to a page.
func (b Block) Write(p *layout.Page) { b.write(p, unlimited) }

// WriteWithin writes the block to a page on at most so many lines of the page's width, if a block can be that short. It has no script: a
// single short curl command, or nothing.
func (b Block) WriteWithin(p *layout.Page, lines int) {
	chosen := economies[len(economies)-1]
	for _, e := range economies {
		draft := layout.New(p.Width(), false)
		if b.write(draft, e); draft.Lines() <= lines {
			chosen = e
			break
		}
	}
	b.write(p, chosen)
}

// write writes the block to a page with some economy.
func (b Block) write(p *layout.Page, e economy) {
	Title(p, b.Label, b.Style, b.rule, b.lead.ID())
	says := b.rule.Says
	if b.rule.Source != "" && !e.sourceless {
		says += " (" + b.rule.Source + ")"
	}
	if says != "" {
		p.Paragraph(layout.Indent, 0, layout.Plain, e.sentence(says, p.Width()-layout.Indent))
	}
	p.Blank()
	wide := p.Width() - layout.Column
	if b.part.ID != "" {
		p.Field("example", e.sentence(b.part.ID+": "+b.part.Says, wide))
	}
	p.Field("expected", e.sentence(text.Short(b.lead.Expected.String()), wide))
	p.Field("actual", e.sentence(text.Short(b.lead.Actual.String()), wide))
	if !b.lead.Where.IsZero() {
		p.Field("where", e.sentence(text.Short(b.lead.Where.String()), wide))
	}
	if b.Entry != "" {
		p.Field("entry", text.Visible(b.Entry))
	}
	if len(b.Exchanges) > 0 {
		p.Blank()
		writeExchanges(p, b.Exchanges, b.lead, e)
	}
	b.writeCommands(p, e)
	if len(b.extent) > 0 {
		p.Blank()
		writeExtent(p, b.extent, e.extent)
	}
}

// sentence returns a sentence that takes no more lines of a width than there may be.
func (e economy) sentence(s string, width int) string {
	if e.value == 0 {
		return s
	}
	return text.TruncateColumns(s, e.value*width-width/8*(e.value-1)) // lines end between words
}

// writeCommands writes the commands that repeat the failure.
func (b Block) writeCommands(p *layout.Page, e economy) {
	if b.curl == "" && b.rerun == "" && b.Replay == "" {
		return
	}
	if b.Script != "" && e.curl == 0 {
		e.curl = shortCurl
	}
	p.Blank()
	switch {
	case e.curl > 0:
		if single := strings.Repeat(" ", layout.Indent) + b.single; b.single != "" && p.LinesOf(single) <= e.curl {
			p.Line(single)
		}
	case len(b.curl) > longCurl:
		p.Paragraph(layout.Indent, 0, layout.Dim, "The curl line that repeats it is "+text.Number(len(b.curl))+" characters long; the JSON report holds it.")
	case b.curl != "":
		for line := range strings.SplitSeq(b.curl, "\n") {
			p.Line(strings.Repeat(" ", layout.Indent) + line)
		}
	}
	if b.Replay != "" {
		p.Line(strings.Repeat(" ", layout.Indent) + text.Visible(b.Replay))
	}
	if b.Script != "" {
		p.Line(strings.Repeat(" ", layout.Indent) + text.Visible(b.Script))
	}
	if b.rerun != "" && (b.Replay == "" || e.value == 0) {
		p.Line(strings.Repeat(" ", layout.Indent) + text.Visible(b.rerun))
	}
}

// Title writes the first line of a block: the label, the rule and the id of the finding (none if it is empty), with level and section at the
// right margin.
func Title(p *layout.Page, label string, st layout.Style, r spec.Rule, id string) {
	if id != "" {
		id = "  " + id
	}
	left := text.Pad(label, layout.Indent) + r.ID + id
	right := string(r.Level)
	if r.Section != "" {
		right += " · " + r.Section
	}
	painted := p.Paint(st, label) + strings.Repeat(" ", max(layout.Indent-text.Columns(label), 1)) + p.Paint(layout.Bold, r.ID) + p.Paint(layout.Dim, id)
	if gap := p.Width() - text.Columns(left) - text.Columns(right); gap >= 2 {
		p.Line(painted + strings.Repeat(" ", gap) + p.Paint(layout.Dim, right))
		return
	}
	p.Line(painted)
	p.Paragraph(layout.Indent, 0, layout.Dim, right)
}

// compares reports whether a finding compares two responses, so that a reader needs both.
func compares(f spec.Finding) bool {
	return f.Kind == spec.KindDuplicate || f.Kind == spec.KindDiffers || f.Kind == spec.KindAnother
}

// writeExchanges writes the exchanges of a finding: the decisive one with its bodies, the preceding ones on a line each. If the finding
// compares responses, those of the preceding ones are shown too, and what they have in common is marked.
func writeExchanges(p *layout.Page, exchanges []*spec.Exchange, f spec.Finding, e economy) {
	last := exchanges[len(exchanges)-1]
	limit := e.body * (p.Width() - layout.Column)
	earlier := exchanges[:len(exchanges)-1]
	if n := len(earlier) - e.before; n > 0 {
		p.Field("before it", text.Count(n, "more exchange"))
		earlier = earlier[n:]
	}
	mark := markOf(f)
	for _, ex := range earlier {
		p.Field("before it", e.sentence(view.ExchangeLine(ex), p.Width()-layout.Column))
		if compares(f) && ex.Response != nil && len(ex.Response.Body) > 0 {
			pointer := f.Pointer
			if places := view.PlacesOf(ex.Response.Body, mark); len(places) > 0 {
				pointer = places[0]
			}
			body, _ := view.Excerpt(ex.Response.Body, pointer, limit)
			p.Marked(layout.Column, layout.Dim, body, mark)
		}
	}
	p.Field("request", e.sentence(view.AskedLine(last), p.Width()-layout.Column))
	if len(last.Request.Body) > 0 {
		text, _ := view.Excerpt(last.Request.Body, "", limit)
		p.Verbatim(layout.Column, layout.Plain, text)
	}
	if id := traced(last); id != "" {
		p.Field("trace id", id)
	}
	if last.Response == nil {
		p.Field("response", "none: "+text.Short(cmp.Or(last.Lost, "the connection was lost")))
		return
	}
	for i, pointer := range shownIn(last.Response.Body, f, mark) {
		body, at := view.Excerpt(last.Response.Body, pointer, limit)
		answer, label := view.AnswerLine(last), "response"
		if i > 0 {
			answer, label = "the same response", ""
		}
		if at != "" {
			answer += ", here " + text.Elide(text.Visible(at), 80)
		}
		p.Field(label, answer)
		if body != "" {
			p.Marked(layout.Column, layout.Plain, body, mark)
		}
		if at == "" {
			return // the whole body
		}
	}
}

// markOf returns the value that the evidence of a finding shows: the identifier of the resource that it is about, or "".
func markOf(f spec.Finding) string {
	if len(f.About.IDs) == 1 {
		return f.About.IDs[0]
	}
	return ""
}

// shownIn returns the places of a response that show a finding: its pointer, else that of the identifier that it is about, and both places
// of a resource that the response holds twice.
func shownIn(body []byte, f spec.Finding, mark string) []string {
	if f.Pointer != "" && f.Kind != spec.KindDuplicate {
		return []string{f.Pointer}
	}
	switch places := view.PlacesOf(body, mark); {
	case len(places) == 0:
		return []string{f.Pointer}
	case f.Kind != spec.KindDuplicate || len(places) == 1:
		return places[:1]
	default:
		return places[:2]
	}
}

// traced returns the header by which an exchange is found in the target's logs.
func traced(ex *spec.Exchange) string {
	if ex.Correlation == "" {
		return ""
	}
	for name, values := range ex.Request.Header {
		if len(values) == 1 && values[0] == ex.Correlation {
			return text.Visible(name + ": " + ex.Correlation)
		}
	}
	return text.Visible(ex.Correlation)
}

// Text returns the findings of a scenario in detail, in the same form as on the terminal: the label (FAIL, WARN or KNOWN), the rule, what was
// expected and received, the exchange, and how to reproduce it.
func Text(v *view.View, sc *record.Scenario, findings []spec.Finding, label string) string {
	p := layout.New(textWidth, false)
	for i, f := range findings {
		if i == maxBlocks {
			p.Line("and " + text.Count(len(findings)-i, "more finding"))
			break
		}
		if i > 0 {
			p.Blank()
		}
		b := Block{Label: label, rule: v.Rule(f.Rule), lead: f, Exchanges: v.Cited(f), extent: []string{sc.ID}}
		b.curl = v.Record.Target.Script(v.Replay(f), f)
		if c := v.CauseOf(sc, f); c != nil {
			if said := c.Confirmation.Sentence(); said != "" {
				b.extent = append(b.extent, said)
			}
			if c.Undecided {
				b.Label = verdict.UndecidedMark
			}
			if said := record.OpinionText(c.Opinion); said != "" {
				b.extent = append(b.extent, said)
			}
		}
		b.rerun = v.RerunOf(sc, f)
		b.Write(p)
	}
	return p.String()
}

// CauseText returns a cause in detail, as on the terminal.
func CauseText(v *view.View, c *verdict.Cause, label string) string {
	p := layout.New(textWidth, false)
	b := OfCause(v, c)
	if b.Label = label; c.Undecided {
		b.Label = verdict.UndecidedMark
	}
	b.Write(p)
	return p.String()
}
