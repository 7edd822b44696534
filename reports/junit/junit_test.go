package junit

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func reportOf(t *testing.T, r *fixture.Run) (string, testsuites) {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, fixture.ViewOf(t, &r.Rec)); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if !utf8.ValidString(text) {
		t.Error("the report is not UTF-8")
	}
	var all testsuites
	dec := xml.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&all); err != nil {
		t.Fatalf("the report is no XML: %v\n%.3000s", err, text)
	}
	if rest := strings.TrimSpace(text[dec.InputOffset():]); rest != "" {
		t.Errorf("something follows the report: %q", rest)
	}
	return text, all
}

func TestJUnitGolden(t *testing.T) {
	text, _ := reportOf(t, fixture.BadRun(t))
	fixture.Golden(t, "junit-bad.xml", text)
}

func TestJUnitCounts(t *testing.T) {
	for name, r := range map[string]*fixture.Run{"good": fixture.GoodRun(t), "bad": fixture.BadRun(t), "broken": fixture.BrokenRun(t), "part": fixture.PartRun(t)} {
		t.Run(name, func(t *testing.T) {
			_, all := reportOf(t, r)
			tests, failures, errs, skipped := 0, 0, 0, 0
			for _, s := range all.Suites {
				f, e, k := 0, 0, 0
				names := map[string]bool{}
				for _, c := range s.Cases {
					outcomes := 0
					if c.Failure != nil {
						f, outcomes = f+1, outcomes+1
						if c.Failure.Message == "" || c.Failure.Type == "" || c.Failure.Text == "" {
							t.Errorf("%s fails without saying why: %+v", c.Name, c.Failure)
						}
					}
					if c.Error != nil {
						e, outcomes = e+1, outcomes+1
					}
					if c.Skipped != nil {
						k, outcomes = k+1, outcomes+1
						if c.Skipped.Message == "" || c.Skipped.Text != c.Skipped.Message {
							t.Errorf("%s is skipped without a reason", c.Name)
						}
					}
					if outcomes > 1 {
						t.Errorf("%s has %d outcomes", c.Name, outcomes)
					}
					if c.Name == "" || c.ClassName == "" || names[c.ClassName+c.Name] && s.Name != "hallmark" {
						t.Errorf("a case has no name, or one that another has: %+v", c)
					}
					names[c.ClassName+c.Name] = true
				}
				if s.Tests != len(s.Cases) || s.Failures != f || s.Errors != e || s.Skipped != k {
					t.Errorf("%s counts %d %d %d %d, and has %d %d %d %d", s.Name, s.Tests, s.Failures, s.Errors, s.Skipped, len(s.Cases), f, e, k)
				}
				if len(s.Properties) == 0 {
					t.Errorf("%s has no properties", s.Name)
				}
				tests, failures, errs, skipped = tests+s.Tests, failures+f, errs+e, skipped+k
			}
			if all.Tests != tests || all.Failures != failures || all.Errors != errs || all.Skipped != skipped {
				t.Errorf("the whole counts %d %d %d %d, its suites %d %d %d %d", all.Tests, all.Failures, all.Errors, all.Skipped, tests, failures, errs, skipped)
			}
		})
	}
}

// What a CI system shows as failed has to agree with the exit code.
func TestJUnitAgreesWithTheExitCode(t *testing.T) {
	for _, c := range fixture.CauseCases {
		for _, strict := range []bool{false, true} {
			r := fixture.New(t)
			c.Fill(r)
			r.Rec.Options.Strict = strict
			_, all := reportOf(t, r)
			code := verdict.Draw(&r.Rec, fixture.Catalogue(t)).ExitCode
			if (all.Failures+all.Errors > 0) != (code != 0) {
				t.Errorf("%s, strict %v: %d failures, %d errors, exit %d", c.Name, strict, all.Failures, all.Errors, code)
			}
		}
	}
}

func TestJUnitCases(t *testing.T) {
	find := func(t *testing.T, r *fixture.Run, id string) testcase {
		t.Helper()
		_, all := reportOf(t, r)
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				if c.Name == id {
					return c
				}
			}
		}
		t.Fatalf("no case %s", id)
		return testcase{}
	}
	t.Run("an incomplete run says so", func(t *testing.T) {
		r := fixture.GoodRun(t)
		r.Rec.Complete = false
		text, _ := reportOf(t, r)
		if c := find(t, r, "the run reaches its end"); c.Error == nil {
			t.Error("it is no error")
		}
		if !strings.Contains(text, `<property name="hallmark.complete" value="false"></property>`) {
			t.Error("no property says so")
		}
	})
	t.Run("a lost target", func(t *testing.T) {
		r := fixture.GoodRun(t)
		r.Rec.Lost = "connection refused"
		if c := find(t, r, "the target can be judged completely"); c.Error == nil || c.Error.Message != "the target was lost: connection refused" {
			t.Errorf("%+v", c.Error)
		}
	})
	t.Run("a warning passes, and is told", func(t *testing.T) {
		r := fixture.GoodRun(t)
		f := r.Finding("get.sunset", r.Exchange("GET /pets/1", 200, "{}"), "", "a Sunset header", "none")
		s := r.Scenario("get.found", record.Failed, f)
		s.Name = "with a warning"
		if c := find(t, r, "A sentence about get.found: with a warning"); c.Failure != nil || c.Error != nil || c.Out == nil || !strings.Contains(c.Out.Text, "WARN  get.sunset") {
			t.Errorf("%+v", c)
		}
		r.Rec.Options.Strict = true
		if c := find(t, r, "A sentence about get.found: with a warning"); c.Failure == nil || c.Failure.Type != "should" || !strings.HasPrefix(c.Failure.Message, "get.sunset: expected ") {
			t.Errorf("strictly: %+v", c)
		}
	})
	t.Run("a failure without a finding is ours", func(t *testing.T) {
		r := fixture.GoodRun(t)
		r.Scenario("get.found", record.Failed).Name = "odd"
		if c := find(t, r, "A sentence about get.found: odd"); c.Error == nil || c.Failure != nil {
			t.Errorf("%+v", c)
		}
	})
	t.Run("equal names are told apart by their lines", func(t *testing.T) {
		r := fixture.New(t)
		r.Scenario("get.found", record.Passed).Name = "same"
		r.Scenario("get.found", record.Passed).Name = "same"
		find(t, r, "A sentence about get.found: same (line 10)")
		find(t, r, "A sentence about get.found: same (line 11)")
	})
	t.Run("many findings of one scenario", func(t *testing.T) {
		r := fixture.New(t)
		seq := r.Exchange("GET /pets/1", 200, "{}")
		s := r.Scenario("get.found", record.Failed)
		s.Name = "many"
		for range 20 {
			s.Findings = append(s.Findings, r.Finding("pet.id", seq, "/id", "an id", "none"))
		}
		c := find(t, r, "A sentence about get.found: many")
		if c.Failure.Message != "pet.id: expected an id, actual none, and 19 more findings" || strings.Count(c.Failure.Text, "FAIL ") != 8 || !strings.Contains(c.Failure.Text, "and 12 more findings") {
			t.Errorf("%s\n%s", c.Failure.Message, c.Failure.Text)
		}
	})
	t.Run("what XML cannot hold", func(t *testing.T) {
		r := fixture.New(t)
		r.Rec.Suite.Version = "\x00\x0b\ufffe"
		s := r.Scenario("get.found", record.Skipped)
		s.Name, s.Reason, s.Feature = "a\x00\x1b]]><b>&\xff\ufffe", "why\x0c \ufffe ]]>", "features/\x01.feature"
		f := r.Finding("pet.id", r.Exchange("GET /pets/1", 200, "]]>\x00\x08\ufffe"), "/id", "]]>\x00", "\ud7ff\ufffe\x1b")
		r.Scenario("get.found", record.Failed, f)
		reportOf(t, r)
	})
}

func TestClassName(t *testing.T) {
	for feature, want := range map[string]string{
		"features/derived/listPets.feature": "features.derived.listPets", "list.feature": "list", "a.b/c.feature": "a_b.c", `a\b.feature`: "a.b", "": "hallmark", "/x.feature": "x",
	} {
		if got := className(&record.Scenario{ID: feature}); got != want {
			t.Errorf("%q: %s, want %s", feature, got, want)
		}
	}
}
