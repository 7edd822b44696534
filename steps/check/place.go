package check

import (
	"net/url"
	"strconv"
	"strings"

	"hallmark/spec"
)

// Place names an exchange in words: "GET /pets?limit=3 → 200".
func Place(ex *spec.Exchange) string {
	if ex.Response == nil {
		return ex.Request.Method + " " + Path(ex) + " → no response"
	}
	return ex.Request.Method + " " + Path(ex) + " → " + strconv.Itoa(ex.Response.Status)
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

// Query returns the query of a request, as it was sent.
func Query(ex *spec.Exchange) string {
	_, query, _ := strings.Cut(ex.Request.URL, "?")
	return query
}

// LastSegment returns the last segment of a path, without the query.
func LastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[strings.LastIndexByte(u, '/')+1:]
}
