package scenario

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// Answer is an exchange with its decoded body and the request it was made from.
type Answer struct {
	Exchange *spec.Exchange
	Value    exactjson.Value
	// Items is the number of items in the response's list; Value may hold fewer.
	Items int
	// Right reports whether the right credential was sent.
	Right bool
	// TimedOut reports whether the response did not arrive in time.
	TimedOut bool
	// Request is the request as values, or nil if it was not made from values.
	Request *request.Request
	// Credential is what the request was sent with.
	Credential credentials.Credential
	// made is the resource that the request created, or nil if none is known.
	made *Resource
	// leaving is the run's resource that the request deletes, or nil.
	leaving *Resource
	// isLight reports whether Light dropped the value.
	isLight bool
}

// Status returns the HTTP status, or 0 if there was no response.
func (a *Answer) Status() int {
	if a.Exchange.Response == nil {
		return 0
	}
	return a.Exchange.Response.Status
}

// Succeeded reports whether the response is a success: 2xx, or a redirect that the operation documents.
func (a *Answer) Succeeded() bool {
	if a.Request == nil || a.Request.Operation == nil {
		return a.Status()/100 == 2
	}
	return a.Request.Operation.Succeeds(a.Exchange.Response)
}

// Light returns the answer without its value, if that can be decoded again from the body. It saves memory: a run
// keeps one answer for each operation.
func (a *Answer) Light() *Answer {
	if r := a.Exchange.Response; a.isLight || !a.Value.Valid || r == nil || r.Cut() || len(r.Body) > leastBody {
		return a
	}
	b := *a
	b.Value, b.isLight = exactjson.Value{}, true
	return &b
}

// Whole returns the answer with the value of its body, undoing Light.
func (a *Answer) Whole() *Answer {
	if !a.isLight {
		return a
	}
	b := *a
	b.Value, b.isLight = spec.Decode(a.Exchange.Response), false
	b.Value.Tree = truncate.Value(b.Value.Tree)
	return &b
}
