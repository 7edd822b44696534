package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec/wire"
)

// shortBody says that a connection was closed, in good order, before the body was whole.
type shortBody struct {
	declared int64
	got      int
}

func (s shortBody) Error() string {
	return fmt.Sprintf("the Content-Length is %d, and the body ended after %d bytes", s.declared, s.got)
}

// net/http reports malformed responses only as error strings, and these are parts of them.
func headErrors() []string {
	return []string{
		"server response headers exceeded", "too many 1xx informational responses", "malformed MIME header", "malformed HTTP status code",
		"malformed HTTP version", "bad Content-Length", "unsupported transfer encoding", "too many transfer encodings", "invalid header",
		"too many Host headers", "message cannot contain multiple Content-Length headers",
	}
}

func bodyErrors() []string {
	return []string{
		"malformed chunked encoding", "invalid byte in chunk length", "http chunk length too large", "chunked encoding contains too much",
		"invalid trailer", "long trailer after chunked body", "malformed MIME header line", "header line too long", "chunked line ends with bare LF",
	}
}

// malformed returns what is wrong with a response that came and is none: "head", "body", or "length" for one that may also
// have been cut off on the way. Empty is a lost connection. ended reports whether reading from the connection had come to its
// end by then: net/http takes the part of a line that came before that for a whole one, and calls it malformed.
func malformed(err error, ended bool) string {
	if errors.As(err, new(shortBody)) {
		return MalformedLength
	}
	if errors.As(err, new(*wire.CodingError)) {
		return MalformedBody
	}
	text := err.Error()
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(trouble string) bool { return strings.Contains(text, trouble) })
	}
	switch {
	case has([]string{"gzip: invalid", "flate: corrupt"}): // a packed body has a header of its own
		return MalformedBody
	case ended:
		return ""
	case has(headErrors()):
		return MalformedHead
	case has(bodyErrors()):
		return MalformedBody
	}
	return ""
}

// The parts of a response that HTTP could not make sense of.
const (
	// MalformedHead is a response whose status line or headers cannot be read.
	MalformedHead = "head"
	// MalformedBody is one whose body cannot be read.
	MalformedBody = "body"
	// MalformedLength is one whose body ended before its Content-Length.
	MalformedLength = "length"
)
