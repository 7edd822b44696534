package values_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

const document = `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /orgs/{org}/orders:
    parameters: [{name: org, in: path, required: true, schema: {type: string, maxLength: 5}}]
    get:
      operationId: list orders
      parameters: [{name: year, in: query, schema: {type: integer, minimum: 2000}}]
      responses: {'200': {description: ok}}
    post:
      operationId: order.new
      parameters: [{name: X-Tenant, in: header, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [order]
              properties:
                order: {allOf: [{type: object, required: [currency], properties: {currency: {type: string, enum: [EUR, USD]}}}]}
                lines: {type: array, items: {type: object, properties: {number: {type: integer}}}}
      responses: {'201': {description: made}}
  /photos:
    post:
      operationId: upload
      requestBody: {required: true, content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {'201': {description: made}}
`

func given(t *testing.T, file string) (*promise.Promises, *spec.Contract, error) {
	t.Helper()
	contract, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	all, err := values.Read([]byte(file), values.Sources{
		File: func(name string) ([]byte, error) {
			if name == "photo.png" {
				return []byte("\x89PNG"), nil
			}
			return nil, errors.New("there is none")
		},
		Command: func(words []string) ([]byte, error) { return fmt.Appendf(nil, "%s\n", strings.Join(words, "-")), nil },
	})
	if err != nil {
		return nil, nil, err
	}
	p := promise.Of(contract, 1, 0)
	return p, contract, p.Give(all)
}

func TestRequestsHoldTheValues(t *testing.T) {
	p, contract, err := given(t, `
org: acme
list orders.year: 2024
X-Tenant: {command: [a, b]}
/order/currency: USD
upload.body: {file: photo.png}
`)
	if err != nil {
		t.Fatal(err)
	}
	plain := func(id string) request.Request {
		op, ok := contract.Operation(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		all, err := p.Requests(op)
		if err != nil {
			t.Fatal(err)
		}
		return all[0]
	}
	list := plain("list orders")
	if org, _ := list.Value(request.Place{In: "path", Name: "org"}); org != "acme" {
		t.Errorf("org is %v", org)
	}
	if year, _ := list.Value(request.Place{In: "query", Name: "year"}); fmt.Sprint(year) != "2024" {
		t.Errorf("an optional parameter that is given is %v", year)
	}
	order := plain("order.new")
	if tenant, _ := order.Value(request.Place{In: "header", Name: "X-Tenant"}); tenant != "a-b" {
		t.Errorf("what a command printed is %q", tenant)
	}
	w, err := order.Write("b")
	if err != nil || !strings.Contains(string(w.Body), `"currency":"USD"`) {
		t.Errorf("the body is %s, %v", w.Body, err)
	}
	body, _, _ := plain("upload").Body()
	if file, ok := body.(wire.File); !ok || string(file.Data) != "\x89PNG" {
		t.Errorf("the body of a file is %v", body)
	}
	if p.Budget().Cases == 0 {
		t.Error("nothing is derived")
	}
	for _, f := range p.Features(catalogue(t, p)) {
		if strings.Contains(f.Content, "its query parameter year is 2000") {
			t.Error("another value of a given parameter is expected to be accepted")
		}
	}
}

func catalogue(t *testing.T, p *promise.Promises) *spec.Catalogue {
	t.Helper()
	all, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWrongValuesAreToldWithTheirLine(t *testing.T) {
	for file, want := range map[string]string{
		"# a\norg: acme2024":                    "line 2: the schema of the parameter org of list orders does not allow the value of org (line 5 of the contract)",
		"a: 1\norg: acme":                       "line 1: the contract has no parameter and no place in a body called a",
		"list orders.yaer: 2024":                "did you mean list orders.year?",
		"/order/currency: GBP":                  "line 1: the schema of /order/currency in the body of order.new does not allow",
		"/order/nothing: 1":                     "line 1: the contract has no parameter",
		"org: acme\norg: b":                     "line 2: org already has a value in line 1",
		"- org":                                 "it must map names to values",
		"org: {file: none}":                     "line 1: org: the file none cannot be read: there is none",
		"org: {command: rm -rf}":                "a command must be a list of strings",
		"org: {command: []}":                    "a command must be a list of strings",
		"org: [":                                "it is not YAML",
		"order.new.body: {order: {}}":           "the body of order.new does not allow",
		"order.new./lines/0/number: x":          "/lines/0/number in the body",
		"X-Tenant: acme\nlist orders.year: 1.5": "line 2: the schema of the parameter year",
	} {
		_, _, err := given(t, file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
	for _, file := range []string{"", "# nothing\n", "null"} {
		if _, _, err := given(t, file); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a: 1", "a: {file: b}", "a: {command: [b]}", "&a [*a]", "a: &b {c: *b}", "- 1", "a: 0x1F"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = values.Read(data, values.Sources{
			File:    func(string) ([]byte, error) { return nil, errors.New("none") },
			Command: func([]string) ([]byte, error) { return nil, errors.New("none") },
		})
	})
}

// A command may run for each request, and stand within a value; an object that the schema allows is no command.
func TestCommandsForEachRequest(t *testing.T) {
	contract, err := openapi.Load([]byte(strings.Replace(document, "lines: {type: array", "run: {type: object, properties: {command: {type: array, items: {type: string}}}}\n                lines: {type: array", 1)))
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	all, err := values.Read([]byte(`
X-Tenant: {command: [code], each: request}
order.new.body: {order: {currency: {command: [currency]}}, run: {command: [rm]}, lines: [{number: {command: [code], each: request}}]}
`), values.Sources{Command: func(words []string) ([]byte, error) {
		switch words[0] {
		case "currency":
			return []byte("EUR\n"), nil
		case "code":
			runs++
			return fmt.Appendf(nil, "%d\n", runs), nil
		}
		return nil, errors.New("it must not run")
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(contract, 1, 0)
	if err := p.Give(all); err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("order.new")
	whole, _ := all.Body(op)
	before := runs
	one, _ := all.Filled(whole.Value, values.Fill{})
	if got, want := fmt.Sprint(one), fmt.Sprintf("map[lines:[map[number:%d]] order:map[currency:EUR] run:map[command:[rm]]]", before+1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tenant, _ := all.Parameter(op, op.Parameters[0])
	if text, _ := all.Filled(tenant.Value, values.Fill{}); text != fmt.Sprint(before+2) {
		t.Errorf("the header is %v after %d runs", text, before+1)
	}
	for file, want := range map[string]string{
		"X-Tenant: '{created ordr}'":              "line 1: X-Tenant: no operation of the contract is known to create what {created ordr} names",
		"X-Tenant: {command: [a], each: day}":     "each: request",
		"order.new./order: {currency: {file: x}}": "line 1: order.new./order: the file x cannot be read: there is none",
	} {
		if _, _, err := given(t, file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}
