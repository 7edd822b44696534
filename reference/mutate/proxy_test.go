package mutate_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// A service that cannot be reached, or goes away, has sent no response: no middleware sees one, and no client
// takes one for its own.
func TestAForwardedRequestThatIsLostHasNoResponse(t *testing.T) {
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/half") {
			_, _ = io.WriteString(w, "[1,")
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	}))
	defer cut.Close()
	for name, c := range map[string]struct{ address, says string }{
		"nobody is there":      {"http://127.0.0.1:1/v1/notes", "connection_refused"},
		"no response":          {cut.URL + "/v1/notes", "connection_terminated"},
		"half of a response":   {cut.URL + "/v1/notes/half", "connection_terminated"},
		"an unknown host name": {"http://hallmark.invalid/v1/notes", "connection_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			to, err := url.Parse(c.address)
			if err != nil {
				t.Fatal(err)
			}
			done := 0
			h := &mutate.Handler{Next: mutate.Forward(to, &http.Transport{}), Base: "/v1", Done: func(*mutate.Exchange) { done++ }}
			r := httptest.NewRequest(http.MethodGet, to.Path, nil)
			r.URL.Scheme, r.URL.Host = "http", "notes.test"
			resp, err := mutate.Transport{Handler: h}.RoundTrip(r)
			if err == nil {
				_ = resp.Body.Close()
				t.Fatalf("answered %d", resp.StatusCode)
			}
			if _, dialled := errors.AsType[*net.OpError](err); dialled != (c.says == "connection_refused") {
				t.Errorf("the error of the transport is not handed on: %v", err)
			}
			w := httptest.NewRecorder()
			mutate.Gateway(h).ServeHTTP(w, httptest.NewRequest(http.MethodGet, to.Path, nil))
			if got := w.Header().Get("Proxy-Status"); w.Code != http.StatusBadGateway || got != "hallmark; error="+c.says || w.Body.Len() == 0 {
				t.Errorf("answered %d, Proxy-Status %q: %s", w.Code, got, w.Body)
			}
			if done > 0 {
				t.Errorf("%d responses of the service were seen", done)
			}
		})
	}
}
