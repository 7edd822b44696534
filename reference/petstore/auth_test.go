package petstore_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func TestKeyIsNeeded(t *testing.T) {
	s := serve(t, nil)
	credentials := map[string]string{
		"none":                "",
		"only the scheme":     "Bearer",
		"an empty token":      "Bearer ",
		"another scheme":      "Basic " + key,
		"no scheme":           key,
		"scheme glued to key": "Bearer" + key,
		"a tab between":       "Bearer\t" + key,
		"a random key":        "Bearer " + petstore.NewKey(),
		"a proper prefix":     "Bearer " + key[:len(key)-1],
		"a proper suffix":     "Bearer " + key[1:],
		"something appended":  "Bearer " + key + "x",
		"lower case":          "Bearer " + strings.ToLower(key),
		"upper case":          "Bearer " + strings.ToUpper(key),
		"the same length":     "Bearer " + strings.Repeat("x", len(key)),
		"the key twice":       "Bearer " + key + " " + key,
		"quoted":              `Bearer "` + key + `"`,
		"a list of schemes":   "Basic x, Bearer " + key,
	}
	requests := []struct{ method, path, body string }{
		{http.MethodGet, "/pets", ""},
		{http.MethodGet, "/pets?limit=0", ""}, // before 400
		{http.MethodGet, "/pets?limit=%zz", ""},
		{http.MethodPost, "/pets", `{"name":"refused","categoryId":1}`},
		{http.MethodPost, "/pets", `{`},
		{http.MethodGet, "/pets/1", ""}, // before 404
		{http.MethodGet, "/pets/x", ""},
		{http.MethodGet, "/pets/a%2Fb", ""},
		{http.MethodDelete, "/pets", ""}, // before 405
		{http.MethodGet, "/store/orders", ""},
		{http.MethodGet, "", ""},
	}
	for name, value := range credentials {
		t.Run(name, func(t *testing.T) {
			for _, r := range requests {
				got := s.call(r.method, r.path, r.body, "Authorization", value)
				got.wantError(t, http.StatusUnauthorized)
				if challenge := got.header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge, "Bearer ") {
					t.Errorf("WWW-Authenticate is %q", challenge)
				}
			}
		})
	}
	if pets := s.call(http.MethodGet, "/pets", "").wantPets(t); len(pets) != 0 {
		t.Errorf("a refused request stored something: %v", pets)
	}
}

func TestCredentialsGivenTwice(t *testing.T) {
	s := serve(t, nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/pets", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header["Authorization"] = []string{"Bearer " + key, "Bearer " + key}
	s.send(request).wantError(t, http.StatusUnauthorized)
}

func TestKeyIsAccepted(t *testing.T) {
	s := serve(t, func(o *petstore.Options) { o.Keys = []string{"first", key, "third"} })
	for _, value := range []string{"Bearer " + key, "bearer " + key, "BEARER " + key, "Bearer   " + key, "Bearer first",
		"Bearer third"} {
		s.call(http.MethodGet, "/pets", "", "Authorization", value).wantPets(t)
	}
	s.call(http.MethodGet, "/pets", "", "Authorization", "Bearer second").wantError(t, http.StatusUnauthorized)
}

func TestKeyElsewhereDoesNotCount(t *testing.T) {
	s := serve(t, nil)
	s.call(http.MethodGet, "/pets?access_token="+key, "", "Authorization", "").wantError(t, http.StatusUnauthorized)
	s.call(http.MethodGet, "/pets", "", "Authorization", "", "X-Api-Key", key).wantError(t, http.StatusUnauthorized)
}

func TestOutsideTheBaseIsNothing(t *testing.T) {
	s := serve(t, nil)
	root := strings.TrimSuffix(s.url, "/v1")
	for _, path := range []string{"/", "/pets", "/v1x", "/v11/pets", "/v2/pets"} {
		outside := *s
		outside.url = root
		outside.call(http.MethodGet, path, "", "Authorization", "").wantError(t, http.StatusNotFound)
	}
}

func TestNewKey(t *testing.T) {
	seen := make(map[string]bool)
	for range 1000 {
		k := petstore.NewKey()
		if len(k) < 32 || strings.ToLower(k) == k || strings.ToUpper(k) == k || seen[k] || k[0] == '-' {
			t.Fatalf("key %q is short, of one case, a flag or not new", k)
		}
		if strings.Trim(k, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			t.Fatalf("key %q needs escaping in a URL", k)
		}
		seen[k] = true
	}
}
