package scenario

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
	} {
		got, ok := NewMatcher(test.pattern).Match(test.text)
		if ok != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%s matches %q: %q, want %q", test.pattern, test.text, got, test.want)
		}
	}
}
