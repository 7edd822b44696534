package explain

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/reports/wfc"
	"github.com/hallmark-kit/hallmark/spec"
)

// mostSteps is how many steps of a scenario are shown.
const mostSteps = 12

// WriteFinding writes the page of a finding: the failure as the terminal shows it, and what a rule's page says of the rule behind it.
// replayable reports whether "hallmark replay" finds the finding, and so its script.
func WriteFinding(w io.Writer, v *view.View, f view.Finding, width int, colour, replayable bool) error {
	block := failure.OfFinding(v, f)
	if replayable {
		block.Replay = "hallmark replay " + f.ID
		block.Script = block.Replay + " --script"
	}
	switch v.Standing(f) {
	case view.Known:
		block.Label, block.Style = "KNOWN", layout.Yellow
	case view.Warning:
		block.Label, block.Style = "WARN", layout.Yellow
	case view.Failing:
	}
	head := layout.New(width, colour)
	block.Write(head)

	r := Rule{Rule: v.Rule(f.Example.Rule), Contract: v.Contract, File: v.ContractFile}
	p := page{width: width}
	p.line("")
	p.section("FOUND", found(v, f))
	p.section("WHY", r.why())
	if v.Contract != nil {
		p.excerpts(r, places(v, r, f.Example))
	}
	p.played(f)
	p.section("FIX", fix(f.Example))
	p.change(r)
	_, err := io.WriteString(w, head.String()+p.String())
	return err
}

// places returns the pointers to what a finding breaks, the most exact first. Of a constraint that is short, what surrounds it is shown: a type
// says little without the name of the member.
func places(v *view.View, r Rule, f spec.Finding) []string {
	var pointers []string
	for _, place := range v.Places(r.Rule, f) {
		pointer := place.Pointer
		around := pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
		if e, ok := v.Contract.Excerpt(around); ok && pointer == f.Contract && !e.Cut && len(e.Lines) <= mostLines {
			pointer = around
		}
		if !slices.Contains(pointers, pointer) {
			pointers = append(pointers, pointer)
		}
	}
	return pointers
}

// found says how often the finding was found, what it means for the run, and what it belongs to.
func found(v *view.View, f view.Finding) string {
	source := " in the run of "
	if v.Record.Traffic != nil {
		source = " in traffic of "
	}
	says := text.Count(f.Count, "time") + source + text.Visible(v.Record.Target.BaseURL)
	switch v.Standing(f) {
	case view.Failing:
		says += "; it fails the run."
	case view.Warning:
		says += "; it is a warning."
	case view.Known:
		says += "; it is a known violation."
	}
	if category := wfc.Of(v.Rule(f.Example.Rule), f.Example); category != 0 {
		says += fmt.Sprintf(" Web Fuzzing Commons calls it F%d.", category)
	}
	switch c := f.Cause; {
	case c == nil:
	case f.Leads && c.Findings > f.Count:
		says += " It leads a cause that explains " + text.Count(c.Findings, "finding") + "."
	case !f.Leads:
		says += " Its likely cause is " + c.ID + " (" + text.Visible(c.Rule) + "): mend that first."
	}
	return says
}

// played adds the scenario that showed the finding.
func (p *page) played(f view.Finding) {
	if f.Scenario == nil || len(f.Scenario.Steps) == 0 {
		return
	}
	p.section("ASKED", fmt.Sprintf("%q, at %s", text.Visible(f.Scenario.Title()), text.Visible(f.Scenario.ID)))
	indent := strings.Repeat(" ", heading+2)
	for i, step := range f.Scenario.Steps {
		if i == mostSteps {
			p.line(indent + "…")
			break
		}
		p.line(indent + text.Short(strings.TrimSpace(step.Keyword+" "+step.Text)))
	}
}

// fix says what has to change in the service.
func fix(f spec.Finding) string {
	const always = ", for every such request and not only for these values. If the service is right, the contract is wrong, and has to say what is meant."
	expected, actual := text.Short(f.Expected.String()), text.Short(f.Actual.String())
	switch {
	case f.Kind == spec.KindDied:
		return "Find in the log of the service why it gave no response, and let it answer" + always
	case f.Status >= serverError:
		return "Find in the log of the service what failed, and give " + cmp.Or(expected, "what the contract says") + always
	}
	return "Give " + cmp.Or(expected, "what the contract says") + " instead of " + actual + always
}

// serverError is the first status of server errors (RFC 9110, section 15.6).
const serverError = 500
