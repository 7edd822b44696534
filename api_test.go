package hallmark_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/hallmark-kit/hallmark"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
)

// What is exported is a promise: testdata/api.txt keeps it, and UPDATE_API=1 writes it.
func TestAPI(t *testing.T) {
	const kept = "testdata/api.txt"
	out, err := exec.CommandContext(t.Context(), "go", "doc", "-all", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_API") != "" {
		if err := os.WriteFile(kept, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(want) {
		t.Errorf("the exported API is not that of %s. If the change keeps what was promised, write it with UPDATE_API=1. It is:\n%s", kept, out)
	}
}

// How fast a run is in process: the reference service of the Petstore judged by its document, beside the bare service.
func BenchmarkRun(b *testing.B) {
	exchanges := 0
	for b.Loop() {
		n, err := hallmark.Exchanges(b.Context(), hallmark.Options{
			Contract: "spec/petstore/openapi.yaml", Handler: pets(b), Credentials: map[string]string{"apiKey": token}, Flags: []string{"--rules-file=none"},
		})
		if err != nil {
			b.Fatal(err)
		}
		exchanges += n
	}
	b.ReportMetric(float64(exchanges)/b.Elapsed().Seconds(), "exchanges/s")
}

func BenchmarkHandler(b *testing.B) {
	h := pets(b)
	for b.Loop() {
		r := httptest.NewRequest(http.MethodGet, "/v1/pets?limit=20", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "exchanges/s")
}

// pets returns the reference service, which knows the token.
func pets(b *testing.B) http.Handler {
	b.Helper()
	built, err := variants.Build(petstore.Options{Keys: []string{token}}, variants.Variant{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { built.Close() })
	return built.Handler
}
