package scheme_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

// issuer grants tokens, and counts how often it was asked.
type issuer struct {
	*httptest.Server
	asked atomic.Int64
	// answer, where it is not nil, answers in the place of a token.
	answer func(http.ResponseWriter, *http.Request) bool
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	s := &issuer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /id/.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"issuer": "http://%s/id", "token_endpoint": "http://%s/oauth/token"}`, r.Host, r.Host)
	})
	mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		n := s.asked.Add(1)
		if s.answer != nil && s.answer(w, r) {
			return
		}
		user, password, _ := r.BasicAuth()
		fmt.Fprintf(w, `{"access_token": "token-%d-%s", "token_type": "bearer", "expires_in": 100, "seen": %q}`, n, r.FormValue("grant_type"), user+":"+password)
	})
	mux.HandleFunc("/base/session", func(w http.ResponseWriter, r *http.Request) {
		n := s.asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		if string(body) != `{"user": "ann", "password": "Pass-4711"}` || r.Header.Get("X-Tenant") != "books" || r.Method != http.MethodPut {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"title": "no such user: %s"}`, strings.ReplaceAll(string(body), `"`, `'`))
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: fmt.Sprintf("cookie-%d", n), MaxAge: 50})
		http.SetCookie(w, &http.Cookie{Name: "theme", Value: "dark"})
		w.Header().Set("X-Auth-Token", fmt.Sprintf("header-%d", n))
		fmt.Fprintf(w, `{"data": {"token": "body-%d", "ttl": "20"}}`, n)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// ring returns a keyring with one secret, whose clock is at now.
func (s *issuer) ring(t *testing.T, of spec.Security, secret scheme.Secret, now *time.Time) (*scheme.Keyring, *spec.Operation) {
	t.Helper()
	role, err := scheme.Read([]spec.Security{of}, scheme.Sources{
		Role: scheme.Role{Secrets: map[string]scheme.Secret{of.Name: secret}}, Lookup: environment(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.keyring(of, role, now), operation(spec.Requirement{of})
}

func (s *issuer) keyring(of spec.Security, role scheme.Role, now *time.Time) *scheme.Keyring {
	return scheme.New(scheme.Config{
		Schemes: []spec.Security{of}, Roles: map[string]scheme.Role{"": role}, BaseURL: s.URL + "/base", Client: s.Client(),
		Now: func() time.Time { return *now },
	})
}

func TestGrants(t *testing.T) {
	password := oauth
	password.Flows = []spec.Flow{{Kind: "password", TokenURL: "/oauth/token"}}
	for name, test := range map[string]struct {
		of     spec.Security
		secret scheme.Secret
		want   string
	}{
		"client":           {oauth, scheme.Secret{Text: "id:s3cret"}, "Bearer token-1-client_credentials"},
		"client in parts":  {oauth, scheme.Secret{ClientID: "id", ClientSecret: "s3cret"}, "Bearer token-1-client_credentials"},
		"password":         {password, scheme.Secret{Text: "ann:Pass"}, "Bearer token-1-password"},
		"password, client": {password, scheme.Secret{User: "ann", Password: "Pass", ClientID: "id"}, "Bearer token-1-password"},
		"OpenID Connect":   {openID, scheme.Secret{Text: "id:s3cret"}, "Bearer token-1-client_credentials"},
		"own endpoint":     {bearer, scheme.Secret{ClientID: "id", ClientSecret: "s", TokenURL: "/oauth/token"}, "Bearer token-1-client_credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := newIssuer(t), time.Now()
			k, op := s.ring(t, test.of, test.secret, &now)
			c, err := k.For(t.Context(), op, "")
			if err != nil || carried(c) != "header Authorization="+test.want {
				t.Errorf("%s, %v", carried(c), err)
			}
			if strings.Contains(fmt.Sprint(c.Carried().Parts[0].Shown), "token-1") {
				t.Errorf("records show the token: %+v", c)
			}
		})
	}
}

// Some servers take the client's credentials from the body only, and some know not every scope of the document.
func TestGrantsOfOtherServers(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.FormValue("client_secret") != "s3:cret":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error": "invalid_client"}`)
		case r.FormValue("scope") != "":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": "invalid_scope"}`)
		default:
			return false
		}
		return true
	}
	k, op := s.ring(t, oauth, scheme.Secret{Text: "id:s3:cret"}, &now)
	if c, err := k.For(t.Context(), op, ""); err != nil || carried(c) != "header Authorization=Bearer token-4-client_credentials" {
		t.Errorf("%s, %v", carried(c), err)
	}
}

// The id and the secret are written as forms are before they stand in the header (RFC 6749, section 2.3.1).
func TestClientCredentialsAreEscaped(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	var got string
	s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		got = r.Header.Get("Authorization")
		return false
	}
	k, op := s.ring(t, oauth, scheme.Secret{ClientID: "a b", ClientSecret: "c:d%"}, &now)
	if _, err := k.For(t.Context(), op, ""); err != nil {
		t.Fatal(err)
	}
	if want := "Basic " + base64.StdEncoding.EncodeToString([]byte("a+b:c%3Ad%25")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRefusedGrantsShowNoSecret(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"echo": func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error": "invalid_client", "error_description": "%s is wrong"}`, r.Header.Get("Authorization")+r.FormValue("client_secret"))
			return true
		},
		"no JSON": func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, "s3cret-4711"); return true },
		"no token": func(w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprint(w, `{"access_token": null}`)
			return true
		},
		"control": func(w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprint(w, `{"access_token": "a\nb"}`)
			return true
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.Copy(w, io.LimitReader(zeros{}, 2<<20))
			return true
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "/base/session", http.StatusTemporaryRedirect)
			return true
		},
		"DPoP": func(w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprint(w, `{"access_token": "abc", "token_type": "DPoP"}`)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := newIssuer(t), time.Now()
			s.answer = answer
			k, op := s.ring(t, oauth, scheme.Secret{Text: "id:s3cret-4711"}, &now)
			_, err := k.For(t.Context(), op, "")
			if err == nil || strings.Contains(err.Error(), "s3cret-4711") || strings.Contains(err.Error(), b64("id:s3cret-4711")) {
				t.Errorf("%v", err)
			}
			asked := s.asked.Load()
			if _, again := k.For(t.Context(), op, ""); again == nil || s.asked.Load() != asked {
				t.Errorf("it was asked again at once: %v", again)
			}
			now = now.Add(6 * time.Second)
			if _, again := k.For(t.Context(), op, ""); again == nil || s.asked.Load() == asked {
				t.Errorf("it was not asked again: %v", again)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestLogin(t *testing.T) {
	login := func(l scheme.Login) scheme.Secret {
		l.Method, l.URL, l.Body = http.MethodPut, "/session", `{"user": "ann", "password": "Pass-4711"}`
		l.Headers = []scheme.Header{{Name: "X-Tenant", Value: "books"}}
		return scheme.Secret{Login: &l}
	}
	for name, test := range map[string]struct {
		of     spec.Security
		secret scheme.Secret
		want   string
		lasts  time.Duration
	}{
		"pointer":  {bearer, login(scheme.Login{Pointer: "/data/token", Expires: "/data/ttl"}), "header Authorization=Bearer body-1", 17 * time.Second},
		"header":   {header, login(scheme.Login{Header: "x-auth-token", Lifetime: time.Minute}), "header X-App-Key=header-1", 53 * time.Second},
		"cookie":   {cookie, login(scheme.Login{Cookie: "sid"}), "cookie sid=cookie-1", 44 * time.Second},
		"cookies":  {cookie, login(scheme.Login{Cookies: true}), "cookie sid=cookie-1", 44 * time.Second},
		"for ever": {bearer, login(scheme.Login{Pointer: "/data/token"}), "header Authorization=Bearer body-1", 1000 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := newIssuer(t), time.Now()
			k, op := s.ring(t, test.of, test.secret, &now)
			for range 3 {
				if c, err := k.For(t.Context(), op, ""); err != nil || carried(c) != test.want {
					t.Fatalf("%s, %v", carried(c), err)
				}
				now = now.Add(test.lasts / 3)
			}
			if got := s.asked.Load(); got != 1 {
				t.Errorf("it logged in %d times", got)
			}
			if test.lasts > time.Hour {
				return
			}
			now = now.Add(2 * time.Second) // less than its lifetime
			if c, err := k.For(t.Context(), op, ""); err != nil || carried(c) != strings.ReplaceAll(test.want, "-1", "-2") {
				t.Errorf("%s, %v", carried(c), err)
			}
		})
	}
	s, now := newIssuer(t), time.Now()
	bad := login(scheme.Login{Pointer: "/data/token"})
	bad.Login.Body = `{"user": "ann", "password": "wrong-Pass"}`
	bad.Login.Secrets = []string{"wrong-Pass"}
	k, op := s.ring(t, bearer, bad, &now)
	if _, err := k.For(t.Context(), op, ""); err == nil || strings.Contains(err.Error(), "wrong-Pass") || !strings.Contains(err.Error(), "no such user") {
		t.Error(err)
	}
}

// However many ask at the same time, one of them fetches the token.
func TestOneFetchForAll(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	k, op := s.ring(t, oauth, scheme.Secret{Text: "id:secret"}, &now)
	ask := func(want string) {
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if c, err := k.For(t.Context(), op, ""); err != nil || carried(c) != "header Authorization=Bearer "+want {
					t.Errorf("%s, %v", carried(c), err)
				}
			})
		}
		all.Wait()
	}
	ask("token-1-client_credentials")
	now = now.Add(time.Hour)
	ask("token-2-client_credentials")
	if got := s.asked.Load(); got != 2 {
		t.Errorf("it asked %d times", got)
	}
}

func TestCancelledFetchIsNoFailure(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	k, op := s.ring(t, oauth, scheme.Secret{Text: "id:secret"}, &now)
	ctx, cancel := context.WithCancel(t.Context())
	s.answer = func(http.ResponseWriter, *http.Request) bool { cancel(); return false }
	if _, err := k.For(ctx, op, ""); !errors.Is(err, context.Canceled) && err != nil {
		t.Error(err)
	}
	if _, err := k.For(t.Context(), op, ""); err != nil {
		t.Errorf("a later caller suffers: %v", err)
	}
}

// Whatever the keyring knows or fetches is taken out of records, in every form.
func TestMask(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	k, op := s.ring(t, oauth, scheme.Secret{Text: "id:s3cret-4711"}, &now)
	all := redact.New()
	k.Mask(all)
	c, err := k.For(t.Context(), op, "")
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimPrefix(c.Parts[0].Value, "Bearer ")
	for _, secret := range []string{"s3cret-4711", "id:s3cret-4711", token, token[:len(token)-1], token + "x"} {
		for _, text := range []string{secret, b64(secret), strings.ToUpper(secret), "a" + secret + "z"} {
			if got := all.Text(text); strings.Contains(strings.ToLower(got), strings.ToLower(text)) {
				t.Errorf("%s is shown", got)
			}
		}
	}
	pair := redact.New()
	basicRing := keyring(t, operation(spec.Requirement{basic}), "HALLMARK_CREDENTIAL_LOGIN=ann:Pass-4711")
	basicRing.Mask(pair)
	if got := pair.Text("Basic " + b64("ann:Pass-4711") + " ann:Pass-4711 Pass-4711"); strings.Contains(got, "4711") || strings.Contains(got, b64("ann:Pass-4711")) {
		t.Error(got)
	}
}

// A role of its own headers, or of a log-in for whatever it asks, needs no scheme.
func TestRoles(t *testing.T) {
	s, now := newIssuer(t), time.Now()
	login := &scheme.Login{
		Method: http.MethodPut, URL: "/session", Body: `{"user": "ann", "password": "Pass-4711"}`,
		Headers: []scheme.Header{{Name: "X-Tenant", Value: "books"}}, Pointer: "/data/token",
		SendIn: scheme.InHeader, SendName: "Authorization", SendAs: "Bearer {token}",
	}
	cookies := *login
	cookies.Pointer, cookies.Cookies = "", true
	roles := map[string]scheme.Role{
		"fixed":   {Headers: []scheme.Header{{Name: "Authorization", Value: "Bearer fixed-token"}, {Name: "X-Tenant", Value: "7"}}},
		"login":   {Login: login},
		"cookies": {Login: &cookies},
	}
	k := scheme.New(scheme.Config{Schemes: []spec.Security{bearer, header, cookie}, Roles: roles, BaseURL: s.URL + "/base", Client: s.Client(), Now: func() time.Time { return now }})
	for _, test := range []struct {
		role string
		of   spec.Security
		want string
		near string
	}{
		{"fixed", bearer, "header Authorization=Bearer fixed-token; header X-Tenant=7", "header Authorization=Bearer fixed-toke"},
		{"fixed", header, "header Authorization=Bearer fixed-token; header X-Tenant=7", ""},
		{"login", bearer, "header Authorization=Bearer body-1", "header Authorization=Bearer body-"},
		{"cookies", cookie, "cookie sid=cookie-2; cookie theme=dark", "cookie sid=cookie-"},
	} {
		op := operation(spec.Requirement{test.of})
		c, err := k.For(t.Context(), op, test.role)
		if err != nil || carried(c) != test.want {
			t.Errorf("%s, %s: %s, %v", test.role, test.of.Name, carried(c), err)
		}
		near, err := k.Make(t.Context(), op, test.role, "the right key without its last character")
		if test.near == "" && !errors.As(err, new(scheme.Impossible)) || test.near != "" && (err != nil || carried(near) != test.near) {
			t.Errorf("%s, %s: %s, %v", test.role, test.of.Name, carried(near), err)
		}
	}
}
