package vocabulary_test

import (
	"net/http"
	"testing"

	"hallmark/tests/rehearse"
)

// TestWhichParameterIsRefused expects the finding to name the parameter that makes the difference, and none if
// there is none.
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
			service := rehearse.NewShop()
			service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
				if test.refuses(r) {
					return rehearse.ErrorReply(400)
				}
				return nil
			}
			st := rehearse.New(t, "pet.object", service)
			st.Do("listPets is called"+test.asked, "the response is 200")
			st.Finds(rehearse.Rules(test.breaks)...)
		})
	}
}

// TestAskedOnceWhy expects the reason of a refusal to be searched for once, even if the refusal recurs.
func TestAskedOnceWhy(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(*http.Request, []byte) *rehearse.Reply { return rehearse.ErrorReply(400) }
	st := rehearse.New(t, "pet.object", service)
	st.Do("listPets is called", "the response is 200")
	before := len(service.Asked)
	st.Do("listPets is called", "the response is 200")
	if more := len(service.Asked) - before; more != 1 {
		t.Errorf("%d requests for the second one", more)
	}
}

// TestNeverStored expects an animal to be reported as lost only if it was there before.
func TestNeverStored(t *testing.T) {
	for name, readFirst := range map[string]bool{"never seen": false, "seen once": true} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "get.kept", service)
			st.Do("an animal is created with status available")
			if readFirst {
				st.Do("it is read back as it was answered")
			}
			service.Pets = nil
			st.Do("every animal that this run created is looked for again", "each is there with the name and the categoryId that it was answered with")
			after := ""
			if !readFirst {
				after = "get.created"
			}
			if f := st.Scenario.Findings(); len(f) != 1 || f[0].Rule != "get.kept" || f[0].After != after {
				t.Errorf("%+v", f)
			}
		})
	}
}
