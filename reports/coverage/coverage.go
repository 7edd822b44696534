package coverage

import (
	"io"
	"math"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Schema names the format; docs/coverage.schema.json describes it.
const Schema = "hallmark.coverage/v1"

// Format is the coverage format.
func Format() reports.Format {
	return reports.Format{
		Name: "coverage", Says: "how much of the contract was judged, and why the rest was not (JSON)",
		Write: write,
	}
}

type report struct {
	Schema  string          `json:"schema"`
	Suite   record.Suite    `json:"suite"`
	BaseURL string          `json:"baseURL,omitempty"`
	Verdict verdict.Verdict `json:"verdict"`
	// Known reports whether the record says what was covered: it does not during a run, and after a run that was killed.
	Known      bool              `json:"known"`
	Totals     map[string]total  `json:"totals"`
	Required   map[string]number `json:"required,omitempty"`
	Operations []operation       `json:"operations"`
}

type number = float64

// total counts one dimension. Broken is part of judged.
type total struct {
	record.Covered
	Percent number `json:"percent"`
}

type operation struct {
	Operation  string           `json:"operation"`
	Method     string           `json:"method"`
	Path       string           `json:"path"`
	State      string           `json:"state"`
	Reason     string           `json:"reason,omitempty"`
	Totals     map[string]total `json:"totals"`
	Statuses   []element        `json:"statuses"`
	MediaTypes []element        `json:"mediaTypes"`
	Parameters []element        `json:"parameters"`
	Schemas    []schema         `json:"schemas"`
}

type element struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Right  int    `json:"right"`
	Broken int    `json:"broken"`
	Seen   int    `json:"seen"`
	Reason string `json:"reason,omitempty"`
}

type schema struct {
	Of     string `json:"of"`
	Total  total  `json:"total"`
	Reason string `json:"reason,omitempty"`
	// Elements are those that were not judged, or found broken; More counts further ones.
	Elements []part `json:"elements"`
	More     int    `json:"more,omitempty"`
}

type part struct {
	Name    string `json:"name"`
	Pointer string `json:"pointer"`
	Line    int    `json:"line,omitempty"`
	State   string `json:"state"`
}

func write(w io.Writer, v *view.View) error {
	out := report{
		Schema: Schema, Suite: v.Record.Suite, BaseURL: v.Record.Target.BaseURL, Verdict: v.Result.Verdict,
		Totals: map[string]total{}, Operations: []operation{},
	}
	for d, percent := range v.Record.Options.RequireCoverage {
		if out.Required == nil {
			out.Required = map[string]number{}
		}
		out.Required[string(d)] = percent
	}
	if c := v.Coverage(); c != nil {
		out.Known, out.Totals = true, totals(c.Totals)
		for i := range c.Operations {
			out.Operations = append(out.Operations, operationOf(&c.Operations[i]))
		}
	}
	j := jsonout.New(w)
	j.Value(out)
	j.Raw("\n")
	return j.Flush()
}

func totals(all []view.CoverageTotal) map[string]total {
	out := map[string]total{}
	for _, t := range all {
		out[string(t.Dimension)] = totalOf(t.Covered)
	}
	return out
}

// totalOf returns a count with its percentage, rounded down to one digit after the point.
func totalOf(c record.Covered) total { return total{c, math.Floor(c.Percent()*10) / 10} }

func operationOf(op *view.OperationCoverage) operation {
	out := operation{
		Operation: op.ID, Method: op.Method, Path: op.Path, State: op.Judgement.String(), Reason: op.Reason, Totals: totals(op.Totals),
		Statuses: elements(op.Statuses), MediaTypes: elements(op.Media), Parameters: elements(op.Parameters), Schemas: []schema{},
	}
	for _, s := range op.Schemas {
		one := schema{Of: s.Of, Total: totalOf(s.Covered), Reason: s.Reason, Elements: []part{}, More: s.More}
		for _, e := range s.Elements {
			one.Elements = append(one.Elements, part{e.Name, e.Pointer, e.Line, e.Judgement.String()})
		}
		out.Schemas = append(out.Schemas, one)
	}
	return out
}

func elements(all []view.ElementCoverage) []element {
	out := []element{}
	for _, e := range all {
		out = append(out, element{e.Name, e.Judgement.String(), e.Right, e.Broken, e.Seen, e.Reason})
	}
	return out
}
