package spec

import (
	"net/http"
	"net/url"
	"regexp"
)

// errorWords and loginWords occur in URLs of error pages (RFC 6749, section 4.1.2.1) and of login pages.
var (
	errorWords = regexp.MustCompile(`(?i)(^|[^a-z])(error|err|errors|fail|failed|failure|invalid|denied|forbidden|unauthorized)([^a-z]|$)`)
	loginWords = regexp.MustCompile(`(?i)(^|[^a-z])(login|logon|log-in|signin|sign-in|sign_in|sso)([^a-z]|$)`)
)

// Redirects reports whether the operation documents the status, or its range, as a redirect. 304 is not one: it answers a conditional
// request.
func (o *Operation) Redirects(status int) bool {
	if status/100 != 3 || status == http.StatusNotModified {
		return false
	}
	a := o.ResponseFor(status)
	return a != nil && a.Class() == 3
}

// OnlyRedirects reports whether redirects are the only documented successes of the operation.
func (o *Operation) OnlyRedirects() bool {
	redirects := false
	for i := range o.Responses {
		a := &o.Responses[i]
		if a.Class() == 2 || a.Class() == 0 {
			return false
		}
		redirects = redirects || a.Class() == 3 && a.Status != http.StatusNotModified
	}
	return redirects
}

// Succeeds reports whether a response is a success of the operation: 2xx, or a documented redirect. A redirect to an error page is not a
// success, and neither is one to a login page if other successes are documented.
func (o *Operation) Succeeds(r *Response) bool {
	if r == nil || !o.Redirects(r.Status) {
		return r != nil && r.Status/100 == 2
	}
	to, err := url.Parse(r.Header.Get("Location"))
	if err != nil {
		return true
	}
	where := to.Path + " " + to.RawQuery + " " + to.Fragment
	return !errorWords.MatchString(where) && (o.OnlyRedirects() || !loginWords.MatchString(where))
}

// Accepts reports whether a response states that the operation was carried out: 2xx, a redirect if no other success is documented, or 303,
// which refers to the result. Other redirects beside a documented 2xx may mean that the resource is elsewhere.
func (o *Operation) Accepts(r *Response) bool {
	return o.Succeeds(r) && (r.Status/100 == 2 || r.Status == http.StatusSeeOther || o.OnlyRedirects())
}
