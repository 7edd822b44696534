package promise_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// A path lacks GET only if the document does not mention it. An operation that could not be read is no promise of a 405.
func TestMethodOfAnUnreadOperation(t *testing.T) {
	for members, want := range map[string]bool{
		"":                       true,
		"parameters: []":         true,
		"get: null":              false,
		"get: {}":                false,
		"get: x":                 false,
		"GET: {responses: {}}":   false,
		"gett: {responses: {}}":  false,
		"x-get: {responses: {}}": true,
	} {
		if members != "" {
			members += ", "
		}
		c, err := openapi.Load([]byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a: {" + members +
			"post: {operationId: add, responses: {'200': {description: ok}}}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if is := slices.ContainsFunc(promise.Rules(c), func(r spec.Rule) bool { return r.ID == "add.method-not-allowed" }); is != want {
			t.Errorf("%s: a 405 to GET is promised: %v, want %v", members, is, want)
		}
	}
}
