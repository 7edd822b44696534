package instance

import (
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
)

// call names a place for people: "price.amount", "tags[0]". The whole value has the subject's name.
func (c *collector) call(path []string) string {
	if len(path) == 0 {
		return c.name
	}
	var b strings.Builder
	for i, token := range path {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if token == "" || strings.ContainsAny(token, " .[]\"\n\t") {
			token = strconv.Quote(token)
		}
		b.WriteString(token)
	}
	if strings.HasPrefix(b.String(), "[") {
		return c.name + b.String()
	}
	return b.String()
}

// longValue is how long the JSON text of an object or array may be to be shown.
const longValue = 60

// shown returns a value as descriptions show it: short, on one line.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return text.Quote(v)
	case map[string]any, []any:
		if t := textOf(v); len(t) <= longValue {
			return t
		}
		return exactjson.Describe(v)
	case nil, bool:
		return textOf(v)
	}
	return text.Shorten(textOf(value))
}

// typeOf names the JSON type of a value, with its article.
func typeOf(value any) string {
	name := exactjson.TypeName(value)
	if name == "null" {
		return name
	}
	return text.WithArticle(name)
}

// join appends a name to the rest of a pointer.
func join(keyword, name string) string { return keyword + jsonpointer.Join("", name) }
