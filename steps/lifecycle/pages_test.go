package lifecycle

import (
	"encoding/json"
	"strings"
	"testing"

	"hallmark/spec/resource"
)

// What a list plainly does not show is not waited for.
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
