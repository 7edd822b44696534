package steps

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/petstore"
	"hallmark/steps/truncate"
)

// bigTree is from how many bytes on bodies are judged one at a time.
const bigTree = 64 << 10

// judge applies the rules that hold for every exchange: the contract's, those that know animals, and those that
// remember earlier exchanges.
func (s *scenario) judge(a *answer) {
	r, ex := s.run, a.ex
	if len(ex.Response.Body) > bigTree {
		r.bigJudge.Lock() // what a body decodes to may be fifty times as big
		defer r.bigJudge.Unlock()
	}
	value, findings, exercised := r.judge.Answer(ex)
	value.Tree = truncate.Value(value.Tree)
	defer func() {
		items, _ := value.Array()
		a.items, a.value = len(items), r.lightened(value)
	}()
	if value.Err != nil {
		s.unjudged(ex, value.Err)
		return
	}
	if empty, ok := s.emptyList(a, value); ok {
		for i := range findings {
			findings[i].After = empty.Rule
		}
		findings, exercised = append(findings, empty), append(exercised, empty.Rule)
	}
	if s.noAnimal(a, value) {
		for i := range findings {
			findings[i].After = cmp.Or(findings[i].After, "get.unknown")
		}
	}
	s.conclude(ex, check.Result{Findings: findings, Exercised: exercised})
	if ex.Operation == "" {
		return
	}
	apply := func(j check.Result) { s.conclude(ex, j) }
	if op, ok := r.contract.Operation(ex.Operation); ok {
		apply(check.Error(ex, *op, value.Tree))
		apply(check.Deprecation(ex, *op))
	}
	switch ex.Operation {
	case "listPets":
		j := r.terms.CheckList(ex, value.Tree)
		idle := s.unbreakable(a)
		j.Exercised = slices.DeleteFunc(j.Exercised, func(rule string) bool { return !j.Breaks(rule) && idle(rule) })
		apply(j)
	case "getPet":
		apply(r.terms.CheckID(ex, value.Tree))
	}
	if status := a.status(); status/100 == 2 {
		seen := petstore.AnimalsIn(ex.Operation, value.Tree)
		j := r.memory.See(ex, seen, r.isMine)
		if items, ok := value.Array(); ok && r.terms.IsWhole(ex, max(len(items), r.memory.Size())) {
			petstore.Traceless(&j, r.memory.RefusedBefore(ex.Started))
		}
		apply(j)
		r.noteSeen(ex, seen)
	} else if petstore.Refuses(status) {
		if a.sent != nil && ex.Operation == "createPet" && !a.sent.Shared {
			for _, name := range a.sent.Names {
				apply(r.memory.Refuse(ex, truncate.Text(name)))
			}
		}
	}
}

// noteSeen lists the animals of this run that a response shows, if nobody knew that they are there. What a response to a
// creation shows is noted with its request.
func (r *run) noteSeen(ex *spec.Exchange, seen []petstore.SeenAnimal) {
	if ex.Operation == "createPet" {
		return
	}
	for _, a := range seen {
		if r.isMine(a.Name) {
			r.Recorder.Seen(a.Name, a.ID)
		}
	}
}

// emptyList tells when a list that is likely to be empty, since no animal is known that it could hold, is shown as null,
// as an empty object or as nothing: then it is the emptiness that the service gets wrong.
func (s *scenario) emptyList(a *answer, value exactjson.Value) (spec.Finding, bool) {
	ex := a.ex
	if ex.Operation != "listPets" || a.status() != s.run.terms.Listed || s.run.knowsMatch(statusAsked(ex)) {
		return spec.Finding{}, false
	}
	kind, detail, actual := spec.KindMissing, "", "nothing"
	switch {
	case len(ex.Response.Body) == 0:
	case value.Valid && value.Tree == nil:
		kind, detail, actual = spec.KindType, "null", value.String()
	case value.Valid && isEmptyObject(value):
		kind, detail, actual = spec.KindType, "object", value.String()
	default:
		return spec.Finding{}, false
	}
	return spec.Finding{
		Rule: "list.empty", Operation: ex.Operation, Kind: kind, Detail: detail, Expected: "[]", Actual: actual, Where: check.Place(ex) + ", the body", Exchanges: []int{ex.Seq}, Cause: "list.empty",
	}, true
}

// noAnimal reports whether an id that no known animal has is answered with success and a body without any required field of
// an animal: a refusal under the wrong status. What its body lacks follows from that.
func (s *scenario) noAnimal(a *answer, value exactjson.Value) bool {
	fields, ok := value.Tree.(map[string]any)
	if !ok || a.ex.Operation != "getPet" || a.status() != s.run.terms.Found || s.run.memory.Has(check.LastSegment(a.ex.Request.URL)) {
		return false
	}
	op, known := s.run.contract.Operation(a.ex.Operation)
	if !known {
		return false
	}
	answer := op.Answer(s.run.terms.Found)
	return answer != nil && answer.Schema != nil && len(answer.Schema.Required) > 0 &&
		!slices.ContainsFunc(answer.Schema.Required, func(name string) bool { return fields[name] != nil })
}

// knowsMatch reports whether an animal is known that a list, filtered by that status or by none (""), could hold.
func (r *run) knowsMatch(status string) bool {
	all, byStatus := r.memory.Known()
	if status == "" {
		return all > 0
	}
	return byStatus[status] > 0
}

// statusAsked is the status that a list was filtered by; empty for none.
func statusAsked(ex *spec.Exchange) string {
	query, err := url.ParseQuery(check.Query(ex))
	if err != nil {
		return ""
	}
	return query.Get("status")
}

// unjudged notes that a response came and could not be judged. One that is longer than what is read leaves the run without
// a verdict; anything else is a failure of ours.
func (s *scenario) unjudged(ex *spec.Exchange, err error) {
	s.mu.Lock()
	s.failure = err.Error()
	s.mu.Unlock()
	if !exactjson.ExceedsLimit(err) {
		return
	}
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	if s.run.lostText == "" {
		s.run.lostText = fmt.Sprintf("%s could not be judged: %v", check.Place(ex), err)
	}
}

// A list keeps many rules for no other reason than that the store is small: one animal is never more than a limit of 20, and
// no list of 100 that is full can prove that an animal is nowhere. Such a response does not put the rule to the test.

// unbreakable tells which rules a list of the target could not have broken, by what the run has seen of the store.
func (s *scenario) unbreakable(a *answer) func(rule string) bool {
	status := statusAsked(a.ex)
	all, byStatus := s.run.memory.Known()
	matching := all
	if status != "" {
		matching = byStatus[status]
	}
	return func(rule string) bool {
		switch rule {
		case "list.limit.honoured", "list.limit.default":
			limit, ok := s.run.terms.LimitOf(a.ex)
			return ok && int64(matching) <= limit
		case "list.status.honoured":
			return all == matching // there is nothing that the filter could let through
		}
		return false
	}
}
