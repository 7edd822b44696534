package behaviour

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Difference is a member with another value than expected.
type Difference struct {
	// Pointer is its place in the representation.
	Pointer string
	// Was is the expected value, Is the actual one; There reports whether there is one.
	Was, Is any
	There   bool
	// Likeness is Another, or Hidden if the member is missing.
	Likeness Likeness
}

// Compare compares the members that were sent with those returned, also in objects, and in lists of one object. same holds those with the same value, other those with another one or
// none; the pointers of both refer to the representation.
func Compare(sent, shown map[string]any) (same map[string]any, other []Difference) {
	same = map[string]any{}
	compare(sent, shown, "", same, &other)
	return same, other
}

func compare(sent, shown map[string]any, at string, same map[string]any, other *[]Difference) {
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		is, there := shown[name]
		pointer := at + jsonpointer.Join("", name)
		if inner, object := sent[name].(map[string]any); object && len(inner) > 0 {
			if within, also := is.(map[string]any); also {
				compare(inner, within, pointer, same, other)
				continue
			}
		}
		if inner, within := onlyObject(sent[name]), onlyObject(is); len(inner) > 0 && within != nil {
			compare(inner, within, pointer+"/0", same, other)
			continue
		}
		switch like := Alike(sent[name], is, there); like {
		case Equal:
			same[pointer] = sent[name]
		case Normal:
		case Hidden, Another:
			*other = append(*other, Difference{Pointer: pointer, Was: sent[name], Is: is, There: there, Likeness: like})
		}
	}
}

// onlyObject returns the object that a list holds alone, or nil.
func onlyObject(v any) map[string]any {
	if list, is := v.([]any); is && len(list) == 1 {
		object, _ := list[0].(map[string]any)
		return object
	}
	return nil
}

// Learned is what a run has learned about members whose returned values follow what a client sends. It is safe for concurrent use.
type Learned struct {
	mu sync.Mutex
	// seen holds the different returned values, by creating operation and place.
	seen map[string]map[string]bool
	// attempts holds the attempts to learn about members, by what they concern.
	attempts map[string]*attempts
	// lateness holds how late the changes of operations become visible.
	lateness map[string]*Lateness
}

// Lateness is what is known about how late changes become visible: whether an awaited one did, and how often one was awaited in vain. It is
// safe for concurrent use.
type Lateness struct {
	mu   sync.Mutex
	late bool
	vain int
}

// Lateness returns what is known about how late the changes of an operation become visible.
func (l *Learned) Lateness(operation string) *Lateness {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lateness == nil {
		l.lateness = map[string]*Lateness{}
	}
	if l.lateness[operation] == nil {
		l.lateness[operation] = &Lateness{}
	}
	return l.lateness[operation]
}

// Note records that a change was awaited, and whether it became visible.
func (l *Lateness) Note(came bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late = l.late || came; !came {
		l.vain++
	}
}

// Hopeless reports whether changes were awaited in vain several times, and none ever became visible late.
func (l *Lateness) Hopeless() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.late && l.vain > mostVain
}

// attempts holds the attempts to learn about one member, of which only one is in progress at a time.
type attempts struct {
	mu   sync.Mutex
	vain int
}

// mostVain is the number of failed attempts to learn about a member after which a run makes no more. A second attempt is made by another
// scenario, which has another resource.
const mostVain = 2

// enough is the number of different values that must be returned before a member is known to follow what is sent: a single one may be a
// constant.
const enough = 2

// mostSeen is the maximum number of values kept of one member.
const mostSeen = 8

// Note records members that were returned as sent.
func (l *Learned) Note(operation string, same map[string]any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]map[string]bool{}
	}
	for pointer, value := range same {
		key := operation + "\x00" + pointer
		if l.seen[key] == nil {
			l.seen[key] = map[string]bool{}
		}
		if text, err := json.Marshal(value); err == nil && len(l.seen[key]) < mostSeen {
			l.seen[key][string(text)] = true
		}
	}
}

// Follows reports whether a member is known to follow what a client sends.
func (l *Learned) Follows(operation, pointer string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.seen[operation+"\x00"+pointer]) >= enough
}

// Learn calls try to learn what known reports, unless it is known or was tried in vain before; what identifies it. A second caller waits
// for the first. told reports whether the service accepted values and returned them in some form: only then does the attempt count.
func (l *Learned) Learn(what string, known func() bool, try func() (told bool, err error)) (bool, error) {
	if known() {
		return true, nil
	}
	l.mu.Lock()
	if l.attempts == nil {
		l.attempts = map[string]*attempts{}
	}
	if l.attempts[what] == nil {
		l.attempts[what] = &attempts{}
	}
	made := l.attempts[what]
	l.mu.Unlock()
	made.mu.Lock()
	defer made.mu.Unlock()
	if known() || made.vain >= mostVain {
		return known(), nil
	}
	told, err := try()
	if err != nil {
		return false, err
	}
	if told && !known() {
		made.vain++
	}
	return known(), nil
}
