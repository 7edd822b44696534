package spec_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

func TestServersOfOperations(t *testing.T) {
	for name, test := range map[string]struct {
		servers, own, base, want, elsewhere string
	}{
		"none of its own":                   {"[{url: https://api.example.com/v1}]", "", "http://localhost:8080/v1", "http://localhost:8080/v1", ""},
		"another path on the same host":     {"[{url: https://api.example.com/v1}]", "[{url: https://api.example.com/v2}]", "http://localhost:8080/v1", "http://localhost:8080/v2", ""},
		"a relative one":                    {"[{url: https://api.example.com/v1}]", "[{url: /v2}]", "http://localhost:8080/v1", "http://localhost:8080/v2", ""},
		"behind a prefix":                   {"[{url: https://api.example.com/v1}]", "[{url: /v2}]", "http://gateway/shop/v1", "http://gateway/shop/v2", ""},
		"a base URL of another shape":       {"[{url: https://api.example.com/v1}]", "[{url: /v2}]", "http://localhost:8080/other", "http://localhost:8080/v2", ""},
		"the same as the document's":        {"[{url: https://api.example.com/v1}]", "[{url: 'https://api.example.com/v1/'}]", "http://localhost:8080", "http://localhost:8080", ""},
		"no path":                           {"[{url: https://api.example.com/v1}]", "[{url: https://api.example.com}]", "http://localhost:8080/v1", "http://localhost:8080", ""},
		"another host":                      {"[{url: https://api.example.com/v1}]", "[{url: https://upload.example.com/v1}]", "http://localhost:8080/v1", "", "https://upload.example.com/v1"},
		"another port":                      {"[{url: https://api.example.com/v1}]", "[{url: 'https://api.example.com:8443/v1'}]", "http://localhost:8080/v1", "", "https://api.example.com:8443/v1"},
		"another host, and then the same":   {"[{url: https://api.example.com/v1}]", "[{url: https://upload.example.com}, {url: https://api.example.com/up}]", "http://localhost:8080/v1", "http://localhost:8080/up", ""},
		"the host of the run":               {"[{url: https://api.example.com/v1}]", "[{url: 'http://localhost:8080/v2'}]", "http://localhost:8080/v1", "http://localhost:8080/v2", ""},
		"variables":                         {"[{url: https://api.example.com/v1}]", "[{url: 'https://{name}.example.com/{v}', variables: {name: {default: api}, v: {default: v3}}}]", "http://localhost:8080/v1", "http://localhost:8080/v3", ""},
		"a document without servers":        {"[]", "[{url: /v2}]", "http://localhost:8080", "http://localhost:8080/v2", ""},
		"a variable without a default here": {"[]", "[{url: '/{v}'}]", "http://localhost:8080", "", "/{v}"},
		"only servers of operations":        {"[]", "[{url: https://api.example.com/v2}]", "http://localhost:8080", "http://localhost:8080/v2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			own := test.own
			if own == "" {
				own = "[]"
			}
			c, err := openapi.Load([]byte("openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: " + test.servers + "\npaths:\n  /a:\n    servers: " + own +
				"\n    get: {operationId: a, responses: {'204': {description: None}}}\n"))
			if err != nil {
				t.Fatal(err)
			}
			op, _ := c.Operation("a")
			if got := c.Elsewhere(op, test.base); got != test.elsewhere {
				t.Errorf("elsewhere %q, want %q", got, test.elsewhere)
			}
			if got, elsewhere := c.BaseOf(op, test.base); got != test.want || elsewhere != test.elsewhere {
				t.Errorf("%q, %q; want %q, %q", got, elsewhere, test.want, test.elsewhere)
			}
		})
	}
}
