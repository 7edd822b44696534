package promise

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
	"hallmark/spec/promise/doubt"
	"hallmark/spec/request"
	"hallmark/spec/schema"
	"hallmark/spec/wire"
)

// Responses judges responses by what the contract documents: media type, body, headers. It is safe for concurrent
// use.
type Responses struct {
	contract *spec.Contract
	names    Names
}

// Judged is the result of judging a response.
type Judged struct {
	// Value is the decoded body; it is not valid if there is none that could be decoded.
	Value    exactjson.Value
	Findings []spec.Finding
	// Exercised holds the ids of the rules that the response could have broken, except those that Unjudged leaves
	// open.
	Exercised []string
	// Unjudged says what the response could not be judged by, and which rule that leaves open.
	Unjudged []spec.Unjudged
}

// settle removes rules from Exercised that a hole leaves open. A violation counts whatever else was not judged.
func (j *Judged) settle() {
	j.Exercised = slices.DeleteFunc(j.Exercised, func(rule string) bool {
		return slices.ContainsFunc(j.Unjudged, func(u spec.Unjudged) bool { return u.Rule == rule }) &&
			!slices.ContainsFunc(j.Findings, func(f spec.Finding) bool { return f.Rule == rule })
	})
}

// Judge judges a response. It does not judge exchanges outside the contract or without a complete response.
// Whether the status was right depends on the request; see the function Judge.
func (r *Responses) Judge(ex *spec.Exchange) (out Judged) {
	defer func() {
		if p := recover(); p != nil {
			// A defect of hallmark or of a library must never appear as one of the service.
			out = Judged{Value: exactjson.Value{Err: fmt.Errorf("judging a response failed, which is a defect of hallmark: %v", p)}}
		}
	}()
	op, ok := r.contract.Operation(ex.Operation)
	switch {
	case ex.Response == nil || ex.Lost != "":
		return Judged{}
	case !ok || ex.Response.BackPressure():
		return Judged{Value: spec.Decode(ex.Response)}
	}
	judged := r.judgeAs(op, ex)
	if len(judged.Findings) == 0 {
		return judged
	}
	for _, twin := range twins(op, r.contract.Operations()) {
		if other := r.judgeAs(twin, ex); len(other.Findings) == 0 && twin.ResponseFor(ex.Response.Status) != nil {
			return Judged{Value: other.Value} // either operation may have been meant
		}
	}
	return judged
}

// judgeAs judges a response as one of an operation.
func (r *Responses) judgeAs(op *spec.Operation, ex *spec.Exchange) Judged {
	x := responseJudge{Responses: r, op: op, ex: ex, answer: op.ResponseFor(ex.Response.Status)}
	x.conventions()
	x.headers()
	x.body()
	x.settle()
	return x.Judged
}

// responseJudge is the state of judging one response.
type responseJudge struct {
	*Responses
	Judged
	op *spec.Operation
	ex *spec.Exchange
	// answer is the documented response for the status, or nil.
	answer *spec.DocumentedResponse
}

// exercised records that a kind of promise was evaluated.
func (x *responseJudge) exercised(k Kind) {
	if rule := x.names.Rule(x.op.ID, k); !slices.Contains(x.Exercised, rule) {
		x.Exercised = append(x.Exercised, rule)
	}
}

// find adds a finding about a kind of promise.
func (x *responseJudge) find(k Kind, f spec.Finding) {
	x.exercised(k)
	f.Rule, f.Operation, f.Exchanges = x.names.Rule(x.op.ID, k), x.op.ID, []int{x.ex.Seq}
	if f.Where.IsZero() {
		f.Where = x.place()
	}
	if f.Cause == "" {
		f.Cause = f.Rule + " " + f.Contract + " " + string(f.Kind) + " " + f.Detail
	}
	x.Findings = append(x.Findings, f)
}

// place returns the place of the response.
func (x *responseJudge) place() phrase.Place {
	return phrase.Place{Method: x.ex.Request.Method, Path: address(x.ex, x.op), Status: x.ex.Response.Status}
}

// conventions judges what HTTP requires of a response with its status.
func (x *responseJudge) conventions() {
	missing := func(k Kind, header, source string, parts ...string) {
		x.find(k, spec.Finding{
			Kind: spec.KindMissing, Expected: phrase.Of("a {} header ("+source+")", phrase.Header(header)), Actual: phrase.Of("none"), Header: header,
			Where: x.place().OfHeader(header), Parts: parts,
		})
	}
	switch status := x.ex.Response.Status; {
	case status == http.StatusUnauthorized && !x.op.Anonymous():
		if x.exercised(Challenge); x.ex.Response.Header.Get("WWW-Authenticate") == "" {
			missing(Challenge, "WWW-Authenticate", "RFC 9110, section 11.6.1")
		}
	case status == http.StatusCreated && x.op.Method == http.MethodPost && exactly(x.op, http.StatusCreated) != nil:
		if x.exercised(Location); x.ex.Response.Header.Get("Location") == "" {
			missing(Location, "Location", "RFC 9110, section 9.3.3")
		}
	}
	if !x.op.Deprecated || x.ex.Response.Status/100 != 2 {
		return
	}
	x.exercised(Deprecation)
	if x.ex.Response.Header.Get("Deprecation") == "" {
		missing(Deprecation, "Deprecation", "RFC 9745")
	}
	if !x.op.Sunset.IsZero() && x.ex.Response.Header.Get("Sunset") == "" {
		missing(Deprecation, "Sunset", "RFC 8594", PartSunset)
	}
}

// headers judges the documented headers.
func (x *responseJudge) headers() {
	if x.answer == nil {
		return
	}
	for i := range x.answer.Headers {
		h := &x.answer.Headers[i]
		if strings.EqualFold(h.Name, "Content-Type") {
			continue // OpenAPI: it is ignored, since the media types of the content say it
		}
		if ofConnection(h.Name) {
			continue // intermediaries remove it, and each connection has its own
		}
		lines := x.ex.Response.Header.Values(h.Name)
		switch {
		case len(lines) > 0:
			x.exercised(Headers)
			x.header(h, lines)
		case h.Required && !unpacked(h.Name):
			x.find(Headers, spec.Finding{
				Kind: spec.KindMissing, Detail: h.Name, Expected: phrase.Of("the header {}", phrase.Header(h.Name)), Actual: phrase.Of("none"), Header: h.Name,
				Contract: h.Pointer, Where: x.place().OfHeader(h.Name),
			})
		}
	}
}

// ofConnection reports whether a header is about one connection rather than the response (RFC 9110, section
// 7.6.1): intermediaries may change it, and HTTP/2 has none.
func ofConnection(name string) bool {
	return slices.ContainsFunc([]string{"Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade"}, func(one string) bool {
		return strings.EqualFold(one, name)
	})
}

// unpacked reports whether a header is removed from a response whose content was compressed as the client
// requested.
func unpacked(name string) bool {
	return strings.EqualFold(name, "Content-Encoding") || strings.EqualFold(name, "Content-Length")
}

// header judges one header by its schema.
func (x *responseJudge) header(h *spec.Header, lines []string) {
	if v := x.headerViolation(Headers, h, lines); v != nil {
		f := x.violation(v)
		f.Header, f.Where, f.Pointer = h.Name, x.place().OfHeader(h.Name), ""
		x.find(Headers, f)
	}
}

// headerViolation returns how a header violates its schema, or nil. If it can be parsed in several ways, it
// violates the schema only if each result does.
func (x *responseJudge) headerViolation(k Kind, h *spec.Header, lines []string) *schema.Violation {
	edge, p := h.Edge, request.Header(h)
	if h.Content != nil {
		edge = h.Content.Edge
	}
	if edge.Schema == nil {
		return nil
	}
	v := x.contract.Validator(edge.Schema)
	read, err := p.Parse(strings.Join(lines, ", "), request.HintOf(edge.Schema))
	switch {
	case v == nil:
		x.hole(k, edge.Schema.Pointer, noSchema)
		return nil
	case err != nil:
		x.hole(k, h.Pointer, "the header cannot be read in its style")
		return nil
	case read.Truncated || len(read.Values) == 0:
		x.hole(k, h.Pointer, manyReadings)
		return nil
	}
	beside := h.Examples
	if h.Content != nil {
		beside = h.Content.Examples
	}
	if broken := x.readings(k, v, read.Values, edge.Schema, beside); len(broken) > 0 {
		return &broken[0]
	}
	return nil
}

// partHeaders judges the headers of the parts of a multipart body.
func (x *responseJudge) partHeaders(m *spec.Media) {
	if !slices.ContainsFunc(slices.Collect(maps.Values(m.Encoding)), func(e spec.Encoding) bool { return len(e.Headers) > 0 }) {
		return
	}
	parts, err := wire.ParseMultipart(contentType(x.ex.Response), x.ex.Response.Body)
	if err != nil {
		return // the judgement of the body reports it
	}
	for _, part := range parts {
		for i := range m.Encoding[part.Name].Headers {
			h := &m.Encoding[part.Name].Headers[i]
			at := x.place().At(jsonpointer.Join("", part.Name))
			lines := part.Header.Values(h.Name)
			if len(lines) > 0 {
				if v := x.headerViolation(Body, h, lines); v != nil {
					f := x.violation(v)
					f.Header, f.Where, f.Pointer = h.Name, at, ""
					x.find(Body, f)
				}
			} else if h.Required {
				x.find(Body, spec.Finding{
					Kind: spec.KindMissing, Detail: h.Name, Expected: phrase.Of("the header {} in the part {}", phrase.Header(h.Name), phrase.Field(part.Name)),
					Actual: phrase.Of("none"), Header: h.Name, Contract: h.Pointer, Where: at,
				})
			}
		}
	}
}

// body judges the body: its presence, its media type, its syntax, its schema.
func (x *responseJudge) body() {
	resp := x.ex.Response
	bodyless := x.ex.Request.Method == http.MethodHead || resp.Status == http.StatusNoContent || resp.Status == http.StatusResetContent ||
		resp.Status == http.StatusNotModified || resp.Status < 200
	if x.answer == nil || len(x.answer.Content) == 0 || bodyless {
		x.Value = spec.Decode(resp)
		return
	}
	if len(resp.Body) == 0 && !resp.Cut() {
		x.missingBody()
		return
	}
	m := x.media()
	if m == nil {
		x.Value = spec.Decode(resp)
		return
	}
	if coding := wire.UnknownCoding(wire.Codings(resp.Header.Values("Content-Encoding"))); coding != "" {
		x.hole(Body, m.Pointer, "content of the coding "+text.Quote(coding)+" is not read, which was not asked for")
		return
	}
	x.exercised(Body)
	switch wire.KindOf(contentType(resp)) {
	case wire.KindJSON:
		x.json(m)
	case wire.KindLines, wire.KindSequence, wire.KindEvents:
		x.items(m)
	case wire.KindForm, wire.KindMultipart, wire.KindText:
		x.judgeText(m)
	case wire.KindXML, wire.KindYAML:
		if !bytesOnly(m.Schema) {
			x.judgeText(m)
		}
	case wire.KindBinary, wire.KindForeign:
		if !bytesOnly(m.Schema) {
			x.hole(Body, m.Pointer, "content of the media type "+contentType(resp)+" is not read")
		}
	}
}

// bytesOnly reports whether a schema only says that there is content.
func bytesOnly(s *spec.Schema) bool {
	return s == nil || s.Simple() && (s.Type == "string" || s.Type == "") && s.Pattern == "" && len(s.Enum) == 0 && s.Const == "" && s.MinLength == nil && s.MaxLength == nil
}

// missingBody judges a missing body where content is documented. A default covers many statuses, so nothing
// follows from it for errors; text and bytes may be empty.
func (x *responseJudge) missingBody() {
	if x.answer.Class() == 0 && x.ex.Response.Status >= 400 {
		return
	}
	for i := range x.answer.Content {
		m := &x.answer.Content[i]
		if !m.IsJSON() && !x.rulesOutEmpty(m) {
			return
		}
	}
	x.find(Body, spec.Finding{
		Kind: spec.KindMissing, Expected: phrase.Of("a body of type {}", phrase.AnyOf(x.answer.MediaTypes())), Actual: phrase.Of("no body"),
		Parts: []string{PartMissing}, Contract: jsonpointer.Join(x.answer.Definition(), "content"),
	})
}

// rulesOutEmpty reports whether a media type or its schema rules out an empty text.
func (x *responseJudge) rulesOutEmpty(m *spec.Media) bool {
	if wire.KindOf(m.Type) == wire.KindXML {
		return !bytesOnly(m.Schema) // XML must have an element
	}
	if m.Schema == nil || m.Schema.Type != "string" {
		return false
	}
	v := x.contract.Validator(m.Schema)
	if v == nil {
		return false
	}
	result := v.Validate("", schema.Response)
	return len(serious(result.Violations)) > 0 && len(result.Unjudged) == 0
}

// media returns the documented media type of the response; or nil, after adding a finding, if it is undocumented.
func (x *responseJudge) media() *spec.Media {
	kind := MediaType
	if sharesErrorMedia(x.answer) && x.ex.Response.Status >= http.StatusBadRequest {
		kind = ErrorMediaType
	}
	x.exercised(kind)
	got := contentType(x.ex.Response)
	i := -1
	if got != "" {
		i = wire.Best(x.answer.MediaTypes(), got)
	}
	if i >= 0 {
		return &x.answer.Content[i]
	}
	f := spec.Finding{
		Kind: spec.KindMediaType, Detail: got, Expected: phrase.Of("{}", phrase.AnyOf(x.answer.MediaTypes())), Actual: phrase.Of("{}", phrase.Text(got)),
		Header: "Content-Type", Contract: jsonpointer.Join(x.answer.Definition(), "content"), Where: x.place().OfHeader("Content-Type"),
	}
	if got == "" {
		f.Kind, f.Detail, f.Actual = spec.KindMissing, "", phrase.Of("no Content-Type")
	}
	x.find(kind, f)
	return nil
}

// contentType returns the Content-Type of a response, or "".
func contentType(r *spec.Response) string { return strings.TrimSpace(r.Header.Get("Content-Type")) }

// json judges a JSON text.
func (x *responseJudge) json(m *spec.Media) {
	resp := x.ex.Response
	d, err := resp.Decode()
	switch {
	case exactjson.ExceedsLimit(err):
		x.Value = exactjson.Value{Err: err}
		return
	case err != nil:
		x.unreadable(m, err)
		return
	}
	x.Value = exactjson.Value{Tree: d.Tree, Valid: true}
	x.value(m.Schema, m.Examples, d.Tree, "")
	x.judgeRepeats(m, d.Repeats)
	x.problem(m, d.Tree)
	x.errorStatus(m, d.Tree)
}

// unreadable adds a finding for a body that cannot be parsed as its own media type.
func (x *responseJudge) unreadable(m *spec.Media, err error) {
	body := x.ex.Response.Body
	x.find(Body, spec.Finding{
		Kind: spec.KindUnreadable, Expected: phrase.Of("{} that can be read", phrase.AnyOf([]string{m.Type})),
		Actual: phrase.Of("{}: {}", phrase.Text(err.Error()), phrase.JSON(text.Quote(string(body[:min(len(body), quoted)])))),
		Parts:  []string{PartUnreadable}, Contract: m.Pointer,
	})
}

// quoted is how many bytes of a body are quoted.
const quoted = 320

// value judges a value by a schema and the examples beside it; at is the pointer of the value in the body.
func (x *responseJudge) value(s *spec.Schema, beside []spec.Example, value any, at string) {
	if s == nil {
		return
	}
	v := x.contract.Validator(s)
	if v == nil {
		x.hole(Body, s.Pointer, noSchema)
		return
	}
	sure, open := x.settled(s, beside, false, v.Validate(value, schema.Response))
	x.unjudged(Body, open)
	x.violations(sure, at)
}

// settled divides the violations of a result into certain ones and those that the document leaves open. texts
// reports whether the value was parsed from text.
func (x *responseJudge) settled(s *spec.Schema, beside []spec.Example, texts bool, r schema.Result) ([]schema.Violation, []schema.Hole) {
	sure, open := doubt.Settled(r)
	sure, shown := doubt.Document{Validator: x.contract.Validator, Direction: schema.Response, Texts: texts}.Uncontradicted(s, beside, sure)
	return sure, append(open, shown...)
}

// violations adds findings for violations, one for all places that violate the same constraint in the same way.
func (x *responseJudge) violations(all []schema.Violation, at string) {
	places := map[string]int{}
	var order []string
	first := map[string]*schema.Violation{}
	for i := range all {
		v := &all[i]
		key := v.Constraint + "\x00" + exactjson.TypeName(v.Actual) + "\x00" + strconv.FormatBool(v.Advice)
		if places[key]++; places[key] == 1 {
			first[key] = v
			order = append(order, key)
		}
	}
	for _, key := range order {
		v := first[key]
		f := x.violation(v)
		f.Pointer = at + v.Pointer()
		f.Where = x.place().At(f.Pointer)
		if n := places[key]; n > 1 {
			f.Actual = f.Actual.With(" (and {} more)", phrase.Count(n-1, "place"))
		}
		kind := Body
		if v.Advice {
			kind = WriteOnly
		}
		x.find(kind, f)
	}
}

// violation returns the finding for a violation.
func (x *responseJudge) violation(v *schema.Violation) spec.Finding {
	kind, expected, actual := describe(v)
	return spec.Finding{Kind: kind, Detail: detailOf(v), Expected: expected, Actual: actual, Contract: v.Constraint, Pointer: v.Pointer()}
}

// items judges a stream item by item.
func (x *responseJudge) items(m *spec.Media) {
	s, whole := m.Item.Schema, m.Schema
	if s == nil && whole != nil && whole.Type == "array" {
		s = whole.Item()
	}
	if s == nil && !bytesOnly(whole) {
		x.hole(Body, m.Pointer, "the schema does not say what the items of a stream are")
	}
	n, before := 0, len(x.Findings)
	err := wire.Items(contentType(x.ex.Response), bytes.NewReader(x.ex.Response.Body), streamItem, func(item wire.Item) error {
		_, number := item.Value.(json.Number) // more digits may have followed
		cut := item.Unfinished && x.ex.Response.Cut()
		switch n++; {
		case cut && (number || item.Err != nil):
			if n == 1 { // items before it are judged, and a stream need not end
				x.hole(Body, m.Pointer, exactjson.ErrCut.Error())
			}
		case item.Err != nil:
			x.unreadable(m, item.Err)
			return errStop
		case s != nil:
			x.value(s, nil, item.Value, "/"+strconv.Itoa(item.Index))
		}
		if len(x.Findings) > before {
			return errStop
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errStop):
		x.hole(Body, m.Pointer, "the stream was not read to its end: "+err.Error())
	case n == 0 && x.ex.Response.Cut():
		x.hole(Body, m.Pointer, "no item came while the stream was read")
	}
}

// streamItem is the maximum length of an item of a stream, in bytes.
const streamItem = 1 << 20

// errStop ends the reading of a stream.
var errStop = fmt.Errorf("enough")

// judgeText judges forms and texts, which may be parsed in several ways: they violate their schema if each result
// does.
func (x *responseJudge) judgeText(m *spec.Media) {
	if m.Schema == nil {
		return
	}
	v := x.contract.Validator(m.Schema)
	media := contentType(x.ex.Response)
	options := request.MediaOptions(m, media, "")
	read, err := wire.ParseBody(media, x.ex.Response.Body, options)
	if len(options.Encoding) > 0 && x.contract.OpenAPI() < "3.2" { // by the letter, an encoding is for request bodies only
		options.Encoding = nil
		other, failed := wire.ParseBody(media, x.ex.Response.Body, options)
		if read.Values = append(read.Values, other.Values...); err != nil {
			err = failed
		}
		read.Truncated = read.Truncated || other.Truncated
	}
	reason, known := wire.ReasonOf(err)
	switch {
	case x.ex.Response.Cut():
		x.hole(Body, m.Pointer, exactjson.ErrCut.Error())
		return
	case v == nil:
		x.hole(Body, m.Schema.Pointer, noSchema)
		return
	case known && reason == wire.Malformed:
		x.unreadable(m, err)
		return
	case err != nil:
		x.hole(Body, m.Pointer, "the content cannot be read: "+err.Error())
		return
	}
	x.partHeaders(m)
	if read.Truncated {
		x.hole(Body, m.Pointer, manyReadings)
		return
	}
	x.violations(x.readings(Body, v, read.Values, m.Schema, m.Examples), "")
}

// readings judges the possible values of a text by a schema and the examples beside it. It returns the violations
// of the first value if every value violates the schema, and records what leaves that open.
func (x *responseJudge) readings(k Kind, v *schema.Schema, values []any, s *spec.Schema, beside []spec.Example) (first []schema.Violation) {
	var holes []schema.Hole
	for _, value := range values {
		sure, open := x.settled(s, beside, true, v.Validate(value, schema.Response))
		switch broken := serious(sure); {
		case len(broken) > 0 && first == nil:
			first = broken
		case len(broken) > 0:
		case len(open) == 0:
			return nil
		default:
			holes = append(holes, open...)
		}
	}
	if len(holes) > 0 {
		x.unjudged(k, holes)
		return nil
	}
	return first
}

// serious returns the violations that are more than advice.
func serious(all []schema.Violation) []schema.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v schema.Violation) bool { return v.Advice })
}

// Why values cannot be judged.
const (
	noSchema     = "the schema cannot be judged by"
	manyReadings = "the content can be read in more ways than are looked at"
)

// hole records that a value could not be judged by a place of the document, which leaves a kind of promise open.
func (x *responseJudge) hole(k Kind, pointer, reason string) {
	x.unjudged(k, []schema.Hole{{Pointer: pointer, Line: x.contract.Line(pointer), Reason: reason}})
}

func (x *responseJudge) unjudged(k Kind, holes []schema.Hole) {
	for _, h := range holes {
		if u := (spec.Unjudged{Rule: x.names.Rule(x.op.ID, k), Hole: h}); !slices.Contains(x.Unjudged, u) {
			x.Unjudged = append(x.Unjudged, u)
		}
	}
}
