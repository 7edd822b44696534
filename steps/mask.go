package steps

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"hallmark/reports"
	"hallmark/spec"
	"hallmark/spec/derive"
)

// The service is judged by what it really answered; records show it with the key taken out, should it echo it: in
// whatever form an answer holds it, and the near misses too, of which anybody could make the key again.

// secret is a text that records must not hold, and what they show in its place.
type secret struct{ text, shown string }

// secrets are those of a key, the longest first.
type secrets []secret

const (
	// leastSecret is how long a text is, in bytes, that is taken for a near miss; a shorter one may be any word.
	leastSecret = 6
	// leastHalf is the same for one half of the key, which tells less of it.
	leastHalf = 12
)

// secretsOf lists what gives a key away.
func secretsOf(key string, more ...secret) secrets {
	var all secrets
	add := func(text, shown string) {
		inJSON, _ := json.Marshal(text)
		for _, form := range []string{
			text, strings.Trim(quoteJSON(text), `"`), strings.Trim(string(inJSON), `"`), url.QueryEscape(text), url.PathEscape(text),
		} {
			if !slices.ContainsFunc(all, func(s secret) bool { return s.text == form }) {
				all = append(all, secret{form, shown})
			}
		}
	}
	for _, s := range more {
		if s.text != "" {
			add(s.text, s.shown)
		}
	}
	if key == "" {
		return all
	}
	add(key, keyVariable)
	for _, c := range derive.Credentials() {
		made, err := makeCredential(c.Words, key)
		if err != nil || made.header == made.shown {
			continue // it cannot be made, or nothing of the key is in it
		}
		_, text, _ := strings.Cut(made.header, " ")
		_, shown, _ := strings.Cut(made.shown, " ")
		if len(text) >= leastHalf || len(text) >= leastSecret && len(text) > len(key)/2 {
			add(text, shown)
		}
	}
	slices.SortStableFunc(all, func(a, b secret) int { return cmp.Compare(len(b.text), len(a.text)) })
	return all
}

// hide takes the secrets out of a text.
func (all secrets) hide(text string) string {
	for _, s := range all {
		if strings.Contains(text, s.text) {
			text = strings.ReplaceAll(text, s.text, s.shown)
		}
	}
	return text
}

// hideBytes does the same to a body.
func (all secrets) hideBytes(body []byte) []byte {
	for _, s := range all {
		if bytes.Contains(body, []byte(s.text)) {
			body = bytes.ReplaceAll(body, []byte(s.text), []byte(s.shown))
		}
	}
	return body
}

// masked is a copy of an exchange without the key.
func (r *run) masked(ex spec.Exchange) spec.Exchange {
	all := r.client.secrets
	if ex.Response == nil {
		return ex
	}
	resp := *ex.Response
	length := len(resp.Body)
	resp.Body = all.hideBytes(resp.Body)
	resp.Size += len(resp.Body) - length // what was taken out was not cut off
	resp.Header = resp.Header.Clone()
	for _, values := range resp.Header {
		for i, v := range values {
			values[i] = all.hide(v)
		}
	}
	ex.Response = &resp
	return ex
}

// maskScenario takes the key out of a scenario's texts.
func (r *run) maskScenario(s *reports.Scenario) {
	mask := func(text *string) { *text = r.client.secrets.hide(*text) }
	mask(&s.Reason)
	for i := range s.Findings {
		mask(&s.Findings[i].Expected)
		mask(&s.Findings[i].Actual)
		mask(&s.Findings[i].Where)
		mask(&s.Findings[i].Cause)
		for k := range s.Findings[i].Story {
			mask(&s.Findings[i].Story[k])
		}
	}
	for i := range s.Observations {
		mask(&s.Observations[i].Asked)
		mask(&s.Observations[i].Answer)
	}
}
