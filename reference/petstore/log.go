package petstore

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// logAccess writes a line for each request, after its response.
//
// Keys get lost in strange places: in a query, in a path, in a header with a wrong name. So the line holds nothing that
// the client could have written freely, only the route that was taken and what became of it.
func (s *Service) logAccess(c *gin.Context) {
	start := time.Now()
	defer func() { // also when the connection is cut
		status := c.Writer.Status()
		attrs := []slog.Attr{
			slog.String("method", knownMethod(c.Request.Method)),
			slog.String("route", c.FullPath()), // empty where no operation is
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

// knownMethod keeps made-up methods, which may hold anything, out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	default:
		return "other"
	}
}
