package suite

import (
	"math"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// Only returns the text of the file with only the chosen scenarios, or "" if there are none. The others become empty lines, so each
// scenario keeps its line and with it its id. Otherwise godog would process every step of the file, even in skipped scenarios.
func (f *File) Only(chosen func(*Scenario) bool) string {
	keep := map[int]bool{}
	for _, p := range f.Scenarios {
		if chosen(p) {
			keep[p.Line] = true
		}
	}
	if len(keep) == 0 {
		return ""
	}
	if len(keep) == len(f.Scenarios) {
		return f.Content
	}
	lines := strings.SplitAfter(f.Content, "\n")
	blank := func(first, last int) {
		for i := first; i <= last && i <= len(lines); i++ {
			lines[i-1] = "\n"
		}
	}
	for _, b := range f.blocks {
		if !slices.ContainsFunc(b.scenarios, func(line int) bool { return keep[line] }) {
			blank(b.first, b.last)
			continue
		}
		for _, line := range b.scenarios {
			if !keep[line] {
				blank(line, line)
			}
		}
	}
	return strings.Join(lines, "")
}

// block is the position of a scenario or an outline.
type block struct {
	first, last int // lines, the first with its tags; the last is before what follows
	// scenarios holds the lines of its scenarios: its own, or those of an outline's rows.
	scenarios []int
}

// blocksOf returns the positions of the scenarios of a document.
func blocksOf(doc *messages.GherkinDocument) []block {
	var starts []int
	var all []block
	start := func(at *messages.Location, tags []*messages.Tag) int {
		line := int(at.Line)
		for _, t := range tags {
			line = min(line, int(t.Location.Line))
		}
		starts = append(starts, line)
		return line
	}
	add := func(s *messages.Scenario) {
		b := block{first: start(s.Location, s.Tags)}
		if len(s.Examples) == 0 {
			b.scenarios = []int{int(s.Location.Line)}
		}
		for _, e := range s.Examples {
			for _, row := range e.TableBody {
				b.scenarios = append(b.scenarios, int(row.Location.Line))
			}
		}
		all = append(all, b)
	}
	for _, child := range doc.Feature.Children {
		switch {
		case child.Background != nil:
			start(child.Background.Location, nil)
		case child.Scenario != nil:
			add(child.Scenario)
		case child.Rule != nil:
			start(child.Rule.Location, child.Rule.Tags)
			for _, c := range child.Rule.Children {
				if c.Background != nil {
					start(c.Background.Location, nil)
				}
				if c.Scenario != nil {
					add(c.Scenario)
				}
			}
		}
	}
	slices.Sort(starts)
	for i := range all {
		all[i].last = math.MaxInt
		if next, _ := slices.BinarySearch(starts, all[i].first+1); next < len(starts) {
			all[i].last = starts[next] - 1
		}
	}
	return all
}
