package matcher

import (
	"slices"
	"testing"
)

func TestMatcherMatchesWholeTexts(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          []string // nil for no match
	}{
		{`it is found`, `it is found`, []string{}},
		{`it is found`, `it is found again`, nil},
		{`it is found`, `then it is found`, nil},
		{`it is read (\d+) times`, `it is read 3 times`, []string{"3"}},
		{`it is read (\d+) times`, `it is sent 3 times`, nil},
		{`(\w+) is called`, `listPets is called`, []string{"listPets"}},
		{`the items? (.+)`, `the item x`, []string{"x"}},
		{`ab*c`, `ac`, []string{}},
		{`a{0,1}b`, `b`, []string{}},
		{`a\.b`, `a.b`, []string{}},
		{`(\w+) reads it`, `getPet reads it`, []string{"getPet"}},
		{`(\w+) reads it`, `getPet reads it once more`, nil},
		{`(a|b) is \d`, `b is 4`, []string{"b"}},
		{`it is (\d+)\w`, `it is 4x`, []string{"4"}},
	} {
		got, ok := New(test.pattern).Match(test.text)
		if ok != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%s matches %q: %q, want %q", test.pattern, test.text, got, test.want)
		}
	}
}
