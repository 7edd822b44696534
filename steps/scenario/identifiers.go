package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// identifiers are the values by which paths name a resource and all that it is below, by the keys of their slots. They are few.
type identifiers []identifier

type identifier struct {
	slot  string
	value any
}

// in returns the value in the slot of that key.
func (all identifiers) in(slot string) (value any, there bool) {
	for _, one := range all {
		if one.slot == slot {
			return one.value, true
		}
	}
	return nil, false
}

// with returns the identifiers with that value in the slot of that key.
func (all identifiers) with(slot string, value any) identifiers {
	out := make(identifiers, 0, len(all)+1)
	for _, one := range all {
		if one.slot != slot {
			out = append(out, one)
		}
	}
	return append(out, identifier{slot, value})
}

// key writes the identifiers as a text, in the order of the slots.
func (all identifiers) key() string {
	var b strings.Builder
	for _, one := range slices.SortedFunc(slices.Values(all), func(x, y identifier) int { return cmp.Compare(x.slot, y.slot) }) {
		fmt.Fprintf(&b, "%s=%v\x00", one.slot, one.value)
	}
	return b.String()
}
