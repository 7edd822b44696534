package vocabulary_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
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

// Parameters are sent as the features say.
func TestParametersAsTheyAreSent(t *testing.T) {
	for call, want := range map[string]string{
		"listPets is called":                                "/v1/pets?",
		"listPets is called ":                               "/v1/pets?",
		"listPets is called with limit 3":                   "/v1/pets?limit=3",
		"listPets is called with status sold and limit 100": "/v1/pets?limit=100&status=sold",
		"listPets is called with limit 100 and status sold": "/v1/pets?limit=100&status=sold",
		"listPets is called with limit 1 and limit 2":       "/v1/pets?limit=1&limit=2",
		`listPets is called with limit ""`:                  "/v1/pets?limit=",
		`listPets is called with status "available "`:       "/v1/pets?status=available%20",
		`listPets is called with status " a and b&c=d#"`:    "/v1/pets?status=%20a%20and%20b%26c%3Dd%23",
		"listPets is called with status available,pending":  "/v1/pets?status=available%2Cpending",
		"listPets is called with colour red":                "/v1/pets?colour=red",
		"getPet is called with petId 41":                    "/v1/pets/41?",
		"getPet is called with petId -9223372036854775808":  "/v1/pets/-9223372036854775808?",
		"getPet is called with petId abc":                   "/v1/pets/abc?",
		`getPet is called with petId "a/b c?d"`:             "/v1/pets/a%2Fb%20c%3Fd?",
		"getPet is called":                                  "/v1/pets/1?",
		"getPet is called with petId 7 and limit 1":         "/v1/pets/7?limit=1",
	} {
		service := rehearse.NewShop()
		st := rehearse.New(t, "answer.status", service)
		st.Do(call)
		if a := service.Latest(); a.Path+"?"+a.Query != want {
			t.Errorf("%s: %s?%s, want %s", call, a.Path, a.Query, want)
		}
	}
}

func TestUnknownIDsAreNewEachTime(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "get.unknown", service)
	st.Do("getPet is called 5 times with an unknown petId", "each response is 404")
	seen := map[string]bool{}
	for _, a := range service.Asked {
		if seen[a.Path] || len(a.Path) < len("/v1/pets/")+15 {
			t.Errorf("asked for %s", a.Path)
		}
		seen[a.Path] = true
	}
	if len(seen) != 5 || len(st.Scenario.Answers()) != 5 {
		t.Errorf("%d requests, %d answers", len(seen), len(st.Scenario.Answers()))
	}
	st.Finds()
}

// Prepared values apply to one call only.
func TestACallUsesUpWhatWasGiven(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "auth.first", service)
	st.Do("the credential is missing", "a plain body cut short", "createPet is called", "createPet is called")
	if first := service.Asked[0]; first.Header.Get("Authorization") != "" || strings.HasSuffix(string(first.Body), "}") {
		t.Errorf("first: %s", first.Body)
	}
	if second := service.Asked[1]; second.Header.Get("Authorization") == "" || !strings.HasSuffix(string(second.Body), "}") {
		t.Errorf("second: %s", second.Body)
	}
}

// What a name in braces stands for is sent: a value of a response, or the identifier of what was created.
func TestValuesOfEarlierResponses(t *testing.T) {
	service := rehearse.NewShop().Stock(3, "sold")
	st := rehearse.New(t, "get.found", service)
	st.Do("listPets has answered 200", `in the response, /0/id is remembered as "first"`, "getPet is called with petId {first}", "the response is 200")
	if got := service.Latest().Path; got != "/v1/pets/3" {
		t.Errorf("asked for %s, want the first of the list", got)
	}
	st.Next(st.Scenario.Run, "get.created")
	st.Do("createPet has answered 201", "getPet is called with petId {pet}", "the response is 200")
	if got := service.Latest().Path; got != "/v1/pets/4" {
		t.Errorf("asked for %s, want the new one", got)
	}
	st.Do(`createPet is called`, "getPet is called", "the response is 200")
	if got := service.Latest().Path; got != "/v1/pets/5" {
		t.Errorf("asked for %s, want the newest one", got)
	}
	st.Finds()
	st.Next(st.Scenario.Run, "get.found")
	if err := st.Play("getPet is called with petId {pet}"); err == nil || !strings.Contains(err.Error(), `nothing is remembered as "pet"`) {
		t.Errorf("without an earlier response: %v", err)
	}
	st.Do("listPets is called with status pending")
	st.Stops(`in the response, /0/id is remembered as "first"`, "/0/id")
}

func TestAnAnswerThatDidNotCome(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(*http.Request, []byte) *rehearse.Reply { return &rehearse.Reply{Status: 500, Body: "no"} }
	st := rehearse.New(t, "get.created", service)
	st.Stops("createPet has answered 201", "createPet did not answer 201")
	st.Finds("create.accepted")
}

func TestCallsThatCannotBeMade(t *testing.T) {
	st := rehearse.New(t, "answer.status", rehearse.NewShop())
	for step, want := range map[string]string{
		"dropPet is called":                        `no operation "dropPet"`,
		"dropPet has answered 200":                 `no operation "dropPet"`,
		"listPets is called 0 times":               `"0" is no number of times`,
		"listPets is called 1001 times":            `"1001" is no number of times`,
		`listPets is called with status "sold`:     "is no JSON",
		"listPets is called with the limit of all": `"the limit of all" gives no parameter a value`,
		"listPets is called with limit":            `"limit" gives no parameter a value`,
		"the response is 200":                      "no operation has been called",
		"what was sent comes back":                 "no operation has been called",
		"the response is the service's own choice": "",
	} {
		err := st.Play(step)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", step, err, want)
		}
	}
}

func TestARemovedOperationIsNotCalled(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "get.found", service, func(c *scenario.Options) { c.Now = rehearse.RemovalDay })
	st.Stops("getPet is called with petId 1", "getPet was removed on 5 December 2030")
	st.Stops("getPet has answered 200", "getPet was removed on 5 December 2030")
	if len(service.Asked) != 0 {
		t.Errorf("it was asked: %v", service.Asked)
	}
}

func TestAReadOnlyRunCreatesNothing(t *testing.T) {
	for _, credential := range []string{"right", "missing", "a random key"} {
		service := rehearse.NewShop()
		st := rehearse.New(t, "create.accepted", service, func(c *scenario.Options) { c.Target.ReadOnly = true })
		st.Do("the credential is " + credential)
		st.Stops("createPet is called", "the run is read-only")
		if len(service.Asked) != 0 {
			t.Errorf("%s: a creation was sent", credential)
		}
	}
}

func TestCredentialsThatCannotBeMadeStopTheScenario(t *testing.T) {
	st := rehearse.New(t, "auth.case", rehearse.NewShop(), func(c *scenario.Options) {
		c.Target.Key, c.Target.Keyring = "4711", scheme.OneSecret(rehearse.Must(t, rehearse.Contract).Operations(), "4711")
	})
	st.Do("the credential is the right key with its case swapped")
	st.Stops("listPets is called", "is the key itself")
	st.Next(st.Scenario.Run, "auth.case")
	st.Do("the credential is made of gold")
	if err := st.Play("listPets is called"); err == nil || errors.As(err, new(scenario.Stop)) || !strings.Contains(err.Error(), `no credential "made of gold"`) {
		t.Errorf("a credential that nobody knows: %v", err)
	}
}

func TestARunKeepsToItsBudget(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "create.accepted", service, func(c *scenario.Options) { c.Target.MaxCreated = 3 })
	st.Do("createPet is called 3 times", "each response is 201")
	st.Stops("createPet is called", "3 resources")
	st.Do("a plain body cut short")
	st.Stops("createPet is called", "3 resources") // a service may create something all the same
	if len(service.Pets) != 3 {
		t.Errorf("%d animals were created", len(service.Pets))
	}
}
