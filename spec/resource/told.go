package resource

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// POST operations whose effect only their body says: in commands, in a text of a language, in a list of changes.

// executes returns the danger of a POST that does what its body says. adds reports whether it seems to add
// something.
func (said sayings) executes(op *spec.Operation, adds bool) Danger {
	if op.Method != http.MethodPost || op.Body == nil || said.looksAt() {
		return Danger{}
	}
	if said.reads() {
		for _, phrase := range languages {
			if where := said.where(phrase, false); where != "" {
				return Danger{Does: doesAsTold, Says: strconv.Quote(phrase) + " in " + where}
			}
		}
	}
	for _, m := range op.Body.Content {
		if name := commands(m.Schema, adds); name != "" {
			return Danger{Does: doesAsTold, Says: strconv.Quote(name) + " in its body"}
		}
	}
	return Danger{}
}

// looksAt reports whether a POST inspects its body without executing it.
func (said sayings) looksAt() bool {
	last := wordsIn(said.last())
	return slices.Contains(last, "read") || slices.Contains(lookingAt, said.lead) || slices.ContainsFunc(last, func(w string) bool { return slices.Contains(lookingAt, w) })
}

// commands returns the name of a body member that holds commands, or "". In a body that adds something, such a
// member may merely describe an item.
func commands(s *spec.Schema, adds bool) string {
	all := members(s)
	named := func(name string) bool {
		return slices.ContainsFunc(all, func(p spec.Property) bool { return plain(p.Name) == name })
	}
	if named("query") && (named("variables") || named("operationname")) {
		return "query"
	}
	for _, p := range all {
		if slices.Contains(statements, plain(p.Name)) && (admits(p.Schema, "string") || items(p.Schema) != nil) && !adds {
			return p.Name
		}
	}
	const deepest = 5
	seen := map[*spec.Schema]bool{}
	var look func(s *spec.Schema, depth int) string
	look = func(s *spec.Schema, depth int) string {
		if s == nil || seen[s] || depth > deepest {
			return ""
		}
		seen[s] = true
		if list := items(s); list != nil {
			return look(list, depth+1)
		}
		altered := ""
		for _, p := range members(s) {
			switch {
			case admits(p.Schema, "boolean") && len(words(p.Name)) > 1: // an option, such as removeDuplicates
			case scalar(p.Schema):
				if !adds && chooses(p) {
					return p.Name
				}
			case begins(p.Name, removing):
				return p.Name
			case begins(p.Name, altering):
				if altered != "" {
					return altered
				}
				altered = p.Name
			}
		}
		for _, p := range members(s) {
			if found := look(p.Schema, depth+1); found != "" {
				return found
			}
		}
		return ""
	}
	return look(s, 0)
}

// begins reports whether a name begins with one of some verbs, perhaps after words such as request.
func begins(name string, verbs []string) bool {
	all := words(name)
	for len(all) > 1 && slices.Contains([]string{"request", "op", "to", "bulk", "batch"}, all[0]) {
		all = all[1:]
	}
	return len(all) > 0 && (slices.Contains(verbs, all[0]) || slices.Contains(verbs, verb(all[0])))
}

// chooses reports whether a member selects an action, and one of the actions is to delete.
func chooses(p spec.Property) bool {
	if !slices.Contains([]string{"action", "op", "operation", "method", "verb"}, plain(p.Name)) {
		return false
	}
	return slices.ContainsFunc(EnumOf(p.Schema), func(value string) bool {
		return slices.Contains(removing, strings.ToLower(strings.Trim(value, `"`)))
	})
}
