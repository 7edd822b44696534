package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/request"
	"hallmark/spec/resource"
)

// What a run knows of the resources of any contract: those that it created, which it may change and remove, and those that it only
// read of. See package resource for how they are inferred.

// Resource is something that the paths of a contract name.
type Resource struct {
	// Slot is where paths name it. It must not be changed.
	Slot *resource.Slot
	// alone reports whether the list that shows it shows no other.
	alone bool

	// identifiers are its own and those of all that it is below.
	identifiers identifiers
	// asked is the request that created it, as far as later ones may have to be compared with it: a run creates tens of thousands. It is
	// nil for a resource that was only read of.
	asked *request.Request
	// number is that of its creation in the list of what the run leaves behind.
	number int
	// scenario is the one that created it, and kept reports whether others may need it after that has ended.
	scenario string
	kept     atomic.Bool
	gone     atomic.Bool
	// leaving reports whether its removal was asked for, and not refused.
	leaving atomic.Bool
	// owned is what [Resource.Owned] reports. What is answered to another scenario may take it back.
	owned atomic.Bool
}

// Owned reports whether this run created it.
func (r *Resource) Owned() bool { return r.owned.Load() }

// Identifier returns the value by which paths name it.
func (r *Resource) Identifier() any {
	value, _ := r.identifiers.in(r.Slot.Key)
	return value
}

// resources are those of a run.
type resources struct {
	of *resource.Map

	mu sync.Mutex
	// shared are resources that nothing changes or removes, for reading and as parents, by slot. private are those that one
	// operation alone changes, by the operation.
	shared, private map[string]*lookup
	// created are those of this run, in their order; by finds them by their values.
	created []*Resource
	by      map[string]*Resource
	// working are requests that created, by operation.
	working map[string]request.Request
	// anew are the operations that were seen to create two things when called twice, repeats those that gave the same thing.
	anew, repeats map[string]bool
	// monitors are the last ones that responses named, by their slots; vain are the operations whose work was not done in time.
	monitors map[string]*Resource
	vain     map[string]bool
	// chosen are identifiers that were made up; matched are texts that were made up to match a pattern.
	chosen, matched map[string]bool
	// states are the last ETags, or dates, that requests of operations named.
	states map[string]string
	names  int
	// rooms say how many resources operations create at most, active how often scenarios are being played; makingRoom is held while
	// resources are removed.
	rooms      map[string]room
	active     map[string]int
	makingRoom sync.Mutex
	spares     spares
	// idle are those that plain requests created and nothing names yet, of kinds that count one by one.
	idle []*Resource
	// tried are the slots of which one was deleted, to see whether that can be done.
	tried    map[string]bool
	removals removals

	settings settings
	learned  behaviour.Learned
	refusals refusals
}

func newResources(c *spec.Contract) *resources {
	return &resources{
		of: resource.Of(c), shared: map[string]*lookup{}, private: map[string]*lookup{}, by: map[string]*Resource{},
		working: map[string]request.Request{}, anew: map[string]bool{}, repeats: map[string]bool{}, chosen: map[string]bool{}, matched: map[string]bool{}, states: map[string]string{}, tried: map[string]bool{},
		rooms: map[string]room{}, active: map[string]int{}, monitors: map[string]*Resource{}, vain: map[string]bool{},
	}
}

// lookup is a resource that is looked for once. Locks are taken in this order: the plain request of an operation, what it changes,
// what slots name from longer paths to shorter ones.
type lookup struct {
	mu    sync.Mutex
	known bool
	found *Resource
	none  string
}

func (r *resources) lookup(all map[string]*lookup, key string) *lookup {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all[key] == nil {
		all[key] = &lookup{}
	}
	return all[key]
}

// once returns what was found, or looks. What find returns as text is why there is nothing; its error ends the scenario only.
func (l *lookup) once(find func() (*Resource, string, error)) (*Resource, string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known && (l.found == nil || !l.found.gone.Load()) {
		return l.found, l.none, nil
	}
	found, none, err := find()
	if err == nil {
		l.known, l.found, l.none = true, found, none
		if found != nil {
			found.kept.Store(true)
		}
	}
	return found, none, err
}

// parents are the values of a request's path that stand before a slot.
func (r *resources) parents(slot resource.Slot, asked *request.Request) identifiers {
	var all identifiers
	for _, before := range resource.SlotsOf(asked.Operation) {
		if value, ok := asked.Value(request.PlaceOf(before.Parameter)); ok && slot.Below(before) {
			all = all.with(before.Key, value)
		}
	}
	return all
}

// puts reports whether a request creates what it names, by an identifier of the run's own that nothing has by now.
func (r *resources) puts(asked *request.Request) bool {
	slot, p, ok := r.of.Creates(asked.Operation)
	if !ok || p.Way != resource.Chosen {
		return false
	}
	value, _ := asked.Value(request.PlaceOf(slot.Parameter))
	text, _ := value.(string)
	key := r.parents(*slot, asked).with(slot.Key, value).key()
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.by[key]
	return r.chosen[text] && (there == nil || there.gone.Load())
}

// creates reports whether a request is known to create a resource.
func (r *resources) creates(asked *request.Request) bool {
	_, _, known := r.of.Creates(asked.Operation)
	return known
}

// register notes what a request created. The result is nil where it is not known to create, or does not say what.
func (r *resources) register(a *Answer, number int, marker string) *Resource {
	slot, p, ok := r.of.Creates(a.Request.Operation)
	if !ok || !a.Succeeded() {
		return nil
	}
	var id any
	if p.Way != resource.Chosen {
		sent, _, _ := a.Request.Body()
		if id, ok = p.Identifier(*slot, a.Value.Tree, resolve(a.Exchange, a.Exchange.Response.Header.Get("Location")), sent); !ok {
			return nil
		}
	}
	return r.registerAs(a, id, number, marker)
}

// registerAs is register for a creation whose identifier is known; nil for one that its client chose.
func (r *resources) registerAs(a *Answer, id any, number int, marker string) *Resource {
	op := a.Request.Operation
	slot, p, _ := r.of.Creates(op)
	made := &Resource{Slot: slot, asked: a.Request, number: number, scenario: a.Exchange.Scenario, identifiers: r.parents(*slot, a.Request)}
	sent, _, _ := a.Request.Body()
	sure := false
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.Way == resource.Chosen {
		value, _ := a.Request.Value(request.PlaceOf(slot.Parameter))
		text, _ := value.(string)
		if !r.chosen[text] {
			return nil
		}
		made.identifiers = made.identifiers.with(slot.Key, value)
		made.owned.Store(true)
	} else {
		made.identifiers = made.identifiers.with(slot.Key, id)
		// A name that nothing else has, or a 201, makes sure that it is new.
		sure = r.anew[op.ID] || holds(sent, marker)
		made.owned.Store(sure || a.Status() == 201)
	}
	key := made.identifiers.key()
	if before := r.by[key]; before != nil {
		if sameKey(before.asked, a.Request) {
			return before // as it was asked to be
		}
		if p.Way == resource.Created && !before.gone.Load() && !before.leaving.Load() {
			r.repeats[op.ID] = true
			before.owned.Store(false)
			made.owned.Store(false)
		}
		if p.Way == resource.Chosen && !before.gone.Load() {
			return before
		}
	} else if p.Way == resource.Created && !made.Owned() {
		for _, other := range r.created {
			if other.asked != nil && other.asked.Operation.ID == op.ID && other.asked.Equal(*a.Request) {
				r.anew[op.ID] = true
				made.owned.Store(true)
				other.owned.Store(true)
			}
		}
	}
	if sure && resource.IdempotencyKey(op) == nil {
		made.asked = nil // an equal request would be sure as well
	}
	r.by[key] = made
	r.created = append(r.created, made)
	return made
}

// sameKey reports whether two requests carry the same idempotency key.
func sameKey(x, y *request.Request) bool {
	if x == nil || x.Operation.ID != y.Operation.ID {
		return false
	}
	p := resource.IdempotencyKey(x.Operation)
	if p == nil {
		return false
	}
	a, ok := x.Value(request.PlaceOf(*p))
	b, also := y.Value(request.PlaceOf(*p))
	return ok && also && fmt.Sprint(a) == fmt.Sprint(b)
}

// leaves notes that a request is about to remove what it names, and returns that; nil for nothing of the run. As soon as the service has removed it
// another creation may get its identifier, before the response to the removal is there.
func (r *resources) leaves(asked *request.Request) *Resource {
	slots := resource.SlotsOf(asked.Operation)
	if len(slots) == 0 || slots[len(slots)-1].Key != resource.Anonymous(asked.Operation.Path) {
		return nil
	}
	var named identifiers
	for _, slot := range slots {
		value, _ := asked.Value(request.PlaceOf(slot.Parameter))
		named = named.with(slot.Key, value)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.by[named.key()]
	if found != nil {
		found.leaving.Store(true)
	}
	return found
}

// holds reports whether a body holds a name that the run made up.
func holds(body any, marker string) bool {
	members, _ := body.(map[string]any)
	for _, v := range members {
		if text, ok := v.(string); ok && strings.Contains(text, marker) {
			return true
		}
	}
	return false
}

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
