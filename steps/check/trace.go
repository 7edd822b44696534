package check

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Traces returns exchanges as numbered requests that a reader can repeat, after a line on how they were found.
func Traces(head string, exchanges []*spec.Exchange) []string {
	out := []string{head + ":"}
	for i, ex := range exchanges {
		out = append(out, fmt.Sprintf("%d. %s", i+1, Trace(ex)))
	}
	return out
}

// Trace returns an exchange on one line: the request and the response, with the number of items of a list.
func Trace(ex *spec.Exchange) string {
	asked := ex.Request.Method + " " + Path(ex)
	if body := bytes.TrimSpace(ex.Request.Body); len(body) > 0 {
		asked += " " + text.Elide(string(body), 160)
	}
	if ex.Response == nil {
		return asked + " → no response"
	}
	return fmt.Sprintf("%s → %d ", asked, ex.Response.Status) + summary(ex.Response.Body)
}

// summary describes a response's body in a few words, a list by its length.
func summary(body []byte) string {
	var items []json.RawMessage
	if json.Unmarshal(body, &items) == nil && items != nil {
		return "[" + text.Count(len(items), "item") + "]"
	}
	return text.Elide(string(bytes.TrimSpace(body)), 100)
}
