package view

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// RequestLine returns the method and the URL of a request.
func RequestLine(ex *spec.Exchange) string {
	return text.Visible(ex.Request.Method) + " " + text.Short(ex.Request.URL)
}

// AskedLine returns the method and the URL of a request, and the case for which it was sent. The case is named as such: its title may say what
// should be, such as "what is deleted is gone", and would else read as a fact.
func AskedLine(ex *spec.Exchange) string {
	line := RequestLine(ex)
	if ex.About != "" {
		line += " (case: " + text.Short(ex.About) + ")"
	}
	return line
}

// AnswerLine describes a response without its body: "200, application/json, 2,911 bytes, 3 ms". There must be a response.
func AnswerLine(ex *spec.Exchange) string {
	r := ex.Response
	line := strconv.Itoa(r.Status) + ", "
	if media := strings.Join(r.Header.Values("Content-Type"), " and "); media != "" {
		line += text.Elide(text.Visible(media), 80)
	} else {
		line += "no Content-Type"
	}
	size := max(r.Size, len(r.Body))
	line += ", " + text.Count(size, "byte")
	switch {
	case r.TooLong:
		line += " and more"
	case len(r.Body) < size:
		line += " (" + text.Number(len(r.Body)) + " kept)"
	}
	return line + ", " + text.Duration(ex.Elapsed)
}

// ExchangeLine returns an exchange on one line: "POST https://… → 201".
func ExchangeLine(ex *spec.Exchange) string {
	const shown = 160 // of a body: enough to send a simple one again
	line := RequestLine(ex)
	if len(ex.Request.Body) > 0 {
		line += " " + text.Elide(text.Visible(string(ex.Request.Body)), shown)
	}
	line += " → "
	if ex.Response == nil {
		return line + "no response"
	}
	return line + strconv.Itoa(ex.Response.Status)
}
