package hallmark

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Coverage is what the tests of a package have to reach, in percent of what the document has. 0 requires none. It is not looked at if -run or
// -skip selects tests.
type Coverage struct {
	// Operations have to succeed (2xx) in a response that was judged.
	Operations float64
	// Statuses are documented responses, and MediaTypes those of requests that succeeded and of responses.
	Statuses, MediaTypes float64
	// Parameters have to be in requests that succeeded.
	Parameters float64
	// Schemas are the keywords and branches of the schemas of JSON bodies and parameters.
	Schemas float64
}

// required returns the percentage of each dimension.
func (c Coverage) required() map[record.Dimension]float64 {
	return map[record.Dimension]float64{
		record.Operations: c.Operations, record.Statuses: c.Statuses, record.MediaTypes: c.MediaTypes, record.Parameters: c.Parameters,
		record.Schemas: c.Schemas,
	}
}

// Watcher judges what passes through its handlers and transports by what holds for every response: media types, bodies, headers, statuses
// of success. It changes nothing, sends nothing, and does not judge server errors, which tests provoke on purpose. It is safe for concurrent
// use.
type Watcher struct {
	basis *session.Basis
	judge *traffic.Judge
	// err says why nothing can be judged.
	err error
}

// Watch returns a watcher for a document. If it cannot be read, Main says so and fails.
func Watch(contract string) *Watcher {
	w := &Watcher{}
	if w.basis, w.err = session.Load(options.Contract{File: contract}); w.err == nil {
		w.judge = traffic.New(w.basis.Traffic(), traffic.Options{Place: traffic.Anywhere(w.basis.Contract), Tests: true, Most: traffic.LongestBody})
	}
	return w
}

// Handler returns a handler that does what h does, and has its responses judged.
func (w *Watcher) Handler(h http.Handler) http.Handler {
	if w.err != nil {
		return h
	}
	return w.tap().Handler(h)
}

// Transport returns a transport that does what rt does, or http.DefaultTransport if it is nil, and has the responses judged whose bodies
// are read to their ends.
func (w *Watcher) Transport(rt http.RoundTripper) http.RoundTripper {
	if w.err != nil {
		return cmp.Or(rt, http.DefaultTransport)
	}
	return w.tap().Transport(rt)
}

// tap returns what copies exchanges for the judge.
func (w *Watcher) tap() *traffic.Tap {
	return &traffic.Tap{Most: traffic.LongestBody, Submit: func(x *traffic.Exchange) {
		if !x.BodyUnknown {
			w.judge.Add(x)
		}
	}}
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
	var out strings.Builder
	rec := w.record()
	v := view.New(rec, view.Sources{Catalogue: w.basis.Catalogue, Contract: w.basis.Contract})
	ok = true
	for i := range v.Result.Causes {
		cause := v.Result.Causes[i]
		cause.Rerun, cause.Curl = "", ""
		if v.Fails(cause) {
			ok = false
			out.WriteString(failure.CauseText(v, &cause, "FAIL") + "\n")
		}
	}
	seen, outside := rec.Traffic.Seen, record.Total(rec.Traffic.Outside)
	if seen == 0 && selected {
		return "", true // the selected tests watch nothing
	}
	var missed []string
	for i := range rec.Coverage.Operations {
		if op := &rec.Coverage.Operations[i]; !op.Judgement().Judged() {
			missed = append(missed, op.Operation)
		}
	}
	all := len(rec.Coverage.Operations)
	fmt.Fprintf(&out, "hallmark: %s judged; %s of %s succeeded", text.Count(seen-outside, "response"), text.Number(all-len(missed)), text.Count(all, "operation"))
	if len(missed) > 0 {
		out.WriteString("; never: " + strings.Join(missed, ", "))
	}
	if outside > 0 {
		out.WriteString("; " + text.Count(outside, "response") + " of no operation of the document")
	}
	fmt.Fprintf(&out, "\nhallmark: coverage: %s\n", v.Coverage().Summary())
	for _, d := range record.Dimensions() {
		got, percent := rec.Coverage.Covered(d), c.required()[d]
		if selected || got.Reaches(percent) {
			continue
		}
		ok = false
		did := "were judged"
		if d == record.Operations {
			did = "succeeded"
		}
		fmt.Fprintf(&out, "hallmark: FAIL: %s of the %s %s, and hallmark.Coverage requires %g %%\n", verdict.Percent(got), verdict.DimensionWords(d), did, percent)
	}
	return out.String(), ok
}

// record returns what was seen as the record of a run.
func (w *Watcher) record() *record.Record {
	rec := &record.Record{Started: time.Now()}
	w.judge.Fill(rec, "the tests")
	return rec
}
