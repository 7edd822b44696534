package promise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// manyBranches returns a contract whose values have more combinations with each level than any budget could try.
func manyBranches(t *testing.T, keyword string, levels int) *spec.Contract {
	t.Helper()
	var text strings.Builder
	text.WriteString(`{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/documents: {post: {operationId: add, ` +
		`requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/L0'}}}}, ` +
		`responses: {'200': {description: kept}, '400': {description: wrong}}}}}, components: {schemas: {`)
	for level := range levels {
		fmt.Fprintf(&text, "L%d: {%s: [", level, keyword)
		for branch := range 6 {
			fmt.Fprintf(&text, "{type: object, required: [kind], properties: {kind: {type: string, enum: [k%d]}, first: {$ref: '#/components/schemas/L%d'}, rest: {$ref: '#/components/schemas/L%d'}}},",
				branch, (level+1)%levels, (level+1)%levels)
		}
		text.WriteString("]}, ")
	}
	text.WriteString("}}}")
	c, err := openapi.Load([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// For schemas with more combinations than can be tried, the work is limited, and what is left out is listed.
func TestWorkIsBounded(t *testing.T) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		p := Of(manyBranches(t, keyword, 8), 1, 0)
		work := instance.NewWork(5_000)
		d, _ := drafted(&p.options.operations[0], p.options, 60, work)
		if !work.Incomplete() || work.Left() > 0 {
			t.Errorf("%s: %d steps are left of 5,000", keyword, work.Left())
		}
		if d.size == 0 {
			t.Errorf("%s: nothing is derived", keyword)
		}
		if b := p.Budget(); !slices.Equal(b.Incomplete, []string{"add"}) {
			t.Errorf("%s: incomplete: %q", keyword, b.Incomplete)
		}
		if _, err := p.Requests(&p.options.operations[0]); err != nil {
			t.Errorf("%s: %v", keyword, err)
		}
	}
}
