package traffic

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps"
)

// Basis is what exchanges are judged by.
type Basis struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Promises  *promise.Promises
}

// Options say what is judged.
type Options struct {
	// Place is where the service is.
	Place Place
	// Tests reports whether the exchanges are those of tests, which provoke server errors and send invalid requests on purpose, without
	// anything between client and service. Then only responses below 500 are judged.
	Tests bool
	// Most is the maximum length of a body that is judged, in bytes.
	Most int
	// SecretHeaders are names of headers that hold secrets, beside those that are known by their names. Secrets are secrets that reports must
	// not show, wherever they are.
	SecretHeaders, Secrets []string
}

// lastStatus is the largest status that there is (RFC 9110, section 15: three digits).
const lastStatus = 999

// LongestBody is the usual value of [Options.Most].
const LongestBody = 8 << 20

// Judge judges exchanges and keeps what they show. It is safe for concurrent use.
type Judge struct {
	basis         Basis
	options       Options
	notApplicable map[string]string
	holes         record.UnjudgedTally
	coverage      record.CoverageTally

	mu sync.Mutex
	kept
	window *window
}

// New returns a judge.
func New(basis Basis, o Options) *Judge {
	return &Judge{basis: basis, options: o, notApplicable: steps.NotApplicable(basis.Contract, basis.Catalogue, time.Now()), kept: newKept(), window: newWindow(basis)}
}

// Add judges an exchange. It may keep it, so neither the exchange nor what it refers to may be changed later.
func (j *Judge) Add(x *Exchange) {
	op, seq := j.count(x)
	if op == nil {
		j.overlook(x)
		return
	}
	one := judging{Judge: j, op: op, x: x, ex: spec.Exchange{
		Seq: seq, Scenario: op.ID, Operation: op.ID, Request: x.Request, Started: x.Started, Elapsed: x.Elapsed,
	}}
	if strings.HasPrefix(x.Request.URL, "/") {
		one.ex.Request.URL = j.origin() + x.Request.URL
	}
	one.run()
	one.compare()
	one.cover()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kept.addExchange(&one)
}

// mask returns an exchange and findings about it without secrets.
func (j *Judge) mask(x *Exchange, op *spec.Operation, ex spec.Exchange, findings []spec.Finding) (spec.Exchange, []spec.Finding) {
	s := secrets{keys: map[string]bool{}}
	for _, name := range j.options.SecretHeaders {
		s.keys[strings.ToLower(name)] = true
	}
	for _, secret := range j.options.Secrets {
		s.addText(secret)
	}
	return s.mask(x, op, ex, findings)
}

// origin returns the origin of the service, for reports.
func (j *Judge) origin() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.options.Place.origin()
}

// SetPlace says where the service is, before the first exchange.
func (j *Judge) SetPlace(p Place) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.options.Place = p
}

// Skip counts an exchange that is not judged.
func (j *Judge) Skip(why Reason) { j.SkipAll(why, 1) }

// SkipAll counts exchanges that are not judged.
func (j *Judge) SkipAll(why Reason, count int) {
	if count == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen += count
	j.reasons[why] += count
}

// count counts an exchange, and returns its operation with its number; nil for none.
func (j *Judge) count(x *Exchange) (*spec.Operation, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen++
	place := &j.options.Place
	if !place.knows(x.Origin) {
		increase(j.hosts, x.Origin)
		return nil, 0
	}
	op, known := place.operation(x.Request.Method, x.Path)
	if !known {
		if place.adopts && x.Origin != "" { // which service this is will be known with its first operation
			increase(j.hosts, x.Origin)
		} else {
			increase(j.outside, x.Request.Method+" "+x.Path)
		}
		return nil, 0
	}
	place.adopt(x.Origin)
	j.operations[op.ID] = true
	return op, j.seen
}

// judging is the judging of one exchange.
type judging struct {
	*Judge

	op *spec.Operation
	x  *Exchange
	ex spec.Exchange

	findings  []spec.Finding
	exercised []string
	// earlier are the exchanges that this one contradicts.
	earlier []remembered
	// reason is why the exchange was not judged, or not completely; whole reports whether its status was.
	reason Reason
	judged bool
	// wholly reports whether nothing of the response was left open, and value is its body if that could be read.
	wholly bool
	value  exactjson.Value
}

// run judges the exchange.
func (j *judging) run() {
	response := j.x.Response
	j.ex.Response = &response
	if j.reason = j.unfit(); j.reason != "" {
		return
	}
	j.judged, j.wholly = true, true
	j.decode()
	j.limit()
	keeps := j.request()
	j.status(keeps)
	j.content()
	j.findings = slices.DeleteFunc(j.findings, func(f spec.Finding) bool { return !j.breakable(f.Rule) })
}

// overlook takes notice of an exchange for no operation of the contract, which may have changed something all the same.
func (j *Judge) overlook(x *Exchange) {
	if !mayChange(x) {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.window.change(x, false)
}

// compare compares the exchange with earlier ones.
func (j *judging) compare() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.window.compare(j)
}

// cover counts what of the contract the exchange puts to the test. Of an exchange that is not judged, only the operation is seen.
func (j *judging) cover() {
	status := j.ex.Response.Status
	if !j.judged {
		if status >= http.StatusOK && status <= lastStatus {
			j.coverage.Add(&coverage.Marks{Operation: j.op.ID, Status: status}, false)
		}
		return
	}
	marks := coverage.Mark(j.basis.Contract, j.op, &j.ex, coverage.Value{
		Tree: j.value.Tree, Readable: j.value.Valid && !j.ex.Response.Cut(), Judged: j.wholly,
	})
	j.coverage.Add(&marks, slices.ContainsFunc(j.findings, func(f spec.Finding) bool {
		rule, known := j.basis.Catalogue.Rule(f.Rule)
		return known && rule.Level.Fails()
	}))
}

// unfit returns why the exchange cannot be judged at all, or "".
func (j *judging) unfit() Reason {
	r, status := j.ex.Response, j.ex.Response.Status
	switch {
	case j.x.Skip != "":
		return j.x.Skip
	case status == 0, status > lastStatus:
		return NoResponse
	case status < http.StatusOK:
		return Switched
	case status == http.StatusNotModified, status == http.StatusPartialContent, status == http.StatusNonAuthoritativeInfo, r.Header.Get("Content-Range") != "":
		return Unmodified
	case j.options.Tests && status >= http.StatusInternalServerError:
		return ServerErrors
	case !j.options.Tests && (fromGateway(r) || r.BackPressure()):
		return ByGateway
	}
	return ""
}

// bodyless reports whether the response has no body to judge, whatever its headers say.
func (j *judging) bodyless() bool {
	if a := j.op.ResponseFor(j.ex.Response.Status); a == nil || len(a.Content) == 0 {
		return true
	}
	return j.ex.Request.Method == http.MethodHead || j.ex.Response.Status == http.StatusNoContent || j.ex.Response.Status == http.StatusResetContent
}

// decode removes the content codings of the body. Recorders may have done that already.
func (j *judging) decode() {
	r := j.ex.Response
	codings := wire.Codings(r.Header.Values("Content-Encoding"))
	if j.x.Decoded || len(codings) == 0 || len(r.Body) == 0 || r.Cut() || wire.UnknownCoding(codings) != "" {
		return
	}
	plain, err := io.ReadAll(io.LimitReader(wire.Decode(codings, bytes.NewReader(r.Body)), int64(j.options.Most)+1))
	switch {
	case err == nil:
		r.Body, r.Size = plain, len(plain)
	case !j.x.Recorded:
		r.Body, r.TooLong = nil, true
		j.reason = Undecoded
	}
}

// limit notes what is not known of the body.
func (j *judging) limit() {
	r := j.ex.Response
	r.Size = max(r.Size, len(r.Body))
	if j.bodyless() {
		return
	}
	if len(r.Body) > j.options.Most {
		r.Body, r.TooLong = record.Shorten(r.Body, j.options.Most), true
	}
	said, err := strconv.Atoi(r.Header.Get("Content-Length"))
	if j.x.Recorded && r.Header.Get("Content-Encoding") == "" && err == nil && said > len(r.Body) {
		r.Size = max(r.Size, said)
	}
	if j.x.BodyUnknown || j.x.Recorded && len(r.Body) == 0 && (err != nil || said != 0) {
		r.TooLong = true
	}
	switch {
	case !r.Cut() || j.reason != "":
	case j.x.Recorded, j.x.Decoded:
		j.reason = Truncated
	default:
		j.reason = TooLarge
	}
}

// request judges the request if the service accepted it, and reports whether it keeps the contract.
func (j *judging) request() bool {
	class := j.ex.Response.Status / 100
	if j.options.Tests || class != 2 && class != 5 || j.op.Silent() {
		return false
	}
	findings, keeps := j.basis.Promises.Request(j.op, &j.ex, promise.RequestParts{
		Headers: !j.x.RequestHeadersUnknown, Body: !j.x.RequestBodyUnknown, Exact: !j.x.Recorded,
	})
	if class == 2 {
		j.addFindings(findings...)
	}
	return keeps
}

// status judges the status.
func (j *judging) status(keeps bool) {
	aspect := promise.Open
	if keeps {
		aspect = promise.Keeps
	}
	v := promise.Judge(j.op, j.ex.Response, aspect, promise.Robust)
	status := j.ex.Response.Status
	for _, k := range v.Broken {
		f := spec.Finding{
			Rule: j.basis.Promises.Names.Rule(j.op.ID, k), Operation: j.op.ID, Exchanges: []int{j.ex.Seq}, Kind: spec.KindStatus,
			Expected: phrase.Of("no server error (5xx)"), Actual: phrase.Of("status {}", phrase.Status(status)), Status: status,
			Where: phrase.Place{Method: j.ex.Request.Method, Path: j.x.Path, Status: status},
		}
		f.Cause = f.Rule + ": status " + strconv.Itoa(status)
		switch k {
		case promise.Success:
			f.Expected = phrase.Of("status " + text.Enumerate(v.Wanted, "or"))
		case promise.Available, promise.Robust:
		default:
			continue // a gateway may have refused the request, or redirected it
		}
		j.addFindings(f)
	}
	for _, k := range v.Kept {
		if k == promise.Success || k == promise.Available {
			rule := j.basis.Promises.Names.Rule(j.op.ID, k)
			j.exercised = append(j.exercised, j.basis.Catalogue.ResolveWithin(rule, func(string) bool { return true })...)
		}
	}
}

// content judges headers and body.
func (j *judging) content() {
	judged := j.basis.Promises.Response(&j.ex)
	cut := j.ex.Response.Cut() && !j.bodyless()
	if judged.Value.Err != nil && !cut {
		j.wholly = false
		return
	}
	j.value = judged.Value
	out := j.basis.Promises.Attribute(j.basis.Catalogue, &j.ex, judged)
	j.holes.Add(j.op.ID, out.Unjudged)
	j.wholly = len(out.Unjudged) == 0
	if !cut && slices.ContainsFunc(out.Findings, j.cutUnnoticed) {
		cut, j.reason = true, Truncated
	}
	j.wholly = j.wholly && !cut
	for _, f := range out.Findings {
		ofHeader := f.Header != ""
		if cut && !ofHeader || ofHeader && f.Kind == spec.KindMissing && j.x.HeadersUnknown {
			continue
		}
		j.addFindings(f)
	}
	if !cut && !j.x.HeadersUnknown {
		j.exercised = append(j.exercised, out.Exercised...)
	}
}

// cutUnnoticed reports whether a finding says that a recorded body cannot be read, and it is the beginning of one that can.
func (j *judging) cutUnnoticed(f spec.Finding) bool {
	if f.Kind != spec.KindUnreadable || !j.x.Recorded {
		return false
	}
	_, err := exactjson.DecodeBeginning(j.ex.Response.Body)
	return errors.Is(err, exactjson.ErrCut)
}

// addFindings adds findings under the rules by which they are reported.
func (j *judging) addFindings(all ...spec.Finding) {
	for _, f := range all {
		f.Rule = j.basis.Catalogue.ResolveFinding(f)
		j.findings = append(j.findings, f)
		if !slices.Contains(j.exercised, f.Rule) {
			j.exercised = append(j.exercised, f.Rule)
		}
	}
}

// breakable reports whether a rule can be broken.
func (j *judging) breakable(id string) bool {
	rule, known := j.basis.Catalogue.Rule(id)
	return known && rule.Level != spec.Open && rule.Untestable == "" && j.notApplicable[id] == ""
}
