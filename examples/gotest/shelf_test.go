package shelf_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/shelf"
	"github.com/cucumber/godog"

	"github.com/hallmark-kit/hallmark"
)

const key = "the-secret-key"

func options(h http.Handler) hallmark.Options {
	return hallmark.Options{Contract: "api.yaml", Handler: h, Credentials: map[string]string{"key": key}}
}

// Every rule of the interface is a subtest.
func TestContract(t *testing.T) {
	s := &shelf.Shelf{Key: key}
	o := options(s.Handler())
	o.RequireComplete = true
	hallmark.Run(t, o)
}

func TestContractOfGin(t *testing.T) {
	s := &shelf.Shelf{Key: key}
	hallmark.Run(t, options(s.Gin()))
}

// A bug, to see what its failure says: SHELF_BUG=1 go test -run TestBug
func TestBug(t *testing.T) {
	if os.Getenv("SHELF_BUG") == "" {
		t.Skip("SHELF_BUG=1 shows how a bug is found")
	}
	s := &shelf.Shelf{Key: key, Keeps: true}
	hallmark.Run(t, options(s.Handler()))
}

// A team's own scenarios, with hallmark's sentences beside a step of its own.
func TestFeatures(t *testing.T) {
	s := &shelf.Shelf{Key: key, Keeps: os.Getenv("SHELF_BUG") != ""}
	said := false
	suite := godog.TestSuite{
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			hallmark.Steps(sc, options(s.Handler()))
			sc.Step(`^I say so$`, func() { said = true })
		},
		Options: &godog.Options{Format: "progress", Paths: []string{"features"}, TestingT: t, Strict: true},
	}
	if suite.Run() != 0 || !said {
		t.Errorf("the features fail, or a step was left out: %t", said)
	}
}

// watcher judges what the tests below ask anyway.
var watcher = hallmark.Watch("api.yaml")

func TestMain(m *testing.M) { os.Exit(watcher.Main(m, hallmark.Coverage{Operations: 75})) }

func TestAddAndList(t *testing.T) {
	s := &shelf.Shelf{Key: key}
	h := watcher.Handler(s.Handler())
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("X-Key", key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	if w := ask("POST", "/v1/books", `{"title": "Emma"}`); w.Code != http.StatusCreated {
		t.Fatal(w.Code)
	}
	if w := ask("GET", "/v1/books?limit=5", ""); !strings.Contains(w.Body.String(), "Emma") {
		t.Fatal(w.Body)
	}
	if w := ask("GET", "/v1/books/1", ""); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	if w := ask("GET", "/v1/books/2", ""); w.Code != http.StatusNotFound {
		t.Fatal(w.Code)
	}
}

// The bug is found, under the name of the rule that it breaks.
func TestTheBugIsFound(t *testing.T) {
	for test, says := range map[string]string{
		"^TestBug$":      "--- FAIL: TestBug/deleteBook/deleted.gone",
		"^TestFeatures$": "request   GET http://localhost/v1/books/",
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", test)
		cmd.Env = append(os.Environ(), "SHELF_BUG=1")
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%s says, %v:\n%s", test, err, out)
		}
	}
}
