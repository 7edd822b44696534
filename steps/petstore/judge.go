package petstore

import (
	"net/http"
	"net/url"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
)

// noteSeen lists the animals of this run that a response shows, if nobody knew that they are there. What a response to a
// creation shows is noted with its request.
func (p *pets) noteSeen(ex *spec.Exchange, seen []SeenAnimal) {
	if ex.Operation == "createPet" {
		return
	}
	for _, a := range seen {
		if p.IsMine(a.Name) {
			p.Recorder.Seen(a.Name, a.ID)
		}
	}
}

// emptyList returns a finding when a list that is likely to be empty, since no animal is known that it could hold, is shown as
// null, as an empty object or as nothing: then it is the emptiness that the service gets wrong.
func (p *pets) emptyList(a *scenario.Answer, value exactjson.Value) (spec.Finding, bool) {
	ex := a.Exchange
	if ex.Operation != "listPets" || a.Status() != p.terms.Listed || p.knowsMatch(statusAsked(ex)) {
		return spec.Finding{}, false
	}
	kind, detail, actual := spec.KindMissing, "", phrase.Of("nothing")
	switch {
	case len(ex.Response.Body) == 0:
	case value.Valid && value.Tree == nil:
		kind, detail, actual = spec.KindType, "null", phrase.Of("{}", phrase.JSON(value.String()))
	case value.Valid && isEmptyObject(value):
		kind, detail, actual = spec.KindType, "object", phrase.Of("{}", phrase.JSON(value.String()))
	default:
		return spec.Finding{}, false
	}
	return spec.Finding{
		Rule: "list.empty", Operation: ex.Operation, Kind: kind, Detail: detail, Expected: phrase.Of("[]"), Actual: actual,
		Where: check.Place(ex).In("the body"), Exchanges: []int{ex.Seq}, Cause: "list.empty",
	}, true
}

// noAnimal reports whether an id that no known animal has is answered with success and a body without any required field of
// an animal: a refusal under the wrong status. What its body lacks follows from that.
func (p *pets) noAnimal(a *scenario.Answer, value exactjson.Value) bool {
	fields, ok := value.Tree.(map[string]any)
	if !ok || a.Exchange.Operation != "getPet" || a.Status() != p.terms.Found || p.memory.Has(check.LastSegment(a.Exchange.Request.URL)) {
		return false
	}
	op, known := p.Contract.Operation(a.Exchange.Operation)
	if !known {
		return false
	}
	answer := op.ResponseFor(p.terms.Found)
	if answer == nil || answer.Schema() == nil {
		return false
	}
	required := answer.Schema().Required
	return len(required) > 0 && !slices.ContainsFunc(required, func(name string) bool { return fields[name] != nil })
}

// knowsMatch reports whether an animal is known that a list, filtered by that status or by none (""), could hold.
func (p *pets) knowsMatch(status string) bool {
	all, byStatus := p.memory.Known()
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

// A list keeps many rules for no other reason than that the store is small: one animal is never more than a limit of 20, and
// no list of 100 that is full can prove that an animal is nowhere. Such a response does not put the rule to the test.

// unbreakable returns which rules a list of the target could not have broken, by what the run has seen of the store.
func (p *pets) unbreakable(a *scenario.Answer) func(rule string) bool {
	status := statusAsked(a.Exchange)
	all, byStatus := p.memory.Known()
	matching := all
	if status != "" {
		matching = byStatus[status]
	}
	return func(rule string) bool {
		switch rule {
		case "list.limit.honoured", "list.limit.default":
			limit, ok := p.terms.LimitOf(a.Exchange)
			return ok && int64(matching) <= limit
		case "list.status.honoured":
			return all == matching // there is nothing that the filter could let through
		}
		return false
	}
}

// manySince is how many animals are created behind one that may have been dropped for them.
const manySince = 30

// After implements Extension: it names the rule to blame when getPet does not find an animal of this run, by which another rule is broken: no
// answer has shown it since its creation, or it was read before, or many were created since.
func (p *pets) After(a *scenario.Answer, rule string) string {
	if a.Exchange.Operation != "getPet" || a.Status() != http.StatusNotFound {
		return ""
	}
	own, there := p.memory.Own(check.LastSegment(a.Exchange.Request.URL))
	switch {
	case !there:
	case rule == "get.created" && p.droppedFor(own.ID):
		return "get.kept"
	case !own.Shown:
		return "get.created"
	case rule == "get.listed" && own.Found:
		return "get.kept"
	}
	return ""
}

// droppedFor reports whether an animal that is not found may have been dropped for many that were created since.
func (p *pets) droppedFor(id string) bool { return p.memory.CreatedSince(id) >= manySince }

func isEmptyObject(v exactjson.Value) bool {
	o, ok := v.Object()
	return ok && len(o) == 0
}
