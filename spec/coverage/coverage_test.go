package coverage_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const document = `
openapi: 3.1.0
info: {title: Tickets, version: "1"}
paths:
  /tickets/{id}:
    put:
      operationId: putTicket
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: notify, in: query, schema: {type: string, enum: [all, none]}}
        - {name: X-Trace, in: header, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: {type: [string, "null"], maxLength: 9}
                id: {type: integer, readOnly: true}
                tag: {type: string, enum: [red, blue]}
      responses:
        "200":
          description: a ticket
          content:
            application/json:
              schema:
                oneOf:
                  - {type: object, required: [open], properties: {open: {type: boolean}}}
                  - {type: object, required: [closed], properties: {closed: {type: integer, minimum: 1}}}
                if: {required: [closed]}
                then: {properties: {by: {type: string}}}
                else: {properties: {since: {type: string}}}
        4XX: {description: refused, content: {application/problem+json: {schema: {type: object}}}}
        default: {description: anything else}
`

func contract(t *testing.T) (*spec.Contract, *spec.Operation) {
	t.Helper()
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	op, _ := c.Operation("putTicket")
	return c, op
}

func TestElements(t *testing.T) {
	_, op := contract(t)
	all := coverage.Of(op)
	for what, pair := range map[string][2]string{
		"statuses":   {strings.Join(all.Statuses, ", "), "200, 4XX, default"},
		"media":      {strings.Join(all.Media, ", "), "request application/json, 200 application/json, 4XX application/problem+json"},
		"parameters": {strings.Join(all.Parameters, ", "), "path id, query notify, header X-Trace"},
		"the schema of a parameter": {
			listed(all, "query notify"), `type string, enum "all", enum "none"`,
		},
		"the schema of a request": {
			listed(all, "request application/json"), `type object, type string, type null, maxLength, tag present, tag absent, type string, enum "red", enum "blue"`,
		},
		"the schema of a response": {
			listed(all, "200 application/json"),
			`oneOf 1, type object, type boolean, oneOf 2, type object, type integer, minimum, then, else, by present, by absent, type string, since present, since absent, type string`,
		},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s are\n%s, not\n%s", what, pair[0], pair[1])
		}
	}
}

// Schemas that name the one below them three times describe one value, however many ways lead to it.
func TestElementsOfSchemasNamedAgainAndAgain(t *testing.T) {
	below := &spec.Schema{Types: []string{"object"}, Required: []string{"a"}, Properties: []spec.Property{{Name: "a", Edge: spec.Edge{Schema: &spec.Schema{}}}}}
	for range 60 {
		edge := spec.Edge{Schema: below}
		below = &spec.Schema{AllOf: []spec.Edge{edge, edge, edge}}
	}
	op := &spec.Operation{Body: &spec.RequestBody{Content: []spec.Media{{Type: "application/json", Edge: spec.Edge{Schema: below}}}}}
	if got := listed(coverage.Of(op), "request application/json"); got != "type object" {
		t.Errorf("the elements are %s: a is required", got)
	}
}

func listed(all coverage.Operation, of string) string {
	for _, s := range all.Schemas {
		if s.Of == of {
			return words(s.Elements)
		}
	}
	return ""
}

func words(all []coverage.Element) string {
	var words []string
	for _, e := range all {
		words = append(words, e.String())
	}
	return strings.Join(words, ", ")
}

func TestMark(t *testing.T) {
	c, op := contract(t)
	for name, test := range map[string]struct {
		query, header, sent string
		status              int
		answered            string
		// These are what is expected: parameters and media types that are judged, and those only seen, and elements.
		parameters, seen, media, seenMedia string
		request, response                  string
	}{
		"a success": {
			query: "?notify=all", sent: `{"title":"a"}`, status: 200, answered: `{"open":true}`,
			parameters: "path id, query notify", media: "200 application/json, request application/json",
			request: `type object, type string, maxLength, tag absent`, response: "oneOf 1, type object, type boolean, else, since absent",
		},
		"the other branches": {
			header: "x", sent: `{"title":null,"tag":"blue"}`, status: 200, answered: `{"closed":2,"by":"me"}`,
			parameters: "path id, header X-Trace", media: "200 application/json, request application/json",
			request: `type object, type null, tag present, type string, enum "blue"`, response: "oneOf 2, type object, type integer, minimum, then, by present, type string",
		},
		"a refused request": {
			query: "?notify=all", sent: `{"title":"a"}`, status: 422, answered: `{}`,
			seen: "path id, query notify", media: "4XX application/problem+json", seenMedia: "request application/json", response: "type object",
		},
		"an accepted request that breaks the contract": {
			query: "?notify=some", sent: `{"title":3}`, status: 200, answered: `{"open":true}`,
			parameters: "path id", seen: "query notify", media: "200 application/json", seenMedia: "request application/json",
			response: "oneOf 1, type object, type boolean, else, since absent",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ex := &spec.Exchange{Operation: op.ID, Request: spec.Request{
				Method: "PUT", URL: "https://example.com/v1/tickets/7" + test.query, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(test.sent),
			}, Response: &spec.Response{Status: test.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(test.answered)}}
			if test.status >= 400 {
				ex.Response.Header.Set("Content-Type", "application/problem+json")
			}
			if test.header != "" {
				ex.Request.Header.Set("X-Trace", test.header)
			}
			d, err := exactjson.Decode(ex.Response.Body)
			if err != nil {
				t.Fatal(err)
			}
			m := coverage.Mark(c, op, ex, coverage.Value{Tree: d.Tree, Readable: true, Judged: true})
			key := "200 application/json"
			if test.status >= 400 {
				key = "4XX application/problem+json"
			}
			for what, pair := range map[string][2]string{
				"parameters":           {strings.Join(m.Parameters, ", "), test.parameters},
				"parameters only seen": {strings.Join(m.SeenParameters, ", "), test.seen},
				"media":                {strings.Join(m.Media, ", "), test.media},
				"media only seen":      {strings.Join(m.SeenMedia, ", "), test.seenMedia},
				"of the request":       {known(op, "request application/json", m), test.request},
				"of the response":      {known(op, key, m), test.response},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %s, not %s", what, pair[0], pair[1])
				}
			}
		})
	}
}

// known returns the marked elements that the operation lists.
func known(op *spec.Operation, of string, m coverage.Marks) string {
	var all []coverage.Element
	for _, s := range coverage.Of(op).Schemas {
		for _, e := range m.Elements[of] {
			if s.Of == of && slices.Contains(s.Elements, e) {
				all = append(all, e)
			}
		}
	}
	return words(all)
}
