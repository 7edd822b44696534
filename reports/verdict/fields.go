package verdict

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// fields holds what defects say about the same field, filter or value of a request, in whatever exchange.
type fields struct {
	exchanges *ExchangeIndex
	// marker is in all names that the run makes up.
	marker string
	// invalid holds the findings about a field that violates its schema, by operation and field.
	invalid map[string][]holder
	// compared holds the findings that a field is not as sent or as another response shows it, by field, and those that a resource is
	// missing. blamed caches the operation that most of the findings about one subject have in common.
	compared map[string][]holder
	blamed   map[*item]string
	// unlike holds the findings that an operation returned other items than its query asked for, by operation.
	unlike map[string][]holder
	// incomplete holds the findings that a list as a whole lacks a resource or shows one twice, by operation.
	incomplete map[string][]holder
	// unfound holds the findings that what an operation shows does not exist, by that operation.
	unfound map[string][]holder
	// errors holds the findings that an error has another form or lacks a member.
	errors []holder
	// refused holds the wrong statuses, by operation and status.
	refused map[foreignAnswer][]holder
	// asked caches the requests of exchanges.
	asked map[int]parameters
}

// parameters are the members of a request's body and query as JSON text, by name.
type parameters map[string]string

func newFields(rec *record.Record, g *ExchangeIndex) *fields {
	return &fields{
		exchanges: g, marker: "hallmark-" + rec.ID, invalid: map[string][]holder{}, compared: map[string][]holder{}, unlike: map[string][]holder{},
		incomplete: map[string][]holder{}, unfound: map[string][]holder{},
		refused: map[foreignAnswer][]holder{}, asked: map[int]parameters{},
	}
}

func (x *fields) addHolder(h holder) {
	it := h.it
	field := fieldOf(it)
	if subject := subjectOf(it); subject != "" {
		x.compared[subject] = append(x.compared[subject], h)
	}
	if symptomOf(it) == spec.Missing {
		for operation := range x.operations(it) {
			if operation != it.operation {
				x.unfound[operation] = append(x.unfound[operation], h)
			}
		}
	}
	if it.answered >= http.StatusBadRequest && it.Status == 0 && it.Header == "" && (isType(it) || it.Kind == spec.KindMissing && it.Pointer != "") {
		x.errors = append(x.errors, h)
	}
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
		if len(it.Exchanges) == 1 && it.Pointer == "" && len(x.query(it.at)) > 0 {
			x.unlike[it.operation] = append(x.unlike[it.operation], h)
		}
	}
}

// sameErrorForm returns the findings that errors as a whole have another form, or that those of the operation with this status lack other
// members, where an item says that an error lacks a member.
func (x *fields) sameErrorForm(it *item) []holder {
	if it.Status != 0 || it.Header != "" || it.Kind != spec.KindMissing || it.answered < http.StatusBadRequest || it.Pointer == "" {
		return nil
	}
	var all []holder
	for _, h := range x.errors {
		if isType(h.it) || h.it.operation == it.operation && h.it.answered == it.answered && h.it.Pointer != it.Pointer {
			all = append(all, h)
		}
	}
	return all
}

// sameInvalid returns the findings that a field has an invalid value in responses of an operation, where an item compares such values or
// identifies something by them.
func (x *fields) sameInvalid(it *item) []holder {
	if it.Status != 0 || it.Header != "" || isSchema(it) {
		return nil
	}
	field := fieldOf(it)
	var all []holder
	for _, seq := range it.Exchanges {
		ex := x.exchanges.by[seq]
		switch {
		case ex == nil:
		case it.Kind == spec.KindDuplicate:
			for _, key := range slices.Sorted(maps.Keys(x.invalid)) {
				if name, of := strings.CutPrefix(key, ex.Operation+" "); of && record.IsOwnIdentifier(name, pathOf(ex)) {
					all = append(all, x.invalid[key]...)
				}
			}
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

// sameUnfound returns the findings that what a list shows does not exist, where an item says that the list lacks something: it may show that
// under another identifier.
func (x *fields) sameUnfound(it *item) []holder {
	if !isIncomplete(it) {
		return nil
	}
	return x.unfound[it.operation]
}

// isIncomplete reports whether a finding says that a list lacks something.
func isIncomplete(it *item) bool {
	return it.Kind == spec.KindLost && it.Status == 0 && it.Pointer == ""
}

// theResource is the subject of findings that a resource is missing.
const theResource = "\x00"

// subjectOf returns what a finding says that responses do not agree on: the name of a field, or theResource. It is empty for other findings.
func subjectOf(it *item) string {
	switch {
	case symptomOf(it) == spec.Missing && len(it.Exchanges) > 1:
		return theResource
	case it.Status != 0 || it.Header != "" || isSchema(it) || isOther(it):
		return ""
	case it.Kind == spec.KindDiffers || it.Kind == spec.KindMissing || it.Kind == spec.KindUnexpected:
		return fieldOf(it)
	}
	return ""
}

// sameBlamed returns the findings about the same field, or about missing resources, where responses of one operation explain both. It
// explains those that show it in responses of other operations.
func (x *fields) sameBlamed(it *item) []holder {
	subject := subjectOf(it)
	if subject == "" {
		return nil
	}
	if x.blamed == nil {
		x.blamed = map[*item]string{}
		for _, all := range x.compared {
			x.blame(all)
		}
	}
	operation := x.blamed[it]
	var all []holder
	for _, h := range x.compared[subject] {
		if unfound := isIncomplete(h.it) && h.it.operation != it.operation && x.operations(it)[h.it.operation]; unfound {
			continue // the list shows what does not exist: see sameUnfound
		}
		if h.it != it && x.blamed[h.it] == operation && (h.it.operation == operation || it.operation != operation) {
			all = append(all, h)
		}
	}
	return all
}

// blame finds the fewest operations that explain findings about one subject: the one that most of them cite, then the one that most of the
// rest cite.
func (x *fields) blame(findings []holder) {
	for len(findings) > 0 {
		cited, decisive := map[string]int{}, map[string]int{}
		for _, h := range findings {
			for operation := range x.operations(h.it) {
				cited[operation]++
			}
			decisive[h.it.operation]++
		}
		most := slices.MaxFunc(slices.Sorted(maps.Keys(cited)), func(a, b string) int {
			return cmp.Or(cmp.Compare(cited[a], cited[b]), cmp.Compare(decisive[a], decisive[b]))
		})
		findings = slices.DeleteFunc(slices.Clone(findings), func(h holder) bool {
			if x.operations(h.it)[most] {
				x.blamed[h.it] = most
				return true
			}
			return false
		})
	}
}

// operations returns the operations whose responses a finding cites.
func (x *fields) operations(it *item) map[string]bool {
	all := map[string]bool{it.operation: true}
	for _, seq := range it.Exchanges {
		if ex := x.exchanges.by[seq]; ex != nil {
			all[ex.Operation] = true
		}
	}
	return all
}

// sameQuery returns the findings that the operation returned other items than asked for, by parameters that an item's requests have too.
func (x *fields) sameQuery(it *item) []holder {
	if it.Status != 0 || it.Header != "" || it.rule.Always || !isBehaviour(it) {
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

// sameAlways returns the findings with the same wrong status of an operation that never succeeded. A few may be a coincidence.
func (x *fields) sameAlways(it *item) []holder {
	all := x.refused[foreignAnswer{it.operation, it.Status}]
	if it.Status == 0 || it.operation == "" || x.exchanges.succeeded[it.operation] || len(all) < hardlyAny {
		return nil
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
	return maps.EqualFunc(sent, other, func(a, b string) bool {
		return a == b || strings.Contains(a, x.marker) && strings.Contains(b, x.marker) // names differ in all requests
	})
}

// onlySuccess reports whether nothing but a success was right.
func onlySuccess(ex *spec.Exchange) bool {
	if ex == nil {
		return false
	}
	notSuccess := func(status int) bool { return status/100 != http.StatusOK/100 }
	return ex.Expect.Rule == "" || !slices.ContainsFunc(ex.Expect.Statuses, notSuccess)
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
