package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Setting returns the operation that shows what an operation sets: a single object at the same path, without an
// identifier. It returns nil if there is none, and for operations that only read or create.
func (m *Map) Setting(op *spec.Operation) *spec.Operation {
	if _, _, creates := m.Creates(op); creates || safe(op.Method) || NamesOne(op) {
		return nil
	}
	return m.singleton(op)
}

// singleton returns a GET of an operation's path that shows a single object rather than a list or the result of a
// query, or nil.
func (m *Map) singleton(op *spec.Operation) *spec.Operation {
	for _, o := range m.operationsAt[Anonymous(op.Path)] {
		if o.Method != http.MethodGet || slices.ContainsFunc(o.Parameters, func(p spec.Parameter) bool { return p.Required && p.In != "path" }) {
			continue
		}
		left := most
		q := query{left: &left, words: []string{noun(segment(o.Path)), plain(segment(o.Path))}}
		for _, s := range successes(o) {
			if !q.pages(s) && len(members(s)) > 0 {
				return o
			}
		}
	}
	return nil
}

// pages reports whether a body lists what its path is named after.
func (q query) pages(s *spec.Schema) bool {
	return items(s) != nil || slices.ContainsFunc(q.members(s), func(p spec.Property) bool {
		return q.wraps(p.Name) && !scalar(p.Schema) && (items(p.Schema) != nil || slices.ContainsFunc(q.members(p.Schema), func(in spec.Property) bool { return items(in.Schema) != nil }))
	})
}

// showsOne reports whether a GET of the first segments of an operation's path shows a single object.
func (m *Map) showsOne(segments []string, op *spec.Operation) bool {
	path := ""
	rest := op.Path
	for _, s := range segments {
		i := strings.Index(rest, "/"+s)
		if i < 0 {
			return false
		}
		path, rest = path+rest[:i]+"/"+s, rest[i+1+len(s):]
	}
	return m.singleton(&spec.Operation{Path: path}) != nil
}
