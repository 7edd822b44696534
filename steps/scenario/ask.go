package scenario

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// unboundRequest returns the most promising plain request of an operation from the contract alone.
func (c *Caller) unboundRequest(ctx context.Context, op *spec.Operation) (request.Request, credentials.Credential, error) {
	if changesOthers(c.run.resources.inferred, op) {
		return request.Request{}, credentials.Credential{}, Stopf("%s is not called: it may change or remove what this run did not create", op.ID)
	}
	if err := c.run.permit(op); err != nil {
		return request.Request{}, credentials.Credential{}, err
	}
	all, err := c.run.Promises.Requests(op)
	if err != nil {
		return request.Request{}, credentials.Credential{}, Stopf("%v", err)
	}
	with, err := c.Entitled(ctx, op)
	if err != nil {
		return request.Request{}, with, Stopf("%v", err)
	}
	return all[0], with, nil
}

// Entitled returns the credential that an operation accepts.
func (c *Caller) Entitled(ctx context.Context, op *spec.Operation) (credentials.Credential, error) {
	return c.run.Entitled(ctx, op)
}

// Entitled returns the credential that an operation accepts.
func (r *Run) Entitled(ctx context.Context, op *spec.Operation) (credentials.Credential, error) {
	with, err := r.Target.Keyring.For(ctx, op, r.roleFor(op))
	return with.Carried(), err
}

// Wrong returns a credential that an operation must refuse, by its description.
func (c *Caller) Wrong(ctx context.Context, op *spec.Operation, words string) (credentials.Credential, error) {
	with, err := c.run.Target.Keyring.Make(ctx, op, c.run.roleFor(op), words)
	if no, ok := errors.AsType[scheme.Impossible](err); ok {
		return credentials.Credential{}, credentials.Impossible{Reason: no.Reason}
	}
	return with.Carried(), err
}

// Ask sends a request.
func (c *Caller) Ask(ctx context.Context, r request.Request, with credentials.Credential, purpose string) (*Answer, error) {
	if err := c.run.permit(r.Operation); err != nil {
		return nil, err
	}
	if changesUnnamed(c.run.resources.inferred, r.Operation) && !slices.Contains(c.run.Target.Allowed, r.Operation.ID) {
		if ok, why := c.run.resources.namesOwn(r); !ok {
			return nil, Excusef("the request is not sent: it may change or remove what this run did not create: %s", why)
		}
	}
	r = secured(c.run, renewed(c.run, r))
	if err := c.run.refuseRights(r); err != nil {
		return nil, err
	}
	if err := c.remember(ctx, r); err != nil {
		return nil, err
	}
	return c.askWithVersion(ctx, r, func(r request.Request) (*Answer, error) { return c.askStated(ctx, r, with, purpose) })
}

// askStated sends a request with the state that it must name.
func (c *Caller) askStated(ctx context.Context, r request.Request, with credentials.Credential, purpose string) (*Answer, error) {
	stated, err := withState(ctx, c, r, c.readState)
	if err != nil {
		return nil, err
	}
	w, err := stated.Write(boundary)
	if err != nil {
		return nil, Stopf("the request to %s cannot be written: %v", r.Operation.ID, err)
	}
	send := func() (*Answer, error) {
		return c.send(ctx, &client.Call{
			Operation: r.Operation.ID, About: purpose, Method: w.Method, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie,
			Accept: cmp.Or(r.Accept, accepted(r.Operation)), Body: w.Body, MediaType: w.MediaType,
			Streams: Streams(r.Operation) || r.Accept != "" && isStream(r.Accept),
		}, with, &r)
	}
	a, err := c.askInRoom(ctx, r.Operation, send)
	if err != nil || r.Operation.Method != http.MethodGet {
		return a, err
	}
	return c.askUntilSettled(ctx, a, send)
}

// readState reads the resource whose state another request must name.
func (c *Caller) readState(ctx context.Context, r request.Request, with credentials.Credential) (*spec.Response, error) {
	a, err := c.Ask(ctx, r, with, "to learn the state that another request has to name")
	if err != nil {
		return nil, err
	}
	return a.Exchange.Response, nil
}

// AskPlain sends the most promising plain request of an operation.
func (c *Caller) AskPlain(ctx context.Context, op spec.Operation, about string) (*Answer, error) {
	documented, _ := c.run.Contract.Operation(op.ID)
	r, with, err := c.unboundRequest(ctx, documented)
	if err != nil {
		return nil, err
	}
	return c.Ask(ctx, r, with, about)
}

// AskWithout is like AskPlain, without a credential.
func (c *Caller) AskWithout(ctx context.Context, op spec.Operation, about string) (*Answer, error) {
	documented, _ := c.run.Contract.Operation(op.ID)
	r, with, err := c.unboundRequest(ctx, documented)
	if err == nil && !documented.Anonymous() {
		with, err = c.Wrong(ctx, documented, credential.NoCredential)
	}
	if err != nil {
		return nil, Stopf("%v", err)
	}
	return c.Ask(ctx, r, with, about)
}

// boundary separates the parts of multipart bodies. It is constant so that runs are repeatable.
const boundary = "hallmark-5f3e9c1b7a"

// accepted returns the Accept header for the media types that an operation documents.
func accepted(op *spec.Operation) string {
	var all []string
	for i := range op.Responses {
		for _, t := range op.Responses[i].MediaTypes() {
			t = strings.ToLower(t)
			if t != "*/*" && !strings.Contains(strings.Join(all, ", "), t) {
				all = append(all, t)
			}
		}
	}
	return strings.Join(append(all, "*/*;q=0.1"), ", ")
}

// isStream reports whether a media type is that of a stream of items.
func isStream(media string) bool {
	kind := wire.KindOf(media)
	return kind == wire.KindEvents || kind == wire.KindLines || kind == wire.KindSequence
}

// Streams reports whether every success that an operation documents is a stream of items, which may never end.
func Streams(op *spec.Operation) bool {
	found := false
	for i := range op.Responses {
		for _, t := range op.Responses[i].MediaTypes() {
			switch is := isStream(t); {
			case op.Responses[i].Class() != 2:
			case !is:
				return false
			default:
				found = true
			}
		}
	}
	return found
}
