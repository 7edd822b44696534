package vocabulary_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hallmark/spec/credential"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
	"hallmark/tests/rehearse"
)

// admits makes the service accept requests by a decision, in addition to those with the right key.
func admits(s *rehearse.Shop, decide func(r *http.Request, token string) bool) *rehearse.Shop {
	s.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if token != s.Key && decide(r, token) {
			r.Header.Set("Authorization", "Bearer "+s.Key)
		}
		return nil
	}
	return s
}

func TestBadAndRightCredentialsInTurn(t *testing.T) {
	service := rehearse.NewShop().Stock(3)
	st := rehearse.New(t, "auth.steady", service)
	st.Do("createPet is called", "160 requests are made, each second one with a bad credential",
		"each bad one was answered 401 and each right one was let in")
	st.Finds()
	st.Judged("auth.steady")
	right, kinds := 0, map[string]int{}
	for i, a := range st.Scenario.Answers() {
		if a.Credential.Words == "right" {
			right++
		} else {
			kinds[a.Exchange.Operation+" "+a.Credential.Words]++
		}
		if (a.Credential.Words == "right") != (i%2 == 1) {
			t.Errorf("request %d carries a credential that is %s", i, a.Credential.Words)
		}
	}
	if right != 80 || len(kinds) != 2*len(credential.RepeatedTokens()) {
		t.Errorf("%d right ones, %d kinds of bad ones: %v", right, len(kinds), kinds)
	}
	for kind, n := range kinds {
		if n < 2 {
			t.Errorf("%s was tried %d times: whether it is let in always or now and then cannot be told", kind, n)
		}
	}
	if n := len(service.Requests("POST")); n != 1 {
		t.Errorf("%d creations", n)
	}
}

func TestWhyABadCredentialIsLetIn(t *testing.T) {
	const hammered = "160 requests are made, each second one with a bad credential"
	const creations = "60 creations are tried with bad credentials"
	n := 0
	for name, test := range map[string]struct {
		step   string
		decide func(r *http.Request, token string) bool
		breaks string
	}{
		"never": {hammered, func(*http.Request, string) bool { return false }, ""},
		"a prefix, always": {hammered, func(_ *http.Request, token string) bool {
			return token != "" && rehearse.Key[:min(len(token), len(rehearse.Key))] == token
		}, "auth.prefix"},
		"a prefix, for one reading": {hammered, func(r *http.Request, token string) bool {
			return r.URL.Path == "/v1/pets" && token == rehearse.Key[:len(rehearse.Key)-1]
		}, "auth.prefix"},
		"anything appended": {hammered, func(_ *http.Request, token string) bool { return strings.HasPrefix(token, rehearse.Key) }, "auth.appended"},
		"in any case":       {hammered, func(_ *http.Request, token string) bool { return strings.EqualFold(token, rehearse.Key) }, "auth.case"},
		"no header at all":  {hammered, func(r *http.Request, _ string) bool { return len(r.Header["Authorization"]) == 0 }, "auth.missing"},
		"an empty token": {hammered, func(r *http.Request, _ string) bool {
			return strings.TrimSpace(r.Header.Get("Authorization")) == "Bearer"
		}, "auth.empty"},
		"another scheme":           {hammered, func(_ *http.Request, token string) bool { return strings.HasPrefix(token, "Basic ") }, "auth.scheme"},
		"each tenth":               {hammered, func(*http.Request, string) bool { n++; return n%10 == 0 }, "auth.steady"},
		"only once":                {hammered, func(*http.Request, string) bool { n++; return n == 30 }, "auth.steady"},
		"a creation with a prefix": {creations, func(_ *http.Request, token string) bool { return token == rehearse.Key[:len(rehearse.Key)/2] }, "auth.prefix"},
		"creations now and then":   {creations, func(*http.Request, string) bool { n++; return n%17 == 0 }, "auth.steady"},
	} {
		t.Run(name, func(t *testing.T) {
			n = 0
			st := rehearse.New(t, "auth.steady", admits(rehearse.NewShop(), test.decide))
			st.Do("createPet is called")
			st.Do(test.step, "each bad one was answered 401 and each right one was let in")
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

// With few requests each kind is tried once; then it is tried again before it counts as a violation.
func TestAKindThatWasTriedOnceIsTriedAgain(t *testing.T) {
	const step = "32 requests are made, each second one with a bad credential"
	n := 0
	for name, test := range map[string]struct {
		decide func(r *http.Request, token string) bool
		breaks string
	}{
		"always":       {func(_ *http.Request, token string) bool { return token == rehearse.Key[:len(rehearse.Key)-1] }, "auth.prefix"},
		"now and then": {func(*http.Request, string) bool { n++; return n == 9 }, "auth.steady"},
	} {
		t.Run(name, func(t *testing.T) {
			n = 0
			st := rehearse.New(t, "answer.status", admits(rehearse.NewShop(), test.decide))
			st.Do("createPet is called", step, "each bad one was answered 401 and each right one was let in")
			st.Finds(test.breaks)
		})
	}
}

// A server error does not show that the key is unchecked.
func TestAServerErrorNowAndThenIsNotTheKeys(t *testing.T) {
	for name, test := range map[string]struct {
		step string
		nth  int
	}{
		"in turn":   {"160 requests are made, each second one with a bad credential", 13},
		"once each": {"32 requests are made, each second one with a bad credential", 5},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
				if len(service.Asked)%test.nth == 4 && !strings.HasSuffix(r.Header.Get("Authorization"), rehearse.Key) {
					return rehearse.ErrorReply(500)
				}
				return nil
			}
			st := rehearse.New(t, "auth.steady", service)
			st.Do("createPet is called", test.step, "each bad one was answered 401 and each right one was let in")
			st.Finds("answer.status")
		})
	}
}

func TestTheRightOneRefusedNowAndThen(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(*http.Request, []byte) *rehearse.Reply {
		if len(service.Asked)%7 == 0 {
			a := rehearse.ErrorReply(401)
			a.Header.Set("WWW-Authenticate", "Bearer")
			return a
		}
		return nil
	}
	st := rehearse.New(t, "auth.steady", service)
	st.Do("createPet is called", "160 requests are made, each second one with a bad credential",
		"each bad one was answered 401 and each right one was let in")
	st.Finds("auth.accepted")
}

// A valid read may find nothing if the animal is not the run's own: others may have deleted it.
func TestReadingsOfOthersAnimalsMayFindNothing(t *testing.T) {
	for name, test := range map[string]struct {
		own    bool
		status int
		breaks string
	}{
		"others', gone":  {false, 404, ""},
		"one's own":      {true, 0, ""},
		"one's own gone": {true, 404, "get.found"},
		"others', odd":   {false, 400, "get.extreme"},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop().Stock(1)
			st := rehearse.New(t, "auth.steady", service, func(c *scenario.Options) { c.Target.ReadOnly = !test.own })
			if st.Do("listPets is called"); test.own {
				st.Do("createPet is called")
			}
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				if strings.HasPrefix(r.URL.Path, "/v1/pets/") && a.Status == 200 && test.status != 0 {
					*a = *rehearse.ErrorReply(test.status)
				}
			}
			st.Do("32 requests are made, each second one with a bad credential",
				"each bad one was answered 401 and each right one was let in")
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

// A bad credential in a request that is wrong in another way: which of the two rules is broken?
func TestWhatIsLookedAtFirst(t *testing.T) {
	n := 0
	for name, test := range map[string]struct {
		rule       string
		credential string
		decide     func(r *http.Request, token string) bool
		instead    func(r *http.Request, body []byte) *rehearse.Reply
		breaks     string
	}{
		"the credential": {"auth.first", "a random key", func(*http.Request, string) bool { return false }, nil, ""},
		"the body": {"auth.first", "a random key", nil, func(_ *http.Request, body []byte) *rehearse.Reply {
			if !strings.HasSuffix(string(body), "}") {
				return rehearse.ErrorReply(400)
			}
			return nil
		}, "auth.first"},
		"nothing, for this kind": {"auth.first", "the right key with its case swapped",
			func(_ *http.Request, token string) bool { return strings.EqualFold(token, rehearse.Key) }, nil, "auth.case"},
		"nothing, for any":  {"auth.first", "missing", func(*http.Request, string) bool { return true }, nil, "auth.missing"},
		"now and then none": {"auth.first", "a random key", func(*http.Request, string) bool { n++; return n == 1 }, nil, "auth.steady"},
		"beside a plain request, by its kind": {"auth.prefix", "the first half of the right key",
			func(_ *http.Request, token string) bool { return token == rehearse.Key[:len(rehearse.Key)/2] }, nil, "auth.prefix"},
		"beside a plain request, once": {"auth.prefix", "the first half of the right key",
			func(*http.Request, string) bool { n++; return n == 1 }, nil, "auth.steady"},
	} {
		t.Run(name, func(t *testing.T) {
			n = 0
			service := rehearse.NewShop()
			if test.decide != nil {
				admits(service, test.decide)
			} else {
				service.Instead = test.instead
			}
			st := rehearse.New(t, test.rule, service)
			st.Do("the credential is " + test.credential)
			if test.rule == "auth.first" {
				st.Do("a plain body cut short")
			}
			st.Do("createPet is called", "the response is 401")
			st.Finds(rehearse.Rules(test.breaks)...)
			for _, f := range st.Scenario.Findings() {
				if f.Expected.String() != "status 401" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// A wrong status does not mean that the credential was accepted; it is reported by its number.
func TestLetInAndAnsweredOtherwise(t *testing.T) {
	for status, cause := range map[int]string{200: "let in", 201: "let in", 400: "let in", 404: "let in", 403: "status 403", 500: "status 500", 302: "status 302"} {
		st := rehearse.New(t, "auth.missing", rehearse.Answering(status, `{"code":"c","message":"m","status":`+strconv.Itoa(status)+`}`))
		st.Do("the credential is missing", "createPet is called", "the response is 401")
		for _, f := range st.Scenario.Findings() {
			if f.Rule == "auth.missing" && !strings.HasSuffix(f.Cause, cause) {
				t.Errorf("%d: the cause is %q", status, f.Cause)
			}
		}
		if !slices.Contains(st.Broken(), "auth.missing") {
			t.Errorf("%d: broken are %q", status, st.Broken())
		}
	}
}

// Requests accepted by mistake are reported, and stored but refused requests are noticed.
func TestARefusedRequestThatIsStored(t *testing.T) {
	service := rehearse.NewShop().Stock(1)
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost && a.Status == 401 {
			service.Create(service.Asked[len(service.Asked)-1].Body)
		}
	}
	st := rehearse.New(t, "auth.no-trace", service)
	st.Do("the credential is missing", "createPet is called", "the response is 401", "the lists are looked through")
	st.Finds("auth.no-trace")
	st.Judged("auth.no-trace")
}

func TestKindRules(t *testing.T) {
	st := rehearse.New(t, "auth.steady", rehearse.NewShop())
	for _, op := range []string{"listPets", "createPet", "getPet"} {
		for words, want := range map[string]string{
			"missing": "auth.missing", "an empty bearer token": "auth.empty", "of another scheme": "auth.scheme",
			"the right key as the user of Basic": "auth.scheme", "a random key": "auth.invalid",
			"the first half of the right key": "auth.prefix", "the right key with a character added": "auth.appended",
			"the right key with its case swapped": "auth.case", "the right key backwards": "auth.altered",
			"nobody knows what": "auth.required",
		} {
			if got := vocabulary.CredentialRule(st.Scenario, op, words); got != want {
				t.Errorf("%s, %s: %s, want %s", op, words, got, want)
			}
		}
	}
	if got := vocabulary.CredentialRule(st.Scenario, "dropPet", "missing"); got != "auth.required" {
		t.Errorf("of an unknown operation: %s", got)
	}
}

// Resources stored by requests that should be refused count against the budget, and end such requests.
func TestBudgetCountsWhatShouldHaveBeenRefused(t *testing.T) {
	service := admits(rehearse.NewShop(), func(_ *http.Request, _ string) bool { return true })
	st := rehearse.New(t, "auth.steady", service, func(c *scenario.Options) { c.Target.MaxCreated = 5 })
	st.Stops("60 creations are tried with bad credentials", "no more than 5 animals")
	if n := len(service.Requests("POST")); n != 5 {
		t.Errorf("%d creations were sent, and 5 animals were allowed", n)
	}
}

// If every credential is accepted, a few creations show it.
func TestHammeringEndsWhereNobodyIsRefused(t *testing.T) {
	service := admits(rehearse.NewShop(), func(_ *http.Request, _ string) bool { return true })
	st := rehearse.New(t, "auth.steady", service)
	st.Do("60 creations are tried with bad credentials")
	if n := len(service.Requests("POST")); n != vocabulary.EnoughLetIn {
		t.Errorf("%d creations were tried", n)
	}
}
