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
	// bodyLines is the maximum number of lines shown of a body.
	bodyLines = 4
	// longCurl is the number of characters from which on a curl command is only referred to.
	longCurl = 4000
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

	rule   spec.Rule
	part   spec.Rule // the violated part of rule; its id is empty for rule itself
	lead   spec.Finding
	curl   string
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

// writeExtent writes the extent of a defect, on one line if it fits.
func writeExtent(p *layout.Page, parts []string) {
	if line := strings.Join(parts, " · "); text.Columns(line) <= p.Width()-layout.Indent {
		parts = []string{line}
	}
	for _, part := range parts {
		p.Paragraph(layout.Indent, 2, layout.Dim, text.Visible(part))
	}
}

// Write writes the block to a page.
func (b Block) Write(p *layout.Page) {
	Title(p, b.Label, b.Style, b.rule, b.lead.ID())
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

// writeStory writes the steps that led to a generated finding, one line per request.
func writeStory(p *layout.Page, lines []string) {
	for i, line := range lines {
		if i == 0 {
			p.Field("found by", text.Short(line))
			continue
		}
		p.Paragraph(layout.Column, 3, layout.Plain, text.Short(line))
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

// writeExchanges writes the exchanges of a finding: the decisive one with its bodies, the preceding ones on a line each, with their
// responses if the finding compares them.
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
