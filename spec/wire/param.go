package wire

import "slices"

// Where a value travels.
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

// Styles as OpenAPI names them; TabDelimited is what collectionFormat: tsv of Swagger 2 means.
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

// Param is how one parameter, or one property of a form, travels.
type Param struct {
	Name string
	// In is one of InPath, InQuery, InHeader, InCookie, InForm and InQuerystring.
	In string
	// Style is empty for the default of In.
	Style   string
	Explode bool
	// AllowReserved admits reserved characters as they are, where they cannot be misread.
	AllowReserved bool
	// Nested are the delimiters of lists inside the list, one character for each level from the outside in; empty for none. Swagger 2 defines
	// them (the collectionFormat of items), OpenAPI 3 has none.
	Nested string
	// AllowEmpty reports whether an empty value is allowed whatever the schema says (allowEmptyValue).
	AllowEmpty bool
	// Media is the media type of a parameter with content; Style and Explode mean nothing then. Options say how a whole query of that type is
	// written and read, where it is a form; nil for other parameters.
	Media   string
	Options *BodyOptions
}

// NewParam returns a parameter with the defaults of OpenAPI for what the document leaves out: an empty style, a nil explode.
func NewParam(name, in, style string, explode *bool) Param {
	if style == "" {
		style = DefaultStyle(in)
	}
	p := Param{Name: name, In: in, Style: style, Explode: DefaultExplode(style)}
	if explode != nil {
		p.Explode = *explode
	}
	return p
}

// DefaultStyle returns the style of a parameter in that place for which the document names none.
func DefaultStyle(in string) string {
	if in == InPath || in == InHeader {
		return Simple
	}
	return Form
}

// DefaultExplode reports whether arrays and objects of a style are exploded when the document does not say so. Objects of
// deepObject always are.
func DefaultExplode(style string) bool {
	return style == Form || style == CookieStyle || style == DeepObject
}

// CollectionFormat returns style and explode for a collectionFormat of Swagger 2, empty for its default; false when
// Swagger 2 knows no such format in that place.
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

// Delimiter returns what divides the items of a collectionFormat of Swagger 2 inside another list; a comma for one that has no meaning there.
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

// stylesIn are the styles that are written in each place. Delimited ones outside of queries and forms are Swagger 2's.
var stylesIn = map[string][]string{
	InPath:        {Simple, Label, Matrix, SpaceDelimited, PipeDelimited, TabDelimited},
	InQuery:       {Form, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject},
	InForm:        {Form, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject},
	InHeader:      {Simple, SpaceDelimited, PipeDelimited, TabDelimited},
	InCookie:      {Form, CookieStyle},
	InQuerystring: {Form},
}

// Check returns an Error when there is no such style in that place.
func (p Param) Check() error {
	styles, ok := stylesIn[p.In]
	switch {
	case !ok:
		return &Error{Reason: Unsupported, Text: "hallmark knows no parameters in " + p.In}
	case p.In == InQuerystring && p.Media == "":
		return &Error{Reason: Unsupported, Text: "a whole query has a content, and no style"}
	case p.Media == "" && !slices.Contains(styles, p.style()):
		return &Error{Reason: Unsupported, Text: "there is no style " + p.style() + " for parameters in " + p.In}
	}
	return nil
}
