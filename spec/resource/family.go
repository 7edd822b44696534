package resource

import (
	"regexp"
	"strings"
)

// general matches the segments of paths that name no resource.
var general = regexp.MustCompile(`^(|api|rest|v\d.*)$`)

// Root returns the first segment of a path that names a resource: "books" for /v1/books/{id}/reviews. It returns "" if there is none.
func Root(path string) string {
	for segment := range strings.SplitSeq(Anonymous(path), "/") {
		if !general.MatchString(segment) && !strings.Contains(segment, "{}") {
			return segment
		}
	}
	return ""
}

// Families returns the family of each operation of a map, by its id. Only operations of the same family can see
// what an operation does to resources: those whose paths share a segment, whose requests refer to each other's
// resources, and so on. Families are as large as necessary: a contract may have only one.
func Families(m *Map) map[string]string {
	head := map[string]string{} // maps each segment to another one of its family, and one of them to itself
	var family func(segment string) string
	family = func(segment string) string {
		if up, ok := head[segment]; ok && up != segment {
			head[segment] = family(up)
			return head[segment]
		}
		head[segment] = segment
		return segment
	}
	first := map[string]string{}
	for i := range m.operations {
		op := &m.operations[i]
		paths := []string{Anonymous(op.Path)}
		for _, r := range m.References(op) {
			paths = append(paths, r.Slot.Collection)
		}
		for segment := range strings.SplitSeq(strings.Join(paths, "/"), "/") {
			if general.MatchString(segment) || strings.Contains(segment, "{}") {
				continue
			}
			if first[op.ID] == "" {
				first[op.ID] = segment
			}
			head[family(segment)] = family(first[op.ID])
		}
	}
	for id, segment := range first {
		first[id] = family(segment)
	}
	return first
}
