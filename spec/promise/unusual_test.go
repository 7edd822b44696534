package promise_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// features returns all features derived from a document, as Gherkin.
func features(t *testing.T, document string) string {
	t.Helper()
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, f := range p.Features(catalogue) {
		text.WriteString(f.Content)
	}
	return text.String()
}

// Unusual values are valid: a value that a schema does not allow is never among them.
func TestUnusualValuesAreAllowed(t *testing.T) {
	text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/things: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {
	  type: object, required: [code, size, kind, note], additionalProperties: false, properties: {
	    code: {type: string, pattern: '^[a-z]{2}$'}, size: {type: integer, minimum: 0, maximum: 10}, kind: {enum: [a, b]}, note: {type: string, maxLength: 100, minLength: 1}}}}}},
	  responses: {"201": {description: Added}}}}}}`)
	_, text, _ = strings.Cut(text, "Rule: add answers valid requests without a server error")
	text, _, _ = strings.Cut(text, "\n  @rule:")
	for _, want := range []string{"size is 0", "note is a blank", "note holds the null character"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no case in which %s:\n%s", want, text)
		}
	}
	for _, not := range []string{"code", "kind", "negative", "note is empty", "300 characters", "hallmarkUnknown"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is asked though the schema rules it out:\n%s", not, text)
		}
	}
}

// If responses never show a member as null, null may be refused; if they do, it must be accepted.
func TestNullThatNoResponseShowsMayBeRefused(t *testing.T) {
	text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {'/users/{id}': {patch: {operationId: change, parameters: [{name: id, in: path, required: true, schema: {type: string}}],
	  requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {email: {type: [string, 'null']}, nick: {type: [string, 'null']}, phone: {type: [string, 'null']}, active: {type: boolean}}}}}},
	  responses: {"422": {description: Wrong}, "200": {description: Changed, content: {application/json: {schema: {type: object, properties: {data: {$ref: '#/components/schemas/User'}}}}}}}}}},
	  components: {schemas: {User: {type: object, required: [email], properties: {email: {type: string}, nick: {type: [string, 'null']}, phone: {type: string}}}}}}`)
	_, accepted, _ := strings.Cut(text, "@rule:change.accepted")
	accepted, _, _ = strings.Cut(accepted, "\n  @rule:")
	if !strings.Contains(accepted, "nick is null") || !strings.Contains(accepted, "phone is null") || strings.Contains(accepted, "email is null") || !strings.Contains(text, "email is null") {
		t.Errorf("the wrong one of email and nick has to be accepted as null:\n%s", text)
	}
}

// A body means the same in each way to write it.
func TestWritten(t *testing.T) {
	body := map[string]any{"a": json.Number("1"), "b": map[string]any{"c": "x, y"}}
	for way, want := range map[string]string{
		promise.SeveralLines: "{\n  \"a\" : 1,\n  \"b\" : {\"c\":\"x, y\"}\n}",
		promise.ReverseOrder: `{"b":{"c":"x, y"},"a":1}`,
	} {
		if text, err := promise.Written(body, way); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, want %q", way, text, err, want)
		}
	}
	if _, err := promise.Written("text", promise.ReverseOrder); err == nil {
		t.Error("a text has members")
	}
}

// A JSON reader may accept extensions: refusing these is a should. Truncated bodies, and bodies that are not JSON,
// must be refused.
func TestExtensionsOfJSONAreAShould(t *testing.T) {
	text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/things: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {
	  type: object, required: [name], properties: {name: {type: string}}}}}}, responses: {"201": {description: Added}, "400": {description: Wrong}}}},
	  /forms: {post: {operationId: send, requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {"200": {description: d}, "400": {description: d}}}}}}`)
	section := func(rule string) string {
		_, found, _ := strings.Cut(text, "@rule:"+rule+" ")
		found, _, _ = strings.Cut(found, "\n  @rule:")
		return found
	}
	malformed, extended := section("add.refused.body-malformed"), section("add.refused.body-extended")
	for _, damage := range promise.Damages() {
		lax := damage != "without its last character" && damage != "as a form"
		if strings.Contains(malformed, damage) == lax || strings.Contains(extended, damage) != lax {
			t.Errorf("a body %s is asked for by the wrong rule:\n%s\n%s", damage, malformed, extended)
		}
	}
	if !strings.HasPrefix(malformed, "@level:must") || !strings.HasPrefix(extended, "@level:should") || strings.Contains(text, "send.refused.body-extended") {
		t.Errorf("the levels are wrong:\n%s", text)
	}
}

const fragments = `
openapi: 3.1.0
info: {title: T, version: "1"}
components: {securitySchemes: {key: {type: apiKey, in: header, name: K}}}
security: [{key: []}]
paths:
  /things:
    get: {operationId: things, responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: file}}}}}}, '400': {description: d}}}
  /things#web:
    get:
      operationId: webThings
      parameters: [{name: fields, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: web}}}}}}, '400': {description: d}, '401': {description: d}}
  /list:
    get:
      operationId: list
      security: []
      parameters: [{name: marker, in: query, schema: {type: string}, example: JV9I}, {name: order, in: query, schema: {type: string}, example: asc}]
      responses: {'200': {description: d}, '400': {description: d}}
`

// A service that follows the other operation of the same path keeps the contract too.
func TestTwinsAreNotHeldAgainst(t *testing.T) {
	c, err := openapi.Load([]byte(fragments))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range catalogue.Rules {
		if r.Level.Fails() && (strings.HasPrefix(r.ID, "webThings.refused") || strings.HasPrefix(r.ID, "webThings.credential")) {
			t.Errorf("%s is a %s", r.ID, r.Level)
		}
	}
	for body, findings := range map[string]int{`{"type":"file"}`: 0, `{"type":"web"}`: 0, `{"type":"none"}`: 1} {
		judged := p.Response(&spec.Exchange{Operation: "webThings", Request: spec.Request{Method: "GET", URL: "http://h/things"}, Response: &spec.Response{
			Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: spec.Bytes(body),
		}})
		if len(judged.Findings) != findings {
			t.Errorf("%s: %d findings, want %d", body, len(judged.Findings), findings)
		}
	}
}

// A document's example of a position in a list belongs to another service.
func TestCursorsAreNotMadeUp(t *testing.T) {
	c, err := openapi.Load([]byte(fragments))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range p.Features(catalogue) {
		text += f.Content
	}
	if !strings.Contains(text, `order is "asc", the example`) || strings.Contains(text, `marker is "JV9I"`) {
		t.Error("what is asked of the example of an order, and not of that of a marker, is not so:\n" + text)
	}
}

// A header of the connection is gone before a client sees the response, and HTTP/2 has none.
func TestHeadersOfTheConnectionAreNotJudged(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/export: {get: {operationId: export,
	  responses: {"200": {description: All, headers: {Transfer-Encoding: {required: true, schema: {type: string, enum: [chunked]}}, X-Total: {required: true, schema: {type: integer}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	judged := promise.Of(c, 1, 60).Response(&spec.Exchange{Operation: "export", Request: spec.Request{Method: "GET", URL: "http://h/export"}, Response: &spec.Response{Status: 200, Header: http.Header{}}})
	if len(judged.Findings) != 1 || judged.Findings[0].Header != "X-Total" {
		t.Errorf("findings %+v, want one about X-Total", judged.Findings)
	}
}

// A PUT that documents a 201 may create what its path names, whatever the form of the name is.
func TestWhatMayBeCreatedIsNotMissing(t *testing.T) {
	for answers, asked := range map[string]bool{
		`"200": {description: Done}, "404": {description: None}`:                             true,
		`"200": {description: Done}, "201": {description: Made}, "404": {description: None}`: false,
	} {
		text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {"/books/{id}": {put: {operationId: put,
		  parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
		  requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {`+answers+`}}}}}`)
		if got := strings.Contains(text, "id belongs to nothing"); got != asked {
			t.Errorf("with %s: asked for what names nothing is %v", answers, got)
		}
	}
}

// A list without pages is read before others fill it; one that can be read to its end, afterwards.
func TestWhenAListIsLookedAt(t *testing.T) {
	for parameters, phase := range map[string]string{
		`{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}`:                                                                 "@phase:first @at-once",
		`{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}`: "@phase:stocked",
		``: "@phase:first @at-once",
	} {
		text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
  /things: {
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
      responses: {"201": {description: Added, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}},
    get: {operationId: list, parameters: [`+parameters+`],
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}},
  "/things/{id}": {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}}}},
  components: {schemas: {Thing: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`)
		_, after, _ := strings.Cut(text, "  @rule:add.created.listed ")
		before, _, found := strings.Cut(after, "Scenario: what is created is listed")
		if !found || !strings.Contains(before, phase+"\n") {
			t.Errorf("[%s]: the tags of the scenario are not %s:\n%s", parameters, phase, before)
		}
	}
}

// Null in the enum of a text that is not nullable may be refused or accepted: neither is reported.
func TestNullInTheEnumOfATextIsInDoubt(t *testing.T) {
	text := features(t, `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/things: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {
	  type: object, required: [kind], properties: {kind: {type: string, enum: [a, b, null]}}}}}}, responses: {"201": {description: Added}, "400": {description: Wrong}}}}}}`)
	for _, rule := range []string{"add.accepted", "add.refused.property"} {
		_, section, _ := strings.Cut(text, "@rule:"+rule+" ")
		section, _, _ = strings.Cut(section, "\n  @rule:")
		if section == "" || strings.Contains(section, "null") {
			t.Errorf("%s is asked with null:\n%s", rule, section)
		}
	}
}
