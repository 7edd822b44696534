package drift

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// difference is a difference between a derived file and what the contract yields.
type difference struct {
	name string
	// missing means that the file does not exist, leftOver that the contract no longer yields it.
	missing, leftOver bool
	// line is the first different line, starting at 1; is and want are its two texts with line ends, nil after the end of a file.
	line     int
	is, want *string
}

// compare returns the differences sorted by name.
func compare(want, have map[string]string) []difference {
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range have {
		names[name] = true
	}
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		wanted, isWanted := want[name]
		had, isHad := have[name]
		switch {
		case !isHad:
			all = append(all, difference{name: name, missing: true})
		case !isWanted:
			all = append(all, difference{name: name, leftOver: true})
		case wanted != had:
			d := difference{name: name}
			d.firstLine(slices.Collect(strings.Lines(had)), slices.Collect(strings.Lines(wanted)))
			all = append(all, d)
		}
	}
	return all
}

// firstLine finds the first different line.
func (d *difference) firstLine(is, want []string) {
	i := 0
	for i < len(is) && i < len(want) && is[i] == want[i] {
		i++
	}
	d.line = i + 1
	if i < len(is) {
		d.is = &is[i]
	}
	if i < len(want) {
		d.want = &want[i]
	}
}

// describe writes the difference in the style of diff.
func (d *difference) describe(folder string) string {
	path := text.Visible(filepath.Join(folder, d.name))
	switch {
	case d.missing:
		return path + ": missing\n"
	case d.leftOver:
		return path + ": follows from the contract no longer\n"
	}
	text := fmt.Sprintf("%s:%d: differs\n", path, d.line)
	for _, s := range []struct {
		mark string
		line *string
	}{{"-", d.is}, {"+", d.want}} {
		text += "  " + s.mark + " " + side(s.line) + "\n"
	}
	return text
}

// side returns one side of a different line.
func side(line *string) string {
	if line == nil {
		return "(the file ends here)"
	}
	s, ended := strings.CutSuffix(*line, "\n")
	s = text.Visible(s)
	if !ended {
		s += " (without a line feed at its end)"
	}
	return s
}
