package wholerun_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// mortalServer is a service whose process ends with a request.
type mortalServer struct {
	*faultyServer
	// refused is told of each connection that it refused, being away.
	refused chan struct{}
}

// mortal serves a service whose process ends where dies says so of a request, with all its connections. It is started again when somebody was
// refused a connection meanwhile, however long that takes; or, where it lives, it goes on, and breaks the connection of the request alone.
func mortal(t *testing.T, service http.Handler, lives bool, dies func(r *http.Request, body string) bool) *mortalServer {
	t.Helper()
	u := &mortalServer{&faultyServer{handler: service}, make(chan struct{}, 1)}
	var down atomic.Bool
	u.decide = func(r *http.Request, _ int) action {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !dies(r, string(body)) {
			return answer
		}
		if lives || !down.CompareAndSwap(false, true) { // or it has died meanwhile
			return resetBefore
		}
		u.shut()
		select {
		case <-u.refused: // before
		default:
		}
		go func() {
			select {
			case <-u.refused:
				u.listen(t)
				down.Store(false)
			case <-u.stop:
			}
		}()
		return resetBefore
	}
	startFaulty(t, u.faultyServer)
	return u
}

// dialing returns a transport that tells the server of connections that it refused.
func (u *mortalServer) dialing() *client.Transport {
	transport := client.NewTransport(4)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			select {
			case u.refused <- struct{}{}:
			default:
			}
		}
		return conn, err
	}
	return transport
}

// judgeMortal judges it by the contract of slips.
func judgeMortal(t *testing.T, u *mortalServer) (record.Record, verdict.Result) {
	t.Helper()
	transport := u.dialing()
	t.Cleanup(transport.CloseIdleConnections)
	rec, catalogue := trial{
		contract: []byte(slips), service: transport, baseURL: "http://" + u.address, patience: atOnce, reconnect: 10 * time.Second, confirm: 1,
	}.judge(t)
	return rec, verdict.Draw(&rec, catalogue.Rules)
}

// A process that dies of a request and is started again is the first cause, with that request. So is one that lives on, and breaks the
// connection of a request that keeps the contract. What is broken for requests that break the contract may be a gateway's doing.
func TestServicesThatDieOfARequest(t *testing.T) {
	t.Parallel()
	method := func(name string) func(*http.Request, string) bool {
		return func(r *http.Request, _ string) bool { return r.Method == name }
	}
	for name, c := range map[string]struct {
		dies  func(r *http.Request, body string) bool
		lives bool
		rule  string
	}{
		"each change":         {dies: method(http.MethodPut), rule: "replaceSlip.no-server-error"},
		"a change, and lives": {dies: method(http.MethodPut), lives: true, rule: "replaceSlip.no-server-error"},
		"each creation":       {dies: method(http.MethodPost), rule: "addSlip.no-server-error"},
		"no text": {
			dies: func(r *http.Request, body string) bool {
				return r.Method == http.MethodPost && !strings.Contains(body, `"`)
			},
			rule: "addSlip.no-server-error",
		},
		"no text, and lives": {
			dies: func(r *http.Request, body string) bool {
				return r.Method == http.MethodPost && !strings.Contains(body, `"`)
			},
			lives: true,
		},
		"what is there": {
			dies: func(r *http.Request, _ string) bool {
				id := strings.TrimPrefix(r.URL.Path, "/slips/")
				return r.Method == http.MethodGet && id != r.URL.Path && len(id) < 4
			},
			rule: "readSlip.no-server-error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			rec, res := judgeMortal(t, mortal(t, slipping(""), c.lives, c.dies))
			var first verdict.Cause
			if len(res.Causes) > 0 {
				first = res.Causes[0]
			}
			is := first.Lead.Kind == spec.KindDied && first.Level.Fails()
			if is != (c.rule != "") || is && (first.Rule != c.rule || res.ExitCode != verdict.ExitViolated) || !is && res.ExitCode == verdict.ExitViolated {
				t.Errorf("judged %s, exit code %d: %s; the first cause is %s %s: %s", res.Verdict, res.ExitCode, res.Because, first.Rule, first.Lead.Kind, first.Lead.Actual)
			}
			t.Logf("%d requests were lost; %s", rec.Patience.Interrupted.Lost, res.Because)
		})
	}
}
