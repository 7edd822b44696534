package openapi

import (
	"strconv"
	"strings"
	"testing"
)

// many repeats a text, with the number of each in the place of #.
func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	return b.String()
}

// A document with more than can be read in a reasonable time is refused in one line, before any work is done for it.
func TestLimits(t *testing.T) {
	const ok = `responses: {"200": {description: ok}}`
	get := func(more string) string { return `{/a: {get: {operationId: a, ` + more + `}}}` }
	schema := func(s string) string {
		return get(`requestBody: {content: {application/json: {schema: ` + s + `}}}, ` + ok)
	}
	for paths, want := range map[string]string{
		"{" + many(mostOperations+1, `/p#: {get: {`+ok+`}}, `) + "}":                                             "operations",
		get(`parameters: [` + many(2_001, `{name: q#, in: query}, `) + `], ` + ok):                               "parameters has 2,001 entries",
		get(`security: [` + many(501, `{s#: []}, `) + `], ` + ok):                                                "security has 501 entries",
		get(`responses: {"200": {description: ok, headers: {` + many(2_001, `X-#: {}, `) + `}}}`):                "headers has 2,001 entries",
		schema(`{required: [` + many(10_001, `a#, `) + `]}`):                                                     "required has 10,001 entries",
		schema(`{patternProperties: {` + many(501, `a#: {}, `) + `}}`):                                           "patternProperties has 501 entries",
		schema(`{dependentRequired: {a: [` + many(3_000, `a#, `) + `], b: [` + many(3_000, `a#, `) + `]}}`):      "dependentRequired has 6,000 entries",
		schema(`{example: {parameters: [` + many(3_000, `#, `) + `]}, properties: {parameters: {type: array}}}`): "",
		"{" + many(500, `/p#: {parameters: [`+many(4, `{name: q#, in: query}, `)+`], get: {`+ok+`}}, `) + "}":    "",
	} {
		_, err := Load([]byte("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: " + paths + "\n"))
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%.80s…: %v, want %q", paths, err, want)
		}
	}
}
