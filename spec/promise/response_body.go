package promise

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise/doubt"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

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
		if !m.Schema.OnlyBytes() {
			x.judgeText(m)
		}
	case wire.KindBinary, wire.KindForeign:
		if !m.Schema.OnlyBytes() {
			x.hole(Body, m.Pointer, "content of the media type "+contentType(resp)+" is not read")
		}
	}
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
		return !m.Schema.OnlyBytes() // XML must have an element
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
	x.judgeRepeats(m, d)
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
