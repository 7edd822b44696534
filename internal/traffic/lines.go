package traffic

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// line is a line of JSON: an exchange, a line of a journal, or an entry of an access log under the usual names of nginx or Envoy.
type line struct {
	// An exchange has both as objects; for nginx, request may be "GET /pets HTTP/1.1".
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`

	// A journal begins with its schema and head. Its other lines have exchanges.
	Schema    string          `json:"schema"`
	Head      json.RawMessage `json:"head"`
	Exchanges []spec.Exchange `json:"exchanges"`

	Method        loose `json:"method"`
	RequestMethod loose `json:"request_method"`
	Path          loose `json:"path"`
	RequestURI    loose `json:"request_uri"`
	URI           loose `json:"uri"`
	Args          loose `json:"args"`
	Scheme        loose `json:"scheme"`
	Host          loose `json:"host"`
	HTTPHost      loose `json:"http_host"`
	Authority     loose `json:"authority"`

	Status       loose `json:"status"`
	ResponseCode loose `json:"response_code"`
	// What answered in place of the service: nginx has no upstream status then, Envoy gives flags or details.
	UpstreamStatus *loose `json:"upstream_status"`
	Flags          loose  `json:"response_flags"`
	Details        loose  `json:"response_code_details"`

	RequestType  loose `json:"request_content_type"`
	ContentType  loose `json:"content_type"`
	ResponseType loose `json:"response_content_type"`
	SentType     loose `json:"sent_http_content_type"`
	RequestBody  loose `json:"request_body"`
	ResponseBody loose `json:"response_body"`
	BytesSent    loose `json:"body_bytes_sent"`

	Time  loose `json:"time"`
	ISO   loose `json:"time_iso8601"`
	Start loose `json:"start_time"`
	// Started is the time of an exchange.
	Started loose `json:"started"`
}

var errNoExchange = errors.New("it is no exchange: it has neither request and response, nor method, path and status")

// lines reads JSON lines. The last one may be cut: its writer may still be at work.
func (r *reader) lines() error {
	journal := false
	for ; ; r.read++ {
		var l line
		err := r.decode(&l)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && r.read > 0:
			return nil
		case err != nil:
			return err
		}
		if r.read == 0 && strings.HasPrefix(l.Schema, record.JournalName) {
			journal = true
			var head struct {
				Target record.Target `json:"target"`
			}
			if json.Unmarshal(l.Head, &head) == nil && head.Target.BaseURL != "" {
				r.Base(head.Target.BaseURL)
			}
			continue
		}
		if journal {
			for i := range l.Exchanges {
				r.own(&l.Exchanges[i])
			}
			continue
		}
		x := l.exchange()
		switch {
		case x != nil:
			r.Exchange(x)
		case r.read == 0:
			return errNoExchange
		default:
			r.Other(NoExchange)
		}
	}
}

// exchange returns the exchange of a line; nil for none.
func (l *line) exchange() *Exchange {
	var ex spec.Exchange
	if isObject(l.Request) && isObject(l.Response) {
		if json.Unmarshal(l.Request, &ex.Request) != nil || json.Unmarshal(l.Response, &ex.Response) != nil || ex.Request.Method == "" {
			return nil
		}
		x := exchangeOf(&ex)
		x.Recorded, x.HeadersUnknown = true, x.HeadersUnknown || len(x.Response.Header) == 0
		x.RequestBodyUnknown = len(x.Request.Body) == 0
		x.Request.Method = strings.ToUpper(x.Request.Method)
		if at, err := time.Parse(time.RFC3339Nano, string(l.Started)); err == nil {
			x.Started = at
		}
		return x
	}
	return l.entry()
}

func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }

// first returns the first text that is given. Logs write a hyphen for nothing.
func first(all ...loose) string {
	for _, one := range all {
		if one != "" && one != "-" {
			return string(one)
		}
	}
	return ""
}

// entry returns the exchange of an entry of an access log; nil for none.
func (l *line) entry() *Exchange {
	method, path := first(l.Method, l.RequestMethod), first(l.Path, l.RequestURI, l.URI)
	if first(l.Path, l.RequestURI) == "" && l.Args != "" && l.Args != "-" {
		path += "?" + string(l.Args)
	}
	var request string
	if json.Unmarshal(l.Request, &request) == nil {
		if words := strings.Fields(request); len(words) >= 2 && (method == "" || path == "") {
			method, path = words[0], words[1]
		}
	}
	status := loose(first(l.Status, l.ResponseCode)).number()
	if method == "" || path == "" || status == 0 {
		return nil
	}
	x := &Exchange{
		Request:  spec.Request{Method: strings.ToUpper(method), Header: http.Header{}, Body: spec.Bytes(first(l.RequestBody))},
		Response: spec.Response{Status: status, Header: http.Header{}, Body: spec.Bytes(first(l.ResponseBody)), Size: l.BytesSent.number()},
		Recorded: true, Decoded: true, HeadersUnknown: true, RequestHeadersUnknown: true,
	}
	if host := first(l.Host, l.HTTPHost, l.Authority); host != "" && strings.HasPrefix(path, "/") {
		scheme := first(l.Scheme)
		if scheme != "https" {
			scheme = "http"
		}
		path = scheme + "://" + host + path
	}
	x.SetURL(path)
	x.RequestBodyUnknown, x.BodyUnknown = garbled(x.Request.Body), len(x.Response.Body) == 0 || garbled(x.Response.Body)
	if sent := first(l.RequestType, l.ContentType); sent != "" {
		x.Request.Header.Set("Content-Type", sent)
	}
	if got := first(l.ResponseType, l.SentType); got != "" {
		x.Response.Header.Set("Content-Type", got)
	}
	if l.UpstreamStatus != nil && first(*l.UpstreamStatus) == "" || first(l.Flags) != "" || l.Details != "" && l.Details != "-" && l.Details != "via_upstream" {
		x.Skip = ByGateway
	}
	for _, layout := range []string{time.RFC3339Nano, "02/Jan/2006:15:04:05 -0700"} {
		if at, err := time.Parse(layout, first(l.ISO, l.Start, l.Time)); err == nil {
			x.Started = at
			break
		}
	}
	return x
}

// garbled reports whether a logged body may not be what was sent: it is empty, or has replacement characters.
func garbled(body spec.Bytes) bool { return len(body) == 0 || strings.Contains(string(body), "\ufffd") }
