package mutate

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Exchange is a request and its response, between the client and the service.
type Exchange struct {
	// Request may be changed before it is handled, by the methods below.
	Request *http.Request
	// Path is the path of the request, relative to the base path; Body is its body. Operation is the handler's name for the operation.
	Path, Operation string
	Body            []byte
	// Nth counts the requests, from 1; Key is the key that is accepted.
	Nth int64
	Key string

	// Status, Header and Answer, its body, are the response.
	Status int
	Header http.Header
	Answer []byte
	// Applied reports whether a mutation made a visible difference. Equivalent reports whether the difference breaks no rule, in which case
	// the response is left unchanged.
	Applied, Equivalent bool

	handler *Handler
}

// Response is a response.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Response returns a copy of the current response.
func (x *Exchange) Response() Response {
	return Response{Status: x.Status, Header: x.Header.Clone(), Body: bytes.Clone(x.Answer)}
}

// reply replaces the response.
func (x *Exchange) reply(a Response) {
	x.Status, x.Header, x.Answer = a.Status, a.Header.Clone(), bytes.Clone(a.Body)
	if x.Header == nil {
		x.Header = http.Header{}
	}
}

// equalTo reports whether two responses are the same to a client.
func (a Response) equalTo(b Response) bool {
	return a.Status == b.Status && bytes.Equal(a.Body, b.Body) && maps.EqualFunc(a.Header, b.Header, slices.Equal)
}

// change makes f change the response. A change that, according to the handler, breaks nothing is undone.
func (x *Exchange) change(f func(x *Exchange)) {
	was := x.Response()
	f(x)
	if x.Response().equalTo(was) {
		return
	}
	if breaks := x.handler.Breaks; breaks != nil && !breaks(x, was) {
		x.reply(was)
		x.Equivalent = true
		return
	}
	x.Applied = true
}

// send has the service answer a request in place of the client's, and returns the response. The client's exchange
// is not changed.
func (x *Exchange) send(r *http.Request, body []byte) Response { return x.handler.ask(r, body) }

func (x *Exchange) write(w http.ResponseWriter) {
	header := w.Header()
	maps.Copy(header, x.Header)
	if _, there := header["Content-Type"]; !there {
		header["Content-Type"] = nil // otherwise net/http would guess one
	}
	bodyless := x.Status == http.StatusNoContent || x.Status == http.StatusNotModified || x.Request.Method == http.MethodHead
	if !bodyless && header.Get("Transfer-Encoding") == "" {
		header.Set("Content-Length", strconv.Itoa(len(x.Answer)))
	}
	if x.Status < 100 || x.Status > 999 {
		panic(LostError{fmt.Errorf("its response has the status %d, which no proxy can hand on", x.Status)}) //nolint:forbidigo // see LostError
	}
	w.WriteHeader(x.Status)
	if !bodyless {
		_, _ = w.Write(x.Answer) // a client that is gone receives neither the response nor an error
	}
}

// MoveTo changes the path of the request.
func (x *Exchange) MoveTo(path string) {
	u := *x.Request.URL
	u.Path = strings.TrimSuffix(u.Path, x.Path) + path
	u.RawPath = ""
	x.Request.URL, x.Path = &u, path
}

// Query returns the request's query.
func (x *Exchange) Query() url.Values { return x.Request.URL.Query() }

// SetQuery replaces the request's query.
func (x *Exchange) SetQuery(q url.Values) {
	u := *x.Request.URL
	u.RawQuery = q.Encode()
	x.Request.URL = &u
}

// Credential splits the Authorization header.
func (x *Exchange) Credential() (scheme, token string, present bool) {
	values := x.Request.Header.Values("Authorization")
	if len(values) == 0 {
		return "", "", false
	}
	scheme, token, _ = strings.Cut(values[0], " ")
	return scheme, token, true
}

// Authorised reports whether the request carries the right key, as one bearer token (RFC 6750, section 2.1).
func (x *Exchange) Authorised() bool {
	scheme, token, _ := x.Credential()
	token = strings.TrimLeft(token, " ")
	return len(x.Request.Header.Values("Authorization")) == 1 && strings.EqualFold(scheme, "Bearer") && token != "" && token == x.Key
}

// LetIn gives the request the right key.
func (x *Exchange) LetIn() { x.Authorise("Bearer " + x.Key) }

// ShutOut removes the key from the request.
func (x *Exchange) ShutOut() { x.Authorise("Bearer ") }

// Authorise sets the Authorization header of the request.
func (x *Exchange) Authorise(value string) {
	header := x.Request.Header.Clone()
	header.Set("Authorization", value)
	x.Request = x.Request.WithContext(x.Request.Context())
	x.Request.Header = header
}

// Respond answers with a JSON body.
func (x *Exchange) Respond(status int, body any) {
	x.Status, x.Header = status, http.Header{"Content-Type": {"application/json"}}
	x.SetJSON(body)
}

// refuse answers with the body that the interface has for refusals.
func (x *Exchange) refuse(status int) {
	var body any = map[string]any{}
	if f := x.handler.Refusal; f != nil {
		body = f(status)
	}
	x.Respond(status, body)
}

// restatus changes the status of the response, and the status in its body.
func (x *Exchange) restatus(status int) {
	x.Status = status
	if f := x.handler.Restate; f != nil {
		f(x)
	}
}
