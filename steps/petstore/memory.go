package petstore

import (
	"maps"
	"slices"
	"sync"
	"time"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/truncate"
)

// Memory is what a run remembers over all its scenarios, to judge what no single response shows: that an id names one
// animal, that every creation gives a new one, and that what was refused is never seen. Safe for concurrent use.
type Memory struct {
	mu sync.Mutex
	// histories holds how an id was first seen, statuses how many of these carried each status ("" for none).
	byID     map[string]sighting
	statuses map[string]int
	// bySeenName holds the exchange in which a name was first seen, for names of this run only.
	bySeenName map[string]seenAnimalAt
	// refused holds the names that only refused creations carried, refusedSince the rules that they may leave no trace by, since
	// when.
	refused      map[string]refusal
	refusedSince map[string]time.Time
	// doubted holds the names that a creation of unknown fate carried: an animal of that name may be there.
	doubted map[string]bool
	// created holds what this run created, by id, as it was answered.
	created map[string]Creation
	// order lists the ids of created in the order of their responses.
	order []string
	// sent holds the names of the animals that this run asked for.
	sent map[string]bool
	// spoilt holds ids that were given to two animals: nothing more is judged by them.
	spoilt map[string]bool
	// unforeseen holds ids of animals created by a text that is not Unicode: their names may be answered, stored and shown differently.
	unforeseen map[string]bool
}

// maxSightings is how many animals are remembered, besides those that this run created: as many as 400 full lists show.
const maxSightings = 40_000

type sighting struct {
	Animal
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

// Creation is an animal that this run created, and what became known of it since.
type Creation struct {
	Animal
	Seq int
	// Shown reports whether another response than that to its creation showed it.
	Shown bool
	// Read reports whether it is what getPet answered, not what createPet did.
	Read bool
	// Found reports whether getPet has answered with it.
	Found bool
}

// NewMemory returns a memory that has seen nothing.
func NewMemory() *Memory {
	return &Memory{
		byID: map[string]sighting{}, bySeenName: map[string]seenAnimalAt{}, refused: map[string]refusal{},
		created: map[string]Creation{}, sent: map[string]bool{}, spoilt: map[string]bool{}, refusedSince: map[string]time.Time{},
		statuses: map[string]int{}, doubted: map[string]bool{}, unforeseen: map[string]bool{},
	}
}

// See remembers the animals of a response and judges them by what was seen before. mine reports whether a name belongs to
// this run. A creation must show an id that was not there before.
func (m *Memory) See(ex *spec.Exchange, seen []SeenAnimal, mine func(string) bool) check.Result {
	var out check.Result
	created := ex.Operation == "createPet"
	m.mu.Lock()
	defer m.mu.Unlock()
	compared := created && len(m.byID) > 0 // the first id of all can be no other's
	met := false
	for _, a := range seen {
		m.judgeTrace(ex, a, &out)
		if mine(a.Name) && len(m.bySeenName) < maxSightings {
			if _, there := m.bySeenName[a.Name]; !there {
				m.bySeenName[a.Name] = seenAnimalAt{a.ID, ex.Seq}
			}
		}
		before, known := m.byID[a.ID]
		if !known && !created && len(m.byID) >= maxSightings {
			continue
		}
		if !known {
			m.byID[a.ID] = sighting{a.Animal, ex.Seq, created, ex.Operation == "getPet", ex.Started.Add(ex.Elapsed)}
			m.statuses[a.Status]++
		} else {
			met = true
			m.judgeIdentity(ex, a, before, created, &out)
		}
		if created && !check.IsUnicode(ex.Request.Body) {
			m.unforeseen[a.ID] = true
		}
		own, there := m.created[a.ID]
		switch {
		case created && !there:
			m.created[a.ID] = Creation{Animal: a.Animal, Seq: ex.Seq}
			m.order = append(m.order, a.ID)
		case !created && there:
			own.Shown = true
			own.Found = own.Found || ex.Operation == "getPet"
			m.created[a.ID] = own
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

// RefusedBefore lists the rules by which nothing may be seen of creations that had been refused by that moment.
func (m *Memory) RefusedBefore(t time.Time) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var rules []string
	for rule, at := range m.refusedSince {
		if at.Before(t) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// Traceless counts the rules that a list of the whole store keeps by showing no trace of what was refused. Any other list
// may have no room for it.
func Traceless(j *check.Result, rules []string) {
	for _, rule := range rules {
		if !j.Breaks(rule) {
			j.Kept(rule)
		}
	}
}

// judgeIdentity compares an animal with how its id was first seen.
func (m *Memory) judgeIdentity(ex *spec.Exchange, a SeenAnimal, before sighting, created bool, out *check.Result) {
	if m.spoilt[a.ID] || (before.Name == a.Name || m.unforeseen[a.ID]) && before.Category == a.Category {
		return
	}
	// A creation whose response comes late may be seen in a list first: that is the same animal, not a second one. What was
	// there before the creation was asked for is another.
	if created && (before.created || before.Name != a.Name && before.at.Before(ex.Started)) {
		m.spoilt[a.ID] = true
		out.Find(spec.Finding{
			Rule: "create.id.unique", Kind: spec.KindDuplicate, Expected: phrase.Of("an id that no other animal has"),
			Actual: phrase.Of("the id {}, which names {} already", phrase.ID(a.ID), truncate.String(before.Name)),
			Where:  check.Place(ex).At("/id"), Pointer: "/id", Exchanges: []int{before.seq, ex.Seq}, Cause: "create.id.unique",
			About: spec.About{IDs: []string{a.ID}, Shows: spec.Ambiguous}, After: before.after(),
		})
		return
	}
	unforeseen := m.unforeseen[a.ID] || created && !check.IsUnicode(ex.Request.Body)
	if unforeseen && before.Category == a.Category {
		return
	}
	field, was, is := "name", truncate.String(before.Name), truncate.String(a.Name)
	if before.Name == a.Name || unforeseen {
		field, was, is = "categoryId", phrase.JSON(before.Category), phrase.JSON(a.Category)
	}
	out.Find(spec.Finding{
		Rule: "pet.identity", Kind: spec.KindDiffers, Expected: phrase.Of("the {} {}, as the id {} showed before", phrase.Field(field), was, phrase.ID(a.ID)), Actual: phrase.Of("{}", is),
		Where: check.Place(ex).At(a.Pointer + "/" + field), Pointer: a.Pointer + "/" + field,
		Exchanges: []int{before.seq, ex.Seq}, Cause: "pet.identity " + field,
		About: spec.About{IDs: []string{a.ID}, Shows: spec.Differs},
	})
}

// judgeTrace judges that an animal is none whose creation was refused.
func (m *Memory) judgeTrace(ex *spec.Exchange, a SeenAnimal, out *check.Result) {
	r, refused := m.refused[a.Name]
	if !refused {
		return
	}
	rule := NoTraceRule(r.status)
	out.Find(spec.Finding{
		Rule: rule, Kind: spec.KindUnexpected, Expected: phrase.Of("no animal from a creation that was answered {}", phrase.Status(r.status)),
		Actual: phrase.Of("the animal {} with the id {}", truncate.String(a.Name), phrase.ID(a.ID)),
		Where:  check.Place(ex).At(a.Pointer), Pointer: a.Pointer, Exchanges: []int{r.seq, ex.Seq}, Cause: rule,
		About: spec.About{IDs: []string{a.ID}},
	})
}

// HasRefused reports whether a creation was refused.
func (m *Memory) HasRefused() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.refused) > 0
}

// Traces judges that none of the animals of a response is one whose creation was refused.
func (m *Memory) Traces(ex *spec.Exchange, seen []SeenAnimal) check.Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out check.Result
	for _, a := range seen {
		m.judgeTrace(ex, a, &out)
	}
	return out
}

// NoTraceRule returns the rule by which a creation that was answered with a status must leave no trace.
func NoTraceRule(status int) string {
	if status == 401 {
		return "auth.no-trace"
	}
	return "create.no-trace"
}

// Refuse remembers that the only creation with that name was refused, and judges that the animal was not seen already.
func (m *Memory) Refuse(ex *spec.Exchange, name string) check.Result {
	var out check.Result
	m.mu.Lock()
	defer m.mu.Unlock()
	status := ex.Response.Status
	if m.doubted[name] {
		return out
	}
	m.refused[name] = refusal{status, ex.Seq}
	rule := NoTraceRule(status)
	if _, known := m.refusedSince[rule]; !known {
		m.refusedSince[rule] = ex.Started.Add(ex.Elapsed)
	}
	if at, seen := m.bySeenName[name]; seen {
		out.Find(spec.Finding{
			Rule: rule, Kind: spec.KindUnexpected, Expected: phrase.Of("no animal from a creation that was answered {}", phrase.Status(status)),
			Actual: phrase.Of("the animal {} with the id {}", truncate.String(name), phrase.ID(at.id)),
			Where:  check.Place(ex), Exchanges: []int{at.seq, ex.Seq}, Cause: rule,
			About: spec.About{IDs: []string{at.id}},
		})
	}
	return out
}

// Doubt notes the names of a creation of which nobody knows what became.
func (m *Memory) Doubt(names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		name = truncate.Text(name)
		m.doubted[name] = true
		delete(m.refused, name)
	}
}

// Known counts the animals that were seen so far, and those that carry each status ("" for none).
func (m *Memory) Known() (all int, byStatus map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.byID), maps.Clone(m.statuses)
}

// Size is how many animals were seen so far.
func (m *Memory) Size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.byID)
}

// Has reports whether an id was seen in any response.
func (m *Memory) Has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.byID[id]
	return ok
}

// IDs are those of all animals that were seen in any response.
func (m *Memory) IDs() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]bool, len(m.byID))
	for id := range m.byID {
		out[id] = true
	}
	return out
}

// Made reports whether this run created the animal with that id.
func (m *Memory) Made(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.created[id]
	return ok
}

// AnyID is the id of an animal that this run created (mine), or else saw; empty when there is none.
func (m *Memory) AnyID() (id string, mine bool) {
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

// Animals lists what this run created, in order; animals whose id was given away twice are left out.
func (m *Memory) Animals() []Creation {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Creation, 0, len(m.order))
	for _, id := range m.order {
		if !m.spoilt[id] {
			out = append(out, m.created[id])
		}
	}
	return out
}

// CreatedSince returns how many animals this run has created since that one.
func (m *Memory) CreatedSince(id string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.Index(m.order, id)
	if at < 0 {
		return 0
	}
	return len(m.order) - at - 1
}

// Own is an animal that this run created.
func (m *Memory) Own(id string) (Creation, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.created[id]
	return c, ok
}

// NoteSent remembers the name of an animal that is asked for.
func (m *Memory) NoteSent(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name != "" && len(m.sent) < maxSightings {
		m.sent[name] = true
	}
}

// WasSent reports whether an animal of that name was asked for.
func (m *Memory) WasSent(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent[name]
}

// Origin is the exchange that showed an id first, its creation where this run created it; 0 when none before the given one
// did.
func (m *Memory) Origin(id string, before int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.created[id]; ok && c.Seq < before {
		return c.Seq
	}
	if s, ok := m.byID[id]; ok && s.seq < before {
		return s.seq
	}
	return 0
}

// IsUnforeseen reports whether an id is that of an animal whose name may be shown in different forms, for it was created by a text that is
// not Unicode.
func (m *Memory) IsUnforeseen(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unforeseen[id]
}

// IsSpoilt reports whether an id was given to two animals.
func (m *Memory) IsSpoilt(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spoilt[id]
}

// SeenAt returns when an id was first seen; false when it never was.
func (m *Memory) SeenAt(id string) (time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.byID[id]
	return s.at, ok
}

// LastMissing returns when the last of the animals was first seen that this run created by a moment and that are not listed;
// of a status only, unless it is empty. It is zero when none is missing.
func (m *Memory) LastMissing(listed map[string]bool, status string, by time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	var last time.Time
	for _, id := range m.order {
		seen := m.byID[id]
		if listed[id] || m.spoilt[id] || seen.at.After(by) || status != "" && seen.Status != status {
			continue
		}
		if seen.at.After(last) {
			last = seen.at
		}
	}
	return last
}
