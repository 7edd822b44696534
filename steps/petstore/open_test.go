package petstore_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"hallmark/steps/scenario"
	"hallmark/tests/exchangetest"
	"hallmark/tests/rehearse"
)

func TestOrderOfLists(t *testing.T) {
	for want, animals := range map[string][]string{
		"by id, ascending":          {exchangetest.Animal(1, "c", "1", ""), exchangetest.Animal(2, "a", "1", ""), exchangetest.Animal(10, "b", "1", "")},
		"by id, descending":         {exchangetest.Animal(10, "c", "1", ""), exchangetest.Animal(2, "a", "1", ""), exchangetest.Animal(-1, "b", "1", "")},
		"by name":                   {exchangetest.Animal(3, "a", "1", ""), exchangetest.Animal(1, "b", "1", ""), exchangetest.Animal(2, "c", "1", "")},
		"neither by id nor by name": {exchangetest.Animal(3, "b", "1", ""), exchangetest.Animal(1, "a", "1", ""), exchangetest.Animal(2, "c", "1", "")},
	} {
		st := rehearse.New(t, "list.order", rehearse.Answering(200, "["+strings.Join(animals, ",")+"]"))
		st.Do("listPets is called with limit 100", "its order is recorded")
		if o := st.Scenario.Observations(); len(o) != 1 || o[0].Answer != want || o[0].Asked != "the order of the list" {
			t.Errorf("%+v, want %s", o, want)
		}
	}
	few := rehearse.New(t, "list.order", rehearse.Answering(200, exchangetest.List(2, "")))
	few.Do("listPets is called with limit 100")
	few.Stops("its order is recorded", "fewer than three animals")
}

func TestLengthOfPages(t *testing.T) {
	for call, want := range map[string]string{
		"listPets is called":                                   "no parameter: 3 animals",
		"listPets is called with limit 5":                      "limit=5: 3 animals",
		"listPets is called with status available and limit 5": "status=available&limit=5: 3 animals",
	} {
		st := rehearse.New(t, "list.page", rehearse.Answering(200, exchangetest.List(3, "available")))
		st.Do(call, "the length of the page is recorded")
		if o := st.Scenario.Observations(); len(o) != 1 || o[0].Asked+": "+o[0].Answer != want {
			t.Errorf("%s: %+v, want %s", call, o, want)
		}
	}
	st := rehearse.New(t, "list.page", rehearse.Answering(200, "{}"))
	st.Do("listPets is called")
	st.Stops("the length of the page is recorded", "did not answer with a list")
}

func TestTheStatusThatAnAnimalGets(t *testing.T) {
	for _, status := range []string{"", "available"} {
		st := rehearse.New(t, "create.status.default", rehearse.Answering(201, exchangetest.Animal(1, "a", "1", status)))
		st.Do("createPet is called", "the status that the animal got is recorded")
		want := strings.TrimSpace("status " + status)
		if status == "" {
			want = "no status"
		}
		if o := st.Scenario.Observations(); len(o) != 1 || o[0].Answer != want {
			t.Errorf("%+v, want %s", o, want)
		}
	}
	st := rehearse.New(t, "create.status.default", rehearse.Answering(400, "{}"))
	st.Do("createPet is called")
	st.Stops("the status that the animal got is recorded", "did not answer with an animal")
}

func TestHeadersAreRecordedByTheirPresence(t *testing.T) {
	for value, want := range map[string]string{"": "absent", "/v1/pets/7": "present"} {
		service := rehearse.NewShop()
		service.Change = func(_ *http.Request, a *rehearse.Reply) {
			if value != "" {
				a.Header.Set("Location", value)
			}
		}
		st := rehearse.New(t, "create.location", service)
		st.Do("createPet is called", "its header Location is recorded")
		if o := st.Scenario.Observations(); len(o) != 1 || o[0].Answer != want || o[0].Asked != "the header Location" {
			t.Errorf("%+v, want %s", o, want)
		}
	}
}

// What the interface does not define is recorded, advised on, and judged by nothing else.
func TestBeyondTheInterface(t *testing.T) {
	for name, test := range map[string]struct {
		step   string
		status int
		body   string
		asked  string
		breaks string
	}{
		"orders":           {"GET /store/orders is sent", 404, "<html>", "GET /store/orders", ""},
		"another method":   {"OPTIONS /pets is sent", 204, "", "OPTIONS /pets", ""},
		"no body for HEAD": {"HEAD /pets is sent", 200, "", "HEAD /pets", ""},
		"a page":           {"GET /pets/ is sent", 200, "<html>", "GET /pets/", ""},
		"it breaks":        {"GET /nonesuch is sent", 500, "", "GET /nonesuch", "other.robust"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.Answering(test.status, test.body)
			st := rehearse.New(t, "other.routes", service)
			st.Do(test.step, "what is answered beyond the interface is recorded")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("other.routes", "other.robust")
			if o := st.Scenario.Observations(); len(o) != 1 || o[0].Asked != test.asked || !strings.HasPrefix(o[0].Answer, "status "+strconv.Itoa(test.status)) {
				t.Errorf("observed %+v", o)
			}
			if a := service.Asked[0]; a.Method+" "+strings.TrimPrefix(a.Path, "/v1") != test.asked || a.Header.Get("Authorization") == "" {
				t.Errorf("sent %+v", a)
			}
		})
	}
}

func TestARemovedOperationIsCalledOnlyAfterItsRemoval(t *testing.T) {
	const step = "a removed getPet is called"
	early := rehearse.New(t, "get.removed", rehearse.NewShop())
	early.Stops(step, "getPet is not removed yet")

	gone := rehearse.NewShop().Stock(2)
	gone.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if strings.HasPrefix(r.URL.Path, "/v1/pets/") {
			return &rehearse.Reply{Status: 410, Body: "<html>"}
		}
		return nil
	}
	late := rehearse.New(t, "get.removed", gone, func(c *scenario.Options) { c.Now = rehearse.RemovalDay })
	late.Do("listPets is called with limit 1", step, "what is answered beyond the interface is recorded")
	late.Finds()
	if got := gone.Asked[1].Path; got != "/v1/pets/2" {
		t.Errorf("asked for %s", got)
	}
}

// Nothing that may change anything is sent where nothing is defined.
func TestOnlySafeMethodsGoBeyondTheInterface(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		if rehearse.IsStep(method + " /pets is sent") {
			t.Errorf("%s may be sent", method)
		}
	}
}
