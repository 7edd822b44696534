package resource

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Monitor is where a client reads the progress of the work begun by a 202, such as /operations/{operationId}.
type Monitor struct {
	// Slot is the slot of its identifier, and Reader the operation that reads it.
	Slot   Slot
	Reader *spec.Operation
	// Path leads to its identifier in the body of the 202; nil if a header has its URL.
	Path []Step
}

// monitorHeaders are headers of a 202 with the URL of its monitor.
var monitorHeaders = []string{"Operation-Location", "Azure-AsyncOperation", "Location", "Content-Location"}

// Monitors returns the monitors that the body or a header of an operation's 202 may name; the most certain first.
func (m *Map) Monitors(op *spec.Operation) []Monitor {
	var accepted *spec.DocumentedResponse
	for i := range op.Responses {
		if op.Responses[i].Status == http.StatusAccepted {
			accepted = &op.Responses[i]
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

// monitored returns the path at which the body of a 202 holds what a slot names: it has the schema that is read
// there, or a member named like the parameter.
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

// onlyAccepts reports whether 202 is the only documented success of an operation.
func onlyAccepts(op *spec.Operation) bool {
	accepts := false
	for i := range op.Responses {
		switch a := &op.Responses[i]; {
		case a.Status == http.StatusAccepted:
			accepts = true
		case a.Class() == 2 || a.Class() == 3:
			return false
		}
	}
	return accepts
}

// monitorsPath returns the path at which the body of a 202, the only success of an operation, certainly holds the
// identifier of its monitor, or nil.
func (m *Map) monitorsPath(op *spec.Operation) []Step {
	if !onlyAccepts(op) {
		return nil
	}
	for _, one := range m.Monitors(op) {
		if one.Path != nil {
			return one.Path
		}
	}
	return nil
}

// holders are names of members in which the representation of finished work holds, or links to, the result.
var holders = []string{"result", "response", "resource", "output", "target", "created", "entity", "object"}

// createdLater returns the path to the created resource's identifier in the final state of the monitor, for an
// operation that only answers 202. The path is nil if a URL there has it; ok is false if nothing has.
func (m *Map) createdLater(slot Slot, q query, op *spec.Operation) (path []Step, ok bool) {
	if !onlyAccepts(op) {
		return nil, false
	}
	for _, one := range m.Monitors(op) {
		if one.Slot.Key == slot.Key {
			continue
		}
		for _, s := range successes(one.Reader) {
			if path, ok := q.resultIn(s, one); ok {
				return path, true
			}
		}
		if slices.ContainsFunc(one.Reader.Responses, func(a spec.DocumentedResponse) bool {
			return a.Status == http.StatusSeeOther || a.Class() == 2 && slices.ContainsFunc(a.Headers, func(h spec.Header) bool {
				return slices.Contains(monitorHeaders[2:], http.CanonicalHeaderKey(h.Name))
			})
		}) {
			return nil, true
		}
	}
	return nil, false
}

// resultIn returns the path to the identifier of the result in a monitor's schema. The path is nil if the schema
// may hold its URL; ok is false if neither is the case.
func (q query) resultIn(s *spec.Schema, of Monitor) (path []Step, ok bool) {
	one := ""
	if len(q.words) > 0 {
		one = q.words[0]
	}
	addressed := false
	for _, p := range members(s) {
		name := plain(p.Name)
		switch {
		case scalar(p.Schema):
			own := name == plain(of.Slot.Parameter.Name) || isIdentifying(name)
			names := slices.Contains(q.stated, name) || slices.ContainsFunc(holders, func(h string) bool { return name == h+"id" })
			if names && !own && fits(p.Schema, q.parameter) {
				return []Step{{Name: p.Name}}, true
			}
			addressed = addressed || admits(p.Schema, "string") && addresses(name)
		case name == one || slices.Contains(holders, name):
			if id, found := q.one(p.Schema); found {
				return append([]Step{{Name: p.Name}}, id.path...), true
			}
		}
	}
	return nil, addressed
}

// addresses reports whether a member is named like one that holds the URL of the result.
func addresses(name string) bool {
	if slices.Contains(holders, name) || slices.Contains([]string{"location", "href", "url", "uri", "link"}, name) {
		return true
	}
	return slices.ContainsFunc([]string{"location", "href", "url", "uri", "link"}, func(end string) bool {
		return slices.Contains(holders, strings.TrimSuffix(name, end)) && strings.HasSuffix(name, end)
	})
}

// Made returns the identifier of the result, from the final state of its monitor and the Location; false if
// neither has it.
func (p Producer) Made(slot Slot, body any, location string, resolve func(string) string) (any, bool) {
	if len(p.Result) > 0 {
		if all := collect(body, p.Result); len(all) == 1 {
			return Convert(all[0], slot.Parameter.Schema), true
		}
	}
	if id, ok := slot.Located(resolve(location)); ok && location != "" {
		return id, true
	}
	var found any
	for _, text := range textsIn(body, 0) {
		id, ok := slot.Located(resolve(text))
		if ok && found != nil && found != id {
			return nil, false
		}
		if ok {
			found = id
		}
	}
	return found, found != nil
}

// textsIn returns the texts in a value that may be URLs.
func textsIn(value any, depth int) []string {
	const deepest = 4
	if depth > deepest {
		return nil
	}
	var all []string
	switch v := value.(type) {
	case string:
		if strings.Contains(v, "/") {
			all = append(all, v)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, textsIn(v[name], depth+1)...)
		}
	case []any:
		for _, item := range v[:min(len(v), mostFound)] {
			all = append(all, textsIn(item, depth+1)...)
		}
	}
	return all
}

// Identifier returns the identifier of the monitor that a response names; false if it names none.
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

// Progress is the progress of work that a service does after its response.
type Progress int

// Unknown means that no state is shown.
const (
	Unknown Progress = iota
	Running
	Done
	Failed
)

// ProgressOf returns the progress that a representation shows, by a member such as status or done.
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
