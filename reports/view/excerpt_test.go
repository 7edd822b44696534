package view_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/view"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 300)
	body := `[{"id":1,"name":"` + long + `"},{"id":2.5,"name":"b","a/b":{"~":1}},{"id":3,"name":"` + long + `"}]`
	for _, c := range []struct {
		name, body, pointer, text, at string
	}{
		{"short", `{"id":1}`, "/id", `{"id":1}`, ""},
		{"an item of a long list", body, "/1/id", `{"id":2.5,"name":"b","a/b":{"~":1}}`, "/1"},
		{"a key with a slash", `{"x":"` + long + `","a/b":{"~":1}}`, "/a~1b/~0", `{"~":1}`, "/a~1b"},
		{"a place that is not there", body, "/7/id", "", ""},
		{"a value that is long itself", body, "/0/name", "", "/0/name"},
		{"cut off after the place", body[:360], "/1/id", `{"id":2.5,"name":"b","a/b":{"~":1}}`, "/1"},
		{"cut off before the place", body[:330], "/1/id", "", ""},
		{"no JSON", "<html>" + long, "/1/id", "", ""},
		{"no pointer", body, "1", "", ""},
		{"into a number", `[5,"` + long + `"]`, "/0/x", "5", "/0"},
		{"a key for an index", body, "/x", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, at := view.Excerpt([]byte(c.body), c.pointer, 100)
			if at != c.at || c.text != "" && text != c.text {
				t.Errorf("%q at %q, want %q at %q", text, at, c.text, c.at)
			}
			if c.text == "" && !strings.Contains(text, "characters)") {
				t.Errorf("not shortened: %q", text)
			}
		})
	}
}

func TestPlacesOf(t *testing.T) {
	for _, c := range []struct {
		body, value, want string
	}{
		{`{"items":[{"id":7},{"id":70},{"id":"7"}],"next":7}`, "7", "/items/0/id /items/2/id /next"},
		{`{"a/b":{"~":"x"}}`, "x", "/a~1b/~0"},
		{`{"id":1e400}`, "1e400", "/id"},
		{`{"id":7}`, "", ""},
		{`{"id":7`, "7", ""},
		{`7`, "7", ""},
	} {
		if got := strings.Join(view.PlacesOf([]byte(c.body), c.value), " "); got != c.want {
			t.Errorf("%s in %s is at %q, not at %q", c.value, c.body, got, c.want)
		}
	}
}
