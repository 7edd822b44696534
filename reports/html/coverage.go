package html

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// coverage says how much of the contract was judged. The lines of the operations are packed.
type coverage struct {
	Totals     []coverageTotal
	Operations int
	Part       int // the place of the packed part
}

// coverageTotal counts one dimension.
type coverageTotal struct {
	Name, Says, Percent visible
	// Width is the part of the bar that was judged, in percent; Broken the part that was found broken.
	Width, Broken float64
}

// coverageLine is the line of an operation: its responses, and how much of the rest was judged.
type coverageLine struct {
	coverageMark
	Anchor          string
	Operation       visible
	Statuses        []coverageMark
	Media           coverageRest
	Parameters      coverageRest
	Schemas, Reason visible
}

// coverageRest counts media types or parameters, and names those that are not right.
type coverageRest struct {
	Says  visible
	Marks []coverageMark
}

// coverageMark is something that the contract has, in the look of what is known about it.
type coverageMark struct {
	look
	Sign, Name visible
	// Title says what is known, with the reason if it was not judged.
	Title visible
}

// unitCoverage is the coverage on the page of an operation.
type unitCoverage struct {
	Summary visible
	Groups  []coverageGroup
}

// coverageGroup lists elements of one dimension.
type coverageGroup struct {
	Title visible
	Rows  []coverageRow
}

// coverageRow is an element, and what is known about it.
type coverageRow struct {
	coverageMark
	Says visible
	// Missing are keywords and branches of a schema that are not right; More counts further ones.
	Missing []coverageMark
	More    int
}

// markOf returns the mark of an element.
func markOf(name string, j record.Judgement, title string) coverageMark {
	m := coverageMark{Name: visible(name), Title: visible(title)}
	switch j {
	case record.JudgedRight:
		m.look, m.Sign = look{"conforms", "right"}, "✓"
	case record.JudgedBroken:
		m.look, m.Sign = look{"violated", "broken"}, "✕"
	case record.OnlySeen:
		m.look, m.Sign = look{"observed", "only seen"}, "○"
	case record.Never:
		m.look, m.Sign = look{"unasked", "never"}, "–"
	}
	return m
}

// elementMark returns the mark of a response, a media type or a parameter, with the number of exchanges, and the reason of a gap.
func elementMark(e *view.ElementCoverage) coverageMark {
	return markOf(e.Name, e.Judgement, e.Name+": "+judgementWords(e.Judgements, e.Judgement, e.Reason))
}

// judgementWords says what is known: "right in 9 exchanges", "never: no request had it".
func judgementWords(n record.Judgements, j record.Judgement, reason string) string {
	var parts []string
	for _, one := range []struct {
		word  string
		count int
	}{{"broken", n.Broken}, {"right", n.Right}, {"only seen", n.Seen}} {
		if one.count > 0 {
			parts = append(parts, one.word+" in "+text.Count(one.count, "exchange"))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, j.String())
	}
	says := strings.Join(parts, ", ")
	if reason != "" {
		says += ": " + reason
	}
	return says
}

// collectCoverage collects the coverage of all operations. There is none if the record does not know it.
func (p *page) collectCoverage() {
	c := p.view.Coverage()
	if c == nil || len(c.Operations) == 0 {
		return
	}
	p.Coverage.Operations = len(c.Operations)
	for _, t := range c.Totals {
		if t.All == 0 {
			continue
		}
		words := verdict.DimensionWords(t.Dimension)
		one := coverageTotal{
			Name: visible(strings.ToUpper(words[:1]) + words[1:]), Says: visible(totalSays(t.Covered)), Percent: visible(verdict.Percent(t.Covered)),
			Width: share100(t.Judged, t.All), Broken: share100(t.Broken, t.All),
		}
		p.Coverage.Totals = append(p.Coverage.Totals, one)
	}
	var lines []coverageLine
	for i := range c.Operations {
		op := &c.Operations[i]
		lines = append(lines, p.coverageLine(op))
		if at, known := p.unitOf[op.ID]; known {
			p.coverageOf[at] = op
		}
	}
	p.Coverage.Part = p.addPart("coverage-matrix", lines)
}

func share100(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// totalSays says how much was judged: "41 of 60, 1 broken, 3 only seen".
func totalSays(c record.Covered) string {
	says := text.Number(c.Judged) + " of " + text.Number(c.All)
	if c.Broken > 0 {
		says += ", " + text.Number(c.Broken) + " broken"
	}
	if c.Seen > 0 {
		says += ", " + text.Number(c.Seen) + " only seen"
	}
	return says
}

func (p *page) coverageLine(op *view.OperationCoverage) coverageLine {
	line := coverageLine{coverageMark: markOf(op.ID, op.Judgement, ""), Operation: visible(op.ID), Reason: visible(op.Reason)}
	if at, known := p.unitOf[op.ID]; known {
		line.Anchor = p.units[at].Anchor
	}
	for i := range op.Statuses {
		line.Statuses = append(line.Statuses, elementMark(&op.Statuses[i]))
	}
	line.Media, line.Parameters = restOf(op.Media), restOf(op.Parameters)
	if t := op.Total(record.Schemas); t.All > 0 {
		line.Schemas = visible(text.Number(t.Judged) + " of " + text.Number(t.All))
	}
	return line
}

// restOf counts media types or parameters, and names those that are not right, unless they only go with a response that is not.
func restOf(all []view.ElementCoverage) coverageRest {
	var rest coverageRest
	judged := 0
	for i := range all {
		if all[i].Judgement.Judged() {
			judged++
		}
		if all[i].Judgement != record.JudgedRight && all[i].Requested {
			rest.Marks = append(rest.Marks, elementMark(&all[i]))
		}
	}
	if len(all) > 0 {
		rest.Says = visible(text.Number(judged) + " of " + text.Number(len(all)))
	}
	return rest
}

// mostMissing is how many keywords and branches of a schema are named.
const mostMissing = 30

// unitCoverageOf returns the coverage for the page of an operation, or nil.
func unitCoverageOf(op *view.OperationCoverage) *unitCoverage {
	if op == nil {
		return nil
	}
	c := &unitCoverage{Summary: visible(op.Summary())}
	for _, group := range []struct {
		title string
		all   []view.ElementCoverage
	}{{"Responses", op.Statuses}, {"Media types", op.Media}, {"Parameters", op.Parameters}} {
		var rows []coverageRow
		for i := range group.all {
			e := &group.all[i]
			rows = append(rows, coverageRow{coverageMark: markOf(e.Name, e.Judgement, ""), Says: visible(judgementWords(e.Judgements, e.Judgement, e.Reason))})
		}
		c.addGroup(group.title, rows)
	}
	var rows []coverageRow
	for i := range op.Schemas {
		rows = append(rows, schemaRow(&op.Schemas[i]))
	}
	c.addGroup("Keywords and branches of schemas", rows)
	return c
}

func (c *unitCoverage) addGroup(title string, rows []coverageRow) {
	if len(rows) > 0 {
		c.Groups = append(c.Groups, coverageGroup{visible(title), rows})
	}
}

func schemaRow(s *view.SchemaCoverage) coverageRow {
	j := record.Never
	switch {
	case s.Broken > 0:
		j = record.JudgedBroken
	case s.Judged > 0:
		j = record.JudgedRight
	case s.Seen > 0:
		j = record.OnlySeen
	}
	row := coverageRow{coverageMark: markOf(s.Of, j, ""), Says: visible(totalSays(s.Covered))}
	if s.Reason != "" {
		row.Says += visible(": " + s.Reason)
	}
	row.More = s.More + max(len(s.Elements)-mostMissing, 0)
	for _, e := range s.Elements[:min(len(s.Elements), mostMissing)] {
		where := e.Pointer
		if e.Line > 0 {
			where = "line " + strconv.Itoa(e.Line) + ", " + where
		}
		row.Missing = append(row.Missing, markOf(e.Name, e.Judgement, where))
	}
	return row
}
