package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// A contract of many operations is not listed for a slip of the pen.
func TestOperationsLike(t *testing.T) {
	for _, test := range []struct {
		operations int
		id, want   string
	}{
		{3, "getItem9", "; the contract has getItem0, getItem1, getItem2"},
		{300, "getItem99x", "; did you mean getItem99? (the contract has 300 operations)"},
		{300, "nothing like it", " (the contract has 300 operations)"},
	} {
		if got := operationsLike(test.id, contractOf(t, test.operations)); got != test.want {
			t.Errorf("%s among %d: %q, want %q", test.id, test.operations, got, test.want)
		}
	}
}

func contractOf(t *testing.T, operations int) *spec.Contract {
	t.Helper()
	var paths strings.Builder
	for i := range operations {
		fmt.Fprintf(&paths, "  /items%d:\n    get: {operationId: getItem%d, responses: {'200': {description: one}}}\n", i, i)
	}
	c, err := openapi.Load([]byte("openapi: 3.1.0\ninfo: {title: Items, version: '1'}\npaths:\n" + paths.String()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
