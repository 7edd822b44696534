package spec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Exchange is one request and its response, as bytes. Secrets are redacted before an exchange is created, so reports, curl commands and
// logs cannot leak them.
type Exchange struct {
	// Seq numbers the exchanges of a run from 1, in the order in which they started.
	Seq int `json:"seq"`
	// Scenario is the id of the scenario that sent it; empty for the preflight.
	Scenario string `json:"scenario,omitempty"`
	// Operation is the operationId of the called operation; empty if the request is for something that the contract does not define.
	Operation string `json:"operation,omitempty"`
	// About describes what is special about the request ("limit is 0", "without a credential").
	About string `json:"about,omitempty"`
	// Expect is what the contract allows as a response to this request.
	Expect Expect `json:"expect,omitzero"`

	Request Request `json:"request"`
	// Response is nil if none was received; Lost is the reason.
	Response *Response `json:"response,omitempty"`
	// Lost is the transport error if no complete response was received.
	Lost string `json:"lost,omitempty"`
	// Malformed names the part of a response that violates HTTP: its "head", its "body" or its "length". It is empty if none does.
	Malformed string `json:"malformed,omitempty"`

	// Started is when the request started, Elapsed the time until the whole body was read.
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"`
	// Delays counts preceding responses of back-pressure (429 or 503 with Retry-After).
	Delays int `json:"delays,omitempty"`
	// Correlation is the id that a header of the request carried, for finding the exchange in the target's logs.
	Correlation string `json:"correlation,omitempty"`
}

// Request is an HTTP request as sent.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   Bytes       `json:"body,omitempty"`
}

// Response is an HTTP response as received.
type Response struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	// HeadersLeftOut counts the received headers that the record does not contain.
	HeadersLeftOut int `json:"headersLeftOut,omitempty"`
	// Body is decompressed. In records it may be truncated to Kept bytes; Size is the original length.
	Body Bytes `json:"body,omitempty"`
	// Size is the length of the body in bytes, even if Body was truncated.
	Size int `json:"size"`
	// TooLong reports whether the body exceeds what the client reads; Body holds what was read.
	TooLong bool `json:"tooLong,omitempty"`
}

// BackPressure reports whether the response asks the client to come back later: 429 or 503 with Retry-After. It does not answer the
// request, so it is not judged.
func (r *Response) BackPressure() bool {
	return (r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable) &&
		r.Header.Get("Retry-After") != ""
}

// FromGateway reports whether a gateway may have sent the response: the status is 502, 503 or 504.
func (r *Response) FromGateway() bool {
	return r.Status == http.StatusBadGateway || r.Status == http.StatusServiceUnavailable || r.Status == http.StatusGatewayTimeout
}

// Cut reports whether the body was truncated.
func (r *Response) Cut() bool {
	return r.TooLong || r.Size > len(r.Body)
}

// Decode decodes the body of a response without judging it.
func Decode(r *Response) exactjson.Value {
	d, err := r.Decode()
	switch {
	case exactjson.ExceedsLimit(err):
		return exactjson.Value{Err: err}
	case err != nil:
		return exactjson.Value{}
	}
	return exactjson.Value{Tree: d.Tree, Valid: true}
}

// Decode decodes the body. Of a truncated one it decodes the beginning, and returns exactjson.ErrCut if that is valid so far.
func (r *Response) Decode() (exactjson.Decoded, error) {
	if r.Cut() {
		return exactjson.DecodeBeginning(r.Body)
	}
	return exactjson.Decode(r.Body)
}

// Expect is what a contract allows as a response to a request.
type Expect struct {
	// Statuses are the allowed HTTP statuses. If empty, the interface leaves the response open.
	Statuses []int `json:"statuses,omitempty"`
	// Rule is the id of the rule that requires them; a response with another status violates it.
	Rule string `json:"rule,omitempty"`
}

// Allows reports whether an HTTP status is allowed.
func (e Expect) Allows(status int) bool {
	return len(e.Statuses) == 0 || slices.Contains(e.Statuses, status)
}

// Bytes is a body. In JSON it is a string if it is UTF-8, otherwise {"base64": "…"}, so that records stay readable.
type Bytes []byte

// MarshalJSON encodes UTF-8 text as a string and anything else as {"base64": "…"}.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(b)})
}

// UnmarshalJSON decodes what MarshalJSON encoded.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*b = Bytes(text)
		return nil
	}
	var coded struct {
		Base64 string `json:"base64"`
	}
	if err := json.Unmarshal(data, &coded); err != nil {
		return fmt.Errorf("a body is neither a string nor {\"base64\": …}: %w", err)
	}
	raw, err := base64.StdEncoding.DecodeString(coded.Base64)
	if err != nil {
		return fmt.Errorf("the base64 of a body cannot be decoded: %w", err)
	}
	*b = raw
	return nil
}
