package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// File is content that is not JSON: a file of a form, or a whole body as is. It may be used in place of a value.
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

// JSON returns a value as compact JSON. Members are sorted by name, and numbers keep their text.
func JSON(value any) ([]byte, error) {
	return appendJSON(make([]byte, 0, 128), value)
}

// appendJSON appends a value as JSON. It returns an Error if the value is no tree of JSON values.
func appendJSON(to []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(to, "null"...), nil
	case bool:
		return strconv.AppendBool(to, v), nil
	case json.Number:
		if exactjson.IsShortInt(string(v)) {
			return append(to, v...), nil
		}
		return appendEncoded(to, v)
	case string:
		return appendText(to, v)
	case []any:
		return appendList(to, v)
	case map[string]any:
		return appendObject(to, v)
	case File:
		return nil, &Error{Reason: Uncarriable, Text: "JSON cannot contain a file"}
	}
	return nil, &Error{Reason: Unsupported, Text: "this is not a JSON value"}
}

func appendList(to []byte, items []any) ([]byte, error) {
	to = append(to, '[')
	for i, item := range items {
		if i > 0 {
			to = append(to, ',')
		}
		var err error
		if to, err = appendJSON(to, item); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

func appendObject(to []byte, object map[string]any) ([]byte, error) {
	to = append(to, '{')
	for i, name := range sortedNames(object) {
		if i > 0 {
			to = append(to, ',')
		}
		var err error
		if to, err = appendText(to, name); err != nil {
			return nil, err
		}
		if to, err = appendJSON(append(to, ':'), object[name]); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

// appendText appends a text. Most need no escapes.
func appendText(to []byte, text string) ([]byte, error) {
	plain := func(c rune) bool { return c >= ' ' && c <= '~' && c != '"' && c != '\\' }
	switch {
	case strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0:
		return append(append(append(to, '"'), text...), '"'), nil
	case !utf8.ValidString(text):
		return nil, &Error{Reason: Uncarriable, Text: "JSON cannot contain a string that is not UTF-8"}
	}
	return appendEncoded(to, text)
}

// appendEncoded appends a value as encoding/json writes it.
func appendEncoded(to []byte, value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, &Error{Reason: Unsupported, Text: err.Error()}
	}
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}

// asciiJSON returns a value as JSON with all characters outside ASCII escaped.
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

// sortedNames returns the names of an object's members, sorted.
func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }
