package impostor

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/tests/skip"
)

const testKey = "sesame-Open-71f3c"

// TestNames expects variants to be described, each by a name of its own.
func TestNames(t *testing.T) {
	form := regexp.MustCompile(`^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$`)
	seen := map[string]bool{}
	for _, v := range append(Legal(), Broken()...) {
		if !form.MatchString(v.Name) {
			t.Errorf("%q is no name", v.Name)
		}
		if seen[v.Name] {
			t.Errorf("%q is there twice", v.Name)
		}
		seen[v.Name] = true
		if !strings.HasSuffix(v.Says, ".") || strings.Count(v.Says, "\n") > 0 {
			t.Errorf("%s: %q is no sentence", v.Name, v.Says)
		}
		if v.Family == "" {
			t.Errorf("%s belongs to no family", v.Name)
		}
		if v.Now != "" {
			if _, err := time.Parse(time.DateOnly, v.Now); err != nil {
				t.Errorf("%s: %v", v.Name, err)
			}
		}
	}
	for _, v := range Legal() {
		if v.Rule != "" || v.Chance {
			t.Errorf("%s is legal and yet breaks %q", v.Name, v.Rule)
		}
	}
	for _, v := range Broken() {
		if v.Rule == "" {
			t.Errorf("%s breaks nothing", v.Name)
		}
	}
}

// TestCounts expects enough variants to measure with.
func TestCounts(t *testing.T) {
	if n := len(Legal()); n < 55 {
		t.Errorf("only %d legal variants", n)
	}
	if n := len(Broken()); n < 150 {
		t.Errorf("only %d broken variants", n)
	}
}

// removed reports whether getPet need not be there on the variant's day.
func removed(v Variant) bool { return v.Now >= "2030-12-05" }

// TestLegal examines every legal variant and expects nothing to object to.
func TestLegal(t *testing.T) {
	for i, v := range Legal() {
		t.Run(v.Name, func(t *testing.T) {
			if testing.Short() && i%6 != 0 {
				t.Skip("-short: only a sample of the variants is examined")
			}
			t.Parallel()
			s := v.service(testKey)
			s.sleep = func(d time.Duration) { time.Sleep(d / 100) }
			if v.Family == "transport" {
				examineOverNetwork(t, v, s)
				return
			}
			end := s.begin()
			defer end()
			w := newWitness(testKey, "http://pets.test"+s.prefix, inProcess(s), removed(v))
			inspect(w)
			for _, fault := range w.faults {
				t.Error(fault)
			}
		})
	}
}

// inspect examines a service that ought to be legal; under the race detector,
// which makes that slow, it has a examineBriefly only.
func inspect(w *witness) {
	if skip.RaceDetector {
		w.examineBriefly()
	} else {
		w.examine(true)
	}
}

func examineOverNetwork(t *testing.T, v Variant, s *service) {
	t.Helper()
	r := v.launch(s)
	defer r.Stop()
	client := clientFor(t, r)
	w := newWitness(testKey, r.BaseURL, client.Do, removed(v))
	inspect(w)
	for _, fault := range w.faults {
		t.Error(fault)
	}
}

// clientFor trusts the certificate and follows no redirects.
func clientFor(t *testing.T, r Running) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 8, ForceAttemptHTTP2: true}
	if r.CA != nil {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(r.CA) {
			t.Fatal("the certificate is none")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// TestStart has a short conversation with every legal variant over a network.
func TestStart(t *testing.T) {
	for _, v := range Legal() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := v.Launch(testKey)
			defer r.Stop()
			if !strings.HasSuffix(r.BaseURL, "/v1") || strings.HasPrefix(r.BaseURL, "https:") != v.TLS {
				t.Fatalf("address %s", r.BaseURL)
			}
			w := newWitness(testKey, r.BaseURL, clientFor(t, r).Do, removed(v))
			w.ask(request{op: listPets, path: "/pets", auth: "-", expect: []int{401}})
			p, ok := w.create("conversation", 1, "pending", false)
			if ok {
				w.read(p)
			}
			w.presence()
			for _, fault := range w.faults {
				t.Error(fault)
			}
		})
	}
}

// TestBroken examines every broken variant and expects an objection.
func TestBroken(t *testing.T) {
	byCredential := []string{"auth", "bodies", "errors", "media", "statuses"}
	for _, v := range Broken() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			rounds := 1
			if v.Chance {
				rounds = 3
			}
			for range rounds {
				s := v.service(testKey)
				end := s.begin()
				w := newWitness(testKey, "http://pets.test"+s.prefix, inProcess(s), removed(v))
				w.examine(slices.Contains(byCredential, v.Family))
				if !w.objects() && v.Chance {
					w.wait(1100 * time.Millisecond)
				}
				end()
				if w.objects() {
					t.Log(w.faults[0])
					return
				}
			}
			t.Error("nothing to object to")
		})
	}
}
