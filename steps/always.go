package steps

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
)

// Checks of every exchange that know animals: what the interface says of lists and errors, and no schema can hold.
// Each is a pure function of one exchange and its decoded answer.

// judged is what a check found out: findings, and the ids of the rules that it judged, broken or kept. What it could not
// judge is in neither.
type judged struct {
	findings  []spec.Finding
	exercised []string
}

// kept counts that the response could have broken a rule, and did not.
func (j *judged) kept(rule string) { j.exercised = append(j.exercised, rule) }

// find adds a finding, and counts that its rule was judged.
func (j *judged) find(f spec.Finding) {
	j.findings = append(j.findings, f)
	j.exercised = append(j.exercised, f.Rule)
}

// place names an exchange in words: "GET /pets?limit=3 → 200".
func place(ex *spec.Exchange) string {
	path := ex.Request.URL
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
		if i := strings.LastIndex(path, "/v1/"); i >= 0 {
			path = path[i+len("/v1"):]
		}
		if u.RawQuery != "" {
			path += "?" + u.RawQuery
		}
	}
	if ex.Response == nil {
		return ex.Request.Method + " " + path + " → no response"
	}
	return ex.Request.Method + " " + path + " → " + itoa(ex.Response.Status)
}

func itoa(n int) string { return strconv.Itoa(n) }

// checkList judges what a list may hold by what was asked for.
func (t petTerms) checkList(ex *spec.Exchange, tree any) judged {
	var out judged
	items, ok := tree.([]any)
	if !ok || ex.Response.Status != t.listed {
		return out
	}
	query, err := url.ParseQuery(queryOf(ex))
	if err != nil {
		return out
	}
	t.checkLimit(ex, query, len(items), &out)
	t.checkFilter(ex, query, items, &out)

	first := make(map[string]int, len(items))
	repeated := map[string]bool{}
	for i, item := range items {
		fields, _ := item.(map[string]any)
		id, ok := decimal(fields["id"])
		if !ok {
			continue
		}
		if at, seen := first[id]; seen && !repeated[id] {
			repeated[id] = true
			out.find(spec.Finding{
				Rule: "list.unique", Expected: "every id once", Actual: fmt.Sprintf("the id %s at /%d and at /%d", id, at, i),
				Where: place(ex) + ", /" + itoa(i) + "/id", Pointer: "/" + itoa(i) + "/id", Cause: "list.unique",
				About: spec.About{IDs: []string{id}},
				After: "create.id.unique", // if ids are given out twice, lists are bound to show it
			})
		} else if !seen {
			first[id] = i
		}
	}
	if len(repeated) == 0 && len(first) > 1 {
		out.kept("list.unique")
	}
	return out
}

// checkLimit judges the number of animals by the limit that was asked for, or by the default. A limit outside the contract
// is open, up to the length that the schema judges.
func (t petTerms) checkLimit(ex *spec.Exchange, query url.Values, n int, j *judged) {
	limits, given := query["limit"]
	standard, hasStandard := t.standard()
	switch {
	case t.limit == nil:
	case !given && hasStandard:
		if int64(n) <= standard {
			j.kept("list.limit.default")
		} else {
			j.find(spec.Finding{
				Rule: "list.limit.default", Expected: "at most " + text.Count(standard, "animal") + ", as no limit was asked for", Actual: text.Count(n, "animal"),
				Where: place(ex) + ", the array's length", Contract: t.limit.Schema.Pointer + "/default",
				Cause: "list.limit.default",
			})
		}
	case len(limits) == 1 && allows(*t.limit, limits[0]):
		limit, err := strconv.ParseInt(limits[0], 10, 64)
		if err != nil || limit < 0 {
			return // no number of animals
		}
		if int64(n) <= limit {
			j.kept("list.limit.honoured")
		} else {
			j.find(spec.Finding{
				Rule: "list.limit.honoured", Expected: "at most " + text.Count(limit, "animal"), Actual: text.Count(n, "animal"),
				Where: place(ex) + ", the array's length", Contract: t.limit.Pointer,
				Cause: "list.limit.honoured",
			})
		}
	}
}

// maxMisplaced is how many animals a finding of checkFilter names.
const maxMisplaced = 100

// checkFilter judges every item of a list by the status that was asked for.
func (t petTerms) checkFilter(ex *spec.Exchange, query url.Values, items []any, j *judged) {
	statuses := query["status"]
	if len(statuses) != 1 || !t.isFilter(statuses[0]) {
		return
	}
	wrong, right, firstAt, firstIs := 0, 0, 0, ""
	var ids []string
	for i, item := range items {
		fields, ok := item.(map[string]any)
		if !ok {
			continue
		}
		status, there := fields["status"]
		if text, isText := status.(string); isText && (text == statuses[0] || !t.isStatus(text)) {
			if text == statuses[0] {
				right++
			}
			continue // one that is no status at all is pet.status's to tell
		} else if !isText && there {
			continue
		}
		if wrong == 0 {
			firstAt, firstIs = i, "no status"
			if text, isText := status.(string); isText {
				firstIs = "the status " + text
			}
		}
		wrong++
		if id, ok := decimal(fields["id"]); ok && len(ids) < maxMisplaced {
			ids = append(ids, id)
		}
	}
	switch {
	case wrong == 0 && right > 0:
		j.kept("list.status.honoured")
	case wrong > 0:
		j.find(spec.Finding{
			Rule: "list.status.honoured", Expected: "only animals that carry the status " + statuses[0],
			Actual:  fmt.Sprintf("%d of %d with another; first at /%d: %s", wrong, len(items), firstAt, firstIs),
			Where:   fmt.Sprintf("%s, /%d/status", place(ex), firstAt),
			Pointer: fmt.Sprintf("/%d/status", firstAt), Contract: t.status.Pointer,
			Cause: "list.status.honoured", About: spec.About{IDs: ids, Shows: spec.Misplaced},
		})
	}
}

// checkID judges that the animal which was read is the one that was asked for.
func (t petTerms) checkID(ex *spec.Exchange, tree any) judged {
	var out judged
	if ex.Response.Status != t.found {
		return out
	}
	asked := lastSegment(ex.Request.URL)
	n, err := strconv.ParseInt(asked, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != asked {
		return out
	}
	fields, _ := tree.(map[string]any)
	id, ok := decimal(fields["id"])
	if !ok {
		return out
	}
	if id == asked {
		out.kept("get.id")
	} else {
		out.find(spec.Finding{
			Rule: "get.id", Expected: "the animal with the id " + asked, Actual: "one with the id " + id,
			Where: place(ex) + ", /id", Pointer: "/id", Cause: "get.id",
			About: spec.About{IDs: []string{asked, id}, Shows: spec.Another},
		})
	}
	return out
}

// checkError judges that an Error repeats the HTTP status, where the contract gives it an integer for that, and (should)
// that a 401 tells how to be let in.
func checkError(ex *spec.Exchange, op spec.Operation, tree any) judged {
	var out judged
	if ex.Response.Status < 400 {
		return out
	}
	if ex.Response.Status == http.StatusUnauthorized {
		if ex.Response.Header.Get("WWW-Authenticate") != "" {
			out.kept("auth.challenge")
		} else {
			out.find(spec.Finding{
				Rule: "auth.challenge", Expected: "a WWW-Authenticate header", Actual: "none",
				Where: place(ex) + ", the headers", Cause: "auth.challenge",
			})
		}
	}
	if s := propertyOf(errorSchema(op, ex.Response.Status), "status"); s == nil || s.Type != "integer" {
		return out
	}
	fields, _ := tree.(map[string]any)
	said, ok := fields["status"].(json.Number)
	if !ok {
		return out
	}
	text, ok := spec.CanonicalInt(said)
	if !ok {
		return out
	}
	if want := itoa(ex.Response.Status); text == want {
		out.kept("error.status.same")
	} else {
		out.find(spec.Finding{
			Rule: "error.status.same", Expected: want + ", as the HTTP status", Actual: text,
			Where: place(ex) + ", /status", Pointer: "/status", Cause: "error.status.same",
		})
	}
	return out
}

// checkDeprecation judges (should) that the responses of a deprecated operation say so.
func checkDeprecation(ex *spec.Exchange, op spec.Operation) judged {
	var out judged
	if !op.Deprecated || ex.Response.Status/100 != 2 {
		return out
	}
	need := func(rule, header string) {
		if ex.Response.Header.Get(header) != "" {
			out.kept(rule)
		} else {
			out.find(spec.Finding{
				Rule: rule, Expected: "a " + header + " header", Actual: "none",
				Where: place(ex) + ", the headers", Cause: rule,
			})
		}
	}
	need("get.deprecation", "Deprecation")
	if !op.Sunset.IsZero() {
		need("get.sunset", "Sunset")
	}
	return out
}

// errorSchema returns the schema of an error: that of the documented response, or else of any error that the operation
// documents, since all of them carry the same body.
func errorSchema(op spec.Operation, status int) *spec.Schema {
	if a := op.Answer(status); a != nil {
		return a.Schema
	}
	for _, a := range op.Answers {
		if a.Status >= 400 && a.Schema != nil {
			return a.Schema
		}
	}
	return nil
}

func queryOf(ex *spec.Exchange) string {
	_, query, _ := strings.Cut(ex.Request.URL, "?")
	return query
}

func lastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[strings.LastIndexByte(u, '/')+1:]
}
