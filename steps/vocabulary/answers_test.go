package vocabulary_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/tests/exchangetest"
	"hallmark/tests/rehearse"
)

// A wrong status breaks the scenario's own rule if that is about statuses, otherwise the catalogue's rule for the
// response.
func TestStatusesAreJudgedByTheirRule(t *testing.T) {
	const problem = `{"code":"c","message":"m","status":409}`
	for name, test := range map[string]struct {
		rule, call, want string
		breaks           string
	}{
		"a rule about statuses":              {"create.status.accepted", "createPet is called", "the response is 201", "create.status.accepted"},
		"deep within them":                   {"create.categoryId.int64", "createPet is called", "the response is 400", "create.categoryId.int64"},
		"a rule about something else":        {"create.echo.name", "createPet is called", "the response is 201", "create.accepted"},
		"another operation's answer":         {"create.echo.name", "listPets is called", "the response is 200", "list.accepted"},
		"a refusal, by another rule":         {"pet.name", "createPet is called", "the response is 400", "create.refused"},
		"a 404, by another rule":             {"get.id", "getPet is called", "the response is 404", "get.unknown"},
		"two statuses, by the first":         {"pet.name", "createPet is called", "the response is 201 or 400", "create.accepted"},
		"the rule that has both":             {"create.name.unusual", "createPet is called", "the response is 201 or 400", "create.name.unusual"},
		"a status that nothing documents":    {"pet.name", "createPet is called", "the response is 418", "answer.status"},
		"each of several responses":          {"get.unknown", "getPet is called 3 times", "each response is 404", "get.unknown"},
		"the catalogue's rule for the right": {"auth.accepted", "listPets is called", "the response is 200", "list.accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, rehearse.Answering(409, problem))
			st.Do(test.call, test.want)
			st.Finds(test.breaks)
			st.Judged(test.breaks, "answer.status")
			f := st.Scenario.Findings()[0]
			if f.Actual.String() != "status 409" || f.Expected.String() != "status "+strings.TrimPrefix(strings.TrimPrefix(test.want, "each response is "), "the response is ") {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestStatusesThatKeepTheContract(t *testing.T) {
	for _, test := range []struct {
		status int
		want   string
	}{{404, "the response is 404"}, {404, "the response is 400 or 404"}, {400, "the response is 400 or 404"}} {
		st := rehearse.New(t, "get.unknown", rehearse.Answering(test.status, `{"code":"c","message":"m","status":`+strconv.Itoa(test.status)+`}`))
		st.Do("getPet is called", test.want)
		st.Finds()
		st.Judged("get.unknown", "answer.status")
		if expect := st.Scenario.Exchanges()[0].Expect; !slices.Contains(expect.Statuses, test.status) || expect.Rule != "get.unknown" {
			t.Errorf("the exchange does not say what was expected: %+v", expect)
		}
	}
}

// Refusing the right key is always reported under a rule of its own.
func TestTheRightKeyRefused(t *testing.T) {
	service := rehearse.NewShop()
	service.Key = "another"
	st := rehearse.New(t, "create.status.accepted", service)
	st.Do("createPet is called", "the response is 201")
	st.Finds("auth.accepted")
	st.Judged("auth.accepted")
	st.Next(st.Scenario.Run, "auth.missing")
	st.Do("the credential is missing", "createPet is called", "the response is 401")
	st.Finds()
}

func TestNoAnswerIsNoStatus(t *testing.T) {
	st := rehearse.New(t, "answer.status", rehearse.NewShop())
	if err := st.Play("each response is 200"); err != nil {
		t.Error(err)
	}
	st.Unjudged("answer.status")
}

// ── What was sent comes back ──

func TestEcho(t *testing.T) {
	for name, test := range map[string]struct {
		given  string
		change rehearse.Row // of the animal in the response
		breaks string
	}{
		"as it was":                        {`a plain body where status is "sold"`, nil, ""},
		"another name":                     {"", rehearse.Row{"name": "Rex"}, "create.echo.name"},
		"a name cut":                       {`a plain body where name is "{unique} x"`, rehearse.Row{"name": "hallmark-test01-1"}, "create.echo.name"},
		"another category":                 {"", rehearse.Row{"categoryId": json.Number("2")}, "create.echo.categoryId"},
		"one digit lost":                   {"a plain body where categoryId is 9007199254740993", rehearse.Row{"categoryId": json.Number("9007199254740992")}, "create.echo.categoryId"},
		"a great one, exact":               {"a plain body where categoryId is 9223372036854775807", nil, ""},
		"the same in another notation":     {"", rehearse.Row{"categoryId": json.Number("1.0")}, ""},
		"the same with an exponent":        {"a plain body where categoryId is 100", rehearse.Row{"categoryId": json.Number("1E2")}, ""},
		"sent in another notation":         {"a plain body where categoryId is 100", rehearse.Row{"categoryId": json.Number("100.00")}, ""},
		"another status":                   {`a plain body where status is "sold"`, rehearse.Row{"status": "pending"}, "create.echo.status"},
		"the status lost":                  {`a plain body where status is "sold"`, rehearse.Row{"status": nil}, "create.echo.status"},
		"a status that was not sent":       {"", rehearse.Row{"status": "available"}, ""},
		"the name lost is the schema's":    {"", rehearse.Row{"name": nil}, "pet.name"},
		"a name of another type is too":    {`a plain body where name is "1"`, rehearse.Row{"name": json.Number("1")}, "pet.name"},
		"so is a category of another type": {"", rehearse.Row{"categoryId": "1"}, "pet.categoryId"},
		"and a status that is none":        {`a plain body where status is "sold"`, rehearse.Row{"status": "SOLD"}, "pet.status create.echo.status"},
		"further fields":                   {"", rehearse.Row{"colour": "red"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Change = func(_ *http.Request, a *rehearse.Reply) {
				if fields, ok := a.Body.(rehearse.Row); ok && a.Status == 201 {
					a.Body = rehearse.Altered(fields, test.change)
				}
			}
			st := rehearse.New(t, "create.accepted", service)
			if test.given != "" {
				st.Do(test.given)
			}
			st.Do("createPet is called", "the response is 201", "what was sent comes back")
			st.Finds(rehearse.Rules(test.breaks)...)
			for _, field := range []string{"name", "categoryId"} {
				if strings.Contains(test.breaks, "pet."+field) {
					st.Unjudged("create.echo." + field) // what is no name at all cannot be compared
				} else {
					st.Judged("create.echo." + field)
				}
			}
		})
	}
}

func TestEchoOfOneProperty(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) {
		a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"name": "Rex", "status": "sold"})
	}
	for property, breaks := range map[string]string{"name": "create.echo.name", "status": "create.echo.status", "categoryId": ""} {
		st := rehearse.New(t, "create.accepted", service)
		st.Do(`a plain body where status is "pending"`, "createPet is called", "its "+property+" is what was sent")
		st.Finds(rehearse.Rules(breaks)...)
	}
}

func TestEchoIsJudgedOfWhatWasSentOnly(t *testing.T) {
	st := rehearse.New(t, "create.accepted", rehearse.NewShop())
	st.Do("a plain body without status", "createPet is called", "what was sent comes back")
	st.Unjudged("create.echo.status")
	st.Judged("create.echo.name")
	st.Next(st.Scenario.Run, "list.accepted")
	st.Do("listPets is called")
	if err := st.Play("what was sent comes back"); err == nil {
		t.Error("a list is taken for what comes back")
	}
}

func TestEchoOfWhatWasRefused(t *testing.T) {
	const long = "a plain body where name is 300 characters long"
	st := rehearse.New(t, "create.name.unusual", rehearse.Answering(400, `{"code":"too_long","message":"m","status":400}`))
	st.Do(long, "createPet is called", "the response is 201 or 400", "what was sent comes back, if it was accepted")
	st.Finds()
	if len(st.Scenario.Observations()) != 1 || st.Scenario.Observations()[0].Rule != "create.value.refused" ||
		!strings.Contains(st.Scenario.Observations()[0].Answer, "too_long") {
		t.Errorf("observed: %+v", st.Scenario.Observations())
	}
	other := rehearse.New(t, "create.name.unusual", rehearse.Answering(422, `{"code":"c","message":"m","status":422}`))
	other.Do(long, "createPet is called", "what was sent comes back, if it was accepted")
	if len(other.Scenario.Observations()) != 0 {
		t.Errorf("a 422 is noted as a lawful refusal: %+v", other.Scenario.Observations())
	}
}

func TestEchoOfAnAnswerThatIsNoObject(t *testing.T) {
	for _, body := range []string{`null`, `[]`, `true`, `"x"`, ``, `{`} {
		st := rehearse.New(t, "create.accepted", rehearse.Answering(201, body))
		st.Do("createPet is called", "what was sent comes back")
		for _, rule := range st.Broken() {
			if strings.HasPrefix(rule, "create.echo") {
				t.Errorf("%q: what comes back is judged: %s", body, rule)
			}
		}
		if len(st.Broken()) == 0 {
			t.Errorf("%q: nothing is wrong with it", body)
		}
	}
}

// ── What a link leads to is what its start held ──

func TestHeld(t *testing.T) {
	for name, test := range map[string]struct {
		start  string
		rule   string
		change rehearse.Row // of the animal that is read
		breaks string
	}{
		"of a creation, the same":               {"createPet has answered 201", "get.created", nil, ""},
		"of a creation, another name":           {"createPet has answered 201", "get.created", rehearse.Row{"name": "x"}, "get.created pet.identity"},
		"of a creation, a status":               {"createPet has answered 201", "get.created", rehearse.Row{"status": "sold"}, "get.created"},
		"of a creation, category":               {"createPet has answered 201", "get.created", rehearse.Row{"categoryId": json.Number("9")}, "get.created pet.identity"},
		"of a creation, another form":           {"createPet has answered 201", "get.created", rehearse.Row{"categoryId": json.Number("1.0")}, ""},
		"of a creation, no name":                {"createPet has answered 201", "get.created", rehearse.Row{"name": nil}, "pet.name"},
		"of a list, the same":                   {"listPets has answered 200", "get.listed", nil, ""},
		"of a list, another name":               {"listPets has answered 200", "get.listed", rehearse.Row{"name": "x"}, "get.listed pet.identity"},
		"of a list, others may change a status": {"listPets has answered 200", "get.listed", rehearse.Row{"status": "available"}, ""},
		"of a list, or take one away":           {"listPets has answered 200", "get.listed", rehearse.Row{"status": nil}, ""},
		"further fields may differ":             {"createPet has answered 201", "get.created", rehearse.Row{"seen": json.Number("3")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(2, "sold", "pending")
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				if fields, ok := a.Body.(rehearse.Row); ok && r.Method == http.MethodGet {
					a.Body = rehearse.Altered(fields, test.change)
				}
			}
			st := rehearse.New(t, test.rule, service)
			st.Do(test.start, "getPet is called with the petId of that response", "the response is 200", "it is what that response held")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged(test.rule)
		})
	}
}

func TestHeldByAnAnswerThatNeverCame(t *testing.T) {
	service := rehearse.NewShop().Stock(1)
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.URL.Path != "/v1/pets" {
			return rehearse.ErrorReply(404)
		}
		return nil
	}
	st := rehearse.New(t, "get.listed", service)
	st.Do("listPets has answered 200", "getPet is called with the petId of that response", "it is what that response held")
	st.Finds() // the status is judged by a step of its own
}

// ── 404, or that very one ──

func TestThatOne(t *testing.T) {
	const step = "the response is 404, or 200 with that petId"
	for name, test := range map[string]struct {
		status int
		body   string
		breaks string
	}{
		"nothing":       {404, `{"code":"c","message":"m","status":404}`, ""},
		"that one":      {200, exchangetest.Animal(7, "x", "1", ""), ""},
		"another":       {200, exchangetest.Animal(8, "x", "1", ""), "get.id"},
		"a refusal":     {400, `{"code":"c","message":"m","status":400}`, "get.extreme"},
		"no animal":     {200, `null`, "pet.object"},
		"one of no id":  {200, `{"name":"x","categoryId":1}`, "pet.id"},
		"a wrong error": {404, `{"code":"c","message":"m","status":400}`, "error.status.same"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.Answering(test.status, test.body)
			service.Change = func(_ *http.Request, a *rehearse.Reply) {
				a.Header.Set("Deprecation", "@1")
				a.Header.Set("Sunset", "x")
			}
			st := rehearse.New(t, "get.extreme", service)
			st.Do("getPet is called with petId 7", step)
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

// ── What is open ──

func TestOpenAnswersAreRecordedAndAdvisedOn(t *testing.T) {
	for name, test := range map[string]struct {
		rule, call string
		status     int
		body       string
		observed   string
		breaks     string
	}{
		"a limit refused":              {"list.limit.outside", "listPets is called with limit 0", 400, `{"code":"limit","message":"m","status":400}`, `status 400, code "limit"`, ""},
		"a limit accepted":             {"list.limit.outside", "listPets is called with limit 0", 200, `[]`, "status 200, 0 animals", ""},
		"a limit that breaks it":       {"list.limit.outside", "listPets is called with limit 0", 500, `{"code":"c","message":"m","status":500}`, `status 500, code "c"`, "list.robust"},
		"an id refused":                {"get.petId.type", "getPet is called with petId abc", 400, `{"code":"c","message":"m","status":400}`, `status 400, code "c"`, ""},
		"an id that finds nothing":     {"get.petId.type", "getPet is called with petId abc", 404, `{"code":"c","message":"m","status":404}`, `status 404, code "c"`, ""},
		"an id that finds an animal":   {"get.petId.type", "getPet is called with petId 1x", 200, exchangetest.Animal(1, "a", "1", ""), "status 200", "get.petId.refused get.deprecation get.sunset"},
		"an id that breaks it":         {"get.petId.type", "getPet is called with petId abc", 500, `{"code":"c","message":"m","status":500}`, `status 500, code "c"`, "get.petId.refused"},
		"a creation that breaks it":    {"create.field.unknown", "createPet is called", 503, `{"code":"c","message":"m","status":503}`, `status 503, code "c"`, "create.robust"},
		"what must be there even so":   {"list.limit.outside", "listPets is called with limit 0", 400, `no`, "status 400", "error.body"},
		"at most a hundred even so":    {"list.limit.outside", "listPets is called with limit 0", 200, exchangetest.List(101, ""), "status 200, 101 animals", "list.maximum"},
		"an error may be any error":    {"list.limit.outside", "listPets is called with limit 0", 418, `{"code":"c","message":"m","status":418}`, `status 418, code "c"`, ""},
		"a redirect may be a response": {"list.limit.outside", "listPets is called with limit 0", 302, `{}`, "status 302", ""},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, rehearse.Answering(test.status, test.body))
			st.Do(test.call, "the response is the service's own choice")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged(test.rule)
			if len(st.Scenario.Observations()) != 1 || st.Scenario.Observations()[0].Answer != test.observed || st.Scenario.Observations()[0].Rule != test.rule {
				t.Errorf("observed %+v, want %q", st.Scenario.Observations(), test.observed)
			}
		})
	}
}

// A gateway's page where the status is left open is one defect, although both the must rule about bodies and the
// advice about statuses report it.
func TestAdviceFollowsABrokenBody(t *testing.T) {
	st := rehearse.New(t, "list.limit.outside", rehearse.Answering(502, "<html>"))
	st.Do("listPets is called with limit 0", "the response is the service's own choice")
	st.Finds("error.body", "list.robust")
	for _, f := range st.Scenario.Findings() {
		if f.Rule == "list.robust" && f.After != "error.body" {
			t.Errorf("list.robust follows %q", f.After)
		}
	}
}

// Advice must not fail a run.
func TestAdviceIsNeverAMust(t *testing.T) {
	catalogue := rehearse.Must(t, rehearse.Catalogue)
	for _, id := range []string{"list.robust", "create.robust", "get.petId.refused", "other.robust", "get.deprecation", "get.sunset", "auth.challenge"} {
		if r, ok := catalogue.Rule(id); !ok || r.Level != spec.Should {
			t.Errorf("%s has the level %q", id, r.Level)
		}
	}
}
