package spec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"hallmark/spec/exactjson"
)

// Exchange is one request and its response, as bytes. Secrets are masked before an exchange is made, so that whatever
// is done with one later (reports, curl lines, logs) cannot leak them.
type Exchange struct {
	// Seq numbers the exchanges of a run, from 1, in the order in which they were begun.
	Seq int `json:"seq"`
	// Scenario is the id of the scenario that made it; empty for the preflight.
	Scenario string `json:"scenario,omitempty"`
	// Operation is the operationId that was called; empty when the request aims at nothing that the contract defines.
	Operation string `json:"operation,omitempty"`
	// About says in words what is special about the request ("limit is 0", "without a credential").
	About string `json:"about,omitempty"`
	// Expect is what the contract allows as a response to this very request.
	Expect Expect `json:"expect,omitzero"`

	Request Request `json:"request"`
	// Response is nil when no response came; Lost then says why.
	Response *Response `json:"response,omitempty"`
	// Lost is the transport's error when no whole response came.
	Lost string `json:"lost,omitempty"`
	// Malformed reports whether something came and HTTP could not make sense of it: its "head", its "body", or its "length".
	Malformed string `json:"malformed,omitempty"`

	// Started is when the request was begun, Elapsed how long it took until the whole body was there.
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"`
	// Delays counts answers of back-pressure (429 or 503, with Retry-After) that came before this one.
	Delays int `json:"delays,omitempty"`
	// Correlation is an id of this exchange that a header of the request carried, by which it is found in the target's logs.
	Correlation string `json:"correlation,omitempty"`
}

// Request is what was sent.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   Bytes       `json:"body,omitempty"`
}

// Response is what came back.
type Response struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	// HeadersLeftOut counts the headers that came and that a record does not hold.
	HeadersLeftOut int `json:"headersLeftOut,omitempty"`
	// Body is decompressed. In records it may be cut to Kept bytes, Size then says how long it was.
	Body Bytes `json:"body,omitempty"`
	// Size is the body's length in bytes, also when Body was cut.
	Size int `json:"size"`
	// TooLong reports whether the service sent more than the client reads; Body holds the part that was read.
	TooLong bool `json:"tooLong,omitempty"`
}

// BackPressure reports whether the response asks to come again later: 429 or 503, with Retry-After. It is no response to the
// request, so nothing is judged by it.
func (r *Response) BackPressure() bool {
	return (r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable) &&
		r.Header.Get("Retry-After") != ""
}

// FromGateway reports whether the status is one that a gateway in front of the service answers by itself: 502, 503 or 504.
func (r *Response) FromGateway() bool {
	return r.Status == http.StatusBadGateway || r.Status == http.StatusServiceUnavailable || r.Status == http.StatusGatewayTimeout
}

// Cut reports whether only the beginning of the body is known.
func (r *Response) Cut() bool {
	return r.TooLong || r.Size > len(r.Body)
}

// Decode reads the body of a response without judging it.
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

// Decode takes the body apart. Of one that was cut off it reads the beginning, and fails with exactjson.ErrCut if that is sound so far.
func (r *Response) Decode() (exactjson.Decoded, error) {
	if r.Cut() {
		return exactjson.DecodeBeginning(r.Body)
	}
	return exactjson.Decode(r.Body)
}

// Expect says which answers to a request keep the contract.
type Expect struct {
	// Statuses are the HTTP statuses that keep it. Empty means that the interface leaves the response open.
	Statuses []int `json:"statuses,omitempty"`
	// Rule is the id of the rule that asks for them; a response outside Statuses breaks it.
	Rule string `json:"rule,omitempty"`
}

// Allows reports whether a response of that HTTP status keeps the contract.
func (e Expect) Allows(status int) bool {
	return len(e.Statuses) == 0 || slices.Contains(e.Statuses, status)
}

// Bytes is a body. In JSON it is a string when it is UTF-8 text, else {"base64": "…"}, so that records stay readable.
type Bytes []byte

// MarshalJSON writes text as a string and anything else as {"base64": "…"}.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(b)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
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
		return fmt.Errorf("a body's base64 cannot be read: %w", err)
	}
	*b = raw
	return nil
}
