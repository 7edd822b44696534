package resource_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec/resource"
)

// A 404 may be listed for any reason; a parameter is an identifier only if something says so.
func TestNames(t *testing.T) {
	get := func(path, names, missing string) string {
		parameters := ""
		for i, name := range []byte(names) {
			if i > 0 {
				parameters += ", "
			}
			parameters += "{name: " + map[byte]string{'a': "arg1", 'n': "name", 'i': "itemId", 'o': "order", 'v': "value"}[name] + ", in: path, required: true, schema: {type: string}}"
		}
		return "  " + path + ":\n    get: {operationId: get, parameters: [" + parameters + "], responses: {'200': {description: d}, '404': {description: \"" + missing + "\"}}}\n"
	}
	for _, test := range []struct {
		name, paths string
		want        bool
	}{
		{"an argument of a computation", get("/sums/{arg1}/{value}", "av", "Not Found"), false},
		{"a name among arguments", get("/cookie/{name}/{value}", "nv", "Not Found"), false},
		{"a name behind what it is of", get("/zones/{name}", "n", "Not Found"), true},
		{"called like an identifier", get("/look/{itemId}/{value}", "iv", "Not Found"), true},
		{"called like what stands before it", get("/orders/{order}", "o", "Not Found"), true},
		{"the text speaks of it", get("/sums/{arg1}/{value}", "av", "There is no arg1 of that kind"), true},
		{"something changes it", get("/sums/{arg1}", "a", "Not Found") + "    delete: {operationId: remove, parameters: [{name: arg1, in: path, required: true, schema: {type: string}}], responses: {'204': {description: d}}}\n", true},
	} {
		c := contract(t, "paths:\n"+test.paths)
		op, _ := c.Operation("get")
		if got := resource.Names(resource.Of(c), op, op.Parameters[0]); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
