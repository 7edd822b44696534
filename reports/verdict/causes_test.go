package verdict_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestCauses(t *testing.T) {
	rules := fixture.Catalogue(t)
	for _, c := range fixture.CauseCases {
		t.Run(c.Name, func(t *testing.T) {
			r := fixture.New(t)
			c.Fill(r)
			res := verdict.Draw(&r.Rec, rules)
			if len(res.Failures) > 0 {
				t.Fatalf("failures of the harness: %v", res.Failures)
			}
			if diff := cmp.Diff(c.Want, fixture.Summary(res.Causes)); diff != "" {
				t.Errorf("causes (-want +got):\n%s", diff)
			}
			total := 0
			for _, cause := range res.Causes {
				total += cause.Findings
			}
			if want := countFindings(&r.Rec); total != want {
				t.Errorf("the causes hold %d findings of %d; each has to be in exactly one", total, want)
			}
		})
	}
}

// Scenarios end in another order in each run; the report must not depend on it.
func TestCausesDoNotDependOnOrder(t *testing.T) {
	rules := fixture.Catalogue(t)
	for _, c := range fixture.CauseCases {
		t.Run(c.Name, func(t *testing.T) {
			r := fixture.New(t)
			c.Fill(r)
			want := verdict.Draw(&r.Rec, rules)
			for round := range 20 {
				random := rand.New(rand.NewPCG(7, uint64(round)))
				random.Shuffle(len(r.Rec.Scenarios), func(i, j int) {
					r.Rec.Scenarios[i], r.Rec.Scenarios[j] = r.Rec.Scenarios[j], r.Rec.Scenarios[i]
				})
				if diff := cmp.Diff(want.Causes, verdict.Draw(&r.Rec, rules).Causes); diff != "" {
					t.Fatalf("in another order (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func countFindings(rec *record.Record) int {
	n := 0
	for _, s := range rec.Scenarios {
		n += len(s.Findings)
	}
	return n
}

func TestCauseExample(t *testing.T) {
	rules := fixture.Catalogue(t)
	r := fixture.New(t)
	// The wider rule leads; the example is a part of it, with the simplest exchange, and can be run again.
	for i, rule := range fixture.Credentials {
		r.WrongStatus(rule, fmt.Sprintf("GET /pets?limit=%0*d", 12-i, 1), 401, 200)
	}
	big := r.Exchange("GET /", 200, "[]")
	r.Rec.Exchanges[big-1].Response.Size = 5000 // cut in the record
	r.Scenario("auth.missing", record.Failed, r.StatusFinding("auth.missing", big, 401, 200))
	causes := verdict.Draw(&r.Rec, rules).Causes
	if len(causes) != 1 {
		t.Fatalf("causes: %v", fixture.Summary(causes))
	}
	c := causes[0]
	if c.Rule != "auth.required" || c.Lead.Rule != "auth.first" || c.Scenario != "features/auth.feature:18" {
		t.Errorf("led by %s with the example %s in %s; want auth.required, auth.first, features/auth.feature:18", c.Rule, c.Lead.Rule, c.Scenario)
	}
	if want := "hallmark run --base-url https://pets.example.com/v1 --rule auth.required"; c.Rerun != want {
		t.Errorf("rerun: %s; want %s", c.Rerun, want)
	}
	if want := `curl -sS -H "Authorization: Bearer $HALLMARK_API_KEY" 'https://pets.example.com/v1/pets?limit=0001' -w '\n%{http_code}\n'`; c.Curl != want {
		t.Errorf("curl: %s; want %s", c.Curl, want)
	}
	if c.Says == "" || c.Section != "Authentication" || c.Level != spec.Must || c.Scenarios[0] != "features/auth.feature:10" {
		t.Errorf("the cause is not explained: %+v", c)
	}
}

// It says more that a bad key was accepted than how the request failed afterwards.
func TestCauseExampleWasLetIn(t *testing.T) {
	r := fixture.New(t)
	r.WrongStatus("auth.missing", "POST /p", 401, 400)
	r.WrongStatus("auth.missing", "POST /pets {\"name\":\"a\"}", 401, 201)
	r.Rec.Scenarios[0].Findings[0].Cause, r.Rec.Scenarios[1].Findings[0].Cause = "auth.missing", "auth.missing"
	if causes := verdict.Draw(&r.Rec, fixture.Catalogue(t)).Causes; len(causes) != 1 || causes[0].Lead.Actual.String() != "status 201" {
		t.Errorf("%v, the first with %q", fixture.Summary(causes), causes[0].Lead.Actual)
	}
}

func TestRerun(t *testing.T) {
	rules := fixture.Catalogue(t)
	for _, c := range []struct {
		name, scenarioRule, brokenRule, rerun, want string
	}{
		{"a rule with a scenario of its own", "list.array", "list.array", "hallmark run --target staging", "hallmark run --target staging --rule list.array"},
		{"a rule that every exchange is judged by", "list.complete", "pet.id", "hallmark run --target staging", "hallmark run --target staging --rule pet.id --rule list.complete"},
		{"no command is known", "list.array", "list.array", "", "hallmark run --base-url 'https://pets.example.com/v1?a=b&c' --rule list.array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			r.Rec.Options.Rerun = c.rerun
			r.Rec.Target.BaseURL = "https://pets.example.com/v1?a=b&c"
			seq := r.Exchange("GET /pets", 200, "{}")
			r.Scenario(c.scenarioRule, record.Failed, r.Finding(c.brokenRule, seq, "/0", "a", "b"))
			if got := verdict.Draw(&r.Rec, rules).Causes[0].Rerun; got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A catalogue that is wrong in itself must not bring anything down.
func TestIndexWithCircles(t *testing.T) {
	rules := []spec.Rule{
		{ID: "a.a", Level: spec.Must, Within: "a.b"}, {ID: "a.b", Level: spec.Must, Within: "a.a"}, {ID: "a.a", Level: spec.Must},
		{ID: "a.c", Level: spec.Must, Within: "a.c"}, {ID: "a.d", Level: spec.Must, Within: "nothing"},
	}
	b := verdict.NewIndex(rules)
	for _, id := range []string{"a.a", "a.b", "a.c", "a.d", "x"} {
		if n := len(b.Path(id)); n > 3 {
			t.Errorf("the path of %s has %d rules", id, n)
		}
	}
	if got := b.Common(nil); got != "" {
		t.Errorf("nothing has something in common: %s", got)
	}
	r := fixture.New(t)
	for _, id := range []string{"a.a", "a.b", "a.c", "a.d"} {
		r.WrongStatus(id, "GET /pets", 200, 500)
	}
	if got := len(verdict.Draw(&r.Rec, rules).Causes); got == 0 {
		t.Error("no cause was told")
	}
}
