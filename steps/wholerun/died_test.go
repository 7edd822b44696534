package wholerun_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hallmark/internal/skip"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps/client"
)

// mortal serves a service whose process ends where dies says so of a request, with all its connections, and is started again after away. Where
// that is 0 it lives on, and breaks the connection of the request.
func mortal(t *testing.T, service http.Handler, away time.Duration, dies func(r *http.Request, body string) bool) *faultyServer {
	t.Helper()
	u := &faultyServer{handler: service}
	var down atomic.Bool
	u.decide = func(r *http.Request, _ int) action {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !dies(r, string(body)) {
			return answer
		}
		if away == 0 {
			return resetBefore
		}
		if !down.CompareAndSwap(false, true) {
			return resetBefore // it has died meanwhile
		}
		u.shut()
		time.AfterFunc(away, func() {
			u.listen(t)
			down.Store(false)
		})
		return resetBefore
	}
	return startFaulty(t, u)
}

// judgeMortal judges it by the contract of slips.
func judgeMortal(t *testing.T, u *faultyServer) (record.Record, verdict.Result) {
	t.Helper()
	transport := client.NewTransport(4)
	t.Cleanup(transport.CloseIdleConnections)
	rec, catalogue := trial{
		contract: []byte(slips), service: transport, baseURL: "http://" + u.address, patience: atOnce, reconnect: 10 * time.Second, confirm: 1,
	}.judge(t)
	return rec, verdict.Draw(&rec, catalogue.Rules)
}

// A process that dies of a request and is started again is the first cause, with that request. So is one that lives on, and breaks the
// connection of a request that keeps the contract. What is broken for requests that break the contract may be a gateway's doing.
func TestServicesThatDieOfARequest(t *testing.T) {
	method := func(name string) func(*http.Request, string) bool {
		return func(r *http.Request, _ string) bool { return r.Method == name }
	}
	for name, c := range map[string]struct {
		dies func(r *http.Request, body string) bool
		away time.Duration
		rule string
	}{
		"each change":         {dies: method(http.MethodPut), away: briefly, rule: "replaceSlip.no-server-error"},
		"a change, and lives": {dies: method(http.MethodPut), rule: "replaceSlip.no-server-error"},
		"each creation":       {dies: method(http.MethodPost), away: briefly, rule: "addSlip.no-server-error"},
		"no text": {
			dies: func(r *http.Request, body string) bool {
				return r.Method == http.MethodPost && !strings.Contains(body, `"`)
			},
			away: briefly, rule: "addSlip.no-server-error",
		},
		"no text, and lives": {dies: func(r *http.Request, body string) bool {
			return r.Method == http.MethodPost && !strings.Contains(body, `"`)
		}},
		"what is there": {
			dies: func(r *http.Request, _ string) bool {
				id := strings.TrimPrefix(r.URL.Path, "/slips/")
				return r.Method == http.MethodGet && id != r.URL.Path && len(id) < 4
			},
			away: briefly, rule: "readSlip.no-server-error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			rec, res := judgeMortal(t, mortal(t, slipping(""), c.away, c.dies))
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

// briefly is how long a process is away until it was started again.
const briefly = 50 * time.Millisecond
