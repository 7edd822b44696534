package resource

import (
	"slices"
	"strings"
)

// Fillable reports whether the contract tells where the value of a slot comes from, and the values of all that has to be known before.
func (m *Map) Fillable(slot Slot) bool { return m.fills(slot, false, nil) }

// Ownable reports whether a run can make what a slot names, with all that has to be there before.
func (m *Map) Ownable(slot Slot) bool { return m.fills(slot, true, nil) }

func (m *Map) fills(slot Slot, own bool, above []string) bool {
	if slices.Contains(above, slot.Key) {
		return false
	}
	above = append(above, slot.Key)
	for _, p := range m.Producers(slot) {
		if own && p.Way != Created && p.Way != Chosen || len(p.Path) == 0 && len(p.Sent) == 0 && !p.stated {
			continue
		}
		ok := true
		for _, before := range SlotsOf(p.Operation) {
			if before.Key != slot.Key && (!strings.HasPrefix(slot.Key, before.Key+"/") || !m.fills(before, own, above)) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}
