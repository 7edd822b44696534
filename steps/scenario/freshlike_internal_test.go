package scenario

import (
	"regexp"
	"testing"
)

func TestFreshLike(t *testing.T) {
	t.Parallel()
	s := &Scenario{Caller: &Caller{}}
	s.Run = &Run{Options: Options{ID: "4f2a9c"}, marker: "hallmark-4f2a9c", resources: &resources{}}
	for example, want := range map[string]string{
		"example.com.":              `^hallmark-4f2a9c-\d+\.example\.com\.$`,
		"www.acme.org":              `^hallmark-4f2a9c-\d+\.example\.com$`,
		"jane@acme.com":             `^hallmark-4f2a9c-\d+@example\.com$`,
		"https://hooks.acme.com/in": `^https://example\.com/$`,
		"Native":                    `^Native$`,
		"+14155552671":              "",
		"(030) 123456":              "",
	} {
		like, ok := freshLike(s, example)
		if ok != (want != "") || ok && !regexp.MustCompile(want).MatchString(like) {
			t.Errorf("%s: %q, %t", example, like, ok)
		}
	}
}
