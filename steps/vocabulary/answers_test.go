package vocabulary_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// A wrong status breaks the rule of the scenario.
func TestStatusesAreJudgedByTheirRule(t *testing.T) {
	const problem = `{"code":"c","message":"m","status":409}`
	for name, test := range map[string]struct{ rule, call, want string }{
		"one status":                {"create.status.accepted", "createPet is called", "the response is 201"},
		"a refusal":                 {"create.categoryId.int64", "createPet is called", "the response is 400"},
		"another operation's":       {"create.echo.name", "listPets is called", "the response is 200"},
		"two statuses":              {"create.name.unusual", "createPet is called", "the response is 201 or 400"},
		"one that is undocumented":  {"pet.name", "createPet is called", "the response is 418"},
		"each of several responses": {"get.unknown", "getPet is called 3 times with petId 7", "each response is 404"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, rehearse.Answering(409, problem))
			st.Do(test.call, test.want)
			st.Finds(test.rule)
			st.Judged(test.rule)
			if n := strings.Count(test.call, "3 times")*2 + 1; len(st.Scenario.Findings()) != n {
				t.Errorf("%d findings, want %d", len(st.Scenario.Findings()), n)
			}
			f := st.Scenario.Findings()[0]
			if f.Actual.String() != "status 409" || f.Expected.String() != "status "+strings.TrimPrefix(strings.TrimPrefix(test.want, "each response is "), "the response is ") || f.After != "" {
				t.Errorf("%+v", f)
			}
		})
	}
}

// A status that the contract never promises breaks the rule of its operation. That of the scenario follows, unless it is a part of it.
func TestStatusesThatNoRequestMayGet(t *testing.T) {
	for name, test := range map[string]struct {
		rule, given string
		status      int
		broken      []string
		after       string
	}{
		"a server error":               {"create.echo.name", "", 500, []string{"create.accepted", "create.echo.name"}, "create.accepted"},
		"a success nobody documents":   {"create.echo.name", "", 200, []string{"create.accepted", "create.echo.name"}, "create.accepted"},
		"a server error to odd bodies": {"create.echo.name", `a plain body with "colour": 1`, 500, []string{"create.echo.name"}, ""},
		"the rule is a part of it":     {"create.status.accepted", "", 500, []string{"create.accepted", "create.status.accepted"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, rehearse.Answering(test.status, `{"code":"c","message":"m","status":500}`))
			if test.given != "" {
				st.Do(test.given)
			}
			st.Do("createPet is called", "the response is 201")
			st.Finds(test.broken...)
			for _, f := range st.Scenario.Findings() {
				if f.Rule == test.rule && f.After != test.after {
					t.Errorf("%s follows %q, want %q", f.Rule, f.After, test.after)
				}
			}
		})
	}
}

// An operation that fails once and not again is broken, not what the scenario is about.
func TestAServerErrorThatDoesNotRecur(t *testing.T) {
	for name, test := range map[string]struct {
		fails  int
		broken []string
	}{"once": {1, []string{"answer.status"}}, "each time": {100, []string{"list.status.accepted"}}} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Instead = func(*http.Request, []byte) *rehearse.Reply {
				if len(service.Asked) <= test.fails {
					return rehearse.ErrorReply(500)
				}
				return nil
			}
			st := rehearse.New(t, "list.status.accepted", service)
			st.Do("listPets is called with status sold", "the response is 200")
			st.Finds(test.broken...)
		})
	}
}

func TestStatusesThatKeepTheContract(t *testing.T) {
	for _, test := range []struct {
		status int
		want   string
	}{{404, "the response is 404"}, {404, "the response is 400 or 404"}, {400, "the response is 400 or 404"}} {
		st := rehearse.New(t, "get.unknown", rehearse.Answering(test.status, `{"code":"c","message":"m","status":`+strconv.Itoa(test.status)+`}`))
		st.Do("getPet is called with petId 7", test.want)
		st.Finds()
		st.Judged("get.unknown")
		if expect := st.Scenario.Exchanges()[0].Expect; !slices.Contains(expect.Statuses, test.status) || expect.Rule != "get.unknown" {
			t.Errorf("the exchange does not say what was expected: %+v", expect)
		}
	}
}

// Refusing the right key explains every other status.
func TestTheRightKeyRefused(t *testing.T) {
	service := rehearse.NewShop()
	service.Key = "another"
	st := rehearse.New(t, "create.status.accepted", service)
	st.Do("createPet is called", "the response is 201")
	st.Finds("create.status.accepted")
	if f := st.Scenario.Findings()[0]; f.After != "auth.accepted" {
		t.Errorf("%s follows %q", f.Rule, f.After)
	}
	st.Next(st.Scenario.Run, "auth.missing")
	st.Do("the credential is missing", "createPet is called", "the response is 401")
	st.Finds()
	st.Next(st.Scenario.Run, "auth.accepted")
	st.Do("createPet is called", "the response is 201")
	st.Finds("auth.accepted")
	if f := st.Scenario.Findings()[0]; f.After != "" {
		t.Errorf("%s follows %q", f.Rule, f.After)
	}
}

// What was created and never read explains a 404; once it was read, it was lost.
func TestACreationThatIsNotFound(t *testing.T) {
	for name, readFirst := range map[string]bool{"never read": false, "read once": true} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "get.stable", service)
			st.Do(`a created "pet"`)
			after := "get.created"
			if readFirst {
				st.Do("it is read at once")
				after = ""
			}
			service.Pets = nil
			st.Do("it is read at once", "the response is 200")
			if f := st.Scenario.Findings(); len(f) != 1 || f[0].Rule != "get.stable" || f[0].After != after {
				t.Errorf("%+v", f)
			}
		})
	}
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
		"another name":                     {"", rehearse.Row{"name": "Rex"}, "create.accepted"},
		"a name cut":                       {`a plain body where name is "{unique} x"`, rehearse.Row{"name": "hallmark-test01-1"}, "create.accepted"},
		"a character replaced":             {`a plain body where name is "a\ufffd"`, nil, ""},
		"a character dropped":              {`a plain body where name is "a\ufffd"`, rehearse.Row{"name": "a"}, "create.accepted"},
		"another category":                 {"", rehearse.Row{"categoryId": json.Number("2")}, "create.accepted"},
		"one digit lost":                   {"a plain body where categoryId is 9007199254740993", rehearse.Row{"categoryId": json.Number("9007199254740992")}, "create.accepted"},
		"a great one, exact":               {"a plain body where categoryId is 9223372036854775807", nil, ""},
		"the same in another notation":     {"", rehearse.Row{"categoryId": json.Number("1.0")}, ""},
		"the same with an exponent":        {"a plain body where categoryId is 100", rehearse.Row{"categoryId": json.Number("1E2")}, ""},
		"sent in another notation":         {"a plain body where categoryId is 100", rehearse.Row{"categoryId": json.Number("100.00")}, ""},
		"another status":                   {`a plain body where status is "sold"`, rehearse.Row{"status": "pending"}, "create.accepted"},
		"the status lost":                  {`a plain body where status is "sold"`, rehearse.Row{"status": nil}, "create.accepted"},
		"a status that was not sent":       {"", rehearse.Row{"status": "available"}, ""},
		"the name lost is the schema's":    {"", rehearse.Row{"name": nil}, "create.accepted pet.name"},
		"a name of another type is too":    {`a plain body where name is "1"`, rehearse.Row{"name": json.Number("1")}, "create.accepted pet.name"},
		"so is a category of another type": {"", rehearse.Row{"categoryId": "1"}, "create.accepted pet.categoryId"},
		"and a status that is none":        {`a plain body where status is "sold"`, rehearse.Row{"status": "SOLD"}, "create.accepted pet.status"},
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
			st.Do("createPet is called", "what was sent comes back")
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("create.accepted")
		})
	}
}

func TestEchoOfOneProperty(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) {
		a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"name": "Rex", "status": "sold"})
	}
	for property, breaks := range map[string]string{"name": "create.echo.name", "status": "create.echo.status", "categoryId": ""} {
		for _, step := range []string{"its " + property + " is what was sent", "in the response, " + property + " is what was sent"} {
			st := rehearse.New(t, "create.echo."+property, service)
			st.Do(`a plain body where status is "pending"`, "createPet is called", step)
			st.Finds(rehearse.Rules(breaks)...)
			st.Judged("create.echo." + property)
		}
	}
}

// What is read is compared with what its creation sent.
func TestEchoOfWhatIsRead(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "get.created", service)
	st.Do(`a created "pet" with {"status": "sold"}`)
	service.Change = func(_ *http.Request, a *rehearse.Reply) {
		a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"status": "pending"})
	}
	st.Do("it is read", "its name is what was sent", "its categoryId is what was sent")
	st.Finds()
	st.Do("its status is what was sent")
	st.Finds("get.created")
}

func TestEchoIsJudgedOfWhatWasSentOnly(t *testing.T) {
	st := rehearse.New(t, "create.echo.status", rehearse.NewShop())
	st.Do("a plain body without status", "createPet is called", "what was sent comes back")
	st.Finds()
	for _, step := range []string{"its status is what was sent", "in the response, status is what was sent"} {
		if err := st.Play(step); err == nil || !strings.Contains(err.Error(), "no status was sent") {
			t.Errorf("%s: %v", step, err)
		}
	}
	st.Next(st.Scenario.Run, "list.accepted")
	st.Do("listPets is called")
	if err := st.Play("what was sent comes back"); err == nil {
		t.Error("a list is taken for what comes back")
	}
}

func TestEchoOfWhatWasRefused(t *testing.T) {
	st := rehearse.New(t, "create.echo.name", rehearse.Answering(400, `{"code":"too_long","message":"m","status":400}`))
	st.Do("a plain body where name is 300 characters long", "createPet is called", "what was sent comes back, if it was accepted", "its name is what was sent, if it was accepted")
	st.Finds()
	st.Unjudged("create.echo.name")
	st.Do("its name is what was sent")
	st.Finds("create.echo.name")
}

func TestEchoOfAnAnswerThatIsNoObject(t *testing.T) {
	for _, body := range []string{`null`, `[]`, `true`, `"x"`, ``, `{`} {
		st := rehearse.New(t, "create.accepted", rehearse.Answering(201, body))
		st.Do("createPet is called", "what was sent comes back")
		if len(st.Broken()) == 0 {
			t.Errorf("%q: nothing is wrong with it", body)
		}
	}
}

// JSON readers replace, drop, keep or refuse text that is not Unicode. It may come back in any form; the rest of the body may not.
func TestTextThatIsNotUnicodeMayComeBackInAnyForm(t *testing.T) {
	for name, test := range map[string]struct{ name, category, breaks string }{
		"replaced":         {`a\ufffd`, "1", ""},
		"kept":             {`a\ud83d`, "1", ""},
		"dropped":          {"a", "1", ""},
		"another category": {"a", "2", "create.accepted"},
	} {
		for _, way := range []string{"half of a surrogate pair", "a byte that is not UTF-8"} {
			t.Run(name+", "+way, func(t *testing.T) {
				service := rehearse.NewShop()
				st := rehearse.New(t, "create.accepted", service)
				st.Do("a plain request to createPet that succeeds")
				service.Instead = func(*http.Request, []byte) *rehearse.Reply {
					return &rehearse.Reply{Status: 201, Body: `{"id": 7, "categoryId": ` + test.category + `, "name": "` + test.name + `"}`}
				}
				st.Do("the text /name in its body ends in "+way, "it is sent", "what was sent comes back")
				st.Stops("its name is what was sent", "may come back in any form")
				st.Stops("in the response, name is what was sent", "may come back in any form")
				st.Finds(rehearse.Rules(test.breaks)...)
			})
		}
	}
}

// ── What is read is what its creation showed ──

func TestAsCreated(t *testing.T) {
	for name, test := range map[string]struct {
		change rehearse.Row // of the animal that is read
		breaks string
		inList bool // whether the list breaks the same rules
	}{
		"the same":                  {nil, "", true},
		"another name":              {rehearse.Row{"name": "x"}, "get.created", true},
		"a name lost":               {rehearse.Row{"name": nil}, "get.created pet.name", false},
		"another status":            {rehearse.Row{"status": "pending"}, "get.created", true},
		"the status lost":           {rehearse.Row{"status": nil}, "get.created", false},
		"another category":          {rehearse.Row{"categoryId": json.Number("9")}, "get.created", true},
		"another form":              {rehearse.Row{"categoryId": json.Number("1.0")}, "", true},
		"another one":               {rehearse.Row{"id": json.Number("9")}, "get.id", false},
		"further fields may differ": {rehearse.Row{"seen": json.Number("3")}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(2, "pending")
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				switch body := a.Body.(type) {
				case rehearse.Row:
					if r.Method == http.MethodGet {
						a.Body = rehearse.Altered(body, test.change)
					}
				case []rehearse.Row:
					a.Body = append([]rehearse.Row{rehearse.Altered(body[0], test.change)}, body[1:]...)
				}
			}
			for _, step := range []string{"it is read at once", "it is read", "listPets is called with limit 100"} {
				st := rehearse.New(t, "get.created", service)
				st.Do(`a created "pet" with {"status": "sold"}`, step)
				if strings.HasPrefix(step, "listPets") && !test.inList {
					continue
				}
				st.Do("it is shown as its creation showed it")
				st.Finds(rehearse.Rules(test.breaks)...)
			}
		})
	}
}

// What is not found is not compared: its status is judged by a step of its own.
func TestAsCreatedIsNotFound(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "get.created", service)
	st.Do(`a created "pet"`)
	service.Pets = nil
	st.Do("it is read at once", "it is shown as its creation showed it", "it shows no member that its creation did not show")
	st.Finds()
	st.Do("listPets is called with limit 100")
	st.Stops("it is shown as its creation showed it", "does not show it")
}

func TestNothingElseThanCreated(t *testing.T) {
	for name, test := range map[string]struct {
		change rehearse.Row
		breaks string
	}{
		"the same":          {nil, ""},
		"a status":          {rehearse.Row{"status": "available"}, "get.created"},
		"a field of no one": {rehearse.Row{"seen": json.Number("3")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				if fields, ok := a.Body.(rehearse.Row); ok && r.Method == http.MethodGet {
					a.Body = rehearse.Altered(fields, test.change)
				}
			}
			st := rehearse.New(t, "get.created", service)
			st.Do("a plain body without status", "createPet is called", "it is read at once", "it shows no member that its creation did not show")
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

// ── What was created is still there ──

// What was created is lost if it is not found any more, or no longer as it was sent. That nothing was ever found of it is another rule's.
func TestEverythingThatWasCreated(t *testing.T) {
	const step = `everything that "createPet" created can still be read with the same name and categoryId`
	for name, test := range map[string]struct {
		change func(*rehearse.Shop)
		breaks string
		kind   spec.FindingKind
	}{
		"all of it":        {func(*rehearse.Shop) {}, "", ""},
		"none":             {func(s *rehearse.Shop) { s.Pets = nil }, "get.kept", spec.KindLost},
		"one is not there": {func(s *rehearse.Shop) { s.Pets = s.Pets[:1] }, "get.kept", spec.KindLost},
		"another name":     {func(s *rehearse.Shop) { s.Pets[1]["name"] = "x" }, "get.kept", spec.KindDiffers},
		"another status":   {func(s *rehearse.Shop) { s.Pets[1]["status"] = "pending" }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "get.created", service)
			st.Do(`2 created "pets" with {"status": "sold"}`)
			test.change(service)
			st.Next(st.Scenario.Run, "get.kept")
			st.Do(step)
			st.Finds(rehearse.Rules(test.breaks)...)
			st.Judged("get.kept")
			if f := st.Scenario.Findings(); len(f) > 0 && f[0].Kind != test.kind {
				t.Errorf("%+v", f)
			}
		})
	}
	none := rehearse.New(t, "get.kept", rehearse.NewShop())
	none.Stops(step, "createPet has created nothing that is still there")
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
		"a limit accepted":             {"list.limit.outside", "listPets is called with limit 0", 200, `[]`, "status 200, 0 resources", ""},
		"a limit that breaks it":       {"list.limit.outside", "listPets is called with limit 0", 500, `{"code":"c","message":"m","status":500}`, `status 500, code "c"`, ""},
		"an id refused":                {"get.petId.type", "getPet is called with petId abc", 400, `{"code":"c","message":"m","status":400}`, `status 400, code "c"`, ""},
		"an id that finds nothing":     {"get.petId.type", "getPet is called with petId abc", 404, `{"code":"c","message":"m","status":404}`, `status 404, code "c"`, ""},
		"an id that finds an animal":   {"get.petId.type", "getPet is called with petId 1x", 200, exchangetest.Animal(1, "a", "1", ""), "status 200", "get.deprecation get.sunset"},
		"an id that breaks it":         {"get.petId.type", "getPet is called with petId abc", 500, `{"code":"c","message":"m","status":500}`, `status 500, code "c"`, ""},
		"a creation that breaks it":    {"create.value.refused", "createPet is called", 503, `{"code":"c","message":"m","status":503}`, `status 503, code "c"`, "create.accepted"},
		"what must be there even so":   {"create.value.refused", "createPet is called", 400, `no`, "status 400", "error.body"},
		"at most a hundred even so":    {"list.limit.outside", "listPets is called with limit 0", 200, exchangetest.List(101, ""), "status 200, 101 resources", "list.maximum"},
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

// Advice must not fail a run.
func TestAdviceIsNeverAMust(t *testing.T) {
	catalogue := rehearse.Must(t, rehearse.Catalogue)
	for _, id := range []string{"list.robust", "create.robust", "get.petId.refused", "other.robust", "get.deprecation", "get.sunset", "auth.challenge"} {
		if r, ok := catalogue.Rule(id); !ok || r.Level != spec.Should {
			t.Errorf("%s has the level %q", id, r.Level)
		}
	}
}

// A server error beyond the interface breaks the first rule of the scenario that can be broken.
func TestWhatIsAnsweredBeyondTheInterface(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		rules  []string
		breaks string
	}{
		"an error":                       {404, []string{"other.orders", "other.robust"}, ""},
		"a server error":                 {500, []string{"other.orders", "other.robust"}, "other.robust"},
		"a server error, all are open":   {500, []string{"other.orders"}, ""},
		"a server error, the rule leads": {500, []string{"other.robust"}, "other.robust"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rules[0], rehearse.Answering(test.status, "{}"))
			st.Scenario.Pickle.Rules = test.rules
			st.Do("GET /store/orders is sent", "what is answered beyond the interface is recorded")
			st.Finds(rehearse.Rules(test.breaks)...)
			if o := st.Scenario.Observations(); len(o) != 1 || o[0].Rule != test.rules[0] || o[0].Answer != "status "+strconv.Itoa(test.status) {
				t.Errorf("observed: %+v", o)
			}
		})
	}
}

// What hallmark cannot read is not held against a service.
func TestBodiesBeyondMeasure(t *testing.T) {
	for name, body := range map[string]string{
		"deeper than is read": "[" + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "]",
		"longer than is kept": "[" + strings.Repeat("0,", 200_000) + "0]",
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "list.empty", rehearse.Answering(200, body))
			st.Do("listPets is called")
			st.Stops("the response is a list", "GET /pets → 200")
			st.Finds()
		})
	}
}
