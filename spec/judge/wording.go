package judge

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
)

// expects returns what a schema asks of a value.
func expects(s *spec.Schema) phrase.Value {
	return phrase.Value{Schema: &phrase.Schema{Type: s.Type, Format: s.Format, Enum: s.Enum}}
}

// describe returns a decoded value in a short phrase, which reads as that of exactjson.
func describe(value any) phrase.Phrase {
	switch v := value.(type) {
	case nil, bool:
		return phrase.Of("{}", phrase.JSON(exactjson.Describe(v)))
	case string:
		return phrase.Of("the string {}", phrase.JSON(text.Quote(v)))
	case json.Number:
		return phrase.Of("the number {}", phrase.JSON(text.Literal(string(v))))
	case []any:
		if len(v) > 0 {
			return phrase.Of("an array of {}", phrase.Count(len(v), "item"))
		}
	case map[string]any:
		if len(v) > 0 {
			return phrase.Of("an object of {}", phrase.Count(len(v), "field"))
		}
	}
	return phrase.Of(exactjson.Describe(value))
}

// where returns the response, and the place in its body.
func (x *judgement) where(pointer string) phrase.Place {
	return phrase.Place{Method: x.exchange.Request.Method, Path: x.address(), Status: x.exchange.Response.Status}.At(pointer)
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
	return strings.Trim(strconv.Quote(text.Literal(path)), `"`)
}
