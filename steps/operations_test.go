package steps

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hallmark/steps/suite"
)

func TestSplitArguments(t *testing.T) {
	for text, want := range map[string][]string{
		"limit 3":                              {"limit 3"},
		"limit 3 and status sold":              {"limit 3", "status sold"},
		`status "a and b" and limit 1`:         {`status "a and b"`, "limit 1"},
		`status "a \" and b" and limit 1`:      {`status "a \" and b"`, "limit 1"},
		`status " and " and status " and "`:    {`status " and "`, `status " and "`},
		"an unknown petId and limit 1 and x y": {"an unknown petId", "limit 1", "x y"},
		`status ""`:                            {`status ""`},
	} {
		if got := suite.SplitArguments(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What the features say of parameters is what is sent.
func TestParametersAsTheyAreSent(t *testing.T) {
	for call, want := range map[string]string{
		"listPets is called":                                    "/v1/pets?",
		"listPets is called ":                                   "/v1/pets?",
		"listPets is called with limit 3":                       "/v1/pets?limit=3",
		"listPets is called with status sold and limit 100":     "/v1/pets?status=sold&limit=100",
		"listPets is called with limit 100 and status sold":     "/v1/pets?limit=100&status=sold",
		"listPets is called with limit 1 and limit 2":           "/v1/pets?limit=1&limit=2",
		`listPets is called with limit ""`:                      "/v1/pets?limit=",
		`listPets is called with status "available "`:           "/v1/pets?status=available+",
		`listPets is called with status " a and b&c=d#"`:        "/v1/pets?status=+a+and+b%26c%3Dd%23",
		"listPets is called with status available,pending":      "/v1/pets?status=available%2Cpending",
		"listPets is called with colour red":                    "/v1/pets?colour=red",
		"getPet is called with petId 41":                        "/v1/pets/41?",
		"getPet is called with petId -9223372036854775808":      "/v1/pets/-9223372036854775808?",
		"getPet is called with petId abc":                       "/v1/pets/abc?",
		`getPet is called with petId "a/b c?d"`:                 "/v1/pets/a%2Fb%20c%3Fd?",
		"getPet is called":                                      "/v1/pets/1?",
		"getPet is called with petId 7 and petId 8 and limit 1": "/v1/pets/7?limit=1",
	} {
		service := newShop()
		st := rehearse(t, "answer.status", service)
		st.do(call)
		if a := service.asked[0]; a.path+"?"+a.query != want {
			t.Errorf("%s: %s?%s, want %s", call, a.path, a.query, want)
		}
	}
}

func TestUnknownIDsAreNewEachTime(t *testing.T) {
	service := newShop()
	st := rehearse(t, "get.unknown", service)
	st.do("getPet is called 5 times with an unknown petId", "each response is 404")
	seen := map[string]bool{}
	for _, a := range service.asked {
		if seen[a.path] || len(a.path) < len("/v1/pets/")+18 {
			t.Errorf("asked for %s", a.path)
		}
		seen[a.path] = true
	}
	if len(seen) != 5 || len(st.s.answers) != 5 {
		t.Errorf("%d requests, %d answers", len(seen), len(st.s.answers))
	}
	st.finds()
}

// What is called next is an ordinary call again.
func TestACallUsesUpWhatWasGiven(t *testing.T) {
	service := newShop()
	st := rehearse(t, "auth.first", service)
	st.do("the credential is missing", "a plain body cut short", "createPet is called", "createPet is called")
	if first := service.asked[0]; first.header.Get("Authorization") != "" || strings.HasSuffix(string(first.body), "}") {
		t.Errorf("first: %s", first.body)
	}
	if second := service.asked[1]; second.header.Get("Authorization") == "" || !strings.HasSuffix(string(second.body), "}") {
		t.Errorf("second: %s", second.body)
	}
}

func TestValuesAreTakenAlongLinks(t *testing.T) {
	service := newShop().stock(3, "sold")
	st := rehearse(t, "get.found", service)
	st.do("listPets has answered 200", "getPet is called with the petId of that response", "the response is 200")
	if got := service.asked[1].path; got != "/v1/pets/3" {
		t.Errorf("asked for %s, want the first of the list", got)
	}
	st.next(st.s.run, "get.created")
	st.do("createPet has answered 201", "getPet is called with the petId of that response", "the response is 200")
	if got := service.asked[3].path; got != "/v1/pets/4" {
		t.Errorf("asked for %s, want the new one", got)
	}
	st.finds()
}

func TestLinksThatLeadNowhere(t *testing.T) {
	empty := rehearse(t, "get.found", newShop())
	empty.do("listPets has answered 200")
	empty.stops("getPet is called with the petId of that response", "holds nothing at /0/id")

	odd := newShop().stock(1)
	odd.change = lists(func(_ *http.Request, page []row) []row { return []row{altered(page[0], row{"id": []int{1}})} })
	st := rehearse(t, "get.found", odd)
	st.do("listPets has answered 200")
	st.stops("getPet is called with the petId of that response", "holds no usable petId")

	none := rehearse(t, "get.found", newShop())
	if err := none.play("getPet is called with the petId of that response"); err == nil || !strings.Contains(err.Error(), "no link") {
		t.Errorf("without an earlier response: %v", err)
	}
}

func TestAnAnswerThatDidNotCome(t *testing.T) {
	service := newShop()
	service.instead = func(*http.Request, []byte) *reply { return &reply{status: 500, body: "no"} }
	st := rehearse(t, "get.created", service)
	st.stops("createPet has answered 201", "createPet did not answer 201")
	st.finds("create.accepted", "error.body")
}

func TestCallsThatCannotBeMade(t *testing.T) {
	st := rehearse(t, "answer.status", newShop())
	for step, want := range map[string]string{
		"dropPet is called":                        `no operation "dropPet"`,
		"dropPet has answered 200":                 `no operation "dropPet"`,
		"listPets is called 0 times":               `"0" is no number of times`,
		"listPets is called 1001 times":            `"1001" is no number of times`,
		`listPets is called with status "sold`:     "is no quoted text",
		"the credential is made of gold":           `no credential is called "made of gold"`,
		"the response is 200":                      "no operation has been called",
		"what was sent comes back":                 "no operation has been called",
		"the response is the service's own choice": "",
	} {
		err := st.play(step)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", step, err, want)
		}
	}
}

func TestARemovedOperationIsNotCalled(t *testing.T) {
	service := newShop()
	st := rehearse(t, "get.found", service, func(c *Config) { c.Now = removalDay })
	st.stops("getPet is called with petId 1", "getPet was removed on 5 December 2030")
	st.stops("getPet has answered 200", "getPet was removed on 5 December 2030")
	if len(service.asked) != 0 {
		t.Errorf("it was asked: %v", service.asked)
	}
}

func TestAReadOnlyRunCreatesNothing(t *testing.T) {
	for _, credential := range []string{"right", "missing", "a random key"} {
		service := newShop()
		st := rehearse(t, "create.accepted", service, func(c *Config) { c.Target.ReadOnly = true })
		st.do("the credential is " + credential)
		st.stops("createPet is called", "the run is read-only")
		if len(service.asked) != 0 {
			t.Errorf("%s: a creation was sent", credential)
		}
	}
}

func TestCredentialsThatCannotBeMadeStopTheScenario(t *testing.T) {
	st := rehearse(t, "auth.case", newShop(), func(c *Config) { c.Target.Key = "4711" })
	st.stops("the credential is the right key with its case swapped", "is the key itself")
}

func TestARunKeepsToItsAnimals(t *testing.T) {
	service := newShop()
	st := rehearse(t, "create.accepted", service, func(c *Config) { c.Target.MaxAnimals = 3 })
	st.do("createPet is called 3 times", "each response is 201")
	st.stops("createPet is called", "3 animals")
	st.do("a plain body cut short", "createPet is called", "the response is 400") // creates nothing
	if len(service.pets) != 3 {
		t.Errorf("%d animals were created", len(service.pets))
	}
}
