package openapi

import (
	"encoding/json"
	"testing"
)

// Formats are asserted of numbers only; a format says nothing about a value of another type.
func TestIntFormats(t *testing.T) {
	for _, test := range []struct {
		bits  int
		value any
		fits  bool
	}{
		{64, json.Number("9223372036854775807"), true},
		{64, json.Number("9223372036854775808"), false},
		{32, json.Number("2147483647"), true},
		{32, json.Number("-2147483648"), true},
		{32, json.Number("2147483648"), false},
		{32, json.Number("2147483648.0"), false},
		{64, "text", true},
		{64, nil, true},
	} {
		if err := intFormat(test.bits)(test.value); (err == nil) != test.fits {
			t.Errorf("int%d of %v: %v", test.bits, test.value, err)
		}
	}
}
