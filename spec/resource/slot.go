package resource

import (
	"iter"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Slot is the place of an identifier in the paths of a contract: all operations whose paths begin alike share it,
// regardless of the parameter's name.
type Slot struct {
	// Key is the path up to and including the identifier, without the names of parameters ("/shelves/{}/books/{}").
	// Several identifiers in one segment have different keys.
	Key string
	// Collection is the path before it, in the same form ("/shelves/{}/books").
	Collection string
	// Parameter is an operation's parameter for it.
	Parameter spec.Parameter
	// Whole reports whether the identifier fills its segment.
	Whole bool
}

// placeholders yields the parameters in a path template: where each begins, with its brace, and where it ends.
func placeholders(path string) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		begin := -1
		for i := 0; i < len(path); i++ {
			switch {
			case path[i] == '{':
				begin = i
			case path[i] == '}' && begin >= 0:
				if !yield(begin, i+1) {
					return
				}
				begin = -1
			}
		}
	}
}

// Anonymous returns a path template without the names of its parameters.
func Anonymous(path string) string {
	var b strings.Builder
	last := 0
	for begin, end := range placeholders(path) {
		b.WriteString(path[last:begin])
		b.WriteString("{}")
		last = end
	}
	if last == 0 {
		return strings.TrimSuffix(path, "/")
	}
	b.WriteString(path[last:])
	return strings.TrimSuffix(b.String(), "/")
}

// SlotsOf returns the slots of an operation's path, from left to right.
func SlotsOf(op *spec.Operation) []Slot {
	var all []Slot
	for from, to := range placeholders(op.Path) {
		p, ok := pathParameter(op, op.Path[from+1:to-1])
		if !ok {
			continue
		}
		begin := strings.LastIndexByte(op.Path[:from], '/') + 1
		end := len(op.Path)
		if i := strings.IndexByte(op.Path[to:], '/'); i >= 0 {
			end = to + i
		}
		slot := Slot{
			Key: Anonymous(op.Path[:end]), Collection: Anonymous(op.Path[:max(begin-1, 0)]), Parameter: p,
			Whole: from == begin && to == end,
		}
		if !slot.Whole {
			slot.Key = Anonymous(op.Path[:to]) + "…" + Anonymous(op.Path[to:end])
		}
		all = append(all, slot)
	}
	return all
}

func pathParameter(op *spec.Operation, name string) (spec.Parameter, bool) {
	for _, p := range op.Parameters {
		if p.In == "path" && p.Name == name {
			return p, true
		}
	}
	return spec.Parameter{}, false
}

// segment returns the last plain segment of a collection: "books" for "/shelves/{}/books".
func segment(collection string) string {
	last := collection[strings.LastIndexByte(collection, '/')+1:]
	if strings.ContainsAny(last, "{}") {
		return ""
	}
	return last
}
