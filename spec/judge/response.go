package judge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
)

// judgement is the judgement of one response while it is being made.
type judgement struct {
	exchange  *spec.Exchange
	operation *spec.Operation
	plan      *plan
	findings  []spec.Finding
	exercised map[string]bool
}

// isError reports whether the response says that the request failed.
func (x *judgement) isError() bool { return x.exchange.Response.Status >= 400 }

// bodyRule returns the rule that a missing or unreadable body breaks: of an error response that is the one about error bodies.
func (x *judgement) bodyRule(otherwise string) string {
	if x.isError() {
		return spec.RuleErrorBody
	}
	return otherwise
}

// judge judges from the outside in: body, media type, JSON, schema. What fails outside hides what is inside.
func (x *judgement) judge() exactjson.Value {
	r := x.exchange.Response
	if x.plan.documented && len(x.plan.media) == 0 {
		return spec.Decode(r) // the contract documents no body here, and forbids none
	}
	x.exercised[x.bodyRule(spec.RuleBody)] = true
	if len(r.Body) == 0 && !r.Cut() {
		x.envelope(x.bodyRule(spec.RuleBody), spec.KindMissing, "", "missing", x.wantBody(), phrase.Of("no body"))
		return exactjson.Value{}
	}
	x.exercised[spec.RuleMediaType] = true
	wrongMedia := x.wrongMedia()
	d, err := r.Decode()
	if exactjson.ExceedsLimit(err) {
		x.media(wrongMedia, "")
		return x.judgeBeginning(d, err)
	}
	x.exercised[x.bodyRule(spec.RuleJSON)] = true
	if err != nil {
		rule := x.bodyRule(spec.RuleJSON)
		what, detail := x.notJSON(err)
		x.envelope(rule, spec.KindUnreadable, detail, "not JSON", x.wantBody(), what)
		x.media(wrongMedia, rule)
		return exactjson.Value{}
	}
	x.media(wrongMedia, "")
	if x.plan.schema != nil {
		x.schema(d)
	}
	return exactjson.Value{Tree: d.Tree, Valid: true}
}

// judgeBeginning judges what is known of a body that could not be read to its end, by what no further text could set right. Where
// that finds nothing, the response is not judged.
func (x *judgement) judgeBeginning(d exactjson.Decoded, err error) exactjson.Value {
	if _, ok := d.Tree.([]any); ok && x.plan.schema != nil {
		violations := slices.DeleteFunc(x.plan.violations(d), func(b violation) bool { return b.keyword == "minItems" && len(b.path) == 0 })
		for _, b := range violations {
			x.exercised[b.rule] = true
		}
		x.report(d.Tree, violations)
	}
	if len(x.findings) > 0 {
		return exactjson.Value{}
	}
	// What has no end within reason is no body that anybody can use. A list of animals that are just very long, or have
	// very many fields, could be one, and is not judged.
	items, isList := d.Tree.([]any)
	var what phrase.Phrase
	var detail string
	switch {
	case errors.Is(err, exactjson.ErrTooDeep):
		detail = "too deep"
		what = phrase.Of("JSON that nests deeper than {} levels, which no parser has to follow (RFC 8259, section 9)", phrase.Number(exactjson.MaxTextDepth))
	case errors.Is(err, exactjson.ErrCut) && x.exchange.Response.TooLong && len(x.exchange.Response.Body) >= leastLong && (!isList || len(items) == 0):
		detail = "no end"
		what = phrase.Of("no end of it within the first {} MiB", phrase.Number(len(x.exchange.Response.Body)>>20))
	default:
		return exactjson.Value{Err: err}
	}
	rule := x.bodyRule(spec.RuleJSON)
	x.exercised[rule] = true
	x.envelope(rule, spec.KindUnreadable, detail, "no end", x.wantBody(), what)
	return exactjson.Value{}
}

// leastLong is how much of a body without an end has to be there, in bytes, before that is held against it.
const leastLong = 1 << 20

// wantBody returns what the body should have been.
func (x *judgement) wantBody() phrase.Phrase {
	if x.isError() {
		return phrase.Of("a JSON object that says what went wrong")
	}
	return phrase.Of("one JSON text")
}

// notJSON returns what is there in place of a JSON text, whole and in brief.
func (x *judgement) notJSON(err error) (what phrase.Phrase, detail string) {
	body := x.exchange.Response.Body
	if len(bytes.TrimSpace(body)) == 0 {
		return phrase.Of("nothing but white space"), "white space"
	}
	return phrase.Of("no valid JSON ({}): {}", phrase.Text(err.Error()), phrase.JSON(text.Quote(string(body[:min(len(body), 4*text.MaxQuoted)])))), "not JSON"
}

// wrongMedia returns the media type when it is not the documented one; nothing when it is.
func (x *judgement) wrongMedia() phrase.Phrase {
	got, want := mediaTypes(x.exchange.Response), x.wantMedia()
	if len(got) == 0 {
		return phrase.Of("no {}", phrase.Header("Content-Type"))
	}
	for _, t := range got {
		if !slices.ContainsFunc(want, func(w string) bool { return strings.EqualFold(w, t) }) {
			quoted := make([]string, len(got))
			for i, g := range got {
				quoted[i] = strings.Trim(text.Quote(g), `"`)
			}
			return phrase.Of("{}", phrase.MediaTypes(quoted))
		}
	}
	return phrase.Phrase{}
}

func (x *judgement) wantMedia() []string {
	if len(x.plan.media) > 0 {
		return x.plan.media
	}
	return []string{"application/json"}
}

// media reports a wrong media type; after is the rule whose violation explains it.
func (x *judgement) media(wrong phrase.Phrase, after string) {
	if wrong.IsZero() {
		return
	}
	kind, detail := spec.KindMediaType, wrong.String()
	if len(mediaTypes(x.exchange.Response)) == 0 {
		kind, detail = spec.KindMissing, ""
	}
	x.envelope(spec.RuleMediaType, kind, detail, "media type", phrase.Of("{}", phrase.AnyOf(x.wantMedia())), wrong)
	f := &x.findings[len(x.findings)-1]
	f.Header = "Content-Type"
	f.Where = f.Where.OfHeader(f.Header)
	if after != "" {
		f.After = after
	}
}

// envelope reports a violation of what is asked of every body.
func (x *judgement) envelope(rule string, kind spec.FindingKind, detail, violation string, expected, actual phrase.Phrase) {
	contract, cause := x.plan.place, violation
	if x.plan.documented {
		contract = jsonpointer.Join(contract, "content")
	} else {
		// Answers with statuses that are not documented have one place in the contract but not one cause.
		cause = fmt.Sprintf("%s at %d", violation, x.exchange.Response.Status)
	}
	x.findings = append(x.findings, spec.Finding{
		Rule:      rule,
		Operation: x.exchange.Operation,
		Kind:      kind,
		Detail:    detail,
		Expected:  expected,
		Actual:    actual,
		Where:     x.where(""),
		Contract:  contract,
		Exchanges: []int{x.exchange.Seq},
		Cause:     causeOf(rule, contract, cause),
		After:     x.consequence(),
	})
}

// consequence returns the rule that the status broke, when the status itself explains what is wrong with the body: there is
// none by HTTP, or it is a redirect's page.
func (x *judgement) consequence() string {
	status := x.exchange.Response.Status
	explains := status == 204 || status == 205 || status < 200 || status >= 300 && status < 400
	if x.plan.documented || !explains || x.exchange.Expect.Allows(status) {
		return ""
	}
	if x.exchange.Expect.Rule != "" {
		return x.exchange.Expect.Rule
	}
	return spec.RuleStatus
}

// causeOf returns the text that is equal for findings of one cause.
func causeOf(rule, contract, violation string) string {
	return rule + " " + contract + " " + violation
}
