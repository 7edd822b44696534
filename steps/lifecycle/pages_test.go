package lifecycle

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// The run does not wait for an item that a list evidently does not show.
func TestWhereAListEnds(t *testing.T) {
	for name, c := range map[string]struct {
		listed, sought []any
		full, want     bool
	}{
		"oldest first":            {[]any{json.Number("1"), json.Number("2"), json.Number("10")}, []any{json.Number("11"), json.Number("12")}, true, true},
		"as texts":                {[]any{"8", "9", "10"}, []any{"11"}, true, true},
		"with room for more":      {[]any{json.Number("1"), json.Number("2")}, []any{json.Number("3")}, false, false},
		"newest first":            {[]any{json.Number("10"), json.Number("9")}, []any{json.Number("11")}, true, false},
		"in no order":             {[]any{json.Number("1"), json.Number("9"), json.Number("4")}, []any{json.Number("11")}, true, false},
		"one of them may come":    {[]any{json.Number("1"), json.Number("9")}, []any{json.Number("5"), json.Number("11")}, true, false},
		"one alone":               {[]any{json.Number("1")}, []any{json.Number("2")}, true, false},
		"huge":                    {[]any{json.Number("9007199254740992"), json.Number("9007199254740993")}, []any{json.Number("9007199254740994")}, true, true},
		"negative":                {[]any{json.Number("-9"), json.Number("-3")}, []any{json.Number("-10")}, true, false},
		"no numbers":              {[]any{"a", "b"}, []any{"c"}, true, false},
		"longer than any number":  {[]any{"1", "2"}, []any{strings.Repeat("9", 50)}, true, false},
		"nothing in it":           {nil, []any{"1"}, true, false},
		"without its identifiers": {[]any{nil, nil}, []any{"1"}, true, false},
	} {
		var p page
		for _, id := range c.listed {
			p.items = append(p.items, resource.Item{Identifier: id})
		}
		if got := (walk{pages: []page{p}, full: c.full}).endsBefore(c.sought); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// An item of a list may be on any of its pages, not only on the last one read.
func TestAPageShowsWhatIsSought(t *testing.T) {
	item := func(id string) resource.Item { return resource.Item{Identifier: id} }
	first, second := &scenario.Answer{}, &scenario.Answer{}
	w := walk{pages: []page{{answer: first, items: []resource.Item{item("a"), item("b")}}, {answer: second}}, last: second}
	is := func(id string) func(resource.Item) bool {
		return func(i resource.Item) bool { return i.Identifier == id }
	}
	if found, at, there := w.showing(is("b")); !there || at != first || found.Identifier != "b" {
		t.Errorf("b: %v, %t, by the first page %t", found, there, at == first)
	}
	if _, at, there := w.showing(is("c")); there || at != second {
		t.Errorf("c, which no page shows: %t, by the last page %t", there, at == second)
	}
}

func TestTheBigPagesAreCited(t *testing.T) {
	answer := func(seq int) *scenario.Answer { return &scenario.Answer{Exchange: &spec.Exchange{Seq: seq}} }
	pages := walk{pages: []page{{answer: answer(3)}, {answer: answer(5)}, {answer: answer(8)}}}
	if got := pages.exchanges(nil); !slices.Equal(got, []int{3, 5, 8}) {
		t.Errorf("of all pages: %v", got)
	}
	if got := pages.exchanges(pages.pages[2].answer); !slices.Equal(got, []int{3, 5}) {
		t.Errorf("before the last: %v", got)
	}
}
