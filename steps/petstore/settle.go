package petstore

import (
	"net/http"
	"time"

	"hallmark/steps/scenario"
)

// What a store may not show yet: see Patience.Settle.

// mayBeAbsent is the moment until which an animal that is known may still be missing; zero for one that nobody knows.
func (p *pets) mayBeAbsent(id string) time.Time {
	if at, known := p.memory.SeenAt(id); known {
		return at.Add(p.Patience.Settle)
	}
	return time.Time{}
}

// tooYoung reports whether a response came too early for the absence of an animal to mean something.
func (p *pets) tooYoung(id string, asked time.Time) bool {
	until := p.mayBeAbsent(id)
	return p.Patience.Settle > 0 && !until.IsZero() && asked.Before(until)
}

// AbsentUntil implements Extension: a known animal may be read too early.
func (p *pets) AbsentUntil(a *scenario.Answer) time.Time {
	if a.Exchange.Operation != "getPet" || !a.Right || a.Status() != http.StatusNotFound {
		return time.Time{}
	}
	until := p.mayBeAbsent(a.Path["petId"])
	if until.Add(-p.Patience.Settle).After(a.Exchange.Started) {
		return time.Time{} // it was created meanwhile
	}
	return until
}
