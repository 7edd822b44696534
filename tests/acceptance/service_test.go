package acceptance

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

type serviceKey struct{}

// service is what a script judges.
type service struct {
	stalled, gone chan struct{}
}

// defects turn the reference service into a broken one. n is the number after the defect's name.
var defects = map[string]func(s *service, next http.Handler, n int) http.Handler{
	"faithful": func(_ *service, next http.Handler, _ int) http.Handler { return next },
	// Lists hold 20 animals, whatever limit was asked for.
	"ignores-limit": func(_ *service, next http.Handler, _ int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			query := r.URL.Query()
			if limit, err := strconv.Atoi(query.Get("limit")); err == nil && limit < 20 && limit > 0 {
				query.Del("limit")
				r.URL.RawQuery = query.Encode()
			}
			next.ServeHTTP(w, r)
		})
	},
	// A should rule: 401 names the scheme that is wanted.
	"no-challenge": func(_ *service, next http.Handler, _ int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(withoutChallenge{w}, r)
		})
	},
	// Characters beyond the basic plane get lost on the way to the store.
	"basic-plane": func(_ *service, next http.Handler, _ int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			text := strings.Map(func(c rune) rune {
				if c > 0xffff {
					return -1
				}
				return c
			}, string(body))
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
			next.ServeHTTP(w, r)
		})
	},
	// A gateway before the service answers the first request itself.
	"gateway": func(_ *service, next http.Handler, _ int) http.Handler {
		return answeredOnce(next, func(*http.Request) bool { return true })
	},
	// It answers the nth request that reads an animal, which must rules are about.
	"gateway-reading": func(_ *service, next http.Handler, n int) http.Handler {
		var count atomic.Int64
		return answeredOnce(next, func(r *http.Request) bool {
			_, err := strconv.ParseInt(path.Base(r.URL.Path), 10, 64)
			return err == nil && r.Method == http.MethodGet && count.Add(1) == int64(n)
		})
	},
	// A service of another contract, which names no security: it wants a token, and answers with what it was sent.
	"unspoken": func(*service, http.Handler, int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			query, header := r.URL.Query().Get("key"), r.Header.Get("Authorization")
			w.Header().Set("Content-Type", "application/json")
			if query != "unspoken secret-4711" && header != "Token unspoken-secret-4711" {
				w.WriteHeader(http.StatusUnauthorized)
			}
			_ = json.NewEncoder(w).Encode(map[string]string{"query": query, "header": header})
		})
	},
	// A service of another contract, whose list is empty: only who runs it knows what the rest may name.
	"empty-list": func(*service, http.Handler, int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch r.URL.Path {
			case "/v1/tags":
				_, _ = io.WriteString(w, "[]")
			case "/v1/tags/rare":
				_, _ = io.WriteString(w, `{"name":"rare"}`)
			default:
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, `{"error":"no such tag"}`)
			}
		})
	},
	"refuses-key": func(_ *service, next http.Handler, _ int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Authorization", "Bearer another")
			next.ServeHTTP(w, r)
		})
	},
	// The first n requests are answered; then connections break.
	"dies": func(_ *service, next http.Handler, n int) http.Handler {
		var count atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if count.Add(1) > int64(n) {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	},
	// The first n requests are answered; then none, for as long as the client waits.
	"stalls": func(s *service, next http.Handler, n int) http.Handler {
		happening := *s // the next service of the script has events of its own
		var count atomic.Int64
		var stalled, gone sync.Once
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if count.Add(1) <= int64(n) {
				next.ServeHTTP(w, r)
				return
			}
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice when the client goes
			stalled.Do(func() { close(happening.stalled) })
			<-r.Context().Done()
			gone.Do(func() { close(happening.gone) })
		})
	},
}

type withoutChallenge struct{ http.ResponseWriter }

func (w withoutChallenge) WriteHeader(status int) {
	w.Header().Del("WWW-Authenticate")
	w.ResponseWriter.WriteHeader(status)
}

// answeredOnce returns a gateway that answers the first request of those that it chooses, and passes on all others.
func answeredOnce(next http.Handler, chooses func(*http.Request) bool) http.Handler {
	var done atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !chooses(r) || done.Swap(true) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "<html><body><h1>502 Bad Gateway</h1></body></html>")
	})
}

// startService is "service DEFECT [N]": it starts a service and puts its address and key into the environment. "service nowhere" gives an address
// at which nobody listens.
func startService(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: service DEFECT [N]")
	}
	key := petstore.NewKey()
	ts.Setenv("HALLMARK_API_KEY", key)
	if args[0] == "nowhere" {
		ts.Setenv("HALLMARK_BASE_URL", "http://127.0.0.1:1/v1") // a port that the system gives to nobody: a freed one goes to the next test
		return
	}
	defect, n := defects[args[0]], 0
	if defect == nil {
		ts.Fatalf("there is no defect %q", args[0])
	}
	if len(args) == 2 {
		var err error
		n, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	s := ts.Value(serviceKey{}).(*service)
	s.stalled, s.gone = make(chan struct{}), make(chan struct{})
	store, err := petstore.New(petstore.Options{Keys: []string{key}})
	ts.Check(err)
	server := httptest.NewServer(defect(s, store.Handler(), n))
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	address, err := url.JoinPath(server.URL, "v1")
	ts.Check(err)
	ts.Setenv("HALLMARK_BASE_URL", address)
}

// startShop is "shop [VARIANT]": it starts the service of another contract, which it writes to shop.yaml. "shop desk" and "shop library" start
// further ones.
func startShop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: shop [VARIANT]")
	}
	var service http.Handler
	contract := shop.Contract()
	switch variant := strings.Join(args, ""); variant {
	case "desk":
		service, contract = shop.NewDesk(""), shop.DeskContract()
	case "library":
		service, contract = shop.NewLibrary(""), shop.LibraryContract()
	default:
		service = shop.New(variant)
	}
	server := httptest.NewServer(service)
	ts.Defer(server.Close)
	ts.Setenv("HALLMARK_BASE_URL", server.URL)
	ts.Setenv("HALLMARK_API_KEY", shop.Key)
	ts.Check(os.WriteFile(ts.MkAbs("shop.yaml"), contract, 0o600))
}

// secured starts the reference service behind TLS, with a certificate that nobody knows; ca.pem is it.
func secured(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: secured")
	}
	service, err := petstore.New(petstore.Options{Keys: []string{ts.Getenv("HALLMARK_API_KEY")}})
	ts.Check(err)
	server := httptest.NewTLSServer(service.Handler())
	ts.Defer(server.Close)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs("ca.pem"), text, 0o600))
	ts.Setenv("HALLMARK_BASE_URL", server.URL+"/v1")
}
