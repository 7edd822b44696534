package resource

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"hallmark/spec"
)

// Conditional requests (RFC 9110, section 13): headers by which a request depends on the state of what it is about.

// The names of the headers that a run can fill by reading first.
const (
	IfMatch           = "If-Match"
	IfNoneMatch       = "If-None-Match"
	IfUnmodifiedSince = "If-Unmodified-Since"
)

// IsCondition reports whether a parameter makes a request depend on the state of what it is about. A value that was made up names a
// state that there never was.
func IsCondition(p spec.Parameter) bool {
	return p.In == "header" && slices.ContainsFunc([]string{IfMatch, IfNoneMatch, IfUnmodifiedSince, "If-Modified-Since", "If-Range"}, func(name string) bool {
		return strings.EqualFold(name, p.Name)
	})
}

// Condition returns the parameter of an operation that is a header of a name; nil for none.
func Condition(op *spec.Operation, name string) *spec.Parameter {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == "header" && strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// Demands returns the parameter of an operation that is If-Match or If-Unmodified-Since where each request has to have it: the document
// requires it, or gives it and says by 428 that a request without one is refused (RFC 6585, section 3). It is nil for none, and for
// operations that only read.
func Demands(op *spec.Operation) *spec.Parameter {
	if op.Method == http.MethodGet || op.Method == http.MethodHead {
		return nil
	}
	refuses := slices.ContainsFunc(op.Answers, func(a spec.Answer) bool { return a.Status == http.StatusPreconditionRequired })
	for _, name := range []string{IfMatch, IfUnmodifiedSince} {
		if p := Condition(op, name); p != nil && (p.Required || refuses) {
			return p
		}
	}
	return nil
}

// Tagged reports whether an operation documents an ETag header of its successes.
func Tagged(op *spec.Operation) bool {
	return slices.ContainsFunc(op.Answers, func(a spec.Answer) bool {
		return a.Class() == 2 && slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, "ETag") })
	})
}

// Reading returns the operation of a map that reads what the conditions of another one are about: the GET of its path, else that of the
// last resource that its path names as a whole; nil for none.
func Reading(m *Map, op *spec.Operation) *spec.Operation {
	at := func(key string) *spec.Operation {
		for _, other := range m.at[key] {
			if other.Method == http.MethodGet {
				return other
			}
		}
		return nil
	}
	if reader := at(Anonymous(op.Path)); reader != nil {
		return reader
	}
	for _, slot := range slices.Backward(SlotsOf(op)) {
		if reader := at(slot.Key); slot.Whole && reader != nil {
			return reader
		}
	}
	return nil
}

// TagMember returns the text of the member by which a representation shows its entity tag in its body, as some do that send no ETag
// header: as etag, _etag or @odata.etag; empty for none.
func TagMember(body any) string {
	members, _ := body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if text, is := members[name].(string); is && (plain(name) == "etag" || plain(name) == "odataetag") {
			return text
		}
	}
	return ""
}
