package resource

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
)

// Map knows where the identifiers of a contract come from. It is safe for concurrent use.
type Map struct {
	operations []spec.Operation
	// operationsAt holds the operations by path, without the names of its parameters.
	operationsAt map[string][]*spec.Operation
	links        map[string][]link
	// shownAs holds the places where reads show members, by plain name.
	shownAs map[string][]shownPlace

	mu    sync.Mutex
	known map[string][]Producer

	once sync.Once
	made map[string]*made

	slotsOnce sync.Once
	allSlots  []Slot
	slotWords []slotWords // of the same slots
	// candidates caches the candidates of operations ([]Reference) by operation id.
	candidates sync.Map
	// dangers caches the dangers of operations (Danger) by operation id.
	dangers sync.Map
	// references holds the references of each operation.
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
	m := &Map{operations: c.Operations(), operationsAt: map[string][]*spec.Operation{}, links: map[string][]link{}, known: map[string][]Producer{}}
	for i := range m.operations {
		op := &m.operations[i]
		m.operationsAt[Anonymous(op.Path)] = append(m.operationsAt[Anonymous(op.Path)], op)
	}
	for i := range m.operations {
		m.linksOf(c, &m.operations[i])
	}
	m.index()
	return m
}

func (m *Map) linksOf(c *spec.Contract, from *spec.Operation) {
	for _, a := range from.Responses {
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
					if pointer, ok := l.Parameters[name]; ok && pointer != "" && reachable(from, slot) {
						m.links[slot.Key] = append(m.links[slot.Key], link{name: l.Name, from: from, pointer: pointer})
					}
				}
			}
		}
	}
}

// Producers returns the operations from which the values of a slot come, the best first. The result must not be
// modified.
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

// Creators returns the producers of a slot that create what it names.
func (m *Map) Creators(slot Slot) []Producer {
	var all []Producer
	for _, p := range m.Producers(slot) {
		if p.Way == Created || p.Way == Chosen {
			all = append(all, p)
		}
	}
	return all
}

// Remover returns the operation that deletes what a slot names, or nil.
func (m *Map) Remover(slot Slot) *spec.Operation { return m.on(slot, http.MethodDelete) }

// Reader returns the operation that reads what a slot names, or nil.
func (m *Map) Reader(slot Slot) *spec.Operation { return m.on(slot, http.MethodGet) }

func (m *Map) on(slot Slot, method string) *spec.Operation {
	if !slot.Whole {
		return nil
	}
	for _, op := range m.operationsAt[slot.Key] {
		if op.Method == method {
			return op
		}
	}
	return nil
}

// Creates returns the slot of the resource that an operation creates, as the operations on that resource have it;
// false if the operation is not known to create anything.
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

// findMade determines what each operation creates, among what paths name at their ends.
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

// Below reports whether a slot follows another one in the same paths.
func (s Slot) Below(other Slot) bool { return strings.HasPrefix(s.Key, other.Key+"/") }

// Fillable reports whether the contract says where the value of a slot comes from, including the values needed to
// obtain it.
func (m *Map) Fillable(slot Slot) bool { return m.fills(slot, nil) }

func (m *Map) fills(slot Slot, above []string) bool {
	if slices.Contains(above, slot.Key) {
		return false
	}
	above = append(above, slot.Key)
	for _, p := range m.Producers(slot) {
		if len(p.Path) == 0 && len(p.Sent) == 0 && !p.stated {
			continue
		}
		ok := true
		for _, before := range SlotsOf(p.Operation) {
			if before.Key != slot.Key && (!strings.HasPrefix(slot.Key, before.Key+"/") || !m.fills(before, above)) {
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

// NamesOneCollection reports whether all path parameters of a name are in the same place of the contract's paths, so that one value fits
// them all.
func (m *Map) NamesOneCollection(parameter string) bool {
	key := ""
	for i := range m.operations {
		for _, slot := range SlotsOf(&m.operations[i]) {
			switch {
			case slot.Parameter.Name != parameter:
			case key != "" && key != slot.Key:
				return false
			default:
				key = slot.Key
			}
		}
	}
	return key != ""
}
