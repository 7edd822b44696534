package steps

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// page returns a response of a web server.
func page(status int, mediaType, body string) *rehearse.Reply {
	return &rehearse.Reply{Status: status, Header: http.Header{"Content-Type": {mediaType}}, Body: body}
}

const (
	nginx404  = "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
	whitelist = `{"timestamp":"2026-11-21T00:00:00.000+00:00","status":404,"error":"Not Found","path":"/v1/pets"}`
	spa       = "<!doctype html><title>Shop</title><div id=app></div>"
)

// A mistyped address is no violation, whatever server answers there.
func TestNothingOfThisInterfaceAnswers(t *testing.T) {
	always := func(a func() *rehearse.Reply) func(*http.Request, []byte) *rehearse.Reply {
		return func(*http.Request, []byte) *rehearse.Reply { return a() }
	}
	redirect := func(status int, to func(r *http.Request) string) func(*http.Request, []byte) *rehearse.Reply {
		return func(r *http.Request, _ []byte) *rehearse.Reply {
			return &rehearse.Reply{Status: status, Header: http.Header{"Location": {to(r)}, "Content-Type": {"text/html"}}, Body: "<a>Found</a>"}
		}
	}
	byMethod := func(read, write *rehearse.Reply) func(*http.Request, []byte) *rehearse.Reply {
		return func(r *http.Request, _ []byte) *rehearse.Reply {
			if r.Method == http.MethodPost {
				return &rehearse.Reply{Status: write.Status, Header: write.Header.Clone(), Body: write.Body}
			}
			return &rehearse.Reply{Status: read.Status, Header: read.Header.Clone(), Body: read.Body}
		}
	}
	for name, test := range map[string]struct {
		instead func(*http.Request, []byte) *rehearse.Reply
		says    string // in the reason, or in the remedy
	}{
		"a web server":                 {always(func() *rehearse.Reply { return page(404, "text/html", nginx404) }), "GET /pets → 404 (text/html), GET /pets/41 → 404 (text/html), POST /pets → 404 (text/html), with the key and without it"},
		"a file server":                {byMethod(page(404, "text/html", nginx404), page(405, "text/html", "")), "POST /pets → 405"},
		"a small file server":          {byMethod(page(404, "text/html", nginx404), page(501, "text/html", "")), "POST /pets → 501"},
		"another API":                  {always(func() *rehearse.Reply { return page(404, "application/json", `{"error":"not found"}`) }), "check the host and the path of the address"},
		"an API that shares the Error": {always(func() *rehearse.Reply { return rehearse.ErrorReply(404) }), "404 (application/json)"},
		"Spring":                       {always(func() *rehearse.Reply { return page(404, "application/json", whitelist) }), "404"},
		"Express":                      {always(func() *rehearse.Reply { return page(404, "text/html; charset=utf-8", "<pre>Cannot GET /v1/pets</pre>") }), "404 (text/html)"},
		"Go":                           {always(func() *rehearse.Reply { return page(404, "text/plain; charset=utf-8", "404 page not found\n") }), "404 (text/plain)"},
		"a gateway that knows no route": {always(func() *rehearse.Reply {
			return page(404, "application/json", `{"message":"no Route matched with those values"}`)
		}), "404"},
		"nothing at all":                   {always(func() *rehearse.Reply { return &rehearse.Reply{Status: 404} }), "404"},
		"gone":                             {always(func() *rehearse.Reply { return page(410, "text/plain", "gone") }), "410"},
		"a single page app":                {always(func() *rehearse.Reply { return page(200, "text/html", spa) }), "GET /pets → 200 (text/html)"},
		"a single page app, which is read": {byMethod(page(200, "text/html", spa), page(404, "text/html", "Cannot POST")), "POST /pets → 404"},
		"a login":                          {redirect(302, func(*http.Request) string { return "https://login.example.com/?next=x" }), "GET leads to https://login.example.com/?next=x"},
		"the address without TLS":          {redirect(301, func(r *http.Request) string { return "https://pets.test" + r.URL.Path }), "GET leads to https://pets.test/v1/pets"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, readOnly := range []bool{false, true} {
				service := rehearse.NewShop()
				service.Instead = test.instead
				p := playRun(t, t.Context(), service, with(t, oneList), func(c *Config) { c.Target.ReadOnly = readOnly })
				var away Unreachable
				if !errors.As(p.err, &away) || !strings.HasPrefix(away.Reason, "nothing of this interface answers at http://pets.test/v1: GET /pets → ") {
					t.Fatalf("read-only %v: ended with %v", readOnly, p.err)
				}
				if !readOnly && !strings.Contains(away.Reason+away.Remedy, test.says) {
					t.Errorf("%q; %q, want %q", away.Reason, away.Remedy, test.says)
				}
				if p.res.ExitCode != verdict.ExitUnjudged || p.res.Verdict != verdict.Inconclusive || len(p.res.Causes) != 0 || p.ending.Lost != away.Reason {
					t.Errorf("%s, exit code %d, lost %q, %d causes", p.res.Verdict, p.res.ExitCode, p.ending.Lost, len(p.res.Causes))
				}
				if posts := len(service.Requests(http.MethodPost)); readOnly && posts > 0 {
					t.Errorf("a read-only run sent %d creations", posts)
				}
			}
		})
	}
}

// Servers at a mistyped address may close connections silently; lost requests are repeated.
func TestNothingOfThisInterfaceAnswersThroughLosses(t *testing.T) {
	var creations atomic.Int64
	service := trip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && creations.Add(1)%2 == 1 {
			return nil, errGone
		}
		return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"https://login.example.com/"}}, Body: http.NoBody, Request: r}, nil
	})
	p := playRun(t, t.Context(), service, with(t, oneList))
	if away, is := errors.AsType[Unreachable](p.err); !is || !strings.HasPrefix(away.Reason, "nothing of this interface answers") {
		t.Fatalf("ended with %v", p.err)
	}
	if creations.Load() < 2 {
		t.Error("no creation was asked again")
	}
}

// A service behind a gateway that reaches nothing is down; it does not break the interface.
func TestAServiceThatIsDownIsNotJudged(t *testing.T) {
	for name, reply := range map[string]func() *rehearse.Reply{
		"502, a page":           func() *rehearse.Reply { return page(502, "text/html", "<h1>502</h1>") },
		"503, an Error body":    func() *rehearse.Reply { return rehearse.ErrorReply(503) },
		"504, without any body": func() *rehearse.Reply { return &rehearse.Reply{Status: 504} },
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Instead = func(*http.Request, []byte) *rehearse.Reply { return reply() }
			p := playRun(t, t.Context(), service)
			away, is := errors.AsType[Unreachable](p.err)
			if !is || !strings.HasPrefix(away.Reason, "the service at http://pets.test/v1 is down: GET /pets → "+name[:3]) || !strings.Contains(away.Remedy, "--wait") {
				t.Errorf("ended with %v; %s", p.err, away.Remedy)
			}
			if p.res.ExitCode != verdict.ExitUnjudged || len(p.res.Causes) != 0 {
				t.Errorf("%s, exit code %d, %d causes", p.res.Verdict, p.res.ExitCode, len(p.res.Causes))
			}
		})
	}
}

// A service of this interface is judged even if every one of its responses is wrong.
func TestBadlyBrokenServicesAreJudged(t *testing.T) {
	const list, create, get = "GET /v1/pets", "POST /v1/pets", "GET /v1/pets/"
	isAt := func(r *http.Request, places ...string) bool {
		for _, place := range places {
			if at := r.Method + " " + r.URL.Path; at == place || place == get && strings.HasPrefix(at, get) {
				return true
			}
		}
		return false
	}
	at := func(a func() *rehearse.Reply, places ...string) func(*http.Request, []byte) *rehearse.Reply {
		return func(r *http.Request, _ []byte) *rehearse.Reply {
			if isAt(r, places...) {
				return a()
			}
			return nil
		}
	}
	// accept every credential, and
	open := func(next func(*http.Request, []byte) *rehearse.Reply) func(*http.Request, []byte) *rehearse.Reply {
		return func(r *http.Request, body []byte) *rehearse.Reply {
			r.Header.Set("Authorization", "Bearer "+rehearse.Key)
			return next(r, body)
		}
	}
	withKey := func(a func() *rehearse.Reply, places ...string) func(*http.Request, []byte) *rehearse.Reply {
		return func(r *http.Request, _ []byte) *rehearse.Reply {
			if isAt(r, places...) && r.Header.Get("Authorization") == "Bearer "+rehearse.Key {
				return a()
			}
			return nil
		}
	}
	html := func() *rehearse.Reply { return page(404, "text/html", nginx404) }
	services := map[string]func(*http.Request, []byte) *rehearse.Reply{
		"no list":                                at(html, list),
		"no list, with an Error body":            at(func() *rehearse.Reply { return rehearse.ErrorReply(404) }, list),
		"nothing can be read":                    at(html, list, get),
		"nothing can be read, keys do not count": open(at(html, list, get)),
		"nothing is there for the right key":     withKey(html, list, get, create),
		"every operation fails":                  at(func() *rehearse.Reply { return rehearse.ErrorReply(500) }, list, get, create),
		"every operation fails, with a page":     at(func() *rehearse.Reply { return page(500, "text/html", "<h1>500</h1>") }, list, get, create),
		"a gateway that reaches no list":         at(func() *rehearse.Reply { return page(502, "text/html", "<h1>502</h1>") }, list, get),
		"lists are empty answers":                at(func() *rehearse.Reply { return &rehearse.Reply{Status: 204} }, list),
		"every response is empty":                at(func() *rehearse.Reply { return &rehearse.Reply{Status: 204} }, list, get, create),
		"every response is an envelope":          at(func() *rehearse.Reply { return page(200, "application/json", `{"data":[]}`) }, list, get, create),
		"JSON that is called a page":             at(func() *rehearse.Reply { return page(200, "text/html", `[]`) }, list, get, create),
		"another form of the path": func(r *http.Request, _ []byte) *rehearse.Reply {
			return &rehearse.Reply{Status: 301, Header: http.Header{"Location": {r.URL.Path + "/"}}}
		},
		"404 for animals, 403 for the rest": func(r *http.Request, _ []byte) *rehearse.Reply {
			if isAt(r, get) {
				return rehearse.ErrorReply(404)
			}
			return page(403, "text/html", "<h1>403</h1>")
		},
		"the list is a page, and so is every creation": at(func() *rehearse.Reply { return page(200, "text/html", spa) }, list, create),
	}
	for i, name := range slices.Sorted(maps.Keys(services)) {
		t.Run(name, func(t *testing.T) {
			skip.Sampled(t, i, 8)
			service := rehearse.NewShop()
			service.Instead = services[name]
			p := playRun(t, t.Context(), service)
			if p.err != nil || p.res.ExitCode != verdict.ExitViolated || p.res.Verdict != verdict.Violated {
				t.Errorf("ended with %v, %s, exit code %d", p.err, p.res.Verdict, p.res.ExitCode)
			}
		})
	}
}
