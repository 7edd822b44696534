package traffic

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// harEntry is an entry of an HTTP Archive, as programs write it: many leave out what the format requires.
type harEntry struct {
	Started string `json:"startedDateTime"`
	Time    loose  `json:"time"`
	Request struct {
		Method   string    `json:"method"`
		URL      string    `json:"url"`
		Headers  []harPair `json:"headers"`
		BodySize loose     `json:"bodySize"`
		PostData *struct {
			MimeType string `json:"mimeType"`
			Text     string `json:"text"`
			Encoding string `json:"_encoding"`
		} `json:"postData"`
	} `json:"request"`
	Response struct {
		Status      loose     `json:"status"`
		Headers     []harPair `json:"headers"`
		RedirectURL string    `json:"redirectURL"`
		BodySize    loose     `json:"bodySize"`
		Content     struct {
			Size     loose   `json:"size"`
			MimeType string  `json:"mimeType"`
			Text     *string `json:"text"`
			Encoding string  `json:"encoding"`
		} `json:"content"`
		// Browsers add why there is no response, and that it came from somewhere else than the service.
		Error  loose `json:"_error"`
		Worker bool  `json:"_fetchedViaServiceWorker"`
	} `json:"response"`
	FromCache loose `json:"_fromCache"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// archive reads an HTTP Archive.
func (r *reader) archive() error {
	return r.object(func(name string) error {
		if name != "log" {
			return r.pass()
		}
		return r.object(func(name string) error {
			switch name {
			case "_hallmark":
				var about struct {
					Target string `json:"target"`
				}
				if err := r.decode(&about); err != nil {
					return err
				}
				if about.Target != "" {
					r.Base(about.Target)
				}
				return nil
			case "entries":
				return r.list(func() error {
					var e harEntry
					if err := r.decode(&e); err != nil {
						return err
					}
					r.Exchange(e.exchange())
					return nil
				})
			}
			return r.pass()
		})
	})
}

// exchange returns the exchange of an entry.
func (e *harEntry) exchange() *Exchange {
	x := &Exchange{
		Request:  spec.Request{Method: strings.ToUpper(e.Request.Method), Header: headers(e.Request.Headers)},
		Response: spec.Response{Status: e.Response.Status.number(), Header: headers(e.Response.Headers)},
		Recorded: true, HeadersUnknown: len(e.Response.Headers) == 0, RequestHeadersUnknown: true, // browsers leave out credentials
	}
	x.SetURL(e.Request.URL)
	for _, pair := range e.Request.Headers {
		if pair.Name == authority {
			x.Authority = pair.Value
		}
	}
	x.Started, _ = time.Parse(time.RFC3339Nano, e.Started) // its zero value is shown as unknown
	if ms, err := strconv.ParseFloat(string(e.Time), 64); err == nil && ms > 0 && ms < 1e9 {
		x.Elapsed = time.Duration(ms * float64(time.Millisecond))
	}
	e.request(x)
	e.response(x)
	switch {
	case e.Response.Error != "":
		x.Skip = NoResponse
	case e.FromCache != "" || e.Response.Worker:
		x.Skip = FromCache
	case e.Response.RedirectURL != "" && x.Response.Status/100 == 2 && x.Response.Header.Get("Location") == "":
		x.Skip = Followed
	}
	return x
}

// request takes over the body of the request.
func (e *harEntry) request(x *Exchange) {
	data := e.Request.PostData
	if data == nil {
		x.RequestBodyUnknown = true
		return
	}
	body, known := content(data.Text, data.Encoding, e.Request.BodySize.number())
	x.Request.Body, x.RequestBodyUnknown = body, !known || len(body) == 0 || e.Request.BodySize.number() > len(body)
	if x.Request.Header.Get("Content-Type") == "" && data.MimeType != "" {
		x.Request.Header.Set("Content-Type", data.MimeType)
	}
}

// response takes over the body of the response.
func (e *harEntry) response(x *Exchange) {
	c := &e.Response.Content
	x.Response.Size = c.Size.number()
	if coded := x.Response.Header.Get("Content-Encoding"); coded == "" {
		x.Response.Size = max(x.Response.Size, e.Response.BodySize.number())
	}
	if c.Text == nil {
		x.BodyUnknown = true
	} else {
		body, known := content(*c.Text, c.Encoding, c.Size.number())
		x.Response.Body, x.BodyUnknown = body, !known
	}
	if x.Response.Header.Get("Content-Type") == "" && strings.Contains(c.MimeType, "/") {
		x.Response.Header.Set("Content-Type", c.MimeType)
	}
}

// content returns a body from its text, and whether it is known. Recorders put replacement characters in place of bytes that are no text,
// which makes the text longer than the body of that size.
func content(text, encoding string, size int) (spec.Bytes, bool) {
	switch encoding {
	case "":
		return spec.Bytes(text), size == len(text) || !strings.Contains(text, "\ufffd")
	case "base64":
		body, err := base64.StdEncoding.DecodeString(text)
		return body, err == nil
	}
	return nil, false
}

// headers returns the headers of an archive, whatever their case.
func headers(pairs []harPair) http.Header {
	all := http.Header{}
	for _, p := range pairs {
		header(p.Name, p.Value, all)
	}
	return all
}

// canonical returns headers under their canonical names.
func canonical(h http.Header) http.Header {
	all := http.Header{}
	for name, values := range h {
		for _, value := range values {
			header(name, value, all)
		}
	}
	return all
}

// loose is a text, or a number, a boolean or any other value as it is written: programs differ in what they write.
type loose string

// UnmarshalJSON accepts any value.
func (l *loose) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case string(data) == "null" || string(data) == "false":
		*l = ""
	case json.Unmarshal(data, &text) == nil:
		*l = loose(text)
	default:
		*l = loose(data)
	}
	return nil
}

// number returns a whole number, or 0.
func (l loose) number() int {
	n, err := strconv.ParseFloat(string(l), 64)
	if err != nil || !(n >= 0 && n <= 1e15) { // which NaN is not, either
		return 0
	}
	return int(n)
}
