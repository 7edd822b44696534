package compare_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hallmark/internal/sample"
	"hallmark/reports/compare"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/reports/view"
	"hallmark/spec"
	petspec "hallmark/spec/petstore"
	"hallmark/spec/phrase"
)

// refuses answers 422 where the reference service answers 400 to a limit that is none.
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

// unchallenged leaves out what a 401 should carry.
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

func compared(t testing.TB, way compare.Way, runs ...*compare.Run) *compare.Comparison {
	t.Helper()
	catalogue, err := petspec.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
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

// part is what a run would have found that asked nothing about creating animals.
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

func TestImplementations(t *testing.T) {
	c := five(t)
	if c.Way != compare.Implementations || c.Change != nil {
		t.Fatalf("compared as %q, %+v", c.Way, c.Change)
	}
	rows := map[string]compare.Row{}
	for _, r := range c.Rows {
		rows[r.Rule.ID] = r
	}
	for rule, want := range map[string]compare.Sort{
		"list.limit.honoured": compare.Differing, "auth.challenge": compare.Differing,
		"create.status.accepted": compare.Missed, "list.status.honoured": compare.Kept, "get.removed": compare.Unjudged,
	} {
		if r, known := rows[rule]; !known || r.Sort() != want {
			t.Errorf("%s is of the sort %d, want %d: %q", rule, r.Sort(), want, r.Verdicts)
		}
	}
	questions := map[string]compare.Question{}
	for _, q := range c.Ambiguities() {
		questions[q.Rule.ID] = q
	}
	outside, known := questions["list.limit.outside"]
	if !known {
		t.Fatalf("a limit outside of its bounds is no ambiguity, but %d others are", len(questions))
	}
	groups := outside.Items[0].Groups()
	if len(groups) != 2 || !slices.Equal(groups[1].Runs, []int{1}) || !strings.HasPrefix(groups[1].Answer, "status 422") {
		t.Errorf("it is answered %+v", groups)
	}
	challenge := questions["auth.challenge"]
	if len(challenge.Items) != 1 || !strings.HasPrefix(challenge.Items[0].Answers[3], "breaks it: expected") || challenge.Items[0].Answers[0] != "keeps it" {
		t.Errorf("who challenges: %+v", challenge)
	}
	if _, known := questions["create.status.default"]; known {
		t.Error("a status that all give alike is an ambiguity")
	}
	if len(c.Cautions) != 1 || !strings.HasPrefix(c.Cautions[0], "part is partial: ") {
		t.Errorf("cautions: %q", c.Cautions)
	}
	kept := 0
	for _, a := range c.Areas() {
		kept += a.Kept[0]
		if n := a.Kept[2] + a.Broken[2] + a.Missed[2]; n != a.Rules {
			t.Errorf("%s: %d rules of %d", a.Name, n, a.Rules)
		}
	}
	if want := sample.Good(t).Result.Count(verdict.Conforms, ""); kept != want {
		t.Errorf("the good one keeps %d rules by areas, and %d", kept, want)
	}
}

// Two runs of one implementation show what broke, and the other way round what was fixed.
func TestRuns(t *testing.T) {
	before, after := taken(t, "", sample.Good(t)), taken(t, "", sample.Broken(t))
	before.File, after.File = "before.json", "after.json"
	c := compared(t, compare.Auto, before, after)
	if c.Way != compare.Runs || c.Because != "both are of the implementation Sample & Söhne petstore" || c.Runs[0].Name == c.Runs[1].Name {
		t.Fatalf("compared as %s, %s: %s and %s", c.Way, c.Because, c.Runs[0].Name, c.Runs[1].Name)
	}
	broken := ids(c.Change.Broke)
	for _, cause := range sample.Broken(t).Result.Causes {
		if !slices.Contains(broken, cause.Rule) {
			t.Errorf("%s broke, and is not among %q", cause.Rule, broken)
		}
	}
	if word, says := c.Outcome(); word != "WORSE" || c.Gate() != verdict.ExitViolated || len(c.Change.Fixed) > 0 {
		t.Errorf("%s: %s, exit code %d, %d fixed", word, says, c.Gate(), len(c.Change.Fixed))
	}
	back := compared(t, compare.Runs, after, before)
	if fixed := ids(back.Change.Fixed); !slices.Equal(fixed, broken) {
		t.Errorf("fixed is %q, and broken was %q", fixed, broken)
	}
	if word, _ := back.Outcome(); word != "BETTER" || back.Gate() != verdict.ExitOK || len(back.Change.Broke) > 0 {
		t.Errorf("%s, exit code %d", word, back.Gate())
	}
	if before.Started.Before(after.Started) != slices.ContainsFunc(back.Cautions, func(s string) bool { return strings.Contains(s, "the other way round") }) {
		t.Errorf("cautions: %q", back.Cautions)
	}
}

// Of two runs that found the same nothing is told.
func TestRunsAlike(t *testing.T) {
	for name, v := range map[string]*view.View{"good": sample.Good(t), "broken": sample.Broken(t)} {
		c := compared(t, compare.Runs, taken(t, "one", v), taken(t, "two", v))
		if word, _ := c.Outcome(); word != "UNCHANGED" || c.Gate() != verdict.ExitOK || lists(c.Change) != map[string]string{"broken": "still"}[name] {
			t.Errorf("%s: %s, %s", name, word, lists(c.Change))
		}
	}
	again := compared(t, compare.Runs, taken(t, "one", sample.Good(t)), taken(t, "two", sample.Run(t, sample.Options{}))).Change
	if len(again.Broke)+len(again.Fixed)+len(again.Questions) > 0 {
		t.Errorf("of a good service: %+v", again)
	}
	// Which rules a broken one breaks besides is a matter of luck; its causes are not.
	still := compared(t, compare.Runs, taken(t, "one", sample.Broken(t)), taken(t, "two", sample.Run(t, sample.Options{Wrap: sample.Faulty}))).Change.Still
	for _, cause := range sample.Broken(t).Result.Causes {
		i := slices.IndexFunc(still, func(s compare.Step) bool { return s.Rule.ID == cause.Rule })
		if i < 0 || still[i].Note != "" {
			t.Errorf("%s is broken as before, and this is told: %+v", cause.Rule, still)
		}
	}
}

// What was asked is one item where both were asked it.
func TestAsked(t *testing.T) {
	of := func(asked ...string) *compare.Run {
		rec := *sample.Good(t).Record
		rec.Scenarios = []record.Scenario{{ID: "x:1"}}
		for _, a := range asked {
			rec.Scenarios[0].Observations = append(rec.Scenarios[0].Observations, spec.Observation{Rule: "list.order", Asked: a, Answer: "by id"})
		}
		return compare.Take("x.json", view.New(&rec, sample.Good(t).Sources))
	}
	c := compared(t, compare.Implementations, of("the order of the list", "a name 41 characters long"), of("the order of the list", "a name 64 characters long"))
	var asked []string
	for _, item := range c.Questions[0].Items {
		asked = append(asked, item.Asked...)
	}
	slices.Sort(asked)
	if want := []string{"a name 41 characters long", "a name 64 characters long", "the order of the list"}; !slices.Equal(asked, want) {
		t.Errorf("asked were %q, want %q", asked, want)
	}
}

// Who saw nothing of what others answer with answers, too; who was not asked does not.
func TestUnseen(t *testing.T) {
	of := func(reason string, answers map[string][]compare.Answer) *compare.Run {
		r := run("create.value.refused", spec.Open, verdict.Observed)
		r.Answers = map[string]map[string][]compare.Answer{"create.value.refused": answers}
		if answers == nil {
			r.Rules["create.value.refused"] = verdict.RuleVerdict{Level: spec.Open, Verdict: verdict.NotExercised, Reason: reason}
		}
		return r
	}
	refuses := of("", map[string][]compare.Answer{"a name of 41 characters": {{Text: "status 400", Reading: "status 400", Count: -1}}})
	q := compared(t, compare.Implementations, refuses, of(verdict.Unseen, nil), of("the run is read-only", nil)).Questions[0]
	if got := q.Items[0].Answers; !q.Differs() || got[1] != verdict.Unseen || got[2] != "" {
		t.Errorf("differs %v, %q", q.Differs(), got)
	}
}

// A question is read alike where only words, names and the store's size differ.
func TestReadings(t *testing.T) {
	asked := func(a, b compare.Answer) compare.Question {
		of := func(answer compare.Answer) *compare.Run {
			r := run("list.order", spec.Open, verdict.Observed)
			// Counts say something where a store is not empty.
			r.Answers = map[string]map[string][]compare.Answer{"list.order": {"a": {answer}}, "other": {"b": {{"3 animals", "a list", 3}}}}
			return r
		}
		return compared(t, compare.Implementations, of(a), of(b)).Questions[0]
	}
	plain := func(text string) compare.Answer { return compare.Answer{Text: text, Reading: text, Count: -1} }
	animals := func(n int64) compare.Answer {
		return compare.Answer{Text: fmt.Sprintf("status 200, %d animals", n), Reading: "status 200, a list", Count: n}
	}
	for _, c := range []struct {
		a, b            compare.Answer
		differs, worded bool
	}{
		{plain("status 400"), plain("status 400"), false, false},
		{plain("status 400"), plain("status 422"), true, false},
		{compare.Answer{`status 400, code "a"`, "status 400, a code", -1}, compare.Answer{`status 400, code "b"`, "status 400, a code", -1}, false, true},
		{compare.Answer{`status 400, code "a"`, "status 400, a code", -1}, plain("status 400"), true, false},
		{animals(20), animals(37), false, true},
		{animals(20), animals(100), true, false},
		{animals(20), animals(0), true, false},
		{plain("status 401 without a body"), plain("status 404 without a body"), true, false},
		{plain("present"), plain("absent"), true, false},
		{animals(1), animals(5), false, true},
	} {
		if q := asked(c.a, c.b); q.Differs() != c.differs || q.Worded() != c.worded {
			t.Errorf("%s and %s: differs %v, in words %v", c.a.Text, c.b.Text, q.Differs(), q.Worded())
		}
	}
}

// Every way from one verdict to another ends in the right list.
func TestSteps(t *testing.T) {
	const rule = "list.limit.honoured"
	for _, c := range []struct {
		before, after verdict.Verdict
		list          string
		fails         bool
	}{
		{verdict.Conforms, verdict.Conforms, "", false},
		{verdict.Conforms, verdict.Violated, "broke", true},
		{verdict.Conforms, verdict.Deviates, "broke", false},
		{verdict.Conforms, verdict.NotExercised, "lost", false},
		{verdict.NotExercised, verdict.Violated, "broke", true},
		{verdict.NotExercised, verdict.Conforms, "gained", false},
		{verdict.NotExercised, verdict.NotApplicable, "", false},
		{verdict.Deviates, verdict.Violated, "broke", true},
		{verdict.Deviates, verdict.Conforms, "fixed", false},
		{verdict.Deviates, verdict.Deviates, "still", false},
		{verdict.Violated, verdict.Conforms, "fixed", false},
		{verdict.Violated, verdict.Violated, "still", false},
		{verdict.Violated, verdict.Deviates, "still", false},
		{verdict.Violated, verdict.NotExercised, "lost", false},
		{"", verdict.Violated, "broke new", true},
		{"", verdict.Conforms, "new", false},
		{verdict.Conforms, "", "gone", false},
		{verdict.Violated, "", "gone", false},
	} {
		got := compared(t, compare.Runs, run(rule, spec.Must, c.before), run(rule, spec.Must, c.after))
		if lists, fails := lists(got.Change), len(got.Change.Fails()) > 0; lists != c.list || fails != c.fails {
			t.Errorf("from %q to %q: %q, fails %v; want %q, %v", c.before, c.after, lists, fails, c.list, c.fails)
		}
	}
	should := func(strict bool) bool {
		after := run("auth.challenge", spec.Should, verdict.Warned)
		after.Strict = strict
		return len(compared(t, compare.Runs, run("auth.challenge", spec.Should, verdict.Conforms), after).Change.Fails()) > 0
	}
	if should(false) || !should(true) {
		t.Error("a should rule that broke fails without --strict, or not with it")
	}
}

// The same rule broken in other words is told apart; other values are no other words.
func TestAnotherWay(t *testing.T) {
	with := func(f spec.Finding) *compare.Run {
		r := run("list.limit.honoured", spec.Must, verdict.Violated)
		f.Rule, f.Operation = "list.limit.honoured", "listPets"
		r.Causes = []compare.Cause{{Rule: f.Rule, Message: record.Message(f), Key: f.Key()}}
		return r
	}
	for _, c := range []struct {
		before, after spec.Finding
		another       bool
	}{
		{
			spec.Finding{Kind: spec.KindTooLarge, Expected: phrase.Of("at most 2 animals"), Actual: phrase.Of("67 animals")},
			spec.Finding{Kind: spec.KindTooLarge, Expected: phrase.Of("at most 1 animal"), Actual: phrase.Of("1,112 animals")}, false,
		},
		{
			spec.Finding{Kind: spec.KindDiffers, Pointer: "/name", Expected: phrase.Of(`"hallmark-k3j9x2-37"`), Actual: phrase.Of(`"x"`)},
			spec.Finding{Kind: spec.KindDiffers, Pointer: "/5/name", Expected: phrase.Of(`"hallmark-aaaaaa-1"`), Actual: phrase.Of(`"y"`)}, false,
		},
		{
			spec.Finding{Kind: spec.KindStatus, Status: 200, Expected: phrase.Of("status 401"), Actual: phrase.Of("status 200")},
			spec.Finding{Kind: spec.KindStatus, Status: 500, Expected: phrase.Of("status 401"), Actual: phrase.Of("status 500")}, true,
		},
		{
			spec.Finding{Kind: spec.KindTooLarge, Expected: phrase.Of("at most 2 animals"), Actual: phrase.Of("67 animals")},
			spec.Finding{Kind: spec.KindType, Detail: "object", Expected: phrase.Of("an array"), Actual: phrase.Of("an object")}, true,
		},
		{
			spec.Finding{Kind: spec.KindDiffers, Pointer: "/name", Expected: phrase.Of("x"), Actual: phrase.Of("y")},
			spec.Finding{Kind: spec.KindDiffers, Pointer: "/categoryId", Expected: phrase.Of("x"), Actual: phrase.Of("y")}, true,
		},
		// Records of earlier versions have no kinds.
		{spec.Finding{Kind: spec.KindTooLarge, Expected: phrase.Of("a"), Actual: phrase.Of("b")}, spec.Finding{Expected: phrase.Of("a"), Actual: phrase.Of("b")}, false},
		{spec.Finding{Expected: phrase.Of("a"), Actual: phrase.Of("b")}, spec.Finding{Expected: phrase.Of("a"), Actual: phrase.Of("c")}, true},
	} {
		got := compared(t, compare.Runs, with(c.before), with(c.after)).Change.Still[0]
		if (got.Note != "") != c.another {
			t.Errorf("%+v, then %+v: %q", c.before, c.after, got.Note)
		}
	}
}

// What proves nothing is never taken for a pass.
func TestUndecided(t *testing.T) {
	void := run("list.limit.honoured", spec.Must, verdict.Conforms)
	void.Void, void.Verdict = "the harness failed", verdict.Inconclusive
	lost := run("list.limit.honoured", spec.Must, verdict.Conforms)
	lost.Verdict, lost.Because = verdict.Inconclusive, "the target was lost"
	good := run("list.limit.honoured", spec.Must, verdict.Conforms)
	for name, runs := range map[string][]*compare.Run{"void after": {good, void}, "void before": {void, good}, "lost": {good, lost}} {
		c := compared(t, compare.Runs, runs...)
		if word, _ := c.Outcome(); word != "UNDECIDED" || c.Gate() != verdict.ExitUnjudged || len(c.Cautions) == 0 {
			t.Errorf("%s: %s, exit code %d, %q", name, word, c.Gate(), c.Cautions)
		}
	}
	if v := compared(t, compare.Implementations, good, void).Rows[0].Verdicts; v[0] != verdict.Conforms || v[1] != "" {
		t.Errorf("the verdicts of a run that proves nothing are shown: %q", v)
	}
	fewer := compared(t, compare.Runs, good, run("list.limit.honoured", spec.Must, verdict.NotExercised))
	if word, _ := fewer.Outcome(); word != "LESS JUDGED" {
		t.Errorf("a rule that is no longer judged: %s", word)
	}
}

func TestRefused(t *testing.T) {
	a, b := run("x", spec.Must, verdict.Conforms), run("x", spec.Must, verdict.Conforms)
	catalogue := &spec.Catalogue{}
	b.Suite.Contract = "sha256:other"
	for want, try := range map[string]struct {
		runs []*compare.Run
		way  compare.Way
	}{
		"different contracts":     {[]*compare.Run{a, b}, compare.Auto},
		"name another one":        {[]*compare.Run{a}, compare.Auto},
		"the first with the last": {[]*compare.Run{a, a, a}, compare.Runs},
		"too many":                {slices.Repeat([]*compare.Run{a}, compare.Most+1), compare.Auto},
	} {
		if _, err := compare.New(try.runs, catalogue, try.way); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	b.Suite = record.Suite{Catalogue: "sha256:other"}
	c := compared(t, compare.Auto, a, b)
	if len(c.Cautions) != 1 || !strings.Contains(c.Cautions[0], "other rules") {
		t.Errorf("cautions: %q", c.Cautions)
	}
}

func TestWay(t *testing.T) {
	of := func(project, url string) *compare.Run {
		r := run("x", spec.Must, verdict.Conforms)
		r.Implementation.Project, r.BaseURL = project, url
		return r
	}
	for _, c := range []struct {
		a, b *compare.Run
		want compare.Way
	}{
		{of("p", "http://a/v1"), of("p", "http://b/v1"), compare.Runs},
		{of("p", "http://a/v1"), of("q", "http://a/v1"), compare.Implementations},
		{of("p", "http://a/v1"), of("", "http://a/v1"), compare.Runs},
		{of("", "http://a/v1"), of("", "http://b/v1"), compare.Implementations},
	} {
		if got := compared(t, compare.Auto, c.a, c.b); got.Way != c.want {
			t.Errorf("%s at %s, %s at %s: %s", c.a.Implementation.Project, c.a.BaseURL, c.b.Implementation.Project, c.b.BaseURL, got.Way)
		}
	}
}

func TestNames(t *testing.T) {
	of := func(name, project, version, url, file string) *compare.Run {
		return &compare.Run{Name: name, File: file, BaseURL: url, Implementation: record.Implementation{Project: project, Version: version}}
	}
	runs := []*compare.Run{
		of("mine", "p", "1", "http://a/v1", "1.json"), of("", "p", "1", "http://a/v1", "2.json"), of("", "p", "1", "http://b/v1", "3.json"),
		of("", "p", "2", "http://a/v1", "4.json"), of("", "", "", "http://c:81/v1", "5.json"), of("", "", "", "http://c:81/v1", "6.json"), of("", "", "", "", "7.json"),
		of("mine", "", "", "", "8.json"),
	}
	compare.Nominate(runs)
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	want := []string{"mine", "p 1 (a)", "p 1 (b)", "p 2", "c:81 (5.json)", "c:81 (6.json)", "unnamed", "mine #2"}
	if !slices.Equal(names, want) {
		t.Errorf("names are %q, want %q", names, want)
	}
}

// Operations that clearly became slower are told, and no others.
func TestPace(t *testing.T) {
	with := func(median time.Duration, answers int) *compare.Run {
		r := run("x", spec.Must, verdict.Conforms)
		r.Latency = map[string]compare.Latency{"listPets": {Answers: answers, Median: median}}
		return r
	}
	for _, c := range []struct {
		before, after   *compare.Run
		slower, quicker int
	}{
		{with(3*time.Millisecond, 400), with(40*time.Millisecond, 400), 1, 0},
		{with(40*time.Millisecond, 400), with(3*time.Millisecond, 400), 0, 1},
		{with(1*time.Millisecond, 400), with(3*time.Millisecond, 400), 0, 0},
		{with(30*time.Millisecond, 400), with(40*time.Millisecond, 400), 0, 0},
		{with(3*time.Millisecond, 5), with(40*time.Millisecond, 400), 0, 0},
	} {
		ch := compared(t, compare.Runs, c.before, c.after).Change
		if len(ch.Slower) != c.slower || len(ch.Quicker) != c.quicker {
			t.Errorf("from %+v to %+v: slower %+v, quicker %+v", c.before.Latency, c.after.Latency, ch.Slower, ch.Quicker)
		}
	}
}

// run is one that judged a single rule; without a verdict its suite does not know the rule.
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

// lists names those that hold something.
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

func BenchmarkTake(b *testing.B) {
	v := sample.Big(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		compare.Take("big.json", v)
	}
}
