package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/turn"
)

// What a run knows about the resources of any contract: those that it created, which it may change and delete, and
// those that it only read. See package resource for how they are inferred.

// Resource is something that the paths of a contract name.
type Resource struct {
	// Slot is the path parameter that names it. It must not be modified.
	Slot *resource.Slot
	// alone reports whether it is the only one in its list.
	alone bool

	// identifiers are its own and those of its parents.
	identifiers identifiers
	// asked is the request that created it, as long as later requests may have to be compared with it; dropped early,
	// since a run creates tens of thousands. It is nil for a resource that was only read.
	asked *request.Request
	// creator is the id of the operation that created it, created the number of that exchange, and members its numbers and short texts; see
	// [Lasting].
	creator string
	created int
	members map[string]any
	// since is when the run learned of it.
	since time.Time
	// number is the number of its creation in the list of what the run leaves behind.
	number int
	// scenario is the id of the scenario that created it; kept reports whether others may need it after that scenario
	// has ended.
	scenario string
	kept     atomic.Bool
	gone     atomic.Bool
	// leaving reports whether its deletion was requested and not refused.
	leaving atomic.Bool
	// owned is what [Resource.Owned] reports. A response in another scenario may clear it.
	owned atomic.Bool
}

// Owned reports whether this run created it.
func (r *Resource) Owned() bool { return r.owned.Load() }

// Identifier returns the value by which paths name it.
func (r *Resource) Identifier() any {
	value, _ := r.identifiers.valueIn(r.Slot.Key)
	return value
}

// resources holds the resources of a run.
type resources struct {
	inferred *resource.Map

	mu sync.Mutex
	// shared holds resources that no scenario changes or deletes, for reading and as parents, by slot. private holds
	// those that only one operation changes, by operation.
	shared, private map[string]*lookup
	// created holds the resources of this run in order; byKey finds them by identifiers.key.
	created []*Resource
	byKey   map[string]*Resource
	// working holds requests that created a resource, by operation.
	working map[string]request.Request
	// createsAnew holds the operations that created two resources when called twice, repeats those that returned the
	// same one.
	createsAnew, repeats map[string]bool
	// monitors holds the last monitor that responses named, by slot; neverCompleted the operations whose work was not
	// done in time.
	monitors       map[string]*Resource
	neverCompleted map[string]bool
	// chosen holds made-up identifiers; matched holds texts made up to match a pattern.
	chosen, matched map[string]bool
	// states holds the last ETags, or dates, that requests named, by operation.
	states map[string]string
	// names is the number of the last made-up name; named holds what names are for, by their numbers.
	names int
	named map[string]nameUse
	// rooms holds how many resources operations create at most, active how often each scenario is being played;
	// makingRoom is held while resources are deleted.
	rooms      map[string]room
	active     map[string]int
	makingRoom turn.Turn
	spares     spares
	// idle holds sensitive resources that plain requests created and that no request uses yet.
	idle []*Resource
	// tried holds the slots of which one resource was deleted, to see whether that is allowed.
	tried    map[string]bool
	removals removals
	// exclusive holds what is known of the operations whose resources may exclude each other.
	exclusive map[string]*exclusivity

	settings settings
	learned  behaviour.Learned
	refusals refusals
}

func newResources(c *spec.Contract) *resources {
	return &resources{
		inferred: resource.Of(c), shared: map[string]*lookup{}, private: map[string]*lookup{}, byKey: map[string]*Resource{},
		working: map[string]request.Request{}, createsAnew: map[string]bool{}, repeats: map[string]bool{}, chosen: map[string]bool{}, named: map[string]nameUse{}, matched: map[string]bool{}, states: map[string]string{}, tried: map[string]bool{},
		rooms: map[string]room{}, active: map[string]int{}, monitors: map[string]*Resource{}, neverCompleted: map[string]bool{},
		exclusive: map[string]*exclusivity{}, makingRoom: turn.New(),
	}
}

// lookup is a resource that is searched for once. Locks are taken in this order: the plain request of an
// operation, what it changes, then slots from longer paths to shorter ones.
type lookup struct {
	search turn.Turn // held during the search
	known  bool
	found  *Resource
	none   string
}

func (r *resources) lookup(all map[string]*lookup, key string) *lookup {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all[key] == nil {
		all[key] = &lookup{search: turn.New()}
	}
	return all[key]
}

// once returns what was found, or calls find. The text that find returns says why there is nothing; its error ends
// the scenario only.
func (l *lookup) once(ctx context.Context, find func() (*Resource, string, error)) (*Resource, string, error) {
	leave, err := l.search.Take(ctx)
	if err != nil {
		return nil, "", err
	}
	defer leave()
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

// parents returns the values in a request's path that precede a slot.
func parents(slot resource.Slot, asked *request.Request) identifiers {
	var all identifiers
	for _, before := range resource.SlotsOf(asked.Operation) {
		if value, ok := asked.Value(request.PlaceOf(before.Parameter)); ok && slot.Below(before) {
			all = all.withValue(before.Key, value)
		}
	}
	return all
}

// withAbove adds the identifiers that precede another one in a path and were found with it.
func withAbove(all identifiers, p resource.Producer, pair resource.Pair) identifiers {
	for i, above := range p.Above {
		all = all.withValue(above.Slot.Key, pair.Above[i])
	}
	return all
}

// createsByPut reports whether a request creates what it names, by an identifier that the run made up and that is
// not in use.
func (r *resources) createsByPut(asked *request.Request) bool {
	slot, p, ok := r.inferred.Creates(asked.Operation)
	if !ok || p.Way != resource.Chosen {
		return false
	}
	value, _ := asked.Value(request.PlaceOf(slot.Parameter))
	text, _ := value.(string)
	key := parents(*slot, asked).withValue(slot.Key, value).key()
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.byKey[key]
	return r.chosen[text] && (there == nil || there.gone.Load())
}

// creates reports whether a request is known to create a resource.
func (r *resources) creates(asked *request.Request) bool {
	_, _, known := r.inferred.Creates(asked.Operation)
	return known
}

// register records what a request created. It returns nil if the request is not known to create anything, or the
// response does not say what.
func (r *resources) register(a *Answer, number int, marker string) *Resource {
	slot, p, ok := r.inferred.Creates(a.Request.Operation)
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
	return r.registerWithID(a, id, number, marker)
}

// registerWithID is register for a creation with a known identifier; id is nil if the client chose it.
func (r *resources) registerWithID(a *Answer, id any, number int, marker string) *Resource {
	op := a.Request.Operation
	slot, p, _ := r.inferred.Creates(op)
	made := &Resource{
		Slot: slot, asked: a.Request, number: number, scenario: a.Exchange.Scenario, identifiers: parents(*slot, a.Request), since: time.Now(),
	}
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
		made.identifiers = made.identifiers.withValue(slot.Key, value)
		made.owned.Store(true)
	} else {
		if len(p.Above) > 0 {
			pairs := p.Together(*slot, a.Value.Tree)
			if len(pairs) != 1 {
				return nil // its path is not known
			}
			made.identifiers = withAbove(made.identifiers, p, pairs[0])
		}
		made.identifiers = made.identifiers.withValue(slot.Key, id)
		// A unique name or a 201 proves that the resource is new.
		sure = r.createsAnew[op.ID] || containsText(sent, marker)
		made.owned.Store(sure || a.Status() == 201)
	}
	key := made.identifiers.key()
	if before := r.byKey[key]; before != nil {
		if sameKey(before.asked, a.Request) {
			return before // a retry with the same idempotency key
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
				r.createsAnew[op.ID] = true
				made.owned.Store(true)
				other.owned.Store(true)
			}
		}
	}
	// Text that is not Unicode may be returned in any form.
	made.creator, made.created = op.ID, a.Exchange.Seq
	if len(r.created) < mostLasting && check.IsUnicode(a.Exchange.Request.Body) {
		made.members = membersAtCreation(sent, a.Value.Tree)
	}
	if sure && resource.IdempotencyKey(op) == nil {
		made.asked = nil // an equal request would be sure as well
	}
	r.byKey[key] = made
	r.created = append(r.created, made)
	return made
}

// A run remembers what was sent for up to mostLasting resources: numbers, and texts of at most shortText bytes.
const mostLasting, shortText = 1000, 256

// membersAtCreation returns the numbers and short texts that were sent for a resource, without those of which the response to its creation
// shows another value: that is no matter of what lasts.
func membersAtCreation(sent, response any) map[string]any {
	members := shortMembers(sent)
	shown, _ := response.(map[string]any)
	for name, value := range members {
		if other, there := shown[name]; there && !exactjson.Equal(other, value) {
			delete(members, name)
		}
	}
	return members
}

// shortMembers returns the members of a body that are numbers and short texts.
func shortMembers(body any) map[string]any {
	object, _ := body.(map[string]any)
	short := map[string]any{}
	for name, value := range object {
		switch v := value.(type) {
		case json.Number:
			short[name] = v
		case string:
			if len(v) <= shortText {
				short[name] = strings.Clone(v)
			}
		}
	}
	return short
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

// noteLeaving records that a request is about to delete what it names, and returns that, or nil if it is not a
// resource of the run. Another creation may be given the identifier before the response to the deletion arrives.
func (r *resources) noteLeaving(asked *request.Request) *Resource {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.about(asked)
	if found != nil {
		found.leaving.Store(true)
	}
	return found
}

// about returns the resource of the run that the path of a request ends with, or nil. The caller holds r.mu.
func (r *resources) about(asked *request.Request) *Resource {
	slots := resource.SlotsOf(asked.Operation)
	if len(slots) == 0 || slots[len(slots)-1].Key != resource.Anonymous(asked.Operation.Path) {
		return nil
	}
	var named identifiers
	for _, slot := range slots {
		value, _ := asked.Value(request.PlaceOf(slot.Parameter))
		named = named.withValue(slot.Key, value)
	}
	return r.byKey[named.key()]
}

// maySettleUntil returns the time until which a 404 or 410 for a resource of this run, asked for with the right credential, may mean that its
// creation does not show yet, or the zero time.
func (r *resources) maySettleUntil(a *Answer, settle time.Duration) time.Time {
	if !a.Right || a.Status() != http.StatusNotFound && a.Status() != http.StatusGone {
		return time.Time{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.about(a.Request)
	if found == nil || !found.Owned() || found.gone.Load() || found.leaving.Load() {
		return time.Time{}
	}
	return found.since.Add(settle)
}

// containsText reports whether a member of a body contains a text.
func containsText(body any, marker string) bool {
	members, _ := body.(map[string]any)
	for _, v := range members {
		if text, ok := v.(string); ok && strings.Contains(text, marker) {
			return true
		}
	}
	return false
}

// identifiers are the values by which paths name a resource and its parents, by slot key. A slice is enough for so
// few.
type identifiers []identifier

type identifier struct {
	slot  string
	value any
}

// valueIn returns the value of a slot.
func (all identifiers) valueIn(slot string) (value any, there bool) {
	for _, one := range all {
		if one.slot == slot {
			return one.value, true
		}
	}
	return nil, false
}

// withValue returns the identifiers with another value for a slot.
func (all identifiers) withValue(slot string, value any) identifiers {
	out := make(identifiers, 0, len(all)+1)
	for _, one := range all {
		if one.slot != slot {
			out = append(out, one)
		}
	}
	return append(out, identifier{slot, value})
}

// key returns the identifiers as a text, in the order of the slots.
func (all identifiers) key() string {
	var b strings.Builder
	for _, one := range slices.SortedFunc(slices.Values(all), func(x, y identifier) int { return cmp.Compare(x.slot, y.slot) }) {
		fmt.Fprintf(&b, "%s=%v\x00", one.slot, one.value)
	}
	return b.String()
}
