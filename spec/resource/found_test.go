package resource_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/resource"
)

func TestIdentifier(t *testing.T) {
	const created = "  /pets:\n    post: {operationId: add, "
	for _, test := range []struct {
		name, paths string
		body        any
		location    string
		sent        any
		want        string
	}{
		{"a number", created + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id, map[string]any{"id": json.Number("7")}, "", nil, "7"},
		{"a whole number with a point", created + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id, map[string]any{"id": json.Number("7.0")}, "", nil, "7"},
		{"a Location", created + "responses: {'201': {description: d}}}\n  /pets/{petId}:\n    " + id, nil, "https://a.test/v1/pets/7?x=1", nil, "7"},
		{"a Location that leads elsewhere", created + "responses: {'201': {description: d}}}\n  /pets/{petId}:\n    " + id, nil, "/login/7", nil, ""},
		{"a Location without a segment", created + "responses: {'201': {description: d}}}\n  /pets/{petId}:\n    " + id, nil, "/pets/", nil, ""},
		{"what was sent", created + body + ", responses: {'204': {description: d}}}\n  /pets/{name}:\n    " + text, nil, "", map[string]any{"name": "a b"}, "a b"},
		{"an object", created + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id, map[string]any{"id": map[string]any{}}, "", nil, ""},
		{"nothing", created + answer("201", pet) + "}\n  /pets/{petId}:\n    " + id, []any{}, "", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := contract(t, "paths:\n"+test.paths+"\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n")
			op, _ := c.Operation("remove")
			slot := resource.SlotsOf(op)[0]
			m := resource.Of(c)
			got, ok := m.Creators(slot)[0].Identifier(slot, test.body, test.location, test.sent)
			if ok != (test.want != "") || ok && fmt.Sprint(got) != test.want {
				t.Errorf("it is %v (%v), want %q", got, ok, test.want)
			}
		})
	}
}

func TestConvert(t *testing.T) {
	c := contract(t, "paths:\n  /pets/{petId}:\n    "+id+"\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n")
	op, _ := c.Operation("remove")
	integer := resource.SlotsOf(op)[0].Parameter.Schema
	for _, test := range []struct{ id, want any }{
		{"7", json.Number("7")}, {"0", json.Number("0")}, {"07", "07"}, {"a", "a"}, {"", ""}, {json.Number("7.0"), json.Number("7")},
	} {
		if got := resource.Convert(test.id, integer); got != test.want {
			t.Errorf("%#v is %#v, want %#v", test.id, got, test.want)
		}
	}
}

func TestNaming(t *testing.T) {
	c := contract(t, `paths:
  /pets:
    post:
      operationId: add
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, ownerId: {type: string}, currencyCode: {type: string}, code: {type: string}, title: {type: string, pattern: '^a'}, sku: {allOf: [{type: string, maxLength: 9}, {pattern: '^[A-Z]{4}'}]}, countryCode: {type: string, pattern: '^[A-Z]{2}$'}, email: {type: string, format: email}, label: {type: integer}}}}}}
      responses: {'201': {description: d}}
`)
	op, _ := c.Operation("add")
	var all []string
	for _, p := range resource.Naming(op) {
		all = append(all, p.Name)
	}
	if got := fmt.Sprint(all); got != "[name code email]" {
		t.Errorf("names are %s", got)
	}
	all = nil
	for _, p := range resource.Numbering(op) {
		all = append(all, p.Name)
	}
	if got := fmt.Sprint(all); got != "[title sku]" {
		t.Errorf("numbers are %s", got)
	}
}
