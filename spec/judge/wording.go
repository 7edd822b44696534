package judge

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
)

// expects returns in a phrase what a schema asks of a value.
func expects(s *spec.Schema) string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = e
			var word string
			if json.Unmarshal([]byte(e), &word) == nil && word != "" {
				words[i] = word
			}
		}
		if len(words) == 1 {
			return words[0]
		}
		return "one of " + text.Enumerate(words, "and")
	case s.Format == "int32" || s.Format == "int64":
		return "an " + s.Format
	case s.Type != "":
		return text.WithArticle(s.Type)
	}
	return "any value"
}

// where returns in words which answer is meant, and the place in its body: "GET /pets?limit=3 → 200, /3/id".
func (x *judgement) where(pointer string) string {
	where := x.exchange.Request.Method + " " + x.address() + " → " + strconv.Itoa(x.exchange.Response.Status)
	if pointer != "" {
		where += ", " + exactjson.Shorten(pointer)
	}
	return where
}

// address returns the request's address without the base: as many segments as the operation's path has, and the query.
func (x *judgement) address() string {
	u, err := url.Parse(x.exchange.Request.URL)
	if err != nil {
		return x.operation.Path
	}
	path := u.EscapedPath()
	segments := strings.Split(path, "/")
	if n := strings.Count(x.operation.Path, "/"); len(segments) > n {
		path = "/" + strings.Join(segments[len(segments)-n:], "/")
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return strings.Trim(strconv.Quote(exactjson.Shorten(path)), `"`)
}
