package record_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func answer(seq int, scenario, body string) spec.Exchange {
	return spec.Exchange{Seq: seq, Scenario: scenario, Response: &spec.Response{Status: 200, Body: spec.Bytes(body)}}
}

func citing(cause string, seqs ...int) spec.Finding {
	return spec.Finding{Rule: "pet.id", Cause: cause, Exchanges: seqs}
}

// kept returns the lengths of the bodies in a record, by number.
func kept(rec record.Record) map[int]int {
	lengths := map[int]int{}
	for _, ex := range rec.Exchanges {
		lengths[ex.Seq] = len(ex.Response.Body)
	}
	return lengths
}

func TestRecorderKeepsBodies(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	r := record.NewRecorder(record.Record{})
	r.AddExchange(answer(1, "a", long))
	r.AddExchange(answer(2, "a", long))
	r.AddExchange(answer(3, "a", "short"))
	r.AddExchange(answer(4, "b", long))
	r.AddExchange(answer(5, "a", strings.Repeat("y", 1<<20)))
	if got := kept(r.Snapshot()); got[1] != 10_000 || got[4] != 10_000 || got[5] != record.CitedBody {
		t.Errorf("while the scenarios run, bodies of %v bytes are kept", got)
	}
	before := r.Snapshot()
	r.AddScenario(record.Scenario{ID: "a", Outcome: record.Failed, Findings: []spec.Finding{citing("c", 2), citing("d", 5)}})
	if got := kept(r.Snapshot()); got[1] != record.KeptBody || got[2] != 10_000 || got[3] != 5 || got[4] != 10_000 || got[5] != record.CitedBody {
		t.Errorf("after a's end bodies of %v bytes are kept", got)
	}
	if got := kept(before); got[1] != 10_000 {
		t.Errorf("a snapshot changed: %v", got)
	}
	rec := r.Finish(record.Ending{Complete: true})
	if got := kept(rec); got[4] != record.KeptBody || got[2] != 10_000 {
		t.Errorf("at the end bodies of %v bytes are kept", got)
	}
	if rec.Exchanges[0].Response.Size != 10_000 || rec.Exchanges[2].Response.Size != 5 || rec.Exchanges[4].Response.Size != 1<<20 {
		t.Error("the sizes are not those that came")
	}
}

func TestRecorderKeepsWhatAnotherScenarioCites(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	r := record.NewRecorder(record.Record{})
	r.AddExchange(answer(1, "a", long))
	r.AddExchange(answer(2, "b", long))
	r.AddScenario(record.Scenario{ID: "b", Outcome: record.Failed, Findings: []spec.Finding{citing("c", 1, 2, 99)}})
	r.AddScenario(record.Scenario{ID: "a", Outcome: record.Passed})
	if got := kept(r.Finish(record.Ending{})); got[1] != 10_000 || got[2] != 10_000 {
		t.Errorf("bodies of %v bytes are kept", got)
	}
}

func TestRecorderKeepsFewExamplesOfACause(t *testing.T) {
	r := record.NewRecorder(record.Record{})
	var findings []spec.Finding
	for i := 1; i <= 20; i++ {
		r.AddExchange(answer(i, "a", strings.Repeat("x", 10_000)))
		findings = append(findings, citing("c", i))
	}
	r.AddScenario(record.Scenario{ID: "a", Outcome: record.Failed, Findings: findings})
	whole := 0
	for _, n := range kept(r.Finish(record.Ending{})) {
		if n == 10_000 {
			whole++
		}
	}
	if whole != record.CitedPerCause {
		t.Errorf("%d bodies of one cause are kept whole; want %d", whole, record.CitedPerCause)
	}
}

func TestRecorderLeavesTheCallersExchangeAlone(t *testing.T) {
	r := record.NewRecorder(record.Record{})
	ex := answer(1, "a", strings.Repeat("x", 10_000))
	r.AddExchange(ex)
	r.AddScenario(record.Scenario{ID: "a"})
	if len(ex.Response.Body) != 10_000 || ex.Response.Size != 0 {
		t.Error("the caller's exchange was changed")
	}
}

func TestRecorderOrder(t *testing.T) {
	r := record.NewRecorder(record.Record{Started: fixture.Started, NotApplicable: map[string]string{"a": "b"}, Suite: record.Suite{Version: "1"}})
	for _, seq := range []int{3, 1, 2} {
		r.AddExchange(spec.Exchange{Seq: seq, Lost: "gone"})
	}
	r.ExercisedAll([]string{"a", "a"})
	r.ExercisedAll([]string{"a", "b"})
	for _, o := range []record.Outcome{record.Passed, record.Failed, record.Skipped, record.Errored} {
		r.AddScenario(record.Scenario{ID: string(o), Outcome: o, Rules: []string{"list.x"}})
	}
	snapshot := r.Snapshot()
	if snapshot.Complete || snapshot.Schema != record.Schema || snapshot.Suite.Version != "1" || !snapshot.Started.Equal(fixture.Started) || !snapshot.Ended.IsZero() {
		t.Errorf("the snapshot's head is wrong: %+v", snapshot)
	}
	if snapshot.Exercised["a"] != 3 || snapshot.Exercised["b"] != 1 || snapshot.NotApplicable["a"] != "b" {
		t.Errorf("counts: %v, %v", snapshot.Exercised, snapshot.NotApplicable)
	}
	snapshot.Exercised["a"], snapshot.NotApplicable["a"], snapshot.Scenarios[0].ID = 9, "c", "changed"
	rec := r.Finish(record.Ending{Complete: true, Lost: "l", Failure: "f", At: fixture.Started.Add(time.Second)})
	if !rec.Complete || rec.Lost != "l" || rec.Failure != "f" || rec.Exercised["a"] != 3 || rec.NotApplicable["a"] != "b" || rec.Scenarios[0].ID != "passed" || rec.Ended.Sub(rec.Started) != time.Second {
		t.Errorf("the record is wrong: %+v", rec)
	}
	for i, ex := range rec.Exchanges {
		if ex.Seq != i+1 {
			t.Errorf("exchange %d stands at %d", ex.Seq, i)
		}
	}
	tally := r.Tally()
	if tally.Scenarios != 4 || tally.Passed != 1 || tally.Failed != 1 || tally.Skipped != 1 || tally.Errors != 1 || tally.Exchanges != 3 ||
		len(tally.Areas) != 1 || tally.Areas[0] != (record.AreaTally{"list", 4, 1}) {
		t.Errorf("tally: %+v", tally)
	}
}

func TestShortened(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 5, "abc"}, {"abcdef", 3, "abc"}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"a😀b", 4, "a"}, {"a😀b", 5, "a😀"}, {"\xff\xff\xff\xff", 2, "\xff\xff"},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"}, {"éé", 1, "\xc3"}, {"", 0, ""},
	} {
		got := record.Shorten(spec.Bytes(c.in), c.limit)
		if string(got) != c.want {
			t.Errorf("%q to %d: %q, want %q", c.in, c.limit, got, c.want)
		}
	}
	text := strings.Repeat("añ日😀", 5000)
	for limit := 4000; limit < 4012; limit++ {
		if !utf8.Valid(record.Shorten(spec.Bytes(text), limit)) {
			t.Errorf("cut within a character at %d", limit)
		}
	}
}

// A run is concurrent: everything may be recorded at once, while reports are written.
func TestRecorderConcurrently(t *testing.T) {
	r := record.NewRecorder(record.Record{})
	rules := fixture.Catalogue(t)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 50 {
				id := fmt.Sprintf("f:%d-%d", worker, i)
				var cited []spec.Finding
				for k := range 4 {
					seq := (worker*50+i)*4 + k + 1
					r.AddExchange(answer(seq, id, strings.Repeat("x", 6000)))
					r.ExercisedAll([]string{"pet.id", "pet.name"})
					if k == 0 {
						cited = append(cited, citing(id, seq))
					}
				}
				r.AddScenario(record.Scenario{ID: id, Rules: []string{"pet.id"}, Outcome: record.Failed, Findings: cited})
			}
		})
	}
	for range 20 {
		snapshot := r.Snapshot()
		verdict.Draw(&snapshot, rules)
		r.Tally()
	}
	wg.Wait()
	rec := r.Finish(record.Ending{Complete: true})
	if len(rec.Exchanges) != 1600 || len(rec.Scenarios) != 400 || rec.Exercised["pet.id"] != 1600 {
		t.Errorf("%d exchanges, %d scenarios, %d judged", len(rec.Exchanges), len(rec.Scenarios), rec.Exercised["pet.id"])
	}
}

// 5,000 responses of 100 KiB are 500 MiB; a record stays small, no matter what is cited and how long a scenario
// lasts.
func TestRecorderMemory(t *testing.T) {
	const exchanges, size = 5000, 100 << 10
	body := bytes.Repeat([]byte("x"), size)
	for name, c := range map[string]struct {
		scenarios int
		cite      bool
		budget    int // MiB
	}{
		"nothing is cited":            {100, false, 25},
		"one scenario makes them all": {1, false, 40},
		"everything is cited":         {100, true, 50},
		"each by a cause of its own":  {5000, true, 50},
	} {
		t.Run(name, func(t *testing.T) {
			r := record.NewRecorder(record.Record{})
			per := exchanges / c.scenarios
			peak := 0
			for i := range c.scenarios {
				s := record.Scenario{ID: fmt.Sprint(i), Outcome: record.Passed}
				for k := range per {
					seq := i*per + k + 1
					ex := answer(seq, s.ID, "")
					ex.Response.Body = body // counted as if each had memory of its own
					r.AddExchange(ex)
					if c.cite {
						s.Findings = append(s.Findings, citing(fmt.Sprint(i), seq))
					}
					if seq%1000 == 0 {
						peak = max(peak, bodies(r.Snapshot()))
					}
				}
				r.AddScenario(s)
			}
			rec := r.Finish(record.Ending{})
			peak = max(peak, bodies(rec))
			if peak > c.budget<<20 {
				t.Errorf("%d MiB of bodies are held; at most %d were allowed", peak>>20, c.budget)
			}
		})
	}
}

// bodies is the memory used by the bodies of a record, in bytes.
func bodies(rec record.Record) int {
	n := 0
	for _, ex := range rec.Exchanges {
		n += cap(ex.Response.Body)
	}
	return n
}

// recorded records a run of some scenarios, which it spills to a file if one is given, and returns its records.
func recorded(t *testing.T, spill *os.File, finds bool) (snapshot, finished record.Record) {
	t.Helper()
	r := record.NewRecorder(record.Record{})
	if spill != nil {
		r.SpillTo(spill)
	}
	seq := 0
	for i, body := range []spec.Bytes{nil, {}, spec.Bytes("a\x00b\n"), spec.Bytes(strings.Repeat("long ", 700)), spec.Bytes(strings.Repeat("x", 30_000))} {
		s := record.Scenario{ID: "a.feature:" + string(rune('1'+i)), Outcome: record.Passed}
		for range 9 {
			seq++
			s.Exchanges = append(s.Exchanges, seq)
			ex := spec.Exchange{Seq: seq, Scenario: s.ID, Request: spec.Request{Method: "PUT", URL: "/", Header: http.Header{"A": {"1", "2"}, "Empty": nil}, Body: body}}
			switch seq % 3 {
			case 0:
				ex.Lost = "connection reset"
			case 1:
				ex.Response = &spec.Response{Status: 200, Size: len(body), Body: body}
			default:
				ex.Response = &spec.Response{Status: 400, Header: http.Header{"Date": {"now"}}, Body: body}
			}
			r.AddExchange(ex)
		}
		if finds && i == 3 {
			s.Outcome, s.Findings = record.Failed, []spec.Finding{{Rule: "x", Exchanges: []int{1, seq}}}
		}
		r.AddScenario(s)
	}
	snapshot = r.Snapshot()
	return snapshot, r.Finish(record.Ending{Complete: true})
}

func TestSpilledExchangesAreRestored(t *testing.T) {
	for _, finds := range []bool{true, false} {
		file, err := os.Create(filepath.Join(t.TempDir(), "spill"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		early, want := recorded(t, nil, finds)
		snapshot, got := recorded(t, file, finds)
		same := func(x, y record.Record) {
			t.Helper()
			for i := range x.Exchanges {
				if diff := cmp.Diff(x.Exchanges[i], y.Exchanges[i]); diff != "" {
					t.Fatalf("finds %v: %.2000s", finds, diff)
				}
			}
		}
		same(early, snapshot)
		if finds {
			same(want, got)
			continue
		}
		if info, err := file.Stat(); err != nil || info.Size() < 10_000 {
			t.Errorf("the file holds too little: %v, %v", info, err)
		}
		for i := range want.Exchanges {
			want.Exchanges[i].Request.Header, want.Exchanges[i].Request.Body = nil, nil
			if resp := want.Exchanges[i].Response; resp != nil {
				want.Exchanges[i].Response = &spec.Response{Status: resp.Status, Size: resp.Size}
			}
		}
		same(want, got)
	}
}

func TestSpillKeepsEachField(t *testing.T) {
	var ex spec.Exchange
	record.Fill(reflect.ValueOf(&ex).Elem())
	var s record.Scenario
	for field, value := range reflect.ValueOf(&s).Elem().Fields() {
		if field.Name != "Findings" { // a scenario with findings is never spilled
			record.Fill(value)
		}
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "spill"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := record.NewRecorder(record.Record{})
	r.SpillTo(file)
	r.AddExchange(ex)
	r.AddScenario(s)
	rec := r.Snapshot()
	if diff := cmp.Diff([]spec.Exchange{ex}, rec.Exchanges); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]record.Scenario{s}, rec.Scenarios); diff != "" {
		t.Error(diff)
	}
	light := r.Finish(record.Ending{Complete: true})
	ex.Request.Header, ex.Request.Body, ex.Response.Header, ex.Response.Body = nil, nil, nil, nil
	s.Steps = nil
	if diff := cmp.Diff([]spec.Exchange{ex}, light.Exchanges); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]record.Scenario{s}, light.Scenarios); diff != "" {
		t.Error(diff)
	}
}

func TestUnreadableSpillIsReported(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "spill"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	_, rec := recorded(t, file, true)
	if rec.Failure != "" {
		t.Errorf("what could not be written stays in memory, but: %s", rec.Failure)
	}
	if file, err = os.Create(file.Name()); err != nil {
		t.Fatal(err)
	}
	r := record.NewRecorder(record.Record{})
	r.SpillTo(file)
	r.AddExchange(spec.Exchange{Seq: 1, Scenario: "a:1", Request: spec.Request{Body: spec.Bytes(strings.Repeat("x", 100_000))}})
	r.AddScenario(record.Scenario{ID: "a:1", Outcome: record.Passed, Exchanges: []int{1}})
	file.Close()
	if rec := r.Finish(record.Ending{Failure: ""}); !strings.Contains(rec.Failure, "temporary file, cannot be read") {
		t.Errorf("%q", rec.Failure)
	}
}

// What cannot be read back from a spill file is missing from the record, which says so, and nothing replaces it.
func TestRecordOfATruncatedSpill(t *testing.T) {
	const scenarios = 40
	for name, size := range map[string]int64{"empty": 0, "within the first entry": 100, "within a later entry": 70_000} {
		for _, complete := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, complete %v", name, complete), func(t *testing.T) {
				file, err := os.Create(filepath.Join(t.TempDir(), "spill"))
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				r := record.NewRecorder(record.Record{})
				r.SpillTo(file)
				for i := 1; i <= scenarios; i++ {
					ex := answer(i, fmt.Sprint("a:", i), strings.Repeat("x", 4000))
					r.AddExchange(ex)
					r.AddScenario(record.Scenario{ID: ex.Scenario, Outcome: record.Passed, Exchanges: []int{i}})
				}
				if err := file.Truncate(size); err != nil {
					t.Fatal(err)
				}
				snapshot, finished := r.Snapshot(), r.Finish(record.Ending{Complete: complete})
				for _, rec := range []record.Record{snapshot, finished, r.Snapshot()} {
					if n := len(rec.Scenarios); n == 0 || n >= scenarios {
						t.Errorf("the record has %d of %d scenarios; want those that are still in memory", n, scenarios)
					}
					for _, s := range rec.Scenarios {
						if s.ID == "" || s.Outcome != record.Passed || len(s.Exchanges) != 1 {
							t.Errorf("a scenario is not one that was recorded: %+v", s)
						}
					}
					for _, ex := range rec.Exchanges {
						if ex.Scenario != fmt.Sprint("a:", ex.Seq) || ex.Response == nil || ex.Response.Status != 200 {
							t.Errorf("an exchange is not one that was recorded: %+v", ex)
						}
					}
					if !strings.Contains(rec.Failure, "temporary file, cannot be read: the file was changed") {
						t.Errorf("the failure is %q", rec.Failure)
					}
				}
			})
		}
	}
}
