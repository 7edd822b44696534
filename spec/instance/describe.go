package instance

import (
	"hallmark/internal/text"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
)

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
	return text.Literal(textOf(value))
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
