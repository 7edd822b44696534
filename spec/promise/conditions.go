package promise

import (
	"net/http"
	"strings"

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/spec/resource"
)

// CurrentState is the text of an If-Match or If-Unmodified-Since header in a plain request that stands for the state of what the request
// is about. Whoever sends the request reads that first.
const CurrentState = `"hallmark-current-state"`

// withCondition returns a request with a header that makes it depend on a state, where it has to have it. No state is made up for a
// request that is to succeed.
func withCondition(r request.Request, p spec.Parameter) request.Request {
	place := request.PlaceOf(p)
	reads := r.Operation.Method == http.MethodGet || r.Operation.Method == http.MethodHead
	switch {
	case demanded(r.Operation, p):
		return r.WithText(place, CurrentState)
	case !p.Required:
	case strings.EqualFold(p.Name, resource.IfNoneMatch) && reads:
		return r.WithText(place, `"hallmark-none"`)
	case strings.EqualFold(p.Name, resource.IfMatch), strings.EqualFold(p.Name, resource.IfNoneMatch):
		return r.WithText(place, "*")
	case strings.EqualFold(p.Name, resource.IfUnmodifiedSince):
		return r.WithText(place, "Fri, 31 Dec 9999 23:59:59 GMT")
	default:
		return r.WithText(place, "Thu, 01 Jan 1970 00:00:00 GMT")
	}
	return r
}

// byState returns more plain requests, for when no other succeeds: with the state where the document does not say that it has to be
// there, and for any state where it does.
func byState(r request.Request, o Options) []request.Request {
	p := resource.Condition(r.Operation, resource.IfMatch)
	if p == nil || r.Operation.Method == http.MethodGet || r.Operation.Method == http.MethodHead {
		return nil
	}
	if _, given := o.given.Parameter(r.Operation, *p); given {
		return nil
	}
	if !demanded(r.Operation, *p) {
		return []request.Request{r.WithText(request.PlaceOf(*p), CurrentState)}
	}
	if p.Schema != nil && !o.Valid(p.Schema, "*") {
		return nil
	}
	return []request.Request{r.WithText(request.PlaceOf(*p), "*")}
}

// demanded reports whether each request of an operation has to name the state by a parameter.
func demanded(op *spec.Operation, p spec.Parameter) bool {
	d := resource.Demands(op)
	return d != nil && request.PlaceOf(*d) == request.PlaceOf(p)
}

// ignorable reports whether a service may take no notice of a wrong value of a header: RFC 9110, sections 13.1.3 to 13.1.5, says that it
// must not take notice of a date that is none, and nothing of an If-None-Match that is no list of entity tags.
func ignorable(p spec.Parameter) bool {
	return resource.IsCondition(p) && !strings.EqualFold(p.Name, resource.IfMatch)
}
