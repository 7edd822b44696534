package judge

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v4"

	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/petstore"
)

// The Petstore's contract, rules and judge, loaded once for all tests.
var (
	defaultContract  = sync.OnceValues(petstore.Contract)
	defaultCatalogue = sync.OnceValues(petstore.Catalogue)
	defaultJudge     = sync.OnceValues(func() (*Judge, error) {
		contract, err := defaultContract()
		if err != nil {
			return nil, err
		}
		catalogue, err := defaultCatalogue()
		if err != nil {
			return nil, err
		}
		return New(contract, catalogue)
	})
)

func testContract(t testing.TB) *spec.Contract   { return must(t, defaultContract) }
func testCatalogue(t testing.TB) *spec.Catalogue { return must(t, defaultCatalogue) }
func testJudge(t testing.TB) *Judge              { return must(t, defaultJudge) }

func must[T any](t testing.TB, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// requests are plain requests of the operations.
var requests = map[string]spec.Request{
	"listPets":  {Method: "GET", URL: "https://pets.example.com/stage/v1/pets?limit=3"},
	"createPet": {Method: "POST", URL: "https://pets.example.com/stage/v1/pets"},
	"getPet":    {Method: "GET", URL: "https://pets.example.com/stage/v1/pets/41"},
}

// answer is an exchange of an operation with a JSON body.
func answer(operation string, status int, body string) *spec.Exchange {
	return answerAs(operation, status, "application/json", body)
}

// answerAs is an exchange with any Content-Type; none when it is empty.
func answerAs(operation string, status int, contentType, body string) *spec.Exchange {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return &spec.Exchange{
		Seq:       7,
		Operation: operation,
		Request:   requests[operation],
		Response:  &spec.Response{Status: status, Header: header, Body: spec.Bytes(body), Size: len(body)},
	}
}

// catalogueOf is a catalogue of the rules.
func catalogueOf(t testing.TB, rules []spec.Rule) *spec.Catalogue {
	t.Helper()
	text, err := yaml.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	c, err := spec.LoadCatalogue(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func loadText(t testing.TB, text string) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rules are the rules of findings, in their order.
func rules(findings []spec.Finding) string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, " ")
}
