package phrase

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Value is a value of a phrase. One of its fields is set, besides Noun with Number, and Length with JSON.
type Value struct {
	// Statuses holds alternative HTTP statuses.
	Statuses []int `json:"statuses,omitempty"`
	// Number is a number of the things that Noun names, if it is not empty.
	Number *int64 `json:"number,omitempty"`
	Noun   string `json:"noun,omitempty"`
	// AnyOf holds alternative media types, MediaTypes those received, in records of earlier versions.
	AnyOf      []string `json:"anyOf,omitempty"`
	MediaTypes []string `json:"mediaTypes,omitempty"`
	// Schema is what a value must match.
	Schema *Schema `json:"schema,omitempty"`
	// JSON is a JSON value as findings show it: strings are quoted, escaped, and cut if long. Length is the number of characters of a
	// string whose middle was left out.
	JSON   string `json:"json,omitempty"`
	Length int    `json:"length,omitempty"`
	// ID is a resource's id as decimal text, Field the name of a property, Header the name of a header, Pointer a JSON Pointer
	// (RFC 6901) in the response's body.
	ID      string `json:"id,omitempty"`
	Field   string `json:"field,omitempty"`
	Header  string `json:"header,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	// Text is any other text.
	Text string `json:"text,omitempty"`
}

// Schema summarizes what a schema requires of a value. The elements of Enum are JSON texts.
type Schema struct {
	Type   string   `json:"type,omitempty"`
	Format string   `json:"format,omitempty"`
	Enum   []string `json:"enum,omitempty"`
}

// Status returns alternative HTTP statuses.
func Status(statuses ...int) Value { return Value{Statuses: slices.Clone(statuses)} }

// Number returns a number of things that the format names.
func Number[N int | int64](n N) Value { return Count(n, "") }

// Count returns a number of things that the noun, in the singular, names.
func Count[N int | int64](n N, noun string) Value {
	number := int64(n)
	return Value{Number: &number, Noun: noun}
}

// AnyOf returns alternative media types.
func AnyOf(mediaTypes []string) Value { return Value{AnyOf: slices.Clone(mediaTypes)} }

// JSON returns a JSON value as findings show it.
func JSON(shown string) Value { return Value{JSON: shown} }

// ID returns a resource's id.
func ID(id string) Value { return Value{ID: id} }

// Field returns the name of a property.
func Field(name string) Value { return Value{Field: name} }

// Header returns the name of a header.
func Header(name string) Value { return Value{Header: name} }

// Pointer returns a JSON Pointer.
func Pointer(pointer string) Value { return Value{Pointer: pointer} }

// Text returns any other text.
func Text(s string) Value { return Value{Text: s} }

// isString reports whether the value is a JSON string.
func (v Value) isString() bool { return strings.HasPrefix(v.JSON, `"`) }

// String renders the value.
func (v Value) String() string {
	switch {
	case len(v.Statuses) > 0:
		words := make([]string, len(v.Statuses))
		for i, status := range v.Statuses {
			words[i] = strconv.Itoa(status)
		}
		return strings.Join(words, " or ")
	case v.Number != nil && v.Noun != "":
		return text.Count(*v.Number, v.Noun)
	case v.Number != nil:
		return text.Number(*v.Number)
	case len(v.AnyOf) > 0:
		return text.Enumerate(v.AnyOf, "or")
	case len(v.MediaTypes) > 0:
		return strings.Join(v.MediaTypes, " and ")
	case v.Schema != nil:
		return v.Schema.String()
	}
	return v.JSON + v.ID + v.Field + v.Header + v.Pointer + v.Text
}

// String renders the requirement: "an int64", "one of available, pending and sold".
func (s Schema) String() string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = e
			var word string
			if json.Unmarshal([]byte(e), &word) == nil && word != "" {
				words[i] = word
			}
		}
		if len(words) == 1 {
			return words[0]
		}
		return "one of " + text.Enumerate(words, "and")
	case s.Format == "int32" || s.Format == "int64":
		return text.WithArticle(s.Format)
	case s.Type != "":
		return text.WithArticle(s.Type)
	}
	return "any value"
}

// change applies change to each text of the value that a service may have influenced.
func (v *Value) change(change func(string) string) {
	for _, s := range []*string{&v.JSON, &v.ID, &v.Field, &v.Header, &v.Pointer, &v.Text} {
		*s = change(*s)
	}
	for _, list := range []*[]string{&v.AnyOf, &v.MediaTypes} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] = change((*list)[i])
		}
	}
}
