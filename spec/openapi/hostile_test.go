package openapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// What is made to take time squared is read in little time.
func TestHostileDocumentsAreReadInTime(t *testing.T) {
	n := 10_000
	if skip.RaceDetector {
		n = 1000 // the detector makes it ten times as slow
	}
	many := func(item func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(item(i))
		}
		return b.String()
	}
	head := "openapi: 3.0.0\ninfo: {title: t, version: '1'}\n"
	for name, text := range map[string]string{
		"operations that share an omission": head + "paths:\n" + many(func(i int) string {
			return fmt.Sprintf("  /a%d: {get: {parameters: [{$ref: '#/components/parameters/p'}], responses: {'200': {$ref: '#/components/responses/r'}}}}\n", i)
		}) + "components:\n  parameters: {p: {name: p, in: nowhere}}\n  responses: {r: {description: d, content: {application/json: {schema: {type: bool}}}}}\n",
		"ids that are made alike": head + "paths:\n" + many(func(i int) string {
			return fmt.Sprintf("  /%s: {get: {responses: {'204': {description: d}}}}\n", strings.ReplaceAll(strings.ReplaceAll(fmt.Sprintf("%b", i), "0", "-"), "1", "_"))
		}),
		"links": head + "paths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        '200':\n          description: d\n          links:\n" + many(func(i int) string {
			return fmt.Sprintf("            l%d: {operationId: a%d}\n", i, i)
		}),
		"heirs": head + "paths:\n  /a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}}}}\n" +
			"components:\n  schemas:\n    B: {type: object, discriminator: {propertyName: k}}\n" + many(func(i int) string {
			return fmt.Sprintf("    S%d: {allOf: [{$ref: '#/components/schemas/B'}]}\n", i)
		}),
		"references one after the other": head + "paths:\n  /a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}}}\n" +
			"components:\n  schemas:\n" + many(func(i int) string {
			return fmt.Sprintf("    S%d: {$ref: '#/components/schemas/S%d'}\n", i, i+1)
		}),
		"schemas that are wrong": head + "paths:\n  /a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}}}\n" +
			"components:\n  schemas:\n" + many(func(i int) string {
			return fmt.Sprintf("    S%d: {type: bool, minimum: x, properties: {a: {$ref: '#/components/schemas/S%d'}, b: {$ref: '#/components/schemas/S%d'}}}\n", i, (i+1)%n, (i*7)%n)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			c, err := openapi.Load([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			t.Logf("%d operations, %d omissions, %d defects in %v", len(c.Operations()), len(c.Omissions()), len(c.Defects()), took)
			if took > time.Minute {
				t.Errorf("it takes %v", took)
			}
			checkModel(t, name, c)
		})
	}
}
