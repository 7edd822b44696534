package steps

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/truncate"
)

// memory is what a run remembers over all its scenarios, to judge what no single response shows: that an id names one
// animal, that every creation gives a new one, and that what was refused is never seen. Safe for concurrent use.
type memory struct {
	mu sync.Mutex
	// byID holds how an id was first seen, statuses how many of these carried each status ("" for none).
	byID     map[string]sighting
	statuses map[string]int
	// bySeenName holds the exchange in which a name was first seen, for names of this run only.
	bySeenName map[string]seenAnimalAt
	// refused holds the names that only refused creations carried, traces the rules that they may leave no trace by, since
	// when.
	refused map[string]refusal
	traces  map[string]time.Time
	// doubted holds the names that a creation of unknown fate carried: an animal of that name may be there.
	doubted map[string]bool
	// created holds what this run created, by id, as it was answered.
	created map[string]creation
	// order lists the ids of created in the order of their responses.
	order []string
	// sent holds the names of the animals that this run asked for.
	sent map[string]bool
	// spoilt holds ids that were given to two animals: nothing more is judged by them.
	spoilt map[string]bool
}

// maxSightings is how many animals are remembered, besides those that this run created: as many as 400 full lists show.
const maxSightings = 40_000

type sighting struct {
	animal
	seq int
	// created reports whether it was seen in the response to a creation; at is when that answer had come.
	created bool
	// read reports whether it was seen in the response to getPet.
	read bool
	at   time.Time
}

// after names the rule that is to blame when an id was shown before it was given to an animal: one that getPet alone had
// shown until then belonged to nothing.
func (s sighting) after() string {
	if s.read {
		return "get.unknown"
	}
	return ""
}

type seenAnimalAt struct {
	id  string
	seq int
}

type refusal struct {
	status, seq int
}

type creation struct {
	animal
	seq int
	// exactName is the name in UTF-16, when it holds U+FFFD or half of a surrogate pair, and is needed; else it is empty.
	exactName []uint16
	// shown reports whether another response than that to its creation showed it.
	shown bool
	// read reports whether it is what getPet answered, not what createPet did.
	read bool
	// found reports whether getPet has answered with it.
	found bool
}

func newMemory() *memory {
	return &memory{
		byID: map[string]sighting{}, bySeenName: map[string]seenAnimalAt{}, refused: map[string]refusal{},
		created: map[string]creation{}, sent: map[string]bool{}, spoilt: map[string]bool{}, traces: map[string]time.Time{},
		statuses: map[string]int{}, doubted: map[string]bool{},
	}
}

// see remembers the animals of a response and judges them by what was seen before. mine reports whether a name belongs to
// this run. A creation must show an id that was not there before.
func (m *memory) see(ex *spec.Exchange, seen []seenAnimal, mine func(string) bool) check.Result {
	var out check.Result
	created := ex.Operation == "createPet"
	m.mu.Lock()
	defer m.mu.Unlock()
	compared := created && len(m.byID) > 0 // the first id of all can be no other's
	met := false
	for _, a := range seen {
		m.judgeTrace(ex, a, &out)
		if mine(a.name) && len(m.bySeenName) < maxSightings {
			if _, there := m.bySeenName[a.name]; !there {
				m.bySeenName[a.name] = seenAnimalAt{a.id, ex.Seq}
			}
		}
		before, known := m.byID[a.id]
		if !known && !created && len(m.byID) >= maxSightings {
			continue
		}
		if !known {
			m.byID[a.id] = sighting{a.animal, ex.Seq, created, ex.Operation == "getPet", ex.Started.Add(ex.Elapsed)}
			m.statuses[a.status]++
		} else {
			met = true
			m.judgeIdentity(ex, a, before, created, &out)
		}
		own, there := m.created[a.id]
		switch {
		case created && !there:
			m.created[a.id] = creation{animal: a.animal, seq: ex.Seq}
			m.order = append(m.order, a.id)
		case !created && there:
			own.shown = true
			own.found = own.found || ex.Operation == "getPet"
			m.created[a.id] = own
		}
	}
	if compared && !out.Breaks("create.id.unique") {
		out.Kept("create.id.unique")
	}
	if met && len(out.Findings) == 0 {
		out.Kept("pet.identity")
	}
	return out
}

// refusedBefore lists the rules by which nothing may be seen of creations that had been refused by that moment.
func (m *memory) refusedBefore(t time.Time) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var rules []string
	for rule, at := range m.traces {
		if at.Before(t) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// traceless counts the rules that a list of the whole store keeps by showing no trace of what was refused. Any other list
// may have no room for it.
func traceless(j *check.Result, rules []string) {
	for _, rule := range rules {
		if !j.Breaks(rule) {
			j.Kept(rule)
		}
	}
}

// judgeIdentity compares an animal with how its id was first seen.
func (m *memory) judgeIdentity(ex *spec.Exchange, a seenAnimal, before sighting, created bool, out *check.Result) {
	if m.spoilt[a.id] || before.name == a.name && before.category == a.category {
		return
	}
	// A creation whose response comes late may be seen in a list first: that is the same animal, not a second one. What was
	// there before the creation was asked for is another.
	if created && (before.created || before.name != a.name && before.at.Before(ex.Started)) {
		m.spoilt[a.id] = true
		out.Find(spec.Finding{
			Rule: "create.id.unique", Expected: "an id that no other animal has",
			Actual: fmt.Sprintf("the id %s, which names %s already", a.id, quoted(before.name)),
			Where:  check.Place(ex) + ", /id", Pointer: "/id", Exchanges: []int{before.seq, ex.Seq}, Cause: "create.id.unique",
			About: spec.About{IDs: []string{a.id}, Shows: spec.Ambiguous}, After: before.after(),
		})
		return
	}
	field, was, is := "name", quoted(before.name), quoted(a.name)
	if before.name == a.name {
		field, was, is = "categoryId", before.category, a.category
	}
	out.Find(spec.Finding{
		Rule: "pet.identity", Expected: fmt.Sprintf("the %s %s, as the id %s showed before", field, was, a.id), Actual: is,
		Where: check.Place(ex) + ", " + a.pointer + "/" + field, Pointer: a.pointer + "/" + field,
		Exchanges: []int{before.seq, ex.Seq}, Cause: "pet.identity " + field,
		About: spec.About{IDs: []string{a.id}, Shows: spec.Differs},
	})
}

// judgeTrace tells when an animal shows whose creation was refused.
func (m *memory) judgeTrace(ex *spec.Exchange, a seenAnimal, out *check.Result) {
	r, refused := m.refused[a.name]
	if !refused {
		return
	}
	rule := noTraceRule(r.status)
	out.Find(spec.Finding{
		Rule: rule, Expected: fmt.Sprintf("no animal from a creation that was answered %d", r.status),
		Actual: fmt.Sprintf("the animal %s with the id %s", quoted(a.name), a.id),
		Where:  check.Place(ex) + ", " + a.pointer, Pointer: a.pointer, Exchanges: []int{r.seq, ex.Seq}, Cause: rule,
		About: spec.About{IDs: []string{a.id}},
	})
}

func noTraceRule(status int) string {
	if status == 401 {
		return "auth.no-trace"
	}
	return "create.no-trace"
}

// refuse remembers that the only creation with that name was refused. It tells when the animal was seen already.
func (m *memory) refuse(ex *spec.Exchange, name string) check.Result {
	var out check.Result
	m.mu.Lock()
	defer m.mu.Unlock()
	status := ex.Response.Status
	if m.doubted[name] {
		return out
	}
	m.refused[name] = refusal{status, ex.Seq}
	rule := noTraceRule(status)
	if _, known := m.traces[rule]; !known {
		m.traces[rule] = ex.Started.Add(ex.Elapsed)
	}
	if at, seen := m.bySeenName[name]; seen {
		out.Find(spec.Finding{
			Rule: rule, Expected: fmt.Sprintf("no animal from a creation that was answered %d", status),
			Actual: fmt.Sprintf("the animal %s with the id %s", quoted(name), at.id),
			Where:  check.Place(ex), Exchanges: []int{at.seq, ex.Seq}, Cause: rule,
			About: spec.About{IDs: []string{at.id}},
		})
	}
	return out
}

// doubt notes the names of a creation of which nobody knows what became.
func (m *memory) doubt(names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		name = truncate.Text(name)
		m.doubted[name] = true
		delete(m.refused, name)
	}
}

// known counts the animals that were seen so far, and those that carry each status ("" for none).
func (m *memory) known() (all int, byStatus map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.byID), maps.Clone(m.statuses)
}

// size is how many animals were seen so far.
func (m *memory) size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.byID)
}

// has reports whether an id was seen in any response.
func (m *memory) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.byID[id]
	return ok
}

// ids are those of all animals that were seen in any response.
func (m *memory) ids() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]bool, len(m.byID))
	for id := range m.byID {
		out[id] = true
	}
	return out
}

// made reports whether this run created the animal with that id.
func (m *memory) made(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.created[id]
	return ok
}

// anyID is the id of an animal that this run created (mine), or else saw; empty when there is none.
func (m *memory) anyID() (id string, mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range slices.Backward(m.order) {
		if !m.spoilt[id] {
			return id, true
		}
	}
	for id := range m.byID {
		return id, false
	}
	return "", false
}

// animals lists what this run created, in order; animals whose id was given away twice are left out.
func (m *memory) animals() []creation {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]creation, 0, len(m.order))
	for _, id := range m.order {
		if !m.spoilt[id] {
			out = append(out, m.created[id])
		}
	}
	return out
}

// own is an animal that this run created.
func (m *memory) own(id string) (creation, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.created[id]
	return c, ok
}

// send remembers the name of an animal that is asked for.
func (m *memory) send(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name != "" && len(m.sent) < maxSightings {
		m.sent[name] = true
	}
}

// wasSent reports whether an animal of that name was asked for.
func (m *memory) wasSent(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent[name]
}

// origin is the exchange that showed an id first, its creation where this run created it; 0 when none before the given one
// did.
func (m *memory) origin(id string, before int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.created[id]; ok && c.seq < before {
		return c.seq
	}
	if s, ok := m.byID[id]; ok && s.seq < before {
		return s.seq
	}
	return 0
}

func (m *memory) isSpoilt(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spoilt[id]
}
