package wholerun_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

const referenceKey = "Reference-Key-4711-abcXYZ"

// TestReferenceConforms is the first half of the two-sided law: who keeps the interface is never accused, and every rule
// is really asked about, the should rules too.
func TestReferenceConforms(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service.Handler())
	defer server.Close()
	rec, res := k.Run(t, server.URL+"/v1", referenceKey, nil)
	if res.Verdict != verdict.Conformant || len(res.Causes) > 0 {
		var text strings.Builder
		if err := terminal.Write(&text, view.New(&rec, view.Sources{Catalogue: k.Catalogue}), terminal.Look{Width: 120}); err != nil {
			t.Fatal(err)
		}
		t.Errorf("the reference service is judged %s:\n%s", res.Verdict, text.String())
	}
}
