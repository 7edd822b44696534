package check_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
)

func TestPlace(t *testing.T) {
	for want, ex := range map[string]*spec.Exchange{
		"GET /pets?limit=3 → 200":          exchangetest.New("listPets", "/pets?limit=3", 200, ""),
		"POST /pets → 201":                 exchangetest.New("createPet", "/pets", 201, ""),
		"GET /pets/41 → 404":               exchangetest.New("getPet", "/pets/41", 404, ""),
		"GET /pets/a%20b → 400":            exchangetest.New("getPet", "/pets/a%20b", 400, ""),
		"GET /pets?page=2 → no response":   {Request: spec.Request{Method: "GET", URL: "https://h/v1/v1/pets?page=2"}},
		"GET https://h:x/ → no response":   {Request: spec.Request{Method: "GET", URL: "https://h:x/"}},
		"GET /elsewhere → no response":     {Request: spec.Request{Method: "GET", URL: "https://h/elsewhere"}},
		"GET /pets?q=/v1/ → no response":   {Request: spec.Request{Method: "GET", URL: "https://h/v1/pets?q=/v1/"}},
		"GET /pets/%2Fv1%2F → no response": {Request: spec.Request{Method: "GET", URL: "https://h/v1/pets/%2Fv1%2F"}},
	} {
		if got := check.Place(ex).String(); got != want {
			t.Errorf("%s: %q, want %q", ex.Request.URL, got, want)
		}
	}
}
