package stub

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// window is which part of a list is shown.
type window struct {
	from, size, total int
	// next reports whether more follows, cursor is the position of the next page.
	next   bool
	cursor string
	zero   bool // whether pages are counted from 0
}

// list shows the resources of a collection.
func (s *Service) list(r *http.Request, at *call) *problem {
	op, a := at.op, s.api
	at.reply = reply{status: op.status, header: http.Header{}}
	deprecated(&at.reply, op.Operation)
	media := pickMedia(op.success)
	var rows []*resource
	var values []any
	for _, one := range s.listed(op.kind.family) {
		if !one.certainlyInScope(at.scope, op.kind) {
			continue
		}
		value := rowOf(a, op, one)
		if matchesRow(op, at, value, a.traits.folded) {
			rows, values = append(rows, one), append(values, value)
		}
	}
	if sortRows(op, at, values, rows); len(rows) == 0 {
		values = []any{}
	}
	w, ok := windowOf(a.traits, op, at, rows)
	if text := r.URL.Query().Get(positionParameter); text != "" {
		w.from, ok = position(a.traits, op, rows, text)
	}
	if !ok {
		return new(malformed("the position in the list is none that was given"))
	}
	shown := values[w.from:min(w.from+w.size, len(values))]
	w.next = w.from+len(shown) < len(values) && len(shown) > 0
	if w.next {
		last := rows[w.from+len(shown)-1]
		w.cursor = cursorOf(last)
		if text, named := op.kind.nameOf(last); named && op.paging.cursor != nil && byLast(op.paging.cursor.Name) {
			w.cursor = text
		}
	}
	body := a.placed(op.view, shown)
	if len(op.view.place) > 0 {
		fillCounts(a, op, r, body, w, len(shown))
	}
	addHeaders(a, &at.reply, op.success)
	listHeaders(op, at, r, w)
	at.reply.contentType = concrete(media.Type)
	at.reply.body = encode(a.finished(media, body))
	return nil
}

// byLast reports whether a cursor is the identifier of the last resource seen.
func byLast(name string) bool {
	return slices.Contains([]string{"startingafter", "after", "startafter"}, plainName(name))
}

// rowOf returns a resource as a list shows it.
func rowOf(a *api, op *operation, r *resource) any {
	if !op.view.scalars {
		return a.present(op.view.item, r)
	}
	if id, ok := memberOf(r.members, op.kind.id); ok {
		if as := a.as(op.view.item.Schema, id); keepsAnswer(a.contract.Validator(op.view.item.Schema), as) {
			return as
		}
	}
	if text, ok := r.at[op.kind.key]; ok {
		if as := a.as(op.view.item.Schema, text); keepsAnswer(a.contract.Validator(op.view.item.Schema), as) {
			return as
		}
	}
	made, _ := a.maker.template(op.view.item, nil)
	return made
}

// intParameter returns the integer that a request gives for a parameter; false for none.
func intParameter(at *call, p *param) (int, bool) {
	if p == nil {
		return 0, false
	}
	n, ok := at.values[p.place].(json.Number)
	if !ok {
		return 0, false
	}
	if len(n) > 9 && !strings.HasPrefix(string(n), "-") {
		return 1 << 30, true
	}
	return smallInt(textOf(n))
}

// usualPage is the size of a page if neither the document nor the request says.
const usualPage = 100

// windowOf returns which rows a request selects; false for a position that does not exist.
func windowOf(t traits, op *operation, at *call, rows []*resource) (window, bool) {
	p, w := op.paging, window{size: len(rows), total: len(rows)}
	switch further := p.page != nil || p.offset != nil || p.cursor != nil; {
	case p.usual > 0:
		w.size = p.usual
	case further && t.page > 0:
		w.size = t.page
	case further:
		w.size = usualPage
	}
	least := -1
	for _, size := range p.sizes {
		if n, ok := intParameter(at, size); ok && n >= 0 && (least < 0 || n < least) {
			least = n
		}
	}
	if least >= 0 {
		w.size = least
	}
	if p.most > 0 && w.size > p.most {
		w.size = p.most
	}
	if most := mostItems(op.view); most >= 0 && w.size > most {
		w.size = most
	}
	if n, ok := intParameter(at, p.offset); ok && n > 0 {
		w.from = n
	}
	if p.page != nil {
		s := p.page.schema()
		w.zero = s != nil && (s.Default == "0" || s.Default == "" && s.Minimum == "0")
		if n, ok := intParameter(at, p.page); ok {
			if !w.zero {
				n--
			}
			if n > 0 && w.size > 0 {
				w.from = min(n, len(rows)/w.size+1) * w.size
			}
		}
	}
	if p.cursor != nil {
		if text, ok := at.values[p.cursor.place].(string); ok && text != "" {
			i, known := position(t, op, rows, text)
			if !known {
				return w, false
			}
			w.from = i
		}
	}
	w.from = min(w.from, len(rows))
	return w, true
}

func mostItems(v view) int {
	s := v.edge.Schema
	for _, name := range v.place {
		for _, part := range applicableSchemas(s) {
			if p := part.Property(name); p != nil {
				s = p.Schema
				break
			}
		}
	}
	for _, part := range applicableSchemas(s) {
		if part.MaxItems != nil {
			return int(min(*part.MaxItems, 1<<30))
		}
	}
	return -1
}

// cursorOf returns the position after a resource.
func cursorOf(r *resource) string {
	return base64.RawURLEncoding.EncodeToString([]byte("after " + strconv.Itoa(r.seq)))
}

// nameOf returns what identifies a resource among those of a kind: its name in their paths, or its identifier if
// it was created through another path; false for none.
func (k *kind) nameOf(r *resource) (string, bool) {
	if text, named := r.at[k.key]; named {
		return text, true
	}
	value, there := memberOf(r.members, k.id)
	return textOf(value), there
}

// position returns where the rows after a cursor begin.
func position(t traits, op *operation, rows []*resource, cursor string) (int, bool) {
	for i, r := range rows {
		if text, ok := op.kind.nameOf(r); ok && text == cursor {
			return i + 1, true
		}
	}
	plain, err := base64.RawURLEncoding.DecodeString(cursor)
	text, ours := strings.CutPrefix(string(plain), "after ")
	seq, fine := smallInt(text)
	if err != nil || !ours || !fine {
		return 0, false
	}
	for i, r := range rows {
		if r.seq == seq {
			return i + 1, true
		}
	}
	for i, r := range rows { // it was removed in between
		if t.listedBefore(seq, r.seq) {
			return i, true
		}
	}
	return len(rows), true
}

// fillCounts fills in the counts in the envelope of a list.
func fillCounts(a *api, op *operation, r *http.Request, body any, w window, shown int) {
	whole, ok := body.(map[string]any)
	if !ok {
		return
	}
	fillCountsIn(a, op, r, op.view.edge.Schema, whole, w, shown, 0)
}

func fillCountsIn(a *api, op *operation, r *http.Request, s *spec.Schema, whole map[string]any, w window, shown, depth int) {
	members := a.shapes.membersOf(s)
	_, totals := members["total"]
	page := 1
	if w.size > 0 {
		page = w.from/w.size + 1
	}
	if w.zero {
		page--
	}
	for name, m := range members {
		if len(op.view.place) > depth && op.view.place[depth] == name && depth == len(op.view.place)-1 {
			continue
		}
		plain := plainName(name)
		var value any
		switch plain {
		case "total", "totalcount", "totalitems", "totalresults", "totalelements", "totalsize", "totalrecords":
			value = number(w.total)
		case "count", "size", "numberofelements", "resultcount":
			value = number(shown)
			if plain == "count" && !totals {
				value = number(w.total)
			}
			if plain == "size" {
				value = number(w.size)
			}
		case "limit", "pagesize", "perpage", "pagelimit":
			value = number(w.size)
		case "offset", "skip":
			value = number(w.from)
		case "page", "pagenumber", "currentpage", "number", "pageno":
			value = number(page)
		case "totalpages", "pagecount", "pages", "lastpage":
			value = number(1)
			if w.size > 0 {
				value = number(max(1, (w.total+w.size-1)/w.size))
			}
		case "hasmore", "hasnext", "hasnextpage", "more", "moreresults":
			value = w.next
		case "last", "islast":
			value = !w.next
		case "hasprevious", "hasprev", "haspreviouspage", "hasprevpage":
			value = w.from > 0
		case "next", "nextcursor", "nexttoken", "nextpagetoken", "cursor", "nextpage", "after", "endcursor", "continue", "continuationtoken", "nextlink", "nextpagecursor", "nextmarker", "nexturl", "nextpageurl", "nexthref", "marker":
			fillNext(a, op, r, m, whole, name, w)
			continue
		case "previous", "prev", "previouscursor", "prevcursor", "before", "previouspage", "prevpage":
			fillNone(a, m, whole, name)
			continue
		default:
			if a.shapes.isObject(m) && depth == 0 && slices.Contains([]string{"meta", "metadata", "pagination", "paging", "page", "pageinfo", "links", "cursors", "listmetadata"}, plain) {
				inner, ok := whole[name].(map[string]any)
				if !ok {
					inner = map[string]any{}
				}
				fillCountsIn(a, op, r, m, inner, w, shown, 9)
				if bases := a.maker.skeletons(spec.Edge{Schema: m}); !ok && len(inner) > 0 && len(bases) > 0 && !keepsAnswer(a.contract.Validator(m), inner) {
					inner = cloneObject(bases[0]) // it needs more than the members about pages
					fillCountsIn(a, op, r, m, inner, w, shown, 9)
				}
				if ok || len(inner) > 0 {
					whole[name] = inner
				}
			}
			continue
		}
		if plain == "page" && a.shapes.isObject(m) {
			inner, ok := whole[name].(map[string]any)
			if !ok {
				inner = map[string]any{}
			}
			fillCountsIn(a, op, r, m, inner, w, shown, 9)
			whole[name] = inner
			continue
		}
		if _, there := whole[name]; !there && a.traits.reticent && strings.HasPrefix(plain, "total") {
			continue
		}
		if keepsAnswer(a.contract.Validator(m), value) {
			whole[name] = value
		}
	}
}

// fillNext fills in how to request the next page.
func fillNext(a *api, op *operation, r *http.Request, m *spec.Schema, whole map[string]any, name string, w window) {
	if !w.next {
		fillNone(a, m, whole, name)
		return
	}
	if href := a.shapes.membersOf(m)["href"]; href != nil && a.shapes.isObject(m) {
		if next := (map[string]any{"href": nextAddress(op, r, w)}); keepsAnswer(a.contract.Validator(m), next) {
			whole[name] = next
		}
		return
	}
	var value any = w.cursor
	link := slices.Contains([]string{"next", "nextlink", "nexturl", "nextpageurl", "nexthref"}, plainName(name)) && op.paging.cursor == nil || core(m).Format == "uri" || core(m).Format == "url" || core(m).Format == "uri-reference"
	switch {
	case link:
		value = nextAddress(op, r, w)
	case op.paging.cursor == nil && op.paging.page != nil:
		value = number(w.from/max(1, w.size) + 1 + map[bool]int{true: 0, false: 1}[w.zero])
	case op.paging.cursor == nil:
		fillNone(a, m, whole, name)
		return
	}
	if keepsAnswer(a.contract.Validator(m), value) {
		whole[name] = value
		return
	}
	fillNone(a, m, whole, name)
}

// fillNone says that there is no other page.
func fillNone(a *api, m *spec.Schema, whole map[string]any, name string) {
	if before, there := whole[name]; !there || before == nil {
		return
	}
	v := a.contract.Validator(m)
	for _, value := range []any{nil, ""} {
		if keepsAnswer(v, value) {
			whole[name] = value
			return
		}
	}
}

// positionParameter is the parameter in the page addresses that the service returns, if the document names none.
const positionParameter = "_after"

// nextAddress returns the address of the next page.
func nextAddress(op *operation, r *http.Request, w window) string {
	query := r.URL.Query()
	switch p := op.paging; {
	case p.cursor != nil:
		query.Set(p.cursor.Name, w.cursor)
	case p.offset != nil:
		query.Set(p.offset.Name, strconv.Itoa(w.from+w.size))
	case p.page != nil:
		query.Set(p.page.Name, strconv.Itoa(w.from/max(1, w.size)+map[bool]int{true: 1, false: 2}[w.zero]))
	default:
		query.Set(positionParameter, w.cursor)
	}
	return "http://" + r.Host + r.URL.EscapedPath() + "?" + query.Encode()
}

// listHeaders fills in the headers about a list, if they are documented.
func listHeaders(op *operation, at *call, r *http.Request, w window) {
	for _, h := range op.success.Headers {
		switch plainName(h.Name) {
		case "link":
			if w.next {
				at.reply.header.Set("Link", "<"+nextAddress(op, r, w)+`>; rel="next"`)
			}
		case "xtotalcount", "totalcount", "xtotal", "xpaginationtotal", "xpaginationtotalcount", "xcount":
			at.reply.header.Set(h.Name, strconv.Itoa(w.total))
		}
	}
}

// urlValues writes a form.
func urlValues(form map[string][]string) string { return url.Values(form).Encode() }

// listed returns the resources of a family in the order of lists.
func (s *Service) listed(f *family) []*resource {
	all, t := s.store.table(f).all, s.api.traits
	if !t.newest && !t.shuffled && t.lag == 0 {
		return all
	}
	all = slices.Clone(all)
	if t.lag > 0 {
		now := time.Now()
		all = slices.DeleteFunc(all, func(r *resource) bool { return now.Sub(r.made) < t.lag })
	}
	slices.SortFunc(all, func(a, b *resource) int {
		if t.listedBefore(a.seq, b.seq) {
			return -1
		}
		return 1
	})
	return all
}

// listedBefore reports whether lists show resource number a before resource number b.
func (t traits) listedBefore(a, b int) bool {
	switch {
	case t.newest:
		return a > b
	case t.shuffled:
		if x, y := a*7919%1009, b*7919%1009; x != y {
			return x < y
		}
	}
	return a < b
}
