package scenario

import (
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// The service is judged by its actual responses; records show them with the secrets redacted, in whatever form a
// response echoes them. Near misses of the key are redacted too, since the key can be guessed from them.

// leastHalf is the minimum length, in bytes, of one half of the key that is redacted as a secret of its own.
const leastHalf = 12

// SecretsOf returns a redactor for the key, its near misses and other secrets. A key that is too short to be
// searched for anywhere is redacted only after its scheme.
func SecretsOf(key string, more ...redact.Secret) *redact.Redactor {
	list := more
	switch {
	case len(key) >= redact.MinLength:
		list = append(list, redact.Secret{Text: key, Shown: credentials.KeyVariable})
	case key != "":
		for _, scheme := range []string{"Bearer ", "Basic "} {
			list = append(list, redact.Secret{Text: scheme + key, Shown: scheme + credentials.KeyVariable, Literal: true})
		}
	}
	for _, c := range credential.WrongTokens() {
		if key == "" {
			break
		}
		made, err := credentials.Make(c.Words, key)
		if err != nil || made.Header == made.Shown {
			continue // it cannot be made, or does not contain the key
		}
		_, text, _ := strings.Cut(made.Header, " ")
		_, shown, _ := strings.Cut(made.Shown, " ")
		if len(text) >= leastHalf || len(text) >= redact.MinLength && len(text) > len(key)/2 {
			list = append(list, redact.Secret{Text: text, Shown: shown})
		}
	}
	return redact.New(list...)
}

// Redact returns a copy of an exchange without the secrets.
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
	resp.Size += len(resp.Body) - length // what was redacted was not truncated
	resp.Header = all.Header(resp.Header)
	ex.Response = &resp
	return ex
}

// RedactScenario redacts a scenario's texts.
func (r *Run) RedactScenario(s *record.Scenario) {
	mask := func(text *string) { *text = r.Client.Redactor.Text(*text) }
	mask(&s.Reason)
	for i := range s.Findings {
		f := &s.Findings[i]
		*f = f.Map(r.Client.Redactor.Text)
	}
	for i := range s.Observations {
		mask(&s.Observations[i].Asked)
		mask(&s.Observations[i].Answer)
		mask(&s.Observations[i].Reading)
	}
}
