package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// A value is written as encoding/json writes it without the escapes for HTML.
func TestJSON(t *testing.T) {
	for _, value := range []any{
		nil, true, false, "", "a <b> & c", "\"quoted\" \\ / \b\f\n\r\t\x00\x1f\x7f", "ä€😀\u2028\u2029\ufffd",
		json.Number("0"), json.Number("-0"), json.Number("1.50"), json.Number("1e400"), json.Number("-9223372036854775809"), json.Number("123456789012345678901234567890"),
		[]any{}, map[string]any{}, []any(nil), map[string]any(nil), []any{nil, []any{"x", map[string]any{"b": json.Number("1"), "a": "é", "\"": nil}}},
	} {
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		expected := value
		switch v := value.(type) { // nil ones are null to it
		case []any:
			if v == nil {
				expected = []any{}
			}
		case map[string]any:
			if v == nil {
				expected = map[string]any{}
			}
		}
		if err := encoder.Encode(expected); err != nil {
			t.Fatal(err)
		}
		if got, err := JSON(value); err != nil || string(got)+"\n" != want.String() {
			t.Errorf("%#v is written %s (%v), want %s", value, got, err, want.String())
		}
	}
}

// A value that JSON cannot express is an error that says so.
func TestJSONRefuses(t *testing.T) {
	for _, c := range []struct {
		value  any
		reason Reason
	}{
		{"\xff", Uncarriable}, {[]any{map[string]any{"a\xc0": true}}, Uncarriable}, {[]any{File{}}, Uncarriable},
		{map[string]any{"a": 1.5}, Unsupported}, {json.Number("01x"), Unsupported},
	} {
		text, err := JSON(c.value)
		var e *Error
		if !errors.As(err, &e) || e.Reason != c.reason {
			t.Errorf("%#v is written %s, with the error %v", c.value, text, err)
		}
	}
}
