package openapi

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// placeholder is a parameter in a path template.
var placeholder = regexp.MustCompile(`\{[^{}/]*\}`)

// identify assigns each operation its id: its operationId, or one made of method and path if that is missing or already used.
func identify(r *reader, all []found) {
	taken := map[string]place{}
	made := map[string]int{} // how often each generated id was used
	for i := range all {
		f := &all[i]
		at, ok := r.child(f.operation, "operationId")
		if !ok || r.text(f.operation, "operationId") == "" {
			continue
		}
		id := at.node.Value
		if first, twice := taken[id]; twice {
			r.defect(at, "the operationId %s is already used in line %d", id, first.line)
			continue
		}
		f.id, taken[id] = id, at
	}
	for i := range all {
		f := &all[i]
		if f.id == "" {
			base := MadeID(f.method, f.path)
			id := base
			for {
				if made[base]++; made[base] > 1 {
					id = base + strconv.Itoa(made[base])
				}
				if _, twice := taken[id]; !twice {
					break
				}
			}
			f.id, taken[id] = id, f.operation
		}
		r.known[f.id] = true
		if _, twice := r.ids[f.operation.pointer]; !twice {
			r.ids[f.operation.pointer] = f.id
		}
	}
}

// MadeID returns the id of an operation without operationId, such as "getPetsByPetId" for GET /pets/{petId}. It depends on method and path alone.
func MadeID(method, path string) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	word := func(text string) {
		upper := true
		for _, c := range text {
			switch {
			case !unicode.IsLetter(c) && !unicode.IsDigit(c):
				upper = true
			case upper:
				b.WriteRune(unicode.ToUpper(c))
				upper = false
			default:
				b.WriteRune(c)
			}
		}
	}
	for path != "" {
		at := placeholder.FindStringIndex(path)
		if at == nil {
			word(path)
			break
		}
		word(path[:at[0]])
		b.WriteString("By")
		word(path[at[0]:at[1]])
		path = path[at[1]:]
	}
	if b.Len() == len(method) {
		b.WriteString("Root")
	}
	return b.String()
}
