package resource

import (
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
)

// Effect returns what a run's calls of an operation change, as a clause about the operation; "" if it only reads.
// See [Map.Danger] for other harm.
func (m *Map) Effect(op *spec.Operation) string {
	if safe(op.Method) {
		return ""
	}
	slot, p, creates := m.Creates(op)
	named := NamesOne(op)
	switch {
	case creates:
		does := "creates a resource"
		if p.Way == Chosen {
			does = "creates a resource, or replaces one of the run"
		}
		if remover := m.Remover(*slot); remover != nil {
			return does + "; " + remover.ID + " removes it"
		}
		return does + ", which no operation removes"
	case op.Method == http.MethodDelete && named:
		return "removes what the run created"
	case op.Method == http.MethodDelete:
		return "removes what its request names, if the run created that"
	case named && op.Method == http.MethodPost:
		return "changes what the run created, or adds to it"
	case named:
		return "changes what the run created"
	case op.Method != http.MethodPost || m.Change(op) != "":
		return "changes what its request names, if the run created that"
	}
	switch said := sayingsOf(op); {
	case said.reads():
		return "only asks, by its name"
	case creationAnswer(op) != nil || m.adds(op, said):
		return "adds something, and no operation is known to remove it"
	}
	return "does what the document does not say"
}
