package steps

import (
	"net/http"
	"testing"
)

// TestWhichParameterIsRefused expects the parameter to be blamed that makes the difference, and nobody where none does.
func TestWhichParameterIsRefused(t *testing.T) {
	given := func(r *http.Request, name string) bool { return r.URL.Query().Has(name) }
	n := 0
	for name, test := range map[string]struct {
		asked   string // what is asked for
		refuses func(r *http.Request) bool
		breaks  string
	}{
		"nothing":                        {" with limit 3 and status sold", func(*http.Request) bool { return false }, ""},
		"the filter, beside a limit":     {" with limit 3 and status sold", func(r *http.Request) bool { return given(r, "status") }, "list.status.accepted"},
		"the limit, beside a filter":     {" with limit 3 and status sold", func(r *http.Request) bool { return given(r, "limit") }, "list.limit.accepted"},
		"one of the statuses":            {" with limit 3 and status sold", func(r *http.Request) bool { return r.URL.Query().Get("status") == "sold" }, "list.status.accepted"},
		"a list without a limit":         {"", func(r *http.Request) bool { return !given(r, "limit") }, "list.limit.optional"},
		"a filter without a limit":       {" with status sold", func(r *http.Request) bool { return !given(r, "limit") }, "list.limit.optional"},
		"a list without a filter":        {"", func(r *http.Request) bool { return !given(r, "status") }, "list.status.optional"},
		"a limit without a filter":       {" with limit 3", func(r *http.Request) bool { return given(r, "limit") && !given(r, "status") }, "list.status.optional"},
		"each list":                      {"", func(*http.Request) bool { return true }, "list.accepted"},
		"each list, whatever is given":   {" with status sold", func(*http.Request) bool { return true }, "list.status.accepted"},
		"both together only":             {" with limit 3 and status sold", func(r *http.Request) bool { return given(r, "status") && given(r, "limit") }, "list.limit.accepted"},
		"now and then":                   {"", func(*http.Request) bool { n++; return n%2 == 1 }, "list.accepted"},
		"a limit or a filter, any of it": {"", func(r *http.Request) bool { return !given(r, "status") && !given(r, "limit") }, "list.accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			n = 0
			service := newShop()
			service.instead = func(r *http.Request, _ []byte) *reply {
				if test.refuses(r) {
					return errorReply(400)
				}
				return nil
			}
			st := rehearse(t, "pet.object", service)
			st.do("listPets is called"+test.asked, "the response is 200")
			st.finds(rules(test.breaks)...)
		})
	}
}

// TestAskedOnceWhy expects the reason of a refusal to be looked for once, however often the same is refused.
func TestAskedOnceWhy(t *testing.T) {
	service := newShop()
	service.instead = func(*http.Request, []byte) *reply { return errorReply(400) }
	st := rehearse(t, "pet.object", service)
	st.do("listPets is called", "the response is 200")
	before := len(service.asked)
	st.do("listPets is called", "the response is 200")
	if more := len(service.asked) - before; more != 1 {
		t.Errorf("%d requests for the second one", more)
	}
}

// TestNeverStored expects an animal that was never there not to be said to be lost, and one that was to be.
func TestNeverStored(t *testing.T) {
	for name, readFirst := range map[string]bool{"never seen": false, "seen once": true} {
		t.Run(name, func(t *testing.T) {
			service, gone := newShop(), false
			service.instead = func(r *http.Request, _ []byte) *reply {
				if gone && r.Method == "GET" {
					return errorReply(404)
				}
				return nil
			}
			st := rehearse(t, "get.kept", service)
			st.do("an animal is created with status available")
			if readFirst {
				st.do("it is read back as it was answered")
			}
			gone = true
			st.do("every animal that this run created is read again", "each is there with the name and the categoryId that it was answered with")
			after := ""
			if !readFirst {
				after = "get.created"
			}
			if f := st.s.findings; len(f) != 1 || f[0].Rule != "get.kept" || f[0].After != after {
				t.Errorf("%+v", f)
			}
		})
	}
}
