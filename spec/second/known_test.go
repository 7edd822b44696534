package second

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// contractOf returns a contract with one operation, given as flow mappings of YAML.
func contractOf(t *testing.T, version, parameters, request, response string) *spec.Contract {
	t.Helper()
	text := fmt.Sprintf("openapi: %s\ninfo: {title: t, version: '1'}\npaths:\n  /things/{id}:\n    post:\n      operationId: op\n", version)
	text += "      parameters: [{name: id, in: path, required: true, schema: {type: string}}" + parameters + "]\n"
	if request != "" {
		text += "      requestBody: {required: true, content: {application/json: {schema: " + request + "}}}\n"
	}
	text += "      responses: {'200': {description: d, content: {application/json: {schema: " + response + "}}}, '400': {description: d}}\n"
	c, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sent returns an exchange of that operation.
func sent(query, request string, status int, response string) *spec.Exchange {
	ex := &spec.Exchange{
		Seq: 1, Operation: "op", Request: spec.Request{Method: "POST", URL: "http://service.test/v1/things/7" + query, Body: []byte(request)},
		Response: &spec.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(response), Size: len(response)},
	}
	if request != "" {
		ex.Request.Header = http.Header{"Content-Type": {"application/json"}}
	}
	return ex
}

// found is a finding about the body of a response.
func found(kind spec.FindingKind, pointer string) spec.Finding {
	return spec.Finding{Rule: "op.body", Kind: kind, Pointer: pointer, Contract: "/paths/~1things~1{id}/post/responses/200/content/application~1json/schema"}
}

// Rules about requests, as they follow from any contract.
var (
	bodyRule      = spec.Rule{ID: "op.refused.property", Cases: []string{"refused.property"}, Contract: []string{"/paths/~1things~1{id}/post/requestBody"}}
	parameterRule = spec.Rule{ID: "op.refused.parameter", Cases: []string{"refused.parameter"}, Contract: []string{"/paths/~1things~1{id}/post/parameters/1"}}
	acceptedRule  = spec.Rule{ID: "op.accepted", Cases: []string{"accepted"}, Contract: []string{"/paths/~1things~1{id}/post"}}
)

// Each known difference still exists: the library judges differently, and an entry only covers differences of its
// kind.
func TestKnownDifferences(t *testing.T) {
	const object = "{type: object, required: [n], properties: {n: {type: integer, format: int64, maximum: 9007199254740992}}}"
	status := spec.Finding{Rule: "op", Kind: spec.KindStatus}
	for _, tt := range []struct {
		name                          string
		parameters, request, response string
		exchange                      *spec.Exchange
		finding                       spec.Finding
		rule                          spec.Rule
		says                          spec.Agreement
		known                         string
	}{
		{name: "blank body", response: object, exchange: sent("", "", 200, " \n"), finding: found(spec.KindUnreadable, ""), says: spec.Disputed, known: "blank-body"},
		{name: "no body", response: object, exchange: sent("", "", 200, ""), finding: found(spec.KindMissing, ""), says: spec.Agreed},
		{name: "null", response: object, exchange: sent("", "", 200, "null"), finding: found(spec.KindType, ""), says: spec.Disputed, known: "null-body"},
		{name: "null within", response: object, exchange: sent("", "", 200, `{"n":null}`), finding: found(spec.KindType, "/n"), says: spec.Agreed},
		{name: "digits", response: object, exchange: sent("", "", 200, `{"n":9007199254740993}`), finding: found(spec.KindTooLarge, "/n"), says: spec.Disputed, known: "rounded-number"},
		{name: "few digits", response: object, exchange: sent("", "", 200, `{"n":9107199254740993}`), finding: found(spec.KindTooLarge, "/n"), says: spec.Agreed},
		{name: "a sound number", response: object, exchange: sent("", "", 200, `{"n":7}`), finding: found(spec.KindTooLarge, "/n"), says: spec.Disputed},
		{name: "repeated", response: object, exchange: sent("", "", 200, `{"n":"x","n":1}`), finding: found(spec.KindType, "/n"), says: spec.Disputed, known: "repeated-member"},
		{name: "repeated elsewhere", response: object, exchange: sent("", "", 200, `{"m":1,"m":2,"n":1}`), finding: found(spec.KindType, "/n"), says: spec.Disputed},
		{name: "no UTF-8", response: object, exchange: sent("", "", 200, "{\"n\":1,\"m\":\"\xff\"}"), finding: found(spec.KindUnreadable, ""), says: spec.Disputed, known: "not-utf-8"},
		{name: "no JSON", response: object, exchange: sent("", "", 200, "{"), finding: found(spec.KindUnreadable, ""), says: spec.Agreed},
		{name: "a number that fits", request: object, response: "{}", exchange: sent("", `{"n":-9223372036854775807}`, 400, ""), finding: status, rule: acceptedRule, says: spec.Agreed},
		{
			name: "the largest", request: "{type: object, properties: {n: {type: integer, format: int64}}}", response: "{}",
			exchange: sent("", `{"n":9223372036854775807}`, 400, ""), finding: status, rule: acceptedRule, says: spec.Disputed, known: "rounded-number",
		},
		{name: "a sound request", request: object, response: "{}", exchange: sent("", `{"n":1}`, 400, ""), finding: status, rule: acceptedRule, says: spec.Agreed},
		{name: "a wrong one", request: object, response: "{}", exchange: sent("", `{"n":"x"}`, 400, ""), finding: status, rule: acceptedRule, says: spec.Disputed},
		{name: "a wrong one accepted", request: object, response: "{}", exchange: sent("", `{"n":"x"}`, 200, ""), finding: status, rule: bodyRule, says: spec.Agreed},
		{name: "a sound one accepted", request: object, response: "{}", exchange: sent("", `{"n":1}`, 200, ""), finding: status, rule: bodyRule, says: spec.Disputed},
		{name: "digits accepted", request: object, response: "{}", exchange: sent("", `{"n":9007199254740993}`, 200, ""), finding: status, rule: bodyRule, says: spec.Disputed, known: "rounded-number"},
		{name: "no UTF-8 accepted", request: object, response: "{}", exchange: sent("", "{\"n\":1,\"m\":\"\xff\"}", 200, ""), finding: status, rule: bodyRule, says: spec.Disputed, known: "not-utf-8"},
		{
			name: "items of a parameter", parameters: ", {name: stars, in: query, schema: {type: array, items: {type: integer, maximum: 5}}}", response: "{}",
			exchange: sent("?stars=6", "", 200, ""), finding: status, rule: parameterRule, says: spec.Disputed, known: "structured-parameter",
		},
		{
			name: "a simple parameter beside", parameters: ", {name: stars, in: query, schema: {type: array, items: {type: integer, maximum: 5}}}, {name: page, in: query, schema: {type: integer, minimum: 1}}", response: "{}",
			exchange: sent("?stars=4&page=0", "", 200, ""), finding: status, rule: parameterRule, says: spec.Agreed,
		},
		{
			name: "a parameter that is ignored", parameters: ", {name: Authorization, in: header, required: true, schema: {type: string}}", response: "{}",
			exchange: sent("", "", 400, ""), finding: status, rule: acceptedRule, says: spec.Disputed, known: "ignored-parameter",
		},
		{name: "a format that is not judged", response: "{type: string, format: byte}", exchange: sent("", "", 200, `"*"`), finding: found(spec.KindFormat, ""), says: spec.Unsettled},
		{name: "a format that is", response: "{type: string, format: date}", exchange: sent("", "", 200, `"x"`), finding: found(spec.KindFormat, ""), says: spec.Agreed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := New(contractOf(t, "3.0.3", tt.parameters, tt.request, tt.response))
			o, asked := j.Opinion(tt.finding, tt.rule, tt.exchange)
			if !asked || o.Says != tt.says || o.Known != tt.known {
				t.Errorf("asked %v, it says %q, known %q (%s), want %q, known %q", asked, o.Says, o.Known, o.Reason, tt.says, tt.known)
			}
		})
	}
}

// The library asserts all formats, so it agrees about those that a rules file asserts, but URIs and templates are read more loosely.
func TestAssertedFormats(t *testing.T) {
	for _, tt := range []struct {
		format, text string
		says         spec.Agreement
		known        string
	}{
		{"email", "nobody", spec.Agreed, ""},
		{"uri", "/a", spec.Agreed, ""},
		{"uri", "https://example.com/a b", spec.Disputed, "loose-uri"},
		{"iri", `https://example.com/"a"`, spec.Disputed, "loose-uri"},
		{"uri-template", "/{}", spec.Disputed, "loose-uri"},
		{"uri-template", "/{a", spec.Agreed, ""},
		{"uri", "https://example.com/a", spec.Disputed, ""},
		{"time", "noon", spec.Agreed, ""},
		{"duration", "30s", spec.Agreed, ""},
		{"relative-json-pointer", "/a", spec.Agreed, ""},
	} {
		c := contractOf(t, "3.0.3", "", "", "{type: string, format: "+tt.format+"}").AssertingFormats()
		body, err := json.Marshal(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if o, asked := New(c).Opinion(found(spec.KindFormat, ""), spec.Rule{}, sent("", "", 200, string(body))); !asked || o.Says != tt.says || o.Known != tt.known {
			t.Errorf("%s %s: asked %v, %+v", tt.format, tt.text, asked, o)
		}
	}
}

// For a header described by content the library checks only whether it is there, not its value.
func TestHeadersDescribedByContent(t *testing.T) {
	c, err := openapi.Load([]byte(`
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things/{id}:
    post:
      operationId: op
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: d, headers: {X-Rest: {required: true, content: {application/json: {schema: {type: object}}}}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	j := New(c)
	f := spec.Finding{Kind: spec.KindType, Header: "x-rest", Contract: "/paths/~1things~1{id}/post/responses/200/headers/X-Rest/content/application~1json/schema/type"}
	for value, want := range map[string]spec.Opinion{"[]": {Says: spec.Disputed, Known: "header-content"}, "": {Says: spec.Agreed}} {
		ex := sent("", "", 200, "")
		ex.Response.Header = http.Header{}
		if value != "" {
			ex.Response.Header.Set("X-Rest", value)
		}
		if o, asked := j.Opinion(f, spec.Rule{}, ex); !asked || o.Says != want.Says || o.Known != want.Known {
			t.Errorf("%q: %+v", value, o)
		}
	}
}

// The first judge does not report values because a schema says something other than it means.
func TestSoundResponsesToTheLetter(t *testing.T) {
	j := New(contractOf(t, "3.0.3", "", "", "{oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}"))
	if o := j.ResponseStands(sent("", "", 200, `{"a":"x"}`)); o.Says != spec.Disputed || o.Known != "to-the-letter" {
		t.Errorf("%+v", o)
	}
	if o := j.ResponseStands(sent("", "", 200, `{"a":1,"b":1}`)); o.Says != spec.Disputed || o.Known != "" {
		t.Errorf("%+v", o)
	}
}

// The differences are those of the built-in version, each is recognized by something, and their names are unique.
func TestDifferencesAreOfThisVersion(t *testing.T) {
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(module), "github.com/pb33f/libopenapi-validator "+seenIn+"\n") {
		t.Errorf("go.mod has another version of libopenapi-validator than %s, which the differences were seen in", seenIn)
	}
	known := map[string]bool{}
	for _, d := range Differences() {
		if known[d.ID] || d.Says == "" || d.Reason == "" || d.Version == "" || d.holds == nil {
			t.Errorf("%+v", d)
		}
		known[d.ID] = true
	}
}
