package petstore_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"hallmark/steps/petstore"
	"hallmark/tests/rehearse"
)

const (
	refusals  = "creations that must be refused with 400 are tried"
	bad       = "creations that must be refused with 401 are tried"
	noneAfter = "no animal appears behind them"
)

// leaving adds an animal whenever a creation is answered with a status, as f makes it.
func leaving(status int, f func(s *rehearse.Shop, body []byte) rehearse.Row) *rehearse.Shop {
	service := rehearse.NewShop().Stock(5)
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost && a.Status == status {
			if fields := f(service, service.Latest().Body); fields != nil {
				service.Add(fields)
			}
		}
	}
	return service
}

func blank(*rehearse.Shop, []byte) rehearse.Row {
	return rehearse.Row{"name": "", "categoryId": json.Number("0")}
}

// What was refused and is stored in a form that nobody recognises shows by what appears each time.
func TestUnrecognisableTraces(t *testing.T) {
	for name, test := range map[string]struct {
		service *rehearse.Shop
		step    string
		rule    string
	}{
		"400":                 {leaving(400, blank), refusals, "create.no-trace"},
		"400, in a full shop": {leaving(400, blank).Stock(200), refusals, "create.no-trace"},
		"401":                 {leaving(401, blank), bad, "auth.no-trace"},
		"objects without a name": {leaving(400, func(s *rehearse.Shop, body []byte) rehearse.Row {
			var sent map[string]any
			if json.Unmarshal(body, &sent) != nil || sent == nil || sent["name"] != nil {
				return nil
			}
			return blank(s, body)
		}), refusals, "create.no-trace"},
		"an empty body": {leaving(400, func(s *rehearse.Shop, body []byte) rehearse.Row {
			if len(body) > 0 {
				return nil
			}
			return rehearse.Row{"name": "Unnamed", "categoryId": json.Number("-1")}
		}), refusals, "create.no-trace"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, test.rule, test.service)
			st.Do(test.step, noneAfter)
			st.Finds(test.rule)
			st.Judged(test.rule)
			if f := st.Scenario.Findings()[0]; len(f.Exchanges) != 2 || f.Pointer == "" {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Other clients write whenever they like: at every request, now and then, or only when this run does not.
func TestOtherClientsLeaveNoTrace(t *testing.T) {
	writing := func(when func(r *http.Request, n int) bool, fields func(n int) rehearse.Row) *rehearse.Shop {
		service, n := rehearse.NewShop().Stock(5), 0
		service.Change = func(r *http.Request, _ *rehearse.Reply) {
			if n++; when(r, n) {
				service.Add(fields(n))
			}
		}
		return service
	}
	visitor := func(int) rehearse.Row { return rehearse.Row{"name": "", "categoryId": json.Number("0")} }
	numbered := func(n int) rehearse.Row {
		return rehearse.Row{"name": "Visitor " + strconv.Itoa(n), "categoryId": json.Number("1")}
	}
	always := func(*http.Request, int) bool { return true }
	posts := func(r *http.Request, _ int) bool { return r.Method == http.MethodPost }
	for name, service := range map[string]*rehearse.Shop{
		"at every request":         writing(always, visitor),
		"at every request, others": writing(always, numbered),
		"at every third":           writing(func(_ *http.Request, n int) bool { return n%3 == 0 }, visitor),
		"each of another name":     writing(posts, numbered),
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "create.no-trace", service)
			st.Do(refusals)
			st.Stops(noneAfter, "other clients create animals meanwhile")
			st.Finds()
		})
	}
	t.Run("nobody", func(t *testing.T) {
		st := rehearse.New(t, "create.no-trace", rehearse.NewShop())
		st.Do(refusals, noneAfter)
		st.Finds()
		st.Judged("create.no-trace")
	})
	t.Run("once, while creations were tried", func(t *testing.T) {
		st := rehearse.New(t, "create.no-trace", writing(func(_ *http.Request, n int) bool { return n == 5 }, visitor))
		st.Do(refusals)
		st.Stops(noneAfter, "none of them stores when it is tried alone")
		st.Finds()
	})
	t.Run("the credential cannot be told bad", func(t *testing.T) {
		service := rehearse.NewShop()
		service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Status = http.StatusTeapot }
		st := rehearse.New(t, "auth.no-trace", service)
		st.Stops(bad, "no creation was answered 401")
	})
}

// A creation of unknown fate may have stored its animal: a later refusal under the same name proves nothing.
func TestDoubtedNamesAreNoTraces(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "create.no-trace", service)
	petstore.MemoryOf(st.Scenario.Run).Doubt("same")
	service.Add(rehearse.Row{"name": "same", "categoryId": json.Number("1")})
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.Method == "POST" {
			return rehearse.ErrorReply(400)
		}
		return nil
	}
	st.Do(`a plain body where name is "same"`, "createPet is called", "listPets is called")
	st.Finds()
}
