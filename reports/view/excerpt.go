package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// Excerpt returns about limit characters of a body: all of a short one, otherwise the part around the place that a JSON Pointer names (as at
// describes), otherwise its beginning and end.
func Excerpt(body []byte, pointer string, limit int) (shown, at string) {
	if whole, ok := within(body, limit); ok {
		return whole, ""
	}
	raw, path := json.RawMessage(body), ""
	for _, token := range verdict.PointerTokens(pointer) {
		inner, ok := step(raw, token)
		if !ok {
			break
		}
		raw, path = inner, path+"/"+escapeToken(token)
		if part, ok := within(raw, limit); ok {
			return part, path
		}
	}
	return text.Elide(text.Visible(string(raw)), limit), path
}

// mostSearched is the maximum size of a body that is searched for a value, in bytes.
const mostSearched = 1 << 20

// PlacesOf returns the JSON Pointers of the members of a body whose value is the given text, as a string or a number, in order.
func PlacesOf(body []byte, value string) []string {
	if value == "" || len(body) > mostSearched || !bytes.Contains(body, []byte(value)) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var tree any
	if dec.Decode(&tree) != nil {
		return nil
	}
	var all []string
	var walk func(at string, node any)
	walk = func(at string, node any) {
		switch node := node.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(node)) {
				walk(at+"/"+escapeToken(name), node[name])
			}
		case []any:
			for i, item := range node {
				walk(at+"/"+strconv.Itoa(i), item)
			}
		case string, json.Number:
			if fmt.Sprint(node) == value {
				all = append(all, at)
			}
		}
	}
	walk("", tree)
	return all
}

// within returns the visible form of a text, and false if that exceeds limit characters. The visible form is never shorter than the text.
func within(raw []byte, limit int) (string, bool) {
	if utf8.RuneCount(raw) > limit {
		return "", false
	}
	shown := text.Visible(string(raw))
	return shown, utf8.RuneCountInString(shown) <= limit
}

// step follows one token of a JSON Pointer. It reads no further than necessary, so it also works in truncated bodies.
func step(raw json.RawMessage, token string) (json.RawMessage, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	open, err := dec.Token()
	if err != nil {
		return nil, false
	}
	switch open {
	case json.Delim('['):
		index, err := strconv.Atoi(token)
		if err != nil || index < 0 {
			return nil, false
		}
		var item json.RawMessage
		for i := 0; dec.More(); i++ {
			if dec.Decode(&item) != nil {
				return nil, false
			}
			if i == index {
				return item, true
			}
		}
	case json.Delim('{'):
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, false
			}
			var value json.RawMessage
			if dec.Decode(&value) != nil {
				return nil, false
			}
			if key == token {
				return value, true
			}
		}
	}
	return nil, false
}

func escapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}
