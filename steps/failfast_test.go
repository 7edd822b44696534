package steps

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// --fail-fast does not end a run at a finding that the second judge doubts, which would then be left undecided.
func TestADoubtedFindingEndsNoRun(t *testing.T) {
	c, err := openapi.Load([]byte(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /things:
    get: {operationId: op, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.NewCatalogue([]spec.Rule{{ID: "op.body", Level: spec.Must}})
	if err != nil {
		t.Fatal(err)
	}
	r := &engine{Run: &scenario.Run{Options: scenario.Options{Catalogue: catalogue}}, second: second.New(c)}
	f := spec.Finding{Rule: "op.body", Kind: spec.KindType, Pointer: "/n", Exchanges: []int{1}, Contract: "/paths/~1things/get/responses/200/content/application~1json/schema"}
	for body, want := range map[string]bool{`{"n":"x"}`: true, `{"n":1}`: false} {
		ex := &spec.Exchange{
			Seq: 1, Operation: "op", Request: spec.Request{Method: "GET", URL: "http://service.test/things"},
			Response: &spec.Response{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte(body), Size: len(body)},
		}
		if got := r.hasNewBreach([]spec.Finding{f}, map[int]*spec.Exchange{1: ex}); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	if !r.hasNewBreach([]spec.Finding{f}, nil) {
		t.Error("what it cannot be asked about ends the run")
	}
}
