package spec_test

import (
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

func TestRedirectsAsSuccesses(t *testing.T) {
	op := func(keys ...string) *spec.Operation {
		var o spec.Operation
		for _, key := range keys {
			a := spec.DocumentedResponse{Key: key}
			if key[1] != 'X' && key != "default" {
				a.Status = int(key[0]-'0')*100 + int(key[1]-'0')*10 + int(key[2]-'0')
			}
			o.Responses = append(o.Responses, a)
		}
		return &o
	}
	for name, test := range map[string]struct {
		op                *spec.Operation
		status            int
		location          string
		succeeds, accepts bool
	}{
		"a success":                             {op("200"), 200, "", true, true},
		"the only success":                      {op("302", "400"), 302, "https://example.org/x", true, true},
		"one of a range":                        {op("3XX"), 307, "/x", true, true},
		"an undocumented one":                   {op("200"), 302, "/x", false, false},
		"one that is documented by the default": {op("200", "default"), 302, "/x", false, false},
		"not modified":                          {op("304", "302"), 304, "", false, false},
		"see other, beside a success":           {op("201", "303"), 303, "/jobs/7", true, true},
		"found, beside a success":               {op("200", "302"), 302, "/pets/7", true, false},
		"moved, beside a success":               {op("200", "301"), 301, "/pets/7", true, false},
		"an error, by its address":              {op("302", "400"), 302, "https://example.org/cb?error=invalid_scope", false, false},
		"a page of an error":                    {op("303", "400"), 303, "/form/error", false, false},
		"a word that holds another":             {op("302"), 302, "/terrors/mirror", true, true},
		"a login, beside a success":             {op("200", "302"), 302, "/login?next=/pets", false, false},
		"a login that is all there is":          {op("302"), 302, "https://id.example.org/login", true, true},
		"a refusal":                             {op("302", "404"), 404, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &spec.Response{Status: test.status, Header: http.Header{"Location": {test.location}}}
			if succeeds, accepts := test.op.Succeeds(r), test.op.Accepts(r); succeeds != test.succeeds || accepts != test.accepts {
				t.Errorf("it succeeds: %t, want %t; it is accepted: %t, want %t", succeeds, test.succeeds, accepts, test.accepts)
			}
		})
	}
	if op("200").Succeeds(nil) {
		t.Error("no response is a success")
	}
}
