package wire

import "slices"

// Locations of values.
const (
	InPath   = "path"
	InQuery  = "query"
	InHeader = "header"
	InCookie = "cookie"
	// InQuerystring is the whole query as one value of a media type (OpenAPI 3.2).
	InQuerystring = "querystring"
	// InForm is a body of type application/x-www-form-urlencoded.
	InForm = "form"
)

// Styles as OpenAPI names them; TabDelimited corresponds to collectionFormat: tsv of Swagger 2.
const (
	Simple         = "simple"
	Label          = "label"
	Matrix         = "matrix"
	Form           = "form"
	SpaceDelimited = "spaceDelimited"
	PipeDelimited  = "pipeDelimited"
	TabDelimited   = "tabDelimited"
	DeepObject     = "deepObject"
	// CookieStyle is the style of that name in OpenAPI 3.2.
	CookieStyle = "cookie"
)

// Param is how one parameter, or one property of a form, is serialized.
type Param struct {
	Name string
	// In is one of InPath, InQuery, InHeader, InCookie, InForm and InQuerystring.
	In string
	// Style is empty for the default of In.
	Style   string
	Explode bool
	// AllowReserved leaves reserved characters unencoded where they cannot be misread.
	AllowReserved bool
	// Nested holds the delimiters of nested lists, one character for each level from the outside in; empty for none.
	// Swagger 2 defines them (the collectionFormat of items), OpenAPI 3 has none.
	Nested string
	// AllowEmpty reports whether an empty value is allowed regardless of the schema (allowEmptyValue).
	AllowEmpty bool
	// Media is the media type of a parameter with content; Style and Explode have no effect then. Options configures
	// a whole query of that type if it is a form; nil for other parameters.
	Media   string
	Options *BodyOptions
}

// NewParam returns a parameter with the defaults of OpenAPI for an empty style and a nil explode.
func NewParam(name, in, style string, explode *bool) Param {
	if style == "" {
		style = DefaultStyle(in)
	}
	p := Param{Name: name, In: in, Style: style, Explode: defaultExplode(style)}
	if explode != nil {
		p.Explode = *explode
	}
	return p
}

// DefaultStyle returns the default style of a parameter in a location.
func DefaultStyle(in string) string {
	if in == InPath || in == InHeader {
		return Simple
	}
	return Form
}

// defaultExplode reports whether arrays and objects of a style are exploded by default. Objects of deepObject
// always are.
func defaultExplode(style string) bool {
	return style == Form || style == CookieStyle || style == DeepObject
}

// CollectionFormat returns style and explode for a collectionFormat of Swagger 2, empty for its default; false if
// Swagger 2 has no such format in that location.
func CollectionFormat(in, format string) (style string, explode, ok bool) {
	switch format {
	case "", "csv":
		return DefaultStyle(in), false, true
	case "ssv":
		return SpaceDelimited, false, true
	case "tsv":
		return TabDelimited, false, true
	case "pipes":
		return PipeDelimited, false, true
	case "multi":
		return Form, true, in == InQuery || in == InForm
	}
	return "", false, false
}

// Delimiter returns the delimiter of a collectionFormat of Swagger 2 in a nested list; a comma for one that has no
// meaning there.
func Delimiter(format string) string {
	style, _, _ := CollectionFormat(InHeader, format)
	return Param{In: InHeader, Style: style}.rawDelimiter()
}

func (p Param) style() string {
	if p.Style == "" {
		return DefaultStyle(p.In)
	}
	return p.Style
}

// stylesIn holds the styles for each location. Delimited ones outside of queries and forms are Swagger 2's.
var stylesIn = map[string][]string{
	InPath:        {Simple, Label, Matrix, SpaceDelimited, PipeDelimited, TabDelimited},
	InQuery:       {Form, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject},
	InForm:        {Form, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject},
	InHeader:      {Simple, SpaceDelimited, PipeDelimited, TabDelimited},
	InCookie:      {Form, CookieStyle},
	InQuerystring: {Form},
}

// check returns an Error if there is no such style in that location.
func (p Param) check() error {
	styles, ok := stylesIn[p.In]
	switch {
	case !ok:
		return &Error{Reason: Unsupported, Text: "hallmark does not support parameters in " + p.In}
	case p.In == InQuerystring && p.Media == "":
		return &Error{Reason: Unsupported, Text: "a whole query has a content instead of a style"}
	case p.Media == "" && !slices.Contains(styles, p.style()):
		return &Error{Reason: Unsupported, Text: "the style " + p.style() + " is not allowed for parameters in " + p.In}
	}
	return nil
}
