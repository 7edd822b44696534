package petstore_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hallmark/tests/exchangetest"
	"hallmark/tests/rehearse"
)

// filterIn is the filter of a request.
func filterIn(r *http.Request) string { return r.URL.Query().Get("status") }

// leaveOut takes animals out of lists.
func leaveOut(out func(r *http.Request, p rehearse.Row) bool) func(*http.Request, *rehearse.Reply) {
	return rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
		return slices.DeleteFunc(slices.Clone(page), func(p rehearse.Row) bool { return out(r, p) })
	})
}

func TestListsThatMustHoldAnAnimal(t *testing.T) {
	own := func(p rehearse.Row) bool { return strings.HasPrefix(p["name"].(string), "hallmark-") }
	for name, test := range map[string]struct {
		created string
		stock   int
		change  func(s *rehearse.Shop)
		breaks  string
		stops   string
		judged  string
	}{
		"they do":           {"with status sold", 5, nil, "", "", "list.complete list.status.complete"},
		"on an empty store": {"with status pending", 0, nil, "", "", "list.complete list.status.complete"},
		"without a status":  {"without a status", 5, nil, "", "", "list.complete"},
		"on a store of 98":  {"with status sold", 98, nil, "", "", "list.complete list.status.complete"},
		"on a store of 99":  {"with status sold", 99, nil, "", "holds 100 animals or more", ""},
		"not in the whole list": {"with status sold", 5, func(s *rehearse.Shop) {
			s.Change = leaveOut(func(r *http.Request, p rehearse.Row) bool { return filterIn(r) == "" && own(p) })
		}, "list.complete", "", "list.complete"},
		"not in any list": {"with status sold", 5, func(s *rehearse.Shop) {
			s.Change = leaveOut(func(_ *http.Request, p rehearse.Row) bool { return own(p) })
		}, "list.complete", "", "list.complete"},
		"not in the filtered list": {"with status sold", 5, func(s *rehearse.Shop) {
			s.Change = leaveOut(func(r *http.Request, p rehearse.Row) bool { return filterIn(r) == "sold" && own(p) })
		}, "list.status.complete", "", "list.status.complete"},
		"not without a status": {"without a status", 5, func(s *rehearse.Shop) {
			s.Change = leaveOut(func(_ *http.Request, p rehearse.Row) bool { return p["status"] == nil })
		}, "list.complete", "", "list.complete"},
		"a full list without it proves nothing": {"with status sold", 150, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(*http.Request, []rehearse.Row) []rehearse.Row { return s.Pets[:100] })
		}, "", "holds 100 animals or more", ""},
		// The list of a status need not be the whole one's image when somebody changes it in between.
		"its status changed meanwhile": {"with status sold", 5, func(s *rehearse.Shop) {
			s.Change = func(r *http.Request, a *rehearse.Reply) {
				if filterIn(r) == "sold" && s.Pets[len(s.Pets)-1]["status"] == "sold" {
					s.Pets[len(s.Pets)-1] = rehearse.Altered(s.Pets[len(s.Pets)-1], rehearse.Row{"status": "pending"})
					a.Body = []rehearse.Row{}
				}
			}
		}, "", "", "list.complete"},
		"others fill the store meanwhile": {"with status sold", 50, func(s *rehearse.Shop) {
			lacking := leaveOut(func(r *http.Request, p rehearse.Row) bool { return filterIn(r) == "sold" && own(p) })
			s.Change = func(r *http.Request, a *rehearse.Reply) {
				if filterIn(r) == "sold" {
					s.Stock(60)
				}
				lacking(r, a)
			}
		}, "", "holds 100 animals or more", ""},
		// Listed under a status that it does not carry, shown truly or not.
		"an intruder that shows its status": {"with status sold", 0, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
				if filterIn(r) == "pending" {
					return slices.Clone(s.Pets)
				}
				return page
			})
		}, "list.status.honoured", "", "list.complete"},
		"an intruder in disguise": {"with status sold", 0, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
				if status := filterIn(r); status != "" {
					page = nil
					for _, p := range s.Pets {
						page = append(page, rehearse.Altered(p, rehearse.Row{"status": status}))
					}
				}
				return page
			})
		}, "list.status.honoured", "", "list.complete"},
		"an intruder without a status": {"without a status", 0, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
				if status := filterIn(r); status == "available" {
					return []rehearse.Row{rehearse.Altered(s.Pets[0], rehearse.Row{"status": "available"})}
				}
				return page
			})
		}, "list.status.honoured", "", "list.complete"},
		"others are in disguise, not it": {"with status sold", 3, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
				if filterIn(r) == "pending" {
					return []rehearse.Row{rehearse.Altered(s.Pets[0], rehearse.Row{"status": "pending"})}
				}
				return page
			})
		}, "", "", "list.complete"},
		"lists that are none": {"with status sold", 0, func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(*http.Request, []rehearse.Row) []rehearse.Row { return nil }) // encoded as null
		}, "list.array", "holds 100 animals or more", ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(test.stock)
			if test.change != nil {
				test.change(service)
			}
			st := rehearse.New(t, "list.complete", service)
			st.Do("an animal is created " + test.created)
			if step := "every list that must hold it does"; test.stops != "" {
				st.Stops(step, test.stops)
			} else {
				st.Do(step)
			}
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged(rehearse.Rules(test.judged)...)
			if test.judged == "" {
				st.Unjudged("list.complete")
			}
			if test.stops == "" && test.created == "without a status" {
				st.Unjudged("list.status.complete")
			}
		})
	}
}

func TestAListThatHoldsTheWholeStore(t *testing.T) {
	for n, whole := range map[int]bool{0: true, 99: true, 100: false, 101: false, 5000: false} {
		st := rehearse.New(t, "list.complete", rehearse.NewShop().Stock(n))
		if whole {
			st.Do("a list can hold the whole store")
		} else {
			st.Stops("a list can hold the whole store", "so that a list proves no absence")
		}
		st.Finds()
	}
}

func TestEveryAnimalOfTheRunIsListed(t *testing.T) {
	const step = "a list of the whole store holds every animal that this run created"
	for name, test := range map[string]struct {
		change func(s *rehearse.Shop, asked int)
		breaks string
	}{
		"each is there": {func(*rehearse.Shop, int) {}, ""},
		"one is gone":   {func(s *rehearse.Shop, _ int) { s.Pets = s.Pets[1:] }, "list.complete"},
		"one is missing from a single list": {func(s *rehearse.Shop, _ int) {
			at := len(s.Asked) + 1
			s.Change = leaveOut(func(_ *http.Request, p rehearse.Row) bool { return len(s.Asked) == at && p["id"] == json.Number("2") })
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "list.complete", service)
			st.Do("createPet is called 4 times")
			test.change(service, 0)
			st.Do(step)
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("list.complete")
		})
	}
	none := rehearse.New(t, "list.complete", rehearse.NewShop())
	none.Stops(step, "this run has created no animal")
	full := rehearse.New(t, "list.complete", rehearse.NewShop().Stock(100))
	full.Stops(step, "holds 100 animals or more")
	full.Unjudged("list.complete")
}

func TestEmptyLists(t *testing.T) {
	const step = "it is an empty array where nothing matches"
	for name, test := range map[string]struct {
		status int
		body   string
		breaks string
		stops  string
	}{
		"an empty array":          {200, `[]`, "", ""},
		"with blanks in it":       {200, " [ \n ] ", "", ""},
		"null":                    {200, `null`, "list.empty list.array", ""},
		"an empty object":         {200, `{}`, "list.empty list.array", ""},
		"nothing at all":          {200, ``, "list.empty answer.body", ""},
		"204":                     {204, ``, "list.empty answer.body", ""},
		"404":                     {404, `{"code":"c","message":"m","status":404}`, "list.empty", ""},
		"400":                     {400, `{"code":"c","message":"m","status":400}`, "list.empty", ""},
		"500":                     {500, `{"code":"c","message":"m","status":500}`, "list.empty", ""},
		"206":                     {206, `[]`, "list.empty", ""},
		"an envelope":             {200, `{"data":[]}`, "list.array", ""},
		"an empty text":           {200, `""`, "list.array", ""},
		"false":                   {200, `false`, "list.array", ""},
		"an empty list in a list": {200, `[[]]`, "pet.object", "already holds animals that match"},
		"a blank animal":          {200, `[{}]`, "pet.id pet.name pet.categoryId list.status.honoured", "already holds animals that match"},
		"animals":                 {200, exchangetest.List(2, "sold"), "", "already holds animals that match"},
		"animals that do not":     {200, exchangetest.List(2, "pending"), "list.empty list.status.honoured", ""},
		"what is no JSON":         {200, `[`, "answer.json", ""},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "list.empty", rehearse.Answering(test.status, test.body))
			st.Do("listPets is called with status sold")
			if test.stops != "" {
				st.Stops(step, test.stops)
			} else {
				st.Do(step)
			}
			// Whatever else a response is, it does not show how an empty list is answered.
			if test.breaks == "" && test.stops == "" || strings.HasPrefix(test.breaks, "list.empty") {
				st.Judged("list.empty")
			} else {
				st.Unjudged("list.empty")
			}
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

func TestNoLongerListThanAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		rule, call, step string
		body             string
		breaks           string
	}{
		"just so":                     {"list.limit.honoured", "listPets is called with limit 2", "the response has at most 2 items", exchangetest.List(2, ""), ""},
		"one more, told once":         {"list.limit.honoured", "listPets is called with limit 2", "the response has at most 2 items", exchangetest.List(3, ""), "list.limit.honoured"},
		"a limit that nobody defined": {"list.maximum", "listPets is called with limit 1000", "the response has at most 100 items", exchangetest.List(101, ""), "list.maximum"},
		"by default":                  {"list.limit.default", "listPets is called", "the response has at most 20 items", exchangetest.List(21, ""), "list.limit.default"},
		"no list":                     {"list.maximum", "listPets is called with limit abc", "the response has at most 100 items", `{"code":1}`, "list.array"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, rehearse.Answering(200, test.body))
			st.Do(test.call, test.step)
			st.Finds(rehearse.Rules(test.breaks)...)
			if strings.HasPrefix(test.body, "[") {
				st.Judged(test.rule)
			}
			if len(st.Scenario.Findings()) > 1 {
				t.Errorf("it is told more than once:\n%s", exchangetest.Lines(st.Scenario.Findings()))
			}
		})
	}
	// Nothing else counts the animals where the schema sets no bound, so the step does.
	st := rehearse.New(t, "list.maximum", rehearse.Answering(200, exchangetest.List(60, "")))
	st.Do("listPets is called with limit 0", "the response has at most 50 items")
	st.Finds("list.maximum")

	broken := rehearse.New(t, "list.maximum", rehearse.Answering(500, `{"code":"c","message":"m","status":500}`))
	broken.Do("listPets is called with limit 0", "it holds no more animals than a list may hold")
	broken.Finds("list.robust")
}

func TestEachAnimalHasTheStatus(t *testing.T) {
	for name, test := range map[string]struct{ call, body, breaks string }{
		"each has":                {"listPets is called with status sold", exchangetest.List(3, "sold"), ""},
		"none there":              {"listPets is called with status sold", "[]", ""},
		"one has another":         {"listPets is called with status sold", "[" + exchangetest.Animal(1, "a", "1", "sold") + "," + exchangetest.Animal(2, "b", "1", "pending") + "]", "list.status.honoured"},
		"seen without the filter": {"listPets is called", "[" + exchangetest.Animal(2, "b", "1", "pending") + "]", "list.status.honoured"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "list.status.honoured", rehearse.Answering(200, test.body))
			st.Do(test.call, "in each item, status is \"sold\"")
			st.Finds(rehearse.Rules(test.breaks)...)
			if len(st.Scenario.Findings()) > 1 {
				t.Errorf("it is told more than once:\n%s", exchangetest.Lines(st.Scenario.Findings()))
			}
		})
	}
}

func TestNoneTwiceNeedsTwoAnimals(t *testing.T) {
	st := rehearse.New(t, "list.unique", rehearse.Answering(200, exchangetest.List(1, "")))
	st.Do("listPets is called with limit 100")
	st.Stops("no two items have the same id", "fewer than two items")
	twice := rehearse.New(t, "list.unique", rehearse.Answering(200, "["+exchangetest.Animal(1, "a", "1", "")+","+exchangetest.Animal(1, "a", "1", "")+"]"))
	twice.Do("listPets is called with limit 100", "no two items have the same id")
	twice.Finds("list.unique")
}

func TestWhatWasRefusedIsLookedForInEveryList(t *testing.T) {
	for name, test := range map[string]struct {
		stock  int
		keep   bool // the refused animal is stored all the same
		breaks string
		judged bool
	}{
		"it is nowhere":              {5, false, "", true},
		"it is there":                {5, true, "create.no-trace", true},
		"it is there, store is full": {150, true, "create.no-trace", true},
		"nowhere, store is full":     {150, false, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(test.stock)
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				if a.Status == 400 && test.keep {
					var sent map[string]any
					_ = json.Unmarshal(service.Asked[len(service.Asked)-1].Body, &sent)
					service.Add(rehearse.Row{"name": sent["name"], "categoryId": json.Number("1"), "status": "pending"})
				}
			}
			st := rehearse.New(t, "create.no-trace", service)
			st.Do(`a plain body where status is "nonesuch"`, "createPet is called", "the response is 400")
			st.Do("the lists are looked through", "none holds an animal whose creation was refused")
			st.Finds(rehearse.Rules(test.breaks)...)
			if test.judged {
				st.Judged("create.no-trace")
			} else {
				st.Unjudged("create.no-trace")
			}
			if n := len(service.Requests("GET")); n < 4 {
				t.Errorf("only %d lists were looked at", n)
			}
		})
	}
}

func TestLookingBackNeedsSomethingToLookFor(t *testing.T) {
	st := rehearse.New(t, "create.no-trace", rehearse.NewShop().Stock(1))
	st.Stops("this run has had creations refused", "no creation was refused")
	st.Do("a plain body without name", `a plain body where categoryId is "1"`, "createPet is called") // it carries no name
	st.Stops("this run has had creations refused", "no creation was refused")
	st.Do(`a plain body where categoryId is "1"`, "createPet is called")
	st.Do("this run has had creations refused", "the lists are looked through", "none holds an animal whose creation was refused")
	if len(st.Scenario.Answers()) != 4 {
		t.Errorf("%d lists were looked at", len(st.Scenario.Answers()))
	}
	st.Judged("create.no-trace")
}

// ── The default is 20 ──

// pages makes a shop answer lists by length alone.
func pages(length func(limit string, status string) int) *rehearse.Shop {
	s := rehearse.NewShop()
	s.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		query := r.URL.Query()
		return &rehearse.Reply{Status: 200, Body: exchangetest.List(length(query.Get("limit"), query.Get("status")), query.Get("status"))}
	}
	return s
}

func TestTheDefaultIsWhatALimitOf20Gives(t *testing.T) {
	const step = "leaving the limit out gives as many as the default limit"
	random := rand.New(rand.NewPCG(7, 11))
	by := func(preset, twenty func() int) func(string, string) int {
		return func(limit, _ string) int {
			if limit == "" {
				return preset()
			}
			return twenty()
		}
	}
	always := func(n int) func() int { return func() int { return n } }
	between := func(low, high int) func() int { return func() int { return low + random.IntN(high-low+1) } }
	counter := 0
	growing := func() int { counter++; return min(counter, 20) }
	for name, test := range map[string]struct {
		length func(limit, status string) int
		breaks string
	}{
		"as many":                       {by(always(20), always(20)), ""},
		"as few":                        {by(always(3), always(3)), ""},
		"none at all":                   {by(always(0), always(0)), ""},
		"steadily fewer":                {by(always(10), always(20)), "list.limit.default.same"},
		"one fewer, steadily":           {by(always(19), always(20)), "list.limit.default.same"},
		"fewer, however short the page": {by(between(5, 10), between(11, 20)), "list.limit.default.same"},
		"none, steadily":                {by(always(0), always(20)), "list.limit.default.same"},
		"more":                          {by(always(20), always(15)), ""},
		"pages of random length":        {by(between(1, 20), between(1, 20)), ""},
		"pages one short now and then":  {by(between(19, 20), between(19, 20)), ""},
		"a growing store":               {by(growing, growing), ""},
	} {
		t.Run(name, func(t *testing.T) {
			counter = 0
			service := pages(test.length)
			st := rehearse.New(t, "list.limit.default.same", service)
			st.Do(step)
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("list.limit.default.same")
			if test.breaks != "" && len(service.Asked) < 10 {
				t.Errorf("it was accused after %d lists", len(service.Asked))
			}
		})
	}
}

// Pages of random length are never accused, however often they are asked.
func TestShortPagesAreNoLowerDefault(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, low := range []int{0, 10, 19} {
		st := rehearse.New(t, "list.limit.default.same", pages(func(string, string) int { return low + random.IntN(20-low+1) }))
		for range 300 {
			st.Do("leaving the limit out gives as many as the default limit")
		}
		st.Finds()
	}
}

func TestTheDefaultAlternates(t *testing.T) {
	service := pages(func(limit, _ string) int {
		if limit == "" {
			return 10
		}
		return 20
	})
	st := rehearse.New(t, "list.limit.default.same", service)
	st.Do("leaving the limit out gives as many as the default limit, filtered by status sold")
	st.Finds("list.limit.default.same")
	queries := map[string]int{}
	for i, a := range service.Asked {
		queries[a.Query]++
		// Which of the two comes first changes from round to round.
		if first := i%4 == 0 || i%4 == 3; first != (a.Query == "status=sold") {
			t.Fatalf("request %d is ?%s", i, a.Query)
		}
	}
	if len(queries) != 2 || queries["status=sold"] != queries["status=sold&limit=20"] {
		t.Errorf("asked %v", queries)
	}
}

func TestTheDefaultCannotBeComparedWithWhatIsNoList(t *testing.T) {
	st := rehearse.New(t, "list.limit.default.same", rehearse.Answering(200, `{"data":[]}`))
	st.Stops("leaving the limit out gives as many as the default limit", "did not answer with a list")
	over := rehearse.New(t, "list.limit.default.same", pages(func(limit, _ string) int {
		if limit == "" {
			return 20
		}
		return 30
	}))
	over.Stops("leaving the limit out gives as many as the default limit", "a limit of 20 is not honoured")
	over.Finds("list.limit.honoured")
}
