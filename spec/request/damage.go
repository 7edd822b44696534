package request

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Damaged returns the text of a JSON object damaged as the step "a plain body <damage>" says, or the text itself if no damage is called so;
// see [KnownDamage].
func Damaged(text, damage string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	if inner == "" {
		inner = `"more": 1` // what holds no name cannot be damaged in its names
		text = "{" + inner + "}"
	}
	switch damage {
	case "cut short":
		return strings.TrimSuffix(text, "}")
	case "followed by a word":
		return text + " trailing"
	case "followed by a second object":
		return text + " " + text
	case "followed by a bracket":
		return text + "]"
	case "with a comma before its last brace":
		return "{" + inner + ",}"
	case "in single quotes":
		return strings.ReplaceAll(text, `"`, `'`)
	case "without quotes around its names":
		for part := range strings.SplitSeq(inner, ", ") {
			if name, _, ok := strings.Cut(part, ":"); ok {
				text = strings.Replace(text, name, strings.Trim(name, `"`), 1)
			}
		}
		return text
	case "without its braces":
		return inner
	case "with a bare word as a value":
		return "{" + inner + `, "more": yes}`
	case "in the manner of a form":
		return asForm(text)
	case "inside an array":
		return "[" + text + "]"
	case "with a member twice":
		first, _, _ := strings.Cut(inner, ", ")
		return "{" + inner + ", " + first + "}"
	case "with a byte that is not UTF-8":
		return endingIn(text, "\xff")
	case "with a character in more bytes than UTF-8 has for it":
		return endingIn(text, "\xc1\xa1") // a
	case "with a character that lacks its last byte":
		return endingIn(text, "\xe2\x82")
	}
	return text
}

// endingIn puts bytes at the end of the first text that a JSON object holds as a value, or into a member of their own.
func endingIn(object, bytes string) string {
	if at := textValue.FindStringIndex(object); at != nil {
		return object[:at[1]-1] + bytes + object[at[1]-1:]
	}
	return strings.TrimSuffix(object, "}") + `, "more": "` + bytes + `"}`
}

// textValue is a name in a JSON object, and the string that is its value.
var textValue = regexp.MustCompile(`: "(?:[^"\\]|\\.)*"`)

// asForm writes the members of a JSON object as a browser sends those of a form.
func asForm(text string) string {
	decoded, _ := exactjson.Decode([]byte(text))
	members, _ := decoded.Tree.(map[string]any)
	if len(members) == 0 {
		members = map[string]any{"more": "1"}
	}
	form := url.Values{}
	for name, value := range members {
		switch value := value.(type) {
		case string:
			form.Set(name, value)
		case json.Number:
			form.Set(name, value.String())
		default:
			if text, err := wire.JSON(value); err == nil {
				form.Set(name, string(text))
			}
		}
	}
	return form.Encode()
}

// KnownDamage reports whether [Damaged] knows a damage.
func KnownDamage(damage string) bool {
	return damage == "inside an array" || Damaged(`{"a": 1, "b": "x"}`, damage) != `{"a": 1, "b": "x"}`
}
