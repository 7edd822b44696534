package exchangetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// New returns an exchange of an operation with a response. The path is relative to the base URL; headers alternates names and values.
func New(operation, path string, status int, body string, headers ...string) *spec.Exchange {
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

// List returns the JSON text of n animals with the ids 1 to n, with a status unless it is empty.
func List(n int, status string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = Animal(i+1, "x", "1", status)
	}
	return "[" + strings.Join(items, ",") + "]"
}

// Animal returns the JSON text of an animal, without a status if it is empty.
func Animal(id int, name, category, status string) string {
	text := fmt.Sprintf(`{"id":%d,"name":%q,"categoryId":%s`, id, name, category)
	if status != "" {
		text += fmt.Sprintf(`,"status":%q`, status)
	}
	return text + "}"
}

// Lines formats findings, one a line.
func Lines(findings []spec.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString("  " + f.Rule + ": expected " + f.Expected.String() + ", actual " + f.Actual.String() + " (" + f.Where.String() + ")\n")
	}
	return b.String()
}

// Rules returns the rules of findings, sorted and without duplicates.
func Rules(findings []spec.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
