package hallmark_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark"
)

const token = "a-long-secret-token"

// notes is a service of testdata/notes.yaml.
type notes struct {
	// loses is a bug: every other note shows another text when it is read.
	loses bool
	// prefix is the path in front of the document's.
	prefix string

	mu  sync.Mutex
	all []string
}

func (n *notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, n.prefix)
	show := func(status, i int) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": i + 1, "text": n.all[i]})
	}
	switch id, one := strings.CutPrefix(path, "/notes/"); {
	case path == "/notes" && r.Method == http.MethodGet:
		list := make([]map[string]any, len(n.all))
		for i, text := range n.all {
			list[i] = map[string]any{"id": i + 1, "text": text}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	case path == "/notes" && r.Method == http.MethodPost:
		text, ok := textOf(r)
		if !ok {
			http.Error(w, "this is no note", http.StatusBadRequest)
			return
		}
		n.all = append(n.all, text)
		show(http.StatusCreated, len(n.all)-1)
		if n.loses && len(n.all)%2 == 0 {
			n.all[len(n.all)-1] = "lost"
		}
	case one && r.Method == http.MethodGet:
		i, err := strconv.Atoi(id)
		switch {
		case r.Header.Get("Authorization") != "Bearer "+token:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		case err != nil || i < 1 || i > len(n.all):
			http.NotFound(w, r)
		default:
			show(http.StatusOK, i-1)
		}
	default:
		http.NotFound(w, r)
	}
}

// textOf returns the text of a new note.
func textOf(r *http.Request) (string, bool) {
	body, err := io.ReadAll(r.Body)
	var members map[string]any
	if err != nil || !json.Valid(body) || json.Unmarshal(body, &members) != nil || members == nil {
		return "", false
	}
	text, ok := members["text"].(string)
	return text, ok && text != "" && utf8.RuneCountInString(text) <= 80
}

func options(h http.Handler) hallmark.Options {
	return hallmark.Options{Contract: "testdata/notes.yaml", Handler: h, Credentials: map[string]string{"token": token}}
}

func TestRun(t *testing.T) {
	called := ""
	o := options(&notes{prefix: "/v2"})
	o.Before = func(context.Context) error { called += "before "; return nil }
	o.After = func(context.Context) error { called += "after"; return nil }
	o.BeforeEach = func(_ context.Context, resource string) error { called += resource + " "; return nil }
	o.Reports = []string{"junit:" + filepath.Join(t.TempDir(), "hallmark.xml")}
	hallmark.Run(t, o)
	if called != "before notes after" {
		t.Errorf("called were %q", called)
	}
	text, err := os.ReadFile(strings.TrimPrefix(o.Reports[0], "junit:"))
	if err != nil || !strings.Contains(string(text), "getNote") {
		t.Errorf("the report says %q, %v", text, err)
	}
}

// The address of a service replaces the handler.
func TestRunOverTheNetwork(t *testing.T) {
	o := options(nil)
	o.BaseURL = serve(t, &notes{})
	o.Flags = []string{"--journal=none"}
	hallmark.Run(t, o)
}

// A document that a service serves itself names the address of the service, if that is on the same host.
func TestRunByTheAddressOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("testdata/notes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	served := strings.Replace(string(text), "https://notes.example.com/v2", "/v2", 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/docs/openapi.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, served) })
	mux.HandleFunc("/docs/other.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) })
	mux.HandleFunc("/docs/file.yaml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Replace(served, "#/components/schemas/Note", "file:///etc/hosts#/Note", 1))
	})
	mux.Handle("/v2/", &notes{prefix: "/v2"})
	address := serve(t, mux)
	o := options(nil)
	o.Contract, o.Flags = address+"/docs/openapi.yaml", []string{"--journal=none"}
	hallmark.Run(t, o)
	for document, says := range map[string]string{
		"/docs/other.yaml": "the document names the server https://notes.example.com/v2, which is not the server of the document itself",
		"/docs/none.yaml":  "responds with 404 Not Found; if this is the address of the service, give it with --base-url",
		"/docs/file.yaml":  "the reference file:///etc/hosts#/Note cannot be followed",
	} {
		t.Setenv("HALLMARK_TEST_DOCUMENT", address+document)
		if said, passed := run(t, "^TestHelperDocument$"); passed || !strings.Contains(said, says) {
			t.Errorf("%s: it says\n%s", document, said)
		}
	}
}

func TestHelperDocument(t *testing.T) {
	helper(t)
	o := options(nil)
	o.Contract = os.Getenv("HALLMARK_TEST_DOCUMENT")
	hallmark.Run(t, o)
}

// The tests below run in a process of their own, since they fail: what they say is the test.

func TestHelperBug(t *testing.T) {
	helper(t)
	hallmark.Run(t, options(&notes{prefix: "/v2", loses: true}))
}

func TestHelperNoCredential(t *testing.T) {
	helper(t)
	o := options(&notes{prefix: "/v2"})
	o.Credentials = nil
	hallmark.Run(t, o)
}

func TestHelperWrongBase(t *testing.T) {
	helper(t)
	hallmark.Run(t, options(&notes{prefix: "/v9"}))
}

func TestHelperBefore(t *testing.T) {
	helper(t)
	o := options(&notes{prefix: "/v2"})
	o.Before = func(context.Context) error { return errors.New("there is no database") }
	hallmark.Run(t, o)
}

func TestHelperBeforeEach(t *testing.T) {
	helper(t)
	o := options(&notes{prefix: "/v2"})
	o.BeforeEach = func(_ context.Context, resource string) error { return errors.New("there are no " + resource) }
	hallmark.Run(t, o)
}

func TestHelperAfter(t *testing.T) {
	helper(t)
	o := options(&notes{prefix: "/v2", loses: true})
	o.After = func(context.Context) error { return errors.New("the database is gone") }
	hallmark.Run(t, o)
}

func TestHelperWrongScheme(t *testing.T) {
	helper(t)
	o := options(&notes{prefix: "/v2"})
	o.Credentials = map[string]string{"tokens": token}
	hallmark.Run(t, o)
}

func TestHelperNoScheme(t *testing.T) {
	helper(t)
	text, err := os.ReadFile("testdata/notes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o := options(&notes{prefix: "/v2"})
	o.Contract = filepath.Join(t.TempDir(), "open.yaml")
	if err := os.WriteFile(o.Contract, regexp.MustCompile(`(?m)^( *)security: .*$`).ReplaceAll(text, []byte("${1}security: []")), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Credentials = map[string]string{"key": token}
	hallmark.Run(t, o)
}

func TestHelperNothing(t *testing.T) {
	helper(t)
	hallmark.Run(t, hallmark.Options{Contract: "testdata/notes.yaml"})
}

func TestHelperPanics(t *testing.T) {
	helper(t)
	n := &notes{prefix: "/v2"}
	hallmark.Run(t, options(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v2/notes/") {
			panic(http.ErrAbortHandler)
		}
		n.ServeHTTP(w, r)
	})))
}

// helperVariable is set where a failing test is meant to run.
const helperVariable = "HALLMARK_TEST_HELPER"

func helper(t *testing.T) {
	t.Helper()
	if os.Getenv(helperVariable) == "" {
		t.Skip("it fails; another test runs it in a process of its own")
	}
}

// run runs a test of this file in a process of its own, and returns what it says and whether it passes.
func run(t *testing.T, pattern string) (said string, passed bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", pattern)
	cmd.Env = append(os.Environ(), helperVariable+"=1")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// Each failure says what is wrong, under the name of its rule.
func TestRunFails(t *testing.T) {
	for _, c := range []struct{ pattern, says, not string }{
		{"^TestHelperBug$", `--- FAIL: TestHelperBug/addNote/created.kept`, "curl"},
		{"^TestHelperBug$", `go test -run '\^TestHelperBug\$/\^addNote\$/\^created`, ""},
		{"^TestHelperBug$", `VIOLATED: .* \(seed 1\)`, ""},
		{"^TestHelperBug$/^addNote$/created", `--- FAIL: TestHelperBug/addNote/created.kept`, "TestHelperBug/getNote"},
		{"^TestHelperBug$/none", `-run selects none of the \d+ rules`, ""},
		{"^TestHelperNoCredential$", `HALLMARK_CREDENTIAL_TOKEN`, ""},
		{"^TestHelperWrongBase$", `404`, ""},
		{"^TestHelperBefore$", `hallmark_test.go:\d+: hallmark.Options.Before failed: there is no database\n---`, ""},
		{"^TestHelperBeforeEach$", `hallmark.Options.BeforeEach failed: there are no notes`, ""},
		{"^TestHelperWrongScheme$", `name no security scheme "tokens"; did you mean token\?`, ""},
		{"^TestHelperNoScheme$", `need no credentials, so there is no security scheme "key"`, ""},
		{"^TestHelperAfter$", `After failed: the database is gone`, ""},
		{"^TestHelperAfter$", `--- FAIL: TestHelperAfter/addNote/created.kept`, ""},
		{"^TestHelperNothing$", `give a Handler, or a BaseURL`, ""},
		{"^TestHelperPanics$", `FAIL  getNote`, ""},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			t.Parallel()
			said, passed := run(t, c.pattern)
			if passed {
				t.Error("it passes")
			}
			if !regexp.MustCompile(c.says).MatchString(said) {
				t.Errorf("it does not say %s:\n%s", c.says, said)
			}
			if c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("it says %s:\n%s", c.not, said)
			}
		})
	}
	if said, passed := run(t, "^TestHelperNoCredential$/^listNotes$"); !passed {
		t.Errorf("these rules need no credential:\n%s", said)
	}
	if said, passed := run(t, "^TestHelperNoCredential$/^getNote$/^body$"); passed || !strings.Contains(said, "getNote was not called") {
		t.Errorf("this rule needs a credential:\n%s", said)
	}
	if said, passed := run(t, "^TestHelperBug$/^getNote$"); !passed {
		t.Errorf("the bug is none of these rules:\n%s", said)
	}
}

// A run leaves time for cleaning up before the deadline of its test, and has some of it even where the deadline has passed.
func TestMaxTime(t *testing.T) {
	for left, want := range map[time.Duration]time.Duration{
		10 * time.Minute:           9*time.Minute + 30*time.Second,
		20*time.Second - 123456789: 15900 * time.Millisecond,
		time.Millisecond:           time.Millisecond,
		-time.Second:               time.Millisecond,
	} {
		if got := hallmark.MaxTime(left); got != want {
			t.Errorf("%v leave %v, want %v", left, got, want)
		}
	}
}

// serve serves a handler on a port, and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}
