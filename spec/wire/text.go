package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// File is content that is no JSON value: a file of a form, or a whole body as it stands. It may stand in the place of a value.
type File struct {
	// Name is the file name, Type the media type; both may be empty.
	Name, Type string
	Data       []byte
}

// scalarText returns a scalar as text; false for null, arrays and objects.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	case bool:
		return strconv.FormatBool(v), true
	case File:
		return string(v.Data), true
	}
	return "", false
}

// JSON returns a value as compact JSON text. Members stand in the order of their names, numbers as they are written.
func JSON(value any) ([]byte, error) {
	if err := checkJSON(value); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, &Error{Reason: Unsupported, Text: err.Error()}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// checkJSON returns an Error when a value is no tree of JSON values.
func checkJSON(value any) error {
	switch v := value.(type) {
	case nil, bool, json.Number:
		return nil
	case string:
		if !utf8.ValidString(v) {
			return &Error{Reason: Uncarriable, Text: "JSON cannot carry a text that is not UTF-8"}
		}
		return nil
	case []any:
		for _, item := range v {
			if err := checkJSON(item); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for name, member := range v {
			if err := checkJSON(name); err != nil {
				return err
			}
			if err := checkJSON(member); err != nil {
				return err
			}
		}
		return nil
	case File:
		return &Error{Reason: Uncarriable, Text: "JSON cannot carry a file"}
	}
	return &Error{Reason: Unsupported, Text: "this is no JSON value"}
}

// asciiJSON returns a value as JSON text in which other characters than ASCII are escaped.
func asciiJSON(value any) ([]byte, error) {
	text, err := JSON(value)
	if err != nil {
		return nil, err
	}
	var b []byte
	for _, r := range string(text) {
		if r < 0x7f {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, "\\u%04x", unit)
		}
	}
	return b, nil
}

// names returns the names of an object's members in order.
func names(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }
