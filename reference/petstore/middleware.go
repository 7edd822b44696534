package petstore

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"
)

// recoverPanic turns a panic into a 500 with an Error body. If part of a response was sent already, it cuts the connection, so that the
// part is not mistaken for the whole.
func (s *Service) recoverPanic(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p) //nolint:forbidigo // somebody cuts the connection on purpose, and net/http has no other way
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
	// sunsetDate is the day on which getPet is removed, as an HTTP date (RFC 8594, section 3).
	sunsetDate = "Thu, 05 Dec 2030 00:00:00 GMT"
)

// announceRemoval marks every response of getPet, including rejections.
func (s *Service) announceRemoval(c *gin.Context) {
	if c.FullPath() == s.petPath() {
		c.Header("Deprecation", deprecationDate)
		c.Header("Sunset", sunsetDate)
	}
}

// logAccess writes a line for each request, after its response.
//
// Keys end up in strange places: in a query, in a path, in a header with a wrong name. So the line contains nothing that the client could
// have chosen freely, only the route and the outcome.
func (s *Service) logAccess(c *gin.Context) {
	start := time.Now()
	defer func() { // also if the connection is cut
		status := c.Writer.Status()
		attrs := []slog.Attr{
			slog.String("method", knownMethod(c.Request.Method)),
			slog.String("route", c.FullPath()), // empty if there is no operation
			slog.Int("status", status),
			slog.Int("bytes", max(c.Writer.Size(), 0)),
			slog.Duration("took", time.Since(start)),
			slog.String("client", c.Request.RemoteAddr),
		}
		level := slog.LevelInfo
		if status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		if err := c.Errors.Last(); err != nil {
			attrs = append(attrs, slog.String("error", err.Error()))
		}
		s.log.LogAttrs(c.Request.Context(), level, "request", attrs...)
	}()
	c.Next()
}

// knownMethod keeps made-up methods, which may contain anything, out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	default:
		return "other"
	}
}
