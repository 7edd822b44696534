package spec

import (
	"mime"
	"strings"
)

// Media is a media type of a body, a parameter or a header.
type Media struct {
	// Type is the media type as written; it may be a range ("image/*") or have parameters.
	Type    string
	Pointer string
	// Edge leads to the schema; its Schema is nil if the document has none.
	Edge
	// Item leads to the schema of each item of a stream (itemSchema of OpenAPI 3.2); its Schema is usually nil.
	Item Edge
	// Encoding maps the names of form properties and multipart parts to their encoding.
	Encoding map[string]Encoding
	Examples []Example
}

// Encoding is how a property of a form or a part of a multipart body is serialized.
type Encoding struct {
	// ContentType may be several media types separated by commas; empty for the default.
	ContentType string
	// Style is empty and Explode nil if the document does not set them, which matters in multipart bodies.
	Style         string
	Explode       *bool
	AllowReserved bool
	Headers       []Header
}

// Example is an example value of the document.
type Example struct {
	// Name is its key in examples; empty for a single example.
	Name string
	// Pointer is the place of the value.
	Pointer string
	// JSON is the value as JSON text, with numbers as written.
	JSON string
}

// JSON returns the JSON media type of a response, or nil.
func (a *DocumentedResponse) JSON() *Media { return jsonOf(a.Content) }

// JSON returns the JSON media type of a body, or nil.
func (b *RequestBody) JSON() *Media { return jsonOf(b.Content) }

// Schema returns the schema of the response's JSON body, or nil.
func (a *DocumentedResponse) Schema() *Schema { return a.JSON().schema() }

// Schema returns the schema of the JSON body, or nil.
func (b *RequestBody) Schema() *Schema { return b.JSON().schema() }

// Properties returns the properties of the JSON body, or none without a schema.
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

// MediaTypes returns the media types of the response as written, or none if no body is documented.
func (a *DocumentedResponse) MediaTypes() []string {
	var all []string
	for i := range a.Content {
		all = append(all, a.Content[i].Type)
	}
	return all
}

// jsonOf returns the media type that best describes JSON text: application/json, otherwise one with a JSON suffix, otherwise a range that
// includes it.
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
	if mediaType == "application/json" { // the common case
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

// IsPatch reports whether bodies of the media type are lists of operations on a document (RFC 6902). No schema describes which of these
// would succeed.
func (m *Media) IsPatch() bool { return jsonRank(m.Type) == 3 }

// IsMergePatch reports whether bodies of the media type say what to change of a resource by showing it (RFC 7396).
func (m *Media) IsMergePatch() bool {
	return m != nil && strings.Contains(strings.ToLower(m.Type), "merge-patch+json")
}

// IsJSON reports whether bodies of the media type are JSON. It returns false for a range that includes application/json.
func (m *Media) IsJSON() bool { return jsonRank(m.Type) >= 3 }
