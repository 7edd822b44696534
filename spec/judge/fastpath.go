package judge

import (
	"encoding/json"
	"strings"

	"hallmark/spec"
	"hallmark/spec/exactjson"
)

// fits reports whether a value fits a schema beyond doubt. It knows the plain forms only (short integers, text without
// bounds, enums of plain words) and answers false for all else, which the schema validator then judges. Nearly every
// answer of a sound service is plain, and the validator costs ten times as much: it would be half the cost of a run.
//
// Whatever is plain the validator accepts too; TestFitsAgreesWithTheValidator and FuzzAnswer hold the two against each other.
func fits(s *spec.Schema, value any) bool {
	if !s.Simple() {
		return false
	}
	switch v := value.(type) {
	case string:
		return s.Type == "string" && s.Format == "" && s.MinLength == nil && s.MaxLength == nil && (len(s.Enum) == 0 || inEnum(s.Enum, v))
	case json.Number:
		return s.Type == "integer" && (s.Format == "" || s.Format == "int64") && s.Minimum == "" && s.Maximum == "" &&
			len(s.Enum) == 0 && exactjson.IsShortInt(string(v))
	case bool:
		return s.Type == "boolean" && len(s.Enum) == 0
	case []any:
		return s.Type == "array" && len(s.Enum) == 0 && itemsFit(s, v)
	case map[string]any:
		return s.Type == "object" && len(s.Enum) == 0 && membersFit(s, v)
	}
	return false
}

// inEnum reports whether a text is an enum value that needs no escapes in JSON.
func inEnum(enum []string, text string) bool {
	if strings.Contains(text, `\`) {
		return false
	}
	for _, e := range enum {
		if len(e) == len(text)+2 && e[0] == '"' && e[1:len(e)-1] == text {
			return true
		}
	}
	return false
}

func itemsFit(s *spec.Schema, items []any) bool {
	n := int64(len(items))
	item := s.Item()
	if item == nil || s.MinItems != nil && n < *s.MinItems || s.MaxItems != nil && n > *s.MaxItems {
		return false
	}
	for _, value := range items {
		if !fits(item, value) {
			return false
		}
	}
	return true
}

func membersFit(s *spec.Schema, members map[string]any) bool {
	for i := range s.Properties {
		p := &s.Properties[i]
		member, there := members[p.Name]
		if there && !fits(p.Schema, member) || !there && p.Required {
			return false
		}
	}
	return true
}
