package mutate_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// acts returns all operators of faults: the constants of type Act that the package declares.
func acts(tb testing.TB) []mutate.Act {
	tb.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		tb.Fatal(err)
	}
	var all []mutate.Act
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			tb.Fatal(err)
		}
		for node := range ast.Preorder(file) {
			value, ok := node.(*ast.ValueSpec)
			if !ok {
				continue
			}
			if kind, ok := value.Type.(*ast.Ident); !ok || kind.Name != "Act" || len(value.Values) != 1 {
				continue
			}
			text, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				tb.Fatal(err)
			}
			all = append(all, mutate.Act(text))
		}
	}
	return all
}

// faulty returns a handler for each operator of faults, with several settings, and for each freedom, each in front
// of a service of its own.
func faulty(tb testing.TB, acts []mutate.Act) map[string]http.Handler {
	tb.Helper()
	all := map[string]http.Handler{}
	front := func(name string, m mutate.Middleware) {
		all[name] = &mutate.Handler{
			Next: odd(), Base: "/v1", Key: "right", Operation: operation, Middleware: []mutate.Middleware{m},
			Credentials: &mutate.Credentials{Places: map[string][]string{"read": {"header x-key"}, "list": {"query key"}, "create": {"cookie session"}}},
		}
	}
	refusal := &mutate.Refusal{Status: 404, Body: "{}"}
	for _, do := range acts {
		before := len(all)
		for i, m := range []mutate.Mutation{
			{Operation: "list", Class: 2, At: []string{"items", mutate.Each, "text"}, Name: "limit", To: 500, Value: `"x"`, High: "3", Low: "1"},
			{Operation: "list", At: []string{"items"}, Name: "page", Value: "[]", High: "-1", Low: "-1", Wrong: mutate.WrongMany, Media: "application/json", To: 400},
			{Operation: "read", Class: 2, At: []string{"text"}, Name: "id", To: 400, Value: `"x"`, Type: "string"},
			{Operation: "replace", At: []string{"text"}, Name: "If-Match", To: 400, Value: `"x"`, High: "-3", Wrong: mutate.WrongLong, Type: "string", In: "header"},
			{Operation: "create", At: []string{mutate.LastItem, "text"}, Value: "null", Low: "1e999999999", High: "1/0", Wrong: mutate.WrongLow, Allowed: []string{"{"}},
			{Operation: "remove", At: []string{"id"}, Name: "limit", Value: `"x"`, Wrong: mutate.WrongParameter},
		} {
			m.Do, m.Refusal, m.To = do, refusal, cmp.Or(m.To, 409)
			r := *resource
			r.Position = "page"
			m.Resource = &r
			if middleware, err := m.Middleware(); err == nil {
				front(fmt.Sprint(do, " ", i), middleware)
			}
		}
		if len(all) == before {
			tb.Errorf("no setting here is one of the operator %s", do)
		}
	}
	for _, f := range mutate.Freedoms() {
		if !strings.Contains(f.Name, "slow") {
			front("freedom "+f.Name, f.Middleware)
		}
	}
	return all
}

// odd is a service that answers some requests as no service should, and all others properly.
func odd() http.Handler {
	conforming := &notes{all: map[string]map[string]any{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Type", "application/json")
		switch r.Header.Get("X-Answer") {
		case "scalars":
			_, _ = io.WriteString(w, `{"items":[1,"two",null,[3]],"id":[],"text":{}}`)
		case "scalar":
			_, _ = io.WriteString(w, `7`)
		case "list":
			_, _ = io.WriteString(w, `[]`)
		case "none":
			w.WriteHeader(http.StatusNoContent)
		case "huge":
			_, _ = io.WriteString(w, `{"id":1e999999999,"text":"`+strings.Repeat("é", 4000)+`","items":[{"id":-1e400,"text":null}]}`)
		case "status":
			w.WriteHeader(999)
		default:
			r.Header.Set("X-Key", "right")
			conforming.ServeHTTP(w, r)
		}
	})
}

// hostileRequest makes a request of texts from outside. It may be one that no client would send.
func hostileRequest(method, target, body, header string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
	r.Method = method
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery, r.RequestURI = path, query, target
	for line := range strings.SplitSeq(header, "\n") {
		name, value, _ := strings.Cut(line, ":")
		r.Header.Add(name, value)
	}
	return r
}

// answered sends a request through a proxy, and fails if it panicked.
func answered(t *testing.T, name string, h http.Handler, r *http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	mutate.Gateway(h).ServeHTTP(w, r)
	if w.Header().Get("Proxy-Status") != "" {
		t.Errorf("%s: %s %s: %d %s", name, r.Method, r.RequestURI, w.Code, w.Body)
	}
}

// No request makes a proxy panic, whatever is wrong with it.
func TestNoRequestMakesAProxyPanic(t *testing.T) {
	for name, h := range faulty(t, acts(t)) {
		send := func(method, target, body, header string) {
			answered(t, name, h, hostileRequest(method, target, body, header))
		}
		for _, body := range []string{`{"text":"one"}`, `{"text":"two"}`, `{"text":"three"}`} {
			send("POST", "/v1/notes", body, "Authorization: Bearer right")
		}
		send("DELETE", "/v1/notes/2", "", "")
		for _, value := range []string{"-1", "-9223372036854775808", "99999999999999999999", "0", "", "x", "1.5", "%", "%zz", "1&limit=2", "1&limit=-1", "٣"} {
			for _, name := range []string{"limit", "page"} {
				send("GET", "/v1/notes?"+name+"="+value, "", "Authorization: Bearer right")
			}
		}
		for _, body := range []string{
			"", " ", "null", "7", `"x"`, "[]", "{", "[[", `{"text":null}`, `{"text":[]}`, `{"text":{"text":1}}`, `{"text":1e999999999,"id":-0}`, `{"text":"` + strings.Repeat("x", 9000) + `"}`,
			strings.Repeat("[", 20_000), strings.Repeat(`{"text":`, 500) + "1" + strings.Repeat("}", 500), "\xff\xfe", `{"text":"\udc15"}`, `[{"text":1},null,7]`, "{}{}",
		} {
			send("PUT", "/v1/notes/1", body, "If-Match: *\nIf-None-Match: \"1\"\nCookie: session=1; =; x")
			send("POST", "/v1/notes", body, "Content-Type:")
		}
		for _, answer := range []string{"scalars", "scalar", "list", "none", "huge", "status"} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
				send(method, "/v1/notes", `{"text":"one"}`, "X-Answer:"+answer)
				send(method, "/v1/notes/1", `{"text":"one"}`, "X-Answer:"+answer+"\nAuthorization:")
			}
		}
		for _, target := range []string{"", "*", "/", "//", "/v1", "/v1/", "/v1/notes/", "/v1/notes/{id}", "/v1/notes/%2F", "/v1/notes/a/b/c", "/v1/notes/" + strings.Repeat("x", 9000), "http://x/v1/notes", "?limit=-1"} {
			for _, method := range []string{"GET", "OPTIONS", "CONNECT", ""} {
				send(method, target, "x", "Authorization: Basic\nAuthorization: Bearer ")
			}
		}
	}
}

// A proxy that fails says that the response is its own, and shows nothing of the service's.
func TestAProxyThatFailsSaysSo(t *testing.T) {
	h := &mutate.Handler{Next: odd(), Middleware: []mutate.Middleware{func(*mutate.Exchange, func()) { panic("a defect") }}}
	w := httptest.NewRecorder()
	mutate.Gateway(h).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/notes", http.NoBody))
	if got := w.Header().Get("Proxy-Status"); w.Code != http.StatusBadGateway || got != "hallmark; error=proxy_internal_error" {
		t.Errorf("answered %d, Proxy-Status %q", w.Code, got)
	}
}

func FuzzProxy(f *testing.F) {
	f.Add("GET", "/v1/notes?limit=-1", "", "Authorization: Bearer right")
	f.Add("POST", "/v1/notes", `{"text":"one"}`, "Content-Type: application/json")
	f.Add("PUT", "/v1/notes/1", `{"text":`, "If-Match: \"1\"")
	f.Add("DELETE", "/v1/notes/1", "", "X-Answer:scalars")
	all := acts(f)
	f.Fuzz(func(t *testing.T, method, target, body, header string) {
		for name, h := range faulty(t, all) {
			answered(t, name, h, hostileRequest("POST", "/v1/notes", `{"text":"one"}`, ""))
			answered(t, name, h, hostileRequest(method, target, body, header))
			answered(t, name, h, hostileRequest("GET", "/v1/notes", "", ""))
		}
	})
}
