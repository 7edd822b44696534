package behaviour

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"hallmark/spec/jsonpointer"
)

// Difference is a member that shows another value than the one that is compared with it.
type Difference struct {
	// Pointer is where it stands in the representation.
	Pointer string
	// Was is the value that it has to have, Is the one that is there; There reports whether any is.
	Was, Is any
	There   bool
	// Likeness is Another, or Hidden where the member is gone.
	Likeness Likeness
}

// Compare compares the members that were sent with those that are shown. same are those that show the very value, other those that
// are another one or hidden; the pointers of both are those of the representation.
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
		switch like := Alike(sent[name], is, there); like {
		case Equal:
			same[pointer] = sent[name]
		case Normal:
		case Hidden, Another:
			*other = append(*other, Difference{Pointer: pointer, Was: sent[name], Is: is, There: there, Likeness: like})
		}
	}
}

// Learned is what a run has learned of the members that come back: those that follow what a client sends. Any number of goroutines
// may use it.
type Learned struct {
	mu sync.Mutex
	// seen are the different values that came back, by the creating operation and the place.
	seen map[string]map[string]bool
	// attempts are those to learn of members, by what they are about.
	attempts map[string]*attempts
	// lateness is how late what operations change shows.
	lateness map[string]*Lateness
}

// Lateness is what is known of how late changes show: whether one was waited for and came, and how often one was waited for in vain. Any
// number of goroutines may use it.
type Lateness struct {
	mu   sync.Mutex
	late bool
	vain int
}

// Lateness returns what is known of how late the changes by an operation show.
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

// Note notes that a change was waited for, and whether it came.
func (l *Lateness) Note(came bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late = l.late || came; !came {
		l.vain++
	}
}

// Hopeless reports whether changes were waited for in vain several times, and none ever came late.
func (l *Lateness) Hopeless() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.late && l.vain > mostVain
}

// attempts are those to learn of one member. One is under way at a time.
type attempts struct {
	mu   sync.Mutex
	vain int
}

// mostVain is how many attempts to learn of a member may be in vain before a run makes no more: another scenario, which has another
// resource, gets a second one.
const mostVain = 2

// enough is how many different values have to come back before a member is known to follow what is sent: one may be a constant of the
// service's.
const enough = 2

// mostSeen bounds how many values are kept of one member.
const mostSeen = 8

// Note notes members that came back as they were sent.
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

// Learn calls try to learn what known reports, unless it is known or was tried in vain before; what names it. A second caller waits for the
// first one. try reports whether the service took values and showed what it made of them: only then it counts as tried.
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
