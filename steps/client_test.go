package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hallmark/spec"
)

// trip is a transport that one function makes.
type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r)
}

// script answers the requests in turn; the last reply goes on for ever. It counts what it was asked.
type script struct {
	replies []reply
	asked   []asked
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	a := s.replies[min(len(s.asked), len(s.replies)-1)]
	s.asked = append(s.asked, asked{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Clone(), body, r.Body != nil})
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.response(r), nil
}

// after is a response that asks to come again later.
func after(status int, retryAfter string) reply {
	a := reply{status: status, body: "busy"}
	if retryAfter != "" {
		a.header = http.Header{"Retry-After": {retryAfter}}
	}
	return a
}

func testClient(transport http.RoundTripper) *client {
	return newClient(transport, Target{BaseURL: "http://pets.test/v1", Key: shopKey}, 10*time.Second, "hallmark/test")
}

var (
	aList     = call{operation: "listPets", method: "GET", path: "/pets", query: "limit=3", credential: rightCredential(shopKey)}
	aCreation = call{
		operation: "createPet", method: "POST", path: "/pets", credential: rightCredential(shopKey),
		body: []byte(`{"name": "x"}`), mediaType: "application/json",
	}
	fine = reply{status: 200, body: "[]"}
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	const none = time.Duration(-1)
	for _, test := range []struct {
		status int
		value  string
		delays int
		want   time.Duration
	}{
		{429, "2", 0, 2 * time.Second},
		{503, "2", 0, 2 * time.Second},
		{503, " 2 ", 0, 2 * time.Second},
		{429, "0", 0, 5 * time.Millisecond},
		{503, "0", 9, 5 * time.Millisecond},
		{429, date(3 * time.Second), 0, 3 * time.Second},
		{503, date(3 * time.Second), 0, 3 * time.Second},
		{503, date(-time.Hour), 0, 5 * time.Millisecond},
		{429, "", 0, 20 * time.Millisecond},
		{429, "", 1, 40 * time.Millisecond},
		{429, "", 5, 640 * time.Millisecond},
		{429, "", 6, none},
		{429, "soon", 0, 20 * time.Millisecond},
		{429, "-1", 0, 20 * time.Millisecond},
		{503, "", 0, none},
		{503, "soon", 0, none},
		{503, "-1", 0, none},
		{503, "1.5", 0, none},
		{200, "1", 0, none},
		{500, "1", 0, none},
		{502, "1", 0, none},
		{401, "1", 0, none},
		{301, "1", 0, none},
	} {
		resp := &http.Response{StatusCode: test.status, Header: http.Header{}}
		if test.value != "" {
			resp.Header.Set("Retry-After", test.value)
		}
		got, ok := retryAfter(resp, test.delays, now)
		if ok != (test.want != none) || ok && got != test.want {
			t.Errorf("%d, %q, after %d: %v, %v; want %v", test.status, test.value, test.delays, got, ok, test.want)
		}
	}
}

// Time passes in these tests without anybody waiting for it.
func TestBackPressureIsWaitedOut(t *testing.T) {
	half := strconv.Itoa(int(maxWaiting / 2 / time.Second))
	for name, test := range map[string]struct {
		replies  []reply
		what     call
		requests int
		waits    time.Duration
		status   int // 0: no response
	}{
		"not busy":                    {[]reply{fine}, aList, 1, 0, 200},
		"429 once":                    {[]reply{after(429, "2"), fine}, aList, 2, 2 * time.Second, 200},
		"503 once, to a creation":     {[]reply{after(503, "1"), {status: 201}}, aCreation, 2, time.Second, 201},
		"both in turn":                {[]reply{after(503, "1"), after(429, "3"), after(429, ""), fine}, aList, 4, 4*time.Second + 80*time.Millisecond, 200},
		"429 without a time":          {[]reply{after(429, ""), after(429, ""), fine}, aList, 3, 60 * time.Millisecond, 200},
		"429 for ever, without one":   {[]reply{after(429, "")}, aList, 7, 1260 * time.Millisecond, 429},
		"503 without a time":          {[]reply{after(503, ""), fine}, aList, 1, 0, 503},
		"at once, for ever":           {[]reply{after(429, "0")}, aList, 21, 100 * time.Millisecond, 0},
		"each second, for ever":       {[]reply{after(503, "1")}, aList, 21, 20 * time.Second, 0},
		"longer than anybody waits":   {[]reply{after(503, "3600"), fine}, aList, 1, 0, 0},
		"as long as anybody waits":    {[]reply{after(429, half), after(429, half), fine}, aList, 3, maxWaiting, 200},
		"longer than that in all":     {[]reply{after(429, half), after(429, half+"1"), fine}, aList, 2, maxWaiting / 2, 0},
		"a response with Retry-After": {[]reply{{status: 200, body: "[]", header: http.Header{"Retry-After": {"9"}}}}, aList, 1, 0, 200},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &script{replies: test.replies}
				began := time.Now()
				ex, err := testClient(service).do(t.Context(), test.what)
				if err != nil {
					t.Fatal(err)
				}
				if len(service.asked) != test.requests || time.Since(began) != test.waits {
					t.Errorf("%d requests in %v, want %d in %v", len(service.asked), time.Since(began), test.requests, test.waits)
				}
				switch {
				case test.status == 0 && (ex.Response != nil || !strings.Contains(ex.Lost, "come back later")):
					t.Errorf("answered %+v, lost %q; want it to be given up", ex.Response, ex.Lost)
				case test.status != 0 && (ex.Response == nil || ex.Response.Status != test.status || ex.Lost != ""):
					t.Errorf("answered %+v, lost %q; want %d", ex.Response, ex.Lost, test.status)
				}
				if delays := test.requests - 1; test.status != 0 && ex.Delays != delays {
					t.Errorf("%d delays, want %d", ex.Delays, delays)
				}
				if test.status != 0 && !ex.Started.Equal(began.Add(test.waits)) {
					t.Error("the waiting counts as the service's time")
				}
				for _, a := range service.asked {
					if string(a.body) != string(test.what.body) || a.query != test.what.query {
						t.Errorf("a repeated request is another: %+v", a)
					}
				}
			})
		})
	}
}

func TestWaitingEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		_, err := testClient(&script{replies: []reply{after(503, "50")}}).do(ctx, aList)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestAnAnswerHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := trip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		began := time.Now()
		ex, err := testClient(silent).do(t.Context(), aList)
		if err != nil || ex.Response != nil || ex.Lost != "no whole response within 10s (--timeout)" || time.Since(began) != 10*time.Second {
			t.Errorf("%v, lost %q after %v", err, ex.Lost, time.Since(began))
		}
		if ex.Elapsed != 10*time.Second {
			t.Errorf("elapsed %v", ex.Elapsed)
		}
	})
}

// slowBody sends a little, and the rest never.
type slowBody struct{ ctx context.Context }

func (b slowBody) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}
func (slowBody) Close() error { return nil }

func TestAnAnswerHasItsTimeToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dripping := trip(func(r *http.Request) (*http.Response, error) {
			resp := (&reply{status: 200, header: http.Header{}}).response(r)
			resp.Body = slowBody{r.Context()}
			return resp, nil
		})
		ex, err := testClient(dripping).do(t.Context(), aList)
		if err != nil || ex.Response != nil || !strings.Contains(ex.Lost, "within 10s") {
			t.Errorf("%v, lost %q", err, ex.Lost)
		}
	})
}

func TestRequestsAsTheyAreSent(t *testing.T) {
	service := &script{replies: []reply{fine}}
	if _, err := testClient(service).do(t.Context(), aList); err != nil {
		t.Fatal(err)
	}
	a := service.asked[0]
	if a.method != "GET" || a.path != "/v1/pets" || a.query != "limit=3" || a.hasBody {
		t.Errorf("sent %s %s?%s, with a body: %v", a.method, a.path, a.query, a.hasBody)
	}
	want := http.Header{
		"Accept": {"application/json"}, "User-Agent": {"hallmark/test"}, "Authorization": {"Bearer " + shopKey},
	}
	if diff := cmp.Diff(want, a.header); diff != "" {
		t.Error(diff)
	}
}

func TestContentTypeAsItIsSent(t *testing.T) {
	for name, test := range map[string]struct {
		body      []byte
		mediaType string
		want      string
		hasBody   bool
	}{
		"a body":                    {[]byte("{}"), "application/json", "[application/json]", true},
		"an empty body":             {[]byte{}, "application/json", "[application/json]", true},
		"a body of no type":         {[]byte("{}"), "", "[]", true},
		"no body":                   {nil, "", "[]", false},
		"no body but a type for it": {nil, "application/json", "[application/json]", false},
	} {
		service := &script{replies: []reply{fine}}
		what := aCreation
		what.body, what.mediaType = test.body, test.mediaType
		if _, err := testClient(service).do(t.Context(), what); err != nil {
			t.Fatal(err)
		}
		a := service.asked[0]
		if got := fmt.Sprint(a.header["Content-Type"]); got != test.want || len(test.body) > 0 != (len(a.body) > 0) || a.hasBody != test.hasBody {
			t.Errorf("%s: type %s, body %q, there: %v", name, got, a.body, a.hasBody)
		}
	}
}

// The key is sent, and kept out of the record of the exchange.
func TestTheKeyStaysOutOfExchanges(t *testing.T) {
	for _, words := range allWords() {
		c, err := makeCredential(words, shopKey)
		if err != nil {
			t.Fatal(err)
		}
		what := aList
		what.credential = c
		service := &script{replies: []reply{fine}}
		ex, err := testClient(service).do(t.Context(), what)
		if err != nil {
			t.Fatal(err)
		}
		a := service.asked[0]
		if got := a.header.Get("Authorization"); got != c.header || (len(a.header["Authorization"]) > 0) != c.present {
			t.Errorf("%s: sent %q", words, got)
		}
		if c.query != "" && a.query != "limit=3&api_key="+shopKey {
			t.Errorf("%s: the query was %s", words, a.query)
		}
		if got := ex.Request.Header.Get("Authorization"); got != c.shown {
			t.Errorf("%s: recorded as %q", words, got)
		}
		if all := fmt.Sprint(*ex); strings.Contains(all, shopKey) {
			t.Errorf("%s: the key stands in %s", words, all)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, what := range []call{aList, aCreation} {
			service := &script{replies: []reply{{status: status, header: http.Header{"Location": {"/v1/pets/"}}}, fine}}
			ex, err := testClient(service).do(t.Context(), what)
			if err != nil || ex.Response == nil || ex.Response.Status != status || len(service.asked) != 1 {
				t.Errorf("%d to %s: %+v, %v, %d requests", status, what.method, ex, err, len(service.asked))
			}
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '['
	}
	return len(p), nil
}

func TestEndlessAnswersAreCut(t *testing.T) {
	flood := trip(func(r *http.Request) (*http.Response, error) {
		resp := (&reply{status: 200, header: http.Header{}}).response(r)
		resp.Body, resp.ContentLength = io.NopCloser(endless{}), -1
		return resp, nil
	})
	ex, err := testClient(flood).do(t.Context(), aList)
	if err != nil || ex.Response == nil || !ex.Response.TooLong || len(ex.Response.Body) != maxAnswer {
		t.Errorf("%v, lost %q", err, ex.Lost)
	}
}

// errGone is what a transport says of a connection that broke.
var errGone = errors.New("connection reset by peer")

func TestLostConnections(t *testing.T) {
	for name, test := range map[string]struct {
		lose      int // so many requests, from the first
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
			service := newShop()
			service.lose = func(*http.Request) error {
				if len(service.asked) <= test.lose {
					return errGone
				}
				return nil
			}
			st := rehearse(t, "answer.status", service)
			err := st.play(test.step)
			if errors.Is(err, errLost) != test.lost || err != nil && !test.lost {
				t.Errorf("%v, want it to be lost: %v", err, test.lost)
			}
			if len(service.asked) != test.requests || len(st.s.exchanges) != test.exchanges {
				t.Errorf("%d requests, %d exchanges; want %d and %d", len(service.asked), len(st.s.exchanges), test.requests, test.exchanges)
			}
			if (st.s.lost != "") != test.lost || (st.s.losses > 0) != test.lost || st.s.run.lostText != "" {
				t.Errorf("noted as lost: %q, %d, %q", st.s.lost, st.s.losses, st.s.run.lostText)
			}
			st.finds()
		})
	}
}

func TestSeveralLostInARowEndTheRun(t *testing.T) {
	var lose func(n int) bool
	service := newShop()
	service.lose = func(*http.Request) error {
		if lose(len(service.asked)) {
			return errGone
		}
		return nil
	}
	begin := func(t *testing.T) (*rehearsal, *error) {
		service.asked = nil
		st := rehearse(t, "answer.status", service)
		var ended error
		st.s.run.cancel = func(cause error) { ended = cause }
		return st, &ended
	}
	t.Run("five", func(t *testing.T) {
		lose = func(int) bool { return true }
		st, ended := begin(t)
		for i := range maxLost {
			if *ended != nil {
				t.Fatalf("the run ended after %d", i)
			}
			_ = st.play("createPet is called")
		}
		var outage errOutage
		if !errors.As(*ended, &outage) || !strings.Contains(outage.text, "connection reset by peer") {
			t.Errorf("the run ended by %v", *ended)
		}
	})
	t.Run("never so many in a row", func(t *testing.T) {
		lose = func(n int) bool { return n%maxLost != 0 }
		st, ended := begin(t)
		for range 4 * maxLost {
			_ = st.play("createPet is called")
		}
		if *ended != nil {
			t.Errorf("the run ended by %v", *ended)
		}
	})
}

// Over a network: neither the client nor the transport below it repeats a creation, also on a connection that was used
// before, where a transport is tempted to.
func TestCreationsAreNeverSentTwice(t *testing.T) {
	var lists, creations atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			lists.Add(1)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, "[]")
			return
		}
		creations.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		conn.Close()
	}))
	defer server.Close()
	transport := NewTransport(2)
	defer transport.CloseIdleConnections()
	c := newClient(transport, Target{BaseURL: server.URL + "/v1", Key: shopKey}, 10*time.Second, "hallmark/test")
	for i := range 5 {
		if ex, err := c.do(t.Context(), aList); err != nil || ex.Response == nil {
			t.Fatalf("%+v, %v", ex, err)
		}
		ex, err := c.do(t.Context(), aCreation)
		if err != nil || ex.Lost == "" || ex.Response != nil {
			t.Fatalf("%+v, %v", ex, err)
		}
		if n := creations.Load(); n != int64(i)+1 {
			t.Fatalf("%d creations arrived, want %d", n, i+1)
		}
	}
	if lists.Load() != 5 {
		t.Errorf("%d lists arrived", lists.Load())
	}
}

func TestExchangesAreNumbered(t *testing.T) {
	c := testClient(&script{replies: []reply{fine}})
	var seqs []int
	for range 3 {
		ex, err := c.do(t.Context(), aList)
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, ex.Seq)
		if ex.Operation != "listPets" || ex.Request.URL != "http://pets.test/v1/pets?limit=3" || ex.Request.Method != "GET" {
			t.Errorf("%+v", ex)
		}
		if value := spec.Decode(ex.Response); !value.Valid {
			t.Error("its body is lost")
		}
	}
	if fmt.Sprint(seqs) != "[1 2 3]" {
		t.Errorf("numbers %v", seqs)
	}
}
