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

	"hallmark/internal/skip"
	"hallmark/reports/verdict"
	"hallmark/steps/exchangetest"
)

// lagging is a shop whose readers see an animal only some time after it was created.
func lagging(lag time.Duration) *shop {
	var mu sync.Mutex
	born := map[string]time.Time{}
	fresh := func(p row) bool {
		mu.Lock()
		defer mu.Unlock()
		id := p["id"].(json.Number).String()
		at, known := born[id]
		return known && time.Since(at) < lag
	}
	service := newShop()
	service.change = func(r *http.Request, a *reply) {
		switch body := a.body.(type) {
		case row:
			if r.Method == http.MethodPost && a.status == http.StatusCreated {
				mu.Lock()
				born[body["id"].(json.Number).String()] = time.Now()
				mu.Unlock()
			} else if a.status == http.StatusOK && fresh(body) {
				*a = *errorReply(http.StatusNotFound)
			}
		case []row:
			visible := newShop()
			visible.pets = slices.DeleteFunc(slices.Clone(service.pets), fresh)
			a.body = visible.list(r).body
		}
	}
	return service
}

func TestStoresMayTakeAMomentWhenAsked(t *testing.T) {
	must(t, defaultSuite)
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
				case s == nil || s.Allowed != test.settle || s.Most > test.settle+mostSettle:
					t.Errorf("%+v", s)
				// Of two things at one moment of this clock nobody can say which came first, so that one may look late.
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

// Patience is for absence only: what is found and wrong counts at once, and so does a creation that leaves nothing behind.
func TestPatienceExcusesNoWrongContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := newShop()
		began := time.Now()
		service.change = func(r *http.Request, a *reply) {
			if body, ok := a.body.(row); ok && r.Method == http.MethodGet && a.status == http.StatusOK {
				a.body = altered(body, row{"name": "another"})
			}
		}
		st := rehearse(t, "get.created", service, func(c *Config) { c.Patience.Settle = time.Minute })
		st.do("createPet is called with a plain body", "it is read back as it was answered")
		if len(st.s.findings) == 0 || time.Since(began) != 0 {
			t.Errorf("%d findings after %v", len(st.s.findings), time.Since(began))
		}
	})
}

func TestTargetsAreWaitedFor(t *testing.T) {
	for name, test := range map[string]struct {
		until time.Duration
		how   func(*http.Request) (*reply, error)
		ready bool
		last  string
	}{
		"up already":   {0, nil, true, ""},
		"refused":      {7 * time.Second, func(*http.Request) (*reply, error) { return nil, errors.New("connection refused") }, true, "connection refused"},
		"bad gateway":  {7 * time.Second, func(*http.Request) (*reply, error) { return &reply{status: 502}, nil }, true, "status 502"},
		"unavailable":  {7 * time.Second, func(*http.Request) (*reply, error) { r := after(503, "1"); return &r, nil }, true, "status 503"},
		"gateway time": {7 * time.Second, func(*http.Request) (*reply, error) { return &reply{status: 504}, nil }, true, "status 504"},
		"never": {time.Hour, func(*http.Request) (*reply, error) {
			return nil, errors.New("tls: no such certificate")
		}, false, "tls: no such certificate"},
		"broken otherwise": {time.Hour, func(r *http.Request) (*reply, error) {
			if strings.HasSuffix(r.Header.Get("User-Agent"), "; waiting)") {
				return errorReply(500), nil
			}
			return nil, nil
		}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, defaultSuite)
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				service := newShop()
				var tries atomic.Int64
				gate := trip(func(r *http.Request) (*http.Response, error) {
					if time.Since(began) < test.until {
						tries.Add(1)
						a, err := test.how(r)
						if err != nil {
							return nil, err
						}
						if a != nil {
							if a.header == nil {
								a.header = http.Header{}
							}
							return a.response(r), nil
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
