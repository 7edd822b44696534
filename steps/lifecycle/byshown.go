package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// whenByShown is "it is sent without <filter> and for values of what it shows". If the list shows too little to choose from, items with
// other values are created first.
func whenByShown(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	all := life.Filters(m.Request.Operation)
	i := slices.IndexFunc(all, func(f resource.Filter) bool { return f.Name() == unquoted(name) })
	if i < 0 {
		return fmt.Errorf("%s has no filter %q", m.Request.Operation.ID, unquoted(name))
	}
	st := &byValue{filter: all[i], making: m, life: life}
	plain := fewestParameters([]request.Request{m.Request}).Without(request.PlaceOf(st.filter.Parameter))
	if st.before, err = readAtOnce(ctx, s, life, plain, m.Credential); err != nil {
		return err
	}
	if len(st.choose(s)) == 0 {
		if err := st.createOthers(ctx, s); err != nil {
			return err
		}
	}
	if err := st.ask(ctx, s); err != nil {
		return err
	}
	if len(st.values) == 0 {
		return scenario.Excusef("the list shows no two values of %s to choose from", st.filter.Member)
	}
	s.Life = st
	s.SetAnswers(st.after.last)
	return nil
}

// createOthers creates resources with two values of the filter's member.
func (st *byValue) createOthers(ctx context.Context, s *scenario.Scenario) error {
	for _, p := range st.life.Settable(st.life.Creator.Operation) {
		if p.Name != st.filter.Member {
			continue
		}
		values := plainValues(s, p.Schema)
		for _, value := range values[:min(2, len(values))] {
			if err := createForFilter(ctx, s, st.life, map[string]any{p.Name: value}); err != nil {
				return err
			}
		}
	}
	return nil
}

// choose returns what the filter is asked for: the values of an enum, or some of those that the list shows without the filter.
func (st *byValue) choose(s *scenario.Scenario) [][]any {
	f := st.filter
	valid := func(v any) bool {
		return s.Run.Promises.Valid(f.Schema, v) && s.Run.Promises.Valid(f.Parameter.Schema, f.Value(v))
	}
	var shown []any
	for _, item := range st.before.items() {
		value := item.Members[f.Member]
		if value != nil && value != "" && !slices.ContainsFunc(shown, func(o any) bool { return same(o, value) }) {
			shown = append(shown, value)
		}
	}
	switch f.Relation {
	case resource.Equal:
		var all [][]any
		for _, text := range f.Schema.Enum {
			if value, err := exactjson.Decode([]byte(text)); err == nil && valid(value.Tree) {
				all = append(all, []any{value.Tree})
			}
		}
		if len(f.Schema.Enum) == 0 && len(shown) > 1 {
			for _, value := range shown[:2] {
				if valid(value) {
					all = append(all, []any{value})
				}
			}
		}
		return all
	case resource.OneOf:
		shown = slices.DeleteFunc(shown, func(v any) bool { return !valid(v) })
		if len(shown) < 2 || !s.Run.Promises.Valid(f.Parameter.Schema, f.Value(shown[:2]...)) {
			return nil
		}
		return [][]any{shown[:2]}
	case resource.AtLeast, resource.AtMost:
		if bound, ok := st.between(shown, valid); ok {
			return [][]any{{bound}}
		}
	}
	return nil
}

// between returns the bound that parts values most evenly; false if none of them parts them.
func (st *byValue) between(shown []any, valid func(any) bool) (best any, ok bool) {
	most := 0
	for _, value := range shown {
		for _, bound := range roundedTo(value) {
			if !valid(bound) {
				continue
			}
			asked, others := 0, 0
			for _, is := range shown {
				switch st.likeness([]any{bound}, is) {
				case behaviour.Equal:
					asked++
				case behaviour.Another:
					others++
				case behaviour.Normal, behaviour.Hidden:
				}
			}
			if n := min(asked, others); n > most {
				best, most = bound, n
			}
		}
	}
	return best, most > 0
}

// roundedTo returns a value, and what it is rounded to where the bound may only be an integer or a date.
func roundedTo(value any) []any {
	all := []any{value}
	switch v := value.(type) {
	case json.Number:
		if whole, ok := exactjson.Truncate(v); ok {
			all = append(all, whole)
		}
	case string:
		if len(v) > len(time.DateOnly) {
			all = append(all, v[:len(time.DateOnly)])
		}
	}
	return all
}
