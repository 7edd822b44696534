package steps

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// lagging returns a shop whose reads show an animal only some time after its creation.
func lagging(lag time.Duration) *rehearse.Shop {
	var mu sync.Mutex
	born := map[string]time.Time{}
	fresh := func(p rehearse.Row) bool {
		mu.Lock()
		defer mu.Unlock()
		id := p["id"].(json.Number).String()
		at, known := born[id]
		return known && time.Since(at) < lag
	}
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		switch body := a.Body.(type) {
		case rehearse.Row:
			if r.Method == http.MethodPost && a.Status == http.StatusCreated {
				mu.Lock()
				born[body["id"].(json.Number).String()] = time.Now()
				mu.Unlock()
			} else if a.Status == http.StatusOK && fresh(body) {
				*a = *rehearse.ErrorReply(http.StatusNotFound)
			}
		case []rehearse.Row:
			visible := rehearse.NewShop()
			visible.Pets = slices.DeleteFunc(slices.Clone(service.Pets), fresh)
			a.Body = visible.List(r).Body
		}
	}
	return service
}

func TestStoresMayTakeAMomentWhenAsked(t *testing.T) {
	rehearse.Must(t, rehearse.Suite)
	for name, test := range map[string]struct {
		lag, settle time.Duration
		exit        int
	}{
		"at once, not asked to wait":   {0, 0, verdict.ExitOK},
		"at once":                      {0, time.Second, verdict.ExitOK},
		"a moment":                     {300 * time.Millisecond, 2 * time.Second, verdict.ExitOK},
		"a moment, not asked to wait":  {300 * time.Millisecond, 0, verdict.ExitViolated},
		"longer than it was asked for": {time.Hour, 100 * time.Millisecond, verdict.ExitViolated},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			synctest.Test(t, func(t *testing.T) {
				p := playRun(t, t.Context(), lagging(test.lag), func(c *Config) { c.Patience.Settle = test.settle })
				if p.err != nil || p.res.ExitCode != test.exit {
					t.Errorf("%v, exit code %d, want %d: %s\n%s", p.err, p.res.ExitCode, test.exit, p.res.Because, exchangetest.Lines(p.musts(t)))
				}

				s := p.rec.Patience.Settled
				switch {
				case test.settle == 0 && s != nil:
					t.Errorf("nobody asked for patience, and yet: %+v", s)
				case test.settle == 0:
				case s == nil || s.Allowed != test.settle || s.Most > test.settle+scenario.MostSettle:
					t.Errorf("%+v", s)
				// The order of two events at one moment of this clock is undefined, so one may look late.
				case test.lag == 0 && (s.Times > 3 || s.Never != 0):
					t.Errorf("nothing had to settle, and yet: %+v", s)
				case test.lag > 0 && test.exit == 0 && (s.Times < 10 || s.Never != 0 || s.Most < test.lag/2 || s.Total < s.Most):
					t.Errorf("%+v", s)
				case test.exit != 0 && s.Never == 0:
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

// Patience applies to absence only: wrong content counts at once, and so does a creation that stores nothing.
func TestPatienceExcusesNoWrongContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := rehearse.NewShop()
		began := time.Now()
		service.Change = func(r *http.Request, a *rehearse.Reply) {
			if body, ok := a.Body.(rehearse.Row); ok && r.Method == http.MethodGet && a.Status == http.StatusOK {
				a.Body = rehearse.Altered(body, rehearse.Row{"name": "another"})
			}
		}
		st := rehearse.New(t, "get.created", service, func(c *scenario.Options) { c.Patience.Settle = time.Minute })
		st.Do("createPet is called", "it is read", "it is shown as its creation showed it")
		if len(st.Scenario.Findings()) == 0 || time.Since(began) != 0 {
			t.Errorf("%d findings after %v", len(st.Scenario.Findings()), time.Since(began))
		}
	})
}

func TestTargetsAreWaitedFor(t *testing.T) {
	for name, test := range map[string]struct {
		until time.Duration
		how   func(*http.Request) (*rehearse.Reply, error)
		ready bool
		last  string
	}{
		"up already":   {0, nil, true, ""},
		"refused":      {7 * time.Second, func(*http.Request) (*rehearse.Reply, error) { return nil, errors.New("connection refused") }, true, "connection refused"},
		"bad gateway":  {7 * time.Second, func(*http.Request) (*rehearse.Reply, error) { return &rehearse.Reply{Status: 502}, nil }, true, "status 502"},
		"unavailable":  {7 * time.Second, func(*http.Request) (*rehearse.Reply, error) { r := after(503, "1"); return &r, nil }, true, "status 503"},
		"gateway time": {7 * time.Second, func(*http.Request) (*rehearse.Reply, error) { return &rehearse.Reply{Status: 504}, nil }, true, "status 504"},
		"never": {time.Hour, func(*http.Request) (*rehearse.Reply, error) {
			return nil, errors.New("tls: no such certificate")
		}, false, "tls: no such certificate"},
		"broken otherwise": {time.Hour, func(r *http.Request) (*rehearse.Reply, error) {
			if strings.HasSuffix(r.Header.Get("User-Agent"), "; waiting)") {
				return rehearse.ErrorReply(500), nil
			}
			return nil, nil
		}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rehearse.Must(t, rehearse.Suite)
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				service := rehearse.NewShop()
				var tries atomic.Int64
				gate := trip(func(r *http.Request) (*http.Response, error) {
					if time.Since(began) < test.until {
						tries.Add(1)
						a, err := test.how(r)
						if err != nil {
							return nil, err
						}
						if a != nil {
							if a.Header == nil {
								a.Header = http.Header{}
							}
							return a.Response(r), nil
						}
					}
					return service.RoundTrip(r)
				})
				p := playRun(t, t.Context(), gate, func(c *Config) {
					c.ID, c.Patience.Wait, c.Selection.Tags = "k3j9x2", time.Minute, "@phase:first"
				})
				seen := p.rec.Patience.Ready
				var away Unreachable
				switch {
				case seen == nil:
					t.Fatal("nothing tells how long it took")
				case !test.ready && (!errors.As(p.err, &away) || !strings.Contains(away.Reason, "not ready within 1m0s (--wait)") || !strings.Contains(away.Reason, test.last)):
					t.Errorf("%v", p.err)
				case test.ready && p.err != nil:
					t.Error(p.err)
				case seen.Last != test.last || test.ready && seen.Took < min(test.until, 7*time.Second) && test.last != "":
					t.Errorf("%+v", seen)
				case test.ready && seen.Took > 7*time.Second+mostPause:
					t.Errorf("it took %v to see that the target was up", seen.Took)
				case tries.Load() > 40 && !test.ready:
					t.Errorf("%d tries", tries.Load())
				}
			})
		})
	}
}
