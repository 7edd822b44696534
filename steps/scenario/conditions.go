package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Conditional requests: a request that must name the current state of a resource is preceded by a read, and sends
// the ETag exactly as it came.

// noStateError ends a scenario whose request must name a state that no response shows.
type noStateError struct{ stop Stop }

func (e noStateError) Error() string { return e.stop.Reason }

func (e noStateError) Unwrap() error { return e.stop }

// isNoState reports whether a request was not sent because it must name a state that no response shows, and why.
func isNoState(err error) (string, bool) {
	no, is := errors.AsType[noStateError](err)
	return no.Error(), is
}

// asker sends a request with a credential. Its error ends the scenario.
type asker func(ctx context.Context, r request.Request, with credentials.Credential) (*spec.Response, error)

// withState returns a request with the current state of its resource filled in where the request must name it.
func withState(ctx context.Context, c *Caller, r request.Request, ask asker) (request.Request, error) {
	p := stateParameter(r)
	if p == nil {
		return r, nil
	}
	op := r.Operation
	reader := resource.Reading(c.run.resources.inferred, op)
	if reader == nil {
		return r, noStateError{Stop{Reason: fmt.Sprintf("%s requires %s, but no operation is known that reads its resource", op.ID, p.Name)}}
	}
	read, with, err := c.readOf(ctx, reader, r)
	if err != nil {
		return r, err
	}
	response, err := ask(ctx, read, with)
	if err != nil {
		return r, err
	}
	state := stateOf(*p, response)
	known := c.run.resources
	known.mu.Lock()
	defer known.mu.Unlock()
	switch gone := response.Status == http.StatusNotFound || response.Status == http.StatusGone; {
	case state != "":
		known.states[op.ID] = state
	case gone && known.states[op.ID] != "": // a missing resource has no state, and that of another one does no harm
		state = known.states[op.ID]
	case response.Status/100 != 2:
		return r, noStateError{Stop{Reason: fmt.Sprintf("%s requires %s, but %s does not return its resource: status %d", op.ID, p.Name, reader.ID, response.Status)}}
	default:
		return r, noStateError{Stop{Reason: fmt.Sprintf("%s requires %s, but %s returns none", op.ID, p.Name, reader.ID)}}
	}
	return r.WithText(request.PlaceOf(*p), state), nil
}

// stateParameter returns the parameter of a request that holds the placeholder for a state, or nil.
func stateParameter(r request.Request) *spec.Parameter {
	for i := range r.Operation.Parameters {
		p := &r.Operation.Parameters[i]
		if text, _ := r.Text(request.PlaceOf(*p)); text == promise.CurrentState {
			return p
		}
	}
	return nil
}

// readOf returns the request that reads the resource of another request, without optional parameters that would
// narrow it, and its credential. If the read needs none, it uses the other request's credential, since services
// may show more to authenticated clients.
func (c *Caller) readOf(ctx context.Context, reader *spec.Operation, about request.Request) (request.Request, credentials.Credential, error) {
	all, err := c.run.Promises.Requests(reader)
	if err != nil {
		return request.Request{}, credentials.Credential{}, Stopf("%v", err)
	}
	read := all[0]
	for _, p := range reader.Parameters {
		if _, given := c.run.Promises.Given().Parameter(reader, p); p.In != "path" && !p.Required && !given {
			read = read.Without(request.PlaceOf(p))
		}
	}
	read = inPathOf(about, read)
	of := reader
	if reader.Anonymous() {
		of = about.Operation
	}
	with, err := c.Entitled(ctx, of)
	if err != nil {
		return read, with, Stopf("%v", err)
	}
	return read, with, nil
}

// stateOf returns the state that a response shows, as the value of the header that names it, or "".
func stateOf(p spec.Parameter, response *spec.Response) string {
	if response.Status/100 != 2 {
		return ""
	}
	if strings.EqualFold(p.Name, resource.IfUnmodifiedSince) {
		if modified := response.Header.Get("Last-Modified"); modified != "" {
			return modified
		}
		return response.Header.Get("Date")
	}
	if tag := response.Header.Get("ETag"); tag != "" {
		return tag
	}
	body, err := exactjson.Decode(response.Body)
	if err != nil {
		return ""
	}
	return resource.TagMember(body.Tree)
}

// PlaceOf returns the place of a request header, in the spelling of the document.
func PlaceOf(op *spec.Operation, header string) request.Place {
	if p := resource.Condition(op, header); p != nil {
		return request.PlaceOf(*p)
	}
	return request.Place{In: "header", Name: header}
}

// Current returns the request that reads the resource of another request, and its credential, as conditional
// requests do.
func Current(ctx context.Context, s *Scenario, reader *spec.Operation, about request.Request) (request.Request, credentials.Credential, error) {
	return s.readOf(ctx, reader, about)
}
