package scenario

import (
	"strings"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/redact"
	"hallmark/steps/truncate"
)

// The service is judged by what it really answered; records show it with the secrets taken out, should it echo them: in
// whatever form a response holds them, and the near misses too, of which anybody could make the key again.

// leastHalf is how long one half of the key is, in bytes, that is a secret of its own: it tells less than the whole.
const leastHalf = 12

// SecretsOf finds what gives a key away, and other secrets. A key that is too short to be looked for anywhere is taken out
// behind its scheme only.
func SecretsOf(key string, more ...redact.Secret) *redact.Redactor {
	list := more
	switch {
	case len(key) >= redact.MinLength:
		list = append(list, redact.Secret{Text: key, Shown: client.KeyVariable})
	case key != "":
		for _, scheme := range []string{"Bearer ", "Basic "} {
			list = append(list, redact.Secret{Text: scheme + key, Shown: scheme + client.KeyVariable, Literal: true})
		}
	}
	for _, c := range derive.Credentials() {
		if key == "" {
			break
		}
		made, err := credentials.Make(c.Words, key)
		if err != nil || made.Header == made.Shown {
			continue // it cannot be made, or nothing of the key is in it
		}
		_, text, _ := strings.Cut(made.Header, " ")
		_, shown, _ := strings.Cut(made.Shown, " ")
		if len(text) >= leastHalf || len(text) >= redact.MinLength && len(text) > len(key)/2 {
			list = append(list, redact.Secret{Text: text, Shown: shown})
		}
	}
	return redact.New(list...)
}

// Redact is a copy of an exchange without the secrets.
func (r *Run) Redact(ex spec.Exchange) spec.Exchange {
	all := r.Client.Redactor
	ex.Request.URL = all.Text(ex.Request.URL)
	ex.Request.Body = all.Bytes(ex.Request.Body)
	ex.Lost = all.Text(ex.Lost)
	if ex.Response == nil {
		return ex
	}
	resp := truncate.Headers(*ex.Response)
	length := len(resp.Body)
	resp.Body = all.Bytes(resp.Body)
	resp.Size += len(resp.Body) - length // what was taken out was not cut off
	resp.Header = all.Header(resp.Header)
	ex.Response = &resp
	return ex
}

// RedactScenario takes the secrets out of a scenario's texts.
func (r *Run) RedactScenario(s *record.Scenario) {
	mask := func(text *string) { *text = r.Client.Redactor.Text(*text) }
	mask(&s.Reason)
	for i := range s.Findings {
		f := &s.Findings[i]
		*f = f.Map(r.Client.Redactor.Text)
		for k := range f.Story {
			mask(&f.Story[k])
		}
	}
	for i := range s.Observations {
		mask(&s.Observations[i].Asked)
		mask(&s.Observations[i].Answer)
		mask(&s.Observations[i].Reading)
	}
}
