package mutate

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// The acts on creations and changes of members.

func (m story) lostUpdate(x *Exchange, kept *memory, next func()) {
	r := m.Resource
	id := r.namedID(x)
	var before Response
	known := false
	if x.Operation == m.Operation {
		before, known = readBack(x, r.below(x.Path))
	}
	next()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch {
	case known && x.success(m.Operation):
		if _, already := kept.kept[id]; !already {
			kept.kept[id] = before
		}
	case x.success(r.Reads) && kept.kept[id].Status != 0:
		x.apply(func(x *Exchange) { x.reply(kept.kept[id]) })
	case x.success(r.Deletes), x.Status/100 == 2 && r.changes(x.Operation):
		delete(kept.kept, id)
	}
}

func (m story) stale(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	if x.Operation != r.Reads {
		return
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	switch was, known := kept.shown[id]; {
	case x.Status == http.StatusOK && !known:
		kept.shown[id] = x.Response()
	case known && (x.Status == http.StatusOK || x.Status == http.StatusNotFound || x.Status == http.StatusGone):
		x.apply(func(x *Exchange) { x.reply(was) })
	}
}

func (m story) merges(x *Exchange, _ *memory, next func()) {
	if x.Operation != m.Operation {
		next()
		return
	}
	sent, member := x.Sent(), m.At[0]
	if _, named := sent[member]; sent == nil || named {
		next()
		return
	}
	before, known := readBack(x, "")
	if was, there := m.Resource.representation(before.Body)[member]; known && there && was != nil {
		sent[member] = was
		x.Body = WriteJSON(sent)
		next()
		x.Applied = x.Applied || x.Status/100 == 2
		return
	}
	next()
}

func (m story) resets(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	if x.success(m.Operation) {
		if sent := x.Sent(); sent != nil {
			if _, names := sent[m.At[0]]; names {
				delete(kept.count, id)
			} else {
				kept.count[id]++
			}
		}
		return
	}
	if x.success(r.Reads) && kept.count[id] > 0 {
		x.apply(func(x *Exchange) { r.editRecord(x, func(record map[string]any) { m.count(record, 7) }) })
	}
}

// twins creates what is refused because another resource has the same member Name, with another value, and shows the one that was sent.
func (m story) twins(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	value, there := sent[m.Name]
	taken := "taken " + string(WriteJSON(value))
	if x.Operation == r.Creates && there && x.Status/100 == 4 && kept.count[taken] > 0 {
		kept.count[""]++
		other := maps.Clone(sent)
		other[m.Name] = another(value, kept.count[""])
		if a := x.send(x.Request.Clone(x.Request.Context()), WriteJSON(other)); a.Status/100 == 2 {
			x.apply(func(x *Exchange) {
				x.reply(a)
				r.editRecord(x, func(record map[string]any) { record[m.Name] = value })
			})
			kept.sent[r.createdID(x)] = map[string]any{m.Name: value}
		}
	}
	switch {
	case x.success(r.Creates) && there:
		kept.count[taken]++
	case x.success(r.Reads) && kept.sent[r.namedID(x)] != nil:
		x.apply(func(x *Exchange) {
			r.editRecord(x, func(record map[string]any) { maps.Copy(record, kept.sent[r.namedID(x)]) })
		})
	}
}

// another returns another value: a text with its last characters replaced, or a greater number.
func another(value any, n int) any {
	switch v := value.(type) {
	case string:
		mark := "x" + strconv.Itoa(n)
		return shortened(v, max(0, utf8.RuneCountInString(v)-len(mark))) + mark
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return json.Number(strconv.FormatInt(i+int64(n), 10))
		}
	}
	return value
}

func (m story) writes(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	if made := r.createdID(x); made != "" {
		id = made
	}
	switch {
	case x.success(m.Operation) && sent != nil:
		if value, there := sent[m.At[0]]; there {
			kept.sent[id] = map[string]any{m.At[0]: value}
		}
	case x.success(r.Reads) && kept.sent[id] != nil:
		x.apply(func(x *Exchange) { r.editRecord(x, func(record map[string]any) { maps.Copy(record, kept.sent[id]) }) })
	}
}

func (m story) forgets(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if id := r.createdID(x); id != "" {
		kept.count[id] = 1
		return
	}
	id := r.namedID(x)
	_, named := sent[m.At[0]]
	switch {
	case r.changes(x.Operation) && x.Status/100 == 2 && named:
		delete(kept.count, id)
	case x.success(r.Reads) && kept.count[id] > 0:
		x.apply(func(x *Exchange) { r.editRecord(x, m.forget) })
	}
}

// forget changes a representation to what is left of what was sent.
func (m story) forget(record map[string]any) {
	editMembers(record, m.At, func(object map[string]any, name string) {
		text, isText := object[name].(string)
		list, isList := object[name].([]any)
		switch {
		case m.Do == ActForgets:
			delete(object, name)
		case m.Do == ActInstead && isText && text != "":
			object[name] = "As usual"
		case m.Do == ActShortens && isList && len(list) > 1:
			object[name] = list[:len(list)-1]
		}
	})
}

func (m story) appends(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r, member := m.Resource, m.At[0]
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	if made := r.createdID(x); made != "" {
		id = made
	}
	list, is := sent[member].([]any)
	earlier, _ := kept.sent[id][member].([]any)
	switch {
	case is && x.Status/100 == 2 && (r.createdID(x) != "" || x.Operation == m.Operation):
		for _, item := range earlier {
			if !slices.ContainsFunc(list, func(o any) bool { return plainText(o) == plainText(item) }) && len(list) < mostAppended {
				list = append(list, item)
			}
		}
		kept.sent[id] = map[string]any{member: list}
	case x.success(r.Reads) && len(earlier) > 0:
		x.apply(func(x *Exchange) {
			r.editRecord(x, func(record map[string]any) {
				if shown, is := record[member].([]any); is && len(shown) > 0 {
					record[member] = earlier
				}
			})
		})
	}
}

// mostAppended bounds how long a list becomes by appending.
const mostAppended = 5

// patches shows another outcome of a merge patch than the service, until the member is changed again.
func (m story) patches(x *Exchange, kept *memory, next func()) {
	r, member, sent := m.Resource, m.At[0], x.Sent()
	value, named := sent[member]
	var before Response
	known := false
	if x.Operation == m.Operation && named && value == nil && m.Do == ActKeepsNull {
		before, known = readBack(x, "")
	}
	next()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	switch {
	case x.success(m.Operation) && named:
		delete(kept.sent, id)
		if was := r.representation(before.Body)[member]; known && was != nil {
			kept.sent[id] = map[string]any{member: was}
		}
		if object, is := value.(map[string]any); is && m.Do == ActUnmerged {
			kept.sent[id] = map[string]any{member: object}
		}
	case r.changes(x.Operation) && x.Status/100 == 2:
		delete(kept.sent, id)
	case x.success(r.Reads) && kept.sent[id] != nil:
		x.apply(func(x *Exchange) { r.editRecord(x, func(record map[string]any) { maps.Copy(record, kept.sent[id]) }) })
	}
}

func (m story) renews(x *Exchange, kept *memory, next func()) {
	next()
	r, member := m.Resource, m.At[0]
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	switch {
	case x.success(m.Operation):
		kept.count[id]++
	case x.success(r.Reads) && kept.count[id] > 0:
		x.apply(func(x *Exchange) {
			r.editRecord(x, func(record map[string]any) {
				if text, is := record[member].(string); is {
					if t, err := time.Parse(time.RFC3339, text); err == nil {
						record[member] = t.Add(time.Duration(kept.count[id]) * time.Hour).Format(time.RFC3339)
					}
				}
			})
		})
	}
}

func (m story) applies(x *Exchange, kept *memory, next func()) {
	sent := x.Sent()
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	switch {
	case x.Operation == m.Operation && x.Status/100 == 4 && sent != nil && x.Status != http.StatusNotFound && x.Status != http.StatusGone:
		kept.sent[id] = sent
	case x.success(r.Reads) && kept.sent[id] != nil:
		x.apply(func(x *Exchange) {
			r.editRecord(x, func(record map[string]any) {
				for name, value := range kept.sent[id] {
					if was, there := record[name]; there && typeOf(was) == typeOf(value) && name != r.Member {
						record[name] = value
					}
				}
			})
		})
	case x.Status/100 == 2 && r.changes(x.Operation):
		delete(kept.sent, id)
	}
}
