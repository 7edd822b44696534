package steps

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hallmark/spec"
)

// Checks of every exchange that know animals: what the interface says of lists and errors, and no schema can hold.
// Each is a pure function of one exchange and its decoded answer.

// judged is what a check found out: findings, and the ids of the rules that it really judged.
type judged struct {
	findings  []spec.Finding
	exercised []string
}

func (j *judged) exercise(rule string) { j.exercised = append(j.exercised, rule) }

func (j *judged) find(f spec.Finding) { j.findings = append(j.findings, f) }

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
		return ex.Request.Method + " " + path + " → no answer"
	}
	return ex.Request.Method + " " + path + " → " + itoa(ex.Response.Status)
}

func itoa(n int) string { return strconv.Itoa(n) }

// checkList judges what a list may hold by what was asked for.
func checkList(ex *spec.Exchange, tree any) judged {
	var out judged
	items, ok := tree.([]any)
	if !ok || ex.Response.Status != http.StatusOK {
		return out
	}
	query, err := url.ParseQuery(queryOf(ex))
	if err != nil {
		return out
	}
	out.checkLimit(ex, query, len(items))
	out.checkFilter(ex, query, items)

	out.exercise("list.unique")
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
				After: "create.id.unique", // if ids are given out twice, lists are bound to show it
			})
		} else if !seen {
			first[id] = i
		}
	}
	return out
}

// checkLimit judges the number of animals by the limit that was asked for, or by the default.
func (j *judged) checkLimit(ex *spec.Exchange, query url.Values, n int) {
	limits, given := query["limit"]
	switch {
	case !given:
		j.exercise("list.limit.default")
		if n > 20 {
			j.find(spec.Finding{
				Rule: "list.limit.default", Expected: "at most 20 animals, as no limit was asked for", Actual: animals(n),
				Where: place(ex) + ", the array's length", Contract: "/paths/~1pets/get/parameters/0/schema/default",
				Cause: "list.limit.default",
			})
		}
	case len(limits) == 1:
		limit, err := strconv.ParseUint(limits[0], 10, 16)
		if err != nil || limit < 1 || limit > 100 || limits[0] != strconv.FormatUint(limit, 10) {
			return // outside the contract: open, up to the 100 that the schema judges
		}
		j.exercise("list.limit.honoured")
		if uint64(n) > limit {
			j.find(spec.Finding{
				Rule: "list.limit.honoured", Expected: "at most " + animals(int(limit)), Actual: animals(n),
				Where: place(ex) + ", the array's length", Contract: "/paths/~1pets/get/parameters/0",
				Cause: "list.limit.honoured",
			})
		}
	}
}

// checkFilter judges every item of a list by the status that was asked for.
func (j *judged) checkFilter(ex *spec.Exchange, query url.Values, items []any) {
	statuses := query["status"]
	if len(statuses) != 1 || !isStatus(statuses[0]) {
		return
	}
	j.exercise("list.status.honoured")
	wrong, firstAt, firstIs := 0, 0, ""
	for i, item := range items {
		fields, ok := item.(map[string]any)
		if !ok {
			continue
		}
		status, there := fields["status"]
		if text, isText := status.(string); isText && (text == statuses[0] || !isStatus(text)) {
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
	}
	if wrong > 0 {
		j.find(spec.Finding{
			Rule: "list.status.honoured", Expected: "only animals that carry the status " + statuses[0],
			Actual:  fmt.Sprintf("%d of %d with another; first at /%d: %s", wrong, len(items), firstAt, firstIs),
			Where:   fmt.Sprintf("%s, /%d/status", place(ex), firstAt),
			Pointer: fmt.Sprintf("/%d/status", firstAt), Contract: "/paths/~1pets/get/parameters/1",
			Cause: "list.status.honoured",
		})
	}
}

// checkID judges that the animal which was read is the one that was asked for.
func checkID(ex *spec.Exchange, tree any) judged {
	var out judged
	if ex.Response.Status != http.StatusOK {
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
	out.exercise("get.id")
	if id != asked {
		out.find(spec.Finding{
			Rule: "get.id", Expected: "the animal with the id " + asked, Actual: "one with the id " + id,
			Where: place(ex) + ", /id", Pointer: "/id", Cause: "get.id",
		})
	}
	return out
}

// checkError judges that an Error repeats the HTTP status, and (should) that a 401 tells how to be let in.
func checkError(ex *spec.Exchange, tree any) judged {
	var out judged
	if ex.Response.Status < 400 {
		return out
	}
	if ex.Response.Status == http.StatusUnauthorized {
		out.exercise("auth.challenge")
		if ex.Response.Header.Get("WWW-Authenticate") == "" {
			out.find(spec.Finding{
				Rule: "auth.challenge", Expected: "a WWW-Authenticate header", Actual: "none",
				Where: place(ex) + ", the headers", Cause: "auth.challenge",
			})
		}
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
	out.exercise("error.status.same")
	if want := itoa(ex.Response.Status); text != want {
		out.find(spec.Finding{
			Rule: "error.status.same", Expected: want + ", as the HTTP status", Actual: text,
			Where: place(ex) + ", /status", Pointer: "/status", Cause: "error.status.same",
		})
	}
	return out
}

// checkDeprecation judges (should) that the answers of a deprecated operation say so.
func checkDeprecation(ex *spec.Exchange, op spec.Operation) judged {
	var out judged
	if !op.Deprecated || ex.Response.Status/100 != 2 {
		return out
	}
	need := func(rule, header string) {
		out.exercise(rule)
		if ex.Response.Header.Get(header) == "" {
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

func isStatus(s string) bool { return s == "available" || s == "pending" || s == "sold" }

func animals(n int) string {
	if n == 1 {
		return "1 animal"
	}
	return itoa(n) + " animals"
}

func queryOf(ex *spec.Exchange) string {
	_, query, _ := strings.Cut(ex.Request.URL, "?")
	return query
}

func lastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[strings.LastIndexByte(u, '/')+1:]
}
