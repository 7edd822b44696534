package variants_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "Pets-Key_1234567890.abcXYZ"

// server is a variant on a port of its own, and a client of it.
type server struct {
	t    *testing.T
	url  string // with the base path
	http *http.Client
}

// decorated starts a service with a variant.
func decorated(t *testing.T, v variants.Variant) *server {
	t.Helper()
	d, err := variants.Build(petstore.Options{Keys: []string{key}}, v)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(d.Handler)
	t.Cleanup(func() { s.Close(); d.Close() })
	return &server{t: t, url: s.URL + d.BasePath, http: s.Client()}
}

type answer struct {
	status int
	header http.Header
	body   string
}

// call sends a request with the key; headers, given as name and value in turn, replace or (when empty) drop others.
func (s *server) call(method, path, body string, headers ...string) answer {
	s.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(context.Background(), method, s.url+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Del(headers[i])
		if headers[i+1] != "" {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := s.http.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// pet is an animal as it stands on the wire, with its numbers as text.
type pet struct {
	ID         json.Number `json:"id"`
	Name       string      `json:"name"`
	CategoryID json.Number `json:"categoryId"`
	Status     string      `json:"status"`
}

func (a answer) decode(t *testing.T, status int, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(a.body))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(v); err != nil || a.status != status || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("want JSON with status %d, have %d %s %.300s: %v", status, a.status, a.header.Get("Content-Type"), a.body, err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("the body goes on after its value: %.300s", a.body)
	}
}

// wantError checks that the response has the status and an Error body that repeats it.
func (a answer) wantError(t *testing.T, status int) {
	t.Helper()
	var body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Status  int    `json:"status"`
	}
	if a.decode(t, status, &body); body.Code == "" || body.Message == "" || body.Status != status {
		t.Errorf("the Error is not whole: %s", a.body)
	}
}

// wantPet checks that the response is a whole animal and returns it.
func (a answer) wantPet(t *testing.T, status int) pet {
	t.Helper()
	var p pet
	a.decode(t, status, &p)
	p.check(t)
	return p
}

func (a answer) wantPets(t *testing.T) []pet {
	t.Helper()
	var pets []pet
	if a.decode(t, http.StatusOK, &pets); pets == nil {
		t.Fatalf("not an array: %s", a.body)
	}
	for _, p := range pets {
		p.check(t)
	}
	return pets
}

func (p pet) check(t *testing.T) {
	t.Helper()
	for _, number := range []json.Number{p.ID, p.CategoryID} {
		if _, err := number.Int64(); err != nil {
			t.Fatalf("%q is not an int64", number)
		}
	}
	if p.Name == "" || !petstore.Status(p.Status).Valid() {
		t.Fatalf("name or status is missing or wrong: %+v", p)
	}
}
