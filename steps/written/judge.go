package written

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// verdict is what a response shows of an expectation.
type verdict struct {
	kind             spec.FindingKind
	expected, actual phrase.Phrase
	pointer, header  string
	// exchanges are those that show it beside the response.
	exchanges []int
	// id is the identifier of the resource that it is about, where the request's path does not name that; empty for none.
	id     string
	status int
	// after is the rule whose violation explains this one, or empty.
	after string
	// good reports whether the expectation is met, unasked whether nothing could have broken it.
	good, unasked bool
}

// conclude keeps what a response shows under the rule of the scenario: a finding where the expectation is not met. An open rule can
// only be observed.
func conclude(s *scenario.Scenario, a *scenario.Answer, v verdict) {
	switch {
	case v.unasked:
	case s.Rule.Level == spec.Open:
		what := v.actual.String()
		if v.good {
			what = v.expected.String()
		}
		s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: what, Reading: what, Exchange: a.Exchange.Seq})
	case v.good:
		s.Kept(s.Rule.ID)
	default:
		f := findingOf(a, s.Rule.ID, v)
		if v.id != "" {
			f.About.IDs = []string{v.id}
		}
		if v.kind == spec.KindDiffers && len(v.exchanges) > 0 && len(f.About.IDs) > 0 {
			f.About.Shows = spec.Differs
		}
		if v.status != 0 {
			f.After = first(brokenByStatus(s, a), v.after, explanation(s, a))
		}
		s.Find(a.Exchange, f)
	}
}

// findingOf is the finding that a response breaks a rule.
func findingOf(a *scenario.Answer, rule string, v verdict) spec.Finding {
	where := check.Place(a.Exchange)
	switch {
	case v.pointer != "":
		where = where.At(v.pointer)
	case v.header != "":
		where = where.OfHeader(v.header)
	}
	f := spec.Finding{
		Rule: rule, Operation: a.Exchange.Operation, Kind: v.kind, Expected: v.expected, Actual: v.actual, Where: where, Pointer: v.pointer, Header: v.header,
		Status: v.status, Cause: fmt.Sprintf("%s: %s %s%s", rule, v.kind, v.pointer, v.header),
	}
	if v.status != 0 {
		f.Cause += fmt.Sprintf("status %d", v.status)
	}
	for _, seq := range v.exchanges {
		if seq != a.Exchange.Seq {
			f.Exchanges = append(f.Exchanges, seq)
		}
	}
	f.Exchanges = append(f.Exchanges, a.Exchange.Seq)
	return f
}

// brokenByStatus returns the rule that the status of a response breaks whatever a scenario expects of it; empty for none.
func brokenByStatus(s *scenario.Scenario, a *scenario.Answer) string {
	rule := ""
	s.Found(func(f spec.Finding) bool {
		if f.Rule != s.Rule.ID && !isWithin(s, f.Rule) && f.Status == a.Status() && f.After == "" && slices.Contains(f.Exchanges, a.Exchange.Seq) {
			rule = f.Rule
		}
		return rule != ""
	})
	return rule
}

// isWithin reports whether the rule of the scenario is a part of a wider rule, directly or through others.
func isWithin(s *scenario.Scenario, wider string) bool {
	within := s.Rule.Within
	for range len(s.Run.Catalogue.Rules) {
		if within == "" || within == wider {
			break
		}
		r, _ := s.Run.Catalogue.Rule(within)
		within = r.Within
	}
	return within != "" && within == wider
}

// whole returns the body of a response as it came. It ends the scenario where the body is too long to be kept, or exceeds another limit of
// hallmark: what is missing then would be held against the service.
func whole(a *scenario.Answer) (exactjson.Value, error) {
	if a.Exchange.Response == nil {
		return exactjson.Value{}, scenario.Stopf("no response came")
	}
	if a.Exchange.Response.Cut() {
		return exactjson.Value{}, scenario.Stopf("%s is too long to be kept completely, so nothing is concluded from it", check.Place(a.Exchange))
	}
	d, err := exactjson.Decode(a.Exchange.Response.Body) // what cannot be read is no value
	if exactjson.ExceedsLimit(err) {
		return exactjson.Value{}, scenario.Stopf("%s could not be judged: %v", check.Place(a.Exchange), err)
	}
	return exactjson.Value{Tree: d.Tree, Valid: err == nil}, nil
}

// follows reports whether a response is wrong already for its status, so that what it lacks is no matter of its own.
func follows(s *scenario.Scenario, a *scenario.Answer) bool {
	return a.Status()/100 != 2 && s.Broken(a.Exchange)
}

// shownValue is a value as findings show it.
func shownValue(v any) phrase.Value {
	switch v := v.(type) {
	case string, json.Number, bool, nil:
		return phrase.JSON(exactjson.Describe(v))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return phrase.JSON(exactjson.Describe(v))
	}
	return phrase.JSON(text.Elide(strings.TrimSpace(out.String()), mostShown))
}

// mostShown is how much is shown of a list or an object, in characters.
const mostShown = 200
