package wire

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Serialize returns a value as it is sent in its location, percent-encoded where necessary: the replacement of the
// expression in a path, the pairs of a query or form ("a=1&a=2"), the value of a header field, the pairs of a
// Cookie field ("a=1; b=2"). Null, and an empty array or object, are not sent (RFC 6570, section 2.3): then sent
// is false, or in a path, which needs a value, there is an error.
func (p Param) Serialize(value any) (text string, sent bool, err error) {
	if err := p.check(); err != nil {
		return "", false, err
	}
	switch {
	case p.Media != "":
		text, err = p.serializeContent(value)
		sent = err == nil
	case p.style() == DeepObject:
		text, sent, err = serializeDeep(p, value)
	default:
		var f flat
		if f, err = flatten(value, p.Nested); err == nil && f.shape != nothing && p.style() == CookieStyle {
			err = p.checkCookie(f)
		}
		if err == nil && f.shape != nothing {
			text, sent = p.expand(f), true
		}
	}
	if err != nil {
		return "", false, err
	}
	if p.In == InPath && text == "" {
		return "", false, &Error{Reason: Uncarriable, Text: "the path needs a non-empty value for " + p.Name}
	}
	if p.In == InHeader {
		if err := checkHeader(text); err != nil {
			return "", false, err
		}
	}
	return text, sent, nil
}

// operator says how RFC 6570 expands an expression (appendix A).
type operator struct {
	first, separator string
	named            bool
	// ifEmpty follows a name whose value is empty.
	ifEmpty string
}

func (p Param) operator() operator {
	switch p.style() {
	case Label:
		return operator{first: ".", separator: "."}
	case Matrix:
		return operator{first: ";", separator: ";", named: true}
	}
	switch p.In {
	case InQuery, InForm:
		return operator{separator: "&", named: true, ifEmpty: "="}
	case InCookie:
		return operator{separator: "; ", named: true, ifEmpty: "="}
	}
	return operator{separator: ","}
}

// delimiter returns the delimiter of items of a value that is not exploded.
func (p Param) delimiter() string {
	raw := p.rawDelimiter()
	if raw == "," || p.In == InHeader {
		return raw
	}
	return percentEncode(raw, "")
}

func (p Param) rawDelimiter() string {
	switch p.style() {
	case SpaceDelimited:
		return " "
	case PipeDelimited:
		return "|"
	case TabDelimited:
		return "\t"
	}
	return ","
}

// expand implements RFC 6570, section 3.2.1, for one variable.
func (p Param) expand(f flat) string {
	op := p.operator()
	name := p.encodeName(p.Name)
	named := func(name, text string) string {
		if text == "" {
			return name + op.ifEmpty
		}
		return name + "=" + text
	}
	var parts []string
	switch {
	case f.shape == scalar:
		text := p.encode(f.text, true)
		if op.named {
			text = named(name, text)
		}
		return op.first + text
	case p.Explode && f.shape == list:
		for _, item := range f.items {
			text := p.encode(item, false)
			if op.named {
				text = named(name, text)
			}
			parts = append(parts, text)
		}
		return op.first + strings.Join(parts, op.separator)
	case p.Explode:
		for _, m := range f.members {
			parts = append(parts, p.encodeName(m.name)+"="+p.encode(m.text, false))
		}
		return op.first + strings.Join(parts, op.separator)
	}
	for _, item := range f.items {
		parts = append(parts, p.encode(item, false))
	}
	for _, m := range f.members {
		parts = append(parts, p.encode(m.name, false), p.encode(m.text, false))
	}
	text := strings.Join(parts, p.delimiter())
	if op.named {
		text = named(name, text)
	}
	return op.first + text
}

// Reserved characters that cannot be misread in each location: neither "&", "+" and ";", which separate query
// pairs or mean a space, nor "#", "[" and "]", which a query cannot contain, nor "/" and "?" in a path (OpenAPI
// 3.2, appendix E).
const (
	reservedInPath  = "!$'()*:@"
	reservedInQuery = "!$'()*:@/?"
)

// encode encodes a text for its location. A comma or an equals sign would split a list.
func (p Param) encode(text string, alone bool) string {
	keep := ""
	if p.AllowReserved {
		keep = reservedInQuery
		if p.In == InPath {
			keep = reservedInPath
		}
		if alone && p.style() != Matrix {
			keep += ",="
		}
	}
	switch {
	case p.In == InHeader, p.style() == CookieStyle:
		return text
	case p.In == InForm:
		return formEncode(text, keep)
	case p.In == InCookie:
		return percentEncode(text, "")
	}
	return percentEncode(text, keep)
}

func (p Param) encodeName(name string) string {
	p.AllowReserved = false
	return p.encode(name, false)
}

// serializeContent serializes a parameter with content.
func (p Param) serializeContent(value any) (string, error) {
	if p.In == InQuerystring && KindOf(p.Media) == KindForm { // a form is made for queries
		text, err := serializeForm(value, p.options())
		return string(text), err
	}
	var text string
	switch KindOf(p.Media) {
	case KindJSON:
		encoded, err := asciiJSON(value)
		if p.In != InHeader {
			encoded, err = JSON(value)
		}
		if err != nil {
			return "", err
		}
		text = string(encoded)
	case KindText:
		plain, ok := scalarText(value)
		if !ok {
			return "", &Error{Reason: Undefined, Text: "an array, an object or null cannot be written as plain text"}
		}
		text = plain
	default:
		return "", &Error{Reason: Unsupported, Text: "hallmark does not support parameters of type " + p.Media}
	}
	p.Style = "" // the default of the location, which percent-encodes
	text = p.encode(text, true)
	if p.operator().named {
		return p.encodeName(p.Name) + "=" + text, nil
	}
	return text, nil
}

// options returns the options of a query that is a form.
func (p Param) options() BodyOptions {
	if p.Options == nil {
		return BodyOptions{}
	}
	return *p.Options
}

// checkHeader returns an Error if a header field cannot hold a text (RFC 9110, section 5.5). Bytes above ASCII are
// opaque there, and senders should not use them.
func checkHeader(text string) error {
	for i := range len(text) {
		switch c := text[i]; {
		case c > 0x7e:
			return &Error{Reason: Uncarriable, Text: "a header field can contain ASCII characters only"}
		case c < 0x20 && c != '\t':
			return &Error{Reason: Uncarriable, Text: "a header field cannot contain control characters"}
		}
	}
	return nil
}

// checkCookie returns an Error if a cookie cannot hold a value as is (RFC 6265, section 4.1.1). It allows commas,
// which the RFC does not, since arrays need them, and clients and servers support them everywhere.
func (p Param) checkCookie(f flat) error {
	texts, names := append([]string{f.text}, f.items...), []string{p.Name}
	if p.Explode && f.shape == object {
		names = nil
	}
	for _, m := range f.members {
		texts = append(texts, m.text)
		if p.Explode {
			names = append(names, m.name)
		} else {
			texts = append(texts, m.name)
		}
	}
	for _, name := range names {
		if !isToken(name) {
			return &Error{Reason: Uncarriable, Text: "a cookie cannot have the name " + text.Quote(name)}
		}
	}
	for _, text := range texts {
		for i := range len(text) {
			if c := text[i]; c <= 0x20 || c > 0x7e || c == '"' || c == ';' || c == '\\' {
				return &Error{Reason: Uncarriable, Text: "a cookie cannot contain spaces, quotes, semicolons, backslashes, control characters or non-ASCII characters"}
			}
		}
	}
	return nil
}

// isToken reports whether s is a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}
