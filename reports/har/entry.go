package har

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// The members of an entry. Members that the format requires are always present; -1 means an unknown number.
type (
	entry struct {
		Started  time.Time     `json:"startedDateTime"`
		Time     float64       `json:"time"`
		Request  request       `json:"request"`
		Response response      `json:"response"`
		Cache    struct{}      `json:"cache"`
		Timings  timings       `json:"timings"`
		Comment  string        `json:"comment,omitempty"`
		Hallmark aboutExchange `json:"_hallmark"`
	}
	request struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []pair    `json:"cookies"`
		Headers     []pair    `json:"headers"`
		QueryString []pair    `json:"queryString"`
		PostData    *postData `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
		Comment     string    `json:"comment,omitempty"`
	}
	response struct {
		Status      int      `json:"status"`
		StatusText  string   `json:"statusText"`
		HTTPVersion string   `json:"httpVersion"`
		Cookies     []cookie `json:"cookies"`
		Headers     []pair   `json:"headers"`
		Content     content  `json:"content"`
		RedirectURL string   `json:"redirectURL"`
		HeadersSize int      `json:"headersSize"`
		BodySize    int      `json:"bodySize"`
		Comment     string   `json:"comment,omitempty"`
		// Error is why there is no response, as browsers write it.
		Error string `json:"_error,omitempty"`
	}
	pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	cookie struct {
		Name     string     `json:"name"`
		Value    string     `json:"value"`
		Path     string     `json:"path,omitempty"`
		Domain   string     `json:"domain,omitempty"`
		Expires  *time.Time `json:"expires,omitempty"`
		HTTPOnly bool       `json:"httpOnly"`
		Secure   bool       `json:"secure"`
	}
	postData struct {
		MimeType string `json:"mimeType"`
		Text     string `json:"text"`
		// Encoding is "base64" for bytes that are not text. The format has it for responses only.
		Encoding string `json:"_encoding,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	content struct {
		Size     int    `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	timings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
		Comment string  `json:"comment,omitempty"`
	}
)

// entryOf returns an exchange as an entry.
func entryOf(ex *spec.Exchange, rec *record.Record, found []*finding) entry {
	took := milliseconds(ex.Elapsed)
	e := entry{
		Started: ex.Started.UTC(), Time: took,
		Request:  requestOf(ex, rec),
		Response: responseOf(ex, rec),
		// Only the total is known, from the start of the request to the end of the response.
		Timings:  timings{Wait: took},
		Hallmark: aboutOf(ex, found),
	}
	if len(found) > 0 {
		e.Comment = found[0].Rule + ": expected " + found[0].Expected + ", actual " + found[0].Actual
		if more := len(found) - 1; more > 0 {
			e.Comment += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return e
}

func requestOf(ex *spec.Exchange, rec *record.Record) request {
	req := &ex.Request
	r := request{
		Method: req.Method, URL: req.URL, HTTPVersion: protocol(req.URL, rec),
		Cookies: []pair{}, Headers: pairs(req.Header), QueryString: query(req.URL),
		HeadersSize: -1, BodySize: len(req.Body), Comment: ex.About,
	}
	for _, line := range req.Header.Values("Cookie") {
		if all, err := http.ParseCookie(line); err == nil {
			for _, c := range all {
				r.Cookies = append(r.Cookies, pair{c.Name, c.Value})
			}
		}
	}
	if req.Body != nil {
		r.PostData = &postData{MimeType: req.Header.Get("Content-Type")}
		r.PostData.Text, r.PostData.Encoding = text(req.Body)
		if r.PostData.Encoding != "" {
			r.PostData.Comment = "the body is not UTF-8; here it is in base64"
		}
	}
	return r
}

func responseOf(ex *spec.Exchange, rec *record.Record) response {
	got := ex.Response
	if got == nil {
		return response{
			Cookies: []cookie{}, Headers: []pair{}, HeadersSize: -1, BodySize: -1,
			Error: orElse(ex.Lost, "the connection was lost"), Comment: "no response came",
		}
	}
	r := response{
		Status: got.Status, StatusText: http.StatusText(got.Status), HTTPVersion: protocol(ex.Request.URL, rec),
		Cookies: cookies(got.Header), Headers: pairs(got.Header), RedirectURL: got.Header.Get("Location"),
		HeadersSize: -1, BodySize: -1, Error: ex.Lost,
		Content: content{Size: max(got.Size, len(got.Body)), MimeType: strings.Join(got.Header.Values("Content-Type"), ", ")},
	}
	if got.Header.Get("Content-Encoding") == "" && !got.TooLong {
		r.BodySize = r.Content.Size
	}
	r.Content.Text, r.Content.Encoding = text(got.Body)
	switch {
	case got.TooLong:
		r.Content.Comment = fmt.Sprintf("the response is longer than what is read of one; the first %d bytes are here", len(got.Body))
	case len(got.Body) < got.Size:
		r.Content.Comment = fmt.Sprintf("the first %d of %d bytes are here; what no finding cites is kept short", len(got.Body), got.Size)
	}
	if n := got.HeadersLeftOut; n > 0 {
		r.Comment = fmt.Sprintf("%d more headers came", n)
	}
	return r
}

// text returns a body as text, or in base64 if it is not text.
func text(body []byte) (text, encoding string) {
	if utf8.Valid(body) {
		return string(body), ""
	}
	return base64.StdEncoding.EncodeToString(body), "base64"
}

// protocol returns the version of HTTP. With TLS it is negotiated, and a record does not contain the result.
func protocol(address string, rec *record.Record) string {
	switch {
	case rec.Target.H2C:
		return "HTTP/2"
	case strings.HasPrefix(address, "https:"):
		return "unknown"
	}
	return "HTTP/1.1"
}

// pairs returns headers sorted by name; their order on the wire is unknown.
func pairs(h http.Header) []pair {
	all := []pair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			all = append(all, pair{name, value})
		}
	}
	return all
}

// query parses the query of a URL, in order. What cannot be unescaped is kept unchanged.
func query(address string) []pair {
	all := []pair{}
	address, _, _ = strings.Cut(address, "#")
	_, text, found := strings.Cut(address, "?")
	if !found || text == "" {
		return all
	}
	for part := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(part, "=")
		all = append(all, pair{unescaped(name), unescaped(value)})
	}
	return all
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// cookies returns the cookies that a response sets.
func cookies(h http.Header) []cookie {
	all := []cookie{}
	for _, line := range h.Values("Set-Cookie") {
		c, err := http.ParseSetCookie(line)
		if err != nil {
			continue
		}
		one := cookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
		if !c.Expires.IsZero() {
			one.Expires = &c.Expires
		}
		all = append(all, one)
	}
	return all
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
