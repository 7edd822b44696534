package petstore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/tests/exchangetest"
)

// now is when the run of these tests began.
var now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// recall feeds a memory with responses, and gathers what it found.
type recall struct {
	t   *testing.T
	m   *Memory
	seq int
	all check.Result
	// late makes the next creation one that was asked for before everything else.
	late bool
}

func newRecall(t *testing.T) *recall { return &recall{t: t, m: NewMemory()} }

// mine are the names of this run in these tests.
func mine(name string) bool { return strings.HasPrefix(name, "mine") }

func (r *recall) gather(j check.Result) *recall {
	r.all.Findings = append(r.all.Findings, j.Findings...)
	r.all.Exercised = append(r.all.Exercised, j.Exercised...)
	return r
}

func (r *recall) see(operation, path, body string) *recall {
	r.seq++
	ex := exchangetest.Numbered(r.seq, exchangetest.New(operation, path, 200, body))
	ex.Started, ex.Elapsed = now.Add(time.Duration(r.seq)*time.Second), time.Millisecond
	if r.late {
		ex.Elapsed += ex.Started.Sub(now)
		ex.Started, r.late = now, false
	}
	return r.gather(r.m.See(ex, AnimalsIn(operation, spec.Decode(ex.Response).Tree), mine))
}

func (r *recall) created(id int, name, category string) *recall {
	return r.see("createPet", "/pets", exchangetest.Animal(id, name, category, ""))
}

// createdLate is a creation that was asked for before everything else, and answered only now.
func (r *recall) createdLate(id int, name, category string) *recall {
	r.late = true
	return r.created(id, name, category)
}

func (r *recall) read(id int, name, category string) *recall {
	return r.see("getPet", fmt.Sprint("/pets/", id), exchangetest.Animal(id, name, category, ""))
}

func (r *recall) listed(animals ...string) *recall {
	return r.see("listPets", "/pets", "["+strings.Join(animals, ",")+"]")
}

func (r *recall) refused(status int, name string) *recall {
	r.seq++
	return r.gather(r.m.Refuse(exchangetest.Numbered(r.seq, exchangetest.New("createPet", "/pets", status, "{}")), name))
}

func (r *recall) finds(rules ...string) {
	r.t.Helper()
	slices.Sort(rules)
	if got := exchangetest.Rules(r.all.Findings); !slices.Equal(got, rules) {
		r.t.Errorf("broken are %q, want %q:\n%s", got, rules, exchangetest.Lines(r.all.Findings))
	}
}

func TestAnIDNamesOneAnimal(t *testing.T) {
	const identity = "pet.identity"
	for name, test := range map[string]struct {
		play  func(*recall)
		wrong string
	}{
		"seen again as it was": {func(r *recall) {
			r.created(1, "mine a", "1").read(1, "mine a", "1").listed(exchangetest.Animal(1, "mine a", "1", "sold"))
		}, ""},
		"with another status": {func(r *recall) {
			r.listed(exchangetest.Animal(1, "a", "1", "sold")).listed(exchangetest.Animal(1, "a", "1", "available"))
		}, ""},
		"with another name in a list": {func(r *recall) {
			r.created(1, "mine a", "1").listed(exchangetest.Animal(1, "mine b", "1", ""))
		}, identity},
		"with another name when read": {func(r *recall) { r.listed(exchangetest.Animal(1, "a", "1", "")).read(1, "b", "1") }, identity},
		"with another category":       {func(r *recall) { r.created(1, "mine a", "1").read(1, "mine a", "2") }, identity},
		"the category in another notation": {func(r *recall) {
			r.created(1, "mine a", "1").read(1, "mine a", "1.0")
		}, ""},
		"one digit off beyond a float": {func(r *recall) {
			r.created(1, "mine a", "9007199254740993").read(1, "mine a", "9007199254740992")
		}, identity},
		"within one list": {func(r *recall) {
			r.listed(exchangetest.Animal(1, "a", "1", ""), exchangetest.Animal(1, "b", "1", ""))
		}, identity},
		"another id, the same name": {func(r *recall) { r.created(1, "mine a", "1").created(2, "mine a", "1") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecall(t)
			test.play(r)
			r.finds(strings.Fields(test.wrong)...)
		})
	}
}

func TestIdentityShowsBothExchanges(t *testing.T) {
	r := newRecall(t).listed(exchangetest.Animal(5, "a", "1", ""), exchangetest.Animal(6, "b", "1", "")).read(7, "c", "1").
		listed(exchangetest.Animal(5, "a", "1", ""), exchangetest.Animal(6, "B", "1", ""))
	r.finds("pet.identity")
	f := r.all.Findings[0]
	if !slices.Equal(f.Exchanges, []int{1, 3}) || f.Pointer != "/1/name" || !strings.Contains(f.Expected.String(), `"b"`) || f.Actual.String() != `"B"` {
		t.Errorf("%+v", f)
	}
}

func TestIdentityIsJudgedOnlyWhereAnIDIsMetAgain(t *testing.T) {
	r := newRecall(t).created(1, "mine a", "1").listed(exchangetest.Animal(2, "b", "1", ""))
	if slices.Contains(r.all.Exercised, "pet.identity") {
		t.Error("it was judged though no id was met again")
	}
	if r.read(1, "mine a", "1"); !slices.Contains(r.all.Exercised, "pet.identity") {
		t.Error("it was not judged though an id was met again")
	}
}

func TestEachCreationGivesANewID(t *testing.T) {
	const unique = "create.id.unique"
	for name, test := range map[string]struct {
		play  func(*recall)
		wrong string
	}{
		"new ones":               {func(r *recall) { r.created(1, "mine a", "1").created(2, "mine b", "1") }, ""},
		"the same twice":         {func(r *recall) { r.created(1, "mine a", "1").created(1, "mine b", "1") }, unique},
		"one that a list showed": {func(r *recall) { r.listed(exchangetest.Animal(1, "a", "1", "")).created(1, "mine b", "1") }, unique},
		"one that was read": {func(r *recall) {
			r.read(1, "a", "1").created(1, "mine b", "1")
		}, unique},
		"the same, in another category": {func(r *recall) { r.created(1, "mine a", "1").created(1, "mine a", "2") }, unique},
		// Its response came later than a list that shows it: one animal, not two.
		"a late response": {func(r *recall) {
			r.listed(exchangetest.Animal(1, "mine a", "1", "sold")).createdLate(1, "mine a", "1")
		}, ""},
		"a late response, read too": {func(r *recall) {
			r.read(1, "mine a", "1").createdLate(1, "mine a", "1").read(1, "mine a", "1")
		}, ""},
		"two responses with one id, both late": {func(r *recall) {
			r.createdLate(1, "mine a", "1").createdLate(1, "mine b", "1")
		}, unique},
		// Which of the two tells the truth, the list or the creation, is open: the id shows with another name.
		"a late response with another name": {func(r *recall) {
			r.listed(exchangetest.Animal(1, "mine b", "1", "")).createdLate(1, "mine a", "1")
		}, "pet.identity"},
		"a late response with another category": {func(r *recall) {
			r.listed(exchangetest.Animal(1, "mine a", "1", "")).createdLate(1, "mine a", "2")
		}, "pet.identity"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecall(t)
			test.play(r)
			r.finds(strings.Fields(test.wrong)...)
		})
	}
}

func TestAnIDThatWasGivenTwiceIsJudgedNoMore(t *testing.T) {
	r := newRecall(t).created(1, "mine a", "1").created(1, "mine b", "1")
	told := len(r.all.Findings)
	r.read(1, "mine b", "1").read(1, "mine c", "3").listed(exchangetest.Animal(1, "mine a", "1", ""))
	if len(r.all.Findings) != told {
		t.Errorf("what follows from it is told too:\n%s", exchangetest.Lines(r.all.Findings[told:]))
	}
	if !r.m.IsSpoilt("1") || len(r.m.Animals()) != 0 {
		t.Error("such an animal is still used")
	}
	if id, mine := r.created(2, "mine d", "1").m.AnyID(); id != "2" || !mine {
		t.Errorf("the animal to ask about is %q", id)
	}
}

func TestWhatWasRefusedLeavesNoTrace(t *testing.T) {
	for name, test := range map[string]struct {
		play  func(*recall)
		wrong string
	}{
		"it shows nowhere":           {func(r *recall) { r.refused(400, "mine a").listed(exchangetest.Animal(1, "b", "1", "")) }, ""},
		"in a list, after 400":       {func(r *recall) { r.refused(400, "mine a").listed(exchangetest.Animal(1, "mine a", "1", "")) }, "create.no-trace"},
		"in a list, after 401":       {func(r *recall) { r.refused(401, "mine a").listed(exchangetest.Animal(1, "mine a", "1", "")) }, "auth.no-trace"},
		"when read":                  {func(r *recall) { r.refused(401, "mine a").read(1, "mine a", "1") }, "auth.no-trace"},
		"as the response to another": {func(r *recall) { r.refused(400, "mine a").created(1, "mine a", "1") }, "create.no-trace"},
		"deep in a list": {func(r *recall) {
			r.refused(400, "mine z").listed(exchangetest.Animal(1, "b", "1", ""), exchangetest.Animal(2, "mine z", "1", ""))
		}, "create.no-trace"},
		"seen before the 400 came":      {func(r *recall) { r.listed(exchangetest.Animal(1, "mine a", "1", "")).refused(400, "mine a") }, "create.no-trace"},
		"seen before the 401 came":      {func(r *recall) { r.read(1, "mine a", "1").refused(401, "mine a") }, "auth.no-trace"},
		"somebody else's, by that name": {func(r *recall) { r.listed(exchangetest.Animal(1, "Rex", "1", "")).refused(400, "Rex") }, ""},
		"a name that is alike":          {func(r *recall) { r.refused(400, "mine a").listed(exchangetest.Animal(1, "mine A", "1", "")) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecall(t)
			test.play(r)
			r.finds(strings.Fields(test.wrong)...)
			for _, f := range r.all.Findings {
				if len(f.Exchanges) != 2 {
					t.Errorf("it does not show both exchanges: %+v", f)
				}
			}
		})
	}
}

func TestTracesAreLookedForOnlyAfterARefusal(t *testing.T) {
	r := newRecall(t).listed(exchangetest.Animal(1, "b", "1", "")).created(2, "mine b", "1")
	later := now.Add(time.Hour)
	if got := r.m.RefusedBefore(later); len(got) > 0 {
		t.Errorf("nothing was refused, and yet %q are looked for", got)
	}
	if got := r.refused(401, "mine c").m.RefusedBefore(later); !slices.Equal(got, []string{"auth.no-trace"}) {
		t.Errorf("after a 401 %q are looked for", got)
	}
	got := r.refused(400, "mine d").m.RefusedBefore(later)
	if slices.Sort(got); !slices.Equal(got, []string{"auth.no-trace", "create.no-trace"}) {
		t.Errorf("after a 400 %q are looked for", got)
	}
	if got := r.m.RefusedBefore(time.Time{}); len(got) > 0 {
		t.Errorf("a list that was asked for before the refusal cannot show it, and yet %q are looked for", got)
	}
}

func TestTheMemoryCountsWhatTheStoreHolds(t *testing.T) {
	r := newRecall(t).listed(exchangetest.Animal(1, "a", "1", "sold"), exchangetest.Animal(2, "b", "1", ""), exchangetest.Animal(3, "c", "1", "sold")).
		read(2, "b", "1").created(4, "mine d", "1")
	all, byStatus := r.m.Known()
	if all != 4 || byStatus["sold"] != 2 || byStatus[""] != 2 {
		t.Errorf("%d animals, %v", all, byStatus)
	}
	if !r.m.Has("2") || r.m.Has("5") {
		t.Error("it does not know which ids it saw")
	}
}

func TestAnIDToAskAbout(t *testing.T) {
	r := newRecall(t)
	for _, want := range []struct {
		id   string
		mine bool
		then func()
	}{
		{"", false, func() { r.listed(exchangetest.Animal(9, "a", "1", "")) }},
		{"9", false, func() { r.created(4, "mine d", "1") }},
		{"4", true, func() { r.created(3, "mine e", "1").listed(exchangetest.Animal(10, "b", "1", "")) }},
		{"3", true, func() {}},
	} {
		if id, mine := r.m.AnyID(); id != want.id || mine != want.mine {
			t.Errorf("%q, of this run: %v; want %q, %v", id, mine, want.id, want.mine)
		}
		want.then()
	}
}

// Answers come in from many scenarios at once.
func TestTheMemoryIsSafeForConcurrentUse(t *testing.T) {
	m := NewMemory()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 50 {
				id := worker*1000 + i
				ex := exchangetest.New("createPet", "/pets", 201, exchangetest.Animal(id, "mine "+strconv.Itoa(id), "1", ""))
				if j := m.See(ex, AnimalsIn("createPet", spec.Decode(ex.Response).Tree), mine); len(j.Findings) > 0 {
					t.Error(exchangetest.Lines(j.Findings))
				}
				m.Refuse(exchangetest.New("createPet", "/pets", 400, "{}"), "mine no "+strconv.Itoa(id))
				m.Known()
				m.AnyID()
				m.Animals()
			}
		})
	}
	group.Wait()
	if n := len(m.Animals()); n != 400 {
		t.Errorf("%d animals are remembered, want 400", n)
	}
}
