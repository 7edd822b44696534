package judge

import (
	"testing"
)

// What validators of OpenAPI let pass by default, or take through float64: each is judged by its digits and its bytes.
func TestWhatValidatorsLetPass(t *testing.T) {
	pet := func(id string) string { return `{"id":` + id + `,"name":"Rex","categoryId":1}` }
	j := testJudge(t)
	for name, test := range map[string]struct {
		body string
		// rule is the one that is broken; empty for none.
		rule string
	}{
		"an id":                     {pet("41"), ""},
		"2^53+1":                    {pet("9007199254740993"), ""},
		"the largest int64":         {pet("9223372036854775807"), ""},
		"2^63":                      {pet("9223372036854775808"), "pet.id"},
		"below int64":               {pet("-9223372036854775809"), "pet.id"},
		"1e30":                      {pet("1e30"), "pet.id"},
		"2^53+½":                    {pet("9007199254740992.5"), "pet.id"},
		"1.0":                       {pet("1.0"), ""},
		"1.5":                       {pet("1.5"), "pet.id"},
		"text":                      {pet(`"41"`), "pet.id"},
		"null for the id":           {pet("null"), "pet.id"},
		"null for the whole":        {"null", "pet.object"},
		"an empty body":             {"", "answer.body"},
		"a blank body":              {"  ", "answer.json"},
		"one name with two values":  {`{"id":41,"name":"Rex","name":"Mia","categoryId":1}`, "pet.name"},
		"invalid UTF-8 in the name": {"{\"id\":41,\"name\":\"\xff\",\"categoryId\":1}", "answer.json"},
	} {
		t.Run(name, func(t *testing.T) {
			_, findings, _ := j.Answer(answer("getPet", 200, test.body))
			if got := rules(findings); got != test.rule {
				t.Errorf("%q is found broken, want %q", got, test.rule)
			}
		})
	}
}
