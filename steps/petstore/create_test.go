package petstore_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"hallmark/steps/petstore"
	"hallmark/tests/rehearse"
)

func TestAnAnimalIsCreated(t *testing.T) {
	for how, want := range map[string]string{
		"with status available": `"status": "available"`, "with status pending": `"status": "pending"`,
		"with status sold": `"status": "sold"`, "without a status": "",
	} {
		service := rehearse.NewShop()
		st := rehearse.New(t, "get.created", service)
		st.Do("an animal is created " + how)
		body := string(service.Asked[0].Body)
		if !strings.Contains(body, want) || want == "" && strings.Contains(body, "status") {
			t.Errorf("%s: sent %s", how, body)
		}
		st.Judged("create.accepted")
		st.Finds()
	}
	for _, status := range []int{200, 202, 400, 500} {
		st := rehearse.New(t, "get.created", rehearse.Answering(status, `{"code":"c","message":"m","status":`+strconv.Itoa(status)+`}`))
		st.Stops("an animal is created with status sold", "did not answer with an animal")
		if !slices.Contains(st.Broken(), "create.accepted") {
			t.Errorf("%d: %q", status, st.Broken())
		}
	}
	odd := rehearse.NewShop()
	odd.Change = func(_ *http.Request, a *rehearse.Reply) { a.Status = 200 }
	st := rehearse.New(t, "get.created", odd)
	st.Do("an animal is created with status sold") // it is there, only its status is wrong
	st.Finds("create.accepted")
}

func TestTheIDIsTheServicesOwn(t *testing.T) {
	for name, test := range map[string]struct {
		given  string
		change func(s *rehearse.Shop, sent json.Number, a *rehearse.Reply)
		breaks string
	}{
		"its own": {"a plain body with an id of the client's own", nil, ""},
		"the one that was sent": {"a plain body with an id of the client's own", func(_ *rehearse.Shop, sent json.Number, a *rehearse.Reply) {
			a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": sent})
		}, "create.id.own"},
		"refused":    {"a plain body with an id of the client's own", func(_ *rehearse.Shop, _ json.Number, a *rehearse.Reply) { *a = *rehearse.ErrorReply(400) }, ""},
		"by 422 too": {"a plain body with an id of the client's own", func(_ *rehearse.Shop, _ json.Number, a *rehearse.Reply) { *a = *rehearse.ErrorReply(422) }, ""},
		"it breaks":  {"a plain body with an id of the client's own", func(_ *rehearse.Shop, _ json.Number, a *rehearse.Reply) { *a = *rehearse.ErrorReply(500) }, "create.robust"},
		"another's":  {"a plain body with that animal's id", nil, ""},
		"overwritten": {"a plain body with that animal's id", func(s *rehearse.Shop, sent json.Number, a *rehearse.Reply) {
			s.Pets = s.Pets[:1]
			s.Pets[0] = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": sent})
			a.Body = s.Pets[0]
		}, "create.id.own create.id.unique"},
		"overwritten, and another id shown": {"a plain body with that animal's id", func(s *rehearse.Shop, sent json.Number, a *rehearse.Reply) {
			s.Pets[0] = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": sent, "status": "sold"})
		}, "create.id.own pet.identity"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "create.id.own", service)
			st.Do("an animal that this run created")
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				var sent struct {
					ID json.Number `json:"id"`
				}
				_ = json.Unmarshal(service.Asked[len(service.Asked)-1].Body, &sent)
				if sent.ID != "" && test.change != nil {
					test.change(service, sent.ID, a)
				}
			}
			st.Do(test.given, "createPet is called", "the id that was sent is not used")
			if strings.Contains(test.given, "that animal's") && !strings.HasPrefix(name, "overwritten") || name == "overwritten, and another id shown" {
				st.Do("that animal is as it was")
			}
			st.Finds(rehearse.Rules(test.breaks)...)
			if got := string(service.Requests("POST")[1].Body); !strings.Contains(got, `"id": `) {
				t.Errorf("no id was sent: %s", got)
			}
		})
	}
}

// What was wrong before the id was sent is not that rule's.
func TestTheIDIsNotToBlameForWhatWasWrongBefore(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost && a.Status == http.StatusCreated {
			body := rehearse.Altered(a.Body.(rehearse.Row), nil)
			delete(body, "status")
			a.Body = body
		}
	}
	st := rehearse.New(t, "create.id.own", service)
	st.Do("an animal that this run created", "a plain body with that animal's id", "createPet is called", "the id that was sent is not used", "that animal is as it was")
	st.Finds("create.echo.status")
}

func TestAnAnimalOfThisRun(t *testing.T) {
	service := rehearse.NewShop().Stock(3)
	st := rehearse.New(t, "get.stable", service)
	st.Do("an animal that this run created")
	if len(service.Requests("POST")) != 1 || petstore.Own(st.Scenario) == nil || petstore.Own(st.Scenario).ID != "4" {
		t.Errorf("own is %+v after %d creations", petstore.Own(st.Scenario), len(service.Requests("POST")))
	}
	st.Next(st.Scenario.Run, "get.id")
	st.Do("an animal that this run created")
	if len(service.Requests("POST")) != 1 || petstore.Own(st.Scenario).ID != "4" {
		t.Error("one that is there already is not used")
	}
	refused := rehearse.New(t, "get.stable", rehearse.Answering(400, `{"code":"c","message":"m","status":400}`))
	refused.Stops("an animal that this run created", "did not answer with an animal")
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
			service := rehearse.NewShop()
			at := 0
			service.Change = func(_ *http.Request, a *rehearse.Reply) {
				a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": test.ids[at]})
				at++
			}
			st := rehearse.New(t, "create.id.unique", service)
			st.Do("createPet is called 4 times", "each response is 201", "each id is new")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("create.id.unique")
		})
	}
}

// meeting lets n creations in at once, and none alone.
type meeting struct {
	*rehearse.Shop
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
	return m.Shop.RoundTrip(r)
}

// The clients' creations really overlap: this service answers none before all are there.
func TestManyCreateAtOnce(t *testing.T) {
	service := &meeting{Shop: rehearse.NewShop(), n: 6, waiting: make(chan struct{})}
	st := rehearse.New(t, "create.id.unique", service)
	st.Do("12 animals are created by 6 clients at once", "each of them is created", "each id is new", "each can be read as it was answered")
	st.Finds()
	st.Judged("create.accepted", "create.id.unique", "get.created")
	if len(service.Pets) != 12 || len(service.Requests("GET")) != 12 {
		t.Errorf("%d animals, %d readings", len(service.Pets), len(service.Requests("GET")))
	}
	count := map[any]int{}
	for _, p := range service.Pets {
		count[p["status"]]++
	}
	if count["available"] != 3 || count["pending"] != 3 || count["sold"] != 3 || count[nil] != 3 {
		t.Errorf("statuses: %v", count)
	}
}

func TestManyCreateAndOneIsLost(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "create.id.unique", service)
	st.Do("8 animals are created by 4 clients at once")
	service.Pets = slices.Delete(service.Pets, 3, 4)
	st.Do("each of them is created", "each can be read as it was answered")
	st.Finds("get.created")
}

func TestManyCreateAndOneIsRefused(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) {
		if len(service.Pets) == 3 && a.Status == 201 {
			*a = *rehearse.ErrorReply(409)
		}
	}
	st := rehearse.New(t, "create.id.unique", service)
	st.Do("8 animals are created by 4 clients at once", "each of them is created", "each id is new", "each can be read as it was answered")
	st.Finds("create.accepted")
}

func TestManyCreateAndNoneSucceeds(t *testing.T) {
	st := rehearse.New(t, "create.id.unique", rehearse.Answering(503, `{"code":"c","message":"m","status":503}`))
	st.Do("4 animals are created by 4 clients at once")
	st.Stops("each of them is created", "none of the creations was answered with an animal")
	st.Finds("create.accepted")
}

func TestTheSameBodyTwice(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "create.name.repeated", service)
	st.Do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400")
	if a := service.Asked; len(a) != 2 || string(a[0].Body) != string(a[1].Body) {
		t.Errorf("sent %v", a)
	}
	st.Finds()
	if len(st.Scenario.Observations()) != 1 {
		t.Errorf("observed %+v", st.Scenario.Observations())
	}
	// A service that wants names to be new refuses the second, and the first is still there: no trace of the second.
	once := rehearse.NewShop()
	once.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if len(once.Pets) == 1 && r.Method == http.MethodPost {
			return rehearse.ErrorReply(400)
		}
		return nil
	}
	st = rehearse.New(t, "create.name.repeated", once)
	st.Do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400", "the lists are looked through")
	st.Finds()
	if o := st.Scenario.Observations(); len(o) != 1 || !strings.HasPrefix(o[0].Answer, "status 400") {
		t.Errorf("observed %+v", o)
	}
	// Another refusal is none that a creation documents.
	odd := rehearse.NewShop()
	odd.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if len(odd.Pets) == 1 && r.Method == http.MethodPost {
			return rehearse.ErrorReply(http.StatusConflict)
		}
		return nil
	}
	st = rehearse.New(t, "create.name.repeated", odd)
	st.Do("the same plain body is sent twice", "the response is the service's own choice of 201 and 400")
	st.Finds("answer.status")
}
