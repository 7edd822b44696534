package resource

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// UnreadLifeOf returns what can be done with what an operation creates and no operation reads, so that only its
// list shows it. It returns false if it is doubtful whether both are about the same resource: the identifiers must
// be found by name, the items of the list must be all or part of the creation's response, and both must need the
// same credentials.
func UnreadLifeOf(m *Map, op *spec.Operation) (Life, bool) {
	slot, p, ok := m.Creates(op)
	if !ok || !slot.Whole || m.Reader(*slot) != nil || p.Way != Created || p.record == nil || !p.stated || len(p.Path) == 0 {
		return Life{}, false
	}
	for _, one := range m.Producers(*slot) {
		list := one.Operation
		if one.Way != Listed || list.Method != http.MethodGet || Anonymous(list.Path) != slot.Collection || !one.stated || len(one.Path) == 0 ||
			one.record == nil || one.record != p.record && !shownIn(one.record, p.record) || !reflect.DeepEqual(list.Security, op.Security) || narrows(list) {
			continue
		}
		l := Life{Slot: *slot, Creator: p, Lister: &one, Record: one.record, Remover: m.Remover(*slot)}
		l.read = one.Path[len(one.Path)-1:]
		return l, !l.read[0].Each
	}
	return Life{}, false
}

// shownIn reports whether all members of one schema, at least two, are members of another with the same types.
func shownIn(part, whole *spec.Schema) bool {
	x, y := members(part), members(whole)
	for _, p := range x {
		i := slices.IndexFunc(y, func(o spec.Property) bool { return o.Name == p.Name })
		if i < 0 || p.Schema != nil && y[i].Schema != nil && !slices.Equal(p.Schema.Types, y[i].Schema.Types) {
			return false
		}
	}
	return len(x) >= 2
}

// narrows reports whether requests for a list must filter it.
func narrows(list *spec.Operation) bool {
	paging, _ := PagingOf(list)
	return slices.ContainsFunc(list.Parameters, func(p spec.Parameter) bool {
		return p.In == "query" && p.Required && !paging.selectsPage(p.Name)
	})
}

// selectsPage reports whether a parameter selects pages.
func (p Paging) selectsPage(name string) bool {
	return p.Size != nil && p.Size.Name == name || p.Position != nil && p.Position.Name == name
}

// Whole reports whether a list is complete without filters: none of its parameters may have an effect when it is
// omitted, except those for pages and orders.
func Whole(list *spec.Operation) bool {
	paging, _ := PagingOf(list)
	return !slices.ContainsFunc(list.Parameters, func(p spec.Parameter) bool {
		if p.In != "query" || p.Schema == nil || paging.selectsPage(p.Name) || HasWord(p.Name, "sort", "order", "direction", "fields", "expand", "format", "pretty", "lang", "locale") {
			return false
		}
		s := p.Schema
		if item := s.Item(); item != nil {
			s = item
		}
		return s.Default != "" || p.Schema.Default != "" || s.Type == "boolean" || len(s.Enum) > 0 || StateLike(p.Name)
	})
}

// selective matches descriptions of lists that may show only some of what there is.
var selective = regexp.MustCompile(`(?i)\b(published|public|active|open|approved|available|visible|recent|latest|newest|current|popular|featured|top|random|own|my|your|you|user's|assigned|shared|` +
	`accessible|only|that|which|whose|with|without|matching|due|upcoming|pending|confirmed|verified|enabled|indexed|cached)\b`)

// ListsAll reports whether a list has to show each resource of its collection, as far as the document says: it is that of the path that creates
// them, for the same clients, has no filter and shows a total, and nothing says that it may be selective, neither its description nor a member
// that is a state.
func (l Life) ListsAll() bool {
	if l.Lister == nil || l.Creator.Way != Created {
		return false
	}
	list, creates := l.Lister.Operation, l.Creator.Operation
	_, counts := TotalOf(list)
	return counts && Whole(list) && !narrows(list) && Anonymous(list.Path) == l.Slot.Collection && Anonymous(creates.Path) == l.Slot.Collection &&
		reflect.DeepEqual(list.Security, creates.Security) && !selective.MatchString(list.Summary+"\n"+list.Description) && l.plainly(list.Summary) && l.plainly(list.Description) && !slices.ContainsFunc(l.Names(), LimitsAudience)
}

// plainly reports whether a text about a list says no more than that it lists what its collection holds: another word may select.
func (l Life) plainly(about string) bool {
	own := append(words(l.Slot.Collection), Noun(l.Slot))
	return !slices.ContainsFunc(words(about), func(w string) bool {
		return !slices.Contains(listing, w) && !slices.ContainsFunc(own, func(o string) bool { return singular(w) == singular(o) })
	})
}

// listing are the words with which descriptions say that an operation lists.
var listing = strings.Fields("list lists get gets return returns retrieve retrieves fetch fetches show shows read reads find finds all every each the a an of in at time page pages paged " +
	"paginated collection them there are is here")

// Names of members that say whether something is visible to everybody, and of what decides that.
var audience = regexp.MustCompile(`(?i)publi|approv|activ|enabl|verif|confirm|visib|availab|listed|accept|ready|live$|online|releas|moderat|process|valid|draft|privat|hidden|internal|archiv|delet|disabl|pend|lock|expir|revok|clos|spam|` +
	`status|state|phase|stage|audience|scope|access|privacy|owner|tenant|team|assign`)

// LimitsAudience reports whether a member, by its name, may say that a resource is not visible to everybody, or not yet.
func LimitsAudience(name string) bool { return audience.MatchString(plain(name)) }
