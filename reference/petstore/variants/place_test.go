package variants_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
)

// TestPlaces expects places to name freedoms that there are, and what hides whole scenarios to have none.
func TestPlaces(t *testing.T) {
	var alone []string
	placed := map[string]bool{}
	for _, f := range variants.Freedoms() {
		if placed[f.Name] = len(f.Places) > 0; !placed[f.Name] {
			alone = append(alone, f.Name)
		}
	}
	for _, name := range variants.Placed() {
		if !placed[name] {
			t.Errorf("there is no freedom %s", name)
		}
	}
	for _, name := range alone {
		if !slices.ContainsFunc([]string{"store-", "others-", "removed-", "ids-", "page-"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			t.Errorf("%s has no place", name)
		}
	}
}

func TestUnite(t *testing.T) {
	v, err := variants.Unite([]string{"json-html-escaped", "pets-with-more", "ids-negative", "order-by-name", "limit-422", "errors-own-codes"})
	if err != nil {
		t.Fatal(err)
	}
	s := decorated(t, v)
	for _, c := range []struct {
		method, path, body string
		status             int
		holds              []string
	}{
		{http.MethodPost, "/pets", `{"name": "<b>", "categoryId": 1}`, 201, []string{`\u003cb\u003e`, `"photoUrls"`, `"id":-1`}},
		{http.MethodPost, "/pets", `{"name": "a", "categoryId": 1}`, 201, []string{`"id":-2`}},
		{http.MethodGet, "/pets", "", 200, []string{`\u003cb\u003e`, `"name":"a"`}},
		{http.MethodGet, "/pets?limit=0", "", 422, []string{`"code":"PET-4220"`}},
	} {
		got := s.call(c.method, c.path, c.body, "Authorization", "Bearer "+key)
		for _, want := range c.holds {
			if got.status != c.status || !strings.Contains(got.body, want) {
				t.Errorf("%s %s is answered %d %s, want %d %s", c.method, c.path, got.status, got.body, c.status, want)
			}
		}
	}
	for _, wrong := range [][]string{{"nonesuch"}, {"ids-negative", "ids-sparse"}, {"ids-negative", "store-130"}} {
		if _, err := variants.Unite(wrong); err == nil {
			t.Errorf("%q make one service", wrong)
		}
	}
	if _, err := variants.Unite([]string{"store-130"}); err != nil {
		t.Error(err)
	}
}
