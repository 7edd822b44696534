package bulk

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// nouns name the resources; those beyond get a number.
var nouns = [...]string{
	"account", "address", "article", "asset", "basket", "board", "booking", "budget", "bundle", "campaign", "channel", "claim", "comment",
	"contact", "coupon", "course", "customer", "device", "discount", "domain", "driver", "event", "folder", "group", "invoice", "journey",
	"label", "licence", "location", "message", "notice", "order", "organizationMembership", "parcel", "payment", "project", "refund",
	"schedule", "shipment", "subscription",
}

// noun returns the name of the resource with an index.
func noun(i int) string {
	name := nouns[i%len(nouns)]
	if round := i / len(nouns); round > 0 {
		name += strconv.Itoa(round + 1)
	}
	return name
}

// title returns a name with a capital first letter.
func title(name string) string { return string(name[0]-'a'+'A') + name[1:] }

type object = map[string]any

// document returns an OpenAPI document with that many operations.
func document(operations int) ([]byte, error) {
	paths, schemas := object{}, object{"Error": object{
		"type": "object", "required": []string{"message"}, "properties": object{"message": object{"type": "string"}},
	}}
	for i := 0; operations > 0; i++ {
		operations -= addResource(paths, schemas, noun(i), operations)
	}
	data, err := json.MarshalIndent(object{
		"openapi": "3.1.0", "info": object{"title": "Bulk", "version": "1.0.0"}, "servers": []object{{"url": "https://bulk.example.com/v1"}},
		"paths": paths, "components": object{"schemas": schemas},
	}, "", " ")
	if err != nil {
		return nil, fmt.Errorf("the document cannot be written: %w", err)
	}
	return data, nil
}

// addResource adds the operations of a resource, at most that many, and returns how many there are.
func addResource(paths, schemas object, noun string, most int) int {
	name := title(noun)
	members := func() object {
		return object{
			"name": object{"type": "string", "minLength": 1, "maxLength": 60}, "amount": object{"type": "integer", "minimum": 0, "maximum": 100000},
			"state": object{"type": "string", "enum": []string{"new", "open", "closed"}}, "note": object{"type": "string", "maxLength": 200},
		}
	}
	input, output := members(), members()
	output["id"] = object{"type": "string", "format": "uuid"}
	schemas[name+"Input"] = object{"type": "object", "required": []string{"name", "amount"}, "properties": input}
	schemas[name] = object{"type": "object", "required": []string{"id", "name", "amount"}, "properties": output}
	ref := func(to string) object { return object{"$ref": "#/components/schemas/" + to} }
	content := func(schema object) object { return object{"application/json": object{"schema": schema}} }
	responses := func(status string, schema object, errors ...string) object {
		success := object{"description": "A success."}
		if schema != nil {
			success["content"] = content(schema)
		}
		all := object{status: success}
		for _, e := range errors {
			all[e] = object{"description": "An error.", "content": content(ref("Error"))}
		}
		return all
	}
	body := object{"required": true, "content": content(ref(name + "Input"))}
	id := []object{{"name": "id", "in": "path", "required": true, "schema": object{"type": "string", "format": "uuid"}}}
	limit := []object{{"name": "limit", "in": "query", "schema": object{"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}}
	all, one := "/"+noun+"s", "/"+noun+"s/{id}"
	for i, op := range []struct {
		path, method, id string
		rest             object
	}{
		{all, "get", "list" + name + "s", object{"parameters": limit, "responses": responses("200", object{"type": "array", "items": ref(name)}, "400")}},
		{all, "post", "create" + name, object{"requestBody": body, "responses": responses("201", ref(name), "400")}},
		{one, "get", "get" + name, object{"parameters": id, "responses": responses("200", ref(name), "400", "404")}},
		{one, "put", "replace" + name, object{"parameters": id, "requestBody": body, "responses": responses("200", ref(name), "400", "404")}},
		{one, "delete", "delete" + name, object{"parameters": id, "responses": responses("204", nil, "400", "404")}},
	} {
		if i == most {
			return i
		}
		op.rest["operationId"], op.rest["tags"] = op.id, []string{noun}
		item, known := paths[op.path].(object)
		if !known {
			item = object{}
			paths[op.path] = item
		}
		item[op.method] = op.rest
	}
	return operationsOfAResource
}

const operationsOfAResource = 5
