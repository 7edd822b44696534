package resource

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
)

// Danger is the harm that an operation may do beyond the resources of a run, and the evidence in the document.
type Danger struct {
	// Does completes "it may"; empty for no danger.
	Does string
	// Says is the evidence: `"restore" in its path`.
	Says string
	// Ends reports whether the run may be unable to go on after it: it revokes the credential, stops the service, or
	// changes all of its state.
	Ends bool
}

// String returns a clause: `it may stop or restart the service ("reload" in its id)`.
func (d Danger) String() string { return "it may " + d.Does + " (" + d.Says + ")" }

// Danger returns the harm that an operation may do and a run does not risk by default: to the service, to
// resources of others, to shared settings, to rights, or to the credential in use. Effects on a resource that its
// path names do not count, since that is the run's own.
func (m *Map) Danger(op *spec.Operation) (Danger, bool) {
	if known, is := m.dangers.Load(op.ID); is {
		d, _ := known.(Danger)
		return d, d.Does != ""
	}
	d := m.danger(op)
	m.dangers.Store(op.ID, d)
	return d, d.Does != ""
}

func (m *Map) danger(op *spec.Operation) Danger {
	said := sayingsOf(op)
	switch {
	case op.Method == http.MethodOptions:
		return Danger{}
	case op.Method == http.MethodGet || op.Method == http.MethodHead:
		return m.dangerOfRead(op, said)
	case !safe(op.Method):
		return m.dangerOfChange(op, said)
	}
	return Danger{}
}

func (m *Map) dangerOfChange(op *spec.Operation, said sayings) Danger {
	slot, p, creates := m.Creates(op)
	if NamesOne(op) {
		switch {
		case creates && p.Way == Created:
			return said.creates(false)
		case creates && m.Remover(*slot) == nil && said.isAboutSettings():
			return Danger{Does: "change settings that all share", Says: "nothing removes what it sets"}
		}
		return said.movesShared()
	}
	if d := m.touchesOwnUser(op, said, creates); d.Does != "" {
		return d
	}
	if creates {
		return said.creates(true)
	}
	adds := op.Method == http.MethodPost && m.adds(op, said)
	if d := said.executes(op, adds); d.Does != "" {
		return d
	}
	if op.Method == http.MethodPost && said.reads() {
		return Danger{}
	}
	if d := said.harms(adds); d.Does != "" {
		return d
	}
	if m.singleton(op) != nil && (op.Method != http.MethodPost || creationAnswer(op) == nil) {
		return Danger{Does: "change settings that all share", Says: "GET shows one object at this address"}
	}
	if op.Method == http.MethodPost && !adds && m.Change(op) == "" && !said.contributes(op) {
		return Danger{Does: "change what all share", Says: "nothing in the document says that it only adds or asks"}
	}
	return Danger{}
}

// adds reports whether a POST adds something to what a GET of the same path lists, or says so with its first word.
func (m *Map) adds(op *spec.Operation, said sayings) bool {
	lists := slices.ContainsFunc(m.operationsAt[Anonymous(op.Path)], func(o *spec.Operation) bool {
		return o.Method == http.MethodGet && slices.ContainsFunc(successes(o), func(s *spec.Schema) bool { return items(s) != nil })
	})
	return lists || slices.Contains(creating, said.lead)
}

// touchesOwnUser returns the danger that an operation changes the user or the session of the credential in use.
func (m *Map) touchesOwnUser(op *spec.Operation, said sayings, creates bool) Danger {
	why := ""
	for i, s := range said.segments {
		one := noun(s)
		if slices.Contains(ownUserSegments, one) {
			why = strconv.Quote(s) + " in its path"
		} else if slices.Contains(ownAlone, one) && one == plain(s) && m.showsOne(said.segments[:i+1], op) {
			why = "GET shows one " + strconv.Quote(s)
		}
	}
	if why == "" {
		for _, phrase := range ownSaid {
			if containsPhraseNear(wordsIn(said.summary), phrase) {
				why = strconv.Quote(phrase) + " in its summary"
			}
		}
	}
	if why == "" {
		return Danger{}
	}
	last := wordsIn(said.segments[len(said.segments)-1])
	if creates || op.Method == http.MethodPost && creationAnswer(op) != nil {
		for _, f := range factors {
			if containsPhrase(last, f) {
				return Danger{Does: "change the credential or a factor of it", Says: why + ", and " + strconv.Quote(f), Ends: true}
			}
		}
		return Danger{}
	}
	return Danger{Does: "change the user or the session of the credential", Says: why, Ends: true}
}

// NamesOne reports whether the path of an operation names a resource, other than one of a few that the document
// states.
func NamesOne(op *spec.Operation) bool {
	return slices.ContainsFunc(SlotsOf(op), func(s Slot) bool { return !Fixed(s.Parameter) })
}

// safe reports whether a method is safe.
func safe(method string) bool {
	const query = "QUERY" // the safe method with a body in OpenAPI 3.2
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, query}, method)
}
