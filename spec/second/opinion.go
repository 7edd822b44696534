package second

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// question is what the second judge is asked about a finding.
type question byte

const (
	// none: the finding rests on no schema.
	none question = iota
	// aboutResponse: a response's body or header violates its schema.
	aboutResponse
	// aboutRefusal: a request was refused that the contract allows.
	aboutRefusal
	// aboutAcceptance: a request was accepted that the contract rules out.
	aboutAcceptance
	// aboutSoundResponse and aboutSoundRequest: an accepted message without findings.
	aboutSoundResponse
	aboutSoundRequest
)

// questionOf returns the question about a finding of a rule. The exchange is the decisive one.
func questionOf(f spec.Finding, rule spec.Rule, ex *spec.Exchange) question {
	if ex == nil || ex.Operation == "" || ex.Response == nil || ex.Lost != "" {
		return none
	}
	if f.Kind == spec.KindStatus {
		return aboutRequest(f, rule, ex)
	}
	about := []spec.FindingKind{
		spec.KindMissing, spec.KindUnreadable, spec.KindType, spec.KindEnum, spec.KindFormat, spec.KindTooSmall, spec.KindTooLarge, spec.KindForbidden, spec.KindRepeated,
	}
	inResponse := strings.Contains(f.Contract, "/responses/") || strings.Contains(f.Contract, "/components/") || strings.Contains(f.Contract, "#")
	if !slices.Contains(about, f.Kind) || f.Status != 0 || rule.Source != "" || !inResponse || strings.EqualFold(f.Header, "Content-Type") {
		return none
	}
	return aboutResponse
}

// The statuses with which a service says that a request is wrong in itself, regardless of client and state.
var refusals = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}

// aboutRequest returns the question about a wrong status.
func aboutRequest(f spec.Finding, rule spec.Rule, ex *spec.Exchange) question {
	status := ex.Response.Status
	if f.Status != 0 && f.Status != status || !speaksOfRequest(rule) {
		return none
	}
	expected := ex.Expect.Statuses
	refused := slices.ContainsFunc(expected, func(s int) bool { return slices.Contains(refusals, s) })
	succeeds := slices.ContainsFunc(expected, func(s int) bool { return s/100 == 2 })
	switch {
	case slices.Contains(refusals, status) && (accepts(rule) || len(expected) > 0 && succeeds && !refused):
		return aboutRefusal
	case status/100 == 2 && (refuses(rule) || len(expected) > 0 && refused && !succeeds):
		return aboutAcceptance
	}
	return none
}

// accepts and refuses report whether a rule that follows from a contract says that a request is accepted, or
// refused, because of its schemas. That of what a sentence says knows no schema.
func accepts(rule spec.Rule) bool { return slices.Contains(rule.Cases, "accepted") }

func refuses(rule spec.Rule) bool {
	return slices.ContainsFunc(rule.Cases, func(c string) bool {
		return strings.HasPrefix(c, "refused.") && c != "refused.documented" && c != "refused.range"
	})
}

// speaksOfRequest reports whether a rule points to what the contract says about requests, or to an operation as a
// whole.
func speaksOfRequest(rule spec.Rule) bool {
	return slices.ContainsFunc(rule.Contract, func(pointer string) bool {
		return strings.Contains(pointer, "/parameters/") || strings.Contains(pointer, "/requestBody") || strings.Contains(pointer, "/components/schemas/")
	}) || accepts(rule)
}

// Opinion returns the second judge's opinion on a finding of a rule, and whether it was asked, which only happens
// if the finding rests on a schema. The exchange is the decisive one.
func (j *Judge) Opinion(f spec.Finding, rule spec.Rule, ex *spec.Exchange) (spec.Opinion, bool) {
	switch q := questionOf(f, rule, ex); q {
	case aboutResponse:
		return j.ofResponse(f, rule, ex), true
	case aboutRefusal, aboutAcceptance:
		return j.ofRequest(q, rule, ex), true
	case none, aboutSoundResponse, aboutSoundRequest:
	}
	return spec.Opinion{}, false
}

// ofResponse asks about a response.
func (j *Judge) ofResponse(f spec.Finding, rule spec.Rule, ex *spec.Exchange) spec.Opinion {
	r := j.Response(ex)
	if r.Unknown != "" {
		return spec.Opinion{Says: spec.Unsettled, Reason: r.Unknown}
	}
	for _, fault := range r.Faults {
		if fault.meets(f) {
			return spec.Opinion{Says: spec.Agreed, Reason: fault.String()}
		}
	}
	o := spec.Opinion{Says: spec.Disputed, Reason: "it finds nothing wrong there"}
	if len(r.Faults) > 0 {
		o.Reason += ", but elsewhere: " + r.Faults[0].String()
	}
	return j.settle(o, aboutResponse, f, rule, ex, r)
}

// ofRequest asks about a request.
func (j *Judge) ofRequest(q question, rule spec.Rule, ex *spec.Exchange) spec.Opinion {
	r := j.Request(ex)
	if r.Unknown != "" {
		return spec.Opinion{Says: spec.Unsettled, Reason: r.Unknown}
	}
	o := spec.Opinion{Says: spec.Agreed, Reason: "it finds nothing wrong with the request"}
	if len(r.Faults) > 0 {
		o.Reason = r.Faults[0].String()
	}
	if (q == aboutRefusal) == (len(r.Faults) == 0) {
		return o
	}
	o.Says = spec.Disputed
	return j.settle(o, q, spec.Finding{}, rule, ex, r)
}

// settle adds why the second judge differs, if that is known, and turns an opinion on a redacted message into
// none.
func (j *Judge) settle(o spec.Opinion, q question, f spec.Finding, rule spec.Rule, ex *spec.Exchange, r Result) spec.Opinion {
	if d := j.known(q, f, rule, ex, r); d != nil {
		o.Known = d.ID
	} else if format := j.unjudgedFormat(q, f, ex); format != "" {
		return spec.Opinion{Says: spec.Unsettled, Reason: "it does not judge the format " + short(format)}
	} else if masked(q, ex) {
		return spec.Opinion{Says: spec.Unsettled, Reason: "a secret in it is masked"}
	}
	return o
}

// masked reports whether the judged message contains a placeholder for a secret.
func masked(q question, ex *spec.Exchange) bool {
	texts := []string{string(ex.Response.Body)}
	if q == aboutRefusal || q == aboutAcceptance || q == aboutSoundRequest {
		texts = []string{ex.Request.URL, string(ex.Request.Body)}
		for _, lines := range ex.Request.Header {
			texts = append(texts, lines...)
		}
	} else {
		for _, lines := range ex.Response.Header {
			texts = append(texts, lines...)
		}
	}
	return slices.ContainsFunc(texts, func(s string) bool {
		return strings.Contains(s, "HALLMARK_API_KEY") || strings.Contains(s, "HALLMARK_CREDENTIAL_") || strings.Contains(s, "HALLMARK_QUERY_")
	})
}

// meets reports whether a fault is that of the finding: in the same header, or at a place within the other.
func (f Fault) meets(found spec.Finding) bool {
	if f.Header != "" || found.Header != "" {
		return strings.EqualFold(f.Header, found.Header)
	}
	return f.Whole || jsonpointer.Within(found.Pointer, f.Pointer) || jsonpointer.Within(f.Pointer, found.Pointer)
}

// String quotes the fault.
func (f Fault) String() string {
	said := strconv.Quote(f.Text)
	switch {
	case f.Header != "":
		return said + " in the header " + short(f.Header)
	case f.Parameter != "":
		return said + " in the parameter " + short(f.Parameter)
	case f.Pointer != "":
		return said + " at " + short(f.Pointer)
	}
	return said
}

// ResponseStands returns the second judge's opinion on a response without findings.
func (j *Judge) ResponseStands(ex *spec.Exchange) spec.Opinion {
	return j.stands(aboutSoundResponse, ex, j.Response(ex))
}

// RequestStands returns its opinion on a request without findings.
func (j *Judge) RequestStands(ex *spec.Exchange) spec.Opinion {
	return j.stands(aboutSoundRequest, ex, j.Request(ex))
}

func (j *Judge) stands(q question, ex *spec.Exchange, r Result) spec.Opinion {
	switch {
	case r.Unknown != "":
		return spec.Opinion{Says: spec.Unsettled, Reason: r.Unknown}
	case len(r.Faults) == 0:
		return spec.Opinion{Says: spec.Agreed}
	}
	o := spec.Opinion{Says: spec.Disputed, Reason: r.Faults[0].String()}
	return j.settle(o, q, spec.Finding{}, spec.Rule{}, ex, r)
}
