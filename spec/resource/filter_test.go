package resource_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// listOf returns a contract of things that are created, read and listed, with parameters and other parts of the response of the list.
func listOf(t *testing.T, parameters, headers, envelope string) resource.Life {
	t.Helper()
	const thing = `{type: object, required: [id], properties: {id: {type: integer}, price: {type: number}, name: {type: string}, stars: {type: integer}, kind: {type: string, enum: [a, b]}, tags: {type: array, items: {type: string}}, createdAt: {type: string, format: date-time}}}`
	items := "{type: array, items: {$ref: '#/components/schemas/Thing'}}"
	if envelope != "" {
		items = "{type: object, properties: {items: " + items + ", " + envelope + "}}"
	}
	text := "openapi: 3.1.0\ninfo: {title: t, version: \"1\"}\npaths:\n  /things:\n    get:\n      operationId: list\n      parameters: [" + parameters + "]\n" +
		"      responses: {\"200\": {description: ok, headers: {" + headers + "}, content: {application/json: {schema: " + items + "}}}}\n" +
		"    post:\n      operationId: add\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}\n" +
		"      responses: {\"201\": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}\n" +
		"  /things/{thingId}:\n    parameters: [{name: thingId, in: path, required: true, schema: {type: integer}}]\n    get:\n      operationId: read\n" +
		"      responses: {\"200\": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}\n" +
		"components:\n  schemas:\n    Thing: " + thing + "\n"
	contract, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("add")
	life, ok := resource.LifeOf(resource.Of(contract), op)
	if !ok || life.Lister == nil {
		t.Fatal("the things are not listed")
	}
	return life
}

func TestFilters(t *testing.T) {
	const number, text, date = "schema: {type: number}", "schema: {type: string}", "schema: {type: string, format: date}"
	for parameter, want := range map[string]string{
		"name: minPrice, " + number:                                     "minPrice: price at least",
		"name: price_max, " + number:                                    "price_max: price at most",
		"name: 'price[gte]', " + number:                                 "price[gte]: price at least",
		"name: created_after, " + date:                                  "created_after: createdAt at least",
		"name: createdBefore, " + date:                                  "createdBefore: createdAt at most",
		"name: created_after, " + text:                                  "", // of no known form
		"name: minName, " + text:                                        "", // texts have no order that is beyond doubt
		"name: maxResults, " + number:                                   "", // no member
		"name: max, " + number:                                          "",
		"name: minPrice, schema: {type: boolean}":                       "",
		"name: stars, schema: {type: array, items: {type: integer}}":    "stars: stars one of",
		"name: ids, schema: {type: array, items: {type: integer}}":      "ids: id one of",
		"name: thingIds, schema: {type: array, items: {type: integer}}": "thingIds: id one of",
		"name: ownerIds, schema: {type: array, items: {type: integer}}": "",
		"name: tags, schema: {type: array, items: {type: string}}":      "", // any of them, or all
		"name: ids, schema: {type: array, items: {type: string}}":       "",
		"name: price, style: deepObject, schema: {type: object, properties: {from: {type: number}, unit: {type: string}}}":  "price[from]: price at least",
		"name: filter, style: deepObject, schema: {type: object, properties: {name: {type: string}, size: {type: string}}}": "",
		"name: $, schema: {type: array, items: {type: string}}":                                                             "",
		"name: afterId, schema: {type: integer}":                                                                            "", // a position in the list
		"name: maxPrice, description: In cents., " + number:                                                                 "",
		"name: filter, style: deepObject, schema: {type: object, properties: {kind: {type: string, enum: [a, b]}}}":         "filter[kind]: kind equal",
		"name: options, style: deepObject, schema: {type: object, properties: {name: {type: string}}}":                      "",
	} {
		life := listOf(t, "{in: query, "+parameter+"}", "", "")
		var got []string
		for _, f := range life.Filters(life.Lister.Operation) {
			got = append(got, f.Name()+": "+f.Member+" "+string(f.Relation))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", parameter, got, want)
		}
	}
}

func TestTotal(t *testing.T) {
	for _, c := range []struct {
		header, envelope, name string
		value, body            string
		total                  int64
		shown                  bool
	}{
		{header: "X-Total-Count: {schema: {type: integer}}", name: "X-Total-Count", value: "12", total: 12, shown: true},
		{header: "X-Total-Count: {schema: {type: integer}}", name: "X-Total-Count", value: ""},
		{header: "X-Total-Count: {schema: {type: integer}}", name: "X-Total-Count", value: "many"},
		{header: "X-Total-Count: {schema: {type: integer, description: An estimate.}}"},
		{header: "X-Total-Count: {schema: {type: integer, description: 'The items of this page.'}}"},
		{header: "X-Total-Count: {description: What this page shows., schema: {type: integer}}"},
		{header: "X-Total-Count: {description: How many there are on all pages., schema: {type: integer}}", name: "X-Total-Count", value: "12", total: 12, shown: true},
		{envelope: "total: {type: integer, description: The number of pages.}"},
		{header: "X-Total-Pages: {schema: {type: integer}}"},
		{envelope: "total: {type: integer}", name: "total", body: `{"total": 3.0}`, total: 3, shown: true},
		{envelope: "total: {type: integer}", name: "total", body: `{"total": -1}`},
		{envelope: "total: {type: integer}", name: "total", body: `{"total": null}`},
		{envelope: "total: {type: integer}", name: "total", body: `{"total": 99999999999999999999}`},
		{envelope: "meta: {type: object, properties: {total_count: {type: integer}}}", name: "total_count", body: `{"meta": {"total_count": 0}}`, shown: true},
		{envelope: "total: {type: integer, description: Estimated number of items.}"},
		{envelope: "total: {type: number, description: What all cost.}"},
		{envelope: "count: {type: integer}"},
	} {
		life := listOf(t, "", c.header, c.envelope)
		total, ok := resource.TotalOf(life.Lister.Operation)
		if ok != (c.name != "") || ok && total.Name() != c.name {
			t.Errorf("%s%s: a total: %t", c.header, c.envelope, ok)
		}
		if !ok {
			continue
		}
		body, err := exactjson.Decode([]byte(c.body + " "))
		if c.body != "" && err != nil {
			t.Fatal(err)
		}
		n, shown := total.Of(http.Header{"X-Total-Count": {c.value}}, body.Tree)
		if n != c.total && c.shown || shown != c.shown {
			t.Errorf("%s%s: %s%s is %d, %t", c.header, c.envelope, c.value, c.body, n, shown)
		}
	}
}
