package promise_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// judged returns the ids of the rules that a response to the only operation of a document breaks, and whether something in it was not judged.
func judged(t *testing.T, document string, header http.Header, body string) (broken string, hole bool) {
	t.Helper()
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	op := c.Operations()[0]
	out := promise.Of(c, 1, 0).Response(&spec.Exchange{
		Operation: op.ID, Request: spec.Request{Method: op.Method, URL: "http://h" + op.Path},
		Response: &spec.Response{Status: http.StatusOK, Header: header, Body: []byte(body), Size: len(body)},
	})
	var rules []string
	for _, f := range out.Findings {
		rules = append(rules, f.Rule+" "+f.Contract)
	}
	return strings.Join(rules, ", "), len(out.Unjudged) > 0
}

func TestListsInHeadersOfSwagger(t *testing.T) {
	for _, test := range []struct {
		format, value string
		broken        bool
	}{
		{"pipes", "1|2", false}, {"pipes", "1|0", true}, {"pipes", "1,2", true}, {"ssv", "1 2", false}, {"ssv", "1 x", true}, {"tsv", "1\t2", false},
		{"csv", "1, 2", false}, {"csv", "1|2", true}, {"pipes", "1|2|3|4", true},
	} {
		got, _ := judged(t, `{swagger: "2.0", info: {title: T, version: "1"}, paths: {/a: {get: {operationId: read, responses: {"200": {description: It, headers: {
		  X-L: {type: array, collectionFormat: `+test.format+`, maxItems: 3, items: {type: integer, minimum: 1}}}}}}}}}`, http.Header{"X-L": {test.value}}, "")
		if (got != "") != test.broken || test.broken && !strings.HasPrefix(got, "read.headers ") {
			t.Errorf("%s %q: broken is %q", test.format, test.value, got)
		}
	}
}

func TestListsInRequestsOfSwagger(t *testing.T) {
	const lists = `{swagger: "2.0", info: {title: T, version: "1"}, paths: {"/a/{p}": {get: {operationId: read, parameters: [
	  {name: p, in: path, required: true, type: array, collectionFormat: ssv, minItems: 2, items: {type: integer, minimum: 7}},
	  {name: q, in: query, required: true, type: array, collectionFormat: tsv, minItems: 2, items: {type: integer, minimum: 7}},
	  {name: n, in: query, required: true, type: array, collectionFormat: pipes, minItems: 2, items: {type: array, minItems: 2, items: {type: integer, minimum: 7}}},
	  {name: X-H, in: header, required: true, type: array, collectionFormat: pipes, minItems: 2, items: {type: integer, minimum: 7}}],
	  responses: {"200": {description: Read}}}}}}`
	w := plain(t, lists)
	if w.Path != "/a/7%207" || w.Query != "q=7%097&n=7%2C7%7C7%2C7" || w.Header.Get("X-H") != "7|7" {
		t.Errorf("sent is %s?%s with %s", w.Path, w.Query, w.Header.Get("X-H"))
	}
}

// Values that all readers interpret in the same way are sent first.
func TestNoDotsInLabels(t *testing.T) {
	w := plain(t, `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {"/a{at}": {get: {operationId: read, parameters: [
	  {name: at, in: path, required: true, style: label, explode: true, schema: {type: array, minItems: 1, items: {type: number, minimum: 1}}, example: [1.5, 2.5]}],
	  responses: {"200": {description: Read}}}}}}`)
	if w.Path != "/a.1" {
		t.Errorf("sent is %s", w.Path)
	}
}

func TestPartsHaveTheirHeaders(t *testing.T) {
	const content = `{multipart/form-data: {schema: {type: object, required: [page], properties: {page: {type: string, format: binary}, title: {type: string}}},
	  encoding: {page: {contentType: application/octet-stream, headers: {X-Side: {required: true, schema: {type: string, enum: [front, back]}},
	    X-Sizes: {required: true, schema: {type: array, minItems: 2, items: {type: integer, minimum: 7}}}, X-Other: {schema: {type: string}}}}}}}`
	w := plain(t, `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: add, requestBody: {required: true, content: `+content+`}, responses: {"200": {description: Kept}}}}}}`)
	if body := string(w.Body); !strings.Contains(body, "X-Side: front\r\nX-Sizes: 7,7\r\n\r\n") || strings.Contains(body, "X-Other") {
		t.Errorf("sent is %s", body)
	}
	for _, test := range []struct {
		version, fields string
		broken          bool
	}{
		{"3.2.0", "X-Side: front\r\nX-Sizes: 7,8\r\n", false},
		{"3.2.0", "X-Side: top\r\nX-Sizes: 7,8\r\n", true},
		{"3.2.0", "X-Side: front\r\n", true},
		{"3.1.1", "X-Side: top\r\n", false}, // there an encoding applies to requests only
	} {
		body := "--b\r\nContent-Disposition: form-data; name=\"page\"\r\nContent-Type: application/octet-stream\r\n" + test.fields + "\r\nx\r\n--b--\r\n"
		got, _ := judged(t, `{openapi: `+test.version+`, info: {title: T, version: "1"}, paths: {/a: {get: {operationId: read, responses: {"200": {description: It, content: `+content+`}}}}}}`,
			http.Header{"Content-Type": {"multipart/form-data; boundary=b"}}, body)
		if (got != "") != test.broken || test.broken && !strings.HasPrefix(got, "read.body ") {
			t.Errorf("%s with %q: broken is %q", test.version, test.fields, got)
		}
	}
}

// TestFormsInResponses judges forms by each possible interpretation.
func TestFormsInResponses(t *testing.T) {
	const schema = `{type: object, required: [address], additionalProperties: false, properties: {address: {type: object, required: [zip], properties: {zip: {type: string, maxLength: 3}}},
	  sizes: {type: array, maxItems: 2, items: {type: integer}}}}`
	for _, test := range []struct {
		body   string
		broken bool
	}{
		{`address={"zip":"1"}`, false}, {`zip=1&sizes=1&sizes=2`, false}, {`address[zip]=1`, false},
		{`address={"zip":"12345"}`, true}, {`zip=12345`, true}, {`sizes=1`, true}, {`zip=1&sizes=1&sizes=2&sizes=3`, true}, {`zip=1&sizes=x`, true}, {`zip=1&other=1`, true},
	} {
		got, _ := judged(t, `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/a: {get: {operationId: read, responses: {"200": {description: It, content: {
		  application/x-www-form-urlencoded: {schema: `+schema+`}}}}}}}}`, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, test.body)
		if (got != "") != test.broken {
			t.Errorf("%s: broken is %q", test.body, got)
		}
	}
}

func TestQueryStrings(t *testing.T) {
	for content, want := range map[string]string{
		`{application/x-www-form-urlencoded: {schema: {type: object}, examples: {e: {dataValue: {foo: a + b, bar: true}}}}}`: "bar=true&foo=a+%2B+b",
		`{application/json: {schema: {type: object}, examples: {e: {dataValue: {numbers: [1, 2], flag: null}}}}}`:            "%7B%22flag%22%3Anull%2C%22numbers%22%3A%5B1%2C2%5D%7D",
		`{text/plain: {schema: {type: string}, example: "$.a[?(@.b)]"}}`:                                                     "%24.a%5B%3F%28%40.b%29%5D",
	} {
		w := plain(t, `{openapi: 3.2.0, info: {title: T, version: "1"}, paths: {/a: {get: {operationId: read, parameters: [{in: querystring, name: q, required: true, content: `+content+`}],
		  responses: {"200": {description: Read}}}}}}`)
		if w.Query != want {
			t.Errorf("%s: sent is %s, want %s", content, w.Query, want)
		}
	}
}
