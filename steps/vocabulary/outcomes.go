package vocabulary

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// The steps that judge the outcome of a request to an operation of any contract.

func outcomeSteps() []scenario.Form {
	var all []scenario.Form
	for _, aspect := range []promise.Aspect{promise.Open, promise.Keeps, promise.Differs, promise.Allowed, promise.Breaks, promise.Unknown, promise.Unauthorized, promise.Forbidden, promise.LetIn, promise.Ignores, promise.Follows, promise.Unclear, promise.Unlisted} {
		all = append(all, scenario.Form{Pattern: promise.Outcome(aspect), Do: step(func(ctx context.Context, s *scenario.Scenario) error {
			return thenPromise(ctx, s, aspect)
		})})
	}
	return all
}

func exactNumber(text string) json.Number { return json.Number(text) }

// thenPromise judges the status of the last response by what the contract promises for such a request.
func thenPromise(ctx context.Context, s *scenario.Scenario, aspect promise.Aspect) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return fmt.Errorf("the rule %s says nothing of a request to %s", s.Rule.ID, a.Exchange.Operation)
	}
	fault := aspect.Kind()
	if k, ok := s.Run.Promises.Names.Kind(op.ID, s.Pickle.Covered); ok {
		fault = k
	} else if len(s.Rule.Cases) > 0 {
		fault = promise.Kind(s.Rule.Cases[0])
	}
	v := promise.Judge(op, a.Exchange.Response, aspect, fault)
	if statuses := exactStatuses(v.Wanted); len(v.Broken) > 0 && (v.Broken[0] == fault || aspect == promise.Unknown) && len(statuses) > 0 {
		s.Expects(a, statuses...)
	}
	if v.Unavailable {
		s.Observe(spec.Observation{
			Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: "not available: status " + strconv.Itoa(a.Status()), Reading: "not available", Exchange: a.Exchange.Seq,
		})
		return scenario.Stopf("%s is not available: status %d", op.ID, a.Status())
	}
	// excuse turns what is broken into an observation.
	excuse := func(why string, kinds ...promise.Kind) {
		s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: why, Reading: why, Exchange: a.Exchange.Seq})
		v.Broken = slices.DeleteFunc(v.Broken, func(k promise.Kind) bool { return slices.Contains(kinds, k) })
	}
	if why := disordered(s, aspect); why != "" && slices.ContainsFunc(v.Broken, func(k promise.Kind) bool { return k == promise.Accepted || k == promise.Documented }) {
		excuse("status "+strconv.Itoa(a.Status())+", for "+why, promise.Accepted, promise.Documented)
	}
	if slices.Contains(v.Broken, promise.Accepted) {
		why, err := reasonElsewhere(ctx, s, a)
		if err != nil {
			return err
		}
		if why != "" {
			excuse(why, promise.Accepted)
		}
	}
	if aspect == promise.Ignores && slices.Contains(v.Broken, fault) {
		none, err := s.Wrong(ctx, op, credential.NoCredential)
		if err != nil {
			return err
		}
		again, err := succeedsAgain(ctx, s, none)
		if err != nil {
			return err
		}
		if !again {
			excuse("status "+strconv.Itoa(a.Status())+"; the request that succeeded is now refused as well", fault)
		}
	}
	// A second DELETE would be refused in any case.
	mayDepend := aspect == promise.Unauthorized || aspect == promise.Unknown && op.Method != http.MethodDelete
	if mayDepend && slices.Contains(v.Broken, fault) && slices.Contains(otherwiseRefused, a.Status()) {
		// What was there, or what it is part of, may have been removed or locked since, and a service may look for it before it
		// asks who wants it, or what is wanted of it.
		again, err := succeedsStill(ctx, s)
		if err != nil {
			return err
		}
		if !again {
			excuse("status "+strconv.Itoa(a.Status())+"; the request that succeeded is now refused as well", fault)
		}
	}
	if aspect == promise.Unknown && slices.Contains(v.Broken, fault) && !namedExisting(s) {
		excuse("status "+strconv.Itoa(a.Status())+", where no value was known to exist before", fault)
	}
	if aspect == promise.Breaks && slices.Contains(v.Broken, fault) && slices.Contains(faultsOfBodies, fault) && keepsSchema(s, a) {
		excuse("a request that matches another alternative of its schema", fault)
	}
	for _, k := range v.Kept {
		s.Kept(ruleOf(s, op, k, fault))
	}
	lead := s.Rule.ID
	for i, k := range v.Broken {
		f := statusPromise(s, a, ruleOf(s, op, k, fault), k, v.Wanted)
		f.Parts = partsOf(s, a, aspect)
		if k == promise.Documented && a.Status() == http.StatusConflict {
			// The request conflicts with what is stored (RFC 9110, section 15.5.10), whatever its values are.
			f.Parts = slices.DeleteFunc(f.Parts, func(part string) bool { return strings.HasPrefix(part, "/") })
		}
		if i > 0 {
			f.After = lead
		}
		if k == fault || k == promise.Available {
			if f, err = ofSomeRequests(ctx, s, a, f, k, v.Wanted); err != nil {
				return err
			}
		}
		if k == promise.Accepted && !slices.Contains(f.Parts, promise.PartSometimes) {
			p, needed, err := neededBeside(ctx, s)
			if err != nil {
				return err
			}
			if needed {
				f.Rule, f.Parts = s.Run.Promises.Names.Rule(op.ID, k), []string{promise.PartLeftOut, p.Pointer}
				f.Actual = f.Actual.With(", and a success with {} beside it", phrase.Field(p.Name))
				lead = s.Run.Catalogue.ResolveFinding(f)
			}
		}
		if k == fault || k == promise.Accepted {
			f.Contract = firstPlace(f.Parts)
		}
		s.Find(a.Exchange, f)
	}
	if aspect == promise.Open {
		observeAnswer(s, a, s.Pickle.Name)
	}
	if slices.Contains(v.Broken, promise.Robust) {
		return repeatAfterServerError(ctx, s, op, a)
	}
	return nil
}

// exactStatuses returns statuses as numbers, or nil if one of them is a range.
func exactStatuses(texts []string) []int {
	var all []int
	for _, t := range texts {
		status, err := strconv.Atoi(t)
		if err != nil {
			return nil
		}
		all = append(all, status)
	}
	return all
}

// ofSomeRequests returns a finding about a kind of promise as one that says that the response is right when the request is repeated, if it
// is: that there is no server error, that an allowed value is accepted, or that a wrong credential is rejected.
func ofSomeRequests(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, f spec.Finding, k promise.Kind, wanted []string) (spec.Finding, error) {
	rule, parts := s.Run.Promises.Names.Rule(a.Exchange.Operation, k), []string{promise.PartSometimes}
	var sometimes bool
	var err error
	switch k {
	case promise.Available:
		sometimes, err = s.RightAgain(ctx, a, func(a *scenario.Answer) bool { return a.Status() < http.StatusInternalServerError })
	case promise.Accepted:
		sometimes, err = s.RightAgain(ctx, a, (*scenario.Answer).Succeeded)
	case promise.CredentialMissing, promise.CredentialWrong:
		rule, parts, sometimes, err = s.LetInBy(ctx, a, func(status int) bool { return slices.Contains(wanted, strconv.Itoa(status)) })
	default:
	}
	if err == nil && sometimes {
		f.Rule, f.Parts, f.Actual = rule, parts, f.Actual.With(", and another one when the request was repeated")
	}
	return f, err
}

// partsOf returns what the last request is about; see [promise.PartsOfRequest].
func partsOf(s *scenario.Scenario, a *scenario.Answer, aspect promise.Aspect) []string {
	m, err := s.Making()
	if err != nil {
		return promise.PartsOfRequest(aspect, nil, a.Request)
	}
	return promise.PartsOfRequest(aspect, &m.Plain.Request, &m.Request)
}

// firstPlace returns the first place of the contract among the parts of a finding, which is what the request changed, or "".
func firstPlace(parts []string) string {
	i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, "/") })
	if i < 0 {
		return ""
	}
	return parts[i]
}

// namedExisting reports whether the request that succeeded had a value that is known to exist where this one has
// another. If made-up values succeed, the parameter is a filter, which may find nothing.
func namedExisting(s *scenario.Scenario) bool {
	m, err := s.Making()
	if err != nil {
		return false
	}
	for _, p := range m.Request.Operation.Parameters {
		place := request.PlaceOf(p)
		was, _ := m.Plain.Request.Value(place)
		if is, ok := m.Request.Value(place); p.In == "path" && ok && fmt.Sprint(is) != fmt.Sprint(was) && !m.Plain.Names(place) {
			return false
		}
	}
	return true
}

// disordered returns a range in a request that ends before it begins, or "". It returns "" for requests that are
// meant to break the contract.
func disordered(s *scenario.Scenario, aspect promise.Aspect) string {
	if aspect != promise.Keeps && aspect != promise.Differs && aspect != promise.Allowed {
		return ""
	}
	m, err := s.Making()
	if err != nil {
		return ""
	}
	return promise.Disordered(m.Request)
}

// ruleOf returns the id of the rule of an operation and a kind. If the scenario is about that kind it is the
// scenario's own rule, since a file of rules may define rules of its own.
func ruleOf(s *scenario.Scenario, op *spec.Operation, k, about promise.Kind) string {
	if k == about {
		return s.Rule.ID
	}
	return s.Run.Promises.Names.Rule(op.ID, k)
}

// reasonElsewhere returns why a valid request may be refused for reasons beyond the schemas, or "": it cannot be
// repeated, since the request that succeeded is refused by now as well, or the response mentions existing or
// used-up resources.
func reasonElsewhere(ctx context.Context, s *scenario.Scenario, a *scenario.Answer) (string, error) {
	status := "status " + strconv.Itoa(a.Status())
	if otherReason.Match(a.Exchange.Response.Body) {
		return status + ", for a reason other than the schema", nil
	}
	m, err := s.Making()
	if err != nil || m.Plain.Answer == nil {
		return "", err
	}
	if promise.SaysOtherReason(m.Request.Operation, a.Status()) {
		return status + ", which the document describes with a reason other than the schema", nil
	}
	if ends := promise.OtherEnds(m.Plain.Request, m.Request); ends != "" {
		return status + ", for " + ends, nil
	}
	if pointer := m.Plain.RepairedIn(m.Request); pointer != "" {
		return status + ", for " + pointer + ", because of which plain requests were refused before", nil
	}
	if patchChanged(m) {
		return status + ", because no schema says which patch can be applied (RFC 6902)", nil
	}
	if emptied(m) {
		return status + ", because nothing is left that could be changed", nil
	}
	if valid, known := validBody(s, m); known && !valid {
		return status + ", because other values of the successful request depend on each other", nil
	}
	if again, err := succeedsAgain(ctx, s, m.Credential); err != nil {
		return "", err
	} else if !again {
		return status + "; the request that succeeded is now refused as well", nil
	}
	if taken, err := takenThere(ctx, s, m); err != nil || taken {
		return status + ", perhaps because of a resource that exists already: there may be only one for some values", err
	}
	alike, named := scenario.Alike(s, m.Request)
	if named && len(alike) == 0 {
		return status + ", perhaps because of a name that exists already", nil
	}
	for _, r := range alike {
		other, err := s.Ask(ctx, r, m.Credential, "a request like it, with other names")
		if err != nil {
			return "", err
		}
		if other.Succeeded() {
			return status + ", because of a name that exists already: other names of the kind are accepted", nil
		}
	}
	return "", nil
}

// takenThere reports whether a request may be refused because there may be only one resource with its values: with other values beside those
// that the scenario is about, it succeeds, or it has none.
func takenThere(ctx context.Context, s *scenario.Scenario, m *scenario.Making) (bool, error) {
	const tries = 3
	for range tries {
		r, exclusive, err := scenario.Elsewhere(ctx, s, m)
		if err != nil || !exclusive {
			return false, err
		}
		if r.Equal(m.Request) {
			return true, nil
		}
		a, err := s.Ask(ctx, r, m.Credential, "a request like it, with other values beside")
		if err != nil || a.Succeeded() {
			return err == nil, err
		}
	}
	return false, nil
}

// otherwiseRefused are the statuses of requests that are refused for the state of the service, whoever sends them.
var otherwiseRefused = []int{
	http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed, http.StatusUnprocessableEntity, http.StatusLocked,
}

// succeedsStill reports whether the request that succeeded does so again with the credential that it had.
func succeedsStill(ctx context.Context, s *scenario.Scenario) (bool, error) {
	m, err := s.Making()
	if err != nil || m.Plain.Answer == nil {
		return err == nil, err
	}
	return succeedsAgain(ctx, s, m.Plain.Answer.Credential)
}

// succeedsAgain reports whether the request that succeeded does so again with a credential, perhaps with other
// names where its own are taken.
func succeedsAgain(ctx context.Context, s *scenario.Scenario, with credentials.Credential) (bool, error) {
	again, err := askedAgain(ctx, s, with)
	return err == nil && again.Succeeded(), err
}

// askedAgain repeats the request that succeeded with a credential, and with other names if its own are taken.
func askedAgain(ctx context.Context, s *scenario.Scenario, with credentials.Credential) (*scenario.Answer, error) {
	m, err := s.Making()
	if err != nil {
		return nil, err
	}
	again, err := s.Ask(ctx, scenario.Rekeyed(s, m.Plain.Request), with, "the request that succeeded, once more")
	if err == nil && !again.Succeeded() && scenario.NewlyNamed(s, m.Plain.Request) {
		again, err = s.Ask(ctx, scenario.Renamed(s, m.Plain.Request), with, "the request that succeeded, with other names")
	}
	return again, err
}

// faultsOfBodies are the kinds of faults in values of bodies.
var faultsOfBodies = []promise.Kind{promise.BodyType, promise.PropertyMissing, promise.PropertyValue, promise.PropertyUnknown}

// keepsSchema reports whether the body of a request that was meant to be invalid conforms to its schema: the
// request that succeeded used another alternative of the schema than the one with the fault, or what the file of values
// gives at the place of the fault was filled in.
func keepsSchema(s *scenario.Scenario, a *scenario.Answer) bool {
	m, err := s.Making()
	if err != nil {
		return false
	}
	valid, known := validBody(s, m)
	if (!known || !valid) && a.Request != nil {
		sent := *m
		sent.Request = *a.Request
		valid, known = validBody(s, &sent)
	}
	return known && valid
}

// validBody reports whether the JSON body of a request conforms to its schema; known is false if it cannot be
// judged.
func validBody(s *scenario.Scenario, m *scenario.Making) (valid, known bool) {
	op := m.Request.Operation
	if op.Body == nil || op.Body.JSON() == nil || op.Body.JSON().Schema == nil {
		return false, false
	}
	body, media, ok := m.Request.Body()
	if !ok || media != op.Body.JSON().Type {
		return false, false
	}
	return s.Run.Promises.Valid(op.Body.JSON().Schema, body), true
}

// patchChanged reports whether a request contains patch operations other than those of the request that succeeded.
func patchChanged(m *scenario.Making) bool {
	is, media, ok := m.Request.Body()
	was, _, _ := m.Plain.Request.Body()
	one, body := spec.Media{Type: media}, m.Request.Operation.Body
	return ok && (one.IsPatch() || body != nil && body.Schema().IsPatch()) && !(exactjson.Value{Tree: is, Valid: true}).Equal(exactjson.Value{Tree: was, Valid: true})
}

// emptied reports whether a PATCH has no member left. Services refuse that like an empty form.
func emptied(m *scenario.Making) bool {
	body, _, ok := m.Request.Body()
	members, object := body.(map[string]any)
	return ok && object && len(members) == 0 && m.Request.Operation.Method == http.MethodPatch
}

// otherReason matches words with which services refuse what a schema allows: it exists already, refers to nothing,
// or is too much.
var otherReason = regexp.MustCompile(`(?i)\b(already|exists?|unique|duplicate|taken|conflict|not found|unknown|no such|does ?n.t|quota|limit (is )?(reached|exceeded)|too many|reference[sd]?|foreign)\b`)

// statusPromise returns the finding that a status breaks a promise.
func statusPromise(s *scenario.Scenario, a *scenario.Answer, rule string, k promise.Kind, wanted []string) spec.Finding {
	f := spec.Finding{
		Rule: rule, Operation: a.Exchange.Operation, Kind: spec.KindStatus, Actual: phrase.Of("status {}", phrase.Status(a.Status())), Status: a.Status(),
		Where: check.Place(a.Exchange).In(s.Pickle.Name), Cause: fmt.Sprintf("%s: status %d", rule, a.Status()),
	}
	switch k {
	case promise.Available, promise.Robust, promise.Head:
		f.Expected = phrase.Of("no server error (5xx)")
	case promise.Documented:
		f.Expected = phrase.Of("a documented status")
	case promise.MethodNotAllowed:
		f.Expected = phrase.Of("status 405 with an {} header", phrase.Header("Allow"))
		if a.Exchange.Response.Header.Get("Allow") == "" {
			f.Actual = f.Actual.With(" without one")
		}
	default:
		f.Expected = phrase.Of("status " + text.Enumerate(wanted, "or"))
	}
	if m, err := s.Making(); err == nil && m.Plain.Answer != nil && k != promise.Available && k != promise.Robust && k != promise.Documented {
		f.Exchanges = []int{m.Plain.Answer.Exchange.Seq, a.Exchange.Seq}
	}
	return f
}
