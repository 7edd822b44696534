package steps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
)

// shortBody says that a connection was closed, in good order, before the body was whole.
type shortBody struct {
	declared int64
	got      int
}

func (s shortBody) Error() string {
	return fmt.Sprintf("the Content-Length is %d, and the body ended after %d bytes", s.declared, s.got)
}

// The ways in which a transport says that a response came, but is none by HTTP. They come as texts only.
func headTroubles() []string {
	return []string{
		"server response headers exceeded", "too many 1xx informational responses", "malformed MIME header", "malformed HTTP status code",
		"malformed HTTP version", "bad Content-Length", "unsupported transfer encoding", "too many transfer encodings", "invalid header",
		"too many Host headers", "message cannot contain multiple Content-Length headers",
	}
}

func bodyTroubles() []string {
	return []string{
		"malformed chunked encoding", "invalid byte in chunk length", "http chunk length too large", "chunked encoding contains too much",
		"invalid trailer", "long trailer after chunked body", "malformed MIME header line", "header line too long", "chunked line ends with bare LF",
	}
}

// malformed tells what is wrong with a response that came and is none: "head", "body", or "length" for one that may also
// have been cut off on the way. Empty is a lost connection.
func malformed(err error) string {
	if errors.As(err, new(shortBody)) {
		return malformedLength
	}
	text := err.Error()
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(trouble string) bool { return strings.Contains(text, trouble) })
	}
	switch {
	case has([]string{"gzip: invalid", "flate: corrupt"}): // a packed body has a header of its own
		return malformedBody
	case has(headTroubles()):
		return malformedHead
	case has(bodyTroubles()):
		return malformedBody
	}
	return ""
}

// The parts of a response that HTTP could not make sense of.
const (
	malformedHead, malformedBody, malformedLength = "head", "body", "length"
)

// isWrong reports whether what was lost was a response all the same: one that no client can read. A body that ends too early
// counts only when it does so again in the very same way, since a connection that breaks looks like it once.
func isWrong(ex *spec.Exchange, again string) bool {
	switch ex.Malformed {
	case malformedHead, malformedBody:
		return true
	case malformedLength:
		return again == ex.Lost
	}
	return false
}

// unreadable is the finding of a response that no client can read.
func unreadable(ex *spec.Exchange) spec.Finding {
	rule, expected := "answer.status", "a response that HTTP clients can read"
	if ex.Malformed != malformedHead {
		rule, expected = "answer.body", "a whole body"
	}
	return spec.Finding{
		Rule: rule, Expected: expected, Actual: ex.Lost, Where: place(ex), Exchanges: []int{ex.Seq}, Cause: rule + " unreadable " + ex.Malformed,
	}
}

// keptHeaders is how much of a response's headers a record keeps, in bytes; keptValues is how many of one name.
const keptHeaders, keptValues = 8 << 10, 20

// trimmed is a response as the record needs it, once it is judged: long bodies are cut, and what there is too much of in
// the headers is left out.
func trimmed(r spec.Response) spec.Response {
	size := 0
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(v)
		}
	}
	if size <= keptHeaders {
		return r
	}
	kept := r.Header.Clone()
	names := make([]string, 0, len(kept))
	for name := range kept {
		names = append(names, name)
	}
	slices.Sort(names)
	size = 0
	for _, name := range names {
		kept[name] = slices.Clone(kept[name][:min(len(kept[name]), keptValues)]) // the others let go of their memory
		for i, v := range kept[name] {
			if len(v) > keptHeaders/8 {
				kept[name][i] = v[:keptHeaders/8] + "…"
			}
			size += len(name) + len(kept[name][i])
		}
		if size > keptHeaders && !slices.Contains([]string{"Content-Type", "Location", "Retry-After", "Www-Authenticate"}, name) {
			delete(kept, name)
		}
	}
	r.HeadersLeftOut += len(r.Header) - len(kept)
	r.Header = kept
	return r
}
