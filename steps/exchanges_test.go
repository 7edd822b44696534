package steps

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hallmark/spec"
)

// ended is an exchange of an operation with a response. The path is relative to the base address; headers are names and
// values in turn.
func ended(operation, path string, status int, body string, headers ...string) *spec.Exchange {
	method := http.MethodGet
	if operation == "createPet" {
		method = http.MethodPost
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(headers); i += 2 {
		header.Set(headers[i], headers[i+1])
	}
	return &spec.Exchange{
		Seq: 1, Operation: operation,
		Request:  spec.Request{Method: method, URL: "https://pets.test/stage/v1" + path},
		Response: &spec.Response{Status: status, Header: header, Body: spec.Bytes(body), Size: len(body)},
	}
}

// numbered returns the exchange a number, where its place in the run matters.
func numbered(seq int, ex *spec.Exchange) *spec.Exchange {
	ex.Seq = seq
	return ex
}

// listOf is the JSON text of n animals with the ids 1 to n, of a status unless it is empty.
func listOf(n int, status string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = animalText(i+1, "x", "1", status)
	}
	return "[" + strings.Join(items, ",") + "]"
}

func animalText(id int, name, category, status string) string {
	text := fmt.Sprintf(`{"id":%d,"name":%q,"categoryId":%s`, id, name, category)
	if status != "" {
		text += fmt.Sprintf(`,"status":%q`, status)
	}
	return text + "}"
}

// wantJudged reports whether a check found exactly these rules broken, and put exactly those to the test.
func wantJudged(t *testing.T, got judged, exercised, broken []string) {
	t.Helper()
	tried := slices.Compact(slices.Sorted(slices.Values(got.exercised)))
	slices.Sort(exercised)
	slices.Sort(broken)
	if !slices.Equal(tried, exercised) {
		t.Errorf("judged by %q, want %q", tried, exercised)
	}
	if rules := rulesOf(got.findings); !slices.Equal(rules, broken) {
		t.Errorf("broken are %q, want %q:\n%s", rules, broken, findingLines(got.findings))
	}
	for _, f := range got.findings {
		if f.Expected == "" || f.Actual == "" || f.Where == "" || f.Cause == "" {
			t.Errorf("a finding does not say everything: %+v", f)
		}
	}
}
