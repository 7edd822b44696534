package steps

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/steps/truncate"
	"github.com/hallmark-kit/hallmark/tests/hostile"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// playHostile plays the beginning of a run that creates nothing.
func playHostile(t *testing.T, answer hostile.Behaviour, requests int, changes ...func(*Config)) played {
	t.Helper()
	base, stop, err := hostile.Listen(answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	transport := client.NewTransport(2)
	t.Cleanup(transport.CloseIdleConnections)
	return playRun(t, t.Context(), transport, append([]func(*Config){func(c *Config) {
		c.Target.BaseURL, c.Timeout, c.Concurrency = base, time.Minute, 2
		if answer.Slow {
			c.Timeout = 300 * time.Millisecond
		}
		c.Limits.MaxRequests = requests
		c.Target.ReadOnly, c.Selection.ReadOnly = true, true
	}}, changes...)...)
}

// Resources may have any number of fields, and be longer than what is read: that is neither a violation nor a pass.
func TestResourcesBeyondMeasureAreNotJudged(t *testing.T) {
	long := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
		`[{"id":1,"name":"x","categoryId":1},{"id":3,"name":"z","categoryId":1},{"id":2,"name":"y","categoryId":1,"photo":"` +
		strings.Repeat("a", client.MaxBody) + `"}]`
	answer := hostile.Behaviour{Write: func(w io.Writer, _ *http.Request) { _, _ = io.WriteString(w, long) }}
	p := playHostile(t, answer, 3, func(c *Config) { c.Selection.Rules = []string{"list.limit.honoured"} })
	if len(p.musts(t)) > 0 || p.res.ExitCode != verdict.ExitUnjudged || !strings.Contains(p.ending.Lost, "could not be judged") {
		t.Errorf("%v, exit code %d, lost %q", p.musts(t), p.res.ExitCode, p.ending.Lost)
	}
}

// A service whose responses never end does not make a run of a thousand requests much longer.
func TestEndlessAnswersAreReadAtLengthOnlySometimes(t *testing.T) {
	skip.InShort(t)
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Body = strings.Repeat(" ", client.MaxBody+1) }
	p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests, c.Concurrency = 3*client.MaxLong, 1 })
	var long, short int
	for _, ex := range p.rec.Exchanges {
		if ex.Response == nil || !ex.Response.TooLong {
			t.Errorf("exchange %d was not too long", ex.Seq)
			continue
		}
		switch ex.Response.Size {
		case client.MaxBody:
			long++
		case client.ShortBody:
			short++
		}
	}
	if long != client.MaxLong || short == 0 || long+short != len(p.rec.Exchanges) {
		t.Errorf("%d answers of %d were read at length, and %d shortly", long, len(p.rec.Exchanges), short)
	}
}

// FuzzExchange answers a request with arbitrary bytes. The client must not fail, must keep within its bounds, and
// the result must be judged, recorded and read back.
func FuzzExchange(f *testing.F) {
	for _, answer := range hostile.Answers() {
		var begins beginning
		if !answer.Slow {
			request, err := http.NewRequest(http.MethodGet, "http://pets.test/v1/pets", http.NoBody)
			if err != nil {
				f.Fatal(err)
			}
			answer.Write(&begins, request)
			f.Add([]byte(begins), true)
			f.Add([]byte(begins), false)
		}
	}
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"), true)
	f.Add([]byte("HTTP/1.1 429 Slow\r\nRetry-After: 0\r\n\r\n"), true)
	f.Add([]byte("HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1\r\n{\r\n0\r\nX: "+rehearse.Key+"\r\n\r\n"), true)
	cfg := testConfig(f, nil)
	f.Fuzz(func(t *testing.T, raw []byte, reads bool) {
		transport := answeringRaw(raw)
		defer transport.CloseIdleConnections()
		st := cfg
		st.Transport, st.Timeout = transport, time.Second
		r := newEngine(st)
		what := aList
		if !reads {
			what = aCreation
		}
		what.Loss = new(client.Loss)
		s := r.NewScenario(&suite.Scenario{}, spec.Rule{})
		what.Judge = func(ex *spec.Exchange) {
			a := &scenario.Answer{Exchange: ex, Right: true}
			s.Judge(a)
			s.Lighten(ex)
			if n := truncate.Size(a.Value.Tree, 1<<30); n > 2<<20 {
				t.Errorf("a value of %d bytes is kept", n)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var ex spec.Exchange
		if _, err := r.Client.Send(ctx, &what, &ex); err != nil {
			t.Fatal(err)
		}
		wantRecordable(t, r.Redact(ex))
		for _, finding := range s.Findings() {
			for _, text := range []string{finding.Expected.String(), finding.Actual.String(), finding.Where.String(), finding.Cause} {
				if utf8.RuneCountInString(text) > 2*scenario.LongestTold {
					t.Errorf("a finding tells %d characters: %.200s", len(text), text)
				}
			}
		}
	})
}

// wantRecordable checks that an exchange can be recorded.
func wantRecordable(t *testing.T, ex spec.Exchange) {
	t.Helper()
	if (ex.Response == nil) == (ex.Lost == "") {
		t.Errorf("it is neither answered nor lost, or both: %+v", ex)
	}
	if len(ex.Lost) > 8*longestQuote || ex.Lost != "" && !utf8.ValidString(ex.Lost) {
		t.Errorf("lost: %.400q", ex.Lost)
	}
	if r := ex.Response; r != nil && (len(r.Body) > scenario.KeptBody+scenario.KeptBody/2 || r.Size < 0 || r.Status < 100 || r.Status > 999) {
		t.Errorf("status %d, %d of %d bytes", r.Status, len(r.Body), r.Size)
	}
	text, err := json.Marshal(ex)
	if err != nil {
		t.Fatal(err)
	}
	if around, found := hostile.Told(string(text), rehearse.Key); found {
		t.Errorf("the key is told: %q", around)
	}
	var back spec.Exchange
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v: %.400s", err, text)
	}
	if ex.Response != nil && string(back.Response.Body) != string(ex.Response.Body) {
		t.Error("the body is another one when it is read again")
	}
}

// answeringRaw returns a transport to a server that answers with the bytes and closes the connection.
func answeringRaw(answer []byte) *client.Transport {
	transport := client.NewTransport(1)
	transport.Proxy = nil
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			go func() { _, _ = io.Copy(io.Discard, bufio.NewReader(theirs)) }()
			_, _ = theirs.Write(answer)
		}()
		return ours, nil
	}
	return transport
}

// beginning keeps the first bytes written to it, and then returns an error.
type beginning []byte

// Write implements [io.Writer].
func (b *beginning) Write(text []byte) (int, error) {
	const most = 2 << 10
	*b = append(*b, text[:min(len(text), most-len(*b))]...)
	if len(*b) == most {
		return 0, io.ErrShortWrite
	}
	return len(text), nil
}
