package resource

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"hallmark/spec"
)

// Map knows where the identifiers of a contract come from. Any number of goroutines may use it.
type Map struct {
	operations []spec.Operation
	// at are the operations of a path without the names of its parameters.
	at    map[string][]*spec.Operation
	links map[string][]link
	// shownAs are the places where reads show members, by their plain names.
	shownAs map[string][]shows

	mu    sync.Mutex
	known map[string][]Producer

	once sync.Once
	made map[string]*made

	slotsOnce sync.Once
	allSlots  []Slot
	slotWords []slotWords // of the same slots
	// candidates are those of operations that were asked for ([]Reference), by the ids of these.
	candidates sync.Map
	// dangers are those of operations that were asked for (Danger), by their ids.
	dangers sync.Map
	// references are those of each operation.
	orderOnce  sync.Once
	references map[string][]Reference
}

// made is what an operation creates.
type made struct {
	slot     Slot
	producer Producer
}

// link is a documented link that fills a slot.
type link struct {
	name    string
	from    *spec.Operation
	pointer string
}

// Of infers the map of a contract.
func Of(c *spec.Contract) *Map {
	m := &Map{operations: c.Operations(), at: map[string][]*spec.Operation{}, links: map[string][]link{}, known: map[string][]Producer{}}
	for i := range m.operations {
		op := &m.operations[i]
		m.at[Anonymous(op.Path)] = append(m.at[Anonymous(op.Path)], op)
	}
	for i := range m.operations {
		m.linksOf(c, &m.operations[i])
	}
	m.index()
	return m
}

func (m *Map) linksOf(c *spec.Contract, from *spec.Operation) {
	for _, a := range from.Answers {
		if a.Class() != 2 && a.Class() != 3 && a.Class() != 0 {
			continue
		}
		for _, l := range a.Links {
			to, ok := c.Operation(l.Operation)
			if !ok {
				continue
			}
			for _, slot := range SlotsOf(to) {
				for _, name := range []string{slot.Parameter.Name, "path." + slot.Parameter.Name} {
					if pointer, ok := l.Parameters[name]; ok && pointer != "" && m.reachable(from, slot) {
						m.links[slot.Key] = append(m.links[slot.Key], link{name: l.Name, from: from, pointer: pointer})
					}
				}
			}
		}
	}
}

// Producers returns the operations that what a slot names comes from, the best first. The result must not be changed.
func (m *Map) Producers(slot Slot) []Producer {
	key := slot.Key + "\x00" + slot.Parameter.Name
	m.mu.Lock()
	defer m.mu.Unlock()
	all, ok := m.known[key]
	if !ok {
		all = m.producers(slot)
		m.known[key] = all
	}
	return all
}

// Creators returns those of the producers of a slot that create what it names.
func (m *Map) Creators(slot Slot) []Producer {
	var all []Producer
	for _, p := range m.Producers(slot) {
		if p.Way == Created || p.Way == Chosen {
			all = append(all, p)
		}
	}
	return all
}

// Remover returns the operation that deletes what a slot names; nil for none.
func (m *Map) Remover(slot Slot) *spec.Operation { return m.on(slot, http.MethodDelete) }

// Reader returns the operation that reads what a slot names; nil for none.
func (m *Map) Reader(slot Slot) *spec.Operation { return m.on(slot, http.MethodGet) }

func (m *Map) on(slot Slot, method string) *spec.Operation {
	if !slot.Whole {
		return nil
	}
	for _, op := range m.at[slot.Key] {
		if op.Method == method {
			return op
		}
	}
	return nil
}

// Creates returns the slot that an operation fills by a resource that it creates, as the operations on that resource have it; false
// where it is not known to create.
func (m *Map) Creates(op *spec.Operation) (*Slot, Producer, bool) {
	if op.Method != http.MethodPost && op.Method != http.MethodPut {
		return nil, Producer{}, false
	}
	m.once.Do(m.findMade)
	one := m.made[op.ID]
	if one == nil {
		return nil, Producer{}, false
	}
	return &one.slot, one.producer, true
}

// findMade finds what each operation creates: what an operation of that path itself names.
func (m *Map) findMade() {
	m.made = map[string]*made{}
	for i := range m.operations {
		for _, slot := range SlotsOf(&m.operations[i]) {
			if Anonymous(m.operations[i].Path) != slot.Key {
				continue
			}
			for _, p := range m.Creators(slot) {
				if _, known := m.made[p.Operation.ID]; !known {
					m.made[p.Operation.ID] = &made{slot, p}
				}
			}
		}
	}
}

// Below reports whether a slot stands behind another one in the same paths.
func (s Slot) Below(other Slot) bool { return strings.HasPrefix(s.Key, other.Key+"/") }

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
