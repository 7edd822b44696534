package compare_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// Two runs of one implementation show what broke, and the other way round what was fixed.
func TestRuns(t *testing.T) {
	before, after := taken(t, "", sample.Good(t)), taken(t, "", sample.Broken(t))
	before.File, after.File = "before.json", "after.json"
	c := compared(t, compare.Auto, before, after)
	if c.Mode != compare.Runs || c.Because != "both are of the implementation Sample & Söhne petstore" || c.Runs[0].Name == c.Runs[1].Name {
		t.Fatalf("compared as %s, %s: %s and %s", c.Mode, c.Because, c.Runs[0].Name, c.Runs[1].Name)
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
	if before.Started.Before(after.Started) != slices.ContainsFunc(back.Cautions, func(s string) bool { return strings.Contains(s, "are reversed in time") }) {
		t.Errorf("cautions: %q", back.Cautions)
	}
}

// For two runs that found the same, nothing is reported.
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
	// Which other rules a broken one breaks is a matter of luck; its causes are not.
	still := compared(t, compare.Runs, taken(t, "one", sample.Broken(t)), taken(t, "two", sample.Run(t, sample.Options{Wrap: sample.Faulty}))).Change.Still
	for _, cause := range sample.Broken(t).Result.Causes {
		i := slices.IndexFunc(still, func(s compare.Step) bool { return s.Rule.ID == cause.Rule })
		if i < 0 || still[i].Note != "" {
			t.Errorf("%s is broken as before, and this is told: %+v", cause.Rule, still)
		}
	}
}

// Every change from one verdict to another ends in the right list.
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

// The same rule broken in another way is distinguished; other values do not count as another way.
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

// A run that proves nothing never counts as a pass.
func TestUndecided(t *testing.T) {
	void := run("list.limit.honoured", spec.Must, verdict.Conforms)
	void.Void, void.Verdict = "hallmark itself failed", verdict.Inconclusive
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

// Operations that clearly became slower are reported, and no others.
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
