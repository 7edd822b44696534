package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/wire"
)

// shortBody is the error for a connection that was closed properly before the body was complete.
type shortBody struct {
	declared int64
	got      int
}

func (s shortBody) Error() string {
	return fmt.Sprintf("the Content-Length is %d, and the body ended after %d bytes", s.declared, s.got)
}

// net/http reports malformed responses only as error strings, which contain these parts.
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

// malformed returns the malformed part of a response: "head", "body", or "length", which may also be due to a lost
// connection. It returns "" for a lost connection. ended reports whether the connection had ended by then:
// net/http treats the part of a line before that as a whole line, and calls it malformed.
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
	case has([]string{"gzip: invalid", "flate: corrupt"}): // a compressed body has a header of its own
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

// The parts of a response that can be malformed.
const (
	// MalformedHead means that the status line or the headers cannot be parsed.
	MalformedHead = "head"
	// MalformedBody means that the body cannot be decoded.
	MalformedBody = "body"
	// MalformedLength means that the body ended before its Content-Length.
	MalformedLength = "length"
)
