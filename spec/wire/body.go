package wire

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// BodyOptions is what a document says about a body besides its media type.
type BodyOptions struct {
	// Hint is what the schema says.
	Hint *Hint
	// Encoding says how the properties of a form are serialized.
	Encoding map[string]Encoding
	// Boundary separates the parts of a multipart body that is written. No part may contain it.
	Boundary string
}

// Encoding is how one property of a form is serialized (OpenAPI Encoding Object).
type Encoding struct {
	// ContentType is a media type, or several separated by commas; empty for the default of the property's type.
	ContentType string
	// Style and Explode are those of a query parameter. They have no effect in multipart bodies unless one of them is
	// set.
	Style         string
	Explode       *bool
	AllowReserved bool
	// Nested holds the delimiters of nested lists, see Param.
	Nested string
	// Headers are added to the part, in multipart bodies.
	Headers map[string]string
}

// Body is a serialized body.
type Body struct {
	// Type is the Content-Type, with its parameters.
	Type string
	Data []byte
}

// SerializeBody returns a value as a body of a media type. A File is sent as is in any type, and so is a string if
// the type is text or binary. The members of forms are sorted by name.
func SerializeBody(media string, value any, o BodyOptions) (Body, error) {
	m, err := ParseMedia(media)
	switch {
	case err != nil:
		return Body{}, err
	case m.IsRange():
		return Body{}, &Error{Reason: Undefined, Text: m.String() + " is a range and cannot be sent"}
	}
	b := Body{Type: media}
	if f, ok := value.(File); ok && m.kind() != KindMultipart {
		b.Data = f.Data
		return b, nil
	}
	switch m.kind() {
	case KindJSON, KindYAML:
		b.Data, err = JSON(value)
	case KindForm:
		b.Data, err = serializeForm(value, o)
	case KindMultipart:
		return serializeMultipart(m, value, o)
	case KindLines:
		b.Data, err = serializeItems(value, "", "\n")
	case KindSequence:
		b.Data, err = serializeItems(value, "\x1e", "\n")
	case KindXML:
		b.Data, err = serializeXML(value, o)
	case KindText:
		b.Data, err = plain(value)
		if m.Params["charset"] == "" && err == nil && bytes.ContainsFunc(b.Data, func(r rune) bool { return r >= utf8.RuneSelf }) {
			b.Type += "; charset=utf-8"
		}
	case KindBinary:
		if b.Data, err = plain(value); err == nil {
			b.Data = o.Hint.content(media, string(b.Data))
		}
	default:
		return Body{}, unsupported(m)
	}
	return b, err
}

func unsupported(m Media) error {
	return &Error{Reason: Unsupported, Text: "hallmark does not support values as " + m.String()}
}

func plain(value any) ([]byte, error) {
	text, ok := scalarText(value)
	if !ok {
		return nil, &Error{Reason: Undefined, Text: "an array, an object or null cannot be written as plain text"}
	}
	return []byte(text), nil
}

// serializeItems writes each item of an array as one JSON text.
func serializeItems(value any, before, after string) ([]byte, error) {
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	var b []byte
	for i, item := range items {
		text, err := JSON(item)
		if err != nil {
			return nil, withPlace("item "+strconv.Itoa(i), err)
		}
		b = append(append(append(b, before...), text...), after...)
	}
	return b, nil
}
