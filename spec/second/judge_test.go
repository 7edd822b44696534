package second

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// The second judge is not consulted about findings that rest on no schema.
func TestQuestions(t *testing.T) {
	answered := func(status int, statuses ...int) *spec.Exchange {
		ex := sent("", "", status, "{}")
		ex.Expect.Statuses = statuses
		return ex
	}
	schema := spec.Rule{Contract: []string{"/components/schemas/Pet"}}
	access := spec.Rule{Contract: []string{"/security"}}
	for _, tt := range []struct {
		name string
		f    spec.Finding
		rule spec.Rule
		ex   *spec.Exchange
		want question
	}{
		{"a body", found(spec.KindType, "/n"), schema, answered(200), aboutResponse},
		{"a media type", spec.Finding{Kind: spec.KindMissing, Header: "Content-Type", Contract: "/paths/~1a/get/responses/200/content"}, schema, answered(200), none},
		{"a general standard", found(spec.KindForbidden, "/n"), spec.Rule{Source: "RFC 9457"}, answered(200), none},
		{"a lost resource", spec.Finding{Kind: spec.KindLost}, schema, answered(404, 200), none},
		{"how many there are", spec.Finding{Kind: spec.KindTooLarge, Contract: "/paths/~1a/get/parameters/0"}, schema, answered(200), none},
		{"no response", found(spec.KindType, ""), schema, &spec.Exchange{Operation: "op"}, none},
		{"refused", spec.Finding{Kind: spec.KindStatus}, schema, answered(400, 200), aboutRefusal},
		{"not found", spec.Finding{Kind: spec.KindStatus}, schema, answered(404, 200), none},
		{"not let in", spec.Finding{Kind: spec.KindStatus}, schema, answered(401, 200), none},
		{"another refusal", spec.Finding{Kind: spec.KindStatus}, schema, answered(422, 400), none},
		{"a server error", spec.Finding{Kind: spec.KindStatus}, schema, answered(500, 200), none},
		{"accepted", spec.Finding{Kind: spec.KindStatus}, schema, answered(201, 400), aboutAcceptance},
		{"let in", spec.Finding{Kind: spec.KindStatus}, access, answered(200, 401), none},
		{"an unknown id", spec.Finding{Kind: spec.KindStatus}, schema, answered(200, 404), none},
		{"accepted, derived", spec.Finding{Kind: spec.KindStatus}, bodyRule, answered(200), aboutAcceptance},
		{"refused, derived", spec.Finding{Kind: spec.KindStatus}, acceptedRule, answered(422), aboutRefusal},
	} {
		if got := questionOf(tt.f, tt.rule, tt.ex); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// It cannot tell what it does not judge, and says why.
func TestCannotTell(t *testing.T) {
	plain := contractOf(t, "3.0.3", "", "", "{type: object}")
	old, err := openapi.Load([]byte("swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {'/things/{id}': {post: {operationId: op, parameters: [{name: id, in: path, required: true, type: string}], responses: {200: {description: d, schema: {type: object}}}}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	cut := sent("", "", 200, "[")
	cut.Response.Size = 9000
	text := sent("", "", 200, "fine")
	text.Response.Header = http.Header{"Content-Type": {"text/plain"}}
	secret := sent("", `"${HALLMARK_CREDENTIAL_NEW_PASSWORD}"`, 200, "{}")
	for _, tt := range []struct {
		name     string
		contract *spec.Contract
		ex       *spec.Exchange
		want     string
	}{
		{"Swagger 2.0", old, sent("", "", 200, "[]"), "not OpenAPI 3"},
		{"text", plain, text, "not JSON"},
		{"a beginning", plain, cut, "only a part of the body was kept"},
		{"a status", plain, sent("", "", 409, "[]"), "the contract does not document the status"},
	} {
		o, _ := New(tt.contract).Opinion(found(spec.KindType, ""), spec.Rule{}, tt.ex)
		if o.Says != spec.Unsettled || o.Reason != tt.want {
			t.Errorf("%s: %+v", tt.name, o)
		}
	}
	o, _ := New(contractOf(t, "3.0.3", "", "{type: string, maxLength: 64}", "{}")).Opinion(spec.Finding{Kind: spec.KindStatus}, bodyRule, secret)
	if o.Says != spec.Unsettled || o.Reason != "a secret in it is masked" {
		t.Errorf("%+v", o)
	}
}

// A fault elsewhere in the body is no agreement, and its message is quoted, made visible and cut.
func TestOpinionIsAboutThePlace(t *testing.T) {
	j := New(contractOf(t, "3.1.0", "", "", "{type: object, properties: {a: {type: string, enum: [\"\\u001b[31m\"]}, b: {type: string}}}"))
	o, _ := j.Opinion(found(spec.KindType, "/b"), spec.Rule{}, sent("", "", 200, `{"a":"x","b":"y"}`))
	if o.Says != spec.Disputed || !strings.HasPrefix(o.Reason, "it finds nothing wrong there, but elsewhere: \"") || strings.ContainsRune(o.Reason, 0x1b) {
		t.Errorf("%+v", o)
	}
	o, _ = j.Opinion(found(spec.KindEnum, "/a"), spec.Rule{}, sent("", "", 200, `{"a":"x","b":"y"}`))
	if o.Says != spec.Agreed {
		t.Errorf("%+v", o)
	}
}

// The headers of a response are judged, too.
func TestOpinionOfHeaders(t *testing.T) {
	c, err := openapi.Load([]byte(`
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, maxLength: 1}}]
    post:
      operationId: op
      responses: {'200': {description: d, headers: {X-Left: {required: true, schema: {type: integer, maximum: 9}}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	j := New(c)
	f := spec.Finding{Kind: spec.KindTooLarge, Header: "x-left", Contract: "/paths/~1things~1{id}/post/responses/200/headers/X-Left/schema/maximum"}
	for value, want := range map[string]spec.Agreement{"10": spec.Agreed, "9": spec.Disputed, "": spec.Agreed} {
		ex := sent("", "", 200, "")
		ex.Response.Header = http.Header{}
		if value != "" {
			ex.Response.Header.Set("X-Left", value)
		}
		o, asked := j.Opinion(f, spec.Rule{}, ex)
		if !asked || o.Says != want {
			t.Errorf("%q: %+v", value, o)
		}
	}
	// The parameters of the path count.
	long := sent("", "", 400, "")
	long.Request.URL = "http://service.test/v1/things/77"
	o, _ := j.Opinion(spec.Finding{Kind: spec.KindStatus}, acceptedRule, long)
	if o.Says != spec.Disputed {
		t.Errorf("%+v", o)
	}
}

// The parameters beside a path's reference count, and take precedence over the referenced ones.
func TestParametersBesideAReference(t *testing.T) {
	c, err := openapi.Load([]byte(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /things/{id}:
    $ref: '#/components/pathItems/Thing'
    parameters:
      - {name: limit, in: query, schema: {type: integer, maximum: 9}}
      - {name: size, in: query, schema: {type: integer, maximum: 99}}
components:
  pathItems:
    Thing:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, maxLength: 1}}
        - {name: size, in: query, schema: {type: integer, maximum: 9}}
      post: {operationId: op, responses: {'200': {description: d}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	j := New(c)
	for query, want := range map[string]spec.Agreement{"?limit=10": spec.Agreed, "?limit=9": spec.Disputed, "?size=10": spec.Disputed, "?size=100": spec.Agreed} {
		o, asked := j.Opinion(spec.Finding{Kind: spec.KindStatus}, parameterRule, sent(query, "", 200, ""))
		if !asked || o.Says != want {
			t.Errorf("%s: %v, %+v", query, asked, o)
		}
	}
	long := sent("", "", 200, "")
	long.Request.URL += "7"
	if o, asked := j.Opinion(spec.Finding{Kind: spec.KindStatus}, parameterRule, long); !asked || o.Says != spec.Agreed {
		t.Errorf("%v, %+v", asked, o)
	}
}

// After a question that took too long, nothing waits for its end.
func TestNothingWaitsForAQuestionThatHangs(t *testing.T) {
	j := New(contractOf(t, "3.0.3", "", "", "{type: object}"))
	j.mu.Lock() // as a question holds it that never ends
	defer j.mu.Unlock()
	j.hangs.Store(true)
	if o, _ := j.Opinion(found(spec.KindType, ""), spec.Rule{}, sent("", "", 200, "[]")); o.Says != spec.Unsettled || !strings.Contains(o.Reason, "took too long") {
		t.Errorf("%+v", o)
	}
}

// References to other files, to places other than components, and circular ones, are included.
func TestReducedDocuments(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"api.yaml": `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /first: {get: {operationId: first, responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [a]}}}}}}}
  /things/{id}:
    post:
      operationId: op
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {$ref: 'more/answers.yaml#/Fine'}}
components: {schemas: {Tree: &tree {type: object, properties: {left: {$ref: '#/components/schemas/Tree'}, leaf: {type: integer}, description: {type: string}}}, Unused: {type: string}}}
`,
		"more/answers.yaml": `
Fine:
  description: d
  content:
    application/json:
      schema:
        type: object
        properties:
          tree: {$ref: '../api.yaml#/components/schemas/Tree'}
          first: {$ref: '../api.yaml#/paths/~1first/get/responses/200/content/application~1json/schema'}
          own: {$ref: '#/Own'}
Own: {type: integer}
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := openapi.LoadFile(filepath.Join(dir, "api.yaml"), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j := New(c)
	for body, pointer := range map[string]string{
		`{"tree":{"left":{"left":{"leaf":"x"}}}}`: "/tree/left/left/leaf", `{"first":{}}`: "/first", `{"own":"x"}`: "/own", `{"tree":{"description":1}}`: "/tree/description",
	} {
		o, _ := j.Opinion(found(spec.KindType, pointer), spec.Rule{}, sent("", "", 200, body))
		if o.Says != spec.Agreed {
			t.Errorf("%s: %+v", body, o)
		}
	}
	if o := j.ResponseStands(sent("", "", 200, `{"tree":{"left":{"leaf":1}},"first":{"a":1},"own":1}`)); o.Says != spec.Agreed {
		t.Errorf("%+v", o)
	}
}

// Schemas that unfold to very many values are not unfolded, and parts that the value does not have are left out of
// large ones.
func TestLargeSchemas(t *testing.T) {
	var text strings.Builder
	text.WriteString("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {'/things/{id}': {post: {operationId: op, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}}}}\ncomponents: {schemas: {\n")
	const deep = 30
	for i := range deep {
		next := "S" + string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10))
		own := "S" + string(rune('0'+i/10)) + string(rune('0'+i%10))
		if i == 0 {
			own = "S0"
		}
		text.WriteString("  " + own + ": {type: object, properties: {a: {$ref: '#/components/schemas/" + next + "'}, b: {$ref: '#/components/schemas/" + next + "'}, n: {type: integer}}},\n")
	}
	text.WriteString("  S30: {type: object}}}\n")
	c, err := openapi.Load([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	j := New(c)
	o, _ := j.Opinion(found(spec.KindType, "/n"), spec.Rule{}, sent("", "", 200, `{"n":"x"}`))
	if o.Says != spec.Agreed {
		t.Errorf("%+v", o)
	}
	o, _ = j.Opinion(found(spec.KindType, "/n"), spec.Rule{}, sent("", "", 200, `{"n":"x","a":{},"b":{}}`))
	if o.Says != spec.Unsettled || !strings.Contains(o.Reason, "too large") {
		t.Errorf("%+v", o)
	}
}

// Long parts are left out, too, if the value does not have them.
func TestLongSchemas(t *testing.T) {
	j := New(contractOf(t, "3.0.3", "", "", "{type: object, properties: {n: {type: integer}, long: {enum: [a, "+strings.Repeat("b", maxBuilt)+"]}}}"))
	o, _ := j.Opinion(found(spec.KindType, "/n"), spec.Rule{}, sent("", "", 200, `{"n":"x"}`))
	if o.Says != spec.Agreed {
		t.Errorf("%+v", o)
	}
	o, _ = j.Opinion(found(spec.KindType, "/n"), spec.Rule{}, sent("", "", 200, `{"n":"x","long":"a"}`))
	if o.Says != spec.Unsettled || !strings.Contains(o.Reason, "too large") {
		t.Errorf("%+v", o)
	}
}

func TestBelow(t *testing.T) {
	for _, tt := range []struct{ address, template, want string }{
		{"http://h/v1/pets?limit=1#x", "/pets", "/pets"},
		{"http://h/v1/pets?limit=1", "/pets", "/pets?limit=1"},
		{"http://h/a/b/pets/%2F", "/pets/{id}", "/pets/%2F"},
		{"http://h/pets/", "/pets/{id}", "/pets/"},
		{"http://h/v1/cats", "/pets", ""},
		{"http://h", "/pets/{id}", ""},
	} {
		got, ok := below(tt.address, tt.template)
		if strings.Contains(tt.address, "#") {
			got, _, _ = strings.Cut(got, "?")
		}
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.address, got, ok)
		}
	}
}
