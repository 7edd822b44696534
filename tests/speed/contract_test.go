//go:build unix

package speed

import (
	"encoding/json"
	"fmt"
)

// object is one of JSON.
type object = map[string]any

// perResource is how many operations each resource of a made contract has.
const perResource = 5

// contract makes an OpenAPI document with that many operations: resources that can be created, listed, read, replaced and deleted,
// with fields as interfaces of businesses have them. They differ in what they require, bound and filter by.
func contract(operations int) ([]byte, error) {
	if operations%perResource != 0 {
		return nil, fmt.Errorf("%d operations are no whole number of resources; each has %d", operations, perResource)
	}
	paths, schemas := object{}, object{"Error": object{
		"type": "object", "required": []string{"message"}, "properties": object{"message": object{"type": "string"}},
	}}
	for i := range operations / perResource {
		name := fmt.Sprintf("%s%03d", []string{"order", "invoice", "parcel", "ticket", "contact"}[i%5], i)
		schemas[name], schemas[name+"-input"] = shown(i), input(i)
		list, one := operationsOf(name, i)
		paths["/"+name+"s"], paths["/"+name+"s/{id}"] = list, one
	}
	return json.MarshalIndent(object{
		"openapi":  "3.1.0",
		"info":     object{"title": fmt.Sprintf("%d operations", operations), "version": "1"},
		"security": []object{{"key": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas":         schemas,
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer"}},
		},
	}, "", " ")
}

// fields are those of resource number i that clients send.
func fields(i int) object {
	return object{
		"name":   object{"type": "string", "minLength": 1, "maxLength": 40 + i%50},
		"state":  object{"type": "string", "enum": []string{"draft", "open", "closed"}[:2+i%2]},
		"amount": object{"type": "integer", "minimum": 0, "maximum": 1000 + i},
		"due":    object{"type": "string", "format": "date"},
		"tags":   object{"type": "array", "maxItems": 5, "items": object{"type": "string", "maxLength": 20}},
		"address": object{"type": "object", "required": []string{"city"}, "properties": object{
			"city": object{"type": "string", "minLength": 1}, "code": object{"type": "string", "pattern": "^[0-9]{5}$"},
		}},
	}
}

func required(i int) []string { return []string{"name", "state", "amount"}[:1+i%3] }

func input(i int) object {
	return object{"type": "object", "additionalProperties": false, "required": required(i), "properties": fields(i)}
}

func shown(i int) object {
	all := fields(i)
	all["id"] = object{"type": "integer", "format": "int64", "readOnly": true}
	return object{"type": "object", "required": append([]string{"id"}, required(i)...), "properties": all}
}

// operationsOf returns the path items of a collection and of one of it.
func operationsOf(name string, i int) (list, one object) {
	schema := func(ref string) object {
		return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + ref}}}
	}
	says := func(what, ref string) object { return object{"description": what, "content": schema(ref)} }
	refused := func(responses object, statuses ...string) object {
		for _, status := range append(statuses, "401") {
			responses[status] = says("refused", "Error")
		}
		return responses
	}
	body := object{"required": true, "content": schema(name + "-input")}
	filters := []object{{"name": "limit", "in": "query", "schema": object{"type": "integer", "minimum": 1, "maximum": 100}}}
	if i%2 == 0 {
		filters = append(filters, object{"name": "state", "in": "query", "schema": fields(i)["state"]})
	}
	list = object{
		"get": object{"operationId": "list-" + name, "parameters": filters, "responses": refused(object{"200": object{
			"description": "all", "content": object{"application/json": object{"schema": object{
				"type": "array", "items": object{"$ref": "#/components/schemas/" + name},
			}}},
		}}, "400")},
		"post": object{"operationId": "create-" + name, "requestBody": body, "responses": refused(object{"201": says("created", name)}, "400")},
	}
	one = object{
		"parameters": []object{{"name": "id", "in": "path", "required": true, "schema": object{"type": "integer", "format": "int64"}}},
		"get":        object{"operationId": "read-" + name, "responses": refused(object{"200": says("it", name)}, "404")},
		"put":        object{"operationId": "replace-" + name, "requestBody": body, "responses": refused(object{"200": says("replaced", name)}, "400", "404")},
		"delete":     object{"operationId": "delete-" + name, "responses": refused(object{"204": object{"description": "deleted"}}, "404")},
	}
	return list, one
}
