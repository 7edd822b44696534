package resource

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Conditional requests (RFC 9110, section 13): headers that make a request depend on the state of its resource.

// The names of headers whose value a run can obtain by reading first.
const (
	IfMatch           = "If-Match"
	IfNoneMatch       = "If-None-Match"
	IfUnmodifiedSince = "If-Unmodified-Since"
)

// IsCondition reports whether a parameter makes a request depend on the state of its resource. A made-up value
// names a state that never existed.
func IsCondition(p spec.Parameter) bool {
	return p.In == "header" && slices.ContainsFunc([]string{IfMatch, IfNoneMatch, IfUnmodifiedSince, "If-Modified-Since", "If-Range"}, func(name string) bool {
		return strings.EqualFold(name, p.Name)
	})
}

// Condition returns the header parameter of an operation with a name, or nil.
func Condition(op *spec.Operation, name string) *spec.Parameter {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == "header" && strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// Demands returns the If-Match or If-Unmodified-Since parameter of an operation if every request must have it: the
// document requires it, or defines it and documents 428 for requests without it (RFC 6585, section 3). It returns
// nil otherwise, and for operations that only read.
func Demands(op *spec.Operation) *spec.Parameter {
	if op.Method == http.MethodGet || op.Method == http.MethodHead {
		return nil
	}
	refuses := slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool { return a.Status == http.StatusPreconditionRequired })
	for _, name := range []string{IfMatch, IfUnmodifiedSince} {
		if p := Condition(op, name); p != nil && (p.Required || refuses) {
			return p
		}
	}
	return nil
}

// Tagged reports whether an operation documents an ETag header for its successes.
func Tagged(op *spec.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool {
		return a.Class() == 2 && slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, "ETag") })
	})
}

// Reading returns the operation that reads the resource of another operation's conditions: the GET of its path, or
// that of the last resource that the path names; or nil.
func Reading(m *Map, op *spec.Operation) *spec.Operation {
	at := func(key string) *spec.Operation {
		for _, other := range m.operationsAt[key] {
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

// TagMember returns the entity tag that a representation holds in its body, as some services without an ETag
// header do, in a member such as etag, _etag or @odata.etag; or "".
func TagMember(body any) string {
	members, _ := body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if text, is := members[name].(string); is && (plain(name) == "etag" || plain(name) == "odataetag") {
			return text
		}
	}
	return ""
}

// versionNames are the plain names of members that name the state of a resource in its representation.
var versionNames = []string{"version", "lockversion", "rowversion", "resourceversion", "optlock", "revision", "rev", "etag"}

// VersionMember returns the member in the body of a PUT or PATCH that names the state of its resource, as a read shows it, and that read; nil if
// there is none.
func VersionMember(m *Map, op *spec.Operation) (name string, reader *spec.Operation) {
	if op.Method != http.MethodPut && op.Method != http.MethodPatch || op.Body == nil {
		return "", nil
	}
	if reader = Reading(m, op); reader == nil || Anonymous(reader.Path) != Anonymous(op.Path) {
		return "", nil
	}
	for _, s := range successes(reader) {
		for _, p := range members(s) {
			if slices.Contains(versionNames, plain(p.Name)) && scalar(p.Schema) && Sends(op, p.Name) {
				return p.Name, reader
			}
		}
	}
	return "", nil
}
