package score

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

var whole = flag.String("whole", "", "measure all faults and freedoms of this service, and log what is not killed: bookshop, shop, desk, archive, library or signs")

// served is a service that keeps its contract.
type served struct {
	contract func(t *testing.T) []byte
	service  func() http.Handler
	secrets  map[string]string
}

func document(text []byte) func(*testing.T) []byte { return func(*testing.T) []byte { return text } }

// services are the services that faults are put in front of.
func services() map[string]served {
	return map[string]served{
		"bookshop": {func(t *testing.T) []byte {
			t.Helper()
			text, err := os.ReadFile(filepath.Join("..", "..", "examples", "bookshop", "openapi.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			return text
		}, func() http.Handler { return service.New("") }, map[string]string{"staff": service.StaffKey, "customer": service.CustomerToken}},
		"shop":    {document(shop.Contract()), func() http.Handler { return shop.New("") }, nil},
		"desk":    {document(shop.DeskContract()), func() http.Handler { return shop.NewDesk("") }, nil},
		"archive": {document(shop.ArchiveContract()), func() http.Handler { return shop.NewArchive("") }, nil},
		"library": {document(shop.LibraryContract()), func() http.Handler { return shop.NewLibrary("") }, nil},
		"signs":   {document(shop.SignsContract()), func() http.Handler { return shop.NewSigns("") }, nil},
	}
}

// derived returns a measurement of the suite derived from a service's contract, and its faults.
func derived(t *testing.T, s served) (*Derived, []fault.Fault) {
	t.Helper()
	c, err := openapi.Load(s.contract(t))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, loaded, err := steps.LoadPromises(p)
	if err != nil {
		t.Fatal(err)
	}
	secrets, schemes := map[string]scheme.Secret{}, scheme.All(c.Operations())
	for _, one := range schemes {
		secrets[one.Name] = scheme.Secret{Text: shop.Key}
		if secret := s.secrets[one.Name]; secret != "" {
			secrets[one.Name] = scheme.Secret{Text: secret}
		}
	}
	d := &Derived{Front: newFront(c, p), Workers: 2, Config: steps.Config{
		Options: scenario.Options{
			Target:   scenario.Target{BaseURL: "http://service.test", MaxCreated: 5000, Keyring: scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": {Secrets: secrets}}})},
			Contract: c, Catalogue: catalogue, Promises: p, Seed: 1, Concurrency: 4, Timeout: 10 * time.Second, Now: time.Now(), Agent: "test",
			Patience: scenario.Patience{Least: 60 * time.Millisecond},
		},
		Suite: loaded,
	}, Service: func() (http.Handler, func(), error) { return s.service(), func() {}, nil }}
	return d, Basis{Contract: c, Promises: p, Catalogue: catalogue}.Faults()
}

// A sample of faults in front of a service that keeps its contract is found by the rules that they break, and
// freedoms are accepted.
func TestFaultsAreFoundByTheirRules(t *testing.T) {
	chosen := []string{
		"openTicket.status.201-as-500", "readTicket.null.200-title", "openTicket.lost", "deleteTicket.not-deleted", "listTickets.ignores.limit", "openTicket.credential.missing",
		"openTicket.lenient.title-missing", "listTickets.deep.200-tickets-id",
	}
	d, all := derived(t, services()["desk"])
	var faults []fault.Fault
	for _, f := range all {
		if slices.Contains(chosen, f.Name) {
			faults = append(faults, f)
		}
	}
	m, err := d.Measure(t.Context(), faults, mutate.Freedoms()[:1])
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) != len(chosen) || m.Figures.Named != len(chosen) || m.Accepted != 1 || len(m.Broken) > 0 {
		t.Errorf("%d faults of %d, %+v, %d freedoms accepted, broken %q", len(faults), len(chosen), m.Figures, m.Accepted, m.Broken)
	}
}

// A 304 without the ETag is found by the rule about it, in front of a service that sends it.
func TestUntoldTagIsFound(t *testing.T) {
	d, all := derived(t, services()["signs"])
	i := slices.IndexFunc(all, func(f fault.Fault) bool { return f.Name == "readSign.tag.untold" })
	if i < 0 {
		t.Fatal("there is no such fault")
	}
	d.Config.Selection = suite.Selection{Rules: all[i].Rules}
	m, err := d.Measure(t.Context(), all[i:i+1], nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Figures.Named != 1 || len(m.Broken) > 0 {
		t.Errorf("%+v, broken before %q", m.Figures, m.Broken)
	}
}

// TestWhole measures all faults of a service: go test -run TestWhole -v -whole desk.
func TestWhole(t *testing.T) {
	if *whole == "" {
		t.Skip("-whole measures all faults of a service")
	}
	d, faults := derived(t, services()[*whole])
	t.Logf("%d faults", len(faults))
	d.Progress = func(o Outcome) {
		if o.Fate != Killed && o.Rules != nil || o.Fate == Killed && !o.Named || o.Elapsed > 10*time.Second && o.Rules != nil {
			t.Logf("%-14s %-50s %v %v (%d) %v %v", o.Fate, o.Name, o.Rules, o.Broken, o.Shown, o.Reason, o.Elapsed)
		}
	}
	m, err := d.Measure(t.Context(), faults, mutate.Freedoms())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v; accepted %d of %d; clean %v, all %v; %v %v", m.Figures, m.Accepted, len(m.Freedoms), m.Clean, m.Elapsed, m.Verdict, m.Broken)
	for _, o := range m.Freedoms {
		if o.Fate != Survived {
			t.Errorf("%s is accused: %v %v", o.Name, o.Broken, o.Reason)
		}
	}
}

// Each run of a measurement uses names of its own: a service that keeps what it was sent refuses names that it has
// seen.
func TestRunsOfAMeasurementHaveNamesOfTheirOwn(t *testing.T) {
	d, all := derived(t, services()["desk"])
	i := slices.IndexFunc(all, func(f fault.Fault) bool { return f.Name == "openTicket.status.201-as-500" })
	d.Config.ID, d.Workers = "given1", 1
	var mu sync.Mutex
	runs, next := map[string]bool{}, d.Service
	d.Service = func() (http.Handler, func(), error) {
		service, end, err := next()
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, of, _ := strings.Cut(r.UserAgent(), "(run ")
			id, _, _ := strings.Cut(of, ";")
			mu.Lock()
			runs[strings.TrimSuffix(id, ")")] = true
			mu.Unlock()
			service.ServeHTTP(w, r)
		}), end, err
	}
	if _, err := d.Measure(t.Context(), all[i:i+1], nil); err != nil {
		t.Fatal(err)
	}
	if len(runs) < 2 || runs["given1"] {
		t.Errorf("the runs are %v", runs)
	}
}
