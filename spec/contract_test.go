package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

func TestOperationsOfTheDefaultContract(t *testing.T) {
	var got []string
	for _, op := range petstoretest.Contract(t).Operations() {
		line := op.ID + ": " + op.Method + " " + op.Path
		for _, p := range op.Parameters {
			line += fmt.Sprintf(", %s in %s", p.Name, p.In)
		}
		for _, a := range op.Responses {
			line += fmt.Sprintf(", %d %s %s", a.Status, a.Pointer, strings.Join(a.Via, " "))
		}
		got = append(got, line)
	}
	want := []string{
		"listPets: GET /pets, limit in query, status in query, 200 /paths/~1pets/get/responses/200 ," +
			" 401 /paths/~1pets/get/responses/401 /components/responses/Unauthorized",
		"createPet: POST /pets, 201 /paths/~1pets/post/responses/201 , 400 /paths/~1pets/post/responses/400 ," +
			" 401 /paths/~1pets/post/responses/401 /components/responses/Unauthorized",
		"getPet: GET /pets/{petId}, petId in path, 200 /paths/~1pets~1{petId}/get/responses/200 ," +
			" 401 /paths/~1pets~1{petId}/get/responses/401 /components/responses/Unauthorized," +
			" 404 /paths/~1pets~1{petId}/get/responses/404 ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDetailsOfTheDefaultContract(t *testing.T) {
	c := petstoretest.Contract(t)
	list, _ := c.Operation("listPets")
	limit := list.Parameters[0].Schema
	if limit.Minimum != "1" || limit.Maximum != "100" || limit.Default != "20" || limit.Type != "integer" {
		t.Errorf("limit: %+v", limit)
	}
	status := list.Parameters[1]
	if diff := cmp.Diff([]string{`"available"`, `"pending"`, `"sold"`}, status.Schema.Enum); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/paths/~1pets/get/parameters/1/schema", "/components/schemas/PetStatus"}, status.Chain()); diff != "" {
		t.Error(diff)
	}
	if l := list.Responses[0].Links; len(l) != 1 || l[0].Operation != "getPet" || l[0].Parameters["petId"] != "/0/id" {
		t.Errorf("links: %+v", l)
	}
	if diff := cmp.Diff([]spec.Requirement{{{
		Name: "apiKey", Type: "http", Scheme: "bearer", Pointer: "/security", SchemePointer: "/components/securitySchemes/apiKey",
	}}}, list.Security); diff != "" {
		t.Error(diff)
	}

	create, _ := c.Operation("createPet")
	if b := create.Body; b == nil || !b.Required || b.JSON().Type != "application/json" || b.Pointer != "/paths/~1pets/post/requestBody" {
		t.Errorf("body: %+v", b)
	}
	name := create.Body.Schema().Property("name")
	if !name.Required || name.RequiredPointer != "/components/schemas/NewPet/required/0" {
		t.Errorf("name: %+v", name)
	}
	newStatus := create.Body.Schema().Property("status")
	if newStatus.Required || newStatus.RequiredPointer != "" {
		t.Errorf("status: %+v", newStatus)
	}
	want := []string{
		"/paths/~1pets/post/requestBody/content/application~1json/schema",
		"/components/schemas/NewPet",
		"/components/schemas/NewPet/properties/status",
		"/components/schemas/PetStatus",
	}
	if diff := cmp.Diff(want, newStatus.Chain(create.Body.JSON().Chain()...)); diff != "" {
		t.Error(diff)
	}

	get, _ := c.Operation("getPet")
	if day := time.Date(2030, 12, 5, 0, 0, 0, 0, time.UTC); !get.Deprecated || !get.Sunset.Equal(day) {
		t.Errorf("deprecated %v, sunset %v", get.Deprecated, get.Sunset)
	}
	if c.Version() != "1.0.0" || c.Title() != "Petstore" || !strings.HasPrefix(c.Digest(), "sha256:") || len(c.Digest()) != 71 {
		t.Errorf("version %q, title %q, digest %q", c.Version(), c.Title(), c.Digest())
	}
	if get.ResponseFor(404) == nil || get.ResponseFor(418) != nil {
		t.Error("the responses of getPet cannot be found by their statuses")
	}
}

func TestMatch(t *testing.T) {
	c := petstoretest.Contract(t)
	tests := map[string]string{
		"GET /pets": "listPets", "POST /pets": "createPet", "GET /pets/41": "getPet", "GET /pets/-1": "getPet",
		"GET /pets/a%2Fb": "getPet", "GET /%70ets": "listPets", "GET /pets/x?": "getPet",
		"GET /pets/": "", "GET /pets/1/2": "", "GET pets": "", "HEAD /pets": "", "get /pets": "", "DELETE /pets/1": "",
		"GET /store/orders": "", "GET /": "", "GET ": "", "GET /Pets": "", "GET //pets": "", "GET /%zz": "", "GET /pets/41/": "",
	}
	for request, want := range tests {
		method, path, _ := strings.Cut(request, " ")
		got := ""
		if op, ok := c.Match(method, path); ok {
			got = op.ID
		}
		if got != want {
			t.Errorf("%s is for %q, want %q", request, got, want)
		}
	}
}

func TestMatchReadsSeveralParametersInASegment(t *testing.T) {
	var paths strings.Builder
	for _, path := range []string{"/files/{name}.{format}", "/files/{name}", "/files/{name}.json", "/v{major}/{a}:{b}", "/x/{a}{b}", "/q/{a}?type=b", "/a/{x},{y},{z}/end"} {
		fmt.Fprintf(&paths, "  %q:\n    get: {operationId: %q, responses: {'204': {description: none}}}\n", path, path)
	}
	c := contractFrom(t, "openapi: 3.1.0\ninfo: {title: Things, version: 1.0.0}\npaths:\n"+paths.String())
	for path, want := range map[string]string{
		"/files/report.pdf": "/files/{name}.{format}", "/files/report": "/files/{name}", "/files/a.b.c": "/files/{name}.{format}",
		"/files/report.json": "/files/{name}.json", "/files/.pdf": "/files/{name}", "/files/a.": "/files/{name}", "/files/%2Epdf": "/files/{name}",
		"/v1/x:y": "/v{major}/{a}:{b}", "/v1/x": "", "/v/x:y": "", "/v1/:y": "", "/x/ab": "/x/{a}{b}", "/x/a": "", "/q/7": "/q/{a}?type=b",
		"/a/1,2,3/end": "/a/{x},{y},{z}/end", "/a/1,2/end": "", "/a/1,,3/end": "", "/a/1,2,3,4/end": "/a/{x},{y},{z}/end",
	} {
		got := ""
		if op, ok := c.Match("GET", path); ok {
			got = op.ID
		}
		if got != want {
			t.Errorf("%s is for %q, want %q", path, got, want)
		}
	}
}

func TestServersHaveABasePath(t *testing.T) {
	for url, want := range map[string]string{
		"https://api.example.com/v2/": "/v2", "https://api.example.com": "", "/v1": "/v1", "/": "", "https://{host}/{base}/x": "/api/v3/x",
		"{scheme}://h/a b": "", "": "", ":": "", "//h/p": "/p", "{none}/api": "/api",
	} {
		s := spec.Server{URL: url, Variables: map[string]string{"host": "h.example.com", "base": "api/v3", "none": ""}}
		if got := s.BasePath(); got != want {
			t.Errorf("%q has the base path %q, want %q", url, got, want)
		}
	}
}

func TestMatchPrefersPlainText(t *testing.T) {
	c := contractFrom(t, `openapi: 3.1.0
info: {title: Things, version: 1.0.0}
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: none}}
  /things/latest:
    get:
      operationId: getLatest
      responses: {'204': {description: none}}
`)
	for path, want := range map[string]string{"/things/latest": "getLatest", "/things/7": "getThing"} {
		if op, ok := c.Match("GET", path); !ok || op.ID != want {
			t.Errorf("%s is for %v, want %s", path, op, want)
		}
	}
}

func TestLines(t *testing.T) {
	c := petstoretest.Contract(t)
	lines := strings.Split(petText(t), "\n")
	for pointer, text := range map[string]string{
		"/info/version":                         "  version: 1.0.0",
		"/components/schemas/PetStatus/enum":    "      enum: [available, pending, sold]",
		"/components/schemas/Pet":               "    Pet:",
		"/components/schemas/Pet/properties/id": "        id:",
		"/paths/~1pets~1{petId}/get/deprecated": "      deprecated: true",
		"/servers/1":                            "  - url: '{staging_base_url}'",
	} {
		if n := c.Line(pointer); n == 0 || lines[n-1] != text {
			t.Errorf("%s is in line %d", pointer, n)
		}
		if !c.Exists(pointer) {
			t.Errorf("%s does not exist", pointer)
		}
	}
	for _, pointer := range []string{"/nowhere", "/components/schemas/Pe", "/servers/2", "info"} {
		if c.Line(pointer) != 0 || c.Exists(pointer) {
			t.Errorf("%s exists", pointer)
		}
	}
}
