package steps

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
)

const (
	refusals  = "creations that must be refused with 400 are tried"
	bad       = "creations that must be refused with 401 are tried"
	noneAfter = "no animal appears behind them"
)

// leaving adds an animal whenever a creation is answered with a status, as f makes it.
func leaving(status int, f func(s *shop, body []byte) row) *shop {
	service := newShop().stock(5)
	service.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodPost && a.status == status {
			if fields := f(service, service.latest().body); fields != nil {
				service.add(fields)
			}
		}
	}
	return service
}

func blank(*shop, []byte) row { return row{"name": "", "categoryId": json.Number("0")} }

// What was refused and is stored in a form that nobody recognises shows by what appears each time.
func TestUnrecognisableTraces(t *testing.T) {
	for name, test := range map[string]struct {
		service *shop
		step    string
		rule    string
	}{
		"400":                 {leaving(400, blank), refusals, "create.no-trace"},
		"400, in a full shop": {leaving(400, blank).stock(200), refusals, "create.no-trace"},
		"401":                 {leaving(401, blank), bad, "auth.no-trace"},
		"objects without a name": {leaving(400, func(s *shop, body []byte) row {
			var sent map[string]any
			if json.Unmarshal(body, &sent) != nil || sent == nil || sent["name"] != nil {
				return nil
			}
			return blank(s, body)
		}), refusals, "create.no-trace"},
		"an empty body": {leaving(400, func(s *shop, body []byte) row {
			if len(body) > 0 {
				return nil
			}
			return row{"name": "Unnamed", "categoryId": json.Number("-1")}
		}), refusals, "create.no-trace"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse(t, test.rule, test.service)
			st.do(test.step, noneAfter)
			st.finds(test.rule)
			st.judged(test.rule)
			if f := st.s.findings[0]; len(f.Exchanges) != 2 || f.Pointer == "" {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Other clients write whenever they like: at every request, now and then, or only when this run does not.
func TestOtherClientsLeaveNoTrace(t *testing.T) {
	writing := func(when func(r *http.Request, n int) bool, fields func(n int) row) *shop {
		service, n := newShop().stock(5), 0
		service.change = func(r *http.Request, _ *reply) {
			if n++; when(r, n) {
				service.add(fields(n))
			}
		}
		return service
	}
	visitor := func(int) row { return row{"name": "", "categoryId": json.Number("0")} }
	numbered := func(n int) row { return row{"name": "Visitor " + strconv.Itoa(n), "categoryId": json.Number("1")} }
	always := func(*http.Request, int) bool { return true }
	posts := func(r *http.Request, _ int) bool { return r.Method == http.MethodPost }
	for name, service := range map[string]*shop{
		"at every request":         writing(always, visitor),
		"at every request, others": writing(always, numbered),
		"at every third":           writing(func(_ *http.Request, n int) bool { return n%3 == 0 }, visitor),
		"each of another name":     writing(posts, numbered),
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse(t, "create.no-trace", service)
			st.do(refusals)
			st.stops(noneAfter, "other clients create animals meanwhile")
			st.finds()
		})
	}
	t.Run("nobody", func(t *testing.T) {
		st := rehearse(t, "create.no-trace", newShop())
		st.do(refusals, noneAfter)
		st.finds()
		st.judged("create.no-trace")
	})
	t.Run("once, while creations were tried", func(t *testing.T) {
		st := rehearse(t, "create.no-trace", writing(func(_ *http.Request, n int) bool { return n == 5 }, visitor))
		st.do(refusals)
		st.stops(noneAfter, "other clients create animals meanwhile")
		st.finds()
	})
	t.Run("the credential cannot be told bad", func(t *testing.T) {
		service := newShop()
		service.change = func(_ *http.Request, a *reply) { a.status = http.StatusTeapot }
		st := rehearse(t, "auth.no-trace", service)
		st.stops(bad, "no creation was answered 401")
	})
}

// A creation of unknown fate may have stored its animal: a later refusal under the same name proves nothing.
func TestDoubtedNamesAreNoTraces(t *testing.T) {
	service := newShop()
	st := rehearse(t, "create.no-trace", service)
	st.s.run.memory.Doubt("same")
	service.add(row{"name": "same", "categoryId": json.Number("1")})
	service.instead = func(r *http.Request, _ []byte) *reply {
		if r.Method == "POST" {
			return errorReply(400)
		}
		return nil
	}
	st.do(`a plain body where name is "same"`, "createPet is called", "listPets is called")
	st.finds()
}
