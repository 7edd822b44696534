package verdict_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// What was made up for an identifier of nothing differs from the later resource with that identifier: one defect,
// led by the request that should have found nothing.
func TestWhatIsMadeUpIsOneCause(t *testing.T) {
	rules := fixture.Catalogue(t)
	one, two := []string{"get.unknown"}, []string{"get.unknown", "pet.identity"}
	for name, c := range map[string]struct {
		unknown, shown string
		want           []string
	}{
		"the same":            {`{"id":900,"name":"Nobody","categoryId":1}`, `{"id":7,"name":"Nobody","categoryId":1}`, one},
		"in another order":    {`{"id":900,"name":"Nobody","categoryId":1}`, `{"categoryId":1,"name":"Nobody","id":7}`, one},
		"another one":         {`{"id":900,"name":"Nobody","categoryId":1}`, `{"id":7,"name":"Somebody","categoryId":1}`, two},
		"an identifier alone": {`{"id":900}`, `{"id":7}`, two},
		"no object":           {`null`, `null`, two},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			unknown := r.Exchange("GET /pets/900", 200, c.unknown)
			r.Rec.Exchanges[unknown-1].Operation, r.Rec.Exchanges[unknown-1].Expect.Statuses = "getPet", []int{404}
			fabricated := r.StatusFinding("get.unknown", unknown, 404, 200)
			fabricated.Kind = spec.KindStatus
			r.Scenario("get.unknown", record.Failed, fabricated)
			before := r.Exchange("GET /pets/7", 200, c.shown)
			after := r.Exchange("GET /pets/7", 200, `{"id":7,"name":"a","categoryId":2}`)
			for _, seq := range []int{before, after} {
				r.Rec.Exchanges[seq-1].Operation, r.Rec.Exchanges[seq-1].Expect.Statuses = "getPet", []int{200}
			}
			f := r.Finding("pet.identity", after, "/name", "the name as before", `"a"`)
			f.Exchanges = []int{before, after}
			r.Scenario("get.created", record.Failed, f)
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
