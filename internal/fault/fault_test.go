package fault_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// bookshop returns the faults of the bookshop's contract, and its rules.
func bookshop(t *testing.T) ([]fault.Fault, *spec.Catalogue) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "bookshop", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return faults(t, text)
}

// faults returns the faults of a contract, and its rules.
func faults(t *testing.T, text []byte) ([]fault.Fault, *spec.Catalogue) {
	t.Helper()
	c, err := openapi.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return fault.Of(c, p, catalogue), catalogue
}

// Each fault has a unique name, rules of the catalogue that require something, and makes sense; the same contract
// gives the same faults.
func TestFaultsOfAContract(t *testing.T) {
	all, catalogue := bookshop(t)
	again, _ := bookshop(t)
	plain := regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	known, operators := map[string]bool{}, map[string]bool{}
	for i, f := range all {
		if known[f.Name] || !plain.MatchString(f.Name) || !strings.HasPrefix(f.Name, f.Operation+"."+f.Operator) || again[i].Name != f.Name {
			t.Errorf("%s: the name is not its own, or another one next time: %s", f.Name, again[i].Name)
		}
		known[f.Name], operators[f.Operator] = true, true
		if _, err := f.Mutation.Middleware(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		for _, id := range f.Rules {
			if r, ok := catalogue.Rule(id); !ok || r.Level == spec.Open {
				t.Errorf("%s breaks %s, of which the catalogue says nothing that has to be", f.Name, id)
			}
		}
		if !strings.HasSuffix(f.Says, ".") {
			t.Errorf("%s: %q is no sentence", f.Name, f.Says)
		}
	}
	for _, operator := range []string{
		"status", "sometimes", "no-header", "header", "media-type", "dropped", "renamed", "null", "retyped", "deep", "enum", "bounds", "repeats", "loses", "ignores",
		"unlisted", "stale", "lost-update", "not-deleted", "still-listed", "lost", "same-id", "other", "cut-text", "off-by-one", "lenient", "strict", "credential", "key", "condition", "tag",
	} {
		if !operators[operator] {
			t.Errorf("no fault is made by %s", operator)
		}
	}
	if missing := rulesWithout(all, catalogue); len(missing) > 0 {
		t.Logf("rules that no fault breaks: %q", missing)
	}
}

// rulesWithout returns the kinds of rules that no fault is listed by.
func rulesWithout(all []fault.Fault, catalogue *spec.Catalogue) []string {
	broken := map[string]bool{}
	for _, f := range all {
		for _, id := range f.Rules {
			broken[id] = true
		}
	}
	var missing []string
	for _, r := range catalogue.Rules {
		if r.Level != spec.Open && !broken[r.ID] && !slices.Contains(missing, r.Cases[0]) {
			missing = append(missing, r.Cases[0])
		}
	}
	return missing
}

// What no rule forbids is not a fault.
func TestNoFaultBreaksNothing(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
	  "/numbers/{n}": {get: {operationId: number, parameters: [
	    {name: n, in: path, required: true, schema: {type: integer, format: int32}}, {name: cursor, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}],
	    responses: {"200": {description: Read}, "400": {description: Wrong}, "404": {description: None}, default: {description: Else}}}},
	  "/notes/{id}": {put: {operationId: write, parameters: [{name: id, in: path, required: true, schema: {type: string}}],
	    requestBody: {required: true, content: {application/json: {schema: {type: object}}}}, responses: {"204": {description: Written}, "404": {description: None}}}}}}`
	all, _ := faults(t, []byte(document))
	there := map[string]bool{}
	for _, f := range all {
		there[f.Name] = true
	}
	for name, want := range map[string]bool{
		"number.lenient.query-limit-parameter":  true,
		"number.lenient.query-cursor-parameter": false, // any text will do
		"number.status.200-as-203":              false, // the default documents it
		"write.status.204-as-203":               true,
		"write.status.404-as-409":               false, // the request may conflict with existing data
		"write.status.404-as-451":               true,
	} {
		if there[name] != want {
			t.Errorf("%s is there: %v", name, there[name])
		}
	}
}

// uploads describes what other documents here do not: a header of a part, a scope, and a status in an error.
const uploads = `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {"/files": {post: {operationId: upload, security: [{login: [write]}],
  requestBody: {required: true, content: {multipart/form-data: {
    schema: {type: object, required: [file], properties: {file: {type: string}}},
    encoding: {file: {headers: {X-Sum: {required: true, schema: {type: integer, minimum: 1}}}}}}}},
  responses: {"201": {description: Kept}, "401": {description: Who}, "403": {description: No},
    "400": {description: Wrong, content: {application/json: {schema: {type: object, required: [code], properties: {code: {type: integer, description: The HTTP status code.}}}}}}}}}},
  components: {securitySchemes: {login: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {write: Write}}}}}}}`

// doors describes an action on a resource, and bytes that are stored.
const doors = `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
  /doors: {post: {operationId: add, responses: {"201": {description: Added, content: {application/json: {schema: {$ref: "#/components/schemas/Door"}}}}}}},
  "/doors/{doorId}": {get: {operationId: read, parameters: [{name: doorId, in: path, required: true, schema: {type: integer}}],
    responses: {"200": {description: Read, content: {application/json: {schema: {$ref: "#/components/schemas/Door"}}}}}}},
  "/doors/{doorId}/plan": {
    put: {operationId: draw, parameters: [{name: doorId, in: path, required: true, schema: {type: integer}}],
      requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}, responses: {"204": {description: Stored}}},
    get: {operationId: plan, parameters: [{name: doorId, in: path, required: true, schema: {type: integer}}],
      responses: {"200": {description: The plan, content: {application/octet-stream: {schema: {type: string, format: binary}}}}}}},
  "/doors/{doorId}/lock": {post: {operationId: lock, parameters: [{name: doorId, in: path, required: true, schema: {type: integer}}],
    responses: {"200": {description: Locked, content: {application/json: {schema: {$ref: "#/components/schemas/Door"}}}}}}}},
  components: {schemas: {Door: {type: object, required: [id, locked], properties: {id: {type: integer}, locked: {type: boolean}}}}}}`

// sayings is a contract that says in sentences in which order it lists, what is unique, and what lies above something else.
const sayings = `{openapi: 3.1.0, info: {title: Rooms, version: "1"}, paths: {
  /rooms: {
    get: {operationId: list, summary: "List rooms, the most recently added first", responses: {"200": {description: Rooms, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Room"}}}}}}},
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}, responses: {
      "201": {description: Added, content: {application/json: {schema: {$ref: "#/components/schemas/Room"}}}}, "400": {description: Wrong}, "409": {description: A room with this name already exists.}}}},
  "/rooms/{id}": {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {
      "200": {description: The room, content: {application/json: {schema: {$ref: "#/components/schemas/Room"}}}}, "404": {description: None}}}}},
  components: {schemas: {
    New: {type: object, required: [name, opens, closes], properties: {name: {type: string, maxLength: 80}, opens: {type: integer, minimum: 0, maximum: 23}, closes: {type: integer, minimum: 1, maximum: 24, description: Must be later than opens.}}},
    Room: {allOf: [{$ref: "#/components/schemas/New"}, {type: object, required: [id, created], properties: {id: {type: integer}, created: {type: string, format: date-time, readOnly: true}}}]}}}}`

// Each kind of rule has a fault that breaks it, in one document or another, or a reason why none is made.
func TestEachKindHasAFault(t *testing.T) {
	without := map[promise.Kind]string{
		promise.ErrorMediaType: "the same change as for media-type; the rule takes its place where a document of Swagger 2 cannot say more",
		promise.AsRead:         "a list would have to show the members of other items, which the variants of examples/bookshop do",
		promise.BodyExtended:   "a proxy cannot tell which extension of JSON made the service refuse a body, and the rule is a should",
	}
	documents := [][]byte{[]byte(uploads), []byte(doors), []byte(sayings)}
	for _, pattern := range []string{"../../examples/*/openapi.yaml", "../../tests/shop/*.yaml"} {
		files, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, text)
		}
	}
	broken := map[promise.Kind]bool{}
	for _, text := range documents {
		all, _ := faults(t, text)
		for _, f := range all {
			for _, id := range f.Rules {
				_, kind, _ := strings.Cut(id, ".")
				broken[promise.Kind(kind).Base()] = true
			}
		}
	}
	for _, kind := range promise.Kinds() {
		if reason := without[kind]; broken[kind] == (reason != "") {
			t.Errorf("%s is broken by a fault: %v; the reason for none is %q", kind, broken[kind], reason)
		}
	}
}

// A format that the rules file asserts can be broken in responses, and passed over in requests.
func TestFaultsOfAssertedFormats(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/notes: {post: {operationId: write,
	  parameters: [{name: link, in: query, schema: {type: string, format: uri}}],
	  requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {mail: {type: string, format: email}}}}}},
	  responses: {"200": {description: Written, content: {application/json: {schema: {type: object, properties: {mail: {type: string, format: email}}}}}}, "400": {description: Wrong}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		if all {
			c = c.AssertingFormats()
		}
		p := promise.Of(c, 1, 0)
		catalogue, err := p.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for _, f := range fault.Of(c, p, catalogue) {
			names[f.Name] = f.Mutation.Value
		}
		if value, ok := names["write.format.200-mail"]; ok != all || all && value != `"not-an-email"` {
			t.Errorf("asserted %v: a response with %s", all, value)
		}
		for _, name := range []string{"write.lenient.mail-text", "write.lenient.query-link-parameter"} {
			if _, ok := names[name]; ok != all {
				t.Errorf("asserted %v: %s is there: %v", all, name, ok)
			}
		}
		if t.Failed() {
			t.Log(slices.Sorted(maps.Keys(names)))
		}
	}
}

// A PUT without a body changes nothing that can be left out, merged or appended.
func TestFaultsOfAChangeWithoutABody(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
	  /notes: {post: {operationId: write, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}},
	    responses: {"201": {description: Written, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}}},
	  "/notes/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
	    get: {operationId: read, responses: {"200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}, "404": {description: None}}},
	    put: {operationId: sign, responses: {"200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}, "404": {description: None}}}}},
	  components: {schemas: {Note: {type: object, required: [id], properties: {id: {type: string}, text: {type: string}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fault.Of(c, p, catalogue) {
		if f.Operation == "sign" && f.Operator == "unmerged" {
			t.Errorf("%s: it has no body", f.Name)
		}
	}
}
