package judge

import (
	"strconv"

	"hallmark/spec"
	"hallmark/spec/phrase"
)

// maxDoubtful is how many items of a long list the schema validator is asked about. An endless list of broken items would
// keep it busy for minutes, and its errors take more memory than the list.
const maxDoubtful = 1000

// doubts are the items of a list that may break their schema, by their indexes in the whole list.
type doubts struct {
	at []int
	// some reports whether there are more.
	some bool
}

// doubtful leaves out of a long list what keeps its schema beyond doubt, and what is too much. Of any other value it gives
// the value itself, and nil.
func (p *plan) doubtful(tree any) (any, *doubts) {
	items, ok := tree.([]any)
	if !ok || len(items) <= maxDoubtful || p.thorough || p.schema.Type != "array" || p.item == nil || !p.schema.Simple() || len(p.schema.Enum) > 0 {
		return tree, nil
	}
	d := &doubts{}
	left := []any{}
	for i, item := range items {
		if keeps(p.item, item) {
			continue
		}
		if len(left) == maxDoubtful {
			d.some = true
			break
		}
		left, d.at = append(left, item), append(d.at, i)
	}
	return left, d
}

// placed gives violations among the doubtful items their places in the whole list. What concerns the number of items is told
// by tooMany.
func (d *doubts) placed(found []violation) []violation {
	if d == nil {
		return found
	}
	out := found[:0]
	for _, b := range found {
		if len(b.path) == 0 {
			continue
		}
		if i, err := strconv.Atoi(b.path[0]); err == nil && i < len(d.at) {
			b.path = append([]string{strconv.Itoa(d.at[i])}, b.path[1:]...)
			b.among = d.some
			out = append(out, b)
		}
	}
	return out
}

// tooMany returns a violation when a long list holds more items than it may. It holds more than maxDoubtful; that these are too few is
// for the contracts of others to ask.
func (p *plan) tooMany(tree any) []violation {
	items, _ := tree.([]any)
	n := int64(len(items))
	count := func(keyword string, sort spec.FindingKind, expected phrase.Phrase) []violation {
		return []violation{{
			constraint: p.root.constraint(keyword), keyword: keyword, rule: p.root.rule(keyword), sort: sort, detail: "array",
			expected: expected, actual: phrase.Of("{}", phrase.Count(n, "item")),
		}}
	}
	switch s := p.schema; {
	case s.MaxItems != nil && n > *s.MaxItems:
		return count("maxItems", spec.KindTooLarge, phrase.Of("at most {}", phrase.Count(*s.MaxItems, "item")))
	case s.MinItems != nil && n < *s.MinItems:
		return count("minItems", spec.KindTooSmall, phrase.Of("at least {}", phrase.Count(*s.MinItems, "item")))
	}
	return nil
}
