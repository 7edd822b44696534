package promise

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise/doubt"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// RequestParts says how much is known of a request that hallmark did not make itself.
type RequestParts struct {
	// Headers and Body report whether all headers, and the whole body, are as the service received them.
	Headers, Body bool
	// Exact reports whether the body cannot have been cut without a sign.
	Exact bool
}

// Request judges a request that others sent. A finding says that its operation accepted what the contract rules out, so it counts only if
// the service answered with a success. Path parameters are not looked at, since another operation may have been meant, nor what services
// read in more ways than one: numbers and booleans in texts, formats, alternatives of schemas. keeps reports whether the request was
// judged completely, and keeps the contract.
func (p *Promises) Request(op *spec.Operation, ex *spec.Exchange, sent RequestParts) (findings []spec.Finding, keeps bool) {
	x := requestJudge{Promises: p, op: op, ex: ex, sent: sent, whole: true}
	x.parameters()
	x.body()
	return x.findings, x.whole && len(x.findings) == 0
}

// requestJudge is the state of judging one request.
type requestJudge struct {
	*Promises

	op       *spec.Operation
	ex       *spec.Exchange
	sent     RequestParts
	findings []spec.Finding
	// whole is false once something was left open.
	whole bool
}

// find adds a finding about a kind of promise: at is the place in the request, sent what was accepted there.
func (x *requestJudge) find(k Kind, at string, sent phrase.Phrase, f spec.Finding) {
	status := 0
	if x.ex.Response != nil {
		status = x.ex.Response.Status
	}
	f.Rule, f.Operation, f.Exchanges = x.Names.Rule(x.op.ID, k), x.op.ID, []int{x.ex.Seq}
	f.Kind, f.Status = spec.KindStatus, status
	f.Actual = phrase.Of("status {} for ", phrase.Status(status)).Then(sent)
	f.Where = phrase.Place{Method: x.ex.Request.Method, Path: address(x.ex, x.op), Status: status}.In(at)
	f.Cause = f.Rule + " " + f.Contract + " " + f.Detail
	x.findings = append(x.findings, f)
}

// refusal is what a service would have answered.
func (x *requestJudge) refusal() phrase.Phrase {
	return phrase.Of("status " + text.Enumerate(refusals(x.op), "or"))
}

// violation adds a finding for a value that its schema rules out.
func (x *requestJudge) violation(k Kind, at string, v *schema.Violation, parts ...string) {
	_, expected, actual := describe(v)
	f := spec.Finding{Expected: x.refusal().With(" unless it is ").Then(expected), Detail: detailOf(v), Contract: v.Constraint, Parts: parts}
	if k == PropertyMissing {
		f.Expected = x.refusal().With(" for a body without the property {}", phrase.Field(v.Name))
	}
	x.find(k, at, actual, f)
}

// parameters judges the parameters of the query and, if all headers are known, of the header.
func (x *requestJudge) parameters() {
	u, err := url.Parse(x.ex.Request.URL)
	if err != nil {
		x.whole = false
		return
	}
	x.whole = x.whole && x.lists(u.Query())
	for i := range x.op.Parameters {
		p := &x.op.Parameters[i]
		switch {
		case p.In == wire.InQuery:
			x.parameter(p, u.RawQuery)
		case p.In == wire.InHeader && x.sent.Headers && !withCredential(p.Name):
			if lines := x.ex.Request.Header.Values(p.Name); len(lines) > 0 || p.Required {
				x.headerParameter(p, lines)
			}
		case p.In == wire.InPath:
			x.whole = x.whole && p.Schema.OnlyBytes()
		default:
			x.whole = x.whole && !p.Required
		}
	}
}

// lists reports whether the contract lists all names of a query, as far as they are names of plain parameters.
func (x *requestJudge) lists(query url.Values) bool {
	for name := range query {
		if !slices.ContainsFunc(x.op.Parameters, func(p spec.Parameter) bool { return p.In == wire.InQuery && p.Name == name }) {
			return false
		}
	}
	return true
}

// withCredential reports whether a header may hold a credential, which records redact.
func withCredential(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"authorization", "key", "token", "secret"}, func(word string) bool { return strings.Contains(name, word) })
}

func (x *requestJudge) headerParameter(p *spec.Parameter, lines []string) {
	if len(lines) == 0 {
		x.missing(p)
		return
	}
	x.parameter(p, strings.Join(lines, ", "))
}

// parameter judges a parameter in the text that holds it.
func (x *requestJudge) parameter(p *spec.Parameter, holder string) {
	if p.Schema == nil || p.Content != nil || p.Style == "deepObject" {
		x.whole = x.whole && !p.Required && !strings.Contains(holder, p.Name)
		return
	}
	read, err := request.Param(x.op, request.PlaceOf(*p)).Parse(holder, request.HintOf(p.Schema))
	switch {
	case err != nil || read.Truncated:
		x.whole = false
	case !read.Present && p.Required:
		x.missing(p)
	case read.Present:
		if v := x.ruledOut(p.Edge, p.Examples, read.Values, true); v != nil {
			x.violation(ParameterValue, "the parameter "+p.Name, v, p.Pointer)
		}
	}
}

// missing judges a required parameter that was left out. One with a default is not missed.
func (x *requestJudge) missing(p *spec.Parameter) {
	if p.Schema != nil && x.contract.Exists(p.Schema.Pointer+"/default") {
		x.whole = false
		return
	}
	x.find(ParameterMissing, "the parameter "+p.Name, phrase.Of("a request without the parameter {}", phrase.Field(p.Name)), spec.Finding{
		Expected: x.refusal(), Detail: p.Name, Contract: p.Pointer, Parts: []string{PartLeftOut, p.Pointer},
	})
}

// openKeywords are those by which no request is accused: which alternative was meant is a guess, and services differ in how they read
// formats.
var openKeywords = []string{"oneOf", "anyOf", "not", "if", "format", "discriminator", "contentEncoding", "contentMediaType", "contains"}

// ruledOut returns the first violation that holds for every reading of a value, or nil. texts reports whether the value was read from a
// text.
func (x *requestJudge) ruledOut(edge spec.Edge, beside []spec.Example, values []any, texts bool) *schema.Violation {
	v := x.contract.Validator(edge.Schema)
	if v == nil || len(values) == 0 {
		x.whole = false
		return nil
	}
	var first *schema.Violation
	for _, value := range values {
		result := v.Validate(value, schema.Request)
		if len(result.Violations) == 0 && len(result.Unjudged) == 0 {
			return nil
		}
		sure, _ := doubt.Settled(result)
		sure, _ = doubt.Document{Validator: x.contract.Validator, Direction: schema.Request, Texts: texts}.Uncontradicted(edge.Schema, beside, serious(sure))
		sure = slices.DeleteFunc(sure, func(v schema.Violation) bool {
			return slices.Contains(openKeywords, v.Keyword) || texts && v.Keyword == "type"
		})
		if len(sure) == 0 {
			x.whole = false
			return nil
		}
		if first == nil {
			first = &sure[0]
		}
	}
	return first
}

// body judges the body. Only JSON is read.
func (x *requestJudge) body() {
	b := x.op.Body
	header, body := x.ex.Request.Header, x.ex.Request.Body
	switch {
	case b == nil || ignoresBody(x.op.Method):
		return
	case !x.sent.Body || header.Get("Content-Encoding") != "":
		x.whole = false
		return
	case len(body) == 0 && b.Required:
		x.find(BodyMissing, requestBody, phrase.Of("a request without a body"), spec.Finding{Expected: x.refusal(), Contract: b.Pointer})
		return
	case len(body) == 0:
		return
	}
	sent := strings.TrimSpace(header.Get("Content-Type"))
	if sent == "" {
		x.whole = false
		return
	}
	types := make([]string, len(b.Content))
	for i := range b.Content {
		types[i] = b.Content[i].Type
	}
	i := wire.Best(types, sent)
	if i < 0 {
		x.otherMedia(sent)
		return
	}
	m := &b.Content[i]
	if wire.KindOf(sent) != wire.KindJSON || m.IsPatch() || m.Schema == nil {
		x.whole = false
		return
	}
	x.json(m, body)
}

// otherMedia judges a body of a media type that the contract does not list, where it says how that is refused.
func (x *requestJudge) otherMedia(sent string) {
	x.whole = false
	if exactly(x.op, http.StatusUnsupportedMediaType) == nil || wire.KindOf(sent) == wire.KindForeign {
		return
	}
	x.find(MediaTypeRefused, requestBody, phrase.Of("a body of type {}", phrase.Text(sent)), spec.Finding{
		Expected: phrase.Of("status {}", phrase.Status(http.StatusUnsupportedMediaType)), Detail: sent, Contract: x.op.Body.Pointer,
	})
}

// json judges a body that is JSON.
func (x *requestJudge) json(m *spec.Media, body []byte) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")) // parsers may ignore it (RFC 8259, section 8.1)
	d, err := exactjson.Decode(body)
	if err != nil || !utf8.Valid(body) {
		x.unreadable(m, body, err)
		return
	}
	v := x.ruledOut(m.Edge, m.Examples, []any{d.Tree}, false)
	if v == nil {
		return
	}
	kind := PropertyValue
	switch {
	case v.Keyword == "required" || v.Keyword == "dependentRequired":
		kind = PropertyMissing
	case v.Keyword == "additionalProperties" || v.Keyword == "unevaluatedProperties" || v.Keyword == "propertyNames":
		kind = PropertyUnknown
	case len(v.Path) == 0 && v.Keyword == "type":
		kind = BodyType
	}
	at := requestBody
	if len(v.Path) > 0 {
		at += " at " + v.Pointer()
	}
	x.violation(kind, at, v, v.Schema)
}

// requestBody names the body of a request.
const requestBody = "the request's body"

// unreadable judges a body that is no JSON. What only parsers with extensions read is left open, and so are texts that are not UTF-8.
func (x *requestJudge) unreadable(m *spec.Media, body []byte, err error) {
	x.whole = false
	start := bytes.TrimLeft(body, " \t\r\n")
	if err == nil || exactjson.ExceedsLimit(err) || !utf8.Valid(body) || len(start) == 0 {
		return
	}
	_, beginning := exactjson.DecodeBeginning(body)
	cut := x.sent.Exact && errors.Is(beginning, exactjson.ErrCut)
	if !cut && strings.ContainsRune(`{["'/#-+.0123456789tfnNIu`, rune(start[0])) {
		return
	}
	x.find(BodyMalformed, requestBody, phrase.Of("a body that is not JSON"), spec.Finding{Expected: x.refusal(), Contract: m.Pointer})
}
