package pairwise_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hallmark/spec/pairwise"
)

func TestRows(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		limit int
		// least and most are how many rows there are.
		least, most int
	}{
		{nil, 0, 0, 0},
		{[]int{1}, 0, 1, 1},
		{[]int{4}, 0, 4, 4},
		{[]int{1, 4, 1}, 0, 4, 4},
		{[]int{0, 3}, 0, 3, 3},
		{[]int{0, 0}, 0, 1, 1},
		{[]int{2, 2}, 0, 4, 4},
		{[]int{2, 2, 2}, 0, 4, 6},
		{[]int{3, 3, 3, 3}, 0, 9, 14},
		{[]int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 0, 6, 12},
		{[]int{10, 10, 10, 10, 10}, 0, 100, 170},
		{[]int{10, 10, 10, 10, 10}, 7, 7, 7},
	} {
		rows := pairwise.Rows(c.sizes, c.limit)
		if len(rows) < c.least || len(rows) > c.most {
			t.Errorf("%v: %d rows, not %d to %d", c.sizes, len(rows), c.least, c.most)
		}
	}
}

// TestRowsHoldEachPair holds that each pair is in a row, and that no row is without need.
func TestRowsHoldEachPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 7).Draw(t, "sizes")
		rows := pairwise.Rows(sizes, 0)
		for i, row := range rows {
			if i == 0 && slices.ContainsFunc(row, func(v int) bool { return v > 0 }) {
				t.Fatalf("%v: the first row is %v", sizes, row)
			}
			for j, v := range row {
				if v >= max(sizes[j], 0) || v < 0 && sizes[j] > 0 {
					t.Fatalf("%v: no such row: %v", sizes, row)
				}
			}
		}
		for i := range sizes {
			for j := range i {
				for a := range sizes[i] {
					for b := range sizes[j] {
						if !slices.ContainsFunc(rows, func(row []int) bool { return row[i] == a && row[j] == b }) {
							t.Fatalf("%v: no row has %d in column %d and %d in column %d", sizes, a, i, b, j)
						}
					}
				}
			}
		}
		for range 3 {
			if again := pairwise.Rows(sizes, 0); !slices.EqualFunc(rows, again, slices.Equal[[]int]) {
				t.Fatalf("%v: other rows for the same sizes", sizes)
			}
		}
	})
}

func TestRowsAreBounded(t *testing.T) {
	for _, sizes := range [][]int{
		slices.Repeat([]int{3}, 5_000),
		slices.Repeat([]int{1 << 40}, 3),
		slices.Repeat([]int{1 << 40}, 500),
		{1 << 40},
	} {
		begin := time.Now()
		rows := pairwise.Rows(sizes, 50)
		if len(rows) < 12 || len(rows) > 50 || len(rows[0]) != len(sizes) {
			t.Errorf("%d columns: %d rows", len(sizes), len(rows))
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%d columns take %v", len(sizes), took)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	for b.Loop() {
		pairwise.Rows([]int{5, 3, 8, 2, 4, 4, 3, 6}, 0)
	}
}
