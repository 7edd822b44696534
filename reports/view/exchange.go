package view

import (
	"strconv"
	"strings"

	"hallmark/reports/prose"
	"hallmark/spec"
)

// RequestLine is the request's line: method and address.
func RequestLine(ex *spec.Exchange) string {
	return prose.Visible(ex.Request.Method) + " " + prose.Short(ex.Request.URL)
}

// AnswerLine says what came back, without the body: "200, application/json, 2,911 bytes, 3 ms". There must be a response.
func AnswerLine(ex *spec.Exchange) string {
	r := ex.Response
	text := strconv.Itoa(r.Status) + ", "
	if media := strings.Join(r.Header.Values("Content-Type"), " and "); media != "" {
		text += prose.Cut(prose.Visible(media), 80)
	} else {
		text += "no Content-Type"
	}
	size := max(r.Size, len(r.Body))
	text += ", " + prose.Plural(size, "byte")
	switch {
	case r.TooLong:
		text += " and more"
	case len(r.Body) < size:
		text += " (" + prose.Number(len(r.Body)) + " kept)"
	}
	return text + ", " + prose.Duration(ex.Elapsed)
}

// ExchangeLine returns an exchange in a line: "POST https://… → 201".
func ExchangeLine(ex *spec.Exchange) string {
	const shown = 160 // of a body: enough for a plain one to be sent again
	line := RequestLine(ex)
	if len(ex.Request.Body) > 0 {
		line += " " + prose.Cut(prose.Visible(string(ex.Request.Body)), shown)
	}
	line += " → "
	if ex.Response == nil {
		return line + "no response"
	}
	return line + strconv.Itoa(ex.Response.Status)
}
