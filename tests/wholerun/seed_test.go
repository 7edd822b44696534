package wholerun_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hallmark/reference/petstore"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps"
	"hallmark/steps/budget"
	"hallmark/tests/runtest"
)

var nameOfRun = regexp.MustCompile(`hallmark-[0-9a-z]{6}-\d+`)

// bodiesOf lists the bodies that a run sent in its generated scenarios, without the names that differ from run to run.
func bodiesOf(t *testing.T, k runtest.Kit, seed int64, examples int) map[string][]string {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{anyKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service.Handler())
	defer server.Close()
	rec, res := k.Run(t, server.URL+"/v1", anyKey, func(c *steps.Config) {
		onlyGenerated(c)
		c.Seed, c.Examples = seed, examples
	})
	if res.ExitCode != 0 {
		t.Fatalf("the reference service is judged %s", res.Verdict)
	}
	by := map[int]spec.Exchange{}
	created := 0
	for _, ex := range rec.Exchanges {
		by[ex.Seq] = ex
		if ex.Operation == "createPet" && ex.Response.Status == http.StatusCreated {
			created++
		}
	}
	if created > budget.DefaultMax {
		t.Errorf("%d animals were created", created)
	}
	out := map[string][]string{}
	for _, s := range rec.Scenarios {
		if strings.HasSuffix(s.Name, "valid NewPet") {
			for _, seq := range s.Exchanges {
				if ex := by[seq]; ex.Request.Method == http.MethodPost {
					out[s.Name] = append(out[s.Name], nameOfRun.ReplaceAllString(string(ex.Request.Body), "NAME"))
				}
			}
		}
	}
	for _, bodies := range out {
		slices.Sort(bodies) // several are on their way at the same time
	}
	return out
}

func TestSeedRepeatsBodies(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	first, again, other := bodiesOf(t, k, 42, 0), bodiesOf(t, k, 42, 0), bodiesOf(t, k, 43, 0)
	for scenario, bodies := range first {
		if !slices.Equal(bodies, again[scenario]) {
			t.Errorf("%s: the same seed sent other bodies", scenario)
		}
		if slices.Equal(bodies, other[scenario]) {
			t.Errorf("%s: another seed sent the same bodies", scenario)
		}
	}
	if v, i := len(first["For any valid NewPet"]), len(first["For any invalid NewPet"]); v != 10 || i != 40 {
		t.Errorf("%d valid and %d invalid bodies were sent", v, i)
	}
}

// TestManyExamplesStayWithinLimits asks for more than there may be animals.
func TestManyExamplesStayWithinLimits(t *testing.T) {
	t.Parallel()
	bodies := bodiesOf(t, runtest.New(t), 5, 60)
	if n := len(bodies["For any invalid NewPet"]); n != 240 {
		t.Errorf("%d invalid bodies were sent", n)
	}
}

// TestReadingCreatesNothing runs what a read-only run may.
func TestReadingCreatesNothing(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	server := tampered(t, func(r *http.Request, _ *httptest.ResponseRecorder) bool {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is sent", r.Method, r.URL.Path)
		}
		return false
	})
	rec, res := k.Run(t, server.URL+"/v1", anyKey, func(c *steps.Config) {
		onlyGenerated(c)
		c.Selection.ReadOnly, c.Target.ReadOnly = true, true
	})
	ran := slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool {
		return s.Name == "For any sequence of reading operations" && s.Outcome == record.Passed && len(s.Exchanges) > 10
	})
	if res.ExitCode != 0 || !ran {
		t.Errorf("the run is %s, and reading sequences ran: %t", res.Verdict, ran)
	}
}
