package scenario

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// The dates, numbers and texts of a body that are moved on for one more resource; see askVaried.

// moved returns a request with the dates, numbers and texts of its body moved on by n, those that name it or refer to something excepted, and
// which of them it has.
func (s *Scenario) moved(r request.Request, by variation, n int, keep []string) (varied request.Request, moved variation) {
	body, _, _ := r.Body()
	places := s.movable(r, body, keep)
	days := n * (1 + s.span(r.Operation, body, places))
	for _, pointer := range places {
		value, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
		value = s.base(r.Operation, pointer, value)
		var others []any
		var kind variation
		switch v := value.(type) {
		case json.Number:
			if by&otherNumbers != 0 {
				kind, others = otherNumbers, movedNumbers(v, n)
			}
		case string:
			at, layout, date := dateOf(v)
			switch {
			case date && by&otherDates != 0:
				kind, others = otherDates, []any{at.AddDate(0, 0, days).Format(layout)}
			case !date && by&otherTexts != 0:
				h := fnv.New64a()
				_, _ = fmt.Fprint(h, s.Run.ID, pointer, n)
				random := rand.New(rand.NewPCG(h.Sum64(), 0))
				kind, others = otherTexts, []any{freshText(s.Run, s.Run.resources.nextName()), similarText(random, v), freshUUID(s.Run, s.Run.resources.nextName())}
			}
		}
		for _, other := range others {
			if with, err := r.WithBodyAt(pointer, other); err == nil && keepsSchema(s.Run, with) {
				r, moved = with, moved|kind
				break
			}
		}
	}
	return r, moved
}

// base returns the value that the first variation of an operation began with at a place, which is this one if none did.
func (s *Scenario) base(op *spec.Operation, pointer string, value any) any {
	all := s.Run.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	known := all.exclusivity(op)
	if _, there := known.bases[pointer]; !there {
		known.bases[pointer] = value
	}
	return known.bases[pointer]
}

// movable returns the places of the scalars in a body that may be moved on, sorted.
func (s *Scenario) movable(r request.Request, body any, keep []string) []string {
	naming := naming(s, r.Operation)
	var references []string
	for _, at := range s.Run.resources.inferred.Candidates(r.Operation) {
		if at.Parameter == nil {
			references = append(references, pointers(body, at.Path, "", false)...)
		}
	}
	all := slices.DeleteFunc(membersOf(body, "", 0), func(pointer string) bool {
		value, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
		return nameOf(value) == "" || slices.Contains(keep, pointer) || slices.Contains(references, pointer) || givenAt(s.Run, r, pointer) ||
			slices.ContainsFunc(naming, func(p spec.Property) bool { return jsonpointer.Join("", p.Name) == pointer })
	})
	slices.Sort(all)
	return all
}

// span returns the days between the first and the last date at some places of a body.
func (s *Scenario) span(op *spec.Operation, body any, places []string) int {
	var all []time.Time
	for _, pointer := range places {
		value, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
		if at, _, ok := dateOf(s.base(op, pointer, value)); ok {
			all = append(all, at)
		}
	}
	if len(all) == 0 {
		return 0
	}
	const most = 366
	first, last := slices.MinFunc(all, time.Time.Compare), slices.MaxFunc(all, time.Time.Compare)
	return min(int(last.Sub(first).Hours()/24)+1, most)
}

// dateOf returns the moment that a text states, and the layout of the text.
func dateOf(value any) (at time.Time, layout string, ok bool) {
	text, _ := value.(string)
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, layout, true
		}
	}
	return at, "", false
}

// movedNumbers returns integers to try in place of another one. Schemas allow ranges, so some are moved on less, or back.
func movedNumbers(v json.Number, n int) []any {
	whole, ok := exactjson.CanonicalInt(v)
	was, is := new(big.Int).SetString(whole, 10)
	if !ok || !is {
		return nil
	}
	var all []any
	for _, by := range []int{n, -n, n % 32, -(n % 32), n % 8, -(n % 8), n % 2, -(n % 2)} {
		if moved := new(big.Int).Add(was, big.NewInt(int64(by))); by != 0 {
			all = append(all, json.Number(moved.String()))
		}
	}
	return all
}
