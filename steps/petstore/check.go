package petstore

import (
	"fmt"
	"net/url"
	"strconv"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
)

// CheckList judges what a list may hold by what was asked for.
func (t Terms) CheckList(ex *spec.Exchange, tree any) check.Result {
	var out check.Result
	items, ok := tree.([]any)
	if !ok || ex.Response.Status != t.Listed {
		return out
	}
	query, err := url.ParseQuery(check.Query(ex))
	if err != nil {
		return out
	}
	t.checkLimit(ex, query, len(items), &out)
	t.checkFilter(ex, query, items, &out)

	first := make(map[string]int, len(items))
	repeated := map[string]bool{}
	for i, item := range items {
		fields, _ := item.(map[string]any)
		id, ok := Decimal(fields["id"])
		if !ok {
			continue
		}
		if at, seen := first[id]; seen && !repeated[id] {
			repeated[id] = true
			out.Find(spec.Finding{
				Rule: "list.unique", Kind: spec.KindDuplicate, Expected: phrase.Of("every id once"),
				Actual: phrase.Of("the id {} at {} and at {}", phrase.ID(id), phrase.Pointer("/"+strconv.Itoa(at)), phrase.Pointer("/"+strconv.Itoa(i))),
				Where:  check.Place(ex).At("/" + strconv.Itoa(i) + "/id"), Pointer: "/" + strconv.Itoa(i) + "/id", Cause: "list.unique",
				About: spec.About{IDs: []string{id}},
				After: "create.id.unique", // if ids are given out twice, lists are bound to show it
			})
		} else if !seen {
			first[id] = i
		}
	}
	if len(repeated) == 0 && len(first) > 1 {
		out.Kept("list.unique")
	}
	return out
}

// checkLimit judges the number of animals by the limit that was asked for, or by the default. A limit outside the contract
// is open, up to the length that the schema judges.
func (t Terms) checkLimit(ex *spec.Exchange, query url.Values, n int, j *check.Result) {
	limits, given := query["limit"]
	standard, hasStandard := t.Standard()
	switch {
	case t.limit == nil:
	case !given && hasStandard:
		if int64(n) <= standard {
			j.Kept("list.limit.default")
		} else {
			j.Find(spec.Finding{
				Rule: "list.limit.default", Kind: spec.KindTooLarge,
				Expected: phrase.Of("at most {}, as no limit was asked for", phrase.Count(standard, "animal")), Actual: phrase.Of("{}", phrase.Count(n, "animal")),
				Where: check.Place(ex).In("the array's length"), Contract: t.limit.Schema.Pointer + "/default",
				Cause: "list.limit.default",
			})
		}
	case len(limits) == 1 && t.limit.Allows(limits[0]):
		limit, err := strconv.ParseInt(limits[0], 10, 64)
		if err != nil || limit < 0 {
			return // no number of animals
		}
		if int64(n) <= limit {
			j.Kept("list.limit.honoured")
		} else {
			j.Find(spec.Finding{
				Rule: "list.limit.honoured", Kind: spec.KindTooLarge,
				Expected: phrase.Of("at most {}", phrase.Count(limit, "animal")), Actual: phrase.Of("{}", phrase.Count(n, "animal")),
				Where: check.Place(ex).In("the array's length"), Contract: t.limit.Pointer,
				Cause: "list.limit.honoured",
			})
		}
	}
}

// maxMisplaced is how many animals a finding of checkFilter names.
const maxMisplaced = 100

// checkFilter judges every item of a list by the status that was asked for.
func (t Terms) checkFilter(ex *spec.Exchange, query url.Values, items []any, j *check.Result) {
	statuses := query["status"]
	if len(statuses) != 1 || !t.IsFilter(statuses[0]) {
		return
	}
	wrong, right, firstAt, firstIs := 0, 0, 0, phrase.Of("no status")
	var ids []string
	for i, item := range items {
		fields, ok := item.(map[string]any)
		if !ok {
			continue
		}
		status, there := fields["status"]
		if text, isText := status.(string); isText && (text == statuses[0] || !t.IsStatus(text)) {
			if text == statuses[0] {
				right++
			}
			continue // one that is no status at all is pet.status's to tell
		} else if !isText && there {
			continue
		}
		if wrong == 0 {
			firstAt = i
			if text, isText := status.(string); isText {
				firstIs = phrase.Of("the status {}", phrase.Text(text))
			}
		}
		wrong++
		if id, ok := Decimal(fields["id"]); ok && len(ids) < maxMisplaced {
			ids = append(ids, id)
		}
	}
	switch {
	case wrong == 0 && right > 0:
		j.Kept("list.status.honoured")
	case wrong > 0:
		j.Find(spec.Finding{
			Rule: "list.status.honoured", Kind: spec.KindUnexpected, Expected: phrase.Of("only animals that carry the status {}", phrase.Text(statuses[0])),
			Actual: phrase.Of("{} of {} with another; first at {}: ", phrase.Number(wrong), phrase.Number(len(items)), phrase.Pointer("/"+strconv.Itoa(firstAt))).
				Then(firstIs),
			Where:   check.Place(ex).At(fmt.Sprintf("/%d/status", firstAt)),
			Pointer: fmt.Sprintf("/%d/status", firstAt), Contract: t.status.Pointer,
			Cause: "list.status.honoured", About: spec.About{IDs: ids, Shows: spec.Misplaced},
		})
	}
}

// CheckID judges that the animal which was read is the one that was asked for.
func (t Terms) CheckID(ex *spec.Exchange, tree any) check.Result {
	var out check.Result
	if ex.Response.Status != t.Found {
		return out
	}
	asked := check.LastSegment(ex.Request.URL)
	n, err := strconv.ParseInt(asked, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != asked {
		return out
	}
	fields, _ := tree.(map[string]any)
	id, ok := Decimal(fields["id"])
	if !ok {
		return out
	}
	if id == asked {
		out.Kept("get.id")
	} else {
		out.Find(spec.Finding{
			Rule: "get.id", Kind: spec.KindAnother, Expected: phrase.Of("the animal with the id {}", phrase.ID(asked)), Actual: phrase.Of("one with the id {}", phrase.ID(id)),
			Where: check.Place(ex).At("/id"), Pointer: "/id", Cause: "get.id",
			About: spec.About{IDs: []string{asked, id}, Shows: spec.Another},
		})
	}
	return out
}

// LimitOf returns the limit that a list was asked for, or the contract's default where none was.
func (t Terms) LimitOf(ex *spec.Exchange) (int64, bool) {
	query, err := url.ParseQuery(check.Query(ex))
	if err != nil {
		return 0, false
	}
	if !query.Has("limit") {
		return t.Standard()
	}
	limit, err := strconv.ParseInt(query.Get("limit"), 10, 64)
	return limit, err == nil
}

// IsWhole reports whether a list shows the whole store: it was asked for no status, and had room for more than the n animals
// that it holds or that are known.
func (t Terms) IsWhole(ex *spec.Exchange, n int) bool {
	_, below := t.Whole()
	return t.IsLongest(ex) && n < below
}

// IsLongest reports whether a list is the longest that can be asked for, of animals with any status.
func (t Terms) IsLongest(ex *spec.Exchange) bool {
	query, err := url.ParseQuery(check.Query(ex))
	longest, _ := t.Whole()
	asked := len(query) == 0 && longest == "" || len(query) == 1 && query.Get("limit") == longest
	return err == nil && ex.Operation == "listPets" && ex.Response.Status == t.Listed && asked
}
