package steps

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

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
		"a rule is broken": {"When listPets is called\nThen the response is 200\nAnd the response has at most 20 items", rehearse.Answering(409, `{"code":"c","message":"m","status":409}`), nil,
			record.Failed, "", "passed failed passed", "list.accepted"},
		"a should rule only": {"Given the credential is missing\nWhen listPets is called\nThen the response is 401", unchallenged, nil,
			record.Passed, "", "passed passed passed", "auth.challenge"},
		"always judged, in a step that asks": {"When listPets is called", rehearse.Answering(200, "[1]"), nil,
			record.Failed, "", "failed", "pet.object"},
		"it cannot go on": {"When listPets is called\nThen no two items have the same id\nAnd the response is 200", rehearse.NewShop(), nil,
			record.Skipped, "the list holds fewer than two items", "passed skipped skipped", ""},
		"an odd status before it cannot go on": {"When listPets is called\nThen no two items have the same id\nAnd the response is 200", rehearse.Answering(409, "[]"), nil,
			record.Skipped, "the list holds fewer than two items", "passed skipped skipped", ""},
		"broken before it cannot go on": {"When listPets is called\nThen no two items have the same id\nAnd the response is 200", rehearse.Answering(206, "[]"), nil,
			record.Failed, "", "failed skipped skipped", "list.accepted"},
		"broken, then it cannot go on": {"When listPets is called\nThen the response is 200\nAnd no two items have the same id\nAnd the response is 200", rehearse.Answering(206, "[]"), nil,
			record.Failed, "", "failed failed skipped skipped", "list.accepted"},
		"a step that is wrong": {"When listPets is called\nThen the response has at most 20 items\nGiven the credential is made of gold\nWhen listPets is called", rehearse.NewShop(), nil,
			record.Errored, `listPets has no credential "made of gold"`, "passed passed passed error", ""},
		"out of place": {"Then the response is 200\nWhen listPets is called", rehearse.NewShop(), nil,
			record.Errored, "no operation has been called before this step", "error skipped", ""},
		"a response deeper than anybody reads": {"When listPets is called\nThen the response is 200", rehearse.Answering(200, deep), nil,
			record.Errored, "nested more deeply than hallmark supports", "passed passed", ""},
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

// A skipped scenario has not passed: its rule is not exercised, and the reason is given.
func TestASkippedRuleIsNotExercised(t *testing.T) {
	p := playRun(t, t.Context(), rehearse.NewShop(), with(t, "Feature: F\n  @rule:list.order\n  Scenario: S\n    When listPets is called\n    Then the order of its items by id is recorded\n"))
	for _, v := range p.res.Rules {
		if v.Rule == "list.order" && (v.Verdict != verdict.NotExercised || v.Reason != "the list holds fewer than two items") {
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
	if a := p.scenario(t, "A"); a.Outcome != record.Skipped || a.Reason != "the run is read-only, and this scenario creates resources" {
		t.Errorf("%s because %q", a.Outcome, a.Reason)
	}
	if b := p.scenario(t, "B"); b.Outcome != record.Passed {
		t.Errorf("%s because %q", b.Outcome, b.Reason)
	}
}

// ── The order of things ──

func TestPhases(t *testing.T) {
	suite, err := LoadSuite(source(fstest.MapFS{
		"0.feature": {Data: []byte("@rule:list.accepted @phase:first @derived @at-once\nFeature: 0\n Scenario: d1\n  When listPets is called\n")},
		"a.feature": {Data: []byte("@rule:list.accepted @phase:last\nFeature: A\n Scenario: l1\n  When listPets is called\n")},
		"b.feature": {Data: []byte("@rule:list.accepted\nFeature: B\n Scenario: n1\n  When listPets is called\n @phase:stocked\n Scenario: st1\n  When listPets is called\n")},
		"c.feature": {Data: []byte("@rule:list.accepted @phase:small\nFeature: C\n Scenario: s1\n  When listPets is called\n Scenario: s2\n  When listPets is called\n")},
		"d.feature": {Data: []byte("@rule:list.accepted @phase:first\nFeature: D\n Scenario: f1\n  When listPets is called\n Scenario: f2\n  When listPets is called\n Scenario: f3\n  When listPets is called\n")},
		"e.feature": {Data: []byte("@rule:list.accepted @phase:end\nFeature: E\n Scenario: e1\n  When listPets is called\n")},
	}), rehearse.Must(t, rehearse.Catalogue))
	if err != nil {
		t.Fatal(err)
	}
	for seed := int64(1); seed < 6; seed++ {
		p := playRun(t, t.Context(), rehearse.NewShop(), func(c *Config) { c.Suite, c.Seed, c.Concurrency = suite, seed, 4 })
		if got := names(p.rec.Scenarios); got != "f1 f2 f3 d1 n1 s1 s2 st1 l1 e1" {
			t.Errorf("seed %d: %s", seed, got)
		}
	}
}

// besideOthers is a suite with scenarios beside other phases, and with those phases.
const besideOthers = `
Feature: F
  @phase:first @rule:create.accepted @operation:createPet
  Scenario: the first
    Given a plain body where status is "sold"
    When createPet is called
  @phase:any @rule:list.accepted @operation:listPets @read-only
  Scenario: a list
    When listPets is called with limit 7
  @phase:any @rule:get.found @operation:getPet @read-only
  Scenario: one
    When getPet is called with petId 1
  @phase:filling @rule:create.accepted @operation:createPet
  Scenario: many
    Given a plain body where status is "pending"
    When createPet is called
  @phase:stocked @rule:list.accepted @operation:listPets @read-only
  Scenario: a full store
    When listPets is called with limit 8
`

// meeting is a service that answers the first creation only once the list that is played beside it was requested.
type meeting struct {
	*rehearse.Shop
	mu      sync.Mutex
	begun   []string
	asked   map[string]chan struct{}
	created bool
	early   bool // something was read before anything was created
}

func (m *meeting) RoundTrip(r *http.Request) (*http.Response, error) {
	what, waits := r.URL.RawQuery, ""
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		what = "create pending"
		if bytes.Contains(body, []byte("sold")) {
			what, waits = "create sold", "limit=7"
		}
	}
	m.mu.Lock()
	if c := m.asked[what]; c != nil {
		close(c)
		delete(m.asked, what)
	}
	until := m.asked[waits]
	m.begun = append(m.begun, what)
	m.early = m.early || strings.HasSuffix(r.URL.Path, "/1") && !m.created
	m.mu.Unlock()
	if until != nil {
		select {
		case <-until:
		case <-r.Context().Done():
		}
	}
	answer, err := m.Shop.RoundTrip(r)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.created = m.created || r.Method == http.MethodPost
	return answer, err
}

func TestPhasesBesideOthers(t *testing.T) {
	m := &meeting{Shop: rehearse.NewShop(), asked: map[string]chan struct{}{"limit=7": make(chan struct{})}}
	p := playRun(t, t.Context(), m, with(t, besideOthers), func(c *Config) { c.Concurrency, c.Timeout = 4, 10*time.Second })
	if p.err != nil || p.rec.Lost != "" || m.early {
		t.Errorf("%v: the run lost %q, one was read before any was created: %v, asked was %q", p.err, p.rec.Lost, m.early, m.begun)
	}
	if i := slices.Index(m.begun, "limit=8"); i < 0 || slices.Contains(m.begun[i:], "create pending") || !slices.Contains(m.begun, "create pending") {
		t.Errorf("the store was filled while the full one was read: %q", m.begun)
	}
	one := playRun(t, t.Context(), rehearse.NewShop(), with(t, besideOthers), func(c *Config) { c.Concurrency, c.Seed = 1, 1 })
	if got := names(one.rec.Scenarios); !strings.HasPrefix(got, "the first ") || !strings.HasSuffix(got, " many a full store") {
		t.Errorf("one at a time are played %s", got)
	}
}

// One scenario of each derived feature begins while the feature before it is played, so the others need not wait
// for its result.
func TestOneOfADerivedFeatureBeginsAhead(t *testing.T) {
	feature := func(name string, scenarios int) string {
		text := "@derived @rule:list.accepted @read-only\nFeature: " + name + "\n"
		for i := range scenarios {
			text += fmt.Sprintf(" Scenario: %s%d\n  When listPets is called\n", name, i)
		}
		return text
	}
	loaded, err := LoadSuite(source(fstest.MapFS{
		"a.feature": {Data: []byte(feature("a", 40))}, "b.feature": {Data: []byte(feature("b", 10))},
	}), rehearse.Must(t, rehearse.Catalogue))
	if err != nil {
		t.Fatal(err)
	}
	for concurrency, ahead := range map[int]bool{1: false, 4: true} {
		cfg := testConfig(t, rehearse.NewShop())
		cfg.Suite, cfg.Seed, cfg.Concurrency = loaded, 1, concurrency
		r := newEngine(cfg)
		p := &round{engine: r, part: part{chosen: func(*suite.Scenario) bool { return true }}}
		order := p.inOrder()
		first := slices.IndexFunc(order, func(s *suite.Scenario) bool { return s.Name[0] == 'b' })
		behind := 0 // of the first feature
		for _, s := range order[first:] {
			if s.Name[0] == 'a' {
				behind++
			}
		}
		if len(order) != 50 || (behind > 0) != ahead || behind > aheadBy*concurrency {
			t.Errorf("%d at a time: %d of the first feature begin after one of the second", concurrency, behind)
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

// gathering answers only once a number of requests are in flight at the same time.
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
	if r.URL.RawQuery == "limit=7" { // the preflight sends one request at a time
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

// The service of these tests conforms, so their findings come from what they change.
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
