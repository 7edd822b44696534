package steps

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/steps/exchangetest"
)

// answering is a service that gives one response, whatever it is asked.
func answering(status int, body string) *shop {
	s := newShop()
	s.instead = func(*http.Request, []byte) *reply { return &reply{status: status, body: body} }
	return s
}

// Which rule a wrong status breaks: the scenario's own where it is about statuses, else the catalogue's for the response.
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
			st := rehearse(t, test.rule, answering(409, problem))
			st.do(test.call, test.want)
			st.finds(test.breaks)
			st.judged(test.breaks, "answer.status")
			f := st.s.findings[0]
			if f.Actual != "status 409" || f.Expected != "status "+strings.TrimPrefix(strings.TrimPrefix(test.want, "each response is "), "the response is ") {
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
		st := rehearse(t, "get.unknown", answering(test.status, `{"code":"c","message":"m","status":`+strconv.Itoa(test.status)+`}`))
		st.do("getPet is called", test.want)
		st.finds()
		st.judged("get.unknown", "answer.status")
		if expect := st.s.exchanges[0].Expect; !slices.Contains(expect.Statuses, test.status) || expect.Rule != "get.unknown" {
			t.Errorf("the exchange does not say what was expected: %+v", expect)
		}
	}
}

// The right key refused is a matter of its own, whatever was asked.
func TestTheRightKeyRefused(t *testing.T) {
	service := newShop()
	service.key = "another"
	st := rehearse(t, "create.status.accepted", service)
	st.do("createPet is called", "the response is 201")
	st.finds("auth.accepted")
	st.judged("auth.accepted")
	st.next(st.s.run, "auth.missing")
	st.do("the credential is missing", "createPet is called", "the response is 401")
	st.finds()
}

func TestNoAnswerIsNoStatus(t *testing.T) {
	st := rehearse(t, "answer.status", newShop())
	if err := st.play("each response is 200"); err != nil {
		t.Error(err)
	}
	st.unjudged("answer.status")
}

// ── What was sent comes back ──

func TestEcho(t *testing.T) {
	for name, test := range map[string]struct {
		given  string
		change row // of the animal in the response
		breaks string
	}{
		"as it was":                        {`a plain body where status is "sold"`, nil, ""},
		"another name":                     {"", row{"name": "Rex"}, "create.echo.name"},
		"a name cut":                       {`a plain body where name is "{unique} x"`, row{"name": "hallmark-test01-1"}, "create.echo.name"},
		"another category":                 {"", row{"categoryId": json.Number("2")}, "create.echo.categoryId"},
		"one digit lost":                   {"a plain body where categoryId is 9007199254740993", row{"categoryId": json.Number("9007199254740992")}, "create.echo.categoryId"},
		"a great one, exact":               {"a plain body where categoryId is 9223372036854775807", nil, ""},
		"the same in another notation":     {"", row{"categoryId": json.Number("1.0")}, ""},
		"the same with an exponent":        {"a plain body where categoryId is 100", row{"categoryId": json.Number("1E2")}, ""},
		"sent in another notation":         {"a plain body where categoryId is 100", row{"categoryId": json.Number("100.00")}, ""},
		"another status":                   {`a plain body where status is "sold"`, row{"status": "pending"}, "create.echo.status"},
		"the status lost":                  {`a plain body where status is "sold"`, row{"status": nil}, "create.echo.status"},
		"a status that was not sent":       {"", row{"status": "available"}, ""},
		"the name lost is the schema's":    {"", row{"name": nil}, "pet.name"},
		"a name of another type is too":    {`a plain body where name is "1"`, row{"name": json.Number("1")}, "pet.name"},
		"so is a category of another type": {"", row{"categoryId": "1"}, "pet.categoryId"},
		"and a status that is none":        {`a plain body where status is "sold"`, row{"status": "SOLD"}, "pet.status create.echo.status"},
		"further fields":                   {"", row{"colour": "red"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			service.change = func(_ *http.Request, a *reply) {
				if fields, ok := a.body.(row); ok && a.status == 201 {
					a.body = altered(fields, test.change)
				}
			}
			st := rehearse(t, "create.accepted", service)
			if test.given != "" {
				st.do(test.given)
			}
			st.do("createPet is called", "the response is 201", "what was sent comes back")
			st.finds(rules(test.breaks)...)
			for _, field := range []string{"name", "categoryId"} {
				if strings.Contains(test.breaks, "pet."+field) {
					st.unjudged("create.echo." + field) // what is no name at all cannot be compared
				} else {
					st.judged("create.echo." + field)
				}
			}
		})
	}
}

func TestEchoOfOneProperty(t *testing.T) {
	service := newShop()
	service.change = func(_ *http.Request, a *reply) { a.body = altered(a.body.(row), row{"name": "Rex", "status": "sold"}) }
	for property, breaks := range map[string]string{"name": "create.echo.name", "status": "create.echo.status", "categoryId": ""} {
		st := rehearse(t, "create.accepted", service)
		st.do(`a plain body where status is "pending"`, "createPet is called", "its "+property+" is what was sent")
		st.finds(rules(breaks)...)
	}
}

func TestEchoIsJudgedOfWhatWasSentOnly(t *testing.T) {
	st := rehearse(t, "create.accepted", newShop())
	st.do("a plain body without status", "createPet is called", "what was sent comes back")
	st.unjudged("create.echo.status")
	st.judged("create.echo.name")
	st.next(st.s.run, "list.accepted")
	st.do("listPets is called")
	if err := st.play("what was sent comes back"); err == nil {
		t.Error("a list is taken for what comes back")
	}
}

func TestEchoOfWhatWasRefused(t *testing.T) {
	const long = "a plain body where name is 300 characters long"
	st := rehearse(t, "create.name.unusual", answering(400, `{"code":"too_long","message":"m","status":400}`))
	st.do(long, "createPet is called", "the response is 201 or 400", "what was sent comes back, if it was accepted")
	st.finds()
	if len(st.s.observations) != 1 || st.s.observations[0].Rule != "create.value.refused" ||
		!strings.Contains(st.s.observations[0].Answer, "too_long") {
		t.Errorf("observed: %+v", st.s.observations)
	}
	other := rehearse(t, "create.name.unusual", answering(422, `{"code":"c","message":"m","status":422}`))
	other.do(long, "createPet is called", "what was sent comes back, if it was accepted")
	if len(other.s.observations) != 0 {
		t.Errorf("a 422 is noted as a lawful refusal: %+v", other.s.observations)
	}
}

func TestEchoOfAnAnswerThatIsNoObject(t *testing.T) {
	for _, body := range []string{`null`, `[]`, `true`, `"x"`, ``, `{`} {
		st := rehearse(t, "create.accepted", answering(201, body))
		st.do("createPet is called", "what was sent comes back")
		for _, rule := range st.broken() {
			if strings.HasPrefix(rule, "create.echo") {
				t.Errorf("%q: what comes back is judged: %s", body, rule)
			}
		}
		if len(st.broken()) == 0 {
			t.Errorf("%q: nothing is wrong with it", body)
		}
	}
}

// ── What a link leads to is what its start held ──

func TestHeld(t *testing.T) {
	for name, test := range map[string]struct {
		start  string
		rule   string
		change row // of the animal that is read
		breaks string
	}{
		"of a creation, the same":               {"createPet has answered 201", "get.created", nil, ""},
		"of a creation, another name":           {"createPet has answered 201", "get.created", row{"name": "x"}, "get.created pet.identity"},
		"of a creation, a status":               {"createPet has answered 201", "get.created", row{"status": "sold"}, "get.created"},
		"of a creation, category":               {"createPet has answered 201", "get.created", row{"categoryId": json.Number("9")}, "get.created pet.identity"},
		"of a creation, another form":           {"createPet has answered 201", "get.created", row{"categoryId": json.Number("1.0")}, ""},
		"of a creation, no name":                {"createPet has answered 201", "get.created", row{"name": nil}, "pet.name"},
		"of a list, the same":                   {"listPets has answered 200", "get.listed", nil, ""},
		"of a list, another name":               {"listPets has answered 200", "get.listed", row{"name": "x"}, "get.listed pet.identity"},
		"of a list, others may change a status": {"listPets has answered 200", "get.listed", row{"status": "available"}, ""},
		"of a list, or take one away":           {"listPets has answered 200", "get.listed", row{"status": nil}, ""},
		"further fields may differ":             {"createPet has answered 201", "get.created", row{"seen": json.Number("3")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop().stock(2, "sold", "pending")
			service.change = func(r *http.Request, a *reply) {
				if fields, ok := a.body.(row); ok && r.Method == http.MethodGet {
					a.body = altered(fields, test.change)
				}
			}
			st := rehearse(t, test.rule, service)
			st.do(test.start, "getPet is called with the petId of that response", "the response is 200", "it is what that response held")
			st.finds(rules(test.breaks)...)
			st.judged(test.rule)
		})
	}
}

func TestHeldByAnAnswerThatNeverCame(t *testing.T) {
	service := newShop().stock(1)
	service.instead = func(r *http.Request, _ []byte) *reply {
		if r.URL.Path != "/v1/pets" {
			return errorReply(404)
		}
		return nil
	}
	st := rehearse(t, "get.listed", service)
	st.do("listPets has answered 200", "getPet is called with the petId of that response", "it is what that response held")
	st.finds() // the status is judged by a step of its own
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
			service := answering(test.status, test.body)
			service.change = func(_ *http.Request, a *reply) { a.header.Set("Deprecation", "@1"); a.header.Set("Sunset", "x") }
			st := rehearse(t, "get.extreme", service)
			st.do("getPet is called with petId 7", step)
			st.finds(rules(test.breaks)...)
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
			st := rehearse(t, test.rule, answering(test.status, test.body))
			st.do(test.call, "the response is the service's own choice")
			st.finds(rules(test.breaks)...)
			st.judged(test.rule)
			if len(st.s.observations) != 1 || st.s.observations[0].Answer != test.observed || st.s.observations[0].Rule != test.rule {
				t.Errorf("observed %+v, want %q", st.s.observations, test.observed)
			}
		})
	}
}

// Nothing that is only advised may fail a run.
func TestAdviceIsNeverAMust(t *testing.T) {
	catalogue := must(t, defaultCatalogue)
	for _, id := range []string{"list.robust", "create.robust", "get.petId.refused", "other.robust", "get.deprecation", "get.sunset", "auth.challenge"} {
		if r, ok := catalogue.Rule(id); !ok || r.Level != spec.Should {
			t.Errorf("%s has the level %q", id, r.Level)
		}
	}
}
