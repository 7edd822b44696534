package petstore

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
)

// recoverPanic turns a panic into a 500 with an Error body. If part of a response is out already, the connection is cut,
// so that nobody takes the part for the whole.
func (s *Service) recoverPanic(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p) //nolint:forbidigo // someone cuts the connection on purpose, and net/http has no other way
		}
		s.log.Error("a handler panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		if c.Writer.Written() {
			panic(http.ErrAbortHandler) //nolint:forbidigo // net/http has no other way to cut a connection
		}
		failInternal(c, errors.New("the handler panicked"))
	}()
	c.Next()
}

const (
	// deprecationDate is 5 December 2025, as a structured-field date (RFC 9745, section 2.1; RFC 9651, section 3.3.7).
	deprecationDate = "@1764892800"
	// sunsetDate is the day of getPet's removal, as an HTTP date (RFC 8594, section 3).
	sunsetDate = "Thu, 05 Dec 2030 00:00:00 GMT"
)

// announceRemoval marks every response of getPet, refusals too.
func (s *Service) announceRemoval(c *gin.Context) {
	if c.FullPath() == s.petPath() {
		c.Header("Deprecation", deprecationDate)
		c.Header("Sunset", sunsetDate)
	}
}
