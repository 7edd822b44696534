package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec/coverage"
)

// Coverage says how much of the contract was judged, and why the rest was not.
type Coverage struct {
	Totals []CoverageTotal
	// Operations are in the order of the document.
	Operations []OperationCoverage
}

// CoverageTotal counts one dimension.
type CoverageTotal struct {
	Dimension record.Dimension
	record.Covered
}

// OperationCoverage is the coverage of one operation.
type OperationCoverage struct {
	ID, Method, Path string
	Judgement        record.Judgement
	record.Judgements
	// Reason says why it was not judged.
	Reason                      string
	Totals                      []CoverageTotal
	Statuses, Media, Parameters []ElementCoverage
	Schemas                     []SchemaCoverage
}

// ElementCoverage is the coverage of a documented response, a media type or a parameter. Requested reports whether it is part of requests.
type ElementCoverage struct {
	Name      string
	Requested bool
	Judgement record.Judgement
	record.Judgements
	Reason string
}

// SchemaCoverage is the coverage of the schema of a JSON body or a parameter.
type SchemaCoverage struct {
	Of string
	record.Covered
	// Reason says why nothing of it was judged.
	Reason string
	// Elements are the keywords and branches that were not judged, or found broken. They are empty if the contract is not at hand, or the body or
	// parameter itself was never judged.
	Elements []SchemaElement
	// More counts those beyond the first [MostElements].
	More int
}

// MostElements is how many keywords and branches of a schema are listed.
const MostElements = 100

// SchemaElement is a keyword or branch of a schema.
type SchemaElement struct {
	Name, Pointer string
	Line          int
	Judgement     record.Judgement
}

// Coverage returns the coverage of the contract, or nil if the record does not know it.
func (v *View) Coverage() *Coverage {
	rec := v.Record.Coverage
	if rec == nil {
		return nil
	}
	out, reasons := &Coverage{}, verdict.NewCoverageReasons(v.Record)
	for _, d := range record.Dimensions() {
		out.Totals = append(out.Totals, CoverageTotal{d, rec.Covered(d)})
	}
	for i := range rec.Operations {
		out.Operations = append(out.Operations, v.operationCoverage(&rec.Operations[i], reasons))
	}
	return out
}

func (v *View) operationCoverage(op *record.OperationCoverage, reasons *verdict.CoverageReasons) OperationCoverage {
	one := OperationCoverage{
		ID: op.Operation, Method: op.Method, Path: op.Path, Judgement: op.Judgement(), Judgements: op.Judgements, Reason: reasons.Operation(op),
	}
	for _, d := range record.Dimensions() {
		one.Totals = append(one.Totals, CoverageTotal{d, op.Covered(d)})
	}
	elements := func(all []record.ElementCoverage, reason func(*record.OperationCoverage, *record.ElementCoverage) string) []ElementCoverage {
		var out []ElementCoverage
		for i := range all {
			out = append(out, ElementCoverage{all[i].Name, all[i].Requested(), all[i].Judgement(), all[i].Judgements, reason(op, &all[i])})
		}
		return out
	}
	one.Statuses = elements(op.Statuses, reasons.Status)
	one.Media = elements(op.Media, reasons.MediaType)
	one.Parameters = elements(op.Parameters, reasons.Parameter)
	var listed []coverage.Schema
	if v.Contract != nil {
		if known, is := v.Contract.Operation(op.Operation); is {
			listed = coverage.Of(known).Schemas
		}
	}
	for i := range op.Schemas {
		one.Schemas = append(one.Schemas, v.schemaCoverage(&op.Schemas[i], reasons.Schema(op, &op.Schemas[i]), listed))
	}
	return one
}

func (v *View) schemaCoverage(s *record.SchemaCoverage, reason string, listed []coverage.Schema) SchemaCoverage {
	judged := s.Judgements()
	out := SchemaCoverage{Of: s.Of, Covered: record.Count(judged), Reason: reason}
	at := slices.IndexFunc(listed, func(one coverage.Schema) bool { return one.Of == s.Of })
	if at < 0 || len(listed[at].Elements) != len(judged) || reason != "" {
		return out
	}
	for i, e := range listed[at].Elements {
		switch {
		case judged[i] == record.JudgedRight:
		case len(out.Elements) == MostElements:
			out.More++
		default:
			pointer := e.Pointer()
			out.Elements = append(out.Elements, SchemaElement{e.String(), pointer, v.Contract.Line(pointer), judged[i]})
		}
	}
	return out
}

// Summary says how much was judged: "operations 17 of 25, statuses 41 of 60 (1 broken)".
func (c *Coverage) Summary() string {
	var parts []string
	for _, t := range c.Totals {
		if t.All == 0 {
			continue
		}
		says := t.words()
		if t.Broken > 0 {
			says += " (" + text.Number(t.Broken) + " broken)"
		}
		parts = append(parts, says)
	}
	return strings.Join(parts, ", ")
}

// words says how much was judged: "statuses 41 of 60".
func (t CoverageTotal) words() string {
	return strings.ReplaceAll(string(t.Dimension), "-", " ") + " " + text.Number(t.Judged) + " of " + text.Number(t.All)
}

// Total returns the count of one dimension.
func (c *OperationCoverage) Total(d record.Dimension) record.Covered {
	for _, t := range c.Totals {
		if t.Dimension == d {
			return t.Covered
		}
	}
	return record.Covered{}
}

// Whole reports whether all of the operation was judged, and found right.
func (c *OperationCoverage) Whole() bool {
	return !slices.ContainsFunc(c.Totals, func(t CoverageTotal) bool { return t.Judged < t.All || t.Broken > 0 })
}

// mostMissing is how many statuses, media types or parameters are named that were not judged.
const mostMissing = 6

// Summary says what of the operation was not judged, and why: "statuses 4 of 7 (never 404, 409, 415)". It is on one line.
func (c *OperationCoverage) Summary() string {
	if c.Reason != "" {
		return "not judged: " + c.Reason
	}
	elements := map[record.Dimension][]ElementCoverage{record.Statuses: c.Statuses, record.MediaTypes: c.Media, record.Parameters: c.Parameters}
	var parts []string
	for _, t := range c.Totals {
		if t.Judged == t.All && t.Broken == 0 {
			continue
		}
		by := map[record.Judgement][]string{}
		for _, e := range elements[t.Dimension] {
			if e.Judgement != record.JudgedRight {
				by[e.Judgement] = append(by[e.Judgement], e.Name)
			}
		}
		var named []string
		for _, j := range []record.Judgement{record.JudgedBroken, record.OnlySeen, record.Never} {
			names := by[j]
			if n := len(names) - mostMissing; n > 0 {
				names = append(slices.Clone(names[:mostMissing]), text.Number(n)+" more")
			}
			if len(names) > 0 {
				named = append(named, j.String()+" "+strings.Join(names, ", "))
			}
		}
		says := t.words()
		switch {
		case t.Dimension == record.MediaTypes && len(c.Media) == t.All && t.Broken == 0:
			// Its names would repeat those of the statuses.
		case len(named) > 0:
			says += " (" + strings.Join(named, "; ") + ")"
		case t.Broken > 0:
			says += " (" + text.Number(t.Broken) + " broken)"
		}
		parts = append(parts, says)
	}
	return text.Visible(strings.Join(parts, ", "))
}

// Worst returns the operations that were not judged whole: first those that were not judged at all, then those of which least was judged.
func (c *Coverage) Worst() []OperationCoverage {
	all := slices.DeleteFunc(slices.Clone(c.Operations), func(one OperationCoverage) bool { return one.Whole() })
	share := func(one *OperationCoverage) float64 {
		judged, most := 0, 0
		for _, t := range one.Totals {
			judged, most = judged+t.Judged, most+t.All
		}
		return float64(judged) / float64(max(most, 1))
	}
	slices.SortStableFunc(all, func(a, b OperationCoverage) int {
		return cmp.Or(cmp.Compare(min(a.Judgement, record.JudgedBroken), min(b.Judgement, record.JudgedBroken)), cmp.Compare(share(&a), share(&b)))
	})
	return all
}
