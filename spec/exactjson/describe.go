package exactjson

import (
	"encoding/json"
	"strconv"

	"hallmark/internal/text"
)

// MaxQuoted is how many characters of a text findings show.
const MaxQuoted = 60

// Quote shows a text safely: in quotes, with everything that does not print escaped, and cut when it is long.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == MaxQuoted {
			return strconv.Quote(s[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(s)
}

// Shorten cuts a plain text when it is long.
func Shorten(s string) string {
	if len(s) > 2*MaxQuoted {
		return s[:MaxQuoted] + "…" + s[len(s)-MaxQuoted/2:]
	}
	return s
}

// Describe shows a decoded value in a short phrase.
func Describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return "the string " + Quote(v)
	case json.Number:
		return "the number " + Shorten(string(v))
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
