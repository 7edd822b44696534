package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// contract reads a document that begins with paths.
func contract(t *testing.T, paths string) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte("openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\n" + paths))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shown writes a producer in short.
func shown(p resource.Producer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", []string{"created", "chosen", "listed", "shown"}[p.Way], p.Operation.ID)
	for _, s := range p.Path {
		if s.Each {
			b.WriteString("/*")
			continue
		}
		b.WriteString("/" + s.Name)
	}
	if p.Path == nil && p.Sent != nil {
		b.WriteString(" sent /" + p.Sent[0].Name)
	}
	return b.String()
}

// answer is a JSON response in YAML.
func answer(status, schema string) string {
	return "responses: {'" + status + "': {description: d, content: {application/json: {schema: " + schema + "}}}}"
}

const (
	pet  = "{type: object, properties: {id: {type: integer}, name: {type: string}, shelterId: {type: integer}}}"
	body = "requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}"
	id   = "parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]"
	text = "parameters: [{name: name, in: path, required: true, schema: {type: string}}]"
)

func TestProducers(t *testing.T) {
	get := "  get: {operationId: get, " + answer("200", pet) + "}\n"
	for _, test := range []struct {
		name, paths, want string
	}{
		{"the body of a creation", "  /pets:\n    post: {operationId: add, " + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "created add/id"},
		{"a wrapped one", "  /pets:\n    post: {operationId: add, " + answer("200", "{type: object, properties: {status: {type: string}, data: "+pet+"}}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "created add/data/id"},
		{"another path, and a member of the very name", "  /pets:\n    post: {operationId: add, " + answer("200", "{type: object, properties: {petID: {type: integer}}}") + "}\n  /pet/{petId}:\n    " + id + "\n  " + get, "created add/petID"},
		{"another path, and a member of any name", "  /pets:\n    post: {operationId: search, " + answer("200", "{type: object, properties: {id: {type: integer}}}") + "}\n  /pet/{petId}:\n    " + id + "\n  " + get, ""},
		{"a Location alone", "  /pets:\n    post: {operationId: add, responses: {'201': {description: d, headers: {Location: {schema: {type: string}}}}}}\n  /pets/{petId}:\n    " + id + "\n  " + get, "created add"},
		{"a name that the client sends", "  /pets:\n    post: {operationId: add, " + body + ", responses: {'204': {description: d}}}\n  /pets/{name}:\n    " + text + "\n  " + get, "created add sent /name"},
		{"a name that the client chooses", "  /pets/{name}:\n    " + text + "\n    put: {operationId: set, responses: {'200': {description: d}}}\n  " + get, "chosen set"},
		{"an id is the service's to choose", "  /pets/{petId}:\n    parameters: [{name: petId, in: path, required: true, schema: {type: string}}]\n    put: {operationId: set, responses: {'200': {description: d}}}\n  " + get, ""},
		{"unless the document says that it creates", "  /pets/{petId}:\n    parameters: [{name: petId, in: path, required: true, schema: {type: string}}]\n    put: {operationId: set, responses: {'201': {description: d}}}\n  " + get, "chosen set"},
		{"a list", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: array, items: "+pet+"}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "listed list/*/id"},
		{"a page of a list", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: object, properties: {total: {type: integer}, items: {type: array, items: "+pet+"}}}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "listed list/items/*/id"},
		{"a page named for what it holds, two lists", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: object, properties: {errors: {type: array, items: {type: object, properties: {id: {type: integer}}}}, pets: {type: array, items: "+pet+"}}}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "listed list/pets/*/id"},
		{"a list of names", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: array, items: {type: string}}") + "}\n  /pets/{name}:\n    " + text + "\n  " + get, "listed list/*"},
		{"a text is no integer", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: array, items: {type: object, properties: {id: {type: string}}}}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, ""},
		{"a creation before a list", "  /pets:\n    get: {operationId: list, " + answer("200", "{type: array, items: "+pet+"}") + "}\n    post: {operationId: add, " + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "created add/id, listed list/*/id"},
		{"a search by POST creates nothing", "  /pets:\n    post: {operationId: search, " + answer("200", "{type: array, items: "+pet+"}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, ""},
		{"a log-in that shows the user creates no user", "  /login:\n    post: {operationId: login, " + answer("201", "{$ref: '#/components/schemas/Pet'}") + "}\n  /pets/{petId}:\n    " + id + "\n    get: {operationId: get, " + answer("200", "{$ref: '#/components/schemas/Pet'}") + "}\ncomponents: {schemas: {Pet: " + pet + "}}\n", ""},
		{"a creation beside the collection, of the same schema", "  /pets/new:\n    post: {operationId: add, " + answer("201", "{$ref: '#/components/schemas/Pet'}") + "}\n  /pets/{petId}:\n    " + id + "\n    get: {operationId: get, " + answer("200", "{$ref: '#/components/schemas/Pet'}") + "}\ncomponents: {schemas: {Pet: " + pet + "}}\n", "created add/id"},
		{"a creation beside the collection, of another schema", "  /pets/new:\n    post: {operationId: add, " + answer("201", "{$ref: '#/components/schemas/Pet'}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get + "components: {schemas: {Pet: " + pet + "}}\n", ""},
		{"a member of another resource", "  /visits:\n    get: {operationId: visits, " + answer("200", "{type: array, items: {type: object, properties: {petId: {type: integer}}}}") + "}\n  /pets/{petId}:\n    " + id + "\n  " + get, "shown visits/*/petId"},
		{"the same schema elsewhere", "  /favourites:\n    get: {operationId: favourites, " + answer("200", "{type: array, items: {$ref: '#/components/schemas/Pet'}}") + "}\n  /pets/{petId}:\n    " + id + "\n    get: {operationId: get, " + answer("200", "{$ref: '#/components/schemas/Pet'}") + "}\ncomponents: {schemas: {Pet: " + pet + "}}\n", "shown favourites/*/id"},
		{"a link", "  /search:\n    post: {operationId: search, responses: {'200': {description: d, content: {application/json: {schema: {type: object}}}, links: {one: {operationId: get, parameters: {petId: '$response.body#/best/key'}}}}}}\n  /pets/{petId}:\n    " + id + "\n  " + get, "shown search/best/key"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := contract(t, "paths:\n"+test.paths)
			op, ok := c.Operation("get")
			if !ok {
				t.Fatal("there is no operation get")
			}
			var all []string
			for _, p := range resource.Of(c).Producers(resource.SlotsOf(op)[0]) {
				all = append(all, shown(p))
			}
			if got := strings.Join(all, ", "); got != test.want {
				t.Errorf("it comes from %q, want %q", got, test.want)
			}
		})
	}
}

// A client that chooses the name sees what it put, bare or wrapped; it is in doubt what a PUT of something else
// shows.
func TestLivesOfChosenNames(t *testing.T) {
	const (
		label = "{type: object, properties: {name: {type: string}, colour: {type: string}}}"
		other = "{type: object, properties: {job: {type: string}, queue: {type: string}}}"
	)
	wrapped := func(s string) string { return "{type: object, properties: {data: " + s + "}}" }
	for _, test := range []struct {
		name, put, get, want string
	}{
		{"bare", label, label, "colour"},
		{"wrapped", wrapped(label), wrapped(label), "colour"},
		{"wrapped by the PUT alone", wrapped(label), label, "colour"},
		{"something else", wrapped(other), wrapped(label), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := contract(t, "paths:\n  /labels/{name}:\n    "+text+"\n    put: {operationId: set, "+answer("200", test.put)+"}\n    get: {operationId: get, "+answer("200", test.get)+"}\n")
			op, _ := c.Operation("set")
			life, ok := resource.LifeOf(resource.Of(c), op)
			if ok != (test.want != "") {
				t.Fatalf("a life is known: %t", ok)
			}
			if !ok {
				return
			}
			body := map[string]any{"name": "a", "colour": "red"}
			if test.put != label {
				body = map[string]any{"data": body}
			}
			if shown, ok := life.Created(body); !ok || shown[test.want] != "red" {
				t.Errorf("the PUT shows %v", shown)
			}
		})
	}
}

// A nested resource needs its parents first; a circular dependency is never filled.
func TestFillable(t *testing.T) {
	c := contract(t, `paths:
  /shelves:
    post: {operationId: addShelf, `+answer("201", "{type: object, properties: {id: {type: integer}}}")+`}
  /shelves/{shelf}/books:
    parameters: [{name: shelf, in: path, required: true, schema: {type: integer}}]
    post: {operationId: addBook, `+answer("201", "{type: object, properties: {id: {type: integer}}}")+`}
  /shelves/{shelf}/books/{book}:
    parameters: [{name: shelf, in: path, required: true, schema: {type: integer}}, {name: book, in: path, required: true, schema: {type: integer}}]
    delete: {operationId: removeBook, responses: {'204': {description: d}}}
  /rooms/{room}/keys:
    parameters: [{name: room, in: path, required: true, schema: {type: integer}}]
    get: {operationId: keys, `+answer("200", "{type: array, items: {type: object, properties: {roomId: {type: integer}, id: {type: integer}}}}")+`}
  /rooms/{room}/keys/{key}:
    parameters: [{name: room, in: path, required: true, schema: {type: integer}}, {name: key, in: path, required: true, schema: {type: integer}}]
    get: {operationId: key, responses: {'200': {description: d}}}
`)
	m := resource.Of(c)
	for id, want := range map[string]bool{"removeBook": true, "key": false} {
		op, _ := c.Operation(id)
		for _, slot := range resource.SlotsOf(op) {
			if got := m.Fillable(slot); got != want {
				t.Errorf("%s of %s: fillable %v", slot.Key, id, got)
			}
		}
	}
	add, _ := c.Operation("addBook")
	slot, _, ok := m.Creates(add)
	if !ok || slot.Key != "/shelves/{}/books/{}" || m.Remover(*slot) == nil || m.Reader(*slot) != nil {
		t.Errorf("addBook creates %s (%v)", slot.Key, ok)
	}
}

func TestSlots(t *testing.T) {
	str := spec.Edge{Schema: &spec.Schema{Types: []string{"string"}, Type: "string"}}
	op := &spec.Operation{Path: "/a/{x}/b/{y}.{z}/", Parameters: []spec.Parameter{
		{Name: "x", In: "path", Edge: str}, {Name: "y", In: "path", Edge: str}, {Name: "z", In: "path", Edge: str},
	}}
	var all []string
	for _, s := range resource.SlotsOf(op) {
		all = append(all, fmt.Sprintf("%s of %s, whole %v", s.Key, s.Collection, s.Whole))
	}
	if got, want := strings.Join(all, "; "), "/a/{} of /a, whole true; /a/{}/b/{}….{} of /a/{}/b, whole false; /a/{}/b/{}.{}… of /a/{}/b, whole false"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
