package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestAnswerKinds(t *testing.T) {
	r := fixture.New(t)
	media := func(operation string, status int) {
		seq := r.Ask(operation, status, status)
		f := r.Finding("answer.media-type", seq, "", "application/json", "text/html")
		r.Scenario("list.array", record.Failed, f, f) // twice in one exchange is one response
	}
	media("getPet", 404)
	if got := verdict.Draw(&r.Rec, fixture.Catalogue(t)).Causes[0].Extent(); slices.ContainsFunc(got, func(part string) bool { return strings.Contains(part, "in responses of") }) {
		t.Errorf("one kind, which the example shows: %q", got)
	}
	for range 3 {
		media("listPets", 200)
	}
	media("listPets", 401)
	media("getPet", 200)
	causes := verdict.Draw(&r.Rec, fixture.Catalogue(t)).Causes
	if len(causes) != 1 {
		t.Fatalf("%d causes", len(causes))
	}
	const want = "in responses of listPets 200 (3), 401 (1); getPet 200 (1), 404 (1)"
	if got := causes[0].Extent(); !slices.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
