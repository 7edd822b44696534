package promise_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// plain returns the first plain request that the only operation of a document gets, as it is written.
func plain(t *testing.T, document string) request.Written {
	t.Helper()
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	all, err := promise.Of(c, 1, 0).Requests(&c.Operations()[0])
	if err != nil {
		t.Fatal(err)
	}
	written, err := all[0].Write("bound")
	if err != nil {
		t.Fatal(err)
	}
	return written
}

func TestFilesHaveNamesAndTypes(t *testing.T) {
	w := plain(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/photos: {post: {operationId: add, requestBody: {required: true, content: {multipart/form-data: {
	  schema: {type: object, required: [a, b, c, d], properties: {
	    a: {type: string, format: binary}, b: {type: string, contentMediaType: image/gif}, c: {type: string}, d: {type: string, contentMediaType: text/csv}}},
	  encoding: {a: {contentType: "image/png, image/jpeg"}, c: {contentType: application/pdf}}}}}, responses: {"201": {description: Added}}}}}}`)
	body := string(w.Body)
	for _, want := range []string{
		"name=\"a\"; filename=\"a\"\r\nContent-Type: image/png\r\n",
		"name=\"b\"; filename=\"b\"\r\nContent-Type: image/gif\r\n",
		"name=\"c\"; filename=\"c\"\r\nContent-Type: application/pdf\r\n",
		"name=\"d\"\r\nContent-Type: text/csv\r\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no part has %q:\n%s", want, body)
		}
	}
}

func TestFormsOfSwaggerHaveLists(t *testing.T) {
	w := plain(t, `{swagger: "2.0", info: {title: T, version: "1"}, paths: {/tags: {post: {operationId: add, consumes: [application/x-www-form-urlencoded], parameters: [
	  {name: a, in: formData, required: true, type: array, minItems: 2, items: {type: integer, minimum: 7}},
	  {name: b, in: formData, required: true, type: array, minItems: 2, items: {type: integer, minimum: 7}, collectionFormat: multi}],
	  responses: {"201": {description: Added}}}}}}`)
	if got := string(w.Body); got != "a=7,7&b=7&b=7" {
		t.Errorf("the form is %s", got)
	}
}

// A required parameter is sent even if no value of it is interpreted in the same way everywhere; unambiguous
// values go first.
func TestRequiredParametersThatServersReadInSeveralWays(t *testing.T) {
	w := plain(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {"/a/{list}/{label}": {get: {operationId: read, parameters: [
	  {name: list, in: path, required: true, schema: {type: array, items: {type: string}}, example: []},
	  {name: label, in: path, required: true, style: label, schema: {type: array, minItems: 2, maxItems: 2, items: {const: x}}},
	  {name: sid, in: cookie, required: true, schema: {const: a b}},
	  {name: q, in: query, required: true, schema: {type: string}, example: kept}], responses: {"200": {description: Read}}}}}}`)
	if w.Path != "/a/text,text/.x,x" || w.Cookie != "sid=a%20b" || w.Query != "q=kept" {
		t.Errorf("sent is %s?%s with %s", w.Path, w.Query, w.Cookie)
	}
}

// If no valid value is found, no invalid request is sent.
func TestNoRequestIsMadeOfWhatTakesNoValue(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: add, requestBody: {required: true, content: {application/json: {
	  schema: {type: object, required: [list], properties: {list: {type: array, minItems: 1000000000, items: {type: string}}}}}}}, responses: {"201": {description: Added}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := promise.Of(c, 1, 0).Requests(&c.Operations()[0])
	if impossible := (*promise.Impossible)(nil); !errors.As(err, &impossible) || len(all) > 0 {
		t.Errorf("%d requests are made, %v", len(all), err)
	}
}

// Of several media types, one is sent whose values can be made: not JSON Patch, even if it is listed first.
func TestJSONPatchIsNotMadeUp(t *testing.T) {
	const document = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /notes/{id}:
    patch:
      operationId: change
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json-patch+json: {schema: &patch {type: object, properties: {text: {type: string}}}}
          application/merge-patch+json: {schema: *patch}
      responses: {'200': {description: Changed.}, '400': {description: Wrong.}}
`
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	op, _ := c.Operation("change")
	all, err := p.Requests(op)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, r := range all {
		if _, media, _ := r.Body(); media != "application/merge-patch+json" {
			t.Errorf("a plain request is of the media type %s", media)
		}
	}
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Features(catalogue) {
		if strings.Contains(f.Content, "json-patch") {
			t.Errorf("JSON Patch is sent:\n%s", f.Content)
		}
	}
	if all := c.Omissions(); len(all) != 1 || !strings.Contains(all[0].What, "application/json-patch+json") {
		t.Errorf("what is left out is %v", all)
	}
}

// An optional body is sent in each way before it is left out; it is left out early if a body means nothing to the
// method.
func TestARequestWithoutItsBodyComesLast(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/notes: {
	  post: {operationId: add, requestBody: &body {content: {application/json: {schema: {type: object, properties: {text: {type: string}, colour: {enum: [red, blue]}}}}}}, responses: {"201": {description: Added}}},
	  delete: {operationId: clear, requestBody: *body, responses: {"200": {description: Cleared}}}}}}`
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for operation, want := range map[string]func(n int) int{"add": func(n int) int { return n - 1 }, "clear": func(int) int { return 1 }} {
		op, _ := c.Operation(operation)
		all, err := promise.Of(c, 1, 0).Requests(op)
		if err != nil || len(all) < 3 {
			t.Fatalf("%s: %d requests, %v", operation, len(all), err)
		}
		for i, r := range all {
			if _, _, body := r.Body(); body == (i == want(len(all))) {
				t.Errorf("%s: request %d of %d has a body: %v", operation, i+1, len(all), body)
			}
		}
	}
}

// A body of GET, HEAD and TRACE, and one of DELETE in OpenAPI 3.0, binds no service. Later versions permit that of
// DELETE, without saying what it means: it is sent, and nothing is reported because of it.
func TestBodiesThatBindNobody(t *testing.T) {
	const body = `requestBody: {required: true, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: integer, minimum: 1}}, additionalProperties: false}}}}, responses: {"200": {description: d}, "400": {description: d}}`
	for version, sent := range map[string][]string{"3.0.3": {"add"}, "3.1.0": {"add", "clear"}, "3.2.0": {"add", "clear"}} {
		document := `{openapi: ` + version + `, info: {title: T, version: "1"}, paths: {/notes: {get: {operationId: list, ` + body + `}, head: {operationId: look, ` + body + `},
		  delete: {operationId: clear, ` + body + `}, post: {operationId: add, ` + body + `}}}}`
		c, err := openapi.Load([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		text := features(t, document)
		for _, operation := range []string{"list", "look", "clear", "add"} {
			op, _ := c.Operation(operation)
			if has, want := op.Body != nil, slices.Contains(sent, operation); has != want {
				t.Errorf("%s: the body of %s is read: %v", version, operation, has)
			}
			if judged := strings.Contains(text, "@rule:"+operation+".refused.") || strings.Contains(text, "@rule:"+operation+".accepted"); judged != (operation == "add") {
				t.Errorf("%s: what comes of the body of %s is judged: %v", version, operation, judged)
			}
		}
		if len(c.Omissions()) != 4-len(sent) {
			t.Errorf("%s: %d bodies are said to be left out, want %d: %v", version, len(c.Omissions()), 4-len(sent), c.Omissions())
		}
	}
}

// A member that the document's prose requires is not left out as optional, even if its schema says so.
func TestWhatWordsDemandIsNotLeftOut(t *testing.T) {
	all := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/notes: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
	  text: {type: string, description: "Required. The text of the note.", example: remember},
	  place: {allOf: [{type: string, description: Either this or the time must be given.}], example: here},
	  colour: {type: string, description: It is not required., example: red},
	  size: {type: integer, example: 3}}}}}}, responses: {"201": {description: Added}, "400": {description: Wrong}}}}}}`)
	for name, want := range map[string]bool{"text": false, "place": false, "colour": true, "size": true} {
		if got := strings.Contains(all, name+" is left out"); got != want {
			t.Errorf("%s is left out: %v", name, got)
		}
	}
}
