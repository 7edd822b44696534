package verdict_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

const limitKnown = "expected at most 2 animals, actual "

// limitIgnored is a finding on a service that ignores the limit.
func limitIgnored(r *fixture.Run) spec.Finding {
	seq := r.Exchange("GET /pets?limit=2", 200, "[]")
	f := r.Finding("list.limit.honoured", seq, "", "at most 2 animals", "67 animals")
	f.Operation, f.Kind = "listPets", spec.KindTooLarge
	return f
}

func TestJudgeDeviations(t *testing.T) {
	known := record.Deviation{Rule: "list.limit.honoured", Message: limitKnown, Reason: "the gateway", Link: "https://x.example.com/1", Expires: "2026-03-04"}
	for _, c := range []struct {
		name  string
		alter func(r *fixture.Run, d *record.Deviation)
		want  verdict.State
		run   verdict.Verdict
		rule  verdict.Verdict
		code  int
		says  string
	}{
		{"seen", func(r *fixture.Run, _ *record.Deviation) {
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
		}, verdict.Deviating, verdict.Excepted, verdict.Deviates, 0, "known until 2026-03-04: the gateway"},
		{"seen, on the day by --now", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.Options.Now = "2026-03-04T23:59:59Z"
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
		}, verdict.Deviating, verdict.Excepted, verdict.Deviates, 0, "known until"},
		{"seen, and another rule is broken", func(r *fixture.Run, _ *record.Deviation) {
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Deviating, verdict.Violated, verdict.Deviates, 1, "known until"},
		{"seen, beside another message of the rule", func(r *fixture.Run, _ *record.Deviation) {
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
			r.WrongStatus("list.limit.honoured", "GET /pets?limit=2", 200, 500)
		}, verdict.Deviating, verdict.Violated, verdict.Violated, 1, "known until"},
		{"seen in a part", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.Options.Rules = []string{"list.limit.honoured"}
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
		}, verdict.Deviating, verdict.Partial, verdict.Deviates, 0, "known until"},
		{"expired by a day", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.Options.Now = "2026-03-05T00:00:00Z"
			r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
		}, verdict.Expired, verdict.Violated, verdict.Violated, 1, "it expired on 2026-03-04 and is still found"},
		{"expired and not seen", func(_ *fixture.Run, d *record.Deviation) {
			d.Expires = "2026-01-31"
		}, verdict.Expired, verdict.Outdated, verdict.Conforms, 1, "it was valid until 2026-01-31 and was not found again: remove the entry"},
		{"expired and not asked", func(r *fixture.Run, d *record.Deviation) {
			d.Expires = "2026-01-31"
			r.Rec.Options.Rules = []string{"get.found"}
		}, verdict.Expired, verdict.Partial, verdict.Conforms, 0, "this partial run did not find it"},
		{"fixed", func(r *fixture.Run, _ *record.Deviation) {
			r.Scenario("list.limit.honoured", record.Passed)
		}, verdict.Fixed, verdict.Outdated, verdict.Conforms, 1, "it is fixed, so remove the entry"},
		{"fixed, as far as a part shows", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.Options.Rules = []string{"list.limit.honoured"}
			r.Scenario("list.limit.honoured", record.Passed)
		}, verdict.Undecided, verdict.Partial, verdict.Conforms, 0, "this run did not test everything that may show it"},
		{"not seen, and one of its scenarios was skipped", func(r *fixture.Run, _ *record.Deviation) {
			r.Scenario("list.limit.honoured", record.Passed)
			r.Scenario("list.limit.honoured", record.Skipped).Reason = "the store is too small"
		}, verdict.Undecided, verdict.Partial, verdict.NotExercised, 0, "this run did not test everything that may show it"},
		{"not exercised", func(r *fixture.Run, _ *record.Deviation) {
			delete(r.Rec.Exercised, "list.limit.honoured")
		}, verdict.Undecided, verdict.Partial, verdict.NotExercised, 0, "this run did not test everything that may show it"},
		{"the run was ended early", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.Complete = false
		}, verdict.Undecided, verdict.Partial, verdict.Conforms, 3, "this run did not test everything that may show it"},
		{"the rule does not apply", func(r *fixture.Run, _ *record.Deviation) {
			r.Rec.NotApplicable = map[string]string{"list.limit.honoured": "it was removed"}
		}, verdict.Undecided, verdict.Conformant, verdict.NotApplicable, 0, "the rule does not apply: it was removed"},
		{"changed", func(r *fixture.Run, _ *record.Deviation) {
			r.WrongStatus("list.limit.honoured", "GET /pets?limit=2", 200, 500)
		}, verdict.Changed, verdict.Violated, verdict.Violated, 1, "broken in a different way: expected status 200, actual status 500"},
		{"strict, and of another level", func(r *fixture.Run, d *record.Deviation) {
			r.Rec.Options.Strict = true
			d.Rule, d.Message = "list.robust", "expected status 400, actual status 500"
			r.WrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		}, verdict.Deviating, verdict.Excepted, verdict.Deviates, 0, "known until"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, d := fixture.New(t), known
			c.alter(r, &d)
			r.Rec.Deviations = []record.Deviation{d}
			res := verdict.Draw(&r.Rec, fixture.Catalogue(t))
			v := res.Deviations[0]
			if v.State != c.want || !strings.Contains(v.Says, c.says) {
				t.Errorf("it is %s: %s; want %s: %s", v.State, v.Says, c.want, c.says)
			}
			if res.Verdict != c.run || res.ExitCode != c.code {
				t.Errorf("the run is %s, exit code %d: %s; want %s, %d", res.Verdict, res.ExitCode, res.Because, c.run, c.code)
			}
			for _, rule := range res.Rules {
				if rule.Rule == d.Rule && rule.Verdict != c.rule {
					t.Errorf("%s is %s, want %s", rule.Rule, rule.Verdict, c.rule)
				}
			}
			for _, cause := range res.Causes {
				if v.State == verdict.Deviating && d.Covers(cause.Lead) {
					t.Errorf("what is known stands among the causes: %s", cause.Message)
				}
			}
			var text bytes.Buffer
			if err := terminal.Write(&text, fixture.ViewOf(t, &r.Rec), terminal.Look{}); err != nil {
				t.Fatal(err)
			}
			if v.State == verdict.Deviating && strings.Contains(text.String(), "\nCONFORMANT  ") {
				t.Errorf("a service that deviates is called conformant:\n%s", text.String())
			}
			if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), d.Message[:30]) {
				t.Errorf("the text does not name the deviation:\n%s", text.String())
			}
		})
	}
}

func TestDeviationsInJUnit(t *testing.T) {
	r := fixture.New(t)
	r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
	r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
	r.Rec.Deviations = []record.Deviation{
		{Rule: "list.limit.honoured", Message: limitKnown, Reason: "the <gateway>", Link: "https://x.example.com/1", Expires: "2026-12-31"},
		{Rule: "list.maximum", Message: "expected ", Reason: "was slow", Link: "https://x.example.com/2", Expires: "2026-12-31"},
	}
	r.Scenario("list.maximum", record.Passed)
	var out bytes.Buffer
	if err := junit.Write(&out, fixture.ViewOf(t, &r.Rec)); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		`<skipped message="known violation from list.limit.honoured until 2026-12-31: the &lt;gateway&gt; (https://x.example.com/1)">`,
		`<testsuite name="known violations" tests="2" failures="1" errors="0" skipped="1"`,
		`known violation, fixed: the rule was exercised`,
		`<failure message="get.unknown: expected status 404, actual status 410"`,
		`KNOWN list.limit.honoured`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %s:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "<failure "); n != 2 {
		t.Errorf("%d failures, want those of get.unknown and of the fixed entry", n)
	}
}

func TestMessage(t *testing.T) {
	f := spec.Finding{Expected: phrase.Of("status 400"), Actual: phrase.Verbatim("a name\x1b[2J" + strings.Repeat("x", 500))}
	got := record.Message(f)
	if !strings.HasPrefix(got, `expected status 400, actual a name\x1b[2Jxxx`) || len(got) > 200 || !strings.Contains(got, "(513 characters)") {
		t.Errorf("the message is %s", got)
	}
}

const goodDeviations = `# Agreed with the gateway's team.
- rule: list.limit.honoured
  message: "expected at most 2 animals, actual "
  reason: The gateway drops it. # for now
  link: https://x.example.com/1
  expires: 2027-01-31
`

func TestReadDeviations(t *testing.T) {
	all, err := verdict.ReadDeviations([]byte(goodDeviations), fixture.Catalogue(t))
	want := record.Deviation{Rule: "list.limit.honoured", Message: limitKnown, Reason: "The gateway drops it.", Link: "https://x.example.com/1", Expires: "2027-01-31"}
	if err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("%+v, %v", all, err)
	}
	for _, empty := range []string{"", "# nothing yet\n", "[]\n", "---\n"} {
		if all, err := verdict.ReadDeviations([]byte(empty), fixture.Catalogue(t)); err != nil || len(all) != 0 {
			t.Errorf("%q gives %v, %v", empty, all, err)
		}
	}
}

func TestReadDeviationsRefuses(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(goodDeviations, from, to, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"no YAML", "- [", "it is not YAML: it ends too early: a bracket is not closed, in line 1, column 4"},
		{"no list", "rule: list.array", "line 1: it must be a list, each entry with rule, kind, reason, link and expires"},
		{"no entry", "- list.array", "line 1: an entry must have rule"},
		{"two documents", goodDeviations + "---\n[]\n", "more than one document"},
		{"an unknown key", change("reason:", "reasn:"), `line 4: an entry has no "reasn"; it has rule, operation, kind, place, detail, message, reason, link and expires; did you mean reason?`},
		{"a missing key", change("  link: https://x.example.com/1\n", ""), "line 2: the entry has no link"},
		{"a key twice", goodDeviations + "  link: https://x.example.com/2\n", "line 7: link is given a second time"},
		{"a list for a text", change("https://x.example.com/1", "[a]"), "line 5: link must be text"},
		{"null for a text", change("https://x.example.com/1", ""), "line 5: link must be text"},
		{"an unknown rule", change("list.limit.honoured", "list.limit.honored"), `line 2: no rule is called "list.limit.honored"; did you mean list.limit.honoured?`},
		{"an open rule", change("list.limit.honoured", "list.order"), "list.order is an open rule, which no service can break"},
		{"a message of its own", change("expected at most", "At most"), "it is the start of what reports say"},
		{"an empty message", change("expected at most 2 animals, actual ", ""), "it is the start of what reports say"},
		{"neither a kind nor a message", change("  message: \"expected at most 2 animals, actual \"\n", ""), "line 2: the entry has no kind"},
		{"a place without a kind", change("  reason", "  place: body\n  reason"), "line 2: the entry has no kind"},
		{"an empty kind", change("  reason", "  kind: \"\"\n  reason"), "line 4: kind is empty"},
		{"an unknown kind", change("  reason", "  kind: large\n  reason"), `there is no kind of finding "large"; the kinds are wrong-status, missing`},
		{"no reason", change("The gateway drops it.", `""`), "list.limit.honoured has no reason"},
		{"a reason to come", change("The gateway drops it.", "TODO"), "list.limit.honoured has no reason"},
		{"a link to come", change("https://x.example.com/1", "TODO"), "list.limit.honoured has no link"},
		{"no date", change("2027-01-31", "soon"), `expires is "soon"`},
		{"no such date", change("2027-01-31", "2027-02-30"), `expires is "2027-02-30"`},
		{"twice the same", goodDeviations + strings.TrimPrefix(goodDeviations, "# Agreed with the gateway's team.\n"), "line 7: this entry and that of line 2"},
		{"one within another", goodDeviations + strings.TrimPrefix(change("2 animals, actual ", "2"), "# Agreed with the gateway's team.\n"), "line 7: this entry and that of line 2"},
		{"a kind twice", keyedDeviation + strings.Replace(keyedDeviation, "  operation: listPets\n", "", 1), "line 8: this entry and that of line 1 cover the same findings"},
		{"too long", strings.Repeat("#", 1<<20+1), "larger than 1024 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := verdict.ReadDeviations([]byte(c.text), fixture.Catalogue(t))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// keyedDeviation is an entry as this version writes it.
const keyedDeviation = `- rule: list.limit.honoured
  operation: listPets
  kind: too-large
  place: body
  reason: The gateway drops it.
  link: https://x.example.com/1
  expires: 2027-01-31
`

func TestUpdateDeviations(t *testing.T) {
	until := time.Date(2026, 6, 30, 23, 0, 0, 0, time.UTC)
	r := fixture.New(t)
	r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
	r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
	r.WrongStatus("get.unknown", "GET /pets/2", 404, 410)
	r.Scenario("list.maximum", record.Passed)
	before := "# Agreed with the gateway's team.\n" + keyedDeviation + `# This one is fixed.
- rule: list.maximum
  message: expected at most
  reason: It was slow.
  link: https://x.example.com/2
  expires: 2026-12-31
`
	text, changes, err := verdict.UpdateDeviations([]byte(before), &r.Rec, fixture.Catalogue(t), until)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Agreed with the gateway's team.\n" + keyedDeviation + `- rule: get.unknown
  kind: wrong-status
  place: status
  detail: "410"
  message: "expected status 404, actual status 410"
  reason: TODO
  link: TODO
  expires: 2026-06-30
`
	if string(text) != want {
		t.Errorf("the file is\n%s\nwant\n%s", text, want)
	}
	told := "kept:    list.limit.honoured: operation: listPets, kind: too-large, place: body\nremoved: list.maximum: expected at most\nadded:   get.unknown: expected status 404, actual status 410"
	if got := strings.Join(changes, "\n"); got != told {
		t.Errorf("it tells\n%s\nwant\n%s", got, told)
	}
	if _, err := verdict.ReadDeviations(text, fixture.Catalogue(t)); err == nil || !strings.Contains(err.Error(), "line 9: get.unknown has no reason") {
		t.Errorf("a file with TODO is used: %v", err)
	}
	// The second time there is nothing left to do.
	again, _, err := verdict.UpdateDeviations(text, &r.Rec, fixture.Catalogue(t), until)
	if err != nil || string(again) != want {
		t.Errorf("%v: the file became\n%s", err, again)
	}
}

// Entries of an earlier version get the keys of what their messages cover, and keep their reason, link, day and
// comments.
func TestUpdateDeviationsRenews(t *testing.T) {
	r := fixture.New(t)
	elsewhere := limitIgnored(r)
	elsewhere.Operation = "searchPets"
	r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r), elsewhere)
	text, changes, err := verdict.UpdateDeviations([]byte(goodDeviations), &r.Rec, fixture.Catalogue(t), fixture.Started)
	want := `# Agreed with the gateway's team.
- rule: list.limit.honoured
  operation: listPets
  kind: too-large
  place: body
  message: "expected at most 2 animals, actual 67 animals"
  reason: The gateway drops it. # for now
  link: https://x.example.com/1
  expires: 2027-01-31
- rule: list.limit.honoured
  operation: searchPets
  kind: too-large
  place: body
  message: "expected at most 2 animals, actual 67 animals"
  reason: The gateway drops it.
  link: https://x.example.com/1
  expires: 2027-01-31
`
	if err != nil || string(text) != want {
		t.Errorf("%v: the file is\n%s\nwant\n%s", err, text, want)
	}
	told := "renewed: list.limit.honoured: expected at most 2 animals, actual 67 animals"
	if got := strings.Join(changes, "\n"); got != told+"\n"+told {
		t.Errorf("it tells\n%s", got)
	}
	if _, err := verdict.ReadDeviations(text, fixture.Catalogue(t)); err != nil {
		t.Error(err)
	}
}

// A key covers the same defect in other words, with other numbers and in other places of a list, and no other
// defect.
func TestDeviationByKey(t *testing.T) {
	found := spec.Finding{
		Rule: "pet.id", Operation: "listPets", Kind: spec.KindType, Detail: "string", Pointer: "/3/id",
		Expected: phrase.Of("an int64"), Actual: phrase.Of("the string {}", phrase.JSON(`"41"`)), Where: phrase.Place{Path: "/pets?limit=3", Pointer: "/3/id"}, Exchanges: []int{7}, Cause: "a",
	}
	k, known := found.Key(), record.NewDeviation(found)
	for _, c := range []struct {
		name   string
		change func(f *spec.Finding)
		want   bool
	}{
		{"the same", func(*spec.Finding) {}, true},
		{"in another text", func(f *spec.Finding) {
			f.Expected, f.Actual = phrase.Of("an integer of 64 bits"), phrase.Of(`text: "42"`)
		}, true},
		{"in the run of another seed", func(f *spec.Finding) {
			f.Actual, f.Pointer, f.Exchanges, f.Cause = phrase.Of(`the string "x" (7 of 100 items; first at /52/id)`), "/52/id", []int{90, 91}, "b"
			f.Where = phrase.Place{Path: "/pets", Pointer: "/52/id"}
		}, true},
		{"of another rule", func(f *spec.Finding) { f.Rule = "pet.name" }, false},
		{"of another operation", func(f *spec.Finding) { f.Operation, f.Pointer = "getPet", "/id" }, false},
		{"of another kind", func(f *spec.Finding) { f.Kind, f.Detail = spec.KindMissing, "id" }, false},
		{"of another type", func(f *spec.Finding) { f.Detail = "null" }, false},
		{"in another field", func(f *spec.Finding) { f.Pointer = "/3/categoryId" }, false},
		{"under the same words", func(f *spec.Finding) { f.Kind, f.Status = spec.KindStatus, 500 }, false},
		{"of an earlier version", func(f *spec.Finding) { f.Operation, f.Kind, f.Detail = "", "", "" }, false},
	} {
		f := found
		c.change(&f)
		if got := known.Covers(f); got != c.want {
			t.Errorf("%s: covered %v", c.name, got)
		}
	}
	for name, wider := range map[string]record.Deviation{
		"any operation": {Rule: k.Rule, Kind: k.Kind, Place: k.Place, Detail: k.Detail},
		"any place":     {Rule: k.Rule, Operation: k.Operation, Kind: k.Kind, Detail: k.Detail},
		"any detail":    {Rule: k.Rule, Operation: k.Operation, Kind: k.Kind, Place: k.Place},
		"by message":    {Rule: k.Rule, Message: "expected an int64, actual the string"},
	} {
		if !wider.Covers(found) {
			t.Errorf("%s: it is not covered", name)
		}
	}
}

func TestUpdateDeviationsFromNothing(t *testing.T) {
	r := fixture.New(t)
	text, changes, err := verdict.UpdateDeviations(nil, &r.Rec, fixture.Catalogue(t), fixture.Started)
	if err != nil || !strings.HasSuffix(string(text), "\n[]\n") || len(changes) != 0 {
		t.Errorf("%v, %v:\n%s", err, changes, text)
	}
	r.Scenario("list.limit.honoured", record.Failed, limitIgnored(r))
	if text, _, err = verdict.UpdateDeviations(text, &r.Rec, fixture.Catalogue(t), fixture.Started); err != nil || !strings.Contains(string(text), "\n- rule: list.limit.honoured\n") {
		t.Errorf("%v:\n%s", err, text)
	}
	// What is left for a person to write is the only thing that is wrong.
	filled := strings.NewReplacer("TODO", "written").Replace(string(text))
	if entries, err := verdict.ReadDeviations([]byte(filled), fixture.Catalogue(t)); len(entries) != 1 || !strings.HasPrefix(filled, "# Known violations") {
		t.Errorf("%d entries, %v:\n%s", len(entries), err, text)
	}
}

// Findings with and without a detail get one entry, as the one without it covers both.
func TestUpdateDeviationsWithAndWithoutDetail(t *testing.T) {
	r := fixture.New(t)
	detailed := limitIgnored(r)
	detailed.Detail = "limit"
	r.Scenario("list.limit.honoured", record.Failed, detailed, limitIgnored(r))
	text, changes, err := verdict.UpdateDeviations(nil, &r.Rec, fixture.Catalogue(t), fixture.Started)
	if err != nil || len(changes) != 1 || strings.Contains(string(text), "detail:") {
		t.Fatalf("%v, %q:\n%s", err, changes, text)
	}
	text = []byte(strings.ReplaceAll(string(text), "link: TODO", "link: https://x.example.com/1"))
	if _, err := verdict.ReadDeviations([]byte(strings.ReplaceAll(string(text), "TODO", "known")), fixture.Catalogue(t)); err != nil {
		t.Error(err)
	}
}

func TestUpdateDeviationsRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		alter      func(*record.Record)
	}{
		{"an incomplete run", "ended early", func(r *record.Record) { r.Complete = false }},
		{"a lost target", "the target was lost", func(r *record.Record) { r.Lost = "away" }},
		{"our failure", "hallmark itself failed", func(r *record.Record) { r.Failure = "x" }},
		{"some rules", "only a part of the suite", func(r *record.Record) { r.Options.Rules = []string{"get.found"} }},
		{"an earlier version", "without the kinds of its findings", func(r *record.Record) {
			r.Scenarios = []record.Scenario{{Findings: []spec.Finding{{Rule: "get.found"}}}}
		}},
		{"some tags", "only a part of the suite", func(r *record.Record) { r.Options.Tags = "@read-only" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			c.alter(&r.Rec)
			if _, _, err := verdict.UpdateDeviations(nil, &r.Rec, fixture.Catalogue(t), fixture.Started); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// A known violation may name a derived rule that another one covers; one that several cover in parts does not say which it means.
func TestDeviationsOfCoveredRules(t *testing.T) {
	rules := []spec.Rule{
		{ID: "page.limit", Level: spec.Must, Covers: []string{"listPets.list.limit"}},
		{ID: "auth.prefix", Level: spec.Must, Covers: []string{"listPets.credential.wrong credential-prefix"}},
		{ID: "listPets.credential.wrong", Level: spec.Must},
	}
	entry := func(rule string) []byte {
		return []byte("- {rule: " + rule + ", operation: listPets, kind: too-large, reason: x, link: 'https://x.example.com/1', expires: 2099-01-01}\n")
	}
	if all, err := verdict.ReadDeviations(entry("listPets.list.limit"), rules); err != nil || len(all) != 1 || all[0].Rule != "page.limit" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := verdict.ReadDeviations(entry("listPets.credential.wrong"), rules); err == nil ||
		!strings.Contains(err.Error(), "line 1: the rule listPets.credential.wrong is covered by several others; name one of them: listPets.credential.wrong or auth.prefix") {
		t.Errorf("%v", err)
	}
}
