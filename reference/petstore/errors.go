package petstore

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

// The values of an Error body's code, one for each kind of refusal.
const (
	CodeInvalidRequest   = "invalid_request"
	CodeUnauthorized     = "unauthorized"
	CodeNotFound         = "not_found"
	CodeMethodNotAllowed = "method_not_allowed"
	CodeTimeout          = "request_timeout"
	CodeTooLarge         = "body_too_large"
	CodeInternal         = "internal"
)

// fail answers with an Error body and ends the handling of the request.
func fail(c *gin.Context, status int, code, message string) {
	c.Abort()
	body := []byte(`{"code":`)
	// The error would say that a text is no Unicode; it has been mended then, which will do for a message.
	body, _ = jsontext.AppendQuote(body, code)
	body = append(body, `,"message":`...)
	body, _ = jsontext.AppendQuote(body, sentence(message))
	body = append(body, `,"status":`...)
	body = strconv.AppendInt(body, int64(status), 10)
	respond(c, status, append(body, '}'))
}

// failInternal answers 500. What went wrong is for the log, not for the client.
func failInternal(c *gin.Context, err error) {
	_ = c.Error(err) // kept for the log; it returns what it was given
	fail(c, http.StatusInternalServerError, CodeInternal, "the service could not do this; its log has the reason")
}

// respond writes a whole response. The charset is not said, since JSON has only one (RFC 8259, section 8.1).
func respond(c *gin.Context, status int, body []byte) {
	header := c.Writer.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	c.Writer.WriteHeader(status)
	// A client that is gone takes no response and no error either.
	_, _ = c.Writer.Write(body)
}

// sentence makes an error's text one that can stand alone.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
