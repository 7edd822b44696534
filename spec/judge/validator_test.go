package judge

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"hallmark/spec"
)

// This test documents why hallmark does not hand answers to the validator's own entrance: by default it lets pass what
// breaks the interface. When it fails after an upgrade, the library has learnt something; the second half, ours, must
// hold in any case.
func TestWhatTheValidatorLetsPass(t *testing.T) {
	text, err := os.ReadFile("../petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	model, err := document.BuildV3Model()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range model.Model.Servers {
		s.URL, s.Variables = "/", nil
	}
	v := validator.NewValidatorFromV3Model(&model.Model)

	pet := func(id string) string { return `{"id":` + id + `,"name":"Rex","categoryId":1}` }
	tests := map[string]struct {
		body string
		// theirs reports whether the validator accepts it, rule is the one that we find broken; empty for none.
		theirs bool
		rule   string
	}{
		"an id":                     {pet("41"), true, ""},
		"2^53+1":                    {pet("9007199254740993"), true, ""},
		"the largest int64":         {pet("9223372036854775807"), true, ""},
		"2^63":                      {pet("9223372036854775808"), true, "pet.id"},
		"below int64":               {pet("-9223372036854775809"), true, "pet.id"},
		"1e30":                      {pet("1e30"), true, "pet.id"},
		"2^53+½":                    {pet("9007199254740992.5"), true, "pet.id"},
		"1.0":                       {pet("1.0"), true, ""},
		"1.5":                       {pet("1.5"), false, "pet.id"},
		"text":                      {pet(`"41"`), false, "pet.id"},
		"null for the id":           {pet("null"), false, "pet.id"},
		"null for the whole":        {"null", true, "pet.object"},
		"an empty body":             {"", true, "answer.body"},
		"a blank body":              {"  ", true, "answer.json"},
		"one name with two values":  {`{"id":41,"name":"Rex","name":"Mia","categoryId":1}`, true, "pet.name"},
		"invalid UTF-8 in the name": {"{\"id\":41,\"name\":\"\xff\",\"categoryId\":1}", true, "answer.json"},
	}
	j := testJudge(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "https://pets.example.com/pets/41", nil)
			recorder := httptest.NewRecorder()
			recorder.Header().Set("Content-Type", "application/json")
			_, _ = recorder.WriteString(test.body)
			if ok, wrong := v.ValidateHttpResponse(request, recorder.Result()); ok != test.theirs {
				t.Errorf("the validator alone says %v, this test says %v: %v", ok, test.theirs, wrong)
			}
			_, findings, _ := j.Answer(answer("getPet", 200, test.body))
			if got := rules(findings); got != test.rule {
				t.Errorf("hallmark finds %q broken, want %q", got, test.rule)
			}
		})
	}
}

// rules are the rules of findings, in their order.
func rules(findings []spec.Finding) string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, " ")
}
