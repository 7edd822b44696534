package promise

import (
	"encoding/json"
	"testing"

	"hallmark/spec/wire"
)

// Values are compared as their texts are.
func TestSameTexts(t *testing.T) {
	all := []any{
		nil, true, false, "", "a", "1", "<a>", "null", json.Number("1"), json.Number("1.0"), json.Number("10"), 1, 1.5, wire.File{Data: []byte("a")}, []any{}, []any{nil}, []any{"a", json.Number("1")},
		[]any{json.Number("1"), "a"}, map[string]any{}, map[string]any{"a": nil}, map[string]any{"b": nil}, map[string]any{"a": "1"}, map[string]any{"a": json.Number("1")}, map[string]any{"a": 1},
		"\xff", "�", json.Number("01"), json.Number("NaN"), json.Number(""), json.Number("0"), []any{"\xff"}, []any{"�"}, map[string]any{"a": nil, "b": []any{map[string]any{"c": "d"}}}, map[string]any{"a": nil, "b": []any{map[string]any{"c": "e"}}}, []any{wire.File{Data: []byte("a")}},
	}
	for _, a := range all {
		for _, b := range all {
			if got, want := sameText(a, b), jsonText(a) == jsonText(b); got != want {
				t.Errorf("%#v and %#v: %v", a, b, got)
			}
		}
	}
}
