package check

import (
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// Place returns the response of an exchange as a place, which reads as "GET /pets?limit=3 → 200".
func Place(ex *spec.Exchange) phrase.Place {
	p := phrase.Place{Method: ex.Request.Method, Path: Path(ex)}
	if ex.Response != nil {
		p.Status = ex.Response.Status
	}
	return p
}

// Path returns the path and the query of a request, without the path of the base URL: "/pets?limit=3".
func Path(ex *spec.Exchange) string {
	path := ex.Request.URL
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
		if i := strings.LastIndex(path, "/v1/"); i >= 0 {
			path = path[i+len("/v1"):]
		}
		if u.RawQuery != "" {
			path += "?" + u.RawQuery
		}
	}
	return path
}
