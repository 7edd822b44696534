package verdict

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Replay returns the requests that reproduce a finding: those it cites, preceded by those that created what they read, which another instance
// of the service does not have, and resources they name and that the run has removed since, such as the parents of a nested resource.
// Creations that fill a list may be repeated.
func (g *ExchangeIndex) Replay(f spec.Finding) []*spec.Exchange {
	cited := g.beforeDecisive(f, withoutRepeatedReads(g.Cited(f)))
	h := g.history()
	if len(h.created) == 0 {
		return cited
	}
	there := map[int]bool{}
	for _, ex := range cited {
		there[ex.Seq] = true
	}
	var all []*spec.Exchange
	var add func(ex *spec.Exchange)
	add = func(ex *spec.Exchange) {
		named := slices.Concat(h.gone(pathOf(ex)), record.SentPaths(ex, h.paths))
		if path := pathOf(ex); ex.Request.Method == http.MethodGet && !slices.Contains(named, path) {
			named = append(named, path)
		}
		for _, path := range named {
			creation := h.creationOf(path, ex.Seq)
			if creation != nil && !there[creation.Seq] {
				there[creation.Seq] = true
				add(creation)
				all = append(all, creation)
			}
		}
	}
	for _, ex := range cited {
		add(ex)
	}
	for _, creation := range h.filling(cited, f) {
		if !there[creation.Seq] {
			add(creation)
			all = append(all, creation)
		}
	}
	if len(all) == 0 {
		return cited
	}
	all = append(all, cited...)
	slices.SortStableFunc(all, func(x, y *spec.Exchange) int { return x.Seq - y.Seq })
	return all
}

// beforeDecisive returns what a script repeats of the cited exchanges. If the finding is a status, whatever was sent after the decisive request is
// dropped: it only showed what would have been right. If a read alone is cited, it is preceded by the requests of its scenario that may have
// made what it shows: those that changed the resource, and those that were refused where a list shows it.
func (g *ExchangeIndex) beforeDecisive(f spec.Finding, cited []*spec.Exchange) []*spec.Exchange {
	last := g.by[f.Decisive()]
	switch {
	case last == nil || len(cited) == 0:
		return cited
	case f.Status != 0 && len(cited) > 1:
		return slices.DeleteFunc(cited, func(ex *spec.Exchange) bool { return ex.Seq > last.Seq })
	case len(cited) != 1 || last.Request.Method != http.MethodGet || last.Scenario == "" || last.Response == nil:
		return cited
	}
	var before []*spec.Exchange
	for _, ex := range g.scenarios()[last.Scenario] {
		if ex.Seq >= last.Seq || ex.Response == nil || pathOf(ex) != pathOf(last) {
			continue
		}
		refused := ex.Response.Status/100 == http.StatusBadRequest/100
		switch ex.Request.Method {
		case http.MethodGet, http.MethodHead, http.MethodDelete:
		case http.MethodPost:
			if refused {
				before = append(before, ex)
			}
		default:
			before = append(before, ex)
		}
	}
	return append(before, cited...)
}

// withoutRepeatedReads drops reads that a later one repeats with the same response and no write in between: a script that waits for a
// change needs only the last one.
func withoutRepeatedReads(cited []*spec.Exchange) []*spec.Exchange {
	var out, reads []*spec.Exchange // reads holds those since the last write, walking from the end
	for _, ex := range slices.Backward(cited) {
		if ex.Request.Method != http.MethodGet && ex.Request.Method != http.MethodHead {
			out, reads = append(out, ex), nil
			continue
		}
		if !slices.ContainsFunc(reads, func(later *spec.Exchange) bool { return sameRead(ex, later) }) {
			out, reads = append(out, ex), append(reads, ex)
		}
	}
	slices.Reverse(out)
	return out
}

// sameRead reports whether two reads made the same request with the same credential and got the same response.
func sameRead(x, y *spec.Exchange) bool {
	if x.Response == nil || y.Response == nil {
		return false
	}
	a, b := x.Request, y.Request
	return a.Method == b.Method && a.URL == b.URL && x.Response.Status == y.Response.Status && bytes.Equal(x.Response.Body, y.Response.Body) &&
		maps.EqualFunc(withoutTrace(x), withoutTrace(y), slices.Equal)
}

// withoutTrace returns the headers of a request without its correlation id.
func withoutTrace(ex *spec.Exchange) http.Header {
	headers := maps.Clone(ex.Request.Header)
	maps.DeleteFunc(headers, func(_ string, values []string) bool {
		return ex.Correlation != "" && len(values) == 1 && values[0] == ex.Correlation
	})
	return headers
}

// history holds what a run created, and what has been removed since, by the run or by its cleanup.
type history struct {
	created map[string][]*spec.Exchange // in order, by the path of the created resource
	removed map[string]bool
	paths   []string        // paths of removed resources, in order of creation
	deleted map[string]bool // identifiers of resources known to be removed
}

// newHistory returns the history of a run, from all its exchanges and its list of leftovers.
func newHistory(rec *record.Record) history {
	left := map[string]bool{}
	h := history{created: map[string][]*spec.Exchange{}, removed: map[string]bool{}, deleted: map[string]bool{}}
	for _, c := range rec.Created {
		if c.Fate == record.Removed {
			h.deleted[c.ID] = true
		} else {
			left[c.ID] = true
		}
	}
	note := func(path, id string, ex *spec.Exchange) {
		h.created[path] = append(h.created[path], ex)
		if !left[id] && !h.removed[path] {
			h.removed[path], h.paths = true, append(h.paths, path)
		}
	}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if ex.Response == nil || ex.Response.Status/100 != http.StatusOK/100 {
			continue
		}
		switch path := pathOf(ex); ex.Request.Method {
		case http.MethodPut:
			if len(h.created[path]) == 0 { // otherwise it updates an existing resource
				note(path, path[strings.LastIndexByte(path, '/')+1:], ex)
			}
		case http.MethodPost:
			for _, id := range identifiersIn(ex, path) {
				note(path+"/"+url.PathEscape(id), id, ex)
			}
		}
	}
	return h
}

// gone returns the prefixes of a path, from the outside in, that name a removed resource or one created within it.
func (h history) gone(path string) []string {
	var all []string
	within := false
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		if within = within || h.removed[path[:i]]; within {
			all = append(all, path[:i])
		}
	}
	return all
}

// creationOf returns the last request before an exchange that created the resource at path, or nil.
func (h history) creationOf(path string, before int) *spec.Exchange {
	for _, ex := range slices.Backward(h.created[path]) {
		if ex.Seq < before {
			return ex
		}
	}
	return nil
}

// identifiersIn returns the identifiers that the response to a creation at a path may have assigned: the end of its Location, and fields
// named like identifiers, also in a nested object. Fields that the request sent and that have other names refer to something else.
func identifiersIn(ex *spec.Exchange, path string) []string {
	var all []string
	note := func(id string) {
		if id != "" && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	if u, err := url.Parse(ex.Response.Header.Get("Location")); err == nil {
		note(u.Path[strings.LastIndexByte(u.Path, '/')+1:])
	}
	object, _ := spec.Decode(ex.Response).Tree.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, is := object[name].(map[string]any)
		if !is {
			inner = map[string]any{name: object[name]}
		}
		for _, name := range slices.Sorted(maps.Keys(inner)) {
			sent := bytes.Contains(ex.Request.Body, []byte(strconv.Quote(name)))
			if record.IsOwnIdentifier(name, path) || record.IsIdentifier(name) && !sent {
				note(scalarText(inner[name]))
			}
		}
	}
	return all
}

// pathOf returns the path of a request as sent, without a trailing slash.
func pathOf(ex *spec.Exchange) string {
	u, err := url.Parse(ex.Request.URL)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.EscapedPath(), "/")
}
