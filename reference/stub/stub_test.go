package stub_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const notes = `
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0}}
        - {name: colour, in: query, schema: {type: string}}
      responses:
        '200': {description: Notes, content: {application/json: {schema: {type: object, required: [items, total], properties: {items: {type: array, items: {$ref: '#/components/schemas/Note'}}, total: {type: integer}}}}}}
        '400': {description: Wrong, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '422': {description: Wrong, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: None, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
    patch:
      requestBody: {content: {application/merge-patch+json: {schema: {type: object, properties: {text: {type: string}, colour: {type: [string, 'null']}}}}}}
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: None}
    delete:
      security: [{key: []}]
      responses:
        '204': {description: Gone}
        '401': {description: Who}
        '404': {description: None}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: {id: {type: integer, readOnly: true}, text: {type: string, minLength: 1}, colour: {type: string}, secret: {type: string, writeOnly: true}}
    Problem: {type: object, required: [title, status], properties: {title: {type: string}, status: {type: integer}, detail: {type: string}}}
`

func contract(t testing.TB) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte(notes))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func service(t testing.TB, o stub.Options) *stub.Service {
	t.Helper()
	s, err := stub.New(contract(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// made returns the service of a document.
func made(t testing.TB, document string) *stub.Service {
	t.Helper()
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	s, err := stub.New(c, stub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask returns the response to a request, and its body where that is an object.
func ask(t testing.TB, s http.Handler, method, path, body string, headers ...string) (*httptest.ResponseRecorder, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var value map[string]any
	_ = json.Unmarshal(w.Body.Bytes(), &value) // a list, or nothing
	return w, value
}

func TestServiceRemembers(t *testing.T) {
	s := service(t, stub.Options{Secret: "s3cret-key"})
	for _, text := range []string{"one", "two", "three"} {
		w, made := ask(t, s, "POST", "/notes", `{"text":"`+text+`","colour":"red","id":5,"secret":"x"}`)
		if w.Code != 201 || made["text"] != text || made["secret"] != nil || w.Header().Get("Location") == "" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	w, page := ask(t, s, "GET", "/notes?limit=2&offset=2", "")
	items, _ := page["items"].([]any)
	if w.Code != 200 || len(items) != 1 || page["total"] != 3.0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w, _ = ask(t, s, "POST", "/notes", `{"text":"four","colour":"blue"}`)
	at := w.Header().Get("Location")
	if w, one := ask(t, s, "PATCH", at, `{"colour":null}`, "Content-Type", "application/merge-patch+json"); w.Code != 200 || one["colour"] != nil || one["text"] != "four" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w, page := ask(t, s, "GET", "/notes?colour=red", ""); page["total"] != 3.0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, step := range []struct {
		method, key string
		want        int
	}{{"GET", "", 200}, {"DELETE", "", 401}, {"DELETE", "wrong", 401}, {"DELETE", "s3cret-key", 204}, {"GET", "", 404}, {"DELETE", "s3cret-key", 404}} {
		if w, _ := ask(t, s, step.method, at, "", "X-Key", step.key); w.Code != step.want {
			t.Errorf("%s with %q: %d, want %d", step.method, step.key, w.Code, step.want)
		}
	}
}

func TestServiceRefuses(t *testing.T) {
	s := service(t, stub.Options{})
	for _, c := range []struct {
		method, path, body, media string
		want                      int
	}{
		{"GET", "/notes?limit=0", "", "", 400},
		{"GET", "/notes?limit=x", "", "", 400},
		{"POST", "/notes", `{"text":""}`, "", 422},
		{"POST", "/notes", `{"text":1}`, "", 422},
		{"POST", "/notes", `{`, "", 422},
		{"POST", "/notes", "", "", 422},
		{"POST", "/notes", `text`, "text/plain", 422},
		{"GET", "/notes/7", "", "", 404},
		{"GET", "/notes/x", "", "", 404},
		{"GET", "/nothing", "", "", 404},
		{"PUT", "/notes", `{}`, "", 405},
	} {
		headers := []string{}
		if c.media != "" {
			headers = []string{"Content-Type", c.media}
		}
		w, body := ask(t, s, c.method, c.path, c.body, headers...)
		if w.Code != c.want {
			t.Errorf("%s %s %s: %d, want %d", c.method, c.path, c.body, w.Code, c.want)
		}
		if status, ok := body["status"].(float64); ok && int(status) != w.Code {
			t.Errorf("%s %s: the body says %v, the status is %d", c.method, c.path, status, w.Code)
		}
		if c.want == 405 && w.Header().Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("Allow: %s", w.Header().Get("Allow"))
		}
	}
}

func TestSameSeedMakesSameService(t *testing.T) {
	var before string
	for range 2 {
		w, _ := ask(t, service(t, stub.Options{Seed: 3}), "POST", "/notes", `{"text":"one"}`)
		if before != "" && w.Body.String() != before {
			t.Errorf("%s, then %s", before, w.Body)
		}
		before = w.Body.String()
	}
}

func TestFileKeepsResources(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notes.db")
	at := ""
	for range 2 {
		f, err := stub.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		s := service(t, stub.Options{Store: f, Secret: "k"})
		if at != "" {
			if w, one := ask(t, s, "GET", at, ""); w.Code != 200 || one["text"] != "kept" {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if w, _ := ask(t, s, "POST", "/notes", `{"text":"other"}`); w.Header().Get("Location") == at {
				t.Error("an identifier was given twice")
			}
			if w, _ := ask(t, s, "DELETE", at, "", "X-Key", "k"); w.Code != 204 {
				t.Error(w.Code)
			}
		} else {
			w, _ := ask(t, s, "POST", "/notes", `{"text":"kept"}`)
			at = w.Header().Get("Location")
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBasePath(t *testing.T) {
	s := service(t, stub.Options{BasePath: "/v1/"})
	if w, _ := ask(t, s, "POST", "/v1/notes", `{"text":"one"}`); w.Code != 201 || !strings.HasPrefix(w.Header().Get("Location"), "/v1/notes/") {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
	if w, _ := ask(t, s, "GET", "/notes", ""); w.Code != 404 {
		t.Error(w.Code)
	}
	if _, err := stub.New(contract(t), stub.Options{BasePath: "v1"}); err == nil {
		t.Error("a base path without a slash is taken")
	}
}

// If only another resource shows the values, in an object with the parameter's name, only those exist.
func TestOnlyWhatIsShownIsThere(t *testing.T) {
	s := made(t, `
openapi: 3.1.0
info: {title: Pushes, version: "1"}
paths:
  /pushes:
    get:
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: {type: object, required: [id, repo],
          properties: {id: {type: integer}, repo: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}}
  /networks/{repo}/pushes:
    get:
      parameters: [{name: repo, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        '404': {description: None}
`)
	w, _ := ask(t, s, "GET", "/pushes", "")
	var pushes []struct{ Repo struct{ ID int } }
	if err := json.Unmarshal(w.Body.Bytes(), &pushes); err != nil || len(pushes) == 0 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	for path, want := range map[string]int{fmt.Sprintf("/networks/%d/pushes", pushes[0].Repo.ID): 200, "/networks/none-of-these/pushes": 404} {
		if w, _ := ask(t, s, "GET", path, ""); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// A list shows nothing twice, even if its seeded items are already below another path.
func TestKindsBelowTwoPathsAreBornOnce(t *testing.T) {
	s := made(t, `
openapi: 3.1.0
info: {title: Works, version: "1"}
paths:
  /classes/{class}/students/{user}/works:
    get: {parameters: [{name: class, in: path, required: true, schema: {type: string}}, {name: user, in: path, required: true, schema: {type: string}}], responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Work'}}}}}}}
  /classes/{class}/tasks/{task}/works:
    get: {parameters: [{name: class, in: path, required: true, schema: {type: string}}, {name: task, in: path, required: true, schema: {type: string}}], responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Work'}}}}}}}
  /classes/{class}/tasks/{task}/works/{work}:
    get: {parameters: [{name: class, in: path, required: true, schema: {type: string}}, {name: task, in: path, required: true, schema: {type: string}}, {name: work, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Work'}}}}}}
components: {schemas: {Work: {type: object, required: [id, task], properties: {id: {type: string}, task: {type: string}}}}}
`)
	for _, path := range []string{"/classes/a/students/u/works", "/classes/a/tasks/t/works", "/classes/a/students/u/works"} {
		w, _ := ask(t, s, "GET", path, "")
		var works []struct{ ID string }
		if err := json.Unmarshal(w.Body.Bytes(), &works); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		seen := map[string]bool{}
		for _, one := range works {
			if seen[one.ID] {
				t.Errorf("%s shows %s twice", path, one.ID)
			}
			seen[one.ID] = true
		}
	}
}

// BenchmarkService reads, creates and lists by turns.
func BenchmarkService(b *testing.B) {
	s := service(b, stub.Options{})
	w, _ := ask(b, s, "POST", "/notes", `{"text":"one"}`)
	at := w.Header().Get("Location")
	for i := 0; b.Loop(); i++ {
		switch i % 4 {
		case 0:
			if i < 4000 {
				ask(b, s, "POST", "/notes", `{"text":"another","colour":"red"}`)
				continue
			}
			ask(b, s, "POST", "/notes", `{"text":""}`)
		case 1:
			ask(b, s, "GET", "/notes?limit=10", "")
		default:
			ask(b, s, "GET", at, "")
		}
	}
}

// Each freedom shows in the responses, or in their timing.
func TestFreedomsShow(t *testing.T) {
	seen := func(names ...string) string {
		s := service(t, stub.Options{Freedoms: names, Secret: "k"})
		var b strings.Builder
		tell := func(w *httptest.ResponseRecorder) {
			at := w.Header().Get("Location")
			if names != nil && at != "" && strings.HasPrefix(at, "http") {
				w.Header().Set("Location", "absolute")
			}
			fmt.Fprintln(&b, w.Code, w.Flushed, w.Header(), w.Body)
		}
		for i, text := range []string{"one", "zwei é", "three", "four", "five", "six"} {
			w, made := ask(t, s, "POST", "/notes", `{"text":"`+text+`","colour":"`+[]string{"red", "RED"}[i%2]+`"}`)
			tell(w)
			if i == 0 {
				path := fmt.Sprintf("/notes/%v", made["id"])
				for _, method := range []string{"GET", "HEAD", "DELETE", "DELETE", "GET"} {
					w, _ := ask(t, s, method, path, "", "X-Key", "k")
					tell(w)
				}
			}
		}
		for _, path := range []string{"/notes?limit=100", "/notes", "/notes?colour=red", "/notes?unknown=1"} {
			w, _ := ask(t, s, "GET", path, "")
			tell(w)
		}
		for _, body := range []string{`{"text":"x","unknown":1}`, `{`} {
			w, _ := ask(t, s, "POST", "/notes", body)
			tell(w)
		}
		return b.String()
	}
	plain := seen()
	// Freedoms that the document of this test leaves no room for.
	idle := []string{"slow", "ids-uuid", "ids-digits", "no-content", "content", "existence-first", "other-refusal", "lax", "gone", "totals-left-out", "nulls"}
	for _, f := range stub.Freedoms() {
		if changed := seen(f.Name) != plain; !changed && !slices.Contains(idle, f.Name) {
			t.Errorf("%s shows nowhere", f.Name)
		}
	}
	if _, err := stub.New(contract(t), stub.Options{Freedoms: []string{"none such"}}); err == nil || !strings.Contains(err.Error(), "newest-first") {
		t.Errorf("an unknown freedom: %v", err)
	}
}
