package verdict

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/exactjson"
)

// fields holds what defects say about the same field, filter or value of a request, in whatever exchange.
type fields struct {
	exchanges *ExchangeIndex
	// marker is in all names that the run makes up.
	marker string
	// invalid holds the findings about a field that violates its schema, by operation and field.
	invalid map[string][]holder
	// written holds the findings that the response to a write shows another value of a field than was sent, by field.
	written map[string][]holder
	// unlike holds the findings that an operation returned other items than its query asked for, by operation.
	unlike map[string][]holder
	// incomplete holds the findings that a list as a whole lacks a resource or shows one twice, by operation.
	incomplete map[string][]holder
	// refused holds the wrong statuses, by operation and status.
	refused map[foreignAnswer][]holder
	// asked caches the requests of exchanges.
	asked map[int]parameters
}

// parameters are the members of a request's body and query as JSON text, by name.
type parameters map[string]string

func newFields(rec *record.Record, g *ExchangeIndex) *fields {
	return &fields{
		exchanges: g, marker: "hallmark-" + rec.ID, invalid: map[string][]holder{}, written: map[string][]holder{}, unlike: map[string][]holder{},
		incomplete: map[string][]holder{},
		refused:    map[foreignAnswer][]holder{}, asked: map[int]parameters{},
	}
}

func (x *fields) add(h holder) {
	it := h.it
	field := fieldOf(it)
	switch {
	case it.Status != 0:
		key := foreignAnswer{it.operation, it.Status}
		x.refused[key] = append(x.refused[key], h)
	case isSchema(it):
		if it.Kind == spec.KindMissing && it.Detail != "" {
			field = it.Detail
		}
		if field != "" {
			x.invalid[it.operation+" "+field] = append(x.invalid[it.operation+" "+field], h)
		}
	case it.Kind == spec.KindDuplicate, it.Kind == spec.KindLost && it.Pointer == "":
		x.incomplete[it.operation] = append(x.incomplete[it.operation], h)
	case it.Kind == spec.KindDiffers:
		ex := x.exchanges.by[it.at]
		if ex == nil {
			return
		}
		if field != "" && len(it.Exchanges) == 1 && ex.Request.Method != http.MethodGet {
			x.written[field] = append(x.written[field], h)
		}
		if len(it.Exchanges) == 1 && it.Pointer == "" && len(x.query(it.at)) > 0 {
			x.unlike[it.operation] = append(x.unlike[it.operation], h)
		}
	}
}

// sameInvalid returns the findings that a field has an invalid value in responses of an operation, where an item compares such values or
// identifies something by them.
func (x *fields) sameInvalid(it *item) []holder {
	if it.Status != 0 || it.Header != "" || isSchema(it) {
		return nil
	}
	field := fieldOf(it)
	if it.Kind == spec.KindDuplicate {
		field = "id"
	}
	var all []holder
	for _, seq := range it.Exchanges {
		ex := x.exchanges.by[seq]
		switch {
		case ex == nil:
		case field != "":
			all = append(all, x.invalid[ex.Operation+" "+field]...)
		case it.Kind == spec.KindDiffers:
			for name := range x.query(seq) { // the items were asked for by it
				all = append(all, x.invalid[ex.Operation+" "+name]...)
			}
		}
	}
	return all
}

// sameLacking returns the findings that the list lacks something, or shows something twice, where an item says that it lacks something.
func (x *fields) sameLacking(it *item) []holder {
	if it.Kind != spec.KindLost || it.Status != 0 || it.Pointer != "" || it.answered/100 != http.StatusOK/100 {
		return nil
	}
	var all []holder
	for _, h := range x.incomplete[it.operation] {
		if h.it != it {
			all = append(all, h)
		}
	}
	return all
}

// sameWritten returns the findings that the response to a write on the same resource shows a wrong value of the field that an item
// compares. The write let it in.
func (x *fields) sameWritten(it *item) []holder {
	read := x.exchanges.by[it.at]
	if it.Status != 0 || it.Kind != spec.KindDiffers || read == nil || isSchema(it) {
		return nil
	}
	var all []holder
	for _, h := range x.written[fieldOf(it)] {
		if write := x.exchanges.by[h.it.at]; h.it != it && isBelow(read, write) {
			all = append(all, h)
		}
	}
	return all
}

// isBelow reports whether the path of a request is that of another one or below it.
func isBelow(ex, other *spec.Exchange) bool {
	path, err := url.Parse(ex.Request.URL)
	if err != nil {
		return false
	}
	above, err := url.Parse(other.Request.URL)
	return err == nil && (path.Path == above.Path || strings.HasPrefix(path.Path, strings.TrimSuffix(above.Path, "/")+"/"))
}

// sameQuery returns the findings that the operation returned other items than asked for, by parameters that an item's requests have too.
func (x *fields) sameQuery(it *item) []holder {
	if it.Status != 0 || it.Header != "" || isSchema(it) {
		return nil
	}
	var all []holder
	for _, h := range x.unlike[it.operation] {
		for _, seq := range it.Exchanges {
			if ex := x.exchanges.by[seq]; ex != nil && ex.Operation == it.operation && hasNames(x.query(seq), x.query(h.it.at)) {
				all = append(all, h)
				break
			}
		}
	}
	return all
}

// sameRefused returns the findings with the same status for requests that differ from a request that succeeded in the same way.
func (x *fields) sameRefused(it *item) []holder {
	status := it.Status
	if it.Kind == spec.KindMissing && !isSchema(it) {
		status = it.answered // an error has no member of a success
	}
	if status/100 != 4 || it.at == 0 {
		return nil // crashes may have several reasons
	}
	var all []holder
	for _, h := range x.refused[foreignAnswer{it.operation, status}] {
		if h.it != it && (x.isRefusedFor(h.it, it) || x.isRefusedFor(it, h.it)) {
			all = append(all, h)
		}
	}
	return all
}

// isRefusedFor reports whether the request of b has all by which the rejected request of a differs from the one that succeeded. If that is
// unknown, both have to be the same. What may not exist can be rejected for that.
func (x *fields) isRefusedFor(a, b *item) bool {
	if !onlySuccess(x.exchanges.by[a.at]) || !onlySuccess(x.exchanges.by[b.at]) {
		return false
	}
	sent, other := x.request(a.at), x.request(b.at)
	if len(a.Exchanges) == 2 && a.twice {
		n := 0
		plain := x.request(a.Exchanges[0])
		for name, value := range sent {
			switch {
			case plain[name] == value:
			case other[name] == value:
				n++
			case !strings.Contains(value, x.marker): // names differ in all requests
				return false
			}
		}
		for name := range plain {
			if _, there := sent[name]; !there {
				n++
				if _, there := other[name]; there {
					return false
				}
			}
		}
		return n > 0
	}
	return maps.Equal(sent, other)
}

// onlySuccess reports whether nothing but a success was right.
func onlySuccess(ex *spec.Exchange) bool {
	if ex == nil {
		return false
	}
	for _, status := range ex.Expect.Statuses {
		if status/100 != 2 {
			return false
		}
	}
	return true
}

// hasNames reports whether parameters have at least the names of others.
func hasNames(p, others parameters) bool {
	for name := range others {
		if _, there := p[name]; !there {
			return false
		}
	}
	return true
}

// query returns the query of an exchange's request, by name.
func (x *fields) query(seq int) parameters {
	p := parameters{}
	for name, value := range x.request(seq) {
		if query, is := strings.CutPrefix(name, "?"); is {
			p[query] = value
		}
	}
	return p
}

// request returns what an exchange's request says beside its path and headers.
func (x *fields) request(seq int) parameters {
	if p, known := x.asked[seq]; known {
		return p
	}
	p := parameters{}
	x.asked[seq] = p
	ex := x.exchanges.by[seq]
	if ex == nil {
		return p
	}
	if u, err := url.Parse(ex.Request.URL); err == nil {
		for name, values := range u.Query() {
			p["?"+name] = strings.Join(values, "\n")
		}
	}
	if len(ex.Request.Body) == 0 {
		return p
	}
	p["body"] = "\x00" + string(ex.Request.Body)
	if d, err := exactjson.Decode(ex.Request.Body); err == nil {
		if members, is := d.Tree.(map[string]any); is {
			delete(p, "body")
			for name, value := range members {
				text, _ := json.Marshal(value)
				p["."+name] = string(text)
			}
		}
	}
	return p
}
