package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// shardsOf makes records of that many shards, of two scenarios each; the first scenario of each is about the rule.
func shardsOf(t *testing.T, of int) []record.Named {
	t.Helper()
	var all []record.Named
	var ids []string
	for i := 1; i <= of; i++ {
		r := fixture.New(t)
		r.Rec.Options.Shard, r.Rec.Options.Seed = fmt.Sprintf("%d/%d", i, of), int64(i)
		r.Rec.Started = fixture.Started.Add(time.Duration(i) * time.Hour)
		r.Rec.Ended = r.Rec.Started.Add(time.Minute)
		r.Rec.Scenarios = append(r.Rec.Scenarios, record.Scenario{ID: record.PreflightID, Name: "the target answers", Outcome: record.Passed})
		for k := range 2 {
			seq := r.Exchange(fmt.Sprintf("GET /pets?limit=%d", i), 200, "[]")
			s := r.Scenario("list.array", record.Passed)
			s.ID, s.Exchanges = fmt.Sprintf("features/list.feature:%d", 10*i+k), []int{seq}
			s.Observations = []spec.Observation{{Rule: "list.order", Asked: "order", Answer: "by id", Exchange: seq}}
			r.Rec.Exchanges[seq-1].Scenario = s.ID
			ids = append(ids, s.ID)
		}
		r.Rec.Confirmations = []record.Confirmation{{Scenario: ids[2*(i-1)], Rule: "list.array", Tries: 1, Shown: 1, Exchanges: []int{2}}}
		r.Rec.Created = []record.Creation{{N: 1, ID: fmt.Sprint(i), Name: "a", Fate: record.Created}}
		all = append(all, record.Named{fmt.Sprintf("%d.json", i), &r.Rec})
	}
	for _, n := range all {
		n.Record.Selected = record.NewSelected(ids)
	}
	return all
}

func TestMerge(t *testing.T) {
	all := shardsOf(t, 3)
	broken := all[1].Record
	broken.Scenarios[2].Outcome = record.Failed
	broken.Scenarios[2].Findings = []spec.Finding{{
		Rule: "list.array", Expected: phrase.Of("an array"), Actual: phrase.Of("null"), Exchanges: []int{1, 2}, Cause: "x",
	}}
	all[0], all[2] = all[2], all[0] // in whatever order they are named
	rec, err := record.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Options.Shard != "" || rec.Options.Seed != 0 || !rec.Complete || len(rec.Shards) != 3 || rec.Shards[1].Seed != 2 {
		t.Errorf("options %+v, shards %+v", rec.Options, rec.Shards)
	}
	if !rec.Started.Equal(fixture.Started.Add(time.Hour)) || !rec.Ended.Equal(fixture.Started.Add(3*time.Hour+time.Minute)) {
		t.Errorf("from %v to %v", rec.Started, rec.Ended)
	}
	if len(rec.Scenarios) != 9 || len(rec.Exchanges) != 6 || len(rec.Created) != 3 || rec.Exercised["list.array"] != 15 {
		t.Fatalf("%d scenarios, %d exchanges, %d animals, list.array judged %d times", len(rec.Scenarios), len(rec.Exchanges), len(rec.Created), rec.Exercised["list.array"])
	}
	for i, ex := range rec.Exchanges {
		if ex.Seq != i+1 {
			t.Errorf("exchange %d has the number %d", i+1, ex.Seq)
		}
	}
	for _, s := range rec.Scenarios {
		for _, seq := range s.Exchanges {
			if got := rec.Exchanges[seq-1].Scenario; got != s.ID {
				t.Errorf("%s cites the exchange %d, which is of %s", s.ID, seq, got)
			}
			if s.Observations[0].Exchange != seq {
				t.Errorf("%s observed the exchange %d, not %d", s.ID, s.Observations[0].Exchange, seq)
			}
		}
	}
	for i, c := range rec.Confirmations {
		if len(rec.Confirmations) != 3 || c.Exchanges[0] != 2*i+2 {
			t.Errorf("confirmation %d of %d cites %v", i+1, len(rec.Confirmations), c.Exchanges)
		}
	}
	for i, a := range rec.Created {
		if a.N != i+1 || a.ID != fmt.Sprint(i+1) {
			t.Errorf("animal %d is %+v", i+1, a)
		}
	}
	res := verdict.Draw(rec, fixture.Catalogue(t))
	if res.Verdict != verdict.Violated || len(res.Causes) != 1 || res.Causes[0].Exchanges[0] != 3 || res.Causes[0].Exchanges[1] != 4 {
		t.Errorf("%s: %+v", res.Verdict, res.Causes)
	}
	if got := broken.Scenarios[2].Findings[0].Exchanges[0]; got != 1 {
		t.Errorf("the record that was merged was changed: its finding cites %d", got)
	}
	var text strings.Builder
	if err := terminal.Write(&text, fixture.ViewOf(t, rec), terminal.Look{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" · 3 shards", "seed 1, 2, 3"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
}

func TestMergeSaysWhatTheWholeWouldSay(t *testing.T) {
	for _, c := range []struct {
		name    string
		alter   func(r *record.Record)
		shard   verdict.Verdict
		verdict verdict.Verdict
		codes   [2]int // of the shard, and of all
	}{
		{"all is well", func(*record.Record) {}, verdict.Partial, verdict.Conformant, [2]int{0, 0}},
		{"a shard leaves a must rule out", func(r *record.Record) { r.Options.RequireComplete = true }, verdict.Partial, verdict.Conformant, [2]int{0, 0}},
		{"all leave a must rule out", func(r *record.Record) {
			r.Options.RequireComplete = true
			delete(r.Exercised, "list.empty")
		}, verdict.Partial, verdict.Partial, [2]int{0, 4}},
		{"strictly", func(r *record.Record) {
			r.Options.Strict = true
			r.Scenarios[1].Findings = []spec.Finding{{Rule: "list.robust", Expected: phrase.Of("status 400"), Actual: phrase.Of("status 500")}}
		}, verdict.Violated, verdict.Violated, [2]int{1, 1}},
		{"with a known violation", func(r *record.Record) {
			r.Deviations = []record.Deviation{{Rule: "list.array", Message: "expected an array", Reason: "so", Link: "https://x", Expires: "2030-01-01"}}
			r.Scenarios[1].Outcome = record.Failed
			r.Scenarios[1].Findings = []spec.Finding{{Rule: "list.array", Expected: phrase.Of("an array"), Actual: phrase.Of("null")}}
		}, verdict.Partial, verdict.Excepted, [2]int{0, 0}},
		{"with a fixed deviation", func(r *record.Record) {
			r.Deviations = []record.Deviation{{Rule: "list.array", Message: "expected an array", Reason: "so", Link: "https://x", Expires: "2030-01-01"}}
		}, verdict.Partial, verdict.Outdated, [2]int{0, 1}},
		{"one lost exchange", func(r *record.Record) { r.Lost = "reset" }, verdict.Inconclusive, verdict.Inconclusive, [2]int{3, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := shardsOf(t, 2)
			for _, n := range all {
				c.alter(n.Record)
				res := verdict.Draw(n.Record, fixture.Catalogue(t))
				if res.Verdict != c.shard || res.ExitCode != c.codes[0] {
					t.Errorf("%s is %s, exit code %d: %s; want %s, %d", n.Name, res.Verdict, res.ExitCode, res.Because, c.shard, c.codes[0])
				}
				var text strings.Builder
				if err := terminal.Write(&text, fixture.ViewOf(t, n.Record), terminal.Look{}); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(text.String(), "CONFORMANT") || !strings.Contains(text.String(), "only shard "+n.Record.Options.Shard) {
					t.Errorf("a shard alone says\n%s", text.String())
				}
			}
			rec, err := record.Merge(all)
			if err != nil {
				t.Fatal(err)
			}
			if res := verdict.Draw(rec, fixture.Catalogue(t)); res.Verdict != c.verdict || res.ExitCode != c.codes[1] {
				t.Errorf("all are %s, exit code %d: %s; want %s, %d", res.Verdict, res.ExitCode, res.Because, c.verdict, c.codes[1])
			}
		})
	}
}

func TestMergeRefuses(t *testing.T) {
	second := func(alter func(r *record.Record)) func([]record.Named) []record.Named {
		return func(all []record.Named) []record.Named {
			alter(all[1].Record)
			return all
		}
	}
	for _, c := range []struct {
		name, want string
		alter      func(all []record.Named) []record.Named
	}{
		{"nothing", "there is nothing to merge", func([]record.Named) []record.Named { return nil }},
		{"a gap", "shard 2/3 is missing", func(all []record.Named) []record.Named { return []record.Named{all[0], all[2]} }},
		{"two gaps", "shards 1/3, 3/3 are missing", func(all []record.Named) []record.Named { return all[1:2] }},
		{"one twice", "1.json and 1.json are both shard 1/3", func(all []record.Named) []record.Named { return append(all, all[0]) }},
		{"an undivided run", "2.json is not a shard: its run had no --shard", second(func(r *record.Record) { r.Options.Shard = "" })},
		{"a merged one", "2.json was already merged from 2 shards", second(func(r *record.Record) { r.Shards = make([]record.Part, 2) })},
		{"nonsense", `2.json says that it is shard "7/3"`, second(func(r *record.Record) { r.Options.Shard = "7/3" })},
		{"an incomplete one", "2.json (shard 2/3) ended early", second(func(r *record.Record) { r.Complete = false })},
		{"our failure", "2.json (shard 2/3) proves nothing", second(func(r *record.Record) { r.Failure = "oh" })},
		{"other numbers of shards", "suites in different numbers of shards: 3 and 4", second(func(r *record.Record) { r.Options.Shard = "2/4" })},
		{"another version", "different versions of hallmark: 0.1.0 and 0.2.0", second(func(r *record.Record) { r.Suite.Version = "0.2.0" })},
		{"another contract", "different contracts", second(func(r *record.Record) { r.Suite.Contract = "sha256:0" })},
		{"other rules", "different rules", second(func(r *record.Record) { r.Suite.Catalogue = "sha256:0" })},
		{"other features", "ran different scenarios", second(func(r *record.Record) { r.Suite.Features = "sha256:0" })},
		{"another target", "different targets: https://pets.example.com/v1 and https://x/v1", second(func(r *record.Record) { r.Target.BaseURL = "https://x/v1" })},
		{"read-only", "--read-only", second(func(r *record.Record) { r.Target.ReadOnly = true })},
		{"strict", "--strict: false and true", second(func(r *record.Record) { r.Options.Strict = true })},
		{"require-complete", "--require-complete", second(func(r *record.Record) { r.Options.RequireComplete = true })},
		{"tags", "--tags: nothing and @x", second(func(r *record.Record) { r.Options.Tags = "@x" })},
		{"rules", "--rule", second(func(r *record.Record) { r.Options.Rules = []string{"x"} })},
		{"operations", "--operation", second(func(r *record.Record) { r.Options.Operations = []string{"x"} })},
		{"again", "--rerun", second(func(r *record.Record) { r.Options.Again = "x.json" })},
		{"now", "--now", second(func(r *record.Record) { r.Options.Now = "2030-12-05T00:00:00Z" })},
		{"removal", "removal dates", second(func(r *record.Record) { r.NotApplicable = map[string]string{"get.found": "gone"} })},
		{"deviations", "--deviations", second(func(r *record.Record) { r.Deviations = []record.Deviation{{Rule: "list.array"}} })},
		{"a selection", "selected different scenarios", second(func(r *record.Record) { r.Selected.Scenarios++ })},
		{"an overlap", "the scenario features/list.feature:10 is in 1.json and again in 2.json", second(func(r *record.Record) { r.Scenarios[1].ID = "features/list.feature:10" })},
		{"a hole", "the shards hold 5 scenarios, but 6 were selected", second(func(r *record.Record) { r.Scenarios = r.Scenarios[:2] })},
		{"a stranger", "the shards hold 6 scenarios, but 6 were selected; some are missing or extra", second(func(r *record.Record) { r.Scenarios[1].ID = "features/list.feature:99" })},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := record.Merge(c.alter(shardsOf(t, 3)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// Records of traffic are joined as one judge would have seen it: counts add up, exchanges are renumbered, operations are seen in any of them.
func TestMergeTraffic(t *testing.T) {
	seen := func(name string, operation string, succeeded bool) record.Named {
		r := fixture.New(t)
		seq := r.Exchange("GET /pets?limit=1", 200, "null")
		r.Rec.Exercised = map[string]int{"list.array": 2}
		r.Rec.Coverage = &record.Coverage{Operations: []record.OperationCoverage{{Operation: "listPets"}, {Operation: "getPet"}, {Operation: "createPet"}}}
		r.Rec.Scenarios = []record.Scenario{{
			ID: operation, Name: operation, Outcome: record.Failed, Exchanges: []int{seq},
			Findings: []spec.Finding{{Rule: "list.array", Operation: operation, Expected: phrase.Of("an array"), Actual: phrase.Of("null"), Exchanges: []int{seq}, Cause: "x"}},
		}}
		r.Rec.Traffic = &record.Traffic{Source: name, Seen: 5, Judged: 4, Outside: []record.Tallied{{Name: "GET /up", Count: 1}}, Forgotten: 3}
		if succeeded {
			r.Rec.Traffic.Succeeded = []string{operation}
		}
		return record.Named{Name: name, Record: &r.Rec}
	}
	rec, err := record.Merge([]record.Named{seen("1.json", "listPets", true), seen("2.json", "getPet", false), seen("3.json", "listPets", false)})
	if err != nil {
		t.Fatal(err)
	}
	got := rec.Traffic
	if got.Seen != 15 || got.Judged != 12 || got.Forgotten != 9 || fmt.Sprint(got.Outside) != "[{GET /up 3}]" || fmt.Sprint(got.Unseen, got.Succeeded) != "[createPet] [listPets]" {
		t.Errorf("the traffic is %+v", got)
	}
	if len(rec.Scenarios) != 2 || fmt.Sprint(rec.Scenarios[0].Exchanges, rec.Scenarios[1].Exchanges, rec.Scenarios[0].Findings[1].Exchanges) != "[1 3] [2] [3]" || len(rec.Exchanges) != 3 {
		t.Errorf("the scenarios are %+v", rec.Scenarios)
	}
	if rec.Exercised["list.array"] != 6 {
		t.Errorf("the rule was exercised %d times", rec.Exercised["list.array"])
	}
	run := record.Named{Name: "run.json", Record: &record.Record{}}
	for _, mixed := range [][]record.Named{{seen("1.json", "listPets", true), run}, {run, seen("1.json", "listPets", true)}} {
		if _, err := record.Merge(mixed); err == nil || !strings.Contains(err.Error(), "merge those of one kind") {
			t.Errorf("mixed records: %v", err)
		}
	}
}

// A record of traffic counts once, and those of different services are not joined.
func TestMergeTrafficOfOneService(t *testing.T) {
	began := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	seen := func(name, base string, day int) record.Named {
		return record.Named{Name: name, Record: &record.Record{
			Started: began.AddDate(0, 0, day), Ended: began.AddDate(0, 0, day+1), Target: record.Target{BaseURL: base}, Traffic: &record.Traffic{Source: "access.log", Seen: 5},
		}}
	}
	const one, other = "https://one.example.com/v1", "https://two.example.com/v1"
	for _, c := range []struct {
		name string
		all  []record.Named
		want string
		base string
	}{
		{"days", []record.Named{seen("1.json", one, 1), seen("2.json", one, 2)}, "", one},
		{"with and without TLS", []record.Named{seen("1.json", one, 1), seen("2.json", "http://One.example.com:80/v1/", 2)}, "", one},
		{"one unknown", []record.Named{seen("1.json", "http://localhost/v1", 1), seen("2.json", one, 2), seen("3.json", "", 3)}, "", one},
		{"a copy", []record.Named{seen("1.json", one, 1), seen("2.json", one, 2), seen("copy.json", one, 1)}, "1.json and copy.json are the same record; give each of them once", ""},
		{
			"two services", []record.Named{seen("0.json", "", 0), seen("1.json", one, 1), seen("2.json", other, 2)},
			"1.json is of the service at " + one + " and 2.json of that at " + other + "; merge the records of each service by themselves", "",
		},
	} {
		rec, err := record.Merge(c.all)
		switch {
		case err != nil && err.Error() != c.want, err == nil && c.want != "":
			t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
		case err == nil && (rec.Target.BaseURL != c.base || rec.Traffic.Seen != 5*len(c.all)):
			t.Errorf("%s: the record is of %s with %d exchanges", c.name, rec.Target.BaseURL, rec.Traffic.Seen)
		}
	}
}
