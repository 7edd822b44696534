package instance

import (
	"encoding/json"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// longValue is how long the JSON text of an object or array may be to be shown.
const longValue = 60

// describe returns a value as descriptions show it: short, on one line.
func describe(value any) string {
	switch v := value.(type) {
	case string:
		return text.Quote(v)
	case map[string]any, []any:
		if t := textOf(v); len(t) <= longValue {
			return readable(v)
		}
		return exactjson.Describe(v)
	case nil, bool:
		return textOf(v)
	}
	return text.Literal(textOf(value))
}

// readable returns JSON text for people, with "&" unescaped. "<" and ">" stay escaped, since they have a meaning
// in Gherkin tables.
func readable(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return ""
	}
	return placeholders.Replace(strings.TrimSuffix(b.String(), "\n"))
}

// placeholders escapes what Gherkin treats as a placeholder, in JSON.
var placeholders = strings.NewReplacer("<", `\u003c`, ">", `\u003e`)

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
