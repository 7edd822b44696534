package hallmark_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/cucumber/godog"

	"github.com/hallmark-kit/hallmark"
)

func ExampleRun() {
	// As TestContract, it judges the service when its package is tested, as any other test does.
	testContract := func(t *testing.T) {
		hallmark.Run(t, hallmark.Options{
			Contract:        "testdata/notes.yaml",
			Handler:         &notes{prefix: "/v2"},
			Credentials:     map[string]string{"token": token},
			Before:          func(context.Context) error { return nil }, // fill a database
			RequireComplete: true,
			Reports:         []string{"html:report.html"},
		})
	}
	_ = testContract
}

func ExampleWatcher_Handler() {
	watcher := hallmark.Watch("testdata/notes.yaml")
	handler := watcher.Handler(&notes{prefix: "/v2"})
	// What the tests of the package ask is judged, too. For them, TestMain reports it at the end.
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/v2/notes", nil))
	fmt.Println(response.Code)
	// Output: 200
}

func ExampleWatcher_Main() {
	watcher := hallmark.Watch("testdata/notes.yaml")
	// As TestMain, it fails if the tests get a response that the document does not allow, or leave out an operation.
	testMain := func(m *testing.M) {
		os.Exit(watcher.Main(m, hallmark.Coverage{Operations: 100}))
	}
	_ = testMain
}

func ExampleSteps() {
	// As TestFeatures, it plays the features of the folder "features", whose sentences are hallmark's or your own.
	testFeatures := func(t *testing.T) {
		suite := godog.TestSuite{
			ScenarioInitializer: func(sc *godog.ScenarioContext) {
				hallmark.Steps(sc, hallmark.Options{
					Contract: "testdata/notes.yaml", Handler: &notes{prefix: "/v2"}, Credentials: map[string]string{"token": token},
				})
				sc.Step(`^the shop is open$`, func() error { return nil })
			},
			Options: &godog.Options{TestingT: t, Format: "pretty", Strict: true, Paths: []string{"features"}},
		}
		if suite.Run() != 0 {
			t.Error("a scenario failed")
		}
	}
	_ = testFeatures
}
