package traffic

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// Exchange is one request and its response, as somebody else saw it.
type Exchange struct {
	Request  spec.Request
	Response spec.Response
	Started  time.Time
	Elapsed  time.Duration

	// Origin is the origin that the request was sent to ("https://api.example.com"), or empty if that is unknown.
	Origin string
	// Authority is the pseudo-header ":authority" of HTTP/2, if a recording has it.
	Authority string
	// Path is the escaped path of the request.
	Path string

	// BodyUnknown reports whether the response may have had a body that is not here; see also [spec.Response.Cut]. HeadersUnknown reports
	// whether the response may have had more headers.
	BodyUnknown, HeadersUnknown bool
	// RequestBodyUnknown and RequestHeadersUnknown are the same for the request.
	RequestBodyUnknown, RequestHeadersUnknown bool
	// Recorded reports whether another program wrote down what it saw: bodies may be decoded already, or cut without a sign.
	Recorded bool
	// Decoded reports whether the body has no content coding any more, whatever the headers say.
	Decoded bool
	// Skip is why the exchange cannot be judged at all, or empty.
	Skip Reason
}

// Reason is why an exchange, or a part of it, was not judged.
type Reason string

// The reasons.
const (
	// NoResponse: no response came, or it ended early.
	NoResponse Reason = "no complete response"
	// ByGateway: the response may be that of something between client and service.
	ByGateway Reason = "response of a gateway"
	// FromCache: the client took the response from its cache.
	FromCache Reason = "response from a cache"
	// Followed: the recorder followed a redirect, so the request is not that of the response.
	Followed Reason = "redirect followed by the recorder"
	// Switched: the connection was taken over by another protocol.
	Switched Reason = "switched protocols"
	// Unmodified: the response has no content of its own (304), or a part of it (206).
	Unmodified Reason = "not modified or partial content"
	// TooLarge: a body is longer than what is judged.
	TooLarge Reason = "body too large"
	// Truncated: the recording does not hold the whole body.
	Truncated Reason = "body not recorded completely"
	// Undecoded: the content coding of a body cannot be decoded.
	Undecoded Reason = "content coding not decoded"
	// NoExchange: the line of a log is about something else.
	NoExchange Reason = "line without an exchange"
	// Unsampled: only a part of the traffic is judged.
	Unsampled Reason = "not in the sample"
	// Behind: the judge could not keep up with the traffic.
	Behind Reason = "dropped because judging fell behind"
	// Crowded: there was no room for a copy, because of others that were under way.
	Crowded Reason = "dropped because too much was under way"
	// ServerErrors: server errors are not judged where tests provoke them.
	ServerErrors Reason = "server error"
)

// SetURL sets the address of the request. An address without a host belongs to the service that the traffic is of.
func (x *Exchange) SetURL(address string) {
	x.Request.URL = address
	u, err := url.Parse(address)
	if err != nil {
		x.Path = ""
		return
	}
	u.Fragment, u.RawFragment = "", ""
	if x.Path = u.EscapedPath(); x.Path == "" {
		x.Path = "/"
	}
	if u.Host != "" {
		x.Origin = strings.ToLower(u.Scheme + "://" + u.Host)
	}
}

// authority is the name of the pseudo-header that stands for Host in HTTP/2.
const authority = ":authority"

// header adds a header under its canonical name, unless it is a pseudo-header of HTTP/2.
func header(name, value string, to http.Header) {
	if name == "" || strings.HasPrefix(name, ":") {
		return
	}
	for line := range strings.SplitSeq(value, "\n") { // browsers join several lines of a name
		to.Add(name, line)
	}
}
