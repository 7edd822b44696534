package drift

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"hallmark/internal/text"
)

// difference is how a derived file differs from what the contract says.
type difference struct {
	name string
	// missing: the file is not there. leftOver: it follows from the contract no longer.
	missing, leftOver bool
	// line is the first that differs, from 1; is and want are the two texts of it with their ends, nil at the end of a file.
	line     int
	is, want *string
}

// compare lists what differs, in the order of the names.
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

// firstLine finds the first line that differs.
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

// describe is the Difference in the manner of diff.
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

// side is one side of a line that differs.
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
