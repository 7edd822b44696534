package mutate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// notes is a service for notes that validates its input, and conforms.
type notes struct {
	mu   sync.Mutex
	all  map[string]map[string]any
	next int
}

func (s *notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := func(status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	id := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/v1/notes"), "/")
	if r.Header.Get("X-Key") != "right" {
		answer(401, map[string]any{})
		return
	}
	var sent map[string]any
	_ = json.NewDecoder(r.Body).Decode(&sent)
	text, _ := sent["text"].(string)
	switch known := s.all[id]; {
	case r.Method == "GET" && id == "":
		items := []any{}
		for n := 1; n <= s.next; n++ {
			if note := s.all[strconv.Itoa(n)]; note != nil {
				items = append(items, note)
			}
		}
		if limit, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
			items = items[:max(0, min(limit, len(items)))]
		}
		answer(200, map[string]any{"items": items})
	case r.Method == "POST" && (len(text) < 2 || len(text) > 20), r.Method == "PUT" && len(text) < 2:
		answer(400, map[string]any{})
	case r.Method == "POST":
		s.next++
		s.all[strconv.Itoa(s.next)] = map[string]any{"id": s.next, "text": text}
		answer(201, s.all[strconv.Itoa(s.next)])
	case known == nil:
		answer(404, map[string]any{})
	case r.Method == "PUT":
		s.all[id] = map[string]any{"id": known["id"], "text": text}
		answer(200, s.all[id])
	case r.Method == "DELETE":
		delete(s.all, id)
		w.WriteHeader(204)
	default:
		answer(200, known)
	}
}

// operation names the operations of the service.
func operation(method, path string) string {
	if path == "/notes" {
		return map[string]string{"GET": "list", "POST": "create"}[method]
	}
	return map[string]string{"GET": "read", "PUT": "replace", "DELETE": "remove"}[method]
}

var resource = &mutate.Resource{
	Creates: "create", Reads: "read", Replaces: "replace", Deletes: "remove", Lists: "list", Path: "/notes/{id}", ID: []string{"id"}, Member: "id",
	Items: []string{"items"}, ItemID: "id", Size: "limit", Most: "50",
}

// play sends requests, "POST /notes {…}" each, and returns the responses, and how many the mutation made wrong.
func play(t *testing.T, m mutate.Mutation, requests ...string) (responses []string, applied int) {
	t.Helper()
	m.Resource = resource
	middleware, err := m.Middleware()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&notes{all: map[string]map[string]any{}})
	defer server.Close()
	to, _ := url.Parse(server.URL)
	h := &mutate.Handler{
		Next: mutate.Forward(to, &http.Transport{}), Base: "/v1", Operation: operation, Middleware: []mutate.Middleware{middleware},
		Credentials: &mutate.Credentials{Places: map[string][]string{"read": {"header x-key"}, "list": {"header x-key"}, "create": {"header x-key"}}},
		Done: func(x *mutate.Exchange) {
			if x.Applied {
				applied++
			}
		},
	}
	client := http.Client{Transport: mutate.Transport{Handler: h}}
	for _, line := range requests {
		method, rest, _ := strings.Cut(line, " ")
		path, body, _ := strings.Cut(rest, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, "http://notes.test/v1"+strings.TrimSuffix(path, "!"), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "!") {
			r.Header.Set("X-Key", "right")
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		responses = append(responses, fmt.Sprintf("%d %s", resp.StatusCode, bytes.TrimSpace(text)))
	}
	return responses, applied
}

func TestFaultsInFrontOfAService(t *testing.T) {
	const create, read, list = `POST /notes {"text":"one"}`, "GET /notes/1", "GET /notes"
	for name, c := range map[string]struct {
		mutation mutate.Mutation
		requests []string
		last     string
		applied  int
	}{
		"status":                        {mutate.Mutation{Operation: "read", Status: 200, Do: mutate.ActStatus, To: 500}, []string{create, read}, `500 {"id":1,"text":"one"}`, 1},
		"null":                          {mutate.Mutation{Operation: "list", Status: 200, Do: mutate.ActSet, At: []string{"items", "*", "text"}, Value: "null"}, []string{create, list}, `200 {"items":[{"id":1,"text":null}]}`, 1},
		"last item only":                {mutate.Mutation{Operation: "list", Status: 200, Do: mutate.ActRetype, At: []string{"items", "-", "id"}}, []string{create, create, list}, `200 {"items":[{"id":1,"text":"one"},{"id":"2","text":"one"}]}`, 1},
		"renamed":                       {mutate.Mutation{Operation: "read", Class: 2, Do: mutate.ActRename, At: []string{"text"}, Name: "Text"}, []string{create, read}, `200 {"Text":"one","id":1}`, 1},
		"twice":                         {mutate.Mutation{Operation: "read", Status: 200, Do: mutate.ActTwice, At: []string{"text"}, Value: `"two"`}, []string{create, read}, `200 {"text":"two","id":1,"text":"one"}`, 1},
		"too short":                     {mutate.Mutation{Operation: "create", Do: mutate.ActLenient, Wrong: mutate.WrongShort, At: []string{"text"}, Low: "2", Value: `"good"`}, []string{`POST /notes {"text":"x"}`}, `201 {"id":1,"text":"good"}`, 1},
		"too long":                      {mutate.Mutation{Operation: "create", Do: mutate.ActLenient, Wrong: mutate.WrongLong, At: []string{"text"}, High: "3"}, []string{`POST /notes {"text":"a text of more than twenty signs"}`}, `201 {"id":1,"text":"a t"}`, 1},
		"another fault":                 {mutate.Mutation{Operation: "create", Do: mutate.ActLenient, Wrong: mutate.WrongLong, At: []string{"text"}, High: "20"}, []string{`POST /notes {"text":"x"}`}, `400 {}`, 0},
		"missing":                       {mutate.Mutation{Operation: "create", Do: mutate.ActLenient, Wrong: mutate.WrongMissing, At: []string{"text"}, Value: `"note {n}"`}, []string{`POST /notes {}`}, `201 {"id":1,"text":"note 1"}`, 1},
		"no credential":                 {mutate.Mutation{Operation: "read", Do: mutate.ActMissingCredential}, []string{create, read, "GET /notes/1!"}, `200 {"id":1,"text":"one"}`, 1},
		"lost":                          {mutate.Mutation{Operation: "create", Do: mutate.ActLost, Refusal: &mutate.Refusal{Status: 404, Body: `{}`}}, []string{create, read}, `404 {}`, 1},
		"same id":                       {mutate.Mutation{Operation: "create", Do: mutate.ActSameID}, []string{create, create}, `201 {"id":1,"text":"one"}`, 1},
		"other":                         {mutate.Mutation{Operation: "read", Do: mutate.ActOther}, []string{create, create, read, "GET /notes/2"}, `200 {"id":1,"text":"one"}`, 1},
		"lost update":                   {mutate.Mutation{Operation: "replace", Do: mutate.ActLostUpdate}, []string{create, `PUT /notes/1 {"text":"two"}`, read}, `200 {"id":1,"text":"one"}`, 1},
		"stale":                         {mutate.Mutation{Operation: "read", Do: mutate.ActStale}, []string{create, read, "DELETE /notes/1", read}, `200 {"id":1,"text":"one"}`, 1},
		"not deleted":                   {mutate.Mutation{Operation: "remove", Do: mutate.ActNotDeleted}, []string{create, "DELETE /notes/1", read}, `200 {"id":1,"text":"one"}`, 1},
		"still listed":                  {mutate.Mutation{Operation: "remove", Do: mutate.ActStillListed}, []string{create, "DELETE /notes/1", list}, `200 {"items":[{"id":1,"text":"one"}]}`, 1},
		"still listed, of a full page":  {mutate.Mutation{Operation: "remove", Do: mutate.ActStillListed}, []string{create, create, "DELETE /notes/1", "GET /notes?limit=1"}, `200 {"items":[{"id":2,"text":"one"}]}`, 0},
		"still listed, behind the last": {mutate.Mutation{Operation: "remove", Do: mutate.ActStillListed}, []string{create, create, create, "DELETE /notes/1", "DELETE /notes/2", "GET /notes?limit=2"}, `200 {"items":[{"id":3,"text":"one"},{"id":2,"text":"one"}]}`, 1},
		"still listed, filtered":        {mutate.Mutation{Operation: "remove", Do: mutate.ActStillListed}, []string{create, "DELETE /notes/1", "GET /notes?text=two"}, `200 {"items":[]}`, 0},
		"trace, of a full page":         {mutate.Mutation{Operation: "create", Do: mutate.ActTrace}, []string{create, `POST /notes {"text":"x"}`, "GET /notes?limit=1"}, `200 {"items":[{"id":1,"text":"one"}]}`, 0},
		"trace":                         {mutate.Mutation{Operation: "create", Do: mutate.ActTrace}, []string{create, `POST /notes {"text":"x"}`, list}, `200 {"items":[{"id":1,"text":"one"},{"id":900000001,"text":"x"}]}`, 1},
		"unlisted":                      {mutate.Mutation{Operation: "create", Do: mutate.ActUnlisted}, []string{create, create, list}, `200 {"items":[{"id":1,"text":"one"}]}`, 1},
		"limit ignored":                 {mutate.Mutation{Operation: "list", Do: mutate.ActIgnore, Name: "limit"}, []string{create, create, "GET /notes?limit=1"}, `200 {"items":[{"id":1,"text":"one"},{"id":2,"text":"one"}]}`, 1},
		"limit kept":                    {mutate.Mutation{Operation: "list", Do: mutate.ActIgnore, Name: "limit"}, []string{create, "GET /notes?limit=1"}, `200 {"items":[{"id":1,"text":"one"}]}`, 0},
		"fabricates":                    {mutate.Mutation{Operation: "read", Do: mutate.ActFabricates}, []string{create, read, "GET /notes/7"}, `200 {"id":1,"text":"one"}`, 1},
		"applies":                       {mutate.Mutation{Operation: "replace", Do: mutate.ActApplies}, []string{create, `PUT /notes/1 {"text":"x"}`, read}, `200 {"id":1,"text":"x"}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			responses, applied := play(t, c.mutation, c.requests...)
			if last := responses[len(responses)-1]; last != c.last || applied != c.applied {
				t.Errorf("%q, %d made wrong; want %q, %d", responses, applied, c.last, c.applied)
			}
		})
	}
}

// A change that breaks nothing is undone, and not counted.
func TestEquivalentChangesAreUndone(t *testing.T) {
	m, err := mutate.Mutation{Operation: "read", Status: 200, Do: mutate.ActDrop, At: []string{"text"}}.Middleware()
	if err != nil {
		t.Fatal(err)
	}
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"text":"one"}`) })
	var seen mutate.Exchange
	h := &mutate.Handler{
		Next: service, Operation: func(string, string) string { return "read" }, Middleware: []mutate.Middleware{m},
		Breaks: func(*mutate.Exchange, mutate.Response) bool { return false }, Done: func(x *mutate.Exchange) { seen = *x },
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/notes/1", http.NoBody))
	if w.Body.String() != `{"text":"one"}` || seen.Applied || !seen.Equivalent {
		t.Errorf("%s, applied %v, equivalent %v", w.Body, seen.Applied, seen.Equivalent)
	}
}

func TestFreedomsChangeNothingOfValue(t *testing.T) {
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"b":"Zoë 😀","a":[1.50,null]}`)
	})
	want := map[string]any{"b": "Zoë 😀", "a": []any{json.Number("1.50"), nil}}
	for _, f := range mutate.Freedoms() {
		t.Run(f.Name, func(t *testing.T) {
			w := httptest.NewRecorder()
			(&mutate.Handler{Next: service, Middleware: []mutate.Middleware{f.Middleware}}).ServeHTTP(w, httptest.NewRequest("GET", "/", http.NoBody))
			tree, ok := mutate.ReadJSON(w.Body.Bytes())
			object, _ := tree.(map[string]any)
			if !ok || w.Code != 200 || string(mutate.WriteJSON(object["a"])) != string(mutate.WriteJSON(want["a"])) || object["b"] != want["b"] {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// A member is written twice in an object, or in the first one of a list.
func TestMembersAreWrittenTwice(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{` [ {"id":1,"text":"one"},{"id":2}]`, `[ {"id":null,"id":1,"text":"one"},{"id":2}]`},
		{`[]`, `[]`}, {`[1]`, `[1]`}, {`[{"text":"one"}]`, `[{"text":"one"}]`}, {`{"id":1}`, `{"id":1}`},
	} {
		f, err := mutate.Mutation{Operation: "list", Status: 200, Do: mutate.ActTwice, At: []string{mutate.Each, "id"}, Value: "null"}.Middleware()
		if err != nil {
			t.Fatal(err)
		}
		service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, c.answer) })
		w := httptest.NewRecorder()
		(&mutate.Handler{Next: service, Operation: func(string, string) string { return "list" }, Middleware: []mutate.Middleware{f}}).
			ServeHTTP(w, httptest.NewRequest("GET", "/", http.NoBody))
		if got := w.Body.String(); got != c.want {
			t.Errorf("%s becomes %s", c.answer, got)
		}
	}
}

// What a proxy does with credentials, conditions, Locations and headers of parts, each in front of a service that answers as it is asked to.
func TestFaultsOfSingleRequests(t *testing.T) {
	const form = "--b\r\nContent-Disposition: form-data; name=file\r\nX-Sum: %s\r\n\r\ntext\r\n--b--\r\n"
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("ETag", `"1"`)
		switch {
		case r.Method == http.MethodPut && r.Header.Get("If-Match") == "":
			w.WriteHeader(http.StatusPreconditionRequired)
		case strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") && string(body) != fmt.Sprintf(form, "7"):
			w.WriteHeader(http.StatusBadRequest)
		case r.Method == http.MethodPost:
			w.Header().Set("Location", r.URL.Path+"/"+r.Header.Get("X-Name"))
			w.WriteHeader(http.StatusCreated)
		}
	})
	refusal := &mutate.Refusal{Status: 401}
	heed := mutate.Mutation{Do: mutate.ActHeedCredential, Operation: "GET /open", Name: "header x-key", Refusal: refusal}
	shun := mutate.Mutation{Do: mutate.ActShunCredential, Operation: "GET /shut", Name: "header x-key", Refusal: refusal}
	part := mutate.Mutation{Do: mutate.ActLenient, Operation: "POST /parts", Wrong: mutate.WrongPartHeader, In: "file", Name: "X-Sum", Value: `"7"`}
	location := mutate.Mutation{Do: mutate.ActOldLocation, Operation: "POST /all", Resource: &mutate.Resource{Creates: "POST /all", Path: "/all/{id}"}}
	for name, c := range map[string]struct {
		mutation mutate.Mutation
		requests []string // method, path, headers, and the body behind them
		want     string
	}{
		"a wrong credential":             {heed, []string{"GET /shut\nX-Key: right", "GET /open\nX-Key: other"}, "401"},
		"the right credential":           {heed, []string{"GET /shut\nX-Key: right", "GET /open\nX-Key: right"}, "200"},
		"no credential":                  {heed, []string{"GET /shut\nX-Key: right", "GET /open"}, "200"},
		"no credential is known":         {heed, []string{"GET /open\nX-Key: other"}, "200"},
		"a credential that is enough":    {shun, []string{"GET /shut\nX-Key: right"}, "401"},
		"another one":                    {shun, []string{"GET /shut\nX-Token: right"}, "200"},
		"no condition":                   {mutate.Mutation{Do: mutate.ActUnconditional, Operation: "PUT /one", Name: "If-Match"}, []string{"PUT /one"}, "200"},
		"the first Location":             {location, []string{"POST /all\nX-Name: a", "POST /all\nX-Name: b"}, "201 /all/a"},
		"a part with a wrong header":     {part, []string{"POST /parts\nContent-Type: multipart/form-data; boundary=b\n\n" + fmt.Sprintf(form, "x")}, "201 /parts/"},
		"a body that cannot be mended":   {part, []string{"POST /parts\nContent-Type: multipart/form-data; boundary=b\n\n--b\r\nX"}, "400"},
		"a body without a boundary":      {part, []string{"POST /parts\nContent-Type: multipart/form-data\n\n" + fmt.Sprintf(form, "x")}, "400"},
		"a part that is wrong otherwise": {part, []string{"POST /parts\nContent-Type: multipart/form-data; boundary=b\n\n" + strings.Replace(fmt.Sprintf(form, "7"), "text", "other", 1)}, "400"},
	} {
		t.Run(name, func(t *testing.T) {
			middleware, err := c.mutation.Middleware()
			if err != nil {
				t.Fatal(err)
			}
			h := &mutate.Handler{
				Next: service, Middleware: []mutate.Middleware{middleware}, Operation: func(method, path string) string { return method + " " + path },
				Credentials: &mutate.Credentials{Places: map[string][]string{"GET /shut": {"header x-key"}}},
			}
			got := ""
			for _, request := range c.requests {
				head, body, _ := strings.Cut(request, "\n\n")
				lines := strings.Split(head, "\n")
				method, path, _ := strings.Cut(lines[0], " ")
				r := httptest.NewRequest(method, path, strings.NewReader(body))
				for _, line := range lines[1:] {
					name, value, _ := strings.Cut(line, ": ")
					r.Header.Set(name, value)
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				got = strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Header().Get("Location")))
			}
			if got != c.want {
				t.Errorf("answered %q, want %q", got, c.want)
			}
		})
	}
}
