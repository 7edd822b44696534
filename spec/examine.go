package spec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// examination is the judgement of one response while it is being made.
type examination struct {
	exchange  *Exchange
	operation *Operation
	plan      *plan
	findings  []Finding
	exercised map[string]bool
}

// isError reports whether the response says that the request failed.
func (x *examination) isError() bool { return x.exchange.Response.Status >= 400 }

// bodyRule is the rule that a missing or unreadable body breaks: of an error response that is the one about error bodies.
func (x *examination) bodyRule(otherwise string) string {
	if x.isError() {
		return ruleErrorBody
	}
	return otherwise
}

// examine judges from the outside in: body, media type, JSON, schema. What fails outside hides what is inside.
func (x *examination) examine() Value {
	r := x.exchange.Response
	if x.plan.documented && len(x.plan.media) == 0 {
		return Decode(r) // the contract documents no body here, and forbids none
	}
	x.exercised[x.bodyRule(ruleBody)] = true
	if len(r.Body) == 0 && !r.cut() {
		x.envelope(x.bodyRule(ruleBody), KindMissing, "", "missing", x.wantBody(), "no body")
		return Value{}
	}
	x.exercised[ruleMediaType] = true
	wrongMedia := x.wrongMedia()
	d, err := read(r)
	if errors.Is(err, errTooDeep) || errors.Is(err, errCut) || errors.Is(err, errTooMany) {
		x.media(wrongMedia, "")
		return x.part(d, err)
	}
	x.exercised[x.bodyRule(ruleJSON)] = true
	if err != nil {
		rule := x.bodyRule(ruleJSON)
		what, detail := x.notJSON(err)
		x.envelope(rule, KindUnreadable, detail, "not JSON", x.wantBody(), what)
		x.media(wrongMedia, rule)
		return Value{}
	}
	x.media(wrongMedia, "")
	if x.plan.schema != nil {
		if err := x.schema(d); err != nil {
			return Value{Tree: d.tree, Valid: true, Err: err}
		}
	}
	return Value{Tree: d.tree, Valid: true}
}

// part judges what is known of a body that could not be read to its end, by what no further text could set right. Where
// that finds nothing, the response is not judged.
func (x *examination) part(d decoded, err error) Value {
	if _, ok := d.tree.([]any); ok && x.plan.schema != nil {
		breaches, failed := x.plan.breaches(d)
		if failed != nil {
			return Value{Err: failed}
		}
		breaches = slices.DeleteFunc(breaches, func(b breach) bool { return b.keyword == "minItems" && len(b.path) == 0 })
		for _, b := range breaches {
			x.exercised[b.rule] = true
		}
		x.report(d.tree, breaches)
	}
	if len(x.findings) > 0 {
		return Value{}
	}
	// What has no end within reason is no body that anybody can use. A list of animals that are just very long, or have
	// very many fields, could be one, and is not judged.
	items, isList := d.tree.([]any)
	var what, detail string
	switch {
	case errors.Is(err, errTooDeep):
		detail = "too deep"
		what = fmt.Sprintf("JSON that nests deeper than %d levels, which no parser has to follow (RFC 8259, section 9)", maxTextDepth)
	case errors.Is(err, errCut) && x.exchange.Response.TooLong && len(x.exchange.Response.Body) >= leastLong && (!isList || len(items) == 0):
		detail = "no end"
		what = fmt.Sprintf("no end of it within the first %d MiB", len(x.exchange.Response.Body)>>20)
	default:
		return Value{Err: err}
	}
	rule := x.bodyRule(ruleJSON)
	x.exercised[rule] = true
	x.envelope(rule, KindUnreadable, detail, "no end", x.wantBody(), what)
	return Value{}
}

// leastLong is how much of a body without an end has to be there, in bytes, before that is held against it.
const leastLong = 1 << 20

// wantBody says what the body should have been.
func (x *examination) wantBody() string {
	if x.isError() {
		return "a JSON object that says what went wrong"
	}
	return "one JSON text"
}

// notJSON says what is there in place of a JSON text, whole and in brief.
func (x *examination) notJSON(err error) (what, detail string) {
	body := x.exchange.Response.Body
	if len(bytes.TrimSpace(body)) == 0 {
		return "nothing but white space", "white space"
	}
	return fmt.Sprintf("no valid JSON (%v): %s", err, shortQuote(string(body[:min(len(body), 4*maxQuoted)]))), "not JSON"
}

// wrongMedia describes the media type when it is not the documented one; empty when it is.
func (x *examination) wrongMedia() string {
	got, want := mediaTypes(x.exchange.Response), x.wantMedia()
	if len(got) == 0 {
		return "no Content-Type"
	}
	for _, t := range got {
		if !slices.ContainsFunc(want, func(w string) bool { return strings.EqualFold(w, t) }) {
			quoted := make([]string, len(got))
			for i, g := range got {
				quoted[i] = strings.Trim(shortQuote(g), `"`)
			}
			return strings.Join(quoted, " and ")
		}
	}
	return ""
}

func (x *examination) wantMedia() []string {
	if len(x.plan.media) > 0 {
		return x.plan.media
	}
	return []string{jsonMedia}
}

// media reports a wrong media type; after is the rule whose breach explains it.
func (x *examination) media(wrong, after string) {
	if wrong == "" {
		return
	}
	kind, detail := KindMediaType, wrong
	if len(mediaTypes(x.exchange.Response)) == 0 {
		kind, detail = KindMissing, ""
	}
	x.envelope(ruleMediaType, kind, detail, "media type", list(x.wantMedia(), "or"), wrong)
	f := &x.findings[len(x.findings)-1]
	f.Header = "Content-Type"
	f.Where += ", header Content-Type"
	if after != "" {
		f.After = after
	}
}

// envelope reports a breach of what is asked of every body.
func (x *examination) envelope(rule string, kind Kind, detail, breach, expected, actual string) {
	contract, cause := x.plan.place, breach
	if x.plan.documented {
		contract = join(contract, "content")
	} else {
		// Answers with statuses that are not documented have one place in the contract but not one cause.
		cause = fmt.Sprintf("%s at %d", breach, x.exchange.Response.Status)
	}
	x.findings = append(x.findings, Finding{
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

// consequence names the rule that the status broke, when the status itself explains what is wrong with the body: there is
// none by HTTP, or it is a redirect's page.
func (x *examination) consequence() string {
	status := x.exchange.Response.Status
	explains := status == 204 || status == 205 || status < 200 || status >= 300 && status < 400
	if x.plan.documented || !explains || x.exchange.Expect.Allows(status) {
		return ""
	}
	if x.exchange.Expect.Rule != "" {
		return x.exchange.Expect.Rule
	}
	return ruleStatus
}

// causeOf makes the text that is equal for findings of one cause.
func causeOf(rule, contract, breach string) string {
	return rule + " " + contract + " " + breach
}
