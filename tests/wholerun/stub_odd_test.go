package wholerun_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// odd is what documents of others hold that is unusual, or contradicts itself where everybody knows what is meant.
const odd = `
openapi: 3.1.0
info: {title: Odd, version: "1"}
security: [{token: []}]
paths:
  /forms/{formId}: # two forms of a response that are one
    get:
      parameters: [{name: formId, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: One, content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/Form'}, {$ref: '#/components/schemas/Empty'}]}}}}
        '404': {description: No form, content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/NoForm'}, {$ref: '#/components/schemas/NoPage'}]}}}}
  /mapping: # a member that is required and forbidden
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {type: object, required: [id, url], properties: {url: {type: string}}, additionalProperties: false}}}}
  /wait: # no response that ends the request
    get: {responses: {'102': {description: Wait}}}
  /same: # no success either
    get: {responses: {'304': {description: Not modified}}}
  /ready: # a text that is null
    get: {responses: {'200': {description: Yes, content: {text/plain: {schema: {type: 'null'}}}}}}
  /both: # two secrets in one field
    get: {security: [{key: [], token: []}], responses: {'200': {description: In}, '401': {description: Out}}}
  /certified: # a certificate, or a token
    get: {security: [{certificate: []}, {token: []}], responses: {'200': {description: In}, '401': {description: Out}}}
  /unnamed/{}: # a parameter without a name
    get: {responses: {'200': {description: One}}}
  /profiles: # long identifiers, pages by number with links to them, and orders in another case
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: pageSize, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
        - {name: orderBy, in: query, schema: {type: string, enum: [Title, AddedAt]}}
      responses:
        '200': {description: Profiles, content: {application/json: {schema: {$ref: '#/components/schemas/Profiles'}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '400': {description: Wrong}
  /profiles/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '404': {description: None}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: [string, 'null'], maxLength: 60}}}}}}
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '400': {description: Wrong}
        '404': {description: None}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
  /notes: # a link to the next page that the service never gives, and identifiers by a pattern in one of two schemas
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: pageSize, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
      responses:
        '200': {description: Notes, content: {application/json: {schema: {type: object, required: [items], properties: {nextPageUri: {type: string}, items: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, maxLength: 60}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: Wrong}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: None}}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
  /rooms: # identifiers that their path does not allow
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '400': {description: Wrong}}
  /rooms/{sid}:
    get:
      parameters: [{name: sid, in: path, required: true, schema: {type: string, pattern: '^RM[0-9]{8}$'}}]
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '404': {description: None}}
  /secrets: # what another path names by the same word
    get: {responses: {'200': {description: Secrets, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Secret'}}}}}}}
  /secret-versions/{path}/{version}:
    get:
      parameters: [{name: path, in: path, required: true, schema: {type: string}}, {name: version, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Secret'}}}}, '404': {description: Not found}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: Authorization}
    token: {type: http, scheme: bearer}
    certificate: {type: mutualTLS}
  schemas:
    Form: {type: object, required: [id], properties: {id: {type: string}, pages: {type: array, items: {type: string}}}}
    Empty: {type: object, properties: {id: {type: string}, reason: {type: string}}}
    NoForm: {description: No form, type: object, required: [reason], properties: {reason: {type: string, example: form}}}
    NoPage: {description: No page, type: object, required: [reason], properties: {reason: {type: string, example: page}}}
    Profile:
      additionalProperties: false
      allOf:
        - {type: object, required: [id, addedAt], properties: {id: {type: string, minLength: 22, maxLength: 22, readOnly: true}, addedAt: {type: string, format: date-time, readOnly: true}}}
        - {type: object, required: [title], properties: {title: {type: [string, 'null'], maxLength: 60}}}
    Profiles:
      type: object
      required: [items, _links]
      properties:
        items: {type: array, items: {$ref: '#/components/schemas/Profile'}}
        _links: {type: object, required: [self], properties: {self: {$ref: '#/components/schemas/Link'}, next: {$ref: '#/components/schemas/Link'}}}
    Link: {type: object, properties: {href: {type: string, format: uri-reference}}}
    Note: {type: object, required: [id, text], properties: {id: {readOnly: true, allOf: [{type: string, pattern: '^note_[a-z0-9]{12}$'}, {description: Of a note}]}, text: {type: string}}}
    Room: {type: object, required: [sid, title], properties: {sid: {readOnly: true, type: string, pattern: '^RO[0-9]{8}$'}, title: {type: string}}}
    Secret: {type: object, required: [path, version, value], properties: {path: {type: string}, version: {type: integer}, value: {type: string}}}
`

// strange is what documents of others hold that services cannot keep to the letter, or need not.
const strange = `
openapi: 3.1.0
info: {title: Strange, version: "1"}
paths:
  /prices: # a key for each request of an operation that is not known to create
    post:
      parameters: [{name: Idempotency-Key, in: header, required: true, schema: {type: string, format: uuid, example: 3f55cd84-3a3a-46f3-9b1a-9e16f8b86e2a}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount], properties: {amount: {type: integer, minimum: 1, maximum: 9}, unit: {type: string, enum: [kg, litre]}}}}}}
      responses: {'202': {description: Taken}, '422': {description: Wrong}}
  /archives: # a name of any length in the request, and a short one in the response
    get: {responses: {'200': {description: Archives, content: {application/json: {schema: {type: object, properties: {entries: {type: array, items: {$ref: '#/components/schemas/Archive'}}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Archive'}}}}, '400': {description: Wrong}}
  /archives/{archive_id}:
    delete: {parameters: [{name: archive_id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: Gone}, '404': {description: None}}}
  /groups/{id}: # operations of a JSON Patch by a list that is open
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}, '404': {description: None}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}, '200': {description: Changed}, '400': {description: Wrong}}
    patch:
      requestBody: {required: true, content: {application/json-patch+json: {schema: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Change'}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}, '400': {description: Wrong}}
  /payees: # an envelope in an envelope
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [payee], properties: {payee: {type: object, required: [name], properties: {name: {type: string, maxLength: 60}}}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/PayeeData'}}}}, '400': {description: Wrong}}
  /payees/{payee_id}:
    get:
      parameters: [{name: payee_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/PayeeData'}}}}, '404': {description: None}}
    delete: {parameters: [{name: payee_id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: Gone}, '404': {description: None}}}
  /schedules:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Schedule'}}}}, '400': {description: Wrong}}
  /schedules/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Schedule'}}}}, '404': {description: None}}}
  /schedules/{id}.ics: # a part of a segment
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One, content: {text/calendar: {schema: {type: string}}}}, '404': {description: None}}}
  /view/{id}.html:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One, content: {text/html: {schema: {type: string}}}}, '404': {description: None}}}
  /bills: # links to pages that have to be whole
    get:
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}]
      responses: {'200': {description: Bills, content: {application/json: {schema: {type: object, required: [bills], properties: {bills: {type: array, items: {$ref: '#/components/schemas/Bill'}}, _links: {$ref: '#/components/schemas/Links'}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Bill'}}}}, '400': {description: Wrong}}
  /bills/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Bill'}}}}, '404': {description: None}}}
    delete: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: Gone}, '404': {description: None}}}
  /folders: # identifiers that no body has to show
    get: {responses: {'200': {description: Folders, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Folder'}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 60}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Folder'}}}}, '400': {description: Wrong}}
  /folders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}]
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string, maxLength: 60}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: {type: object, properties: {ok: {type: boolean}}}}}}, '404': {description: None}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
  /picture: # a length that is documented
    get: {responses: {'200': {description: Picture, headers: {Content-Length: {required: true, schema: {type: integer}}}, content: {image/png: {schema: {type: string, format: binary}}}}}}
    head: {responses: {'200': {description: Headers, headers: {Content-Length: {required: true, schema: {type: string}}}}}}
  /talks: # a Location that is no address
    post:
      responses: {'201': {description: Made, headers: {Location: {schema: {type: string, format: uuid}}}}}
components:
  schemas:
    Archive: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string, minLength: 1, maxLength: 100}}}
    Folder: {type: object, properties: {id: {type: string, format: uuid}, name: {type: string}, parentId: {type: string, format: uuid, nullable: true}}}
    Group: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}, note: {type: string, maxLength: 60}}}
    Change: {type: object, required: [op, path], properties: {op: {anyOf: [{type: string, enum: [add, test]}, {type: string}]}, path: {type: string}, value: {}}}
    PayeeData: {type: object, required: [data], properties: {data: {type: object, required: [payee, knowledge], properties: {payee: {$ref: '#/components/schemas/Payee'}, knowledge: {type: integer, format: int64}}}}}
    Payee: {type: object, required: [id, name], properties: {id: {type: string, format: uuid}, name: {type: string}}}
    Bill: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}}}
    Links: {type: object, required: [self, next], properties: {self: {$ref: '#/components/schemas/URL'}, next: {oneOf: [{$ref: '#/components/schemas/URL'}, {type: 'null'}]}}}
    URL: {type: object, properties: {href: {type: string}, type: {type: string}}}
    Schedule: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}}}
`

// Service and suite agree on what is odd.
func TestStubOfOddDocumentConforms(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		document string
		missed   int
	}{
		"odd":     {odd, 3},     // no success is documented, a parameter has no name, and a path does not allow its identifiers
		"strange": {strange, 1}, // what a file is called after is not known to be what was created
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract, err := openapi.Load([]byte(one.document))
			if err != nil {
				t.Fatal(err)
			}
			out := judgeStub(t, contract, stub.Options{Seed: 1})
			accuse(t, out.broken)
			accuse(t, out.advised)
			if len(out.missed) > one.missed {
				t.Errorf("not reached: %q", out.missed)
			}
		})
	}
}

// What no client can read breaks a rule that there is, of the operation that answers so.
func TestUnreadableResponsesAreOfTheirOperation(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		length := map[bool]string{true: "text", false: "9"}[r.URL.Path == "/head"]
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n{}", length)
		_ = conn.Close()
	}))
	t.Cleanup(server.Close)
	contract := `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
	  /head: {get: {operationId: head, responses: {"200": {description: One}}}},
	  /body: {get: {operationId: body, responses: {"200": {description: One, content: {application/json: {schema: {type: object}}}}}}}}}`
	rec, catalogue, _ := trial{contract: []byte(contract), service: client.NewTransport(4), baseURL: server.URL}.run(t)
	got := broken(rec, catalogue, func(l spec.Level) bool { return l == spec.Must })
	for _, want := range []string{"head.no-server-error", "body.body"} {
		if _, found := got[want]; !found {
			t.Errorf("%s is not broken, only %q", want, slices.Sorted(maps.Keys(got)))
		}
	}
	for id := range got {
		if _, known := catalogue.Rule(id); !known {
			t.Errorf("the catalogue has no rule %s", id)
		}
	}
}

// outings has optional members of which plain requests know no value that a service is sure to take.
const outings = `openapi: 3.1.0
info: {title: Outings, version: "1"}
paths:
  /outings:
    get: {operationId: list, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Outing'}}}}}}}
    post: {operationId: add, requestBody: {$ref: '#/components/requestBodies/Outing'}, responses: {'201': {$ref: '#/components/responses/Outing'}, '400': {description: d}}}
  /outings/{outingId}:
    parameters: [{name: outingId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: read, responses: {'200': {$ref: '#/components/responses/Outing'}, '404': {description: d}}}
    put: {operationId: replace, requestBody: {$ref: '#/components/requestBodies/Outing'}, responses: {'200': {$ref: '#/components/responses/Outing'}, '400': {description: d}, '404': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}, '404': {description: d}}}
components:
  requestBodies:
    Outing: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Outing'}}}}
  responses:
    Outing: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Outing'}}}}
  schemas:
    Outing: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, due: {type: string, format: date}, address: {type: object, required: [city], properties: {city: {type: string}, code: {type: string, pattern: '^[0-9]{5}$'}}}}}
`

// A run sees what a service shows of members that plain requests leave out, and holds nothing against one that refuses them.
func TestMembersThatPlainRequestsLeaveOut(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(outings))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][2]string{"due": {`"due":"`, `"due":"on `}, "code": {`"code":"`, `"code":"no. `}, "address": {`"address":{`, `"address":[],"other":{`}}
	ways := map[string]string{"POST": "add", "GET": "read", "PUT": "replace"}
	judged := func(change func(r *http.Request, w *httptest.ResponseRecorder)) map[string]spec.Finding {
		service, err := stub.New(contract, stub.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		rec, catalogue := trial{read: contract, confirm: 1, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			service.ServeHTTP(answer, r)
			change(r, answer)
			maps.Copy(w.Header(), answer.Header())
			w.Header().Del("Content-Length")
			w.WriteHeader(answer.Code)
			_, _ = answer.Body.WriteTo(w)
		})}}.judge(t)
		return failing(rec, catalogue)
	}
	for member, wrong := range shown {
		for method, op := range ways {
			got := judged(func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == method && w.Code/100 == 2 && (method != "GET" || r.URL.Path != "/outings") {
					text := strings.Replace(w.Body.String(), wrong[0], wrong[1], 1)
					w.Body.Reset()
					w.Body.WriteString(text)
				}
			})
			if _, found := got[op+".body"]; !found {
				t.Errorf("%s shows a wrong %s: %q", op, member, slices.Sorted(maps.Keys(got)))
			}
		}
	}
}

// So it does of a list, on whatever page it shows them.
func TestMembersOnLaterPages(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(strings.Replace(outings, "get: {operationId: list,", `get: {operationId: list, parameters: [
      {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 5}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}],`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	service, err := stub.New(contract, stub.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/outings", strings.NewReader(`{"name":"old"}`))
		r.Header.Set("Content-Type", "application/json")
		if service.ServeHTTP(w, r); w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	alone := fstest.MapFS{"steady.feature": {Data: []byte(`Feature: Outings

  @rule:read.read.steady @operation:read
  Scenario: reading changes nothing of all that it has
    Given a plain request to add that succeeds
    When it creates a resource with all that is known
    And read reads it
    And read reads it once more
    Then it is as it was
`)}}
	rec, catalogue := trial{read: contract, features: alone, confirm: 1, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		text := answer.Body.String()
		if r.Method == http.MethodGet && r.URL.Path == "/outings" {
			text = strings.ReplaceAll(text, `"due":"`, `"due":"on `)
		}
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = io.WriteString(w, text)
	})}}.judge(t)
	if got := failing(rec, catalogue); got["list.body"].Rule == "" {
		t.Errorf("list shows a wrong due: %q", slices.Sorted(maps.Keys(got)))
	}
}

// A service may refuse members for what no schema says. To fail over them breaks a rule, which is named.
func TestMembersThatAreNotTaken(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(outings))
	if err != nil {
		t.Fatal(err)
	}
	for status, want := range map[int][]string{http.StatusBadRequest: nil, http.StatusInternalServerError: {"add.no-server-error"}} {
		service, err := stub.New(contract, stub.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		rec, catalogue := trial{read: contract, confirm: 1, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if bytes.Contains(body, []byte(`"due":"20`)) && bytes.Contains(body, []byte(`"address":{"`)) {
				w.WriteHeader(status)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			service.ServeHTTP(w, r)
		})}}.judge(t)
		if got := slices.Sorted(maps.Keys(failing(rec, catalogue))); !slices.Equal(got, want) {
			t.Errorf("%d: broken are %q, want %q", status, got, want)
		}
	}
}
