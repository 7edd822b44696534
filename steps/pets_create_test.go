package steps

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestAnAnimalIsCreated(t *testing.T) {
	for how, want := range map[string]string{
		"with status available": `"status": "available"`, "with status pending": `"status": "pending"`,
		"with status sold": `"status": "sold"`, "without a status": "",
	} {
		service := newShop()
		st := rehearse(t, "get.created", service)
		st.do("an animal is created " + how)
		body := string(service.asked[0].body)
		if !strings.Contains(body, want) || want == "" && strings.Contains(body, "status") {
			t.Errorf("%s: sent %s", how, body)
		}
		st.judged("create.accepted")
		st.finds()
	}
	for _, status := range []int{200, 202, 400, 500} {
		st := rehearse(t, "get.created", answering(status, `{"code":"c","message":"m","status":`+strconv.Itoa(status)+`}`))
		st.stops("an animal is created with status sold", "did not answer with an animal")
		if !slices.Contains(st.broken(), "create.accepted") {
			t.Errorf("%d: %q", status, st.broken())
		}
	}
	odd := newShop()
	odd.change = func(_ *http.Request, a *reply) { a.status = 200 }
	st := rehearse(t, "get.created", odd)
	st.do("an animal is created with status sold") // it is there, only its status is wrong
	st.finds("create.accepted")
}

func TestTheIDIsTheServicesOwn(t *testing.T) {
	for name, test := range map[string]struct {
		given  string
		change func(s *shop, sent json.Number, a *reply)
		breaks string
	}{
		"its own": {"a plain body with an id of the client's own", nil, ""},
		"the one that was sent": {"a plain body with an id of the client's own", func(_ *shop, sent json.Number, a *reply) {
			a.body = altered(a.body.(row), row{"id": sent})
		}, "create.id.own"},
		"refused":    {"a plain body with an id of the client's own", func(_ *shop, _ json.Number, a *reply) { *a = *errorReply(400) }, ""},
		"by 422 too": {"a plain body with an id of the client's own", func(_ *shop, _ json.Number, a *reply) { *a = *errorReply(422) }, ""},
		"it breaks":  {"a plain body with an id of the client's own", func(_ *shop, _ json.Number, a *reply) { *a = *errorReply(500) }, "create.robust"},
		"another's":  {"a plain body with that animal's id", nil, ""},
		"overwritten": {"a plain body with that animal's id", func(s *shop, sent json.Number, a *reply) {
			s.pets = s.pets[:1]
			s.pets[0] = altered(a.body.(row), row{"id": sent})
			a.body = s.pets[0]
		}, "create.id.own create.id.unique"},
		"overwritten, and another id shown": {"a plain body with that animal's id", func(s *shop, sent json.Number, a *reply) {
			s.pets[0] = altered(a.body.(row), row{"id": sent, "status": "sold"})
		}, "create.id.own pet.identity"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			st := rehearse(t, "create.id.own", service)
			st.do("an animal that this run created")
			service.change = func(r *http.Request, a *reply) {
				var sent struct {
					ID json.Number `json:"id"`
				}
				_ = json.Unmarshal(service.asked[len(service.asked)-1].body, &sent)
				if sent.ID != "" && test.change != nil {
					test.change(service, sent.ID, a)
				}
			}
			st.do(test.given, "createPet is called", "the id that was sent is not used")
			if strings.Contains(test.given, "that animal's") && !strings.HasPrefix(name, "overwritten") || name == "overwritten, and another id shown" {
				st.do("that animal is as it was")
			}
			st.finds(rules(test.breaks)...)
			if got := string(service.requests("POST")[1].body); !strings.Contains(got, `"id": `) {
				t.Errorf("no id was sent: %s", got)
			}
		})
	}
}

// What was wrong before the id was sent is not that rule's.
func TestTheIDIsNotToBlameForWhatWasWrongBefore(t *testing.T) {
	service := newShop()
	service.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodPost && a.status == http.StatusCreated {
			body := altered(a.body.(row), nil)
			delete(body, "status")
			a.body = body
		}
	}
	st := rehearse(t, "create.id.own", service)
	st.do("an animal that this run created", "a plain body with that animal's id", "createPet is called", "the id that was sent is not used", "that animal is as it was")
	st.finds("create.echo.status")
}

func TestAnAnimalOfThisRun(t *testing.T) {
	service := newShop().stock(3)
	st := rehearse(t, "get.stable", service)
	st.do("an animal that this run created")
	if len(service.requests("POST")) != 1 || st.s.own == nil || st.s.own.ID != "4" {
		t.Errorf("own is %+v after %d creations", st.s.own, len(service.requests("POST")))
	}
	st.next(st.s.run, "get.id")
	st.do("an animal that this run created")
	if len(service.requests("POST")) != 1 || st.s.own.ID != "4" {
		t.Error("one that is there already is not used")
	}
	refused := rehearse(t, "get.stable", answering(400, `{"code":"c","message":"m","status":400}`))
	refused.stops("an animal that this run created", "did not answer with an animal")
}

func TestIDsAmongSeveralCreations(t *testing.T) {
	for name, test := range map[string]struct {
		ids    []int
		breaks string
	}{
		"all new":          {[]int{1, 2, 3, 4}, ""},
		"in any order":     {[]int{4, -1, 0, 2}, ""},
		"one twice":        {[]int{1, 2, 3, 2}, "create.id.unique"},
		"always the same":  {[]int{0, 0, 0, 0}, "create.id.unique"},
		"far beyond 2^53":  {[]int{9007199254740992, 9007199254740993, 9007199254740994, 1}, ""},
		"the same to 2^53": {[]int{9007199254740992, 9007199254740992, 9007199254740994, 1}, "create.id.unique"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			at := 0
			service.change = func(_ *http.Request, a *reply) {
				a.body = altered(a.body.(row), row{"id": test.ids[at]})
				at++
			}
			st := rehearse(t, "create.id.unique", service)
			st.do("createPet is called 4 times", "each response is 201", "each id is new")
			st.finds(rules(test.breaks)...)
			st.judged("create.id.unique")
		})
	}
}

// meeting lets n creations in at once, and none alone.
type meeting struct {
	*shop
	n       int
	mu      sync.Mutex
	waiting chan struct{}
	here    int
}

func (m *meeting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		m.mu.Lock()
		if m.here++; m.here == m.n {
			close(m.waiting)
			m.here, m.waiting = 0, make(chan struct{})
			m.mu.Unlock()
		} else {
			gate := m.waiting
			m.mu.Unlock()
			<-gate
		}
	}
	return m.shop.RoundTrip(r)
}

// The clients' creations really overlap: this service answers none before all are there.
func TestManyCreateAtOnce(t *testing.T) {
	service := &meeting{shop: newShop(), n: 6, waiting: make(chan struct{})}
	st := rehearse(t, "create.id.unique", service)
	st.do("12 animals are created by 6 clients at once", "each of them is created", "each id is new", "each can be read as it was answered")
	st.finds()
	st.judged("create.accepted", "create.id.unique", "get.created")
	if len(service.pets) != 12 || len(service.requests("GET")) != 12 {
		t.Errorf("%d animals, %d readings", len(service.pets), len(service.requests("GET")))
	}
	count := map[any]int{}
	for _, p := range service.pets {
		count[p["status"]]++
	}
	if count["available"] != 3 || count["pending"] != 3 || count["sold"] != 3 || count[nil] != 3 {
		t.Errorf("statuses: %v", count)
	}
}

func TestManyCreateAndOneIsLost(t *testing.T) {
	service := newShop()
	st := rehearse(t, "create.id.unique", service)
	st.do("8 animals are created by 4 clients at once")
	service.pets = slices.Delete(service.pets, 3, 4)
	st.do("each of them is created", "each can be read as it was answered")
	st.finds("get.created")
}

func TestManyCreateAndOneIsRefused(t *testing.T) {
	service := newShop()
	service.change = func(_ *http.Request, a *reply) {
		if len(service.pets) == 3 && a.status == 201 {
			*a = *errorReply(409)
		}
	}
	st := rehearse(t, "create.id.unique", service)
	st.do("8 animals are created by 4 clients at once", "each of them is created", "each id is new", "each can be read as it was answered")
	st.finds("create.accepted")
}

func TestManyCreateAndNoneSucceeds(t *testing.T) {
	st := rehearse(t, "create.id.unique", answering(503, `{"code":"c","message":"m","status":503}`))
	st.do("4 animals are created by 4 clients at once")
	st.stops("each of them is created", "none of the creations was answered with an animal")
	st.finds("create.accepted")
}

func TestTheSameBodyTwice(t *testing.T) {
	service := newShop()
	st := rehearse(t, "create.name.repeated", service)
	st.do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400")
	if a := service.asked; len(a) != 2 || string(a[0].body) != string(a[1].body) {
		t.Errorf("sent %v", a)
	}
	st.finds()
	if len(st.s.observations) != 1 {
		t.Errorf("observed %+v", st.s.observations)
	}
	// A service that wants names to be new refuses the second, and the first is still there: no trace of the second.
	once := newShop()
	once.instead = func(r *http.Request, _ []byte) *reply {
		if len(once.pets) == 1 && r.Method == http.MethodPost {
			return errorReply(400)
		}
		return nil
	}
	st = rehearse(t, "create.name.repeated", once)
	st.do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400", "the lists are looked through")
	st.finds()
	if o := st.s.observations; len(o) != 1 || !strings.HasPrefix(o[0].Answer, "status 400") {
		t.Errorf("observed %+v", o)
	}
	// Another refusal is none that a creation documents.
	odd := newShop()
	odd.instead = func(r *http.Request, _ []byte) *reply {
		if len(odd.pets) == 1 && r.Method == http.MethodPost {
			return errorReply(http.StatusConflict)
		}
		return nil
	}
	st = rehearse(t, "create.name.repeated", odd)
	st.do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400")
	st.finds("answer.status")
}
