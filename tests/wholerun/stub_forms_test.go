package wholerun_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// scansContract is of a body whose parts have headers.
const scansContract = `
openapi: 3.0.3
info: {title: Scans, version: "1"}
paths:
  /scans:
    post:
      operationId: addScan
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {type: object, required: [page], properties: {page: {type: string, maxLength: 20}, title: {type: string, maxLength: 20}}}
            encoding: {page: {headers: {X-Side: {required: true, schema: {type: string, enum: [front, back]}}, X-Note: {schema: {type: string}}}}}
      responses: {'200': {description: Kept}, '400': {description: Wrong}, '415': {description: No form}}
`

// formed are documents whose values travel in other forms than JSON.
func formed() map[string]string {
	return map[string]string{
		"styles": `
openapi: 3.0.3
info: {title: Styles, version: "1"}
paths:
  /tile{at}: {get: {operationId: readTile, parameters: [{name: at, in: path, required: true, style: label, explode: true,
    schema: {type: array, minItems: 1, maxItems: 3, items: {type: integer, minimum: 0, maximum: 9}}}], responses: {'200': {description: It}, '400': {description: Wrong}}}}
  /spot{where}: {get: {operationId: readSpot, parameters: [{name: where, in: path, required: true, style: label, explode: true,
    schema: {type: object, required: [lat], properties: {lat: {type: integer, minimum: 0, maximum: 9}}}}], responses: {'200': {description: It}, '400': {description: Wrong}}}}
  /cell{m}: {get: {operationId: readCell, parameters: [{name: m, in: path, required: true, style: matrix, explode: true,
    schema: {type: array, minItems: 1, maxItems: 3, items: {type: integer, minimum: 0, maximum: 9}}}], responses: {'200': {description: It}, '400': {description: Wrong}}}}
`,
		"headers of parts": scansContract,
		"swagger lists": `
swagger: '2.0'
info: {title: Lists, version: "1"}
produces: [application/json]
paths:
  /grid:
    get:
      operationId: readGrid
      parameters:
      - {name: cells, in: query, type: array, collectionFormat: pipes, maxItems: 3, items: {type: array, collectionFormat: csv, maxItems: 2, items: {type: integer, minimum: 0, maximum: 5}}}
      - {name: X-Rows, in: header, type: array, collectionFormat: ssv, maxItems: 3, items: {type: integer, minimum: 0, maximum: 5}}
      responses: {200: {description: The cells, schema: {type: array, items: {type: integer}}}, 400: {description: Wrong}}
`,
		"xml": `
openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders:
    post:
      operationId: addOrder
      requestBody: {required: true, content: {application/xml: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses:
        '200': {description: Made, content: {application/xml: {schema: {$ref: '#/components/schemas/Order'}}}}
        '400': {description: Wrong}
        '415': {description: No XML}
components:
  schemas:
    Order:
      type: object
      xml: {name: order, namespace: 'urn:shop', prefix: s}
      required: [buyer, lines]
      properties:
        buyer: {type: string, minLength: 1, maxLength: 30, xml: {prefix: s}}
        paid: {type: boolean}
        tags: {type: array, maxItems: 2, items: {type: string, enum: [a, b], xml: {name: tag}}}
        lines: {type: array, minItems: 1, maxItems: 5, xml: {wrapped: true, prefix: s}, items: {$ref: '#/components/schemas/Line'}}
    Line:
      type: object
      xml: {name: line, prefix: s}
      required: [sku, count]
      properties:
        sku: {type: string, pattern: '^[A-Z]{3}[0-9]{2}$', xml: {attribute: true}}
        count: {type: integer, minimum: 1, maximum: 99, xml: {prefix: s}}
`,
		"query strings": `
openapi: 3.2.0
info: {title: Queries, version: "1"}
paths:
  /form: {get: {operationId: readByForm, parameters: [{in: querystring, name: q, required: true, content: {application/x-www-form-urlencoded: {schema:
    {type: object, required: [title], properties: {title: {type: string, minLength: 1, maxLength: 9}, sizes: {type: array, maxItems: 2, items: {type: integer}}}}}}}],
    responses: {'200': {description: It}, '400': {description: Wrong}}}}
  /json: {get: {operationId: readByJSON, parameters: [{in: querystring, name: q, required: true, content: {application/json: {schema:
    {type: object, required: [numbers], properties: {numbers: {type: array, minItems: 1, items: {type: integer, minimum: 7}}}}}}}],
    responses: {'200': {description: It}, '400': {description: Wrong}}}}
`,
		"parts": `
openapi: 3.1.1
info: {title: Parts, version: "1"}
paths:
  /albums:
    post:
      operationId: addAlbum
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, cover]
              properties:
                title: {type: string, minLength: 1, maxLength: 20}
                tags: {type: array, maxItems: 3, items: {type: string, maxLength: 9}}
                place: {type: object, required: [lat], properties: {lat: {type: integer, minimum: 0}}}
                cover: {type: string, format: binary}
            encoding: {cover: {contentType: image/*, headers: {X-Side: {required: true, schema: {type: string, enum: [front, back]}}}}}
      responses: {'200': {description: Kept}, '400': {description: Wrong}, '415': {description: No form}}
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [title]
              properties: {title: {type: string, minLength: 1, maxLength: 20}, place: {type: object, required: [lat], properties: {lat: {type: integer, minimum: 0}}}, sizes: {type: array, items: {type: integer}}}
      responses: {'200': {description: Kept}, '400': {description: Wrong}, '415': {description: No form}}
`,
	}
}

// TestStubOfOtherFormsConforms has the two readings of documents agree in what travels in other forms than JSON.
func TestStubOfOtherFormsConforms(t *testing.T) {
	t.Parallel()
	for name, text := range formed() {
		t.Run(name, func(t *testing.T) {
			contract, err := openapi.Load([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			out := judgeStub(t, contract, stub.Options{Seed: 1})
			for rule, f := range out.broken {
				t.Errorf("%s: expected %s, actual %s, where %s", rule, f.Expected, f.Actual, f.Where)
			}
			if out.reached < out.operations {
				t.Errorf("reached %d of %d operations, not %v", out.reached, out.operations, out.missed)
			}
		})
	}
}

// A service that takes a part without its header, or with another value of it, is found.
func TestHeadersOfParts(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(scansContract))
	if err != nil {
		t.Fatal(err)
	}
	const rule = "addScan." + string(promise.PartHeader)
	for name, ignores := range map[string]func(h textproto.MIMEHeader) bool{
		"none is needed":    func(h textproto.MIMEHeader) bool { return h.Get("X-Side") == "" },
		"any value is read": func(h textproto.MIMEHeader) bool { return h.Get("X-Side") != "" },
	} {
		t.Run(name, func(t *testing.T) {
			next, err := stub.New(contract, stub.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if mended, err := withSides(r, ignores); err == nil {
					r = mended
				}
				next.ServeHTTP(w, r)
			})
			rec, catalogue := trial{read: contract, service: inMemory{service}, confirm: 1}.judge(t)
			found := failing(rec, catalogue)
			if _, broken := found[rule]; !broken {
				t.Errorf("%s is not broken", rule)
			}
			delete(found, rule)
			accuse(t, found)
		})
	}
}

// withSides returns a request whose parts called page have a right X-Side where which says so.
func withSides(r *http.Request, which func(textproto.MIMEHeader) bool) (*http.Request, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	parts, err := wire.ParseMultipart(r.Header.Get("Content-Type"), data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, part := range parts {
		header := part.Header
		if part.Name == "page" && which(header) {
			header.Set("X-Side", "front")
		}
		to, err := w.CreatePart(header)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(part.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	r.Body, r.ContentLength = io.NopCloser(&out), int64(out.Len())
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r, nil
}
