package slab_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hallmark/internal/slab"
)

func TestValuesAreApart(t *testing.T) {
	var s slab.Of[int]
	var all [][]int
	for n := range 300 {
		values := s.Slice(n % 70)
		if len(values) != n%70 || slices.ContainsFunc(values, func(v int) bool { return v != 0 }) {
			t.Fatalf("slice %d: %v", n, values)
		}
		for i := range values {
			values[i] = n
		}
		if len(values) > 0 {
			_ = append(values, -1)
		}
		one := s.New()
		if *one != 0 {
			t.Fatalf("value %d is %d", n, *one)
		}
		*one = -n
		all = append(all, values)
	}
	for n, values := range all {
		if slices.ContainsFunc(values, func(v int) bool { return v != n }) {
			t.Errorf("slice %d was overwritten: %v", n, values)
		}
	}
	if large := s.Slice(100_000); len(large) != 100_000 {
		t.Errorf("%d instead of 100000 values", len(large))
	}
	if copied := s.Copy(1, 2); !slices.Equal(copied, []int{1, 2}) || s.Copy() != nil {
		t.Errorf("the copy is %v, and of none %v", copied, s.Copy())
	}
}

func TestTextsAreWhatWasJoined(t *testing.T) {
	var texts slab.Texts
	var got, want []string
	for n := range 2000 {
		parts := []string{fmt.Sprint(n), strings.Repeat("ab", n%97), "."}
		if n%500 == 0 {
			parts[1] = strings.Repeat("long", 9000)
		}
		got, want = append(got, texts.Join(parts...)), append(want, strings.Join(parts, ""))
	}
	if !slices.Equal(got, want) {
		t.Error("the texts differ")
	}
	if texts.Join() != "" || texts.Join("", "") != "" {
		t.Error("nothing joined is something")
	}
}

// Many small values take few pieces of memory.
func TestPiecesAreFew(t *testing.T) {
	var s slab.Of[[3]string]
	var texts slab.Texts
	made := testing.AllocsPerRun(1, func() {
		for range 10_000 {
			s.New()[0] = texts.Join("twenty bytes ", "of text")
		}
	})
	if made > 200 {
		t.Errorf("20000 values took %.0f pieces", made)
	}
}
