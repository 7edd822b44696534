package client_test

import (
	"net/http"
	"strings"
	"testing"
)

// A proxy's own error is no response of the target; what it says about the target's response is one.
func TestAResponseOfAProxyItselfIsALostExchange(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		field  string
		lost   bool
	}{
		"no connection":                {502, "hallmark; error=connection_refused", true},
		"no response in time":          {504, `edge.example.net; error=connection_read_timeout; details="3 s"`, true},
		"the second of two proxies":    {503, "edge, inner; error=destination_unavailable", true},
		"a response of the service":    {502, "edge; received-status=502", false},
		"a response that is too long":  {502, "edge; error=http_response_body_size", false},
		"another status":               {500, "edge; error=connection_refused", false},
		"a bad gateway that says none": {502, "", false},
	} {
		header := http.Header{}
		if c.field != "" {
			header.Set("Proxy-Status", c.field)
		}
		ex, err := testClient(&script{replies: []reply{{status: c.status, header: header, body: "x"}}}).Do(t.Context(), aList)
		if err != nil {
			t.Fatal(err)
		}
		if lost := ex.Lost != "" && ex.Response == nil; lost != c.lost || lost && !strings.Contains(ex.Lost, "itself: ") {
			t.Errorf("%s: lost is %v, %q", name, lost, ex.Lost)
		}
	}
}
