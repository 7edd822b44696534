package lifecycle

import (
	"fmt"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// A PATCH of the whole representation may only be about the lists in it; one that has a schema or a media type of
// its own is about its members.
func TestPartOf(t *testing.T) {
	const (
		zone  = "{type: object, properties: {id: {type: string}, kind: {type: string}, address: {type: object, properties: {city: {type: string}}}, records: {type: array, items: {type: object}}}}"
		patch = "{type: object, properties: {kind: {type: string}, records: {type: array, items: {type: object}}}}"
		plain = "{type: object, properties: {id: {type: string}, kind: {type: string}, address: {type: object, properties: {city: {type: string}}}}}"
	)
	for _, test := range []struct{ name, read, create, body, media, want string }{
		{"the whole representation", zone, zone, zone, "application/json", "records"},
		{"what creations take", zone, patch, patch, "application/json", "records"},
		{"a merge patch", zone, zone, zone, "application/merge-patch+json", ""},
		{"a schema of its own", zone, zone, patch, "application/json", ""},
		{"an object that is no list", plain, plain, plain, "application/json", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := openapi.Load(fmt.Appendf(nil, `openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /zones:
    post: {operationId: add, requestBody: {content: {application/json: {schema: %[4]s}}}, responses: {'201': {description: d, content: {application/json: {schema: %[1]s}}}}}
  /zones/{zoneId}:
    parameters: [{name: zoneId, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: d, content: {application/json: {schema: %[1]s}}}}}
    patch: {operationId: change, requestBody: {content: {%[2]s: {schema: %[3]s}}}, responses: {'200': {description: d}}}
`, test.read, test.media, test.body, test.create))
			if err != nil {
				t.Fatal(err)
			}
			add, _ := c.Operation("add")
			life, ok := resource.LifeOf(resource.Of(c), add)
			if !ok {
				t.Fatal("no life is known")
			}
			if got := partOf(life, life.Patcher); got != test.want {
				t.Errorf("it is for %q, want %q", got, test.want)
			}
		})
	}
}
