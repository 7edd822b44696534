package record

import "strconv"

// ScenarioOrder compares scenario ids as a person sorts them: by path, then by line.
func ScenarioOrder(x, y string) int {
	px, lx := ScenarioLine(x)
	py, ly := ScenarioLine(y)
	switch {
	case px != py && px < py, px == py && lx < ly:
		return -1
	case px == py && lx == ly:
		return 0
	}
	return 1
}

// ScenarioLine takes "features/list.feature:14" apart. An id without a line has line 0.
func ScenarioLine(id string) (path string, line int) {
	for i := len(id) - 1; i > 0; i-- {
		if id[i] == ':' {
			if n, err := strconv.Atoi(id[i+1:]); err == nil {
				return id[:i], n
			}
			break
		}
	}
	return id, 0
}
