package hallmark

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// answering is a handler that gives one response.
func answering(status int, contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func TestWatch(t *testing.T) {
	const form = "application/json"
	for name, c := range map[string]struct {
		handler      http.Handler
		method, path string
		says         string
		broken       bool
	}{
		"as documented":       {answering(200, form, `[]`), "GET", "/v2/notes", "1 of 3 operations succeeded; never: addNote, getNote\n", false},
		"without the prefix":  {answering(200, form, `[]`), "GET", "/notes", "1 of 3 operations succeeded", false},
		"a wrong body":        {answering(200, form, `[{"id": "1", "text": "x"}]`), "GET", "/v2/notes", "FAIL  listNotes.body", true},
		"a wrong type":        {answering(200, "text/html", `<p>`), "GET", "/v2/notes", "FAIL  listNotes.media-type", true},
		"a sniffed type":      {answering(200, "", `{}`), "GET", "/v2/notes", "FAIL  listNotes.media-type", true},
		"another success":     {answering(202, form, `[]`), "GET", "/v2/notes", "FAIL  listNotes.success", true},
		"an error on purpose": {answering(500, "text/plain", "no database"), "GET", "/v2/notes", "0 of 3 operations succeeded", false},
		"another operation":   {answering(200, "text/html", "x"), "GET", "/health", "1 response of no operation of the document", false},
		"compressed": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", form)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `[]`)
			_ = z.Close()
		}), "GET", "/v2/notes", "1 of 3 operations succeeded", false},
		"wrong and compressed": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", form)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{}`)
			_ = z.Close()
		}), "GET", "/v2/notes", "FAIL  listNotes.body", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := Watch("testdata/notes.yaml")
			got := httptest.NewRecorder()
			w.Handler(c.handler).ServeHTTP(got, httptest.NewRequest(c.method, c.path, nil))
			want := httptest.NewRecorder()
			c.handler.ServeHTTP(want, httptest.NewRequest(c.method, c.path, nil))
			if got.Code != want.Code || got.Body.String() != want.Body.String() || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
				t.Errorf("the response is %d %v %q, want %d %v %q", got.Code, got.Header(), got.Body, want.Code, want.Header(), want.Body)
			}
			says, ok := w.result(Coverage{}, false)
			if ok == c.broken || !strings.Contains(says, c.says) {
				t.Errorf("it says, %t:\n%s", ok, says)
			}
		})
	}
}

// What a client receives is judged when it has been read.
func TestWatchClients(t *testing.T) {
	server := httptest.NewServer(answering(200, "application/json", `[{"text": "x"}]`))
	defer server.Close()
	w := Watch("testdata/notes.yaml")
	client := &http.Client{Transport: w.Transport(nil)}
	answer, err := client.Get(server.URL + "/v2/notes")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != `[{"text": "x"}]` {
		t.Errorf("read %q, %v", body, err)
	}
	_ = answer.Body.Close()
	if says, ok := w.result(Coverage{}, false); ok || !strings.Contains(says, "listNotes.body") {
		t.Errorf("it says:\n%s", says)
	}
}

// What clients send as a secret is in no text, also where a service repeats it.
func TestWatchTellsNoSecret(t *testing.T) {
	const secret = "a-very-secret-token"
	w := Watch("testdata/notes.yaml")
	r := httptest.NewRequest(http.MethodGet, "/v2/notes", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+secret)
	w.Handler(answering(200, "application/json", `[{"id": "`+secret+`"}]`)).ServeHTTP(httptest.NewRecorder(), r)
	if says, ok := w.result(Coverage{}, false); ok || strings.Contains(says, secret) || !strings.Contains(says, "(secret)") {
		t.Errorf("it says:\n%s", says)
	}
}

// A handler may change the request, and a client need not read what has no body.
func TestWatchSeesWhatWasAsked(t *testing.T) {
	w := Watch("testdata/notes.yaml")
	changing := http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		r.URL.Path, r.Method = "/elsewhere", http.MethodDelete
		answering(200, "application/json", `[]`).ServeHTTP(to, r)
	})
	w.Handler(changing).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v2/notes", http.NoBody))
	server := httptest.NewServer(answering(http.StatusNoContent, "", ""))
	defer server.Close()
	answer, err := (&http.Client{Transport: w.Transport(nil)}).Get(server.URL + "/v2/notes/1")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if says, ok := w.result(Coverage{}, false); ok || !strings.Contains(says, "getNote.success") || !strings.Contains(says, "2 responses judged") {
		t.Errorf("it says:\n%s", says)
	}
}

func TestWatchCoverage(t *testing.T) {
	w := Watch("testdata/notes.yaml")
	w.Handler(answering(200, "application/json", `[]`)).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/notes", nil))
	if says, ok := w.result(Coverage{Operations: 33}, false); !ok {
		t.Error(says)
	}
	if says, ok := w.result(Coverage{Operations: 34}, false); ok || !strings.Contains(says, "33.3 % of the operations succeeded, and hallmark.Coverage requires 34 %") {
		t.Error(says)
	}
	for name, c := range map[string]Coverage{
		"statuses": {Statuses: 90}, "media types": {MediaTypes: 90}, "parameters": {Parameters: 90}, "keywords and branches of schemas": {Schemas: 90},
	} {
		if says, ok := w.result(c, false); ok || !strings.Contains(says, " % of the "+name+" were judged, and hallmark.Coverage requires 90 %") {
			t.Errorf("it says, %t:\n%s", ok, says)
		}
	}
	if says, ok := w.result(Coverage{Statuses: 10, Schemas: 1}, false); !ok {
		t.Errorf("it says:\n%s", says)
	}
	if says, ok := w.result(Coverage{Operations: 100}, true); !ok {
		t.Errorf("-run selects tests: %s", says)
	}
	if says, ok := Watch("testdata/none.yaml").result(Coverage{}, false); ok || !strings.Contains(says, "none.yaml") {
		t.Error(says)
	}
}

// A handler may flush, and take the connection.
func TestWatchKeepsWhatWritersCan(t *testing.T) {
	w := Watch("testdata/notes.yaml")
	server := httptest.NewServer(w.Handler(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/taken" {
			conn, _, err := to.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
			_ = conn.Close()
			return
		}
		_, _ = io.WriteString(to, "a")
		to.(http.Flusher).Flush()
		_, _ = io.WriteString(to, "b")
	})))
	defer server.Close()
	for path, want := range map[string]string{"/taken": "ok", "/flushed": "ab"} {
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(answer.Body); err != nil || string(body) != want {
			t.Errorf("%s: read %q, %v", path, body, err)
		}
		_ = answer.Body.Close()
	}
}
