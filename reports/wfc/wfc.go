// Package wfc names findings by the fault categories of Web Fuzzing Commons (WFC), which other tools use in their reports, so that the figures of
// several tools can be compared.
//
// The categories are those of Faults 0.9.0, published with release 0.10.0 of https://github.com/WebFuzzing/Commons (faults.md and
// release_notes.md there). Before Faults 0.8.0 the same numbers stood for other faults.
package wfc

import (
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// Category is the code of a fault category, which is written with an F before it: F100.
type Category int

// The categories that findings of hallmark can have.
const (
	Status500             Category = 100 // HTTP status 500
	NonStandardStatus     Category = 101 // a status outside 100 to 599
	NoAuthenticate        Category = 109 // 401 without WWW-Authenticate
	NoAllow               Category = 110 // 405 without Allow
	StillThere            Category = 113 // a deleted resource can be accessed
	FailedChangeChanges   Category = 114 // a failed PUT or PATCH changes the resource
	NoFullReplacement     Category = 117 // a PUT does not replace everything
	WrongMergePatch       Category = 119 // a JSON merge patch is applied wrongly
	OtherServerError      Category = 121 // 5xx other than 500 and 501
	CreatedNotFound       Category = 122 // a created resource is not found
	SchemaMismatch        Category = 200 // a response does not match its schema
	NotImplemented        Category = 205 // 501 for what the schema defines
	InvalidAccepted       Category = 206 // success for wrong data
	ValidRejected         Category = 207 // valid inputs are rejected
	AuthenticationMissing Category = 311 // declared authentication is not enforced
)

// The bounds of statuses (RFC 9110, section 15).
const leastStatus, serverErrors, endOfStatuses = 100, 500, 600

// byCase are the categories of rules by the kind of promise, and for which findings they hold.
var byCase = []struct {
	category Category
	cases    []promise.Kind
	holds    func(f spec.Finding) bool
}{
	{NoAuthenticate, []promise.Kind{promise.Challenge}, func(f spec.Finding) bool { return f.Header == "WWW-Authenticate" && f.Kind == spec.KindMissing }},
	{NoAllow, []promise.Kind{promise.MethodNotAllowed}, func(f spec.Finding) bool { return f.Status == http.StatusMethodNotAllowed }},
	{StillThere, []promise.Kind{promise.Gone}, func(f spec.Finding) bool { return f.Kind == spec.KindUnexpected || isSuccess(f) }},
	{FailedChangeChanges, []promise.Kind{promise.Unchanged}, differs},
	{NoFullReplacement, []promise.Kind{promise.Replaced}, differs},
	{WrongMergePatch, []promise.Kind{promise.Merged}, differs},
	{CreatedNotFound, []promise.Kind{promise.Readable}, func(f spec.Finding) bool { return f.Kind == spec.KindLost || f.Status == http.StatusNotFound }},
	{SchemaMismatch, []promise.Kind{promise.Body}, ofSchema},
	{InvalidAccepted, []promise.Kind{
		promise.ParameterMissing, promise.ParameterValue, promise.BodyType, promise.PropertyMissing, promise.PropertyValue, promise.PropertyUnknown,
	}, isSuccess},
	{ValidRejected, []promise.Kind{promise.Accepted}, func(f spec.Finding) bool { return f.Status/100 == http.StatusBadRequest/100 }},
	{AuthenticationMissing, []promise.Kind{promise.CredentialMissing}, isSuccess},
}

// Of returns the category of a finding of a rule, or 0 if none means surely the same. A wrong status that has a category of its own comes
// before the rule that it breaks.
func Of(r spec.Rule, f spec.Finding) Category {
	switch status := f.Status; {
	case status == 0:
	case status == http.StatusInternalServerError:
		return Status500
	case status == http.StatusNotImplemented:
		return NotImplemented
	case status < leastStatus || status >= endOfStatuses:
		return NonStandardStatus
	case status >= serverErrors:
		return OtherServerError
	}
	for _, c := range byCase {
		if isOf(r, c.cases) && c.holds(f) {
			return c.category
		}
	}
	return 0
}

// isOf reports whether a rule is about cases of these kinds only.
func isOf(r spec.Rule, kinds []promise.Kind) bool {
	return len(r.Cases) > 0 && !slices.ContainsFunc(r.Cases, func(one string) bool { return !slices.Contains(kinds, promise.Kind(one)) })
}

func isSuccess(f spec.Finding) bool { return f.Status/100 == http.StatusOK/100 }

func differs(f spec.Finding) bool { return f.Kind == spec.KindDiffers || f.Kind == spec.KindMissing }

// ofSchema reports whether a finding says that a value in a body does not match its schema.
func ofSchema(f spec.Finding) bool {
	switch f.Kind {
	case spec.KindType, spec.KindEnum, spec.KindFormat, spec.KindTooSmall, spec.KindTooLarge, spec.KindForbidden:
		return f.Header == ""
	case spec.KindMissing:
		return f.Header == "" && f.Detail != "" // a member, and not the body
	default:
		return false
	}
}
