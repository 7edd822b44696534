package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"hallmark/internal/bundled"

	"hallmark/internal/skip"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/exchangetest"
	"hallmark/steps/petstore/rehearse"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// played is a run that has ended.
type played struct {
	rec    record.Record
	res    verdict.Result
	ending record.Ending
	err    error
}

// playRun runs a suite against a service to its end.
func playRun(t *testing.T, ctx context.Context, service http.RoundTripper, changes ...func(*Config)) played {
	t.Helper()
	cfg := testConfig(t, service)
	for _, change := range changes {
		change(&cfg)
	}
	cfg.Recorder = record.NewRecorder(record.Record{NotApplicable: NotApplicable(cfg.Contract, cfg.Catalogue, cfg.Now)})
	var p played
	p.ending, p.err = Run(ctx, cfg)
	p.rec = cfg.Recorder.Finish(p.ending)
	p.res = verdict.Judge(&p.rec, cfg.Catalogue.Rules)
	return p
}

// scenario finds one by its name.
func (p played) scenario(t *testing.T, name string) record.Scenario {
	t.Helper()
	for _, s := range p.rec.Scenarios {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("the record holds no scenario %q", name)
	return record.Scenario{}
}

// outcomes counts the scenarios by what became of them, the preflight left out.
func (p played) outcomes() map[record.Outcome]int {
	out := map[record.Outcome]int{}
	for _, s := range p.rec.Scenarios {
		if s.ID != "preflight" {
			out[s.Outcome]++
		}
	}
	return out
}

// musts lists the findings on must rules.
func (p played) musts(t *testing.T) []spec.Finding {
	t.Helper()
	var out []spec.Finding
	for _, s := range p.rec.Scenarios {
		for _, f := range s.Findings {
			if r, _ := rehearse.Must(t, rehearse.Catalogue).Rule(f.Rule); r.Level == spec.Must {
				out = append(out, f)
			}
		}
	}
	return out
}

// with makes the run use features of the test's own.
func with(t *testing.T, features string) func(*Config) {
	t.Helper()
	suite, err := loadText(t, features)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Suite = suite }
}

// ── What becomes of a scenario ──

func TestOutcomes(t *testing.T) {
	const head = "@rule:list.accepted\nFeature: F\n  Scenario: S\n"
	unchallenged := rehearse.NewShop()
	unchallenged.Change = func(_ *http.Request, a *rehearse.Reply) { a.Header.Del("WWW-Authenticate") }
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for name, test := range map[string]struct {
		steps   string
		service *rehearse.Shop
		change  func(*Config)
		outcome record.Outcome
		reason  string
		stepped string // the outcomes of its steps
		found   string
	}{
		"all is well": {"When listPets is called\nThen the response is 200", rehearse.NewShop(), nil,
			record.Passed, "", "passed passed", ""},
		"a rule is broken": {"When listPets is called\nThen the response is 200\nAnd it holds at most 20 animals", rehearse.Answering(500, `{"code":"c","message":"m","status":500}`), nil,
			record.Failed, "", "passed failed passed", "list.accepted"},
		"a should rule only": {"Given the credential is missing\nWhen listPets is called\nThen the response is 401", unchallenged, nil,
			record.Passed, "", "passed passed passed", "auth.challenge"},
		"always judged, in a step that asks": {"When listPets is called", rehearse.Answering(200, exchangetest.List(30, "")), nil,
			record.Failed, "", "failed", "list.limit.default"},
		"it cannot go on": {"When listPets is called\nThen no id stands in it twice\nAnd the response is 200", rehearse.NewShop(), nil,
			record.Skipped, "the list holds fewer than two animals", "passed skipped skipped", ""},
		"broken before it cannot go on": {"When listPets is called\nThen no id stands in it twice\nAnd the response is 200", rehearse.Answering(206, "[]"), nil,
			record.Skipped, "the list holds fewer than two animals", "passed skipped skipped", ""},
		"broken, then it cannot go on": {"When listPets is called\nThen the response is 200\nAnd no id stands in it twice\nAnd the response is 200", rehearse.Answering(206, "[]"), nil,
			record.Failed, "", "passed failed skipped skipped", "list.accepted"},
		"a step that is wrong": {"When listPets is called\nThen it holds at most 20 animals\nGiven the credential is made of gold", rehearse.NewShop(), nil,
			record.Errored, `no credential is called "made of gold"`, "passed passed error", ""},
		"out of place": {"Then the response is 200\nWhen listPets is called", rehearse.NewShop(), nil,
			record.Errored, "no operation has been called before this step", "error skipped", ""},
		"a response deeper than anybody reads": {"When listPets is called\nThen the response is 200", rehearse.Answering(200, deep), nil,
			record.Failed, "", "failed passed", "answer.json"},
		"a removed operation": {"When getPet is called\nThen the response is 404", rehearse.NewShop(), func(c *Config) { c.Now = rehearse.RemovalDay },
			record.Skipped, "getPet was removed on 5 December 2030", "skipped skipped", ""},
	} {
		t.Run(name, func(t *testing.T) {
			changes := []func(*Config){with(t, head+"    "+strings.ReplaceAll(test.steps, "\n", "\n    ")+"\n")}
			if test.change != nil {
				changes = append(changes, test.change)
			}
			p := playRun(t, t.Context(), test.service, changes...)
			if p.err != nil || !p.ending.Complete {
				t.Fatalf("%v, complete: %v", p.err, p.ending.Complete)
			}
			s := p.scenario(t, "S")
			if s.Outcome != test.outcome || !strings.Contains(s.Reason, test.reason) || (s.Reason == "") != (test.reason == "") {
				t.Errorf("%s because %q, want %s because %q", s.Outcome, s.Reason, test.outcome, test.reason)
			}
			var stepped []string
			for _, st := range s.Steps {
				stepped = append(stepped, string(st.Outcome))
			}
			if got := strings.Join(stepped, " "); got != test.stepped {
				t.Errorf("its steps: %s, want %s", got, test.stepped)
			}
			if got := exchangetest.Rules(s.Findings); !slices.Equal(got, rehearse.Rules(test.found)) {
				t.Errorf("found %q, want %s", got, test.found)
			}
			if s.ID != "features/a.feature:3" || !slices.Equal(s.Rules, []string{"list.accepted"}) || len(s.Exchanges) > 1 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A skipped scenario is no passed one: its rule counts as not exercised, and says why.
func TestASkippedRuleIsNotExercised(t *testing.T) {
	p := playRun(t, t.Context(), rehearse.NewShop(), with(t, "Feature: F\n  @rule:list.order\n  Scenario: S\n    When listPets is called\n    Then its order is recorded\n"))
	for _, v := range p.res.Rules {
		if v.Rule == "list.order" && (v.Verdict != verdict.NotExercised || v.Reason != "fewer than three animals are listed") {
			t.Errorf("%+v", v)
		}
	}
}

func TestAScenarioOfARemovedOperationIsSkipped(t *testing.T) {
	service := rehearse.NewShop()
	p := playRun(t, t.Context(), service, func(c *Config) { c.Now = rehearse.RemovalDay },
		with(t, "Feature: F\n  @rule:get.found @operation:getPet\n  Scenario: S\n    When listPets is called\n"))
	s := p.scenario(t, "S")
	if s.Outcome != record.Skipped || s.Reason != "getPet was removed on 5 December 2030" || len(service.Asked) != 1 {
		t.Errorf("%s because %q, %d requests", s.Outcome, s.Reason, len(service.Asked))
	}
}

func TestWhatIsNotSelectedLeavesNoRecord(t *testing.T) {
	const features = "@rule:list.accepted\nFeature: F\n  @a\n  Scenario: A\n    When listPets is called\n" +
		"  @b @read-only\n  Scenario: B\n    When listPets is called\n"
	p := playRun(t, t.Context(), rehearse.NewShop(), with(t, features), func(c *Config) { c.Selection.Tags = "@b" })
	if len(p.rec.Scenarios) != 2 || p.rec.Scenarios[0].ID != "preflight" || p.rec.Scenarios[1].Name != "B" {
		t.Errorf("%d scenarios are recorded", len(p.rec.Scenarios))
	}
	p = playRun(t, t.Context(), rehearse.NewShop(), with(t, features), func(c *Config) { c.Selection.ReadOnly, c.Target.ReadOnly = true, true })
	if a := p.scenario(t, "A"); a.Outcome != record.Skipped || a.Reason != "the run is read-only, and this scenario creates animals" {
		t.Errorf("%s because %q", a.Outcome, a.Reason)
	}
	if b := p.scenario(t, "B"); b.Outcome != record.Passed {
		t.Errorf("%s because %q", b.Outcome, b.Reason)
	}
}

// ── The order of things ──

func names(scenarios []record.Scenario) string {
	var out []string
	for _, s := range scenarios {
		if s.ID != "preflight" {
			out = append(out, s.Name)
		}
	}
	return strings.Join(out, " ")
}

func TestPhases(t *testing.T) {
	suite, err := LoadSuite(fstest.MapFS{
		"a.feature": {Data: []byte("@rule:list.accepted @phase:last\nFeature: A\n Scenario: l1\n  When listPets is called\n")},
		"b.feature": {Data: []byte("@rule:list.accepted\nFeature: B\n Scenario: n1\n  When listPets is called\n @phase:stocked\n Scenario: st1\n  When listPets is called\n")},
		"c.feature": {Data: []byte("@rule:list.accepted @phase:small\nFeature: C\n Scenario: s1\n  When listPets is called\n Scenario: s2\n  When listPets is called\n")},
		"d.feature": {Data: []byte("@rule:list.accepted @phase:first\nFeature: D\n Scenario: f1\n  When listPets is called\n Scenario: f2\n  When listPets is called\n Scenario: f3\n  When listPets is called\n")},
		"e.feature": {Data: []byte("@rule:list.accepted @phase:end\nFeature: E\n Scenario: e1\n  When listPets is called\n")},
	}, bundled.Petstore().Code, rehearse.Must(t, rehearse.Catalogue))
	if err != nil {
		t.Fatal(err)
	}
	for seed := int64(1); seed < 6; seed++ {
		p := playRun(t, t.Context(), rehearse.NewShop(), func(c *Config) { c.Suite, c.Seed, c.Concurrency = suite, seed, 4 })
		if got := names(p.rec.Scenarios); got != "f1 f2 f3 n1 s1 s2 st1 l1 e1" {
			t.Errorf("seed %d: %s", seed, got)
		}
	}
}

func TestTheSeedFixesTheOrder(t *testing.T) {
	var features strings.Builder
	features.WriteString("@rule:list.accepted\nFeature: F\n")
	for i := range 12 {
		fmt.Fprintf(&features, " Scenario: s%d\n  When listPets is called\n", i)
	}
	order := func(seed int64) string {
		p := playRun(t, t.Context(), rehearse.NewShop(), with(t, features.String()), func(c *Config) { c.Seed, c.Concurrency = seed, 1 })
		return names(p.rec.Scenarios)
	}
	first := order(7)
	if again := order(7); again != first {
		t.Errorf("the same seed gives %s and %s", first, again)
	}
	if order(8) == first && order(9) == first {
		t.Error("every seed gives the same order")
	}
}

// gathering answers only once so many requests are there at the same time.
type gathering struct {
	*rehearse.Shop
	mu   sync.Mutex
	most int
	now  int
	n    int
	once sync.Once
	full chan struct{}
}

func (g *gathering) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	g.now++
	g.most = max(g.most, g.now)
	if g.now == g.n {
		g.once.Do(func() { close(g.full) })
	}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.now--
		g.mu.Unlock()
	}()
	if r.URL.RawQuery == "limit=7" { // the preflight is alone
		<-g.full
	}
	return g.Shop.RoundTrip(r)
}

func TestScenariosRunAtTheSameTime(t *testing.T) {
	features := "@rule:list.accepted\nFeature: F\n" + strings.Repeat(" Scenario: S\n  When listPets is called with limit 7\n", 12)
	g := &gathering{Shop: rehearse.NewShop(), n: 4, full: make(chan struct{})}
	p := playRun(t, t.Context(), g, with(t, features), func(c *Config) { c.Concurrency = 4 })
	if p.err != nil || g.most != 4 || p.outcomes()[record.Passed] != 12 {
		t.Errorf("%v: %d at a time, %v", p.err, g.most, p.outcomes())
	}
}

func TestTheFirstScenariosRunOneByOne(t *testing.T) {
	for _, phase := range []string{suite.PhaseFirst, suite.PhaseSmall} {
		features := "@rule:list.accepted " + phase + "\nFeature: F\n" + strings.Repeat(" Scenario: S\n  When listPets is called 3 times\n", 12)
		g := &gathering{Shop: rehearse.NewShop(), n: 99}
		p := playRun(t, t.Context(), g, with(t, features), func(c *Config) { c.Concurrency = 4 })
		if p.err != nil || g.most != 1 || p.outcomes()[record.Passed] != 12 {
			t.Errorf("%s, %v: %d at a time, %v", phase, p.err, g.most, p.outcomes())
		}
	}
}

// ── Runs that do not come to their end ──

// An outage is none of the service's answers: whatever had been judged before it stands, and nothing is added to it.
func TestAnOutageIsNoViolation(t *testing.T) {
	for i, after := range []int{200, 1, 2, 30, 700} {
		t.Run(fmt.Sprint("after ", after), func(t *testing.T) {
			skip.Sampled(t, i, 3)
			t.Parallel()
			service := rehearse.NewShop()
			service.Lose = func(*http.Request) error {
				if len(service.Asked) > after {
					return errGone
				}
				return nil
			}
			p := playRun(t, t.Context(), service)
			if p.err != nil || p.ending.Complete || !strings.Contains(p.ending.Lost, "the target stopped answering: connection reset by peer") {
				t.Errorf("%v, complete: %v, lost: %q", p.err, p.ending.Complete, p.ending.Lost)
			}
			if p.res.Verdict != verdict.Inconclusive || p.res.ExitCode != verdict.ExitUnjudged {
				t.Errorf("judged %s (%s), exit code %d", p.res.Verdict, p.res.Because, p.res.ExitCode)
			}
			if found := p.musts(t); len(found) > 0 {
				t.Errorf("it is accused:\n%s", exchangetest.Lines(found))
			}
			if n := len(service.Asked) - after; n > 30 {
				t.Errorf("%d requests were sent to nobody", n)
			}
			for _, s := range p.rec.Scenarios {
				if s.Outcome == record.Errored && !strings.Contains(s.Reason, "connection") {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
			if n := p.outcomes(); n[record.Skipped] == 0 || n[record.Failed] != 0 {
				t.Errorf("%v", n)
			}
		})
	}
}

// A violation that was seen before the outage stays one.
func TestAnOutageDoesNotHideAViolation(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(*http.Request) error {
		if len(service.Asked) > 100 {
			return errGone
		}
		return nil
	}
	service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Header.Set("Content-Type", "text/html") }
	p := playRun(t, t.Context(), service)
	if p.res.Verdict != verdict.Violated || p.res.ExitCode != verdict.ExitViolated || p.ending.Lost == "" {
		t.Errorf("judged %s (%s), lost %q", p.res.Verdict, p.res.Because, p.ending.Lost)
	}
}

// A creation that is lost is never sent once more by itself: its scenario is played again from the beginning, with another
// animal, and the verdict is that of a calm day. What was lost stays in the record, and the animal in the ledger.
func TestAScenarioWhoseCreationIsLostIsPlayedAgain(t *testing.T) {
	service := rehearse.NewShop()
	var lost atomic.Pointer[string]
	service.Lose = func(r *http.Request) error {
		body := string(service.Asked[len(service.Asked)-1].Body)
		// A creation that would be accepted: only those have a body of their own.
		if r.Method == http.MethodPost && len(service.Pets) >= 5 && lost.Load() == nil && r.Header.Get("Authorization") == "Bearer "+service.Key &&
			strings.HasPrefix(body, `{"name": "hallmark-`) && strings.HasSuffix(body, "}") {
			lost.Store(&body)
			return errGone
		}
		return nil
	}
	p := playRun(t, t.Context(), service)
	if p.err != nil || !p.ending.Complete || p.ending.Lost != "" || p.res.Verdict != verdict.Conformant {
		t.Errorf("%v, complete: %v, lost: %q, %s: %s", p.err, p.ending.Complete, p.ending.Lost, p.res.Verdict, p.res.Because)
		for _, v := range p.res.Rules {
			if v.Verdict == verdict.NotExercised && v.Level == spec.Must {
				t.Logf("%s: %s", v.Rule, v.Reason)
			}
		}
	}
	if i := p.rec.Patience.Interrupted; i == nil || i.Lost != 1 || i.Replayed != 1 {
		t.Errorf("noted as %+v", i)
	}
	sent := 0
	for _, a := range service.Requests(http.MethodPost) {
		if lost.Load() != nil && string(a.Body) == *lost.Load() {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("the creation was sent %d times", sent)
	}
	unknown := 0
	for _, a := range p.rec.Animals {
		if a.Fate == record.Unknown {
			unknown++
		}
	}
	if unknown != 1 {
		t.Errorf("%d animals are of unknown fate", unknown)
	}
	for _, ex := range p.rec.Exchanges {
		if ex.Lost == "" {
			continue
		}
		for _, s := range p.rec.Scenarios {
			if s.ID == ex.Scenario && !slices.Contains(s.Exchanges, ex.Seq) {
				t.Errorf("%s does not hold the exchange that was lost", s.ID)
			}
		}
	}
}

// What was found before the loss stands, whether the next time shows it again or not, and is told once.
func TestWhatALostScenarioFoundStands(t *testing.T) {
	const feature = "@rule:list.accepted\nFeature: F\n Scenario: S\n  When listPets is called with limit 7\n  Then the response is 200\n  When createPet is called\n  Then the response is 201\n"
	for name, always := range map[string]bool{"it shows again": true, "it does not": false} {
		service := rehearse.NewShop()
		lists, posts := 0, 0
		service.Change = func(r *http.Request, a *rehearse.Reply) {
			if r.Method == http.MethodGet && r.URL.RawQuery == "limit=7" {
				if lists++; lists == 1 || always {
					a.Header.Set("Content-Type", "text/plain")
				}
			}
		}
		service.Lose = func(r *http.Request) error {
			if r.Method == http.MethodPost {
				if posts++; posts == 1 {
					return errGone
				}
			}
			return nil
		}
		p := playRun(t, t.Context(), service, with(t, feature))
		s := p.scenario(t, "S")
		if s.Outcome != record.Failed || s.Replays != 1 || len(s.Findings) != 1 || s.Findings[0].Rule != "answer.media-type" || len(s.Exchanges) != 4 {
			t.Errorf("%s: %s after %d times, %d exchanges:\n%s", name, s.Outcome, s.Replays, len(s.Exchanges), exchangetest.Lines(s.Findings))
		}
		if p.res.ExitCode != verdict.ExitViolated {
			t.Errorf("%s: exit code %d", name, p.res.ExitCode)
		}
	}
}

// What is lost each time is an outage in the end, and the run says of what.
func TestWhatIsLostEachTimeIsAnOutage(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(r *http.Request) error {
		if r.Method == http.MethodPost {
			return errGone
		}
		return nil
	}
	const feature = "@rule:create.accepted\nFeature: F\n Scenario: S\n  When createPet is called\n  Then the response is 201\n"
	p := playRun(t, t.Context(), service, with(t, feature), func(c *Config) { c.Patience.Reconnect = 50 * time.Millisecond })
	if p.err != nil || !strings.Contains(p.ending.Lost, errGone.Error()) || p.res.Verdict != verdict.Inconclusive || p.res.ExitCode != verdict.ExitUnjudged {
		t.Errorf("%v, lost %q, %s, exit code %d", p.err, p.ending.Lost, p.res.Verdict, p.res.ExitCode)
	}
	if n := len(service.Requests(http.MethodPost)); n < client.MaxLost || n > 1+scenario.MaxReplays {
		t.Errorf("%d creations", n)
	}
}

// A read that is lost once and answered the second time is as if nothing had been.
func TestLostReadingsAreRepeated(t *testing.T) {
	service := rehearse.NewShop()
	n, lost := 0, map[string]bool{}
	service.Lose = func(r *http.Request) error {
		// No address twice: of two in a row the second may be the repetition.
		if n++; r.Method == http.MethodGet && n%10 == 0 && !lost[r.URL.String()] {
			lost[r.URL.String()] = true
			return errGone
		}
		return nil
	}
	p := playRun(t, t.Context(), service)
	if p.err != nil || p.res.ExitCode != 0 || p.ending.Lost != "" || p.outcomes()[record.Errored] != 0 {
		t.Errorf("%v, exit code %d (%s), lost %q", p.err, p.res.ExitCode, p.res.Because, p.ending.Lost)
	}
}

func TestFailFast(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
		if r.URL.Query().Get("limit") == "33" {
			return service.Pets[:34]
		}
		return page
	})
	p := playRun(t, t.Context(), service, func(c *Config) { c.FailFast, c.Concurrency = true, 1 })
	if p.err != nil || p.ending.Complete || p.ending.Lost != "" || p.res.ExitCode != verdict.ExitViolated {
		t.Errorf("%v, complete: %v, lost %q, exit code %d", p.err, p.ending.Complete, p.ending.Lost, p.res.ExitCode)
	}
	n := p.outcomes()
	if n[record.Failed] != 1 || n[record.Errored] != 0 || n[record.Skipped] == 0 || n[record.Passed] == 0 {
		t.Errorf("%v", n)
	}
	failed := false
	for _, s := range p.rec.Scenarios {
		failed = failed || s.Outcome == record.Failed
		if failed && s.Outcome == record.Passed {
			t.Errorf("%s ran after the violation", s.ID)
		}
		if s.Reason == "the run ended before it" && len(s.Exchanges) > 0 {
			t.Errorf("%s did not run, and has exchanges", s.ID)
		}
	}
}

// waiting is a server that answers limit 1 at once and wrongly, the preflight rightly, and everything else only when its
// client has gone.
func waiting(t *testing.T, begun *sync.WaitGroup) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.RawQuery {
		case "":
			fmt.Fprint(w, "[]")
		case "limit=1":
			begun.Wait() // until all others are under way
			fmt.Fprint(w, exchangetest.List(2, ""))
		default:
			begun.Done()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(server.Close)
	return server
}

const wait = "@rule:list.accepted\nFeature: F\n Scenario: wrong\n  When listPets is called with limit 1\n" +
	" Scenario: slow 1\n  When listPets is called with limit 2\n" +
	" Scenario: slow 2\n  When listPets is called with limit 3\n" +
	" Scenario: slow 3\n  When listPets is called with limit 4\n"

// What is under way when the run ends is broken off by the run itself: that is no outage of the service.
func TestFailFastBreaksOffWhatIsUnderWay(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(3)
	server := waiting(t, &begun)
	transport := client.NewTransport(4)
	defer transport.CloseIdleConnections()
	p := playRun(t, t.Context(), transport, with(t, wait), func(c *Config) {
		c.FailFast, c.Target.BaseURL = true, server.URL+"/v1"
	})
	if p.err != nil || p.ending.Lost != "" || p.ending.Complete || p.res.ExitCode != verdict.ExitViolated {
		t.Errorf("%v, lost %q, complete: %v, exit code %d", p.err, p.ending.Lost, p.ending.Complete, p.res.ExitCode)
	}
	if n := p.outcomes(); n[record.Failed] != 1 || n[record.Skipped] != 3 {
		t.Errorf("%v", n)
	}
}

func TestARunThatIsCalledOff(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(3)
	server := waiting(t, &begun)
	transport := client.NewTransport(4)
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		begun.Wait()
		cancel()
	}()
	features := strings.Replace(wait, "limit 1\n", "status sold and limit 1\n", 1)
	begun.Add(1)
	p := playRun(t, ctx, transport, with(t, features), func(c *Config) { c.Target.BaseURL = server.URL + "/v1" })
	if !errors.Is(p.err, context.Canceled) || p.ending.Complete || p.ending.Lost != "" {
		t.Errorf("%v, lost %q, complete: %v", p.err, p.ending.Lost, p.ending.Complete)
	}
	if n := p.outcomes(); n[record.Skipped] != 4 {
		t.Errorf("%v", n)
	}
	for _, s := range p.rec.Scenarios {
		if s.Outcome == record.Skipped && s.Reason != "the run ended before it" {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
}

// A whole run that is called off somewhere accuses nobody.
func TestARunCalledOffAnywhereAccusesNobody(t *testing.T) {
	for _, after := range []int{1, 17, 100, 400} {
		ctx, cancel := context.WithCancel(t.Context())
		service := rehearse.NewShop()
		service.Lose = func(*http.Request) error {
			if len(service.Asked) >= after {
				cancel()
				return ctx.Err()
			}
			return nil
		}
		p := playRun(t, ctx, service)
		if !errors.Is(p.err, context.Canceled) || p.ending.Complete || p.ending.Lost != "" {
			t.Errorf("after %d: %v, lost %q, complete: %v", after, p.err, p.ending.Lost, p.ending.Complete)
		}
		if found := p.musts(t); len(found) > 0 || p.outcomes()[record.Errored] > 0 {
			t.Errorf("after %d: %v\n%s", after, p.outcomes(), exchangetest.Lines(found))
		}
		cancel()
	}
}

// ── The shop itself ──

// The service of these tests keeps the interface: whatever they find comes from what they change.
func TestTheShopConforms(t *testing.T) {
	for _, seed := range []int64{1, 2, 3} {
		p := playRun(t, t.Context(), rehearse.NewShop(), func(c *Config) { c.Seed, c.Concurrency, c.Timeout = seed, 8, 10*time.Second })
		if p.err != nil || p.res.Verdict != verdict.Conformant || len(p.res.Causes) > 0 {
			t.Errorf("%v: %s, %s", p.err, p.res.Verdict, p.res.Because)
			for _, c := range p.res.Causes {
				t.Errorf("%s: %+v", c.Rule, c.Lead)
			}
		}
	}
}
