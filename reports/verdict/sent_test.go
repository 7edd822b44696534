package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// What follows from a creation with the identifier that its request sent is part of that defect. What happens to others is not.
func TestIdentifiersOfClientsAreOneCause(t *testing.T) {
	rules := fixture.Catalogue(t)
	for missing, want := range map[string][]string{"/pets/77": {"create.id.own"}, "/pets/78": {"create.id.own", "get.found"}} {
		r := fixture.New(t)
		own := r.Exchange("POST /pets", 201, `{"id":76,"name":"a"}`)
		r.Rec.Exchanges[own-1].Request.Body = []byte(`{"id":76,"name":"a"}`)
		id := r.Finding("create.id.own", own, "/id", "another value than the number 76", "the number 76")
		id.Kind = spec.KindDiffers
		r.Scenario("create.id.own", record.Failed, id)
		for _, body := range []string{`{"id":77,"name":"b"}`, `{"name":"c"}`} {
			created := r.Exchange("POST /pets", 201, `{"id":77,"name":"b"}`)
			r.Rec.Exchanges[created-1].Request.Body = []byte(body)
		}
		r.Exchange("GET /pets/1", 200, `{"id":1,"name":"a"}`) // so the path names a resource
		read := r.Exchange("GET "+missing, 404, `{}`)
		r.Scenario("get.found", record.Failed, r.StatusFinding("get.found", read, 200, 404))
		for i := range r.Rec.Exchanges {
			ex := &r.Rec.Exchanges[i]
			ex.Operation = map[string]string{"POST": "createPet", "GET": "getPet"}[ex.Request.Method]
		}
		if got := leads(r, rules); !slices.Equal(got, want) {
			t.Errorf("%s is missing: causes %q, want %q", missing, got, want)
		}
	}
}

// A creation that shows what another request sent is one defect, whatever field is compared. A wrong value of its own is another one.
func TestSwappedResponsesAreOneCause(t *testing.T) {
	rules := fixture.Catalogue(t)
	for shown, want := range map[string][]string{
		`{"id":2,"name":"%-1","categoryId":1}`: {"create.echo.name"},
		`{"id":2,"name":"%-3","categoryId":1}`: {"create.echo.categoryId", "create.echo.name"},
	} {
		r := fixture.New(t)
		first := r.Exchange("POST /pets", 201, `{"id":1}`)
		r.Rec.Exchanges[first-1].Request.Body = []byte(marked(r, `{"name":"%-1","categoryId":1}`))
		for _, field := range []string{"name", "categoryId"} {
			created := r.Exchange("POST /pets", 201, marked(r, shown))
			r.Rec.Exchanges[created-1].Request.Body = []byte(marked(r, `{"name":"%-2","categoryId":2}`))
			f := r.Finding("create.echo."+field, created, "/"+field, "what was sent", "something else in "+field)
			f.Kind = spec.KindDiffers
			r.Scenario("create.echo."+field, record.Failed, f)
		}
		if got := leads(r, rules); !slices.Equal(got, want) {
			t.Errorf("%s is shown: causes %q, want %q", shown, got, want)
		}
	}
}

// marked puts the run's marker in the place of % in a text.
func marked(r *fixture.Run, text string) string {
	return strings.ReplaceAll(text, "%", "hallmark-"+r.Rec.ID)
}

// leads returns the sorted rules of the causes of a record.
func leads(r *fixture.Run, rules []spec.Rule) (all []string) {
	for _, cause := range verdict.Draw(&r.Rec, rules).Causes {
		all = append(all, cause.Rule)
	}
	slices.Sort(all)
	return all
}
