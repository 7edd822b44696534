package wholerun_test

import (
	"net/http/httptest"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// BenchmarkRun is a full run against the reference service, within one process, to be profiled. What runs take beside a bare client is for
// tests/speed.
func BenchmarkRun(b *testing.B) {
	k := runtest.New(b)
	exchanges := 0
	for b.Loop() {
		s, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
		if err != nil {
			b.Fatal(err)
		}
		server := httptest.NewServer(s.Handler())
		rec, _ := k.Run(b, server.URL+"/v1", referenceKey, nil)
		server.Close()
		exchanges = len(rec.Exchanges)
	}
	b.ReportMetric(float64(exchanges), "exchanges")
}
