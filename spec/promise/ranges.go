package promise

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Two values named like the ends of a range depend on each other, which no schema can express: a service may
// refuse a range that ends before it begins.

// rangeWords are words for the lower end of a range, with those for the matching upper one.
var rangeWords = [...]struct {
	low  string
	high []string
}{
	{"start", []string{"end", "stop", "finish"}}, {"begin", []string{"end", "finish"}}, {"from", []string{"to", "until", "till", "thru"}},
	{"since", []string{"until", "till", "to", "before"}}, {"after", []string{"before", "until"}}, {"min", []string{"max"}},
	{"minimum", []string{"maximum"}}, {"lower", []string{"upper", "higher"}}, {"low", []string{"high"}}, {"floor", []string{"ceiling"}},
	{"gte", []string{"lte", "lt"}}, {"gt", []string{"lt", "lte"}}, {"ge", []string{"le", "lt"}}, {"first", []string{"last"}},
	{"earliest", []string{"latest"}}, {"oldest", []string{"newest"}}, {"smallest", []string{"largest"}}, {"least", []string{"most"}},
	{"checkin", []string{"checkout"}}, {"departure", []string{"arrival", "return"}}, {"opens", []string{"closes"}}, {"open", []string{"close"}},
}

// normalizedName returns a name in lower case, with letters and digits only.
func normalizedName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// isRange reports whether two names are those of the lower and the upper end of a range.
func isRange(low, high string) bool {
	low, high = normalizedName(low), normalizedName(high)
	for _, e := range rangeWords {
		for rest := 0; ; {
			i := strings.Index(low[rest:], e.low)
			if i < 0 {
				break
			}
			before, after := low[:rest+i], low[rest+i+len(e.low):]
			if slices.ContainsFunc(e.high, func(word string) bool { return before+word+after == high }) {
				return true
			}
			rest += i + 1
		}
	}
	return false
}

// requestPart is a value in a request that may be an end of a range: a parameter, or a member of the body.
type requestPart struct {
	// names is the path to it: the name of the parameter, and those of members and items within it or within the
	// body.
	names []string
	value any
	// place is that of a parameter, pointer that of a member within the parameter or the body.
	place   request.Place
	pointer string
}

// name returns the name of the part as an end of a range with another part.
func (p requestPart) name(of requestPart) string {
	if last := len(p.names) - 1; len(of.names) == 0 || p.names[last] != of.names[len(of.names)-1] {
		return p.names[last]
	}
	return strings.Join(p.names, ".")
}

// requestParts returns the parts of a request.
func requestParts(r request.Request) []requestPart {
	var all []requestPart
	for _, place := range r.Given() {
		if value, ok := r.Value(place); ok {
			own := requestPart{names: []string{place.Name}, value: value, place: place}
			all = append(append(all, own), membersOf(own, 0)...)
		}
	}
	if body, _, ok := r.Body(); ok {
		all = append(all, membersOf(requestPart{value: body}, 0)...)
	}
	return all
}

// membersOf returns the members of a part that is an object, including nested ones, in the order of their names.
func membersOf(of requestPart, depth int) []requestPart {
	const deepest, most = 4, 3
	if depth > deepest {
		return nil
	}
	member := func(name string, value any) requestPart {
		return requestPart{names: append(slices.Clip(of.names), name), value: value, place: of.place, pointer: jsonpointer.Join(of.pointer, name)}
	}
	var all []requestPart
	switch v := of.value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			one := member(name, v[name])
			all = append(append(all, one), membersOf(one, depth+1)...)
		}
	case []any:
		for i, item := range v[:min(len(v), most)] {
			all = append(all, membersOf(member(strconv.Itoa(i), item), depth+1)...)
		}
	}
	return all
}

// endPair is the two ends of a range in a request.
type endPair struct{ low, high requestPart }

// rangesOf returns the ranges in a request, whose ends may be parameters and members of the body. Ends without a
// partner in their object are paired with one in a sibling object.
func rangesOf(r request.Request) []endPair {
	parts := requestParts(r)
	var all []endPair
	for _, low := range parts {
		for _, high := range parts {
			if areEnds(low.names, high.names) {
				all = append(all, endPair{low, high})
			}
		}
	}
	own := slices.Clone(all)
	paired := func(p requestPart) bool {
		return slices.ContainsFunc(own, func(of endPair) bool {
			return slices.Equal(of.low.names, p.names) || slices.Equal(of.high.names, p.names)
		})
	}
	for _, low := range parts {
		for _, high := range parts {
			if areEndsBeside(low.names, high.names) && !paired(low) && !paired(high) {
				all = append(all, endPair{low, high})
			}
		}
	}
	return all
}

// areEnds reports whether paths lead to the lower and the upper end of a range: where they differ, the names are
// those of a range, as in start.date and end.date.
func areEnds(low, high []string) bool {
	if len(low) != len(high) {
		return false
	}
	ranges := false
	for i := range low {
		switch {
		case low[i] == high[i]:
		case isRange(low[i], high[i]):
			ranges = true
		default:
			return false
		}
	}
	return ranges
}

// areEndsBeside reports whether paths lead to the ends of a range in two members of the same object.
func areEndsBeside(low, high []string) bool {
	last := len(low) - 1
	return last > 0 && len(high)-1 == last && slices.Equal(low[:last-1], high[:last-1]) && low[last-1] != high[last-1] && isRange(low[last], high[last])
}

// compareEnds compares two values that are numbers, days or moments; false if they cannot be compared.
func compareEnds(a, b any) (int, bool) {
	if x, ok := numberOf(a); ok {
		y, also := numberOf(b)
		if !also {
			return 0, false
		}
		return x.Cmp(y), true
	}
	x, isText := a.(string)
	y, also := b.(string)
	if !isText || !also {
		return 0, false
	}
	if s, ok := momentOf(x); ok {
		t, also := momentOf(y)
		return s.Compare(t), also
	}
	return 0, false
}

// mostDigits bounds the numbers that are compared.
const mostDigits = 400

func numberOf(v any) (*big.Rat, bool) {
	switch v := v.(type) {
	case json.Number:
		if len(v) > mostDigits || strings.ContainsAny(string(v), "eE") {
			return nil, false
		}
		return new(big.Rat).SetString(string(v))
	case string:
		if len(v) > mostDigits || strings.Trim(v, "0123456789.-") != "" {
			return nil, false
		}
		return new(big.Rat).SetString(v)
	}
	return nil, false
}

// forms are the layouts of moments, days and times in documents.
var forms = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", time.DateOnly, time.TimeOnly, "15:04", "2006-01"}

func momentOf(text string) (time.Time, bool) {
	for _, form := range forms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Disordered names a range in a request that ends before it begins: "start is after end". It returns "" if there
// is none. Such a request may be valid by its schemas, and a service may still refuse it.
func Disordered(r request.Request) string {
	for _, p := range rangesOf(r) {
		if order, ok := compareEnds(p.low.value, p.high.value); ok && order > 0 {
			return p.low.name(p.high) + " is after " + p.high.name(p.low)
		}
	}
	return ""
}

// OtherEnds names a range of days or moments whose ends differ in two requests, or returns "": no schema says how
// long it may be.
func OtherEnds(a, b request.Request) string {
	before := rangesOf(a)
	for _, p := range rangesOf(b) {
		text, isText := p.low.value.(string)
		if !isText {
			continue
		}
		if _, isMoment := momentOf(text); !isMoment {
			continue
		}
		for _, q := range before {
			if q.low.place == p.low.place && q.low.pointer == p.low.pointer && q.high.place == p.high.place && q.high.pointer == p.high.pointer &&
				(!sameText(q.low.value, p.low.value) || !sameText(q.high.value, p.high.value)) {
				return p.low.name(p.high) + " and " + p.high.name(p.low) + " hang together"
			}
		}
	}
	return ""
}

// inOrder returns a request whose ranges begin before they end, as far as the schemas allow: it swaps the ends, or
// sets the upper one slightly above the lower. Given values stay.
func inOrder(r request.Request, valid func(s *spec.Schema, value any) bool, given *values.Values) request.Request {
	for _, p := range rangesOf(r) {
		if isGiven(r.Operation, p.low, given) || isGiven(r.Operation, p.high, given) {
			continue
		}
		order, ok := compareEnds(p.low.value, p.high.value)
		if !ok || order < 0 {
			continue
		}
		if order > 0 {
			if swapped, ok := withPart(r, p.low, p.high.value, valid); ok {
				if swapped, ok = withPart(swapped, p.high, p.low.value, valid); ok {
					r = swapped
					continue
				}
			}
		}
		if above, found := littleMore(p.low.value); found {
			if raised, ok := withPart(r, p.high, above, valid); ok {
				r = raised
			}
		}
	}
	return r
}

// isGiven reports whether a part of a request has a given value, so that nothing else may be sent.
func isGiven(op *spec.Operation, p requestPart, given *values.Values) bool {
	if p.place.Name != "" {
		return slices.ContainsFunc(op.Parameters, func(of spec.Parameter) bool {
			_, ok := given.Parameter(op, of)
			return ok && request.PlaceOf(of) == p.place
		})
	}
	_, whole := given.Body(op)
	return whole || slices.ContainsFunc(given.Members(op), func(m values.Member) bool {
		return m.Pointer == p.pointer || strings.HasPrefix(p.pointer, m.Pointer+"/")
	})
}

// withPart returns a request with another value of a part; false if its schema does not allow it.
func withPart(r request.Request, p requestPart, value any, valid func(s *spec.Schema, value any) bool) (request.Request, bool) {
	op := r.Operation
	if p.place.Name == "" {
		changed, err := r.WithBodyAt(p.pointer, value)
		body, media, ok := changed.Body()
		if err != nil || !ok {
			return r, false
		}
		for i := range op.Body.Content {
			if m := &op.Body.Content[i]; wire.Concrete(m.Type) == media && m.Schema != nil {
				return changed, valid(m.Schema, body)
			}
		}
		return r, false
	}
	for _, of := range op.Parameters {
		if request.PlaceOf(of) != p.place || of.Schema == nil || p.pointer != "" {
			continue
		}
		return r.With(p.place, value), valid(of.Schema, value)
	}
	return r, false
}

// littleMore returns a slightly greater value: a day later, or one more. littleLess returns a slightly smaller one.
func littleMore(v any) (any, bool) { return stepped(v, 1) }
func littleLess(v any) (any, bool) { return stepped(v, -1) }

// stepped returns the value that lies so many days or units above another.
func stepped(v any, by int) (any, bool) {
	switch v := v.(type) {
	case json.Number:
		if n, ok := spec.IntegerOf(string(v)); ok && n < 1<<30 && n > -1<<30 {
			return json.Number(big.NewInt(n + int64(by)).String()), true
		}
	case string:
		for _, form := range forms {
			if t, err := time.Parse(form, v); err == nil && strings.Contains(form, "02") {
				return t.AddDate(0, 0, by).Format(form), true
			}
		}
	}
	return nil, false
}
