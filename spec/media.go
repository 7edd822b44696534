package spec

import (
	"mime"
	"strings"
)

// Media is one media type of a body, a parameter or a header.
type Media struct {
	// Type is the media type as written; it may be a range ("image/*") and have parameters.
	Type    string
	Pointer string
	// Edge leads to the schema; its Schema is nil where the document gives none.
	Edge
	// Item leads to the schema of each item of a stream (itemSchema of OpenAPI 3.2); its Schema is nil for most.
	Item Edge
	// Encoding says how properties of forms and parts of multipart bodies are written, by the name of the property.
	Encoding map[string]Encoding
	Examples []Example
}

// Encoding says how one property of a form, or one part of a multipart body, is written.
type Encoding struct {
	// ContentType may list several media types, separated by commas; empty for the default.
	ContentType string
	// Style is empty, and Explode nil, where the document does not say: in multipart bodies that makes a difference.
	Style         string
	Explode       *bool
	AllowReserved bool
	Headers       []Header
}

// Example is an example that the document gives of a value.
type Example struct {
	// Name is its key among several; empty for a single one.
	Name string
	// Pointer is where the value stands.
	Pointer string
	// JSON is the value as JSON text, with its numbers as written.
	JSON string
}

// JSON returns the JSON media type of a response; nil when it has none.
func (a *Answer) JSON() *Media { return jsonOf(a.Content) }

// JSON returns the JSON media type of a body; nil when it has none.
func (b *RequestBody) JSON() *Media { return jsonOf(b.Content) }

// Schema returns the schema of the response's JSON body; nil when it has none.
func (a *Answer) Schema() *Schema { return a.JSON().schema() }

// Schema returns the schema of the JSON body; nil when it has none.
func (b *RequestBody) Schema() *Schema { return b.JSON().schema() }

// Properties returns the properties of the JSON body; none when it has no schema.
func (b *RequestBody) Properties() []Property {
	if s := b.Schema(); s != nil {
		return s.Properties
	}
	return nil
}

func (m *Media) schema() *Schema {
	if m == nil {
		return nil
	}
	return m.Edge.Schema
}

// MediaTypes returns the media types of the response as written; none when nothing is said of a body.
func (a *Answer) MediaTypes() []string {
	var all []string
	for i := range a.Content {
		all = append(all, a.Content[i].Type)
	}
	return all
}

// jsonOf returns the media type that a JSON text is best described by: application/json, else one that is JSON by its
// suffix, else a range that includes it.
func jsonOf(content []Media) *Media {
	best, rank := (*Media)(nil), 0
	for i := range content {
		if r := jsonRank(content[i].Type); r > rank {
			best, rank = &content[i], r
		}
	}
	return best
}

func jsonRank(mediaType string) int {
	if mediaType == "application/json" { // as nearly all are written
		return 5
	}
	bare, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		bare, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
		bare = strings.TrimSpace(bare)
	}
	switch {
	case bare == "application/json":
		return 5
	case strings.Contains(bare, "json-patch"):
		return 3
	case strings.HasSuffix(bare, "+json"), bare == "text/json":
		return 4
	case bare == "application/*":
		return 2
	case bare == "*/*", bare == "*":
		return 1
	}
	return 0
}

// IsPatch reports whether bodies of the media type are operations on a document rather than values of it (RFC 6902). No schema says which
// of them can be done.
func (m *Media) IsPatch() bool { return jsonRank(m.Type) == 3 }

// IsJSON reports whether a body of the media type is a JSON text. A range that includes application/json is not meant.
func (m *Media) IsJSON() bool { return jsonRank(m.Type) >= 3 }
