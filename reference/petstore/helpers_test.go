package petstore_test

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

const key = "Pets-Key_1234567890.abcXYZ"

// server is a service on a port of its own, and a client of it.
type server struct {
	t    *testing.T
	url  string // with the base path
	http *http.Client
}

// serve starts a service on a memory store; change may alter its options.
func serve(t *testing.T, change func(*petstore.Options)) *server {
	t.Helper()
	options := petstore.Options{Keys: []string{key}}
	if change != nil {
		change(&options)
	}
	service, err := petstore.New(options)
	if err != nil {
		t.Fatal(err)
	}
	base := options.BasePath
	if base == "" {
		base = petstore.DefaultBasePath
	}
	s := httptest.NewServer(service.Handler())
	t.Cleanup(s.Close)
	return &server{t: t, url: s.URL + base, http: s.Client()}
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
	return s.send(request)
}

func (s *server) send(request *http.Request) answer {
	s.t.Helper()
	response, err := s.http.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

// pet is an animal as it stands on the wire, with its numbers as text.
type pet struct {
	ID         json.Number `json:"id"`
	Name       *string     `json:"name"`
	CategoryID json.Number `json:"categoryId"`
	Status     *string     `json:"status"`
}

// decode reads a JSON answer strictly into v.
func (a answer) decode(t *testing.T, status int, v any) {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d; body: %.300s", a.status, status, a.body)
	}
	if kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type")); err != nil || kind != "application/json" {
		t.Fatalf("Content-Type %q", a.header.Get("Content-Type"))
	}
	d := json.NewDecoder(strings.NewReader(a.body))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("body %.300s: %v", a.body, err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("the body goes on after its value: %.300s", a.body)
	}
}

// wantError checks that the response has the status and an Error body that repeats it.
func (a answer) wantError(t *testing.T, status int) {
	t.Helper()
	var body struct {
		Code    *string      `json:"code"`
		Message *string      `json:"message"`
		Status  *json.Number `json:"status"`
	}
	a.decode(t, status, &body)
	if body.Code == nil || *body.Code == "" || body.Message == nil || *body.Message == "" {
		t.Errorf("code or message is missing: %s", a.body)
	}
	if body.Status == nil || body.Status.String() != strconv.Itoa(status) {
		t.Errorf("status in the body is not %d: %s", status, a.body)
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
	a.decode(t, http.StatusOK, &pets)
	if pets == nil {
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
	if p.Name == nil || p.Status == nil || !petstore.Status(*p.Status).Valid() {
		t.Fatalf("name or status is missing or wrong: %+v", p)
	}
}
