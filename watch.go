package hallmark

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

// Coverage is what the tests of a package have to reach.
type Coverage struct {
	// Operations is the percentage of the document's operations that have to succeed (2xx) in a response that was judged. 0 requires none.
	// It is not looked at if -run or -skip selects tests.
	Operations float64
}

// Watcher judges what passes through its handlers and transports by what holds for every response: media types, bodies, headers, statuses
// of success. It changes nothing, sends nothing, and does not judge server errors, which tests provoke on purpose. It is safe for concurrent
// use.
type Watcher struct {
	basis *session.Basis
	base  string
	// err says why nothing can be judged.
	err error

	mu sync.Mutex
	// seen counts the exchanges, and outside those that no operation of the document serves.
	seen, outside int
	// succeeded holds the operations with a success that was judged.
	succeeded map[string]bool
	exercised map[string]int
	findings  []spec.Finding
	exchanges []spec.Exchange
	// kept counts the findings of each kind, of which only a few are kept.
	kept map[string]int
	// hidden holds the secrets of the requests with findings.
	hidden *redact.Redactor
}

// Watch returns a watcher for a document. If it cannot be read, Main says so and fails.
func Watch(contract string) *Watcher {
	w := &Watcher{succeeded: map[string]bool{}, exercised: map[string]int{}, kept: map[string]int{}, hidden: redact.New()}
	if w.basis, w.err = session.Load(options.Contract{File: contract}); w.err == nil {
		w.base = basePath(w.basis.Contract)
	}
	return w
}

// longestWatched is how many bytes of a body are judged; a response with a longer one counts as seen.
const longestWatched = 8 << 20

// Handler returns a handler that does what h does, and has its responses judged.
func (w *Watcher) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		asked, taken := requested(r), &response{ResponseWriter: to}
		h.ServeHTTP(taken, r)
		if taken.hijacked {
			return
		}
		if taken.status == 0 {
			taken.WriteHeader(http.StatusOK)
		}
		if taken.header.Get("Content-Type") == "" && taken.body.size > 0 && taken.header.Get("Content-Encoding") == "" {
			taken.header.Set("Content-Type", http.DetectContentType(taken.body.Bytes())) // as a server does
		}
		w.judge(asked, taken.status, taken.header, &taken.body)
	})
}

// Transport returns a transport that does what rt does, or http.DefaultTransport if it is nil, and has the responses judged whose bodies
// are read to their ends.
func (w *Watcher) Transport(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		rt = http.DefaultTransport
	}
	return transport(func(r *http.Request) (*http.Response, error) {
		asked := requested(r)
		answer, err := rt.RoundTrip(r)
		if err != nil || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer, err
		}
		status, header := answer.StatusCode, answer.Header.Clone()
		if answer.Body == http.NoBody || answer.ContentLength == 0 { // nobody reads it to its end
			w.judge(asked, status, header, new(copied))
			return answer, nil
		}
		answer.Body = &body{ReadCloser: answer.Body, ended: func(read *copied) { w.judge(asked, status, header, read) }}
		return answer, nil
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// question is a request as it was before a handler or a transport had it: they may change it.
type question struct {
	method, host, path, uri, query string

	began   time.Time
	secrets []string
}

// requested returns the request with what it may hold of secrets.
func requested(r *http.Request) question {
	q := question{method: r.Method, host: r.Host, path: r.URL.EscapedPath(), uri: r.URL.RequestURI(), query: r.URL.RawQuery, began: time.Now()}
	if q.host == "" {
		q.host = r.URL.Host
	}
	for name, values := range r.Header {
		if text := strings.ToLower(name); strings.Contains(text, "authorization") || strings.Contains(text, "cookie") || strings.Contains(text, "key") || strings.Contains(text, "token") || strings.Contains(text, "secret") {
			for _, value := range values {
				q.secrets = append(q.secrets, strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == ';' || c == '=' })...)
			}
		}
	}
	return q
}

// judge judges a response.
func (w *Watcher) judge(r question, status int, header http.Header, body *copied) {
	if w.err != nil {
		return
	}
	ex := spec.Exchange{
		Request:  spec.Request{Method: r.method, URL: "http://" + r.host + r.uri},
		Response: &spec.Response{Status: status, Header: header, Body: body.Bytes(), Size: body.size},
		Started:  r.began, Elapsed: time.Since(r.began),
	}
	op, known := w.operation(r.method, r.path)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen++
	if !known {
		w.outside++
		return
	}
	ex.Seq, ex.Operation = w.seen, op.ID
	if status >= http.StatusInternalServerError || body.Cut() || header.Get("Content-Encoding") != "" {
		return
	}
	kept := len(w.findings)
	defer func() {
		if len(w.findings) > kept {
			w.hide(r, op)
		}
	}()
	judged := w.basis.Promises().Response(&ex)
	v := promise.Judge(op, ex.Response, promise.Open, promise.Robust)
	if slices.Contains(v.Broken, promise.Success) {
		w.keep(&ex, spec.Finding{
			Rule: w.basis.Promises().Names.Rule(op.ID, promise.Success), Operation: op.ID, Exchanges: []int{ex.Seq}, Kind: spec.KindStatus,
			Expected: phrase.Of("status " + text.Enumerate(v.Wanted, "or")), Actual: phrase.Of("status {}", phrase.Status(status)), Status: status,
			Where: phrase.Place{Method: r.method, Path: r.path, Status: status},
		})
	}
	for _, f := range judged.Findings {
		w.keep(&ex, f)
	}
	for _, rule := range judged.Exercised {
		for _, resolved := range w.basis.Catalogue.ResolveWithin(rule, func(string) bool { return true }) {
			w.exercised[resolved]++
		}
	}
	if op.Succeeds(ex.Response) && len(judged.Unjudged) == 0 {
		w.succeeded[op.ID] = true
	}
}

// operation returns the operation that a request calls, below the path of the document's server or without it.
func (w *Watcher) operation(method, path string) (*spec.Operation, bool) {
	if below, ok := strings.CutPrefix(path, w.base); ok && w.base != "" {
		if op, found := w.basis.Contract.Match(method, below); found {
			return op, true
		}
	}
	return w.basis.Contract.Match(method, path)
}

// hide takes what a request carries as secrets out of everything that is said.
func (w *Watcher) hide(r question, op *spec.Operation) {
	all := r.secrets
	if query, err := url.ParseQuery(r.query); err == nil {
		for _, requirement := range op.Security {
			for _, s := range requirement {
				if s.In == "query" {
					all = append(all, query[s.Key]...)
				}
			}
		}
	}
	for _, secret := range all {
		if len(secret) >= redact.MinLength {
			w.hidden.Add(redact.Secret{Text: secret, Shown: "(secret)"})
		}
	}
}

// keptOfAKind is how many findings of a kind are kept.
const keptOfAKind = 3

// keep keeps a finding with its exchange.
func (w *Watcher) keep(ex *spec.Exchange, f spec.Finding) {
	f.Rule = w.basis.Catalogue.ResolveFinding(f)
	kind := strings.Join([]string{f.Rule, f.Pointer, f.Cause}, "\x00")
	if w.kept[kind]++; w.kept[kind] > keptOfAKind {
		return
	}
	w.findings = append(w.findings, f)
	if n := len(w.exchanges); n == 0 || w.exchanges[n-1].Seq != ex.Seq {
		w.exchanges = append(w.exchanges, *ex)
	}
}

// Main runs the tests, says what the watched responses broke and which operations they did not reach, and returns the code to exit with:
// that of the tests, or 1 if a rule is broken or the coverage is too low.
func (w *Watcher) Main(m *testing.M, c Coverage) int {
	code := m.Run()
	if given("test.list") || given("test.fuzzworker") {
		return code // nothing was tested
	}
	says, ok := w.result(c, given("test.run") || skipping())
	_, _ = io.WriteString(os.Stderr, says) //nolint:forbidigo // the place where go test shows what TestMain says
	if !ok && code == 0 {
		code = 1
	}
	return code
}

// result says what was seen, and whether that is good. selected reports whether only some tests were run.
func (w *Watcher) result(c Coverage, selected bool) (says string, ok bool) {
	if w.err != nil {
		return cli.Message(w.err), false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var out strings.Builder
	v := w.view()
	ok = true
	for i := range v.Result.Causes {
		cause := v.Result.Causes[i]
		cause.Rerun, cause.Curl = "", ""
		if v.Fails(cause) {
			ok = false
			out.WriteString(failure.CauseText(v, &cause, "FAIL") + "\n")
		}
	}
	if w.seen == 0 && selected {
		return "", true // the selected tests watch nothing
	}
	var missed []string
	operations := w.basis.Contract.Operations()
	for i := range operations {
		if !w.succeeded[operations[i].ID] {
			missed = append(missed, operations[i].ID)
		}
	}
	all := len(operations)
	fmt.Fprintf(&out, "hallmark: %s judged; %s of %s succeeded", text.Count(w.seen-w.outside, "response"), text.Number(all-len(missed)), text.Count(all, "operation"))
	if len(missed) > 0 {
		out.WriteString("; never: " + strings.Join(missed, ", "))
	}
	if w.outside > 0 {
		out.WriteString("; " + text.Count(w.outside, "response") + " of no operation of the document")
	}
	out.WriteString("\n")
	if reached := 100 * float64(all-len(missed)); !selected && reached < c.Operations*float64(all) {
		ok = false
		fmt.Fprintf(&out, "hallmark: FAIL: %.1f %% of the operations succeeded, and hallmark.Coverage requires %g %%\n", reached/float64(max(all, 1)), c.Operations)
	}
	return w.hidden.Text(out.String()), ok
}

// view returns what was seen as the record of a run.
func (w *Watcher) view() *view.View {
	now := time.Now()
	rec := record.Record{
		Complete: true, Started: now, Ended: now, Exercised: w.exercised, Exchanges: w.exchanges,
		Target:        record.Target{BaseURL: "http://localhost" + w.base},
		NotApplicable: steps.NotApplicable(w.basis.Contract, w.basis.Catalogue, now),
	}
	if len(w.findings) > 0 {
		rec.Scenarios = []record.Scenario{{ID: "requests of the tests", Name: "requests of the tests", Outcome: record.Failed, Findings: w.findings}}
	}
	return view.New(&rec, view.Sources{Catalogue: w.basis.Catalogue, Contract: w.basis.Contract})
}

// copied holds what was read or written of a body, up to a limit.
type copied struct {
	bytes.Buffer

	size int
}

func (c *copied) add(p []byte) {
	c.size += len(p)
	if c.Len() < longestWatched {
		c.Write(p)
	}
}

// Cut reports whether something of the body is missing.
func (c *copied) Cut() bool { return c.size > c.Len() }

// body is the body of a response from a client, which is judged when it was read to its end.
type body struct {
	io.ReadCloser

	read  copied
	ended func(*copied)
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.add(p[:n])
	if err == io.EOF && b.ended != nil {
		ended := b.ended
		b.ended = nil
		ended(&b.read)
	}
	return n, err
}
