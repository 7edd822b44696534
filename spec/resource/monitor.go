package resource

import (
	"net/http"
	"slices"
	"strings"

	"hallmark/spec"
)

// Monitor is where a client reads how far what a 202 began has come, such as /operations/{operationId}.
type Monitor struct {
	// Slot is what the identifier of it stands in, and Reader the operation that reads it.
	Slot   Slot
	Reader *spec.Operation
	// Path leads to its identifier in the body of the 202; nil where a header says where it is.
	Path []Step
}

// monitorHeaders lead from a 202 to its monitor.
var monitorHeaders = []string{"Operation-Location", "Azure-AsyncOperation", "Location", "Content-Location"}

// Monitors returns the monitors that the body of a 202 of an operation, or a header beside it, may name; the surest first.
func (m *Map) Monitors(op *spec.Operation) []Monitor {
	var accepted *spec.Answer
	for i := range op.Answers {
		if op.Answers[i].Status == http.StatusAccepted {
			accepted = &op.Answers[i]
		}
	}
	if accepted == nil {
		return nil
	}
	var sure, others []Monitor
	own := Anonymous(op.Path)
	for i := range m.operations {
		reader := &m.operations[i]
		slots := SlotsOf(reader)
		if reader.Method != http.MethodGet || len(slots) != 1 || !slots[0].Whole || Fixed(slots[0].Parameter) || Anonymous(reader.Path) != slots[0].Key ||
			slots[0].Key == own || slots[0].Collection == own {
			continue
		}
		one := Monitor{Slot: slots[0], Reader: reader}
		if one.Path = m.monitored(slots[0], accepted.Schema()); one.Path != nil {
			sure = append(sure, one)
		} else {
			others = append(others, one)
		}
	}
	if !slices.ContainsFunc(accepted.Headers, func(h spec.Header) bool {
		return slices.ContainsFunc(monitorHeaders, func(name string) bool { return strings.EqualFold(name, h.Name) })
	}) {
		return sure
	}
	return append(sure, others...)
}

// monitored returns where the body of a 202 holds what a slot names: it shows what is read there, or has a member that is called as the
// parameter is.
func (m *Map) monitored(slot Slot, body *spec.Schema) []Step {
	left := most
	one := noun(segment(slot.Collection))
	q := query{left: &left, words: []string{one, plain(segment(slot.Collection))}, parameter: slot.Parameter.Schema}
	q.stated, q.likely = namesFor(slot.Parameter.Name, one)
	id, ok := q.one(body)
	if !ok {
		return nil
	}
	last := plain(id.path[len(id.path)-1].Name)
	if slices.Contains(m.records(slot, q), id.record) || len(words(slot.Parameter.Name)) > 1 && last == plain(slot.Parameter.Name) {
		return id.path
	}
	return nil
}

// Identifier returns the identifier by which a response names the monitor; false where it names none.
func (m Monitor) Identifier(body any, header http.Header, resolve func(string) string) (any, bool) {
	for _, name := range monitorHeaders {
		if to := header.Get(name); to != "" {
			if id, ok := m.Slot.Located(resolve(to)); ok {
				return id, true
			}
		}
	}
	if len(m.Path) == 0 {
		return nil, false
	}
	all := collect(body, m.Path)
	if len(all) != 1 {
		return nil, false
	}
	return Convert(all[0], m.Slot.Parameter.Schema), true
}

// Progress is how far something is that a service does after its response.
type Progress int

// Of what shows no state nothing is known.
const (
	Unknown Progress = iota
	Running
	Done
	Failed
)

// ProgressOf returns how far what a representation shows is, by a member such as status, or done.
func ProgressOf(body any) Progress {
	object, ok := body.(map[string]any)
	if !ok {
		return Unknown
	}
	if inner, wrapped := object["data"].(map[string]any); wrapped {
		object = inner
	}
	if done, is := object["done"].(bool); is { // google.longrunning.Operation
		switch {
		case !done:
			return Running
		case object["error"] != nil:
			return Failed
		}
		return Done
	}
	begins := func(text string, all ...string) bool {
		return slices.ContainsFunc(all, func(one string) bool { return strings.HasPrefix(text, one) })
	}
	for _, name := range []string{"status", "state", "phase", "Status", "State"} {
		text, is := object[name].(string)
		if !is {
			continue
		}
		switch text = strings.ToLower(text); {
		case begins(text, "succe", "done", "complete", "finish", "ready", "ok", "available", "active", "created", "deleted", "executed", "processed", "applied", "ended"):
			return Done
		case begins(text, "fail", "error", "cancel", "abort", "reject", "timed", "timeout", "expired", "declin", "denied"):
			return Failed
		}
		return Running
	}
	return Unknown
}
