package scenario

import (
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/request"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/truncate"
)

// Answer is an exchange, its decoded body, and what was sent.
type Answer struct {
	Exchange *spec.Exchange
	Value    exactjson.Value
	// Items is how many items the response's list had, of which value may hold fewer.
	Items int
	// Sent is nil for requests without a body that was planned.
	Sent *generate.SentBody
	// Path are the path parameters that were sent, by name.
	Path map[string]string
	// Right reports whether the right credential was sent.
	Right bool
	// TimedOut reports whether no response came in time.
	TimedOut bool
	// Request is what was asked, where it was made of values; nil for others.
	Request *request.Request
	// What it was made of, to send it again.
	Arguments  Arguments
	Plan       *generate.Plan
	Credential credentials.Credential
	// Certain reports whether the path parameters named something that this run had created when the request was sent; what
	// others created may be gone, and what is created later was not there yet.
	Certain bool
	// made is what the request created, as far as is known; nil for nothing.
	made *Resource
	// leaving is what the request removes; nil for nothing of the run.
	leaving *Resource
	// isLight reports whether Light let go of its value.
	isLight bool
}

// Status is the HTTP status; 0 when no response came.
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

// Light returns the answer without its value, where that can be read again: a run keeps an answer of each operation.
func (a *Answer) Light() *Answer {
	if r := a.Exchange.Response; a.isLight || !a.Value.Valid || r == nil || r.Cut() || len(r.Body) > leastBody {
		return a
	}
	b := *a
	b.Value, b.isLight = exactjson.Value{}, true
	return &b
}

// Whole returns the answer with the value of its body.
func (a *Answer) Whole() *Answer {
	if !a.isLight {
		return a
	}
	b := *a
	b.Value, b.isLight = spec.Decode(a.Exchange.Response), false
	b.Value.Tree = truncate.Value(b.Value.Tree)
	return &b
}

// Arguments are the values of an operation's parameters, in the order in which they were given; a name may be there twice.
type Arguments []Argument

// Argument is the value of one parameter.
type Argument struct{ Name, Value string }

// Set adds a value of a parameter.
func (a *Arguments) Set(name, value string) { *a = append(*a, Argument{name, value}) }

// Value is the first that was given to a parameter.
func (a Arguments) Value(name string) (string, bool) {
	for _, x := range a {
		if x.Name == name {
			return x.Value, true
		}
	}
	return "", false
}
