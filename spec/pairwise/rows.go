package pairwise

import "slices"

const (
	// maxRows bounds the rows where the caller does not.
	maxRows = 10_000
	// maxColumns and maxPairs bound what is looked at: columns beyond have their first value, and all have fewer values where
	// there are too many pairs of them.
	maxColumns = 400
	maxPairs   = 2_000_000
)

// Rows returns rows with one index of a value for each column: sizes[i] is how many values column i has. Each pair of values of two
// columns is in at least one row, as far as the limit allows; 0 is no limit. The first row has the first value of every column, and
// earlier rows hold more pairs that are new than later ones, by and large. The same sizes give the same rows. A column without values
// gets -1.
func Rows(sizes []int, limit int) [][]int {
	if len(sizes) == 0 {
		return nil
	}
	if limit <= 0 || limit > maxRows {
		limit = maxRows
	}
	t := newTable(bounded(sizes))
	row := t.first()
	rows := [][]int{row}
	if only := t.only(); only >= 0 {
		for a := 1; a < t.sizes[only] && len(rows) < limit; a++ {
			next := slices.Clone(row)
			next[only] = a
			rows = append(rows, next)
		}
		return rows
	}
	for t.cover(row); len(rows) < limit; t.cover(row) {
		var more bool
		if row, more = t.next(); !more {
			break
		}
		rows = append(rows, row)
	}
	return rows
}

// bounded returns sizes with no more pairs than can be looked at.
func bounded(sizes []int) []int {
	sizes = slices.Clone(sizes)
	for i := range sizes {
		sizes[i] = min(sizes[i], maxRows)
		if i >= maxColumns {
			sizes[i] = min(sizes[i], 1)
		}
	}
	for most := maxRows; pairs(sizes) > maxPairs; most = max(most/2, 1) {
		for i := range sizes {
			sizes[i] = min(sizes[i], most)
		}
	}
	return sizes
}

// pairs returns how many pairs there are of values of two of the first columns.
func pairs(sizes []int) int {
	sum, squares := 0, 0
	for _, n := range sizes[:min(len(sizes), maxColumns)] {
		n = max(n, 0)
		sum, squares = sum+n, squares+n*n
	}
	return (sum*sum - squares) / 2
}

// table keeps the pairs that no row holds yet.
type table struct {
	sizes []int
	// open[i][a] counts the pairs of value a of column i that are left, covered[i][j] (i < j) holds those that are not.
	open    [][]int
	covered [][][]bool
	left    int
	// from is the column before which no pair is left.
	from int
}

func newTable(sizes []int) *table {
	t := &table{sizes: sizes, open: make([][]int, len(sizes)), covered: make([][][]bool, len(sizes))}
	for i, n := range sizes {
		t.open[i] = make([]int, max(n, 0))
		t.covered[i] = make([][]bool, min(len(sizes), maxColumns))
		others := 0
		for j, m := range sizes[:min(len(sizes), maxColumns)] {
			if j == i || i >= maxColumns || n <= 0 || m <= 0 {
				continue
			}
			others += m
			if j > i {
				t.covered[i][j] = make([]bool, n*m)
				t.left += n * m
			}
		}
		for a := range t.open[i] {
			t.open[i][a] = others
		}
	}
	return t
}

// only returns the one column that has a choice of values; -1 when several have, or none.
func (t *table) only() int {
	only := -1
	for i, n := range t.sizes {
		switch {
		case n < 2:
		case only >= 0:
			return -1
		default:
			only = i
		}
	}
	return only
}

// first returns the row of first values.
func (t *table) first() []int {
	row := make([]int, len(t.sizes))
	for i, n := range t.sizes {
		if n <= 0 {
			row[i] = -1
		}
	}
	return row
}

// next returns a row with pairs that are left; false when none is.
func (t *table) next() ([]int, bool) {
	row := make([]int, len(t.sizes))
	for i := range row {
		row[i] = -1
	}
	if !t.begin(row) {
		return nil, false
	}
	for i, n := range t.sizes {
		if i >= maxColumns {
			row[i] = min(n, 1) - 1
			continue
		}
		if n <= 0 || row[i] >= 0 {
			continue
		}
		best, most, open := 0, -1, -1
		for a := range n {
			if gain := t.gain(row, i, a); gain > most || gain == most && t.open[i][a] > open {
				best, most, open = a, gain, t.open[i][a]
			}
		}
		row[i] = best
	}
	return row, true
}

// begin puts the first pair that is left into the row.
func (t *table) begin(row []int) bool {
	if t.left == 0 {
		return false
	}
	for ; t.from < min(len(t.sizes), maxColumns); t.from++ {
		i := t.from
		for j := i + 1; j < len(t.covered[i]); j++ {
			for k, covered := range t.covered[i][j] {
				if !covered {
					row[i], row[j] = k/t.sizes[j], k%t.sizes[j]
					return true
				}
			}
		}
	}
	return false
}

// gain counts the pairs that are left of a value with those in the row.
func (t *table) gain(row []int, i, a int) int {
	n := 0
	for j, b := range row[:min(len(row), maxColumns)] {
		if b >= 0 && j != i && !*t.at(i, a, j, b) {
			n++
		}
	}
	return n
}

func (t *table) at(i, a, j, b int) *bool {
	if i > j {
		i, a, j, b = j, b, i, a
	}
	return &t.covered[i][j][a*t.sizes[j]+b]
}

// cover notes the pairs of a row.
func (t *table) cover(row []int) {
	row = row[:min(len(row), maxColumns)]
	for i, a := range row {
		for j := i + 1; j < len(row); j++ {
			b := row[j]
			if a < 0 || b < 0 {
				continue
			}
			if c := t.at(i, a, j, b); !*c {
				*c = true
				t.left--
				t.open[i][a]--
				t.open[j][b]--
			}
		}
	}
}
