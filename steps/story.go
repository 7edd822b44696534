package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps/truncate"
)

// story tells exchanges as numbered requests that a person can repeat, below a line on how they were found.
func story(head string, exchanges []*spec.Exchange) []string {
	out := []string{head + ":"}
	for i, ex := range exchanges {
		out = append(out, fmt.Sprintf("%d. %s", i+1, tale(ex)))
	}
	return out
}

// storyOf tells the exchanges of the scenario that a finding cites.
func (s *scenario) storyOf(head string, f spec.Finding) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var cited []*spec.Exchange
	for _, seq := range f.Exchanges {
		for _, ex := range s.exchanges {
			if ex.Seq == seq {
				cited = append(cited, ex)
			}
		}
	}
	return story(head, cited)
}

// tale is an exchange in a line: what was sent, and what came back.
func tale(ex *spec.Exchange) string {
	asked, answered, _ := strings.Cut(place(ex), " → ")
	if body := bytes.TrimSpace(ex.Request.Body); len(body) > 0 {
		asked += " " + truncate.Middle(string(body), 160)
	}
	if ex.Response == nil {
		return asked + " → no response"
	}
	return asked + " → " + answered + " " + gist(ex.Response.Body)
}

// gist is a response's body in a few words: of a list the length.
func gist(body []byte) string {
	var items []json.RawMessage
	if json.Unmarshal(body, &items) == nil && items != nil {
		return "[" + text.Count(len(items), "animal") + "]"
	}
	return truncate.Middle(string(bytes.TrimSpace(body)), 100)
}
