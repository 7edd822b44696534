package verdict_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// What a deletion leaves readable is listed, too: one defect, led by the read. A list that is stale alone is another.
func TestWhatIsNotDeletedIsOneCause(t *testing.T) {
	rules := []spec.Rule{
		{ID: "dropPet.deleted.gone", Level: spec.Inferred, Says: "It is gone."}, {ID: "dropPet.deleted.unlisted", Level: spec.Inferred, Says: "It is not listed."},
	}
	for name, c := range map[string]struct {
		readable bool
		by       string
		want     []string
	}{
		"readable and listed": {true, "dropPet", []string{"dropPet.deleted.gone"}},
		"only listed":         {false, "dropPet", []string{"dropPet.deleted.unlisted"}},
		"readable, and listed by another operation": {true, "clearPets", []string{"dropPet.deleted.gone", "dropPet.deleted.unlisted"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			ask := func(line, operation string, status int, body string) int {
				seq := r.Exchange(line, status, body)
				r.Rec.Exchanges[seq-1].Operation = operation
				return seq
			}
			if c.readable {
				deleted := ask("DELETE /pets/7", "dropPet", 204, "")
				read := ask("GET /pets/7", "getPet", 200, `{"id":7}`)
				f := r.StatusFinding("dropPet.deleted.gone", read, 404, 200)
				f.Kind, f.Exchanges = spec.KindStatus, []int{deleted, read}
				r.Scenario("dropPet.deleted.gone", record.Failed, f)
			}
			deleted := ask("DELETE /pets/9", c.by, 204, "")
			list := ask("GET /pets", "listPets", 200, `[{"id":9}]`)
			f := r.Finding("dropPet.deleted.unlisted", list, "", "a list without what was deleted", "9 in it")
			f.Kind, f.Exchanges = spec.KindUnexpected, []int{deleted, list}
			r.Scenario("dropPet.deleted.unlisted", record.Failed, f)
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
