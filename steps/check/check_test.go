package check_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

func operationOf(t testing.TB, id string) spec.Operation {
	t.Helper()
	op, ok := petstoretest.Contract(t).Operation(id)
	if !ok {
		t.Fatalf("the contract has no operation %s", id)
	}
	return *op
}

func TestErrorsRepeatTheirStatus(t *testing.T) {
	const rule = "error.status.same"
	for name, test := range map[string]struct {
		status        int
		body          string
		judged, wrong string
	}{
		"the same":               {404, `{"status":404}`, rule, ""},
		"in another notation":    {404, `{"status":4.04e2}`, rule, ""},
		"another":                {404, `{"status":400}`, rule, rule},
		"zero":                   {500, `{"status":0}`, rule, rule},
		"with a minus":           {400, `{"status":-400}`, rule, rule},
		"beyond int64":           {400, `{"status":40000000000000000000}`, rule, rule},
		"undocumented but alike": {503, `{"status":503}`, rule, ""},
		"text":                   {404, `{"status":"404"}`, "", ""},
		"a fraction":             {404, `{"status":404.5}`, "", ""},
		"none":                   {404, `{}`, "", ""},
		"no object":              {404, `[404]`, "", ""},
		"no error":               {200, `{"status":404}`, "", ""},
		"a redirect":             {302, `{"status":404}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ex := exchangetest.New("getPet", "/pets/7", test.status, test.body)
			exchangetest.Want(t, check.Error(ex, operationOf(t, ex.Operation), spec.Decode(ex.Response).Tree), strings.Fields(test.judged), strings.Fields(test.wrong))
		})
	}
}

func TestA401TellsHowToBeLetIn(t *testing.T) {
	const rule = "auth.challenge"
	for name, test := range map[string]struct {
		ex            *spec.Exchange
		judged, wrong string
	}{
		"with the header":    {exchangetest.New("listPets", "/pets", 401, `{}`, "WWW-Authenticate", "Bearer"), rule, ""},
		"without":            {exchangetest.New("listPets", "/pets", 401, `{}`), rule, rule},
		"an empty one":       {exchangetest.New("listPets", "/pets", 401, `{}`, "WWW-Authenticate", ""), rule, rule},
		"no body besides":    {exchangetest.New("listPets", "/pets", 401, ``), rule, rule},
		"on 403 none needed": {exchangetest.New("listPets", "/pets", 403, `{}`), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			exchangetest.Want(t, check.Error(test.ex, operationOf(t, test.ex.Operation), spec.Decode(test.ex.Response).Tree), strings.Fields(test.judged), strings.Fields(test.wrong))
		})
	}
}

func TestDeprecatedAnswersSaySo(t *testing.T) {
	contract := petstoretest.Contract(t)
	get, _ := contract.Operation("getPet")
	list, _ := contract.Operation("listPets")
	endless := *get
	endless.Sunset = list.Sunset // none
	both := []string{"Deprecation", "@1", "Sunset", "Thu, 05 Dec 2030 00:00:00 GMT"}
	for name, test := range map[string]struct {
		op            spec.Operation
		ex            *spec.Exchange
		judged, wrong string
	}{
		"both headers":           {*get, exchangetest.New("getPet", "/pets/7", 200, `{}`, both...), "get.deprecation get.sunset", ""},
		"neither":                {*get, exchangetest.New("getPet", "/pets/7", 200, `{}`), "get.deprecation get.sunset", "get.deprecation get.sunset"},
		"no sunset":              {*get, exchangetest.New("getPet", "/pets/7", 200, `{}`, both[:2]...), "get.deprecation get.sunset", "get.sunset"},
		"no deprecation":         {*get, exchangetest.New("getPet", "/pets/7", 200, `{}`, both[2:]...), "get.deprecation get.sunset", "get.deprecation"},
		"on errors none needed":  {*get, exchangetest.New("getPet", "/pets/7", 404, `{}`), "", ""},
		"not deprecated":         {*list, exchangetest.New("listPets", "/pets", 200, `[]`), "", ""},
		"without a removal date": {endless, exchangetest.New("getPet", "/pets/7", 200, `{}`), "get.deprecation", "get.deprecation"},
	} {
		t.Run(name, func(t *testing.T) {
			exchangetest.Want(t, check.Deprecation(test.ex, test.op), strings.Fields(test.judged), strings.Fields(test.wrong))
		})
	}
}

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
