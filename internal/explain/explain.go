// Package explain renders one rule as a page of text: its sentence, where the contract says so, why it matters, how it is asked, what breaks it,
// and how to lower it. It does the same for a finding, with the exchange that shows it.
package explain

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Rule is what is known about a rule.
type Rule struct {
	spec.Rule
	// Contract is the document that the rule is about, and File its name.
	Contract *spec.Contract
	File     string
	// Scenarios is how many scenarios name the rule.
	Scenarios int
	// Derived is the Gherkin text of the scenarios that follow from the contract, or "".
	Derived string
	// Faults says what breaks the rule, a sentence each.
	Faults []string
	// Again is the arguments that choose the contract on the command line, each after a blank.
	Again string
}

// The bounds on what is shown.
const (
	mostPlaces = 2
	mostLines  = 6
	mostFaults = 3
	heading    = 10
)

// Write writes the page, wrapped to width columns, or not if width is 0.
func Write(w io.Writer, r Rule, width int) error {
	p := page{width: width}
	about := r.ID + " · " + string(r.Level)
	if op, ok := r.operation(); ok {
		about += " · " + op.Method + " " + op.Path
	}
	p.line(about)
	p.text("  ", cmp.Or(r.Says, r.Asks))
	p.section("WHY", r.why())
	p.contract(r)
	p.asked(r)
	for i, says := range r.Faults[:min(len(r.Faults), mostFaults)] {
		p.section([]string{"BROKEN", ""}[min(i, 1)], says)
	}
	p.change(r)
	_, err := io.WriteString(w, p.String())
	return err
}

// operation returns the operation that the rule is about, if it is one.
func (r Rule) operation() (*spec.Operation, bool) {
	if len(r.Operations) != 1 || r.Contract == nil {
		return nil, false
	}
	return r.Contract.Operation(r.Operations[0])
}

// why says what the rule rests on, and what a violation means.
func (r Rule) why() string {
	means := map[spec.Level]string{
		spec.Must:     "The interface states it: a service that breaks it is violated.",
		spec.Should:   "It comes from a general standard or plain robustness: a violation is a warning, and fails a run with --strict only.",
		spec.Inferred: "It follows from the shape of the document and the meaning of HTTP: a violation fails a run, until a line in rules.yaml says otherwise.",
		spec.Open:     "The interface leaves it to the service: what it does is recorded, and never fails a run.",
	}[r.Level]
	if r.Source != "" {
		means += " Source: " + strings.TrimSuffix(strings.TrimPrefix(r.Source, "inferred: "), ".") + "."
	}
	if r.Within != "" {
		means += " It is a part of " + r.Within + "."
	}
	return means
}

// page is a text under way.
type page struct {
	strings.Builder
	width int
}

func (p *page) line(line string) { p.WriteString(text.Visible(strings.TrimRight(line, " ")) + "\n") }

// text adds a text behind an indentation, wrapped.
func (p *page) text(indent, long string) {
	for _, line := range text.Wrap(long, max(p.width-len(indent), 0)) {
		p.line(indent + line)
	}
}

// section adds a text behind a heading.
func (p *page) section(title, long string) {
	blank := strings.Repeat(" ", heading)
	lines := text.Wrap(long, max(p.width-heading, 0))
	for i, line := range lines {
		p.line([]string{fmt.Sprintf("%-*s", heading, title), blank}[min(i, 1)] + line)
	}
}

// contract adds the places of the contract that encode the rule.
func (p *page) contract(r Rule) {
	if r.Contract == nil {
		return
	}
	pointers := slices.Clone(r.Rule.Contract)
	if op, ok := r.operation(); ok && !slices.ContainsFunc(pointers, func(p string) bool { return strings.HasPrefix(p, op.Pointer+"/") }) {
		pointers = append([]string{op.Pointer}, slices.DeleteFunc(pointers, func(p string) bool { return p == op.Pointer })...)
	}
	p.excerpts(r, pointers)
}

// excerpts adds the first places that there are.
func (p *page) excerpts(r Rule, pointers []string) {
	shown := 0
	for _, pointer := range pointers {
		e, ok := r.Contract.Excerpt(pointer)
		if !ok || shown == mostPlaces {
			continue
		}
		file, _ := source.FileOf(pointer)
		p.section([]string{"CONTRACT", ""}[min(shown, 1)], fmt.Sprintf("%s:%d", text.Visible(cmp.Or(file, r.File)), e.Line))
		for i, line := range e.Lines[:min(len(e.Lines), mostLines)] {
			p.line(fmt.Sprintf("%*d  %s", heading+4, e.Line+i, text.Visible(line)))
		}
		if len(e.Lines) > mostLines || e.Cut {
			p.line(strings.Repeat(" ", heading+6) + "…")
		}
		shown++
	}
}

// asked adds how the rule is tried.
func (p *page) asked(r Rule) {
	switch {
	case r.Untestable != "":
		p.section("ASKED", "Not from outside: "+r.Untestable)
		return
	case r.Off != "":
		p.section("ASKED", "It is switched off: "+r.Off)
		return
	case r.Always:
		p.section("ASKED", "Of every response, whatever the request was.")
	case r.Scenarios == 0:
		p.section("ASKED", "By no scenario.")
	}
	if r.Scenarios == 0 {
		return
	}
	first, title := firstScenario(r.Derived)
	says := text.Count(r.Scenarios, "scenario")
	if title != "" && !strings.Contains(title, "<") { // that of an outline stands for several
		says += fmt.Sprintf(", such as %q", title)
	}
	if p.section("ASKED", says); len(first) == 0 {
		return // people wrote them
	}
	for _, step := range first {
		p.line(strings.Repeat(" ", heading+2) + step)
	}
	p.line(strings.Repeat(" ", heading) + "hallmark derive" + r.Again + " --rule " + text.ShellQuote(r.ID) + "  # all that follow from the contract")
}

// firstScenario returns the steps and the title of the first scenario of a Gherkin text.
func firstScenario(gherkin string) (steps []string, title string) {
	for line := range strings.Lines(gherkin) {
		line = strings.TrimSpace(line)
		_, name, scenario := strings.Cut(line, "Scenario: ")
		if outline, is := strings.CutPrefix(line, "Scenario Outline: "); is {
			name, scenario = outline, true
		}
		switch {
		case scenario && title != "", line == "" && len(steps) > 0:
			return steps, title
		case scenario:
			title = name
		case title != "" && line != "" && !strings.HasPrefix(line, "@"):
			steps = append(steps, line)
		}
	}
	return steps, title
}

// change adds how to give the rule another weight.
func (p *page) change(r Rule) {
	if r.Level == spec.Open || r.Untestable != "" {
		return
	}
	id := "- {id: " + r.ID + ", "
	p.section("CHANGE", "in rules.yaml, if the interface does not mean it so:")
	if r.Level != spec.Should {
		p.line(strings.Repeat(" ", heading+2) + id + "level: should}")
	}
	p.line(strings.Repeat(" ", heading+2) + id + "off: the reason}")
	p.section("", "or accept the violation until it is fixed: \"hallmark deviations\" writes a list with a date.")
}
