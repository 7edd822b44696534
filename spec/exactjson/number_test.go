package exactjson_test

import (
	"encoding/json"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

func TestTruncate(t *testing.T) {
	for text, want := range map[json.Number]json.Number{
		"12.5": "12", "-12.5": "-12", "0.9": "0", "-0.3": "0", "7": "7", "1.25e1": "12", "1e3": "1000", "9007199254740993.5": "9007199254740993", "1e999": "", "x": "",
	} {
		if got, ok := exactjson.Truncate(text); got != want || ok != (want != "") {
			t.Errorf("%s: %s, %t", text, got, ok)
		}
	}
}
