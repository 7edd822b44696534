package petstore_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func TestUnusableOptions(t *testing.T) {
	keys := []string{key}
	cases := map[string]petstore.Options{
		"no keys":            {},
		"an empty key":       {Keys: []string{key, ""}},
		"a key with a space": {Keys: []string{"SECRET half"}},
		"a key beyond ASCII": {Keys: []string{"SECRETß"}},
		"a relative path":    {Keys: keys, BasePath: "v1"},
		"another version":    {Keys: keys, BasePath: "/v2"},
		"the last not v1":    {Keys: keys, BasePath: "/v1/a"},
		"a trailing slash":   {Keys: keys, BasePath: "/v1/"},
		"an empty segment":   {Keys: keys, BasePath: "/a//v1"},
		"dots":               {Keys: keys, BasePath: "/../v1"},
		"a wildcard":         {Keys: keys, BasePath: "/:a/v1"},
		"another wildcard":   {Keys: keys, BasePath: "/*a/v1"},
		"an escape":          {Keys: keys, BasePath: "/%61/v1"},
	}
	for name, options := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := petstore.New(options)
			if err == nil {
				t.Fatal("accepted")
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error holds a key: %v", err)
			}
		})
	}
}

func TestBasePath(t *testing.T) {
	for _, base := range []string{"/v1", "/a/b/v1", "/v1/v1", "/a-b.c_d~/v1"} {
		t.Run(base, func(t *testing.T) {
			s := serve(t, func(o *petstore.Options) { o.BasePath = base })
			created := s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`)
			p := created.wantPet(t, http.StatusCreated)
			if got, want := created.header.Get("Location"), base+"/pets/"+p.ID.String(); got != want {
				t.Errorf("Location %q, want %q", got, want)
			}
			s.call(http.MethodGet, "/pets/"+p.ID.String(), "").wantPet(t, http.StatusOK)
			if got := s.call(http.MethodGet, "/pets", "").wantPets(t); len(got) != 1 {
				t.Errorf("the list holds %v", got)
			}
		})
	}
}
