package reports

import (
	"cmp"
	"strconv"
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

const (
	// bodyLines bounds what is shown of a body, in lines.
	bodyLines = 4
	// longCurl is the length in characters from which on a curl line is not shown but pointed to.
	longCurl = 4000
)

// block is one defect as it is told to a person: the promise, what was there instead, the proof, and how to see it again.
type block struct {
	label  string
	style  style
	rule   spec.Rule
	part   spec.Rule // the broken part of rule; its id is empty when it is rule itself
	lead   spec.Finding
	proof  []*spec.Exchange // the cited exchanges, the decisive one last; nil hides them
	curl   string
	rerun  string
	extent []string // how far it reaches
	// message is what a known violation would name; empty where nobody keeps a list of them.
	message string
}

// causeBlock makes the block of a cause.
func causeBlock(c verdict.Cause, b *verdict.Index, g *verdict.Gallery) block {
	r, _ := b.Rule(c.Rule)
	bl := block{
		label: "FAIL", style: red, rule: r, lead: c.Lead, curl: c.Curl, rerun: c.Rerun,
		proof: g.Cited(c.Lead), extent: c.Extent(),
	}
	if c.Lead.Rule != c.Rule {
		bl.part, _ = b.Rule(c.Lead.Rule)
	}
	return bl
}

// extent writes how far a defect reaches: in one line if it fits, else each part in lines of its own.
func (s *sheet) extent(parts []string) {
	if line := strings.Join(parts, " · "); prose.Columns(line) <= s.width-indent {
		parts = []string{line}
	}
	for _, part := range parts {
		s.paragraph(indent, 2, dim, prose.Visible(part))
	}
}

// block writes a block.
func (s *sheet) block(b block) {
	s.title(b.label, b.style, b.rule)
	says := b.rule.Says
	if b.rule.Source != "" {
		says += " (" + b.rule.Source + ")"
	}
	if says != "" {
		s.paragraph(indent, 0, plain, says)
	}
	s.blank()
	if b.part.ID != "" {
		s.field("example", b.part.ID+": "+b.part.Says)
	}
	s.field("expected", prose.Phrase(b.lead.Expected))
	s.field("actual", prose.Phrase(b.lead.Actual))
	if b.lead.Where != "" {
		s.field("where", prose.Phrase(b.lead.Where))
	}
	if b.message != "" {
		s.field("message", b.message)
	}
	s.story(b.lead.Story)
	if len(b.proof) > 0 {
		s.blank()
		s.proof(b.proof, b.lead.Pointer)
	}
	if b.curl != "" || b.rerun != "" {
		s.blank()
	}
	switch {
	case len(b.curl) > longCurl:
		s.paragraph(indent, 0, dim, "The curl line that repeats it is "+prose.Number(len(b.curl))+" characters long; the JSON report holds it.")
	case b.curl != "":
		for line := range strings.SplitSeq(b.curl, "\n") {
			s.line(strings.Repeat(" ", indent) + line)
		}
	}
	if b.rerun != "" {
		s.line(strings.Repeat(" ", indent) + prose.Visible(b.rerun))
	}
	if len(b.extent) > 0 {
		s.blank()
		s.extent(b.extent)
	}
}

// story tells how something that was generated came about, a request a line.
func (s *sheet) story(lines []string) {
	for i, line := range lines {
		if i == 0 {
			s.field("found by", prose.Phrase(line))
			continue
		}
		s.paragraph(column, 3, plain, prose.Phrase(line))
	}
}

// title writes a block's first line: the label, the rule, and at the right margin its level and section.
func (s *sheet) title(label string, st style, r spec.Rule) {
	left := prose.Pad(label, indent) + r.ID
	right := string(r.Level)
	if r.Section != "" {
		right += " · " + r.Section
	}
	painted := s.paint(st, label) + strings.Repeat(" ", max(indent-prose.Columns(label), 1)) + s.paint(bold, r.ID)
	if gap := s.width - prose.Columns(left) - prose.Columns(right); gap >= 2 {
		s.line(painted + strings.Repeat(" ", gap) + s.paint(dim, right))
		return
	}
	s.line(painted)
	s.paragraph(indent, 0, dim, right)
}

// proof shows exchanges: the decisive one with its bodies, those before it in a line each.
func (s *sheet) proof(exchanges []*spec.Exchange, pointer string) {
	last := exchanges[len(exchanges)-1]
	const before = 3
	earlier := exchanges[:len(exchanges)-1]
	if n := len(earlier) - before; n > 0 {
		s.field("before it", prose.Plural(n, "more exchange"))
		earlier = earlier[n:]
	}
	for _, ex := range earlier {
		s.field("before it", exchangeLine(ex))
	}
	request := requestLine(last)
	if last.About != "" {
		request += ", " + prose.Visible(last.About)
	}
	limit := bodyLines * (s.width - column)
	s.field("request", request)
	if len(last.Request.Body) > 0 {
		text, _ := excerpt(last.Request.Body, "", limit)
		s.verbatim(column, plain, text)
	}
	if id := traced(last); id != "" {
		s.field("trace id", id)
	}
	if last.Response == nil {
		s.field("response", "none: "+prose.Phrase(cmp.Or(last.Lost, "the connection was lost")))
		return
	}
	text, at := excerpt(last.Response.Body, pointer, limit)
	answer := answerLine(last)
	if at != "" {
		answer += ", here " + prose.Cut(prose.Visible(at), 80)
	}
	s.field("response", answer)
	if text != "" {
		s.verbatim(column, plain, text)
	}
}

// traced is the header by which an exchange is found in the target's logs.
func traced(ex *spec.Exchange) string {
	if ex.Correlation == "" {
		return ""
	}
	for name, values := range ex.Request.Header {
		if len(values) == 1 && values[0] == ex.Correlation {
			return prose.Visible(name + ": " + ex.Correlation)
		}
	}
	return prose.Visible(ex.Correlation)
}

// requestLine is the request's line: method and address.
func requestLine(ex *spec.Exchange) string {
	return prose.Visible(ex.Request.Method) + " " + prose.Phrase(ex.Request.URL)
}

// answerLine says what came back, without the body: "200, application/json, 2,911 bytes, 3 ms".
func answerLine(ex *spec.Exchange) string {
	r := ex.Response
	text := strconv.Itoa(r.Status) + ", "
	if media := strings.Join(r.Header.Values("Content-Type"), " and "); media != "" {
		text += prose.Cut(prose.Visible(media), 80)
	} else {
		text += "no Content-Type"
	}
	size := max(r.Size, len(r.Body))
	text += ", " + prose.Plural(size, "byte")
	switch {
	case r.TooLong:
		text += " and more"
	case len(r.Body) < size:
		text += " (" + prose.Number(len(r.Body)) + " kept)"
	}
	return text + ", " + prose.Duration(ex.Elapsed)
}

// exchangeLine tells an exchange in a line: "POST https://… → 201".
func exchangeLine(ex *spec.Exchange) string {
	const shown = 160 // of a body: enough for a plain one to be sent again
	line := requestLine(ex)
	if len(ex.Request.Body) > 0 {
		line += " " + prose.Cut(prose.Visible(string(ex.Request.Body)), shown)
	}
	line += " → "
	if ex.Response == nil {
		return line + "no response"
	}
	return line + strconv.Itoa(ex.Response.Status)
}
