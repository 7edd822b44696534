package openapi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

func loadFile(t *testing.T, name string) *spec.Contract {
	t.Helper()
	c, err := openapi.LoadFile(filepath.Join("testdata", name), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, name, c)
	return c
}

func operation(t *testing.T, c *spec.Contract, id string) *spec.Operation {
	t.Helper()
	op, ok := c.Operation(id)
	if !ok {
		var ids []string
		for _, op := range c.Operations() {
			ids = append(ids, op.ID)
		}
		t.Fatalf("there is no operation %q; there are %q", id, ids)
	}
	return op
}

// described writes an operation in a few lines, to be compared.
func described(op *spec.Operation) string {
	var b strings.Builder
	for _, p := range op.Parameters {
		fmt.Fprintf(&b, "%s %s %s explode=%v required=%v %s\n", p.In, p.Name, p.Style, p.Explode, p.Required, shape(p.Schema))
	}
	if op.Body != nil {
		for _, m := range op.Body.Content {
			fmt.Fprintf(&b, "body %s required=%v %s\n", m.Type, op.Body.Required, shape(m.Schema))
		}
	}
	for _, a := range op.Responses {
		fmt.Fprintf(&b, "%s", a.Key)
		for _, m := range a.Content {
			fmt.Fprintf(&b, " %s %s", m.Type, shape(m.Schema))
		}
		for _, h := range a.Headers {
			fmt.Fprintf(&b, " %s: %s", h.Name, shape(h.Schema))
		}
		b.WriteString("\n")
	}
	for _, r := range op.Security {
		b.WriteString("security")
		for _, s := range r {
			fmt.Fprintf(&b, " %s=%s %s%s%s", s.Name, s.Type, s.Scheme, s.In, s.Key)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shape writes a schema in a word or two.
func shape(s *spec.Schema) string {
	switch {
	case s == nil:
		return "-"
	case s.Items != nil:
		return "[" + shape(s.Item()) + "]"
	case len(s.Properties) > 0:
		var all []string
		for _, p := range s.Properties {
			mark := "?"
			if p.Required {
				mark = ""
			}
			all = append(all, p.Name+mark+":"+p.Schema.Type+p.Schema.Format)
		}
		return "{" + strings.Join(all, " ") + "}"
	case s.Type == "":
		return "any"
	}
	return s.Type + s.Format
}

func TestSwagger2(t *testing.T) {
	c := loadFile(t, "swagger2.yaml")
	for id, want := range map[string]string{
		"listThings": `query ids form explode=true required=true [integerint64]
query tags pipeDelimited explode=false required=false [string]
header X-Trace simple explode=false required=false string
path shelf simple explode=false required=true string
200 application/json [{id:integerint64 kind?:string}] application/vnd.things+json [{id:integerint64 kind?:string}] X-Total: integer
default application/json {message?:string} application/vnd.things+json {message?:string}
security key=apiKey headerX-Key
security user=http basic
`,
		"postShelvesByShelfThings": `path shelf simple explode=false required=true string
body application/json required=true {id:integerint64 kind?:string}
201 application/json {id:integerint64 kind?:string} application/vnd.things+json {id:integerint64 kind?:string}
security
`,
		"upload things/now": `body multipart/form-data required=true {file:stringbinary note?:string}
200 image/png -
security auth=oauth2  key=apiKey headerX-Key
`,
	} {
		if diff := cmp.Diff(want, described(operation(t, c, id))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if s := c.Servers(); len(s) != 2 || s[0].URL != "https://things.example.com/v2" || s[1].URL != "http://things.example.com/v2" {
		t.Errorf("servers: %+v", s)
	}
	list := operation(t, c, "listThings")
	thing := list.ResponseFor(200).Schema().Item()
	if d := thing.Discriminator; d == nil || d.Property != "kind" || len(d.Mapping) != 1 || d.Mapping[0].Value != "Book" {
		t.Errorf("discriminator: %+v", d)
	}
	if list.ResponseFor(500) == nil || list.ResponseFor(500).Key != "default" || !thing.Property("kind").Schema.Nullable {
		t.Error("the default response or x-nullable is lost")
	}
	if c.OpenAPI() != "2.0" || len(c.Defects()) != 0 || len(c.Omissions()) != 0 {
		t.Errorf("%s: %v, %v", c.OpenAPI(), c.Defects(), c.Omissions())
	}
}

// In OpenAPI 3.0 exclusive bounds are booleans, null is allowed by nullable, and what stands beside a reference is ignored.
func TestOpenAPI30(t *testing.T) {
	c := loadFile(t, "openapi30.yaml")
	s := operation(t, c, "getA").ResponseFor(200).Schema()
	p := func(name string) *spec.Schema { return s.Property(name).Schema }
	if n := p("number"); n.ExclusiveMinimum != "0" || n.Minimum != "" || n.Maximum != "9.50" || n.ExclusiveMaximum != "" || n.Const != "5" {
		t.Errorf("number: %+v", n)
	}
	if n := s.Property("ignored"); n.Schema.Pointer != "/components/schemas/Word" || len(n.Via) != 1 || n.Schema.MaxLength != nil {
		t.Errorf("ignored: %+v", n)
	}
	if n := p("perhaps"); !n.Nullable || n.Ref == nil || n.Ref.Schema.Pointer != "/components/schemas/Word" || n.Simple() {
		t.Errorf("perhaps: %+v", n)
	}
	if n := p("next"); n != s {
		t.Errorf("a schema that refers to itself is read as another: %+v", n)
	}
	if n := p("word"); !n.Nullable || n.Type != "string" || len(n.Enum) != 2 {
		t.Errorf("word: %+v", n)
	}
	want := "/paths/~1a/get/responses/200/content/application~1json/schema /components/schemas/Node " +
		"/components/schemas/Node/properties/ignored /components/schemas/Word"
	if got := strings.Join(s.Property("ignored").Chain(operation(t, c, "getA").ResponseFor(200).JSON().Chain()...), " "); got != want {
		t.Errorf("chain %s", got)
	}
	var left []string
	for _, o := range c.Omissions() {
		left = append(left, fmt.Sprintf("%d %s %v", o.Line, o.What, o.Scope))
	}
	if diff := cmp.Diff([]string{"34 const is ignored before OpenAPI 3.1 [getA]"}, left); diff != "" {
		t.Error(diff)
	}
}

func TestOpenAPI31(t *testing.T) {
	c := loadFile(t, "openapi31.yaml")
	op := operation(t, c, "postByAByBB")
	want := `path a simple explode=false required=true string
path b matrix explode=true required=true string
query filter deepObject explode=true required=false any
query where  explode=false required=false -
cookie session form explode=true required=false string
body application/json required=false {id?:integer kind:string}
body application/x-www-form-urlencoded required=false {id?:integer kind:string}
body text/* required=false -
2XX application/json any
404
default application/problem+json -
security key=apiKey cookiesid token=http bearer
security
`
	if diff := cmp.Diff(want, described(op)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !op.Anonymous() || op.ResponseFor(204).Key != "2XX" || op.ResponseFor(404).Key != "404" || op.ResponseFor(500).Key != "default" || op.ResponseFor(204).Class() != 2 {
		t.Error("requirements or ranges of statuses are not as written")
	}
	s := op.ResponseFor(200).Schema()
	if s.Ref == nil || s.Required[0] != "extra" || len(s.Types) != 0 {
		t.Errorf("a reference with siblings: %+v", s)
	}
	inner := s.Ref.Schema
	if inner.Type != "object" || !inner.Nullable || strings.Join(inner.Types, " ") != "object null" || inner.AdditionalProperties == nil || !inner.AdditionalProperties.Schema.Forbidden {
		t.Errorf("inner: %+v", inner)
	}
	for name, ok := range map[string]bool{
		"const":       inner.Property("a").Schema.Const == `{"x":1.50}`,
		"bounds":      inner.Property("b").Schema.ExclusiveMinimum == "1e2" && inner.Property("b").Schema.MultipleOf == "0.01",
		"prefix":      len(inner.Property("c").Schema.PrefixItems) == 2 && inner.Property("c").Schema.Contains != nil && inner.Property("c").Schema.UniqueItems,
		"conditions":  inner.Property("d").Schema.If != nil && inner.Property("d").Schema.Then != nil && inner.Property("d").Schema.Else != nil,
		"names":       inner.PropertyNames != nil && len(inner.PatternProperties) == 1 && len(inner.DependentRequired["a"]) == 2,
		"unmodelled":  strings.Join(inner.Unmodelled, " ") == "unevaluatedProperties",
		"anything":    inner.Property("e").Schema.Simple() && !inner.Property("e").Schema.Forbidden,
		"oneOf":       len(inner.Property("f").Schema.OneOf) == 2 && len(inner.Property("f").Schema.Discriminator.Mapping) == 2,
		"examples":    len(inner.Property("g").Schema.Examples) == 2 && inner.Property("g").Schema.Examples[1].JSON == "7.0",
		"read only":   inner.Property("h").Schema.ReadOnly && inner.Property("h").Schema.Ref != nil,
		"by anchor":   inner.Property("i").Schema == inner.Property("a").Schema,
		"link by ref": len(op.ResponseFor(200).Links) == 2 && op.ResponseFor(200).Links[0].Operation == "postByAByBB" && op.ResponseFor(200).Links[0].Parameters["a"] == "/id",
		"other link":  op.ResponseFor(200).Links[1].Others["b"] == "$request.path.b" && op.ResponseFor(200).Links[1].Operation == "postByAByBB",
	} {
		if !ok {
			t.Errorf("%s is not as written", name)
		}
	}
	if p := op.Parameters[3]; p.Content == nil || p.Content.Type != "application/json" || p.Content.Schema.Type != "object" {
		t.Errorf("a parameter with a media type: %+v", p)
	}
}

func TestOpenAPI32(t *testing.T) {
	c := loadFile(t, "openapi32.yaml")
	for id, method := range map[string]string{"queryThings": "QUERY", "purgeThings": "PURGE", "linkThings": "link"} {
		if op := operation(t, c, id); op.Method != method || op.Path != "/things" {
			t.Errorf("%s is %s %s", id, op.Method, op.Path)
		}
	}
	if _, there := c.Operation("nameless"); there || !slices.ContainsFunc(c.Defects(), func(d spec.Defect) bool { return strings.Contains(d.Text, "no name") }) {
		t.Errorf("a method with a blank in its name: %+v", c.Defects())
	}
	m := operation(t, c, "queryThings").ResponseFor(200).Content[0]
	if m.Type != "application/jsonl" || m.Item.Schema == nil || m.Item.Schema.Type != "object" || m.Schema != nil {
		t.Errorf("a stream: %+v", m)
	}
}

// A document in several files is read like one in one.
func TestSeveralFiles(t *testing.T) {
	c := loadFile(t, "files/openapi.yaml")
	op := operation(t, c, "getThing")
	if op.Pointer != "paths/thing.yaml#/get" || len(op.Parameters) != 1 || op.Parameters[0].Via[0] != "parameters.yaml#/id" || c.Line(op.Pointer) != 2 {
		t.Errorf("%s in line %d: %+v", op.Pointer, c.Line(op.Pointer), op.Parameters)
	}
	add := operation(t, c, "addThing")
	if add.Pointer != "operations.yaml#/post" || len(add.Parameters) != 1 || add.Body == nil || add.ResponseFor(201) == nil || add.ResponseFor(201).Schema() != add.Body.Schema() {
		t.Errorf("references everywhere: %+v", add)
	}
	s := op.ResponseFor(200).Schema()
	if s.Pointer != "schemas/thing.yaml#" || s.Property("parent").Schema != s || s.Property("tag").Schema.Pointer != "/components/schemas/Tag" {
		t.Errorf("%+v", s)
	}
	if len(c.Defects()) != 1 || c.Defects()[0].File != "schemas/thing.yaml" || c.Defects()[0].Line != 5 || !strings.Contains(c.Defects()[0].Text, "../outside.yaml cannot be followed: no such file") {
		t.Errorf("defects: %+v", c.Defects())
	}
}

func TestSchemasInDataURLs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "api.yaml")
	answer := func(ref string) string {
		return `{get: {responses: {"200": {description: OK, content: {application/json: {schema: {$ref: '` + ref + `'}}}}}}}`
	}
	document := "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a: " + answer(`data:application/json,{"N":{"type":"integer","maximum":3}}#/N`) + "\n  /b: " + answer("data:application/json;base64,!") + "\n"
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := openapi.LoadFile(file, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Operations()[0].ResponseFor(200).Schema(); s == nil || s.Type != "integer" || s.Maximum != "3" {
		t.Errorf("the schema of /a is %+v", s)
	}
	omissions, defects := c.Omissions(), c.Defects()
	const why = "is not valid base64"
	if len(omissions) != 1 || omissions[0].Line != 5 || !strings.Contains(omissions[0].What, why) || len(defects) != 1 || !strings.Contains(defects[0].Text, why) {
		t.Errorf("omissions %+v, defects %+v", omissions, defects)
	}
}

func TestMadeIDs(t *testing.T) {
	for request, want := range map[string]string{
		"GET /pets/{petId}": "getPetsByPetId", "GET /": "getRoot", "POST /a-b/c_d.e/{x}.{y}": "postABCDEByXByY", "DELETE /größe/{a b}": "deleteGrößeByAB",
		"GET /pets/petId": "getPetsPetId",
	} {
		method, path, _ := strings.Cut(request, " ")
		if got := openapi.MadeID(method, path); got != want {
			t.Errorf("%s is called %s, want %s", request, got, want)
		}
	}
	c := mustLoad(t, `{"openapi": "3.0.0", "info": {"version": "1"}, "paths": {
		"/a": {"get": {"operationId": "getB"}, "put": {"operationId": "twice"}}, "/b": {"get": {}}, "/-b": {"get": {}}, "/c": {"put": {"operationId": "twice"}}}}`)
	var ids []string
	for _, op := range c.Operations() {
		ids = append(ids, op.ID)
	}
	if diff := cmp.Diff([]string{"getB", "twice", "putC"}, ids); diff != "" {
		t.Error(diff)
	}
}

// A few lines of a document may stand for a graph without end, or for a tree that is exponential.
func TestGraphsAreReadAsGraphs(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}\ncomponents:\n  schemas:\n")
	n := 20_000
	if skip.RaceDetector {
		n = 2000
	}
	for i := range n {
		fmt.Fprintf(&b, "    S%d: {type: object, properties: {x: {$ref: '#/components/schemas/S%d'}, y: {$ref: '#/components/schemas/S%d'}}}\n", i, (i+1)%n, (i+1)%n)
	}
	c := mustLoad(t, b.String())
	count := 0
	operation(t, c, "getA").ResponseFor(200).Schema().Walk(func(*spec.Schema) { count++ })
	if count != n {
		t.Errorf("%d schemas", count)
	}
}

func BenchmarkLoad(b *testing.B) {
	text, err := os.ReadFile("../petstore/openapi.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openapi.Load(text); err != nil {
			b.Fatal(err)
		}
	}
}
