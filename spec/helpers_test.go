package spec

import (
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// openapiYAML is the Petstore's contract. The package petstore imports this one, so tests from inside read its files.
var openapiYAML = petstoreFile("openapi.yaml")

func petstoreFile(name string) []byte {
	data, err := os.ReadFile(filepath.Join("petstore", name))
	if err != nil {
		panic(err)
	}
	return data
}

func petstoreContract() (*Contract, error)   { return LoadContract(openapiYAML) }
func petstoreCatalogue() (*Catalogue, error) { return LoadCatalogue(petstoreFile("rules.yaml")) }

// The Petstore's contract, rules and judge, loaded once for all tests.
var (
	defaultContract  = sync.OnceValues(petstoreContract)
	defaultCatalogue = sync.OnceValues(petstoreCatalogue)
	defaultJudge     = sync.OnceValues(func() (*Judge, error) {
		contract, err := defaultContract()
		if err != nil {
			return nil, err
		}
		catalogue, err := defaultCatalogue()
		if err != nil {
			return nil, err
		}
		return NewJudge(contract, catalogue)
	})
)

func testContract(t testing.TB) *Contract   { return must(t, defaultContract) }
func testCatalogue(t testing.TB) *Catalogue { return must(t, defaultCatalogue) }
func testJudge(t testing.TB) *Judge         { return must(t, defaultJudge) }

func must[T any](t testing.TB, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// requests are plain requests of the operations.
var requests = map[string]Request{
	"listPets":  {Method: "GET", URL: "https://pets.example.com/stage/v1/pets?limit=3"},
	"createPet": {Method: "POST", URL: "https://pets.example.com/stage/v1/pets"},
	"getPet":    {Method: "GET", URL: "https://pets.example.com/stage/v1/pets/41"},
}

// answer is an exchange of an operation with a JSON body.
func answer(operation string, status int, body string) *Exchange {
	return answerAs(operation, status, "application/json", body)
}

// answerAs is an exchange with any Content-Type; none when it is empty.
func answerAs(operation string, status int, contentType, body string) *Exchange {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return &Exchange{
		Seq:       7,
		Operation: operation,
		Request:   requests[operation],
		Response:  &Response{Status: status, Header: header, Body: Bytes(body), Size: len(body)},
	}
}
