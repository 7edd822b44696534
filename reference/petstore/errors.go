package petstore

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

// The codes of Error bodies, one for each kind of rejection.
const (
	CodeInvalidRequest   = "invalid_request"
	codeUnauthorized     = "unauthorized"
	CodeNotFound         = "not_found"
	codeMethodNotAllowed = "method_not_allowed"
	codeTimeout          = "request_timeout"
	codeTooLarge         = "body_too_large"
	CodeInternal         = "internal"
)

// fail sends an Error body and ends the handling of the request.
func fail(c *gin.Context, status int, code, message string) {
	c.Abort()
	body := []byte(`{"code":`)
	// An error would mean that the text is not valid Unicode; it has been repaired, which is good enough for a message.
	body, _ = jsontext.AppendQuote(body, code)
	body = append(body, `,"message":`...)
	body, _ = jsontext.AppendQuote(body, sentence(message))
	body = append(body, `,"status":`...)
	body = strconv.AppendInt(body, int64(status), 10)
	respond(c, status, append(body, '}'))
}

// failInternal answers 500. The error goes to the log, not to the client.
func failInternal(c *gin.Context, err error) {
	_ = c.Error(err) // kept for the log; it returns its argument
	fail(c, http.StatusInternalServerError, CodeInternal, "the service could not do this; its log has the reason")
}

// respond writes a whole response. It sets no charset, since JSON has only one (RFC 8259, section 8.1).
func respond(c *gin.Context, status int, body []byte) {
	header := c.Writer.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	c.Writer.WriteHeader(status)
	// A client that is gone cannot receive a response or an error.
	_, _ = c.Writer.Write(body)
}

// sentence turns an error's text into a sentence.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
