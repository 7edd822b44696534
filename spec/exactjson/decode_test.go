package exactjson

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

func TestDecodeJSONKeepsEverythingExactly(t *testing.T) {
	const text = ` {"a": [9007199254740993, -0, 1.0, 1E400, 0.10], "ü": "x\u0000\ud83d\ude00", "": null, "t": true, "f": false} `
	got, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": []any{json.Number("9007199254740993"), json.Number("-0"), json.Number("1.0"), json.Number("1E400"), json.Number("0.10")},
		"ü": "x\x00😀", "": nil, "t": true, "f": false,
	}
	if diff := cmp.Diff(want, got.Tree); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeJSONFollowsTheGrammar(t *testing.T) {
	tests := map[string]struct {
		text string
		// want is part of the error; empty for a valid text.
		want string
	}{
		"null":                        {"null", ""},
		"a scalar":                    {`"text"`, ""},
		"white space around":          {" \t\r\n[] \n", ""},
		"an escaped NUL":              {`"\u0000"`, ""},
		"a non-character":             {"\"\ufffe\"", ""},
		"half a surrogate pair":       {`"\ud800"`, ""},
		"a repeated name":             {`{"a":1,"a":2}`, ""},
		"a long number":               {strings.Repeat("9", 5000), ""},
		"a giant exponent":            {"1e10000000", ""},
		"an exponent beyond int64":    {"[1e99999999999999999999999, 1e-99999999999999999999999]", ""},
		"deep nesting":                {strings.Repeat("[", 5000) + strings.Repeat("]", 5000), ""},
		"nothing":                     {"", "ends too early"},
		"white space only":            {" \n", "ends too early"},
		"an open array":               {"[1", "ends too early"},
		"an open string":              {`"abc`, "ends too early"},
		"a comma too many":            {"[1,]", "byte 2"},
		"a comma too many in objects": {`{"a":1,}`, "byte 6"},
		"two values":                  {"{} {}", "text follows"},
		"text after":                  {"[] x", "text follows"},
		"NaN":                         {"NaN", "byte 0"},
		"NaN inside":                  {`{"a":NaN}`, "byte 5"},
		"Infinity":                    {"[-Infinity]", "byte 2"},
		"a leading zero":              {"01", "text follows the value, after byte 1"},
		"a plus sign":                 {"+1", "byte 0"},
		"no digit after the point":    {"1.", "ends too early"},
		"hexadecimal":                 {"0x10", "after byte 1"},
		"single quotes":               {"'a'", "byte 0"},
		"a raw control character":     {"\"a\nb\"", "byte 2"},
		"a bad escape":                {`"\x41"`, "byte 1"},
		"a comment":                   {"[] // done", "after byte 2"},
		"a byte order mark":           {"\ufeff[]", "byte order mark"},
		"invalid UTF-8":               {"\"a\xffb\"", "not UTF-8, at byte 2"},
		"an encoded surrogate":        {"\"\xed\xa0\x80\"", "not UTF-8, at byte 1"},
		"UTF-16":                      {"\xfe\xff\x00[\x00]", "not UTF-8, at byte 0"},
		"HTML":                        {"<html>", "byte 0"},
		"invalid text deep inside":    {strings.Repeat("[", 500) + "x", "byte 500"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Decode([]byte(test.text))
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && err == nil:
				t.Error("accepted")
			case test.want != "" && !strings.Contains(err.Error(), test.want):
				t.Errorf("error %q, want %q in it", err, test.want)
			}
			// The standard library reads the same grammar; it differs only in letting invalid UTF-8 pass.
			if std := json.Valid([]byte(test.text)); !strings.Contains(test.want, "UTF-8") && std != (err == nil) {
				t.Errorf("encoding/json thinks otherwise: valid is %v", std)
			}
		})
	}
}

// What nests deeper than the decoder reads may be valid; it must not be called invalid.
func TestDecodeJSONAdmitsItsLimit(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
		strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000),
	} {
		if _, err := Decode([]byte(text)); !errors.Is(err, ErrTooDeep) {
			t.Errorf("error is %v, want %v", err, ErrTooDeep)
		}
	}
}

func TestDecodeJSONNotesRepeatedNames(t *testing.T) {
	tests := map[string]struct {
		text string
		want string
	}{
		"other value":          {`[{"id":1,"id":2}]`, "/0/id"},
		"other type":           {`{"id":null,"id":2}`, "/id"},
		"same value":           {`{"id":1,"id":1}`, ""},
		"same number":          {`{"id":10,"id":1e1}`, ""},
		"same name by escapes": {`{"id":1,"\u0069d":2}`, "/id"},
		"in different objects": {`[{"id":1},{"id":2}]`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := Decode([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, r := range d.Repeats {
				got += jsonpointer.Join("", r.Path...)
			}
			if got != test.want {
				t.Errorf("repeats at %q, want %q", got, test.want)
			}
		})
	}
}

func TestIntegers(t *testing.T) {
	tests := []struct {
		literal   json.Number
		int64     bool
		canonical string // empty when it is no integer
	}{
		{"0", true, "0"},
		{"-0", true, "0"},
		{"0.0", true, "0"},
		{"0e99999999999999999999", true, "0"},
		{"-0.00e-7", true, "0"},
		{"1", true, "1"},
		{"1.0", true, "1"},
		{"1e0", true, "1"},
		{"1E+2", true, "100"},
		{"100e-2", true, "1"},
		{"1.50e1", true, "15"},
		{"9007199254740993", true, "9007199254740993"}, // 2^53+1: a float64 has no such number
		{"9007199254740993.0", true, "9007199254740993"},
		{"9223372036854775807", true, "9223372036854775807"},
		{"9223372036854775808", false, "9223372036854775808"}, // 2^63
		{"-9223372036854775808", true, "-9223372036854775808"},
		{"-9223372036854775809", false, "-9223372036854775809"},
		{"9223372036854775807.5", false, ""},
		{"9007199254740993.5", false, ""},
		{"922337203685477580.7e1", true, "9223372036854775807"},
		{"922337203685477580.8e1", false, "9223372036854775808"},
		{"1.5", false, ""},
		{"1e-1", false, ""},
		{"1e30", false, "1" + json.Number(strings.Repeat("0", 30)).String()},
		{"-1e19", false, "-10000000000000000000"},
		{"1e400", false, "1e400"},
		{"1e10000000", false, "1e10000000"},
		{"10e9999999", false, "1e10000000"},
		{"-12e99999999999999999999999", false, "-12e100000000000000000"},
		{"1e-10000000", false, ""},
		{json.Number("1." + strings.Repeat("0", 5000)), true, "1"},
		{json.Number("1." + strings.Repeat("0", 5000) + "1"), false, ""},
		{json.Number("1" + strings.Repeat("0", 5000) + "e-5000"), true, "1"},
		{json.Number("0." + strings.Repeat("0", 5000) + "7e5001"), true, "7"},
		// Texts that are no numbers.
		{"", false, ""}, {"-", false, ""}, {"01", false, ""}, {"+1", false, ""}, {"1.", false, ""}, {".5", false, ""},
		{"1e", false, ""}, {"0x1", false, ""}, {"1_0", false, ""}, {" 1", false, ""}, {"NaN", false, ""}, {"1e5x", false, ""},
	}
	for _, test := range tests {
		if got := IsInt64(test.literal); got != test.int64 {
			t.Errorf("IsInt64(%s) = %v", text.Literal(string(test.literal)), got)
		}
		got, ok := CanonicalInt(test.literal)
		if got != test.canonical || ok != (test.canonical != "") {
			t.Errorf("CanonicalInt(%s) = %q, %v, want %q", text.Literal(string(test.literal)), got, ok, test.canonical)
		}
	}
}

// Whatever a bound of a contract is, a number is on the same side of it as its clamped one.
func TestClampKeepsTheSide(t *testing.T) {
	long := strings.Repeat("123456789", 60)
	literals := []string{
		"0e5000", "-0e5000", "1e401", "-1e5000", "1e-401", "-1e-5000", "0." + strings.Repeat("0", 500) + "1",
		long, "-" + long, long + ".5", "1." + strings.Repeat("0", 450), "1." + strings.Repeat("0", 450) + "1",
		"0.5" + strings.Repeat("0", 1300) + "1", strings.Repeat("9", 3000), strings.Repeat("9", 3000) + ".1",
		"5" + strings.Repeat("0", 2000) + "e-2000", long + "e500", long + "e-5000",
	}
	bounds := []string{"0", "1", "-1", "0.5", "5", "9223372036854775807", "1e400", "-1e400", "1e-400", strings.Repeat("9", 400)}
	for _, literal := range literals {
		exact, ok := new(big.Rat).SetString(literal)
		if !ok {
			t.Fatalf("%s is no number", literal)
		}
		clamped, ok := new(big.Rat).SetString(string(clamp(json.Number(literal))))
		if !ok {
			t.Fatalf("the clamped form of %s is no number", text.Literal(literal))
		}
		if exact.IsInt() != clamped.IsInt() {
			t.Errorf("%s: an integer and a fraction are confused", text.Literal(literal))
		}
		for _, b := range bounds {
			bound, _ := new(big.Rat).SetString(b)
			if exact.Cmp(bound) != clamped.Cmp(bound) {
				t.Errorf("%s and its clamped form lie on different sides of %s", text.Literal(literal), text.Literal(b))
			}
		}
	}
}
