package steps

import (
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// read1 makes a change of every animal that is read by its id.
func read1(alter func(p row) row) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if p, ok := a.body.(row); ok && r.Method == http.MethodGet {
			a.body = alter(p)
		}
	}
}

func TestReadBack(t *testing.T) {
	const step = "it is read back as it was answered"
	for name, test := range map[string]struct {
		created string
		change  func(s *shop) func(*http.Request, *reply)
		breaks  string
	}{
		"the same":         {"with status sold", nil, ""},
		"without a status": {"without a status", nil, ""},
		"not there": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return func(r *http.Request, a *reply) {
				if r.Method == "GET" {
					*a = *errorReply(404)
				}
			}
		}, "get.created"},
		"another name": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"name": "x"}) })
		}, "get.created pet.identity"},
		"another category": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"categoryId": json.Number("3")}) })
		}, "get.created pet.identity"},
		"in another notation": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"categoryId": json.Number("1.0")}) })
		}, ""},
		"another status": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"status": "pending"}) })
		}, "get.created"},
		"the status lost": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"status": nil}) })
		}, "get.created"},
		"a status too late": {"without a status", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"status": "available"}) })
		}, "get.created"},
		"a default from the beginning": {"without a status", func(s *shop) func(*http.Request, *reply) {
			return func(_ *http.Request, a *reply) {
				if p, ok := a.body.(row); ok && p["status"] == nil {
					a.body = altered(p, row{"status": "available"})
				}
			}
		}, ""},
		"another id": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"id": json.Number("77")}) })
		}, "get.id"},
		"no animal": {"with status sold", func(*shop) func(*http.Request, *reply) { return read1(func(p row) row { return row{} }) }, "pet.id pet.name pet.categoryId"},
		"further fields": {"with status sold", func(*shop) func(*http.Request, *reply) {
			return read1(func(p row) row { return altered(p, row{"seen": 3}) })
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			if test.change != nil {
				service.change = test.change(service)
			}
			st := rehearse(t, "get.created", service)
			st.do("an animal is created "+test.created, step)
			st.finds(rules(test.breaks)...)
			st.judged("get.created")
		})
	}
}

func TestReadBackOfWhatWasRefused(t *testing.T) {
	service := newShop()
	service.instead = func(r *http.Request, _ []byte) *reply {
		if r.Method == http.MethodPost {
			return errorReply(400)
		}
		return nil
	}
	st := rehearse(t, "create.name.unusual", service)
	st.do("createPet is called", "it is read back as it was answered, if it was accepted")
	st.stops("it is read back as it was answered", "did not answer with an animal")
	if n := len(service.requests("GET")); n != 0 {
		t.Errorf("%d readings of what was refused", n)
	}
}

func TestReadBackOfAnIDThatWasGivenTwice(t *testing.T) {
	service := newShop()
	service.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodPost {
			a.body = altered(a.body.(row), row{"id": json.Number("1")})
		}
	}
	st := rehearse(t, "get.created", service)
	st.do("createPet is called 2 times")
	st.stops("it is read back as it was answered", "the id 1 was given to two animals")
	st.finds("create.id.unique")
}

// From its removal day on getPet is not called; the list proves what it can.
func TestReadBackWithoutGetPet(t *testing.T) {
	const step = "it is read back as it was answered"
	gone := func(c *Config) { c.Now = removalDay }
	for name, test := range map[string]struct {
		stock  int
		change func(*http.Request, *reply)
		stops  string
		breaks string
		judged bool
	}{
		"it is listed":    {3, nil, "", "", true},
		"it is not":       {3, leaveOut(func(_ *http.Request, p row) bool { return p["id"] == json.Number("4") }), "", "list.complete", true},
		"on a full store": {100, nil, "no list can hold the whole store", "", false},
		"listed as another one": {3, lists(func(_ *http.Request, page []row) []row {
			page = slices.Clone(page)
			page[0] = altered(page[0], row{"name": "x"})
			return page
		}), "", "pet.identity", true},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop().stock(test.stock)
			service.change = test.change
			st := rehearse(t, "get.created", service, gone)
			st.do("createPet is called")
			if test.stops != "" {
				st.stops(step, test.stops)
			} else {
				st.do(step)
			}
			st.finds(rules(test.breaks)...)
			if slices.Contains(st.s.exercised, "list.complete") != test.judged {
				t.Errorf("judged: %q", st.s.exercised)
			}
			for _, a := range service.requests("GET") {
				if a.path != "/v1/pets" {
					t.Errorf("%s was asked for", a.path)
				}
			}
		})
	}
}

func TestReadingTwiceGivesTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		change func(n int, p row) row
		breaks string
	}{
		"the same":                 {func(_ int, p row) row { return p }, ""},
		"another status now":       {func(n int, p row) row { return altered(p, row{"status": []string{"sold", "pending"}[n%2]}) }, "get.stable"},
		"a status that goes":       {func(n int, p row) row { return altered(p, row{"status": []any{"available", nil}[n%2]}) }, "get.stable"},
		"another name once":        {func(n int, p row) row { return altered(p, row{"name": []string{"x", "y"}[n/9]}) }, "get.stable pet.identity"},
		"a category that grows":    {func(n int, p row) row { return altered(p, row{"categoryId": json.Number(strconv.Itoa(n))}) }, "get.stable pet.identity"},
		"a field that tells time":  {func(n int, p row) row { return altered(p, row{"now": n}) }, ""},
		"an animal of no category": {func(_ int, p row) row { return altered(p, row{"categoryId": nil}) }, "pet.categoryId"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			n := 0
			service.change = read1(func(p row) row { n++; return test.change(n-1, p) })
			st := rehearse(t, "get.stable", service)
			st.do("an animal that this run created", "it is read 10 times", "each response is the same")
			st.finds(rules(test.breaks)...)
			if n != 10 {
				t.Errorf("it was read %d times", n)
			}
			st.judged("get.found")
		})
	}
}

func TestReadingOnlyOnce(t *testing.T) {
	service := newShop()
	service.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodGet && len(service.asked) > 2 {
			*a = *errorReply(404)
		}
	}
	st := rehearse(t, "get.stable", service)
	st.do("an animal that this run created", "it is read 10 times", "each response is the same")
	st.finds("get.found")
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
		got, err := otherID(n, test.how)
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
		change func(s *shop, asked string) *reply // of a reading
		stops  string
		breaks string
	}{
		"nothing has it":           {"", "its id plus 2^32", nil, "", ""},
		"only the low half counts": {"", "its id plus 2^32", func(s *shop, _ string) *reply { return s.get("1") }, "", "get.id"},
		"the sign does not count":  {"", "its id negated", func(s *shop, _ string) *reply { return s.get("1") }, "", "get.id"},
		"somebody's, by that id": {"", "its id plus 1", func(s *shop, asked string) *reply {
			a := s.get("1")
			a.body = altered(a.body.(row), row{"id": json.Number(asked), "name": "x"})
			return a
		}, "", ""},
		"refused":                {"", "its id negated", func(*shop, string) *reply { return errorReply(400) }, "", "get.extreme"},
		"it breaks":              {"", "its id plus 2^53", func(*shop, string) *reply { return errorReply(500) }, "", "get.extreme"},
		"there is no such int64": {"9223372036854775807", "its id plus 1", nil, "there is no such other int64", ""},
		"zero negated is itself": {"0", "its id negated", nil, "there is no such other int64", ""},
		"the least, negated":     {"-9223372036854775808", "its id negated", nil, "there is no such other int64", ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			service.change = func(r *http.Request, a *reply) {
				if p, ok := a.body.(row); ok && test.first != "" {
					a.body = altered(p, row{"id": json.Number(test.first)})
				}
				if test.change != nil && r.Method == http.MethodGet {
					*a = *test.change(service, strings.TrimPrefix(r.URL.Path, "/v1/pets/"))
					a.header.Set("Content-Type", "application/json")
				}
			}
			st := rehearse(t, "get.id", service)
			st.do("an animal that this run created")
			if step := "the animal with " + test.how + " is asked for"; test.stops != "" {
				st.stops(step, test.stops)
			} else {
				st.do(step, "the response is 404 or the animal with that very id")
				st.judged("get.extreme")
				if test.breaks != "get.extreme" { // else no animal came that could have another id
					st.judged("get.id")
				}
			}
			st.finds(rules(test.breaks)...)
		})
	}
}

func TestListedAnimalsCanBeRead(t *testing.T) {
	const step = "its first and last animals can be read and are the same"
	for name, test := range map[string]struct {
		stock  int
		setup  func(s *shop)
		stops  string
		breaks string
		reads  int
	}{
		"they can":         {5, nil, "", "", 2},
		"only one":         {1, nil, "", "", 2},
		"none":             {0, nil, "no animal is listed", "", 0},
		"the first cannot": {5, func(s *shop) { s.change = notFound("/v1/pets/5") }, "", "get.listed", 2},
		"the last cannot":  {5, func(s *shop) { s.change = notFound("/v1/pets/1") }, "", "get.listed", 2},
		"another name":     {5, func(s *shop) { s.change = read1(func(p row) row { return altered(p, row{"name": "x"}) }) }, "", "get.listed pet.identity", 2},
		"another category": {5, func(s *shop) {
			s.change = read1(func(p row) row { return altered(p, row{"categoryId": json.Number("8")}) })
		}, "", "get.listed pet.identity", 2},
		"sold meanwhile": {5, func(s *shop) { s.change = read1(func(p row) row { return altered(p, row{"status": "sold"}) }) }, "", "", 2},
		"another id":     {1, func(s *shop) { s.change = read1(func(p row) row { return altered(p, row{"id": json.Number("9")}) }) }, "", "get.id", 2},
		"it breaks": {5, func(s *shop) {
			s.change = func(r *http.Request, a *reply) {
				if strings.HasPrefix(r.URL.Path, "/v1/pets/") {
					*a = *errorReply(500)
				}
			}
		}, "", "get.listed", 2},
		// An animal that somebody took away in between is in no list any more.
		"one leaves meanwhile": {5, func(s *shop) {
			s.instead = func(r *http.Request, _ []byte) *reply {
				if r.URL.Path == "/v1/pets/5" {
					s.pets = s.pets[:4]
				}
				return nil
			}
		}, "the animal left the list while it was read", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop().stock(test.stock, "pending")
			if test.setup != nil {
				test.setup(service)
			}
			st := rehearse(t, "get.listed", service)
			st.do("listPets is called with limit 100")
			if test.stops != "" {
				st.stops(step, test.stops)
			} else {
				st.do(step)
				st.judged("get.listed")
			}
			st.finds(rules(test.breaks)...)
			reads := slices.DeleteFunc(service.requests("GET"), func(a asked) bool { return a.path == "/v1/pets" })
			if len(reads) != test.reads {
				t.Errorf("%d readings, want %d", len(reads), test.reads)
			}
		})
	}
}

// notFound hides the animal at a path.
func notFound(path string) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if r.URL.Path == path {
			*a = *errorReply(404)
		}
	}
}

func TestAnimalsAreKeptToTheEnd(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *shop)
		breaks string
	}{
		"all are there":     {func(*shop) {}, ""},
		"one is gone":       {func(s *shop) { s.pets = slices.Delete(s.pets, 7, 8) }, "get.kept"},
		"all are gone":      {func(s *shop) { s.pets = nil }, "get.kept"},
		"a status moved on": {func(s *shop) { s.pets[3] = altered(s.pets[3], row{"status": "sold"}) }, ""},
		"a name changed":    {func(s *shop) { s.pets[3] = altered(s.pets[3], row{"name": "x"}) }, "get.kept pet.identity"},
		"ids began anew": {func(s *shop) {
			for i := range s.pets {
				s.pets[i] = altered(s.pets[(i+1)%len(s.pets)], row{"id": s.pets[i]["id"]})
			}
		}, "get.kept pet.identity"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			st := rehearse(t, "get.kept", service)
			st.do("createPet is called 20 times")
			test.change(service)
			st.do("every animal that this run created is read again",
				"each is there with the name and the categoryId that it was answered with")
			st.finds(rules(test.breaks)...)
			st.judged("get.kept")
			if n := len(service.requests("GET")); n != 20 {
				t.Errorf("%d readings of 20 animals", n)
			}
		})
	}
	none := rehearse(t, "get.kept", newShop().stock(3))
	none.stops("every animal that this run created is read again", "this run has created no animal")
}
