package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/request"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/credentials/scheme"
)

// Plain is a request to an operation that keeps the contract and succeeded in this run, and its response.
type Plain struct {
	Request request.Request
	Answer  *Answer
}

// plains are the plain requests of a run, by operation. Each is looked for once, by the scenario that needs it first.
type plains struct {
	mu sync.Mutex
	by map[string]*plain
}

// plain is one of them, or why there is none.
type plain struct {
	mu    sync.Mutex // held while somebody looks
	known bool
	found Plain
	none  string
}

func (p *plains) of(operation string) *plain {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string]*plain{}
	}
	if p.by[operation] == nil {
		p.by[operation] = &plain{}
	}
	return p.by[operation]
}

// Plain returns a plain request to an operation that succeeded. Where none does it ends the scenario: nothing is concluded from an
// operation that was never seen to succeed.
func (s *Scenario) Plain(ctx context.Context, op *spec.Operation) (Plain, error) {
	p := s.Run.plains.of(op.ID)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known {
		if err := s.look(ctx, op, p); err != nil {
			return Plain{}, err
		}
	}
	if p.none != "" {
		return Plain{}, Stopf("%s", p.none)
	}
	return p.found, nil
}

// look tries the plain requests of an operation one after the other.
func (s *Scenario) look(ctx context.Context, op *spec.Operation, p *plain) error {
	candidates, with, err := s.prepare(ctx, op)
	if err != nil {
		p.known, p.none = true, err.Error()
		return nil //nolint:nilerr // it is the reason why no scenario of the operation says anything
	}
	var last *Answer
	for _, r := range candidates {
		a, err := s.Ask(ctx, r, with, "a plain request")
		if err != nil {
			return err
		}
		if a.Status()/100 == 2 {
			p.known, p.found = true, Plain{r, a}
			return nil
		}
		last = a
	}
	p.known, p.none = true, fmt.Sprintf("%s was never seen to succeed: %s", op.ID, quoteAnswer(last))
	return nil
}

// prepare returns the plain requests of an operation, and the credential that they carry.
func (c *Caller) prepare(ctx context.Context, op *spec.Operation) ([]request.Request, credentials.Credential, error) {
	if changesOthers(op) {
		return nil, credentials.Credential{}, fmt.Errorf("%s is not called: it may change or remove what this run did not create", op.ID)
	}
	all, err := c.run.Promises.Requests(op)
	if err != nil {
		return nil, credentials.Credential{}, err
	}
	with, err := c.Entitled(ctx, op)
	return all, with, err
}

// changesOthers reports whether a request to an operation may change something that is there already. What is read is left as it
// is, and what is created is the run's own.
func changesOthers(op *spec.Operation) bool {
	switch op.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	case http.MethodPost:
		return strings.Contains(op.Path, "{")
	}
	return true
}

// PlainRequest returns the likeliest plain request of an operation, and the credential that it carries. It ends the scenario
// where none may or can be made.
func (c *Caller) PlainRequest(ctx context.Context, op *spec.Operation) (request.Request, credentials.Credential, error) {
	all, with, err := c.prepare(ctx, op)
	if err != nil {
		return request.Request{}, with, Stopf("%v", err)
	}
	return all[0], with, nil
}

// Entitled returns the credential by which an operation lets the run in.
func (c *Caller) Entitled(ctx context.Context, op *spec.Operation) (credentials.Credential, error) {
	if c.run.Target.Keyring == nil {
		return credentials.Right(c.run.Target.Key), nil
	}
	with, err := c.run.Target.Keyring.For(ctx, op, c.run.Target.Role)
	return with.Carried(), err
}

// Wrong returns a credential that an operation must not let in, by its words.
func (c *Caller) Wrong(ctx context.Context, op *spec.Operation, words string) (credentials.Credential, error) {
	if c.run.Target.Keyring == nil {
		return credentials.Make(words, c.run.Target.Key)
	}
	with, err := c.run.Target.Keyring.Make(ctx, op, c.run.Target.Role, words)
	if no, ok := errors.AsType[scheme.Impossible](err); ok {
		return credentials.Credential{}, credentials.Impossible{Reason: no.Reason}
	}
	return with.Carried(), err
}

// quoteAnswer says what came of a request, with the beginning of the body.
func quoteAnswer(a *Answer) string {
	if a == nil {
		return "no request to it could be made"
	}
	text := "the last response was " + strconv.Itoa(a.Status()) + " to " + check.Place(a.Exchange).String()
	if body := strings.Join(strings.Fields(string(a.Exchange.Response.Body)), " "); body != "" {
		text += ": " + phrase.Text(body).String()
	}
	return text
}

// Ask makes a request of an operation.
func (c *Caller) Ask(ctx context.Context, r request.Request, with credentials.Credential, about string) (*Answer, error) {
	w, err := r.Write(boundary)
	if err != nil {
		return nil, Stopf("the request to %s cannot be written: %v", r.Operation.ID, err)
	}
	a, err := c.Send(ctx, client.Call{
		Operation: r.Operation.ID, About: about, Method: w.Method, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie,
		Accept: accepted(r.Operation), Body: w.Body, MediaType: w.MediaType,
	}, with, nil)
	if a != nil {
		a.Request, a.Credential = &r, with
	}
	return a, err
}

// askPlain makes the likeliest of the plain requests of an operation.
func (c *Caller) askPlain(ctx context.Context, op spec.Operation, with credentials.Credential, about string) (*Answer, error) {
	documented, _ := c.run.Contract.Operation(op.ID)
	r, right, err := c.PlainRequest(ctx, documented)
	if err != nil {
		return nil, err
	}
	if with.Right || documented.Anonymous() {
		with = right
	} else if with, err = c.Wrong(ctx, documented, "missing"); err != nil {
		return nil, Stopf("%v", err)
	}
	return c.Ask(ctx, r, with, about)
}

// boundary divides the parts of multipart bodies: always the same, so that a run can be repeated.
const boundary = "hallmark-5f3e9c1b7a"

// accepted lists the media types that an operation documents; anything where it documents none.
func accepted(op *spec.Operation) string {
	var all []string
	for i := range op.Answers {
		for _, t := range op.Answers[i].MediaTypes() {
			t = strings.ToLower(t)
			if t != "*/*" && !strings.Contains(strings.Join(all, ", "), t) {
				all = append(all, t)
			}
		}
	}
	return strings.Join(append(all, "*/*;q=0.1"), ", ")
}
