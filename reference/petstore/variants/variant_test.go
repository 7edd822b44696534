package variants_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
)

// TestVariantsServe builds every fault and every freedom and has a short conversation with it: none panics, none hangs,
// and none leaves anything behind (see TestMain).
func TestVariantsServe(t *testing.T) {
	all := map[string]variants.Variant{}
	for _, f := range variants.Faults() {
		all[f.Name] = f.Variant
	}
	for _, f := range variants.Freedoms() {
		all[f.Name] = f.Variant
	}
	for name, v := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := decorated(t, v)
			for _, c := range []struct{ method, path, body, credential string }{
				{http.MethodGet, "/pets", "", ""},
				{http.MethodPost, "/pets", `{"name": "Rex", "categoryId": 1}`, ""},
				{http.MethodPost, "/pets", `{"name": 1, "categoryId": 1.5, "status": null}`, ""},
				{http.MethodPost, "/pets", `{"name": "A`, ""},
				{http.MethodPost, "/pets", "", ""},
				{http.MethodPost, "/pets", "[]", "Bearer "},
				{http.MethodGet, "/pets?limit=3&status=sold", "", ""},
				{http.MethodGet, "/pets?limit=abc&status=lost", "", ""},
				{http.MethodGet, "/pets/1", "", ""},
				{http.MethodGet, "/pets/-9223372036854775808", "", "Basic eA=="},
				{http.MethodGet, "/pets/abc", "", ""},
				{http.MethodGet, "/nothing/here", "", ""},
			} {
				credential := c.credential
				if credential == "" {
					credential = "Bearer " + key
				}
				if got := s.call(c.method, c.path, c.body, "Authorization", credential); got.status < 200 || got.status > 599 {
					t.Errorf("%s %s is answered %d", c.method, c.path, got.status)
				}
			}
		})
	}
}

// TestVariantsBeginAnew expects a variant that is built twice to begin anew.
func TestVariantsBeginAnew(t *testing.T) {
	for _, f := range variants.Faults() {
		if f.Name != "id-of-client-updates" && f.Name != "auth-every-11th-creation" && f.Name != "list-frozen" {
			continue
		}
		var first []byte
		for range 2 {
			s := decorated(t, f.Variant)
			var all []byte
			for _, c := range [][2]string{{http.MethodGet, ""}, {http.MethodPost, `{"id": 1, "name": "Rex", "categoryId": 1}`}, {http.MethodGet, ""}} {
				all = append(all, s.call(c[0], "/pets", c[1]).body...)
			}
			if first == nil {
				first = all
			} else if !bytes.Equal(first, all) {
				t.Errorf("%s answered %s, then %s", f.Name, first, all)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	if _, err := variants.Build(petstore.Options{}, variants.Variant{}); err == nil {
		t.Error("a service without keys is built")
	}
	for _, f := range variants.Faults()[:1] {
		if _, err := variants.Build(petstore.Options{Keys: []string{key}, BasePath: "/v2"}, f.Variant); err == nil {
			t.Error("a service below no v1 is built")
		}
	}
}
