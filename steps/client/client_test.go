package client_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

const apiKey = "Client-Key-4711-abcXYZ"

// trip is a transport implemented by a function.
type trip func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f trip) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r)
}

// reply is a response to be sent.
type reply struct {
	status int
	header http.Header
	body   string
}

func (a *reply) response(r *http.Request) *http.Response {
	return &http.Response{
		StatusCode: a.status, Status: strconv.Itoa(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
	}
}

// after returns a response that asks the client to retry later.
func after(status int, retryAfter string) reply {
	a := reply{status: status, body: "busy"}
	if retryAfter != "" {
		a.header = http.Header{"Retry-After": {retryAfter}}
	}
	return a
}

// asked is a received request.
type asked struct {
	method, path, query string
	header              http.Header
	body                []byte
	hasBody             bool
}

var (
	rightKey  = client.Credential{Header: "Bearer " + apiKey, Present: true, Shown: "Bearer $HALLMARK_API_KEY"}
	aList     = client.Call{Operation: "listPets", Method: "GET", Path: "/pets", Query: "limit=3", Credential: rightKey}
	aCreation = client.Call{
		Operation: "createPet", Method: "POST", Path: "/pets", Credential: rightKey,
		Body: []byte(`{"name": "x"}`), MediaType: "application/json",
	}
	fine = reply{status: 200, body: "[]"}
)

// script answers the requests in turn, repeating the last reply, and records them.
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

func testClient(transport http.RoundTripper) *client.Client {
	return newClient(transport, "http://pets.test")
}

func newClient(transport http.RoundTripper, server string) *client.Client {
	return client.New(client.Options{
		Transport: transport, BaseURL: server + "/v1", Redactor: redact.New(redact.Secret{Text: apiKey, Shown: "$HALLMARK_API_KEY"}),
		Timeout: 10 * time.Second, Agent: "hallmark/test",
	})
}

// maxWaiting is how long one request waits for a busy service.
const maxWaiting = 3 * time.Minute

// These tests run with a fake clock.
func TestBackPressureIsWaitedOut(t *testing.T) {
	half := strconv.Itoa(int(maxWaiting / 2 / time.Second))
	for name, test := range map[string]struct {
		replies  []reply
		what     client.Call
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
				ex, err := testClient(service).Do(t.Context(), test.what)
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
					if string(a.body) != string(test.what.Body) || a.query != test.what.Query {
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
		_, err := testClient(&script{replies: []reply{after(503, "50")}}).Do(ctx, aList)
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
		ex, err := testClient(silent).Do(t.Context(), aList)
		if err != nil || ex.Response != nil || ex.Lost != "no whole response within 10s (--timeout)" || time.Since(began) != 10*time.Second {
			t.Errorf("%v, lost %q after %v", err, ex.Lost, time.Since(began))
		}
		if ex.Elapsed != 10*time.Second {
			t.Errorf("elapsed %v", ex.Elapsed)
		}
	})
}

// slowBody sends a little, and then nothing.
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
		ex, err := testClient(dripping).Do(t.Context(), aList)
		if err != nil || ex.Response != nil || !strings.Contains(ex.Lost, "within 10s") {
			t.Errorf("%v, lost %q", err, ex.Lost)
		}
	})
}

func TestRequestsAsTheyAreSent(t *testing.T) {
	service := &script{replies: []reply{fine}}
	if _, err := testClient(service).Do(t.Context(), aList); err != nil {
		t.Fatal(err)
	}
	a := service.asked[0]
	if a.method != "GET" || a.path != "/v1/pets" || a.query != "limit=3" || a.hasBody {
		t.Errorf("sent %s %s?%s, with a body: %v", a.method, a.path, a.query, a.hasBody)
	}
	want := http.Header{
		"Accept": {"application/json"}, "User-Agent": {"hallmark/test"}, "Authorization": {"Bearer " + apiKey},
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
		what.Body, what.MediaType = test.body, test.mediaType
		if _, err := testClient(service).Do(t.Context(), what); err != nil {
			t.Fatal(err)
		}
		a := service.asked[0]
		if got := fmt.Sprint(a.header["Content-Type"]); got != test.want || len(test.body) > 0 != (len(a.body) > 0) || a.hasBody != test.hasBody {
			t.Errorf("%s: type %s, body %q, there: %v", name, got, a.body, a.hasBody)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, location := range []string{"/v1/pets/", "http://[::1", ":"} { // the response counts, whatever its Location is
			for _, what := range []client.Call{aList, aCreation} {
				service := &script{replies: []reply{{status: status, header: http.Header{"Location": {location}}}, fine}}
				ex, err := testClient(service).Do(t.Context(), what)
				if err != nil || ex.Response == nil || ex.Response.Status != status || len(service.asked) != 1 {
					t.Errorf("%d to %s, Location %s: %+v, %v, %d requests", status, what.Method, location, ex, err, len(service.asked))
				}
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
	ex, err := testClient(flood).Do(t.Context(), aList)
	if err != nil || ex.Response == nil || !ex.Response.TooLong || len(ex.Response.Body) != client.MaxBody {
		t.Errorf("%v, lost %q", err, ex.Lost)
	}
}

// Over a network: neither the client nor its transport repeats a creation, even on a used connection, where a
// transport is tempted to.
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
	transport := client.NewTransport(2)
	defer transport.CloseIdleConnections()
	c := newClient(transport, server.URL)
	for i := range 5 {
		if ex, err := c.Do(t.Context(), aList); err != nil || ex.Response == nil {
			t.Fatalf("%+v, %v", ex, err)
		}
		ex, err := c.Do(t.Context(), aCreation)
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
		ex, err := c.Do(t.Context(), aList)
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

// limitedClient returns a client with limits.
func limitedClient(transport http.RoundTripper, limits client.Limits) *client.Client {
	c := testClient(transport)
	c.Limiter = client.NewLimiter(limits, time.Now())
	return c
}

// Requests of all goroutines together keep the rate, at even intervals.
func TestTheRateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Duration
		began := time.Now()
		c := limitedClient(trip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(began))
			return fine.response(r), nil
		}), client.Limits{Rate: 2.5})
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				for range 4 {
					if _, err := c.Do(t.Context(), aList); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		for i, d := range at {
			if want := time.Duration(i) * 400 * time.Millisecond; d < want-time.Millisecond || d > want+time.Millisecond {
				t.Fatalf("request %d went out after %v, want %v", i+1, d, want)
			}
		}
	})
}

// A request to slow down applies to all.
func TestOthersHoldBackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var early, late atomic.Int64
		c := limitedClient(trip(func(r *http.Request) (*http.Response, error) {
			a := fine
			switch since := time.Since(began); {
			case since == 0:
				a = after(429, "3")
			case since < 3*time.Second:
				early.Add(1)
			default:
				late.Add(1)
			}
			if a.header == nil {
				a.header = http.Header{}
			}
			return a.response(r), nil
		}), client.Limits{})
		var wg sync.WaitGroup
		wg.Go(func() {
			if ex, err := c.Do(t.Context(), aList); err != nil || ex.Response == nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if err := client.Sleep(t.Context(), time.Second); err != nil { // in the bubble's time
			t.Fatal(err)
		}
		for range 6 {
			wg.Go(func() {
				ex, err := c.Do(t.Context(), aList)
				if err != nil || ex.Delays != 0 || ex.Started.Sub(began) < 3*time.Second {
					t.Errorf("%v, started %v after the beginning", err, ex.Started.Sub(began))
				}
			})
		}
		wg.Wait()
		if early.Load() != 0 || late.Load() != 7 {
			t.Errorf("%d requests before the service wanted any, %d after", early.Load(), late.Load())
		}
	})
}

func TestLimitsOfRequestsAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &script{replies: []reply{fine}}
		c := limitedClient(service, client.Limits{MaxRequests: 3})
		for range 3 {
			if _, err := c.Do(t.Context(), aList); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			_, err := c.Do(t.Context(), aList)
			if !client.IsLimit(err) || err.Error() != "the run reached its limit of 3 requests (--max-requests)" || len(service.asked) != 3 {
				t.Errorf("%v, %d requests", err, len(service.asked))
			}
		}
		// Repeated requests count, too.
		service = &script{replies: []reply{after(429, "1"), fine}}
		if _, err := limitedClient(service, client.Limits{MaxRequests: 1}).Do(t.Context(), aList); !client.IsLimit(err) || len(service.asked) != 1 {
			t.Errorf("%v, %d requests", err, len(service.asked))
		}
		// Neither a slow rate nor a busy service makes it wait beyond its time.
		for name, c := range map[string]*client.Client{
			"slow": limitedClient(&script{replies: []reply{fine}}, client.Limits{MaxTime: 5 * time.Second, Rate: 0.1}),
			"busy": limitedClient(&script{replies: []reply{after(503, "60")}}, client.Limits{MaxTime: 5 * time.Second}),
			"test": limitedClient(&script{replies: []reply{fine}}, client.Limits{MaxTime: 5 * time.Second, MaxTimeFrom: "go test -timeout", Rate: 0.1}),
		} {
			began := time.Now()
			var err error
			for range 2 {
				_, err = c.Do(t.Context(), aList)
			}
			from := map[bool]string{true: "go test -timeout", false: "--max-time"}[name == "test"]
			if !client.IsLimit(err) || !strings.Contains(err.Error(), "5s ("+from+")") || time.Since(began) > 5*time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		}
		// The end of a run has nothing to do with limits.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c = limitedClient(&script{replies: []reply{after(503, "60")}}, client.Limits{MaxTime: time.Hour})
		if _, err := c.Do(ctx, aList); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// TestCodingsThatNobodyAskedFor reads compressed content that the request did not allow, and leaves unknown
// codings alone.
func TestCodingsThatNobodyAskedFor(t *testing.T) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := io.WriteString(w, `{"a":"b"}`); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ coding, body, want, malformed string }{
		{"identity", "plain", "plain", ""}, {"deflate", b.String(), `{"a":"b"}`, ""}, {"aws-chunked", "as it is", "as it is", ""},
		{"br", "no brotli at all", "", client.MalformedBody}, {"deflate", "", "", ""},
	} {
		c := client.New(client.Options{
			BaseURL: "http://h", Redactor: redact.New(), Timeout: time.Minute, Transport: trip(func(r *http.Request) (*http.Response, error) {
				a := reply{status: http.StatusOK, header: http.Header{"Content-Encoding": {test.coding}}, body: test.body}
				return a.response(r), nil
			}),
		})
		ex, err := c.Do(t.Context(), client.Call{Method: http.MethodGet, Path: "/a"})
		switch {
		case err != nil || ex.Malformed != test.malformed:
			t.Errorf("%s: malformed is %q (%s), %v", test.coding, ex.Malformed, ex.Lost, err)
		case test.malformed == "" && (string(ex.Response.Body) != test.want || ex.Response.Header.Get("Content-Encoding") != test.coding):
			t.Errorf("%s: read is %q", test.coding, ex.Response.Body)
		}
	}
}
