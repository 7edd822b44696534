package resource

import (
	"strings"

	"hallmark/internal/lazy"
	"hallmark/spec"
)

// Slot is a place in the paths of a contract where an identifier stands: all operations whose paths begin alike share it, whatever
// they call the parameter.
type Slot struct {
	// Key is the path up to and with the identifier, the names of parameters left out ("/shelves/{}/books/{}"). Of several
	// identifiers in one segment each has a key of its own.
	Key string
	// Collection is the path before it, in the same form ("/shelves/{}/books").
	Collection string
	// Parameter is what an operation calls it.
	Parameter spec.Parameter
	// Whole reports whether the identifier is all of its segment.
	Whole bool
}

// name matches a parameter in a path template.
var name = lazy.Regexp(`\{([^{}]*)\}`)

// Anonymous returns a path template without the names of its parameters.
func Anonymous(path string) string {
	return strings.TrimSuffix(name().ReplaceAllString(path, "{}"), "/")
}

// SlotsOf returns the slots of an operation's path, from left to right.
func SlotsOf(op *spec.Operation) []Slot {
	var all []Slot
	for _, at := range name().FindAllStringSubmatchIndex(op.Path, -1) {
		p, ok := pathParameter(op, op.Path[at[2]:at[3]])
		if !ok {
			continue
		}
		begin := strings.LastIndexByte(op.Path[:at[0]], '/') + 1
		end := len(op.Path)
		if i := strings.IndexByte(op.Path[at[1]:], '/'); i >= 0 {
			end = at[1] + i
		}
		slot := Slot{
			Key: Anonymous(op.Path[:end]), Collection: Anonymous(op.Path[:max(begin-1, 0)]), Parameter: p,
			Whole: at[0] == begin && at[1] == end,
		}
		if !slot.Whole {
			slot.Key = Anonymous(op.Path[:at[1]]) + "…" + Anonymous(op.Path[at[1]:end])
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
