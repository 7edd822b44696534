package failure

import (
	"cmp"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/reports/layout"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/reports/view"
	"hallmark/spec"
)

const (
	// textWidth is the width of the blocks in other formats, in columns, and maxBlocks how many findings of one scenario are
	// told there at length.
	textWidth = 100
	maxBlocks = 8
	// bodyLines bounds what is shown of a body, in lines.
	bodyLines = 4
	// longCurl is the length in characters from which on a curl line is not shown but pointed to.
	longCurl = 4000
)

// Block is one defect as it is told to a person: the promise, what was there instead, the proof, and how to see it again.
type Block struct {
	// Label is FAIL, WARN, UNDECIDED or KNOWN, Style how it is set off.
	Label string
	Style layout.Style
	// Entry is what an entry of known violations would name; empty where nobody keeps a list of them.
	Entry string
	// Exchanges are those that lead cites, the decisive one last; nil hides them.
	Exchanges []*spec.Exchange

	rule   spec.Rule
	part   spec.Rule // the broken part of rule; its id is empty when it is rule itself
	lead   spec.Finding
	curl   string
	rerun  string
	extent []string // how far it reaches
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
	return b
}

// writeExtent writes how far a defect reaches: in one line if it fits, else each part in lines of its own.
func writeExtent(p *layout.Page, parts []string) {
	if line := strings.Join(parts, " · "); text.Columns(line) <= p.Width()-layout.Indent {
		parts = []string{line}
	}
	for _, part := range parts {
		p.Paragraph(layout.Indent, 2, layout.Dim, text.Visible(part))
	}
}

// Write writes the block on a page.
func (b Block) Write(p *layout.Page) {
	Title(p, b.Label, b.Style, b.rule)
	says := b.rule.Says
	if b.rule.Source != "" {
		says += " (" + b.rule.Source + ")"
	}
	if says != "" {
		p.Paragraph(layout.Indent, 0, layout.Plain, says)
	}
	p.Blank()
	if b.part.ID != "" {
		p.Field("example", b.part.ID+": "+b.part.Says)
	}
	p.Field("expected", text.Short(b.lead.Expected.String()))
	p.Field("actual", text.Short(b.lead.Actual.String()))
	if !b.lead.Where.IsZero() {
		p.Field("where", text.Short(b.lead.Where.String()))
	}
	if b.Entry != "" {
		p.Field("entry", text.Visible(b.Entry))
	}
	writeStory(p, b.lead.Story)
	if len(b.Exchanges) > 0 {
		p.Blank()
		writeExchanges(p, b.Exchanges, b.lead)
	}
	if b.curl != "" || b.rerun != "" {
		p.Blank()
	}
	switch {
	case len(b.curl) > longCurl:
		p.Paragraph(layout.Indent, 0, layout.Dim, "The curl line that repeats it is "+text.Number(len(b.curl))+" characters long; the JSON report holds it.")
	case b.curl != "":
		for line := range strings.SplitSeq(b.curl, "\n") {
			p.Line(strings.Repeat(" ", layout.Indent) + line)
		}
	}
	if b.rerun != "" {
		p.Line(strings.Repeat(" ", layout.Indent) + text.Visible(b.rerun))
	}
	if len(b.extent) > 0 {
		p.Blank()
		writeExtent(p, b.extent)
	}
}

// writeStory writes how something that was generated came about, a request a line.
func writeStory(p *layout.Page, lines []string) {
	for i, line := range lines {
		if i == 0 {
			p.Field("found by", text.Short(line))
			continue
		}
		p.Paragraph(layout.Column, 3, layout.Plain, text.Short(line))
	}
}

// Title writes a block's first line: the label, the rule, and at the right margin its level and section.
func Title(p *layout.Page, label string, st layout.Style, r spec.Rule) {
	left := text.Pad(label, layout.Indent) + r.ID
	right := string(r.Level)
	if r.Section != "" {
		right += " · " + r.Section
	}
	painted := p.Paint(st, label) + strings.Repeat(" ", max(layout.Indent-text.Columns(label), 1)) + p.Paint(layout.Bold, r.ID)
	if gap := p.Width() - text.Columns(left) - text.Columns(right); gap >= 2 {
		p.Line(painted + strings.Repeat(" ", gap) + p.Paint(layout.Dim, right))
		return
	}
	p.Line(painted)
	p.Paragraph(layout.Indent, 0, layout.Dim, right)
}

// compares reports whether a finding is about what two responses show together, so that a reader has to see both.
func compares(f spec.Finding) bool {
	return f.Kind == spec.KindDuplicate || f.Kind == spec.KindDiffers || f.Kind == spec.KindAnother
}

// writeExchanges shows the exchanges of a finding: the decisive one with its bodies, those before it in a line each, and with their
// responses where the finding compares them.
func writeExchanges(p *layout.Page, exchanges []*spec.Exchange, f spec.Finding) {
	last := exchanges[len(exchanges)-1]
	limit := bodyLines * (p.Width() - layout.Column)
	const before = 3
	earlier := exchanges[:len(exchanges)-1]
	if n := len(earlier) - before; n > 0 {
		p.Field("before it", text.Count(n, "more exchange"))
		earlier = earlier[n:]
	}
	for _, ex := range earlier {
		p.Field("before it", view.ExchangeLine(ex))
		if compares(f) && ex.Response != nil && len(ex.Response.Body) > 0 {
			body, _ := view.Excerpt(ex.Response.Body, f.Pointer, limit)
			p.Verbatim(layout.Column, layout.Dim, body)
		}
	}
	request := view.RequestLine(last)
	if last.About != "" {
		request += ", " + text.Visible(last.About)
	}
	p.Field("request", request)
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
	body, at := view.Excerpt(last.Response.Body, f.Pointer, limit)
	answer := view.AnswerLine(last)
	if at != "" {
		answer += ", here " + text.Elide(text.Visible(at), 80)
	}
	p.Field("response", answer)
	if body != "" {
		p.Verbatim(layout.Column, layout.Plain, body)
	}
}

// traced is the header by which an exchange is found in the target's logs.
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

// Text returns findings of a scenario at length, in the same form as the terminal does: label, which is FAIL, WARN or KNOWN, the
// rule, what was expected and what came, the exchange, and how to see it again.
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
		asked := f.Rule
		if !slices.Contains(sc.Rules, asked) && len(sc.Rules) > 0 {
			asked = sc.Rules[0]
		}
		b.rerun = v.Rerun(asked)
		b.Write(p)
	}
	return p.String()
}

// CauseText returns a cause at length, as the terminal does.
func CauseText(v *view.View, c *verdict.Cause, label string) string {
	p := layout.New(textWidth, false)
	b := OfCause(v, c)
	if b.Label = label; c.Undecided {
		b.Label = verdict.UndecidedMark
	}
	b.Write(p)
	return p.String()
}
