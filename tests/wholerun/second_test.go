package wholerun_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// What rests on a schema was put before the second judge, as it went over the wire; of a run that finds nothing, nothing was.
func TestFindingsAreJudgedTwice(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	if rec, _ := k.Run(t, serving(t, service.Handler()), referenceKey, nil); len(rec.Opinions) > 0 {
		t.Errorf("nothing was found, and there are opinions: %+v", rec.Opinions)
	}
	for fault, want := range map[string]record.Opinion{
		"error-status-words": {Rule: "error.status", Opinion: spec.Opinion{Says: spec.Agreed, Reason: `"got string, want integer" at /status`}},
		"body-blank":         {Rule: "answer.json", Opinion: spec.Opinion{Says: spec.Disputed, Reason: "it finds nothing wrong there", Known: "blank-body"}},
	} {
		rec, res := k.Run(t, serving(t, brokenService(t, fault)), referenceKey, nil)
		i := slices.IndexFunc(rec.Opinions, func(o record.Opinion) bool { return o.Rule == want.Rule })
		if i < 0 || rec.Opinions[i].Opinion != want.Opinion || rec.Opinions[i].Exchange == 0 {
			t.Errorf("%s: %+v", fault, rec.Opinions)
		}
		if len(res.Causes) == 0 || res.Causes[0].Undecided || res.Causes[0].Opinion == nil {
			t.Errorf("%s: %+v", fault, res.Causes)
		}
	}
}
