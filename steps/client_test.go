package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// trip is a transport implemented by a function.
type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r)
}

// after returns a response that asks the client to retry later.
func after(status int, retryAfter string) rehearse.Reply {
	a := rehearse.Reply{Status: status, Body: "busy"}
	if retryAfter != "" {
		a.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return a
}

var (
	aList     = client.Call{Operation: "listPets", Method: "GET", Path: "/pets", Query: "limit=3", Credential: credentials.Right(rehearse.Key).Client()}
	aCreation = client.Call{
		Operation: "createPet", Method: "POST", Path: "/pets", Credential: credentials.Right(rehearse.Key).Client(),
		Body: []byte(`{"name": "x"}`), MediaType: "application/json",
	}
)

// The key is sent, but does not appear in the record of the exchange.
func TestTheKeyStaysOutOfExchanges(t *testing.T) {
	for _, words := range credentials.Words() {
		c, err := credentials.Make(words, rehearse.Key)
		if err != nil {
			t.Fatal(err)
		}
		what := aList
		what.Credential = c.Client()
		var a rehearse.Asked
		service := trip(func(r *http.Request) (*http.Response, error) {
			a = rehearse.Asked{Query: r.URL.RawQuery, Header: r.Header.Clone()}
			return (&rehearse.Reply{Status: 200, Body: "[]", Header: http.Header{}}).Response(r), nil
		})
		cfg := Config{
			Options: scenario.Options{
				Target: scenario.Target{BaseURL: "http://pets.test/v1", Key: rehearse.Key}, Timeout: 10 * time.Second, Transport: service,
				Agent: "hallmark/test",
			},
		}
		ex, err := cfg.Options.NewClient().Do(t.Context(), what)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Header.Get("Authorization"); got != c.Header || (len(a.Header["Authorization"]) > 0) != c.Present {
			t.Errorf("%s: sent %q", words, got)
		}
		if got := ex.Request.Header.Get("Authorization"); got != c.Shown {
			t.Errorf("%s: recorded as %q", words, got)
		}
		if all := fmt.Sprint(*ex); strings.Contains(all, rehearse.Key) {
			t.Errorf("%s: the key stands in %s", words, all)
		}
	}
}

// errGone is a transport's error for a broken connection.
var errGone = errors.New("connection reset by peer")

func TestLostConnections(t *testing.T) {
	for name, test := range map[string]struct {
		lose      int // the number of lost requests, from the first
		step      string
		requests  int
		lost      bool
		exchanges int
	}{
		"a list, once":     {1, "listPets is called", 2, false, 1},
		"a list, twice":    {2, "listPets is called", 2, true, 1},
		"a reading, once":  {1, "getPet is called with petId 7", 2, false, 1},
		"a creation, once": {1, "createPet is called", 1, true, 1},
		"none":             {0, "createPet is called", 1, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Lose = func(*http.Request) error {
				if len(service.Asked) <= test.lose {
					return errGone
				}
				return nil
			}
			st := rehearse.New(t, "answer.status", service)
			err := st.Play(test.step)
			if errors.Is(err, scenario.ErrLost) != test.lost || err != nil && !test.lost {
				t.Errorf("%v, want it to be lost: %v", err, test.lost)
			}
			if len(service.Asked) != test.requests || len(st.Scenario.Exchanges()) != test.exchanges {
				t.Errorf("%d requests, %d exchanges; want %d and %d", len(service.Asked), len(st.Scenario.Exchanges()), test.requests, test.exchanges)
			}
			if (st.Scenario.Lost() != "") != test.lost || st.Scenario.PlaysAgain(t.Context()) != test.lost || st.Scenario.Run.LostText() != "" {
				t.Errorf("noted as lost: %q, %q", st.Scenario.Lost(), st.Scenario.Run.LostText())
			}
			st.Finds()
		})
	}
}

func TestSeveralLostInARowEndTheRun(t *testing.T) {
	var lose func(n int) bool
	service := rehearse.NewShop()
	service.Lose = func(*http.Request) error {
		if lose(len(service.Asked)) {
			return errGone
		}
		return nil
	}
	begin := func(t *testing.T) (st *rehearse.Rehearsal, ended func() error) {
		service.Asked = nil
		st = rehearse.New(t, "answer.status", service)
		ctx, release := st.Scenario.Run.Bind(t.Context())
		t.Cleanup(release)
		return st, func() error { return context.Cause(ctx) }
	}
	t.Run("five", func(t *testing.T) {
		lose = func(int) bool { return true }
		st, ended := begin(t)
		for i := range client.MaxLost {
			if ended() != nil {
				t.Fatalf("the run ended after %d", i)
			}
			_ = st.Play("createPet is called")
		}
		var outage scenario.Outage
		if !errors.As(ended(), &outage) || !strings.Contains(outage.Text, "connection reset by peer") {
			t.Errorf("the run ended by %v", ended())
		}
	})
	t.Run("never so many in a row", func(t *testing.T) {
		lose = func(n int) bool { return n%client.MaxLost != 0 }
		st, ended := begin(t)
		for range 4 * client.MaxLost {
			_ = st.Play("createPet is called")
		}
		if ended() != nil {
			t.Errorf("the run ended by %v", ended())
		}
	})
}
