package wholerun_test

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// checkUp returns the checks of a target by name.
func checkUp(t *testing.T, url string, change func(*steps.Config)) map[string]doctor.Check {
	t.Helper()
	k := runtest.New(t)
	cfg := steps.Config{
		Options: scenario.Options{
			Target:   scenario.Target{BaseURL: url, Key: referenceKey, Keyring: scheme.OneSecret(k.Contract.Operations(), referenceKey), MaxCreated: budget.ForScenarios},
			Contract: k.Contract, Catalogue: k.Catalogue, Promises: k.Promises, Timeout: 10 * time.Second,
			Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Transport: client.NewTransport(1), Agent: "hallmark/test",
		},
		Suite: k.Suite,
	}
	if change != nil {
		change(&cfg)
	}
	all, err := steps.CheckUp(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]doctor.Check{}
	for _, c := range all {
		if c.Says == "" || (c.State == doctor.Failed || c.State == doctor.Warned) && c.Remedy == "" {
			t.Errorf("%+v lacks words, or a remedy", c)
		}
		if strings.Contains(c.Says+c.Remedy, referenceKey) {
			t.Errorf("%s shows the key", c.Name)
		}
		byName[c.Name] = c
	}
	return byName
}

// soundService is a service with an animal in its store.
func soundService(t *testing.T) http.Handler {
	t.Helper()
	store := petstore.NewMemory()
	if err := petstore.Preload(t.Context(), store, 1); err != nil {
		t.Fatal(err)
	}
	return serviceOf(t, store)
}

func serviceOf(t *testing.T, store petstore.Store) http.Handler {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: store})
	if err != nil {
		t.Fatal(err)
	}
	return service.Handler()
}

// except answers some requests in its own way.
func except(next http.Handler, own func(w http.ResponseWriter, r *http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !own(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

func TestCheckUpOfASoundService(t *testing.T) {
	t.Parallel()
	for name, c := range checkUp(t, serving(t, soundService(t)), nil) {
		if c.State != doctor.Good {
			t.Errorf("%s is %s: %s", name, c.State, c.Says)
		}
	}
}

// A check-up changes nothing.
func TestCheckUpSendsReadsOnly(t *testing.T) {
	t.Parallel()
	checkUp(t, serving(t, except(soundService(t), func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is sent", r.Method, r.URL.Path)
		}
		return false
	})), nil)
}

func TestCheckUpFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	answers := func(status int, when func(*http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if when(r) {
				w.Header().Set("Location", "https://elsewhere.example.com/?key="+referenceKey)
				w.WriteHeader(status)
				_, _ = w.Write([]byte(`{"status": 1, "code": "` + referenceKey + `", "message": ""}`))
				return true
			}
			return false
		}
	}
	always := func(*http.Request) bool { return true }
	list := func(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.Path == "/v1/pets" }
	for name, c := range map[string]struct {
		own   func(http.ResponseWriter, *http.Request) bool
		check string
		state doctor.State
		says  string
	}{
		"a redirect":        {answers(302, list), "answer", doctor.Warned, "elsewhere.example.com"},
		"a login page":      {answers(302, always), "answer", doctor.Failed, "nothing of this interface answers"},
		"another path":      {answers(404, always), "answer", doctor.Failed, "POST /pets → 404 (text/plain), with the key and without it"},
		"a list of its own": {answers(404, list), "answer", doctor.Warned, "404"},
		"a failing gateway": {answers(502, always), "answer", doctor.Failed, "is down"},
		"a refused key":     {answers(401, always), "credential", doctor.Failed, "refused"},
		"keys that nobody looks at": {func(_ http.ResponseWriter, r *http.Request) bool {
			r.Header.Set("Authorization", "Bearer "+referenceKey)
			return false
		}, "anonymous", doctor.Warned, "200"},
		"a clock that is wrong": {func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Date", time.Now().Add(-48*time.Hour).UTC().Format(http.TimeFormat))
			return false
		}, "clock", doctor.Warned, "48h0m"},
		"no clock": {func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header()["Date"] = nil
			return false
		}, "clock", doctor.Skipped, "no date"},
	} {
		t.Run(name, func(t *testing.T) {
			got := checkUp(t, serving(t, except(soundService(t), c.own)), nil)[c.check]
			if got.State != c.state || !strings.Contains(got.Says, c.says) {
				t.Errorf("%s is %s: %s; it should be %s and say %q", c.check, got.State, got.Says, c.state, c.says)
			}
		})
	}
}

func TestCheckUpOfTheWay(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(soundService(t))
	defer secure.Close()
	choosy := httptest.NewUnstartedServer(soundService(t))
	choosy.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	choosy.StartTLS()
	defer choosy.Close()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	defer refusing.Close()
	trusting := func(c *steps.Config) {
		transport := client.NewTransport(1)
		transport.TLSClientConfig = &tls.Config{RootCAs: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, MinVersion: tls.VersionTLS12}
		c.Transport = transport
	}
	// Some servers answer a request without TLS with an alert of TLS, others with silence.
	alerting, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alerting.Close() }()
	go func() {
		for {
			conn, err := alerting.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = conn.Write([]byte("\x15\x03\x01\x00\x02\x02\x46"))
			_ = conn.Close()
		}
	}()
	plain := serving(t, soundService(t))
	for name, c := range map[string]struct {
		url    string
		change func(*steps.Config)
		check  string
		state  doctor.State
		says   string // of the check or its remedy
	}{
		"http:// where TLS answers":             {"http://" + alerting.Addr().String() + "/v1", nil, "answer", doctor.Failed, "TLS is spoken at this port: try https://" + alerting.Addr().String() + "/v1"},
		"https:// without TLS":                  {strings.Replace(plain, "http:", "https:", 1), nil, "TLS", doctor.Failed, "does not speak TLS at this port: try " + plain},
		"TLS that is trusted":                   {secure.URL + "/v1", trusting, "TLS", doctor.Good, "certificate of Acme Co until"},
		"an unknown authority":                  {secure.URL + "/v1", nil, "TLS", doctor.Failed, "unknown authority"},
		"TLS where there is none":               {strings.Replace(serving(t, soundService(t)), "http:", "https:", 1), nil, "TLS", doctor.Failed, "no agreement"},
		"nobody who listens":                    {"http://127.0.0.1:1/v1", nil, "TCP", doctor.Failed, "refused"},
		"and then nothing further":              {"http://127.0.0.1:1/v1", nil, "credential", doctor.Skipped, "cannot be reached"},
		"a name that is unknown":                {"http://nonesuch.invalid/v1", nil, "DNS", doctor.Failed, "nonesuch.invalid is not known"},
		"TLS that nobody spoke":                 {strings.Replace(secure.URL, "https:", "http:", 1) + "/v1", nil, "answer", doctor.Failed, "TLS is spoken at this port"},
		"a client that must have a certificate": {choosy.URL + "/v1", trusting, "answer", doctor.Failed, "no response came"},
		"a proxy that wants credentials": {"http://pets.invalid/v1", func(c *steps.Config) {
			transport := client.NewTransport(1)
			transport.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(refusing.URL) }
			c.Transport = transport
		}, "answer", doctor.Failed, "from the proxy"},
		"silence":      {serving(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })), nil, "answer", doctor.Failed, "no response came: EOF"},
		"a wrong name": {strings.Replace(secure.URL, "127.0.0.1", "localhost", 1) + "/v1", trusting, "TLS", doctor.Failed, "not localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			got := checkUp(t, c.url, c.change)[c.check]
			if got.State != c.state || !strings.Contains(got.Says+" → "+got.Remedy, c.says) {
				t.Errorf("%s is %s: %s; it should be %s and say %q", c.check, got.State, got.Says, c.state, c.says)
			}
		})
	}
}

func TestARunSaysBeforehandWhatItCanLiveWith(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	url := serving(t, except(soundService(t), func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Date", time.Now().Add(-48*time.Hour).UTC().Format(http.TimeFormat))
		return false
	}))
	var told []doctor.Check
	k.Run(t, url, referenceKey, func(c *steps.Config) { c.Notice = func(one doctor.Check) { told = append(told, one) } })
	if len(told) != 1 || told[0].Name != "clock" {
		t.Errorf("a clock is two days off, and the run says %+v", told)
	}
}
