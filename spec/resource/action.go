package resource

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// trying matches names of operations that only try something.
var trying = regexp.MustCompile(`(?i)dry|test|trial|try|sample|mock|draft|copy|clone|duplicate|fork|quote|ping`)

// actionsOn returns the POST operations below the path of a resource, by one word such as "publish", whose successes show the resource itself. It
// leaves out those that may be dangerous or move money, and those that only ask or try something.
func (m *Map) actionsOn(l Life) []*spec.Operation {
	var all []*spec.Operation
	if l.Reader == nil || len(l.read) == 0 {
		return nil
	}
	for i := range m.operations {
		op := &m.operations[i]
		path := Anonymous(op.Path)
		word, below := strings.CutPrefix(path, l.Slot.Key+"/")
		if op.Method != http.MethodPost || !below || strings.ContainsAny(word, "/{") || trying.MatchString(word) || Pays(op) || sayingsOf(op).reads() {
			continue
		}
		if _, _, creates := m.Creates(op); creates {
			continue
		}
		if _, dangerous := m.Danger(op); !dangerous && l.showsIn(op) {
			all = append(all, op)
		}
	}
	return all
}

// showsIn reports whether each success of an operation is a 200 or 201 that shows the representation as a read does.
func (l Life) showsIn(op *spec.Operation) bool {
	shown := successes(op)
	return len(shown) > 0 && !slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool {
		return a.Class() == 2 && a.Status != http.StatusOK && a.Status != http.StatusCreated || a.Class() == 3
	}) && !slices.ContainsFunc(shown, func(s *spec.Schema) bool {
		for _, step := range l.read[:len(l.read)-1] {
			i := slices.IndexFunc(members(s), func(p spec.Property) bool { return p.Name == step.Name })
			if i < 0 || step.Each {
				return true
			}
			s = members(s)[i].Schema
		}
		return s != l.Record && !sameMembers(s, l.Record)
	})
}

// transient matches names of members that an action may show otherwise than later reads: counters, times, addresses, secrets and positions.
var transient = regexp.MustCompile(`(?i)count|total|progress|version|revision|etag|(updated|modified|created|changed|expire|last|next|time|date)|secret|token|password|key|hash|position|order|rank|sequence|index|url|uri|href|link|path|slug|message|note|result|log|cursor|running|busy|loading|ing$`)

// Lasting returns the members of the representation that an action changes for good: texts without a format and booleans that are named like
// states. Another text may be a variant of what is kept, such as a translation, and another boolean a pulse.
func (l Life) Lasting() []string {
	return slices.DeleteFunc(l.Names(), func(name string) bool {
		s := l.Member(name)
		kind := ""
		if s != nil {
			kind = only(s)
		}
		plainText := kind == "string" && s.Format == ""
		return !plainText && kind != "boolean" || !StateLike(name) || s.WriteOnly || l.Identifies(name) || transient.MatchString(plain(name))
	})
}
