package steps

import (
	"net/http"
	"testing"

	"hallmark/steps/petstore/rehearse"
)

// testConfig is that of a whole run against a service that needs no network.
func testConfig(t testing.TB, service http.RoundTripper) Config {
	t.Helper()
	o := rehearse.Options(t, service)
	return Config{
		Target: o.Target, Contract: o.Contract, Catalogue: o.Catalogue, Suite: rehearse.Must(t, rehearse.Suite), Interface: o.Interface,
		Seed: o.Seed, Concurrency: 4, Timeout: o.Timeout, Now: o.Now, Transport: o.Transport, Agent: o.Agent, Recorder: o.Recorder,
	}
}
