package compare_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// refuses answers 422 where the reference service answers 400 to an invalid limit.
func refuses(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorized := r.Header.Get("Authorization") == "Bearer "+sample.Key
		if limit := r.URL.Query().Get("limit"); authorized && r.URL.Query().Has("limit") && (len(limit) > 3 || limit == "0" || limit == "101" || strings.Trim(limit, "0123456789") != "") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"code":"no_limit","message":"this is no limit","status":422}`)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unchallenged leaves out what a 401 should have.
func unchallenged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&bare{ResponseWriter: w}, r)
	})
}

type bare struct{ http.ResponseWriter }

func (b *bare) WriteHeader(status int) {
	b.Header().Del("WWW-Authenticate")
	b.ResponseWriter.WriteHeader(status)
}

func taken(t testing.TB, name string, v *view.View) *compare.Run {
	t.Helper()
	r := compare.Take(name+".json", v)
	r.Name = name
	return r
}

func compared(t testing.TB, way compare.Mode, runs ...*compare.Run) *compare.Comparison {
	t.Helper()
	catalogue := petstoretest.Catalogue(t)
	compare.Nominate(runs)
	c, err := compare.New(runs, catalogue, way)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// five are real implementations of several kinds.
func five(t testing.TB) *compare.Comparison {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.five != nil {
		return shared.five
	}
	shared.five = compared(t, compare.Auto,
		taken(t, "good", sample.Good(t)), taken(t, "refuses", sample.Run(t, sample.Options{Wrap: refuses})),
		taken(t, "broken", sample.Broken(t)), taken(t, "unchallenged", sample.Run(t, sample.Options{Wrap: unchallenged})),
		taken(t, "part", part(t)),
	)
	return shared.five
}

// part is what a run would have found that tested nothing about creating animals.
func part(t testing.TB) *view.View {
	t.Helper()
	about := func(rule string) bool { return strings.HasPrefix(rule, "create.") }
	good := sample.Good(t)
	rec := *good.Record
	rec.Options.Operations = []string{"listPets"}
	rec.Scenarios = slices.DeleteFunc(slices.Clone(rec.Scenarios), func(s record.Scenario) bool { return slices.ContainsFunc(s.Rules, about) })
	rec.Exercised = maps.Clone(rec.Exercised)
	maps.DeleteFunc(rec.Exercised, func(rule string, _ int) bool { return about(rule) })
	return view.New(&rec, good.Sources)
}

// run is a run that judged a single rule; without a verdict its suite does not know the rule.
func run(rule string, level spec.Level, v verdict.Verdict) *compare.Run {
	r := &compare.Run{BaseURL: "http://a/v1", Verdict: verdict.Conformant, Rules: map[string]verdict.RuleVerdict{}}
	if v != "" {
		r.Rules[rule] = verdict.RuleVerdict{Rule: rule, Level: level, Verdict: v, Reason: "a reason"}
	}
	return r
}

func ids(steps []compare.Step) []string {
	var all []string
	for _, s := range steps {
		all = append(all, s.Rule.ID)
	}
	return all
}

// lists names the lists that are not empty.
func lists(ch *compare.Change) string {
	var all []string
	for _, l := range []struct {
		name  string
		steps []compare.Step
	}{{"broke", ch.Broke}, {"fixed", ch.Fixed}, {"still", ch.Still}, {"lost", ch.Lost}, {"gained", ch.Gained}, {"new", ch.New}, {"gone", ch.Gone}} {
		if len(l.steps) > 0 {
			all = append(all, l.name)
		}
	}
	return strings.Join(all, " ")
}
