package judge

import (
	"strings"
	"testing"

	"hallmark/spec"
)

// everything is a contract with every keyword that is explained.
const everything = `openapi: 3.1.0
info: {title: Everything, version: 1.0.0}
paths:
  /all:
    get:
      operationId: all
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema:
                type: object
                required: [i]
                properties:
                  i: {type: integer}
                  i64: {type: integer, format: int64}
                  i32: {type: integer, format: int32}
                  n: {type: number}
                  b: {type: boolean}
                  s: {type: string}
                  any: {}
                  low: {type: integer, minimum: 3}
                  high: {type: integer, maximum: 3}
                  short: {type: string, maxLength: 2}
                  long: {type: string, minLength: 2}
                  words: {type: string, enum: [a, 'b"c', "d\\e", <f>, 'é']}
                  numbers: {type: integer, enum: [1, 2]}
                  truth: {type: boolean, enum: [true]}
                  list: {type: array, minItems: 1, maxItems: 2, items: {type: integer}}
                  loose: {type: array}
                  o: {type: object, properties: {x: {type: string}}}
`

// catalogueFor is a catalogue that gives all of a contract to one rule.
func catalogueFor(t testing.TB) *spec.Catalogue {
	t.Helper()
	var text strings.Builder
	for _, id := range []string{spec.RuleStatus, spec.RuleBody, spec.RuleMediaType, spec.RuleJSON, spec.RuleErrorBody} {
		text.WriteString("- {id: " + id + ", level: must, section: S, says: So., always: true}\n")
	}
	text.WriteString("- {id: all.schema, level: must, section: S, says: So., always: true, contract: [/paths]}\n")
	c, err := spec.LoadCatalogue([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The phrases and rules of every keyword, in a contract that is not about animals.
func TestEveryKeywordIsExplained(t *testing.T) {
	j, err := New(loadText(t, everything), catalogueFor(t))
	if err != nil {
		t.Fatal(err)
	}
	for member, want := range map[string]string{
		`"i32":2147483648`: "all.schema: an int32 | the number 2147483648 | at /i32",
		`"n":"1"`:          `all.schema: a number | the string "1" | at /n`,
		`"b":0`:            "all.schema: a boolean | the number 0 | at /b",
		`"low":2`:          "all.schema: at least 3 | the number 2 | at /low",
		`"low":-1e5000`:    "all.schema: at least 3 | the number -1e5000 | at /low",
		`"high":4`:         "all.schema: at most 3 | the number 4 | at /high",
		`"high":1e5000`:    "all.schema: at most 3 | the number 1e5000 | at /high",
		`"short":"äöü"`:    "all.schema: at most 2 characters | 3 characters | at /short",
		`"long":"x"`:       "all.schema: at least 2 characters | 1 character | at /long",
		`"words":"x"`:      `all.schema: one of a, b"c, d\e, <f> and é | the string "x" | at /words`,
		`"numbers":3`:      "all.schema: one of 1 and 2 | the number 3 | at /numbers",
		`"numbers":1.0`:    "",
		`"truth":false`:    "all.schema: true | false | at /truth",
		`"list":[]`:        "all.schema: at least 1 item | 0 items | at /list",
		`"list":[1,2,3]`:   "all.schema: at most 2 items | 3 items | at /list",
		`"list":["a","b"]`: `all.schema: an integer | the string "a" (2 of 2 items; first at /list/0) | at /list/0`,
		`"o":{"x":1}`:      "all.schema: a string | the number 1 | at /o/x",
		`"any":[{}]`:       "",
	} {
		ex := answer("all", 200, `{"i":1,`+member+`}`)
		body, findings, _ := j.Answer(ex)
		got := ""
		for _, f := range findings {
			got += show(f)
		}
		if got != want || body.Err != nil {
			t.Errorf("%s: %q, want %q (%v)", member, got, want, body.Err)
		}
	}
}

// A response that is documented without a body may have one or not; nothing is said of it.
func TestAnswerWithoutADocumentedBody(t *testing.T) {
	text := strings.Replace(everything, "        '200':", "        '204': {description: Nothing.}\n        '200':", 1)
	j, err := New(loadText(t, text), catalogueFor(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, ex := range []*spec.Exchange{answerAs("all", 204, "", ""), answerAs("all", 204, "text/html", "<html>")} {
		if _, findings, exercised := j.Answer(ex); len(findings)+len(exercised) > 0 {
			t.Errorf("findings %v, exercised %v", findings, exercised)
		}
	}
	// Its documented successes differ, so nothing is known of the form of another; nor of its errors.
	for status, want := range map[int]string{202: "", 404: ""} {
		_, findings, _ := j.Answer(answer("all", status, "3"))
		if rules(findings) != want {
			t.Errorf("%d: %s", status, rules(findings))
		}
	}
}
