package petstore_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func TestUnknownPaths(t *testing.T) {
	s := serve(t, nil)
	s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`).wantPet(t, http.StatusCreated)
	for _, path := range []string{"", "/", "/pets/", "/pets/1/", "/Pets", "//pets", "/pets//1", "/pets/1/x", "/pets/a%2Fb",
		"/store/orders", "/%00", "/pets/../nothing"} {
		t.Run(path, func(t *testing.T) {
			s.call(http.MethodGet, path, "").wantError(t, http.StatusNotFound)
		})
	}
}

func TestOtherMethods(t *testing.T) {
	s := serve(t, nil)
	cases := []struct {
		path  string
		allow []string
	}{
		{"/pets", []string{"GET", "POST"}},
		{"/pets/1", []string{"GET"}},
	}
	methods := []string{"HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "MADE-UP", "get"}
	for _, c := range cases {
		for _, method := range append(methods, "POST") {
			if slices.Contains(c.allow, method) {
				continue
			}
			t.Run(method+c.path, func(t *testing.T) {
				got := s.call(method, c.path, "")
				if method != "HEAD" { // whose response has no body
					got.wantError(t, http.StatusMethodNotAllowed)
				}
				if got.status != http.StatusMethodNotAllowed {
					t.Errorf("status %d", got.status)
				}
				allow := strings.Split(got.header.Get("Allow"), ", ")
				slices.Sort(allow)
				if !slices.Equal(allow, c.allow) {
					t.Errorf("Allow: %v, want %v", allow, c.allow)
				}
			})
		}
	}
}

// A percent escape of a plain character is the character (RFC 3986, section 2.3).
func TestEscapedPath(t *testing.T) {
	s := serve(t, nil)
	s.call(http.MethodPost, "/p%65ts", `{"name":"Rex","categoryId":1}`).wantPet(t, http.StatusCreated)
	s.call(http.MethodGet, "/pets/%31", "").wantPet(t, http.StatusOK)
}

func TestRemovalIsAnnounced(t *testing.T) {
	s := serve(t, nil)
	s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`).wantPet(t, http.StatusCreated)
	for _, c := range []struct {
		path, authorization string
		status              int
	}{
		{"/pets/1", "Bearer " + key, 200},
		{"/pets/2", "Bearer " + key, 404},
		{"/pets/x", "Bearer " + key, 400},
		{"/pets/1", "", 401},
	} {
		got := s.call(http.MethodGet, c.path, "", "Authorization", c.authorization)
		if got.status != c.status {
			t.Errorf("%s: status %d, want %d", c.path, got.status, c.status)
		}
		if d := got.header.Get("Deprecation"); d != "@1764892800" {
			t.Errorf("%d: Deprecation: %q", c.status, d)
		}
		if d := got.header.Get("Sunset"); d != "Thu, 05 Dec 2030 00:00:00 GMT" {
			t.Errorf("%d: Sunset: %q", c.status, d)
		}
	}
	for _, got := range []answer{s.call(http.MethodGet, "/pets", ""), s.call(http.MethodPost, "/pets", "")} {
		if got.header.Get("Deprecation") != "" || got.header.Get("Sunset") != "" {
			t.Errorf("an operation that stays is announced as deprecated: %v", got.header)
		}
	}
}

func TestBodyTooLarge(t *testing.T) {
	s := serve(t, nil)
	fits := `{"name":"Rex","categoryId":1}`
	fits += strings.Repeat(" ", petstore.MaxBody-len(fits))
	s.call(http.MethodPost, "/pets", fits).wantPet(t, http.StatusCreated)

	got := s.call(http.MethodPost, "/pets", fits+" ")
	got.wantError(t, http.StatusRequestEntityTooLarge)
	s.call(http.MethodPost, "/pets", fits+" ", "Authorization", "").wantError(t, http.StatusUnauthorized)
	if pets := s.call(http.MethodGet, "/pets", "").wantPets(t); len(pets) != 1 {
		t.Errorf("the store holds %v", pets)
	}
}
