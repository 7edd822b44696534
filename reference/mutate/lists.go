package mutate

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// The acts on lists.
const (
	// ActUnlisted leaves created resources out of lists. ActIgnore ignores the parameter Name: one that limits (At is
	// empty), that says where a page begins, that filters by the member At, or in some other way (At is empty).
	ActUnlisted Act = "unlisted"
	ActIgnore   Act = "ignore"
	// ActHides leaves everything that is created out of lists, and does not count it in the total, which is in the header Name or the member At.
	ActHides Act = "hides"
	// ActReverse reverses the order of a list that is sorted by the parameter Name, and ActDisorder that of one that is sorted by none of the
	// parameters At, where its items differ in the member Name. ActRepeat shows an item twice, ActLose leaves out the first item of each
	// short page.
	ActReverse  Act = "reverse"
	ActDisorder Act = "disorder"
	ActRepeat   Act = "repeat"
	ActLose     Act = "lose"
	// ActTotal shows the number of items on the page as the total, in the header Name or the member At.
	ActTotal Act = "total"
)

// One in oneIn of the created resources is not listed: those whose number has the remainder skipped-1.
const oneIn, skipped = 3, 3

func (m story) unlisted(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if id := r.createdID(x); id != "" {
		kept.count[""]++
		kept.count[id] = kept.count[""]%oneIn + 1
	}
	if x.success(r.Lists) {
		x.apply(func(x *Exchange) {
			r.editItems(x, func(items []any) []any {
				var left []any
				for _, item := range items {
					if kept.count[r.idOf(item)] != skipped {
						left = append(left, item)
					}
				}
				return left
			})
		})
	}
}

func (m story) ignore(x *Exchange, _ *memory, next func()) {
	r, q := m.Resource, x.Query()
	next()
	if !x.success(r.Lists) || !q.Has(m.Name) {
		return
	}
	asked := q.Get(m.Name)
	q.Del(m.Name)
	request := x.Request.Clone(x.Request.Context())
	u := *request.URL
	u.RawQuery = q.Encode()
	request.URL = &u
	a := x.send(request, x.Body)
	if a.Status/100 != 2 {
		return
	}
	items, visible := r.items(a.Body), false
	switch {
	case m.Name == r.Size:
		n, err := strconv.Atoi(asked)
		visible = err == nil && len(items) > n
	case m.Name == r.Position:
		visible = len(items) > 0
	case len(m.At) > 0:
		for _, item := range items {
			object, _ := item.(map[string]any)
			value, there := object[m.At[0]]
			visible = visible || there && value != nil && !strings.EqualFold(plainText(value), asked)
		}
	default:
		visible = len(items) > len(r.items(x.Answer))
	}
	if visible {
		x.apply(func(x *Exchange) { x.reply(a) })
	}
}

// plainText is a value as queries have it.
func plainText(v any) string {
	if text, is := v.(string); is {
		return text
	}
	return string(WriteJSON(v))
}

func (m story) reverse(x *Exchange, _ *memory, next func()) {
	next()
	r := m.Resource
	if x.success(r.Lists) && x.Query().Has(m.Name) {
		x.apply(func(x *Exchange) { r.editItems(x, reversed) })
	}
}

func (m story) disorder(x *Exchange, _ *memory, next func()) {
	next()
	r := m.Resource
	if !x.success(r.Lists) || slices.ContainsFunc(m.At, x.Query().Has) {
		return
	}
	value := func(item any) any {
		object, _ := item.(map[string]any)
		return object[m.Name]
	}
	items := r.items(x.Answer)
	if len(items) > 0 && !reflect.DeepEqual(value(items[0]), value(items[len(items)-1])) {
		x.apply(func(x *Exchange) { r.editItems(x, reversed) })
	}
}

func reversed(items []any) []any {
	out := slices.Clone(items)
	slices.Reverse(out)
	return out
}

func (m story) repeats(x *Exchange, _ *memory, next func()) {
	next()
	if x.success(m.Resource.Lists) {
		x.apply(func(x *Exchange) {
			m.Resource.editItems(x, func(items []any) []any {
				if len(items) > 1 {
					items[1] = items[0]
				}
				return items
			})
		})
	}
}

func (m story) total(x *Exchange, _ *memory, next func()) {
	next()
	r := m.Resource
	if !x.success(r.Lists) {
		return
	}
	n := len(r.items(x.Answer))
	x.apply(func(x *Exchange) { m.setTotal(x, func(int64) int64 { return int64(n) }) })
}

// setTotal gives the total of a list another value.
func (m story) setTotal(x *Exchange, of func(was int64) int64) {
	if m.Name != "" {
		if n, err := strconv.ParseInt(x.Header.Get(m.Name), 10, 64); err == nil {
			x.Header.Set(m.Name, strconv.FormatInt(of(n), 10))
		}
		return
	}
	x.Edit(func(tree any) any {
		return editAt(tree, m.At, func(value any, there bool) (any, bool) {
			if was, is := value.(json.Number); there && is {
				if n, err := was.Int64(); err == nil {
					return Number(of(n)), true
				}
			}
			return value, there
		})
	})
}

// hides leaves out of lists what was created, by the path that created it.
func (m story) hides(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch id := r.createdID(x); {
	case id != "":
		kept.before[id] = x.Path
	case x.success(r.Deletes):
		delete(kept.before, r.namedID(x))
	case x.success(r.Lists):
		hidden := int64(0)
		for _, path := range kept.before {
			if path == x.Path {
				hidden++
			}
		}
		x.apply(func(x *Exchange) {
			r.editItems(x, func(items []any) []any {
				return slices.DeleteFunc(items, func(item any) bool { return kept.before[r.idOf(item)] == x.Path })
			})
			m.setTotal(x, func(was int64) int64 { return max(was-hidden, 0) })
		})
	}
}

func (m story) lose(x *Exchange, _ *memory, next func()) {
	next()
	r := m.Resource
	n, err := strconv.Atoi(x.Query().Get(r.Size))
	most, bounded := strconv.Atoi(m.High)
	if !x.success(r.Lists) || err != nil || bounded == nil && n >= most {
		return
	}
	x.apply(func(x *Exchange) {
		r.editItems(x, func(items []any) []any {
			if len(items) == n && n > 1 {
				return items[1:]
			}
			return items
		})
	})
}

func (m story) stillListed(x *Exchange, kept *memory, next func()) {
	r := m.Resource
	var before Response
	known := false
	if x.Operation == r.Deletes {
		before, known = readBack(x, "")
	}
	next()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch {
	case x.success(r.Deletes) && known:
		if record := r.representation(before.Body); record != nil {
			kept.removed = append(kept.removed, removal{path: x.Path, record: record})
			kept.removed = kept.removed[max(0, len(kept.removed)-mostRemoved):]
		}
	case x.success(r.Lists):
		m.lengthen(x, kept, func([]any) []any {
			var more []any
			for _, gone := range kept.removed {
				if r.mayList(x.Path, gone.path) {
					more = append(more, maps.Clone(gone.record))
				}
			}
			return more
		})
	}
}

// mostRemoved bounds how many removed resources are remembered.
const mostRemoved = 1000

// lengthen adds items after the last one of a list, and pages for them if offsets or numbers name the pages, so
// that all other items stay on their pages. Otherwise it adds as many of the last items as the last page has room
// for. A filtered list stays as it is, since the items may not match the filter.
func (m story) lengthen(x *Exchange, kept *memory, more func(items []any) []any) {
	r, q := m.Resource, x.Query()
	for name := range q {
		if name != r.Size && name != r.Position {
			return
		}
	}
	size, bounded := r.pageSize(q)
	items := r.items(x.Answer)
	begin, counted := r.begin(q, size, bounded)
	skipped := 0
	switch end, full := begin+len(items), bounded && len(items) >= size; {
	case !counted && (full || q.Has(r.Position) && (!bounded || len(items) == 0)): // not the last page, or not known to be
		return
	case !counted:
	case full:
		kept.ends[x.Path] = max(kept.ends[x.Path], end)
		return
	case len(items) > 0, begin < kept.ends[x.Path]:
		kept.ends[x.Path] = end
	default:
		skipped = begin - kept.ends[x.Path]
	}
	added := more(items)
	added = added[min(skipped, len(added)):]
	if room := max(size-len(items), 0); bounded && len(added) > room {
		if counted {
			added = added[:room]
		} else {
			added = added[len(added)-room:]
		}
	}
	if len(added) > 0 {
		x.apply(func(x *Exchange) { r.editItems(x, func(items []any) []any { return append(items, added...) }) })
	}
}

func (m story) trace(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch {
	case x.Operation == r.Creates && refuses(x.Status) && sent != nil:
		kept.refused = append(kept.refused, sent)
	case x.success(r.Lists) && x.Request.Method == http.MethodGet:
		m.lengthen(x, kept, func(items []any) []any {
			if len(items) > 0 {
				kept.model, _ = items[0].(map[string]any)
			}
			if kept.model == nil {
				return nil
			}
			var more []any
			for i, refused := range kept.refused {
				more = append(more, imitation(kept.model, refused, r.ItemID, strconv.Itoa(i+1)))
			}
			return more
		})
	}
}

// imitation returns an item like another one, with the texts of what was sent.
func imitation(model, sent map[string]any, idMember, id string) map[string]any {
	made := maps.Clone(model)
	for name, value := range sent {
		if text, is := value.(string); is && typeOf(model[name]) == "string" {
			made[name] = text
		}
	}
	switch v := model[idMember].(type) {
	case string:
		made[idMember] = shortened(v, max(len(v)-len(id), 0)) + id
	default:
		n, _ := strconv.ParseInt(id, 10, 32)
		made[idMember] = Number(900_000_000 + n)
	}
	return made
}
