package petstore_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hallmark/steps/petstore"
	"hallmark/steps/scenario"
	"hallmark/tests/rehearse"
)

// read1 makes a change of every animal that is read by its id.
func read1(alter func(p rehearse.Row) rehearse.Row) func(*http.Request, *rehearse.Reply) {
	return func(r *http.Request, a *rehearse.Reply) {
		if p, ok := a.Body.(rehearse.Row); ok && r.Method == http.MethodGet {
			a.Body = alter(p)
		}
	}
}

func TestReadBack(t *testing.T) {
	const step = "it is read back as it was answered"
	for name, test := range map[string]struct {
		created string
		change  func(s *rehearse.Shop) func(*http.Request, *rehearse.Reply)
		breaks  string
	}{
		"the same":         {"with status sold", nil, ""},
		"without a status": {"without a status", nil, ""},
		"not there": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return func(r *http.Request, a *rehearse.Reply) {
				if r.Method == "GET" {
					*a = *rehearse.ErrorReply(404)
				}
			}
		}, "get.created"},
		"another name": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"name": "x"}) })
		}, "get.created pet.identity"},
		"another category": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row {
				return rehearse.Altered(p, rehearse.Row{"categoryId": json.Number("3")})
			})
		}, "get.created pet.identity"},
		"in another notation": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row {
				return rehearse.Altered(p, rehearse.Row{"categoryId": json.Number("1.0")})
			})
		}, ""},
		"another status": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"status": "pending"}) })
		}, "get.created"},
		"the status lost": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"status": nil}) })
		}, "get.created"},
		"a status too late": {"without a status", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"status": "available"}) })
		}, "get.created"},
		"a default from the beginning": {"without a status", func(s *rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return func(_ *http.Request, a *rehearse.Reply) {
				if p, ok := a.Body.(rehearse.Row); ok && p["status"] == nil {
					a.Body = rehearse.Altered(p, rehearse.Row{"status": "available"})
				}
			}
		}, ""},
		"another id": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"id": json.Number("77")}) })
		}, "get.id"},
		"no animal": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Row{} })
		}, "pet.id pet.name pet.categoryId"},
		"further fields": {"with status sold", func(*rehearse.Shop) func(*http.Request, *rehearse.Reply) {
			return read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"seen": 3}) })
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			if test.change != nil {
				service.Change = test.change(service)
			}
			st := rehearse.New(t, "get.created", service)
			st.Do("an animal is created "+test.created, step)
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("get.created")
		})
	}
}

func TestReadBackOfWhatWasRefused(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.Method == http.MethodPost {
			return rehearse.ErrorReply(400)
		}
		return nil
	}
	st := rehearse.New(t, "create.name.unusual", service)
	st.Do("createPet is called", "it is read back as it was answered, if it was accepted")
	st.Stops("it is read back as it was answered", "did not answer with an animal")
	if n := len(service.Requests("GET")); n != 0 {
		t.Errorf("%d readings of what was refused", n)
	}
}

func TestReadBackOfAnIDThatWasGivenTwice(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost {
			a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": json.Number("1")})
		}
	}
	st := rehearse.New(t, "get.created", service)
	st.Do("createPet is called 2 times")
	st.Stops("it is read back as it was answered", "the id 1 was given to two animals")
	st.Finds("create.id.unique")
}

// From its removal day on getPet is not called; the list proves what it can.
func TestReadBackWithoutGetPet(t *testing.T) {
	const step = "it is read back as it was answered"
	gone := func(c *scenario.Options) { c.Now = rehearse.RemovalDay }
	for name, test := range map[string]struct {
		stock  int
		change func(*http.Request, *rehearse.Reply)
		stops  string
		breaks string
		judged bool
	}{
		"it is listed":    {3, nil, "", "", true},
		"it is not":       {3, leaveOut(func(_ *http.Request, p rehearse.Row) bool { return p["id"] == json.Number("4") }), "", "list.complete", true},
		"on a full store": {100, nil, "no list can hold the whole store", "", false},
		"listed as another one": {3, rehearse.Lists(func(_ *http.Request, page []rehearse.Row) []rehearse.Row {
			page = slices.Clone(page)
			page[0] = rehearse.Altered(page[0], rehearse.Row{"name": "x"})
			return page
		}), "", "pet.identity", true},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(test.stock)
			service.Change = test.change
			st := rehearse.New(t, "get.created", service, gone)
			st.Do("createPet is called")
			if test.stops != "" {
				st.Stops(step, test.stops)
			} else {
				st.Do(step)
			}
			st.Finds(rehearse.Rules(test.breaks)...)
			if slices.Contains(st.Scenario.Exercised(), "list.complete") != test.judged {
				t.Errorf("judged: %q", st.Scenario.Exercised())
			}
			for _, a := range service.Requests("GET") {
				if a.Path != "/v1/pets" {
					t.Errorf("%s was asked for", a.Path)
				}
			}
		})
	}
}

func TestReadingTwiceGivesTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		change func(n int, p rehearse.Row) rehearse.Row
		breaks string
	}{
		"the same": {func(_ int, p rehearse.Row) rehearse.Row { return p }, ""},
		"another status now": {func(n int, p rehearse.Row) rehearse.Row {
			return rehearse.Altered(p, rehearse.Row{"status": []string{"sold", "pending"}[n%2]})
		}, "get.stable"},
		"a status that goes": {func(n int, p rehearse.Row) rehearse.Row {
			return rehearse.Altered(p, rehearse.Row{"status": []any{"available", nil}[n%2]})
		}, "get.stable"},
		"another name once": {func(n int, p rehearse.Row) rehearse.Row {
			return rehearse.Altered(p, rehearse.Row{"name": []string{"x", "y"}[n/9]})
		}, "get.stable pet.identity"},
		"a category that grows": {func(n int, p rehearse.Row) rehearse.Row {
			return rehearse.Altered(p, rehearse.Row{"categoryId": json.Number(strconv.Itoa(n))})
		}, "get.stable pet.identity"},
		"a field that tells time":  {func(n int, p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"now": n}) }, ""},
		"an animal of no category": {func(_ int, p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"categoryId": nil}) }, "pet.categoryId"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			n := 0
			service.Change = read1(func(p rehearse.Row) rehearse.Row { n++; return test.change(n-1, p) })
			st := rehearse.New(t, "get.stable", service)
			st.Do("an animal that this run created", "it is read 10 times", "each response is the same")
			st.Finds(rehearse.Rules(test.breaks)...)
			if n != 10 {
				t.Errorf("it was read %d times", n)
			}
			st.Judged("get.found")
		})
	}
}

func TestReadingOnlyOnce(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodGet && len(service.Asked) > 2 {
			*a = *rehearse.ErrorReply(404)
		}
	}
	st := rehearse.New(t, "get.stable", service)
	st.Do("an animal that this run created", "it is read 10 times", "each response is the same")
	st.Finds("get.found")
}

func TestOtherIDs(t *testing.T) {
	for _, test := range []struct{ id, how, want string }{
		{"7", "its id plus 2^32", "4294967303"},
		{"7", "its id minus 2^32", "-4294967289"},
		{"7", "its id plus 2^16", "65543"},
		{"7", "its id plus 2^53", "9007199254740999"},
		{"7", "its id plus 1", "8"},
		{"0", "its id minus 1", "-1"},
		{"7", "its id negated", "-7"},
		{"-7", "its id negated", "7"},
		{"7", "its id with a digit appended", "70"},
		{"-12", "its id with a digit appended", "-120"},
		{"123", "its id without its last digit", "12"},
		{"-123", "its id without its last digit", "-12"},
		{"7", "its id without its last digit", "0"},
		{"7", "its id turned", "no other id"},
		{"7", "her id plus 1", "no other id"},
		{"7", "its id plus much", "no number"},
		{"7", "its id plus 2^x", "no number"},
		{"7", "its id times 3", "no other id"},
	} {
		n, _ := new(big.Int).SetString(test.id, 10)
		got, err := petstore.OtherID(n, test.how)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s of %s: %v", test.how, test.id, err)
			}
		} else if got.String() != test.want {
			t.Errorf("%s of %s: %s, want %s", test.how, test.id, got, test.want)
		}
		if n.String() != test.id {
			t.Errorf("%s: the id itself became %s", test.how, n)
		}
	}
}

func TestAnotherAnimalIsNeverGiven(t *testing.T) {
	for name, test := range map[string]struct {
		first  string // id of the first animal
		how    string
		change func(s *rehearse.Shop, asked string) *rehearse.Reply // of a reading
		stops  string
		breaks string
	}{
		"nothing has it":           {"", "its id plus 2^32", nil, "", ""},
		"only the low half counts": {"", "its id plus 2^32", func(s *rehearse.Shop, _ string) *rehearse.Reply { return s.Get("1") }, "", "get.id"},
		"the sign does not count":  {"", "its id negated", func(s *rehearse.Shop, _ string) *rehearse.Reply { return s.Get("1") }, "", "get.id"},
		"somebody's, by that id": {"", "its id plus 1", func(s *rehearse.Shop, asked string) *rehearse.Reply {
			a := s.Get("1")
			a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": json.Number(asked), "name": "x"})
			return a
		}, "", ""},
		"refused":                {"", "its id negated", func(*rehearse.Shop, string) *rehearse.Reply { return rehearse.ErrorReply(400) }, "", "get.extreme"},
		"it breaks":              {"", "its id plus 2^53", func(*rehearse.Shop, string) *rehearse.Reply { return rehearse.ErrorReply(500) }, "", "get.extreme"},
		"there is no such int64": {"9223372036854775807", "its id plus 1", nil, "there is no such other int64", ""},
		"zero negated is itself": {"0", "its id negated", nil, "there is no such other int64", ""},
		"the least, negated":     {"-9223372036854775808", "its id negated", nil, "there is no such other int64", ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				if p, ok := a.Body.(rehearse.Row); ok && test.first != "" {
					a.Body = rehearse.Altered(p, rehearse.Row{"id": json.Number(test.first)})
				}
				if test.change != nil && r.Method == http.MethodGet {
					*a = *test.change(service, strings.TrimPrefix(r.URL.Path, "/v1/pets/"))
					a.Header.Set("Content-Type", "application/json")
				}
			}
			st := rehearse.New(t, "get.id", service)
			st.Do("an animal that this run created")
			if step := "the animal with " + test.how + " is asked for"; test.stops != "" {
				st.Stops(step, test.stops)
			} else {
				st.Do(step, "the response is 404 or the animal with that very id")
				st.Judged("get.extreme")
				if test.breaks != "get.extreme" { // else no animal came that could have another id
					st.Judged("get.id")
				}
			}
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

func TestListedAnimalsCanBeRead(t *testing.T) {
	const step = "its first and last animals can be read and are the same"
	for name, test := range map[string]struct {
		stock  int
		setup  func(s *rehearse.Shop)
		stops  string
		breaks string
		reads  int
	}{
		"they can":         {5, nil, "", "", 2},
		"only one":         {1, nil, "", "", 2},
		"none":             {0, nil, "no animal is listed", "", 0},
		"the first cannot": {5, func(s *rehearse.Shop) { s.Change = notFound("/v1/pets/5") }, "", "get.listed", 2},
		"the last cannot":  {5, func(s *rehearse.Shop) { s.Change = notFound("/v1/pets/1") }, "", "get.listed", 2},
		"another name": {5, func(s *rehearse.Shop) {
			s.Change = read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"name": "x"}) })
		}, "", "get.listed pet.identity", 2},
		"another category": {5, func(s *rehearse.Shop) {
			s.Change = read1(func(p rehearse.Row) rehearse.Row {
				return rehearse.Altered(p, rehearse.Row{"categoryId": json.Number("8")})
			})
		}, "", "get.listed pet.identity", 2},
		"sold meanwhile": {5, func(s *rehearse.Shop) {
			s.Change = read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"status": "sold"}) })
		}, "", "", 2},
		"another id": {1, func(s *rehearse.Shop) {
			s.Change = read1(func(p rehearse.Row) rehearse.Row { return rehearse.Altered(p, rehearse.Row{"id": json.Number("9")}) })
		}, "", "get.id", 2},
		"it breaks": {5, func(s *rehearse.Shop) {
			s.Change = func(r *http.Request, a *rehearse.Reply) {
				if strings.HasPrefix(r.URL.Path, "/v1/pets/") {
					*a = *rehearse.ErrorReply(500)
				}
			}
		}, "", "get.listed", 2},
		// An animal that somebody took away in between is in no list any more.
		"one leaves meanwhile": {5, func(s *rehearse.Shop) {
			s.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
				if r.URL.Path == "/v1/pets/5" {
					s.Pets = s.Pets[:4]
				}
				return nil
			}
		}, "the animal left the list while it was read", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(test.stock, "pending")
			if test.setup != nil {
				test.setup(service)
			}
			st := rehearse.New(t, "get.listed", service)
			st.Do("listPets is called with limit 100")
			if test.stops != "" {
				st.Stops(step, test.stops)
			} else {
				st.Do(step)
				st.Judged("get.listed")
			}
			st.Finds(rehearse.Rules(test.breaks)...)
			reads := slices.DeleteFunc(service.Requests("GET"), func(a rehearse.Asked) bool { return a.Path == "/v1/pets" })
			if len(reads) != test.reads {
				t.Errorf("%d readings, want %d", len(reads), test.reads)
			}
		})
	}
}

// notFound hides the animal at a path.
func notFound(path string) func(*http.Request, *rehearse.Reply) {
	return func(r *http.Request, a *rehearse.Reply) {
		if r.URL.Path == path {
			*a = *rehearse.ErrorReply(404)
		}
	}
}

// What was read and is listed is read again where it is old, and now and then; whatever is not listed is read.
func TestListedAnimalsAreReadNowAndThen(t *testing.T) {
	const seek = "every animal that this run created is looked for again"
	service := rehearse.NewShop()
	st := rehearse.New(t, "get.kept", service)
	st.Do("createPet is called 40 times", seek)
	first := len(service.Requests("GET"))
	st.Do(seek)
	second := len(service.Requests("GET")) - first
	service.Pets = slices.Delete(service.Pets, 30, 31)
	st.Do(seek, "each is there with the name and the categoryId that it was answered with")
	if third := len(service.Requests("GET")) - second - first; first != 4+40 || second != 4+16+3 || third != second+1 {
		t.Errorf("%d, %d and %d readings of lists and animals", first, second, third)
	}
	st.Finds("get.kept")
}

func TestAnimalsAreKeptToTheEnd(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *rehearse.Shop)
		breaks string
	}{
		"all are there":     {func(*rehearse.Shop) {}, ""},
		"one is gone":       {func(s *rehearse.Shop) { s.Pets = slices.Delete(s.Pets, 7, 8) }, "get.kept"},
		"all are gone":      {func(s *rehearse.Shop) { s.Pets = nil }, "get.kept"},
		"a status moved on": {func(s *rehearse.Shop) { s.Pets[3] = rehearse.Altered(s.Pets[3], rehearse.Row{"status": "sold"}) }, ""},
		"a name changed":    {func(s *rehearse.Shop) { s.Pets[3] = rehearse.Altered(s.Pets[3], rehearse.Row{"name": "x"}) }, "get.kept pet.identity"},
		"ids began anew": {func(s *rehearse.Shop) {
			for i := range s.Pets {
				s.Pets[i] = rehearse.Altered(s.Pets[(i+1)%len(s.Pets)], rehearse.Row{"id": s.Pets[i]["id"]})
			}
		}, "get.kept pet.identity"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "get.kept", service)
			st.Do("createPet is called 20 times")
			test.change(service)
			st.Do("every animal that this run created is looked for again",
				"each is there with the name and the categoryId that it was answered with")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("get.kept")
			if n := len(service.Requests("GET")); n != 4+20 {
				t.Errorf("%d readings of 4 lists and 20 animals", n)
			}
		})
	}
	none := rehearse.New(t, "get.kept", rehearse.NewShop().Stock(3))
	none.Stops("every animal that this run created is looked for again", "this run has created no animal")
}
