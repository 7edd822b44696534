package wholerun_test

import (
	"fmt"
	"strings"
	"testing"
)

// doubling returns a contract with schemas that each refer to the one below them three times, which makes more ways through them than can be
// gone.
func doubling(levels int, keyword string) []byte {
	var b strings.Builder
	b.WriteString(`openapi: 3.1.0
info: {title: Levels, version: "1"}
paths:
  /levels:
    post:
      operationId: addLevel
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Top"}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Top"}}}}}
components:
  schemas:
    L0: {type: string, maxLength: 9}
`)
	for i := 1; i <= levels; i++ {
		below := fmt.Sprintf(`{$ref: "#/components/schemas/L%d"}`, i-1)
		three := strings.Join([]string{below, below, below}, ", ")
		if keyword == "properties" {
			three = fmt.Sprintf("{a: %s, b: %s, c: %s}", below, below, below)
		} else {
			three = "[" + three + "]"
		}
		fmt.Fprintf(&b, "    L%d: {%s: %s}\n", i, keyword, three)
	}
	fmt.Fprintf(&b, "    Top: {$ref: \"#/components/schemas/L%d\"}\n", levels)
	return []byte(b.String())
}

// A run of a document whose schemas lead to each other in very many ways ends.
func TestARunOfDoublingSchemasEnds(t *testing.T) {
	t.Parallel()
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "properties", "prefixItems"} {
		t.Run(keyword, func(t *testing.T) {
			t.Parallel()
			rec, err := askContract(t, doubling(40, keyword), always(200, "application/json", `"x"`), nil)
			if err != nil || len(rec.Exchanges) == 0 {
				t.Errorf("%d exchanges, %v", len(rec.Exchanges), err)
			}
		})
	}
}
