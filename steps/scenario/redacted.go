package scenario

import (
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/truncate"
)

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
