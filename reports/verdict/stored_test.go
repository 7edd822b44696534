package verdict_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// A value that was accepted against its schema and shows later as it was stored is one defect, led by the missing
// refusal. A value that was never sent is another one.
func TestStoredFaultsAreOneCause(t *testing.T) {
	rules := fixture.Catalogue(t)
	for name, c := range map[string]struct {
		sent, shown string
		find        spec.Finding
		want        []string
	}{
		"the value itself":   {`{"name":7,"categoryId":1}`, `[{"id":1,"name":"a"},{"id":2,"name":7}]`, spec.Finding{Kind: spec.KindType, Pointer: "/1/name"}, []string{"create.name.type"}},
		"an inner value":     {`{"name":{"a":[7]},"categoryId":1}`, `[{"id":1,"x":{"a":[7]}}]`, spec.Finding{Kind: spec.KindType, Pointer: "/0/x/a/0"}, []string{"create.name.type"}},
		"what was left out":  {`{"categoryId":1}`, `[{"id":2}]`, spec.Finding{Kind: spec.KindMissing, Detail: "name", Pointer: "/0"}, []string{"create.name.type"}},
		"another value":      {`{"name":7,"categoryId":1}`, `[{"id":2,"name":8}]`, spec.Finding{Kind: spec.KindType, Pointer: "/0/name"}, []string{"create.name.type", "pet.name"}},
		"another member":     {`{"name":7,"categoryId":1}`, `[{"id":7,"name":"a","tag":7}]`, spec.Finding{Kind: spec.KindType, Pointer: "/0/tag"}, []string{"create.name.type", "pet.name"}},
		"as it was anyway":   {`{"name":7,"categoryId":1}`, `[{"categoryId":1}]`, spec.Finding{Kind: spec.KindType, Pointer: "/0/categoryId"}, []string{"create.name.type", "pet.name"}},
		"no JSON in between": {`{"name":7`, `[{"id":2,"name":7}]`, spec.Finding{Kind: spec.KindType, Pointer: "/0/name"}, []string{"create.name.type", "pet.name"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			plain := r.Exchange("POST /pets", 201, `{"id":1,"name":"a"}`)
			bad := r.Exchange("POST /pets", 201, `{"id":2}`)
			r.Rec.Exchanges[plain-1].Request.Body = []byte(`{"name":"a","categoryId":1}`)
			r.Rec.Exchanges[bad-1].Request.Body = []byte(c.sent)
			let := r.StatusFinding("create.name.type", bad, 400, 201)
			let.Kind, let.Exchanges = spec.KindStatus, []int{plain, bad}
			r.Scenario("create.name.type", record.Failed, let)
			list := r.Exchange("GET /pets", 200, c.shown)
			f := r.Finding("pet.name", list, c.find.Pointer, "a string", "something else")
			f.Kind, f.Detail = c.find.Kind, c.find.Detail
			r.Scenario("list.array", record.Failed, f)
			var got []string
			for _, cause := range verdict.Draw(&r.Rec, rules).Causes {
				got = append(got, cause.Rule)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("causes %q, want %q", got, c.want)
			}
		})
	}
}
