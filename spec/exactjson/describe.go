package exactjson

import (
	"encoding/json"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Describe describes a decoded value in a short phrase.
func Describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return "the string " + text.Quote(v)
	case json.Number:
		return "the number " + text.Literal(string(v))
	case []any:
		if len(v) == 0 {
			return "an empty array"
		}
		return "an array of " + text.Count(len(v), "item")
	case map[string]any:
		if len(v) == 0 {
			return "an empty object"
		}
		return "an object of " + text.Count(len(v), "field")
	}
	return "an unknown value"
}

// TypeName returns the JSON type of a decoded value.
func TypeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
