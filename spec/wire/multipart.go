package wire

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// maxParts is the maximum number of parts of a multipart body that are parsed.
const maxParts = 10_000

// Part is one part of a multipart body.
type Part struct {
	// Name is the name of the form field; empty in other types than form-data. FileName is empty if it is not a file.
	Name, FileName string
	// Type is the part's Content-Type, or empty.
	Type   string
	Header textproto.MIMEHeader
	Data   []byte
}

// onlyPart is the name of the parts of a form whose schema is no object, and so names none.
const onlyPart = "file"

// serializeMultipart writes a part for each member, and for each item of an array (RFC 7578). A value that is no object has a part of its own,
// and so has each item of a list; only those of forms have names.
func serializeMultipart(m Media, value any, o BodyOptions) (Body, error) {
	members, ok := value.(map[string]any)
	if !ok && o.Hint != nil && (o.Hint.admits("object") || len(o.Hint.Properties) > 0) {
		return Body{}, &Error{Reason: Undefined, Text: "a form can only carry an object"}
	}
	if !ok {
		members = map[string]any{onlyPart: value}
		o.Hint = &Hint{Properties: map[string]*Hint{onlyPart: o.Hint}}
	}
	form := m.Subtype == "form-data"
	switch {
	case ok && !form:
		return Body{}, unsupported(m)
	case !isBoundary(o.Boundary):
		return Body{}, &Error{Reason: Malformed, Text: text.Quote(o.Boundary) + " is not a boundary: a boundary has 1 to 70 of the characters that RFC 2046 allows"}
	}
	var b bytes.Buffer
	for _, name := range sortedNames(members) {
		hint, _ := o.Hint.member(name)
		parts, err := partsOf(name, members[name], hint, o.Encoding[name])
		if err != nil {
			return Body{}, withPlace(name, err)
		}
		for _, part := range parts {
			if bytes.Contains(part.Data, []byte("--"+o.Boundary)) {
				return Body{}, &Error{Reason: Uncarriable, Place: name, Text: "the content contains the boundary; choose another one"}
			}
			if !form {
				part.Name, part.FileName = "", ""
			}
			part.write(&b, o.Boundary)
		}
	}
	b.WriteString("--" + o.Boundary + "--\r\n")
	params := map[string]string{}
	maps.Copy(params, m.Params)
	params["boundary"] = o.Boundary
	m.Params = params
	return Body{Type: m.String(), Data: b.Bytes()}, nil
}

// isBoundary reports whether s is a valid boundary that needs no escaping (RFC 2046, section 5.1.1).
func isBoundary(s string) bool {
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && strings.IndexByte("'()+_,-./:=?", c) < 0 {
			return false
		}
	}
	return s != "" && len(s) <= 70
}

// partsOf returns the parts of one property: one for each item of an array, unless its style or content type says
// otherwise.
func partsOf(name string, value any, h *Hint, e Encoding) ([]Part, error) {
	if e.Style != "" || e.Explode != nil {
		return styledParts(name, value, e)
	}
	items, isArray := value.([]any)
	if !isArray || KindOf(e.media("", nil)) == KindJSON {
		items, h = []any{value}, &Hint{Items: h}
	}
	var parts []Part
	for i, item := range items {
		if item == nil && isArray {
			return nil, &Error{Reason: Undefined, Place: "item " + strconv.Itoa(i), Text: "OpenAPI does not define how null is written in a part"}
		}
		if item == nil && e.ContentType == "" {
			continue
		}
		part := Part{Name: name, Header: textproto.MIMEHeader{}}
		media := e.media(item, h.items())
		body, err := SerializeBody(media, item, BodyOptions{Hint: h.items()})
		if err != nil {
			return nil, err
		}
		part.Data = body.Data
		file, isFile := item.(File)
		switch {
		case isFile && file.Name != "":
			part.FileName = file.Name
		case isFile, h.items() != nil && h.items().Binary, e.ContentType != "" && KindOf(media) == KindBinary:
			part.FileName = name // servers treat only parts with a file name as files
		}
		if body.Type != "text/plain" || e.ContentType != "" || part.FileName != "" {
			part.Type = body.Type
		}
		for _, header := range slices.Sorted(maps.Keys(e.Headers)) {
			if !isToken(header) || checkHeader(e.Headers[header]) != nil {
				return nil, &Error{Reason: Uncarriable, Place: "header " + header, Text: "a part cannot have this header"}
			}
			if key := textproto.CanonicalMIMEHeaderKey(header); key != "Content-Type" && key != "Content-Disposition" {
				part.Header.Set(key, e.Headers[header])
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// styledParts serializes a property like a query parameter of its style, with a part for each pair (OpenAPI 3.1,
// Encoding Object: style applies to multipart/form-data too).
func styledParts(name string, value any, e Encoding) ([]Part, error) {
	p, _ := e.param(name)
	text, _, err := p.Serialize(value)
	if err != nil {
		return nil, err
	}
	pairs, err := p.pairs(text)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for _, pair := range pairs {
		parts = append(parts, Part{Name: pair.name, Header: textproto.MIMEHeader{}, Data: []byte(pair.text)})
	}
	return parts, nil
}

// fieldEscaper escapes names as browsers do (WHATWG HTML, multipart/form-data encoding algorithm).
var fieldEscaper = strings.NewReplacer("\n", "%0A", "\r", "%0D", `"`, "%22")

func (p Part) write(b *bytes.Buffer, boundary string) {
	b.WriteString("--" + boundary + "\r\n")
	if p.Name != "" {
		b.WriteString("Content-Disposition: form-data; name=\"" + fieldEscaper.Replace(p.Name) + "\"")
		if p.FileName != "" {
			b.WriteString("; filename=\"" + fieldEscaper.Replace(p.FileName) + "\"")
		}
		b.WriteString("\r\n")
	}
	if p.Type != "" {
		b.WriteString("Content-Type: " + p.Type + "\r\n")
	}
	for _, name := range slices.Sorted(maps.Keys(p.Header)) {
		for _, value := range p.Header[name] {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	b.WriteString("\r\n")
	b.Write(p.Data)
	b.WriteString("\r\n")
}

// ParseMultipart parses a multipart body of any subtype.
func ParseMultipart(contentType string, data []byte) ([]Part, error) {
	m, err := ParseMedia(contentType)
	if err != nil {
		return nil, err
	}
	boundary := m.Params["boundary"]
	if boundary == "" {
		return nil, &Error{Reason: Malformed, Text: "the Content-Type has no boundary"}
	}
	reader := multipart.NewReader(bytes.NewReader(data), boundary)
	var parts []Part
	for {
		place := "part " + strconv.Itoa(len(parts)+1)
		part, err := reader.NextRawPart()
		last := []byte("--" + boundary + "--")
		if errors.Is(err, io.EOF) && (bytes.HasPrefix(data, last) || bytes.Contains(data, append([]byte("\n"), last...))) {
			return parts, nil
		}
		if err != nil {
			why := strings.TrimPrefix(err.Error(), "multipart: ")
			if errors.Is(err, io.EOF) {
				why = "the body does not end with its boundary"
			}
			return nil, &Error{Reason: Malformed, Place: place, Text: why}
		}
		if len(parts) == maxParts {
			return nil, &Error{Reason: TooLarge, Text: "there are more than " + strconv.Itoa(maxParts) + " parts"}
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, &Error{Reason: Malformed, Place: place, Text: "it ends too early"}
		}
		p := Part{Type: part.Header.Get("Content-Type"), Header: part.Header, Data: content}
		if _, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil {
			p.Name, p.FileName = params["name"], params["filename"]
		}
		parts = append(parts, p)
	}
}

// parseMultipart parses multipart/form-data into an object.
func parseMultipart(contentType string, data []byte, o BodyOptions, how manner) (Reading, error) {
	parts, err := ParseMultipart(contentType, data)
	if err != nil {
		return Reading{}, err
	}
	var order []string
	named := map[string][]int{}
	for i, part := range parts {
		if part.Name == "" {
			return Reading{}, &Error{Reason: Malformed, Place: "part " + strconv.Itoa(i+1), Text: "it has no name"}
		}
		if named[part.Name] == nil {
			order = append(order, part.Name)
		}
		named[part.Name] = append(named[part.Name], i)
	}
	var b objectBuilder
	for _, name := range order {
		hint, _ := o.Hint.member(name)
		own := named[name]
		same := make([]Part, len(own))
		for i := range own {
			same[i] = parts[own[i]]
		}
		property, err := readParts(same, hint, o.Encoding[name], how)
		if err != nil {
			return Reading{}, withPlace("part "+strconv.Itoa(own[0]+1)+" ("+name+")", err)
		}
		b.addProperty(name, property)
	}
	return b.reading(), nil
}

// readParts parses the parts of one property.
func readParts(parts []Part, h *Hint, e Encoding, how manner) (Reading, error) {
	if len(parts) == 1 && !h.admits("array") {
		return parts[0].value(h, e, how)
	}
	items := h
	if h.admits("array") {
		items = h.items()
	}
	r, err := listReading(len(parts), func(i int) (Reading, error) { return parts[i].value(items, e, how) })
	if err != nil {
		return Reading{}, err
	}
	if len(parts) == 1 && KindOf(parts[0].Type) == KindJSON { // the whole list, or its only item
		whole, err := parts[0].value(h, e, how)
		if err != nil {
			return Reading{}, err
		}
		r.Values = append(whole.Values, r.Values...)
	}
	if !h.admits("array") && how == lenient { // for a repeated name some parsers take the first, others the last
		for _, part := range parts {
			one, err := part.value(h, e, how)
			if err != nil {
				return Reading{}, err
			}
			r.addValues(one.Values, !one.Truncated)
		}
	}
	if p, byStyle := e.param(parts[0].Name); byStyle && h.admits("array") && !p.Explode && len(parts) == 1 {
		text := string(parts[0].Data) // before OpenAPI 3.1 the style of a part has no meaning
		styled, err := p.parsePairs([]pair{{parts[0].Name, text, formEncode(text, p.rawDelimiter())}}, h, how)
		if err != nil {
			return Reading{}, err
		}
		r.addValues(styled.Values, !styled.Truncated)
		r.Values = distinct(r.Values)
	}
	return r, nil
}

// value parses the content of a part by its own content type.
func (p Part) value(h *Hint, e Encoding, how manner) (Reading, error) {
	media := p.Type
	if media == "" {
		media = e.media("", h)
	}
	kind := KindOf(media)
	if how == lenient && kind == KindBinary {
		p.Data = []byte(fileText(media, p.Data))
	}
	if kind == KindMultipart || kind == KindXML || kind == KindYAML || kind == KindForeign || kind != KindJSON && (p.FileName != "" || h != nil && h.Binary) { // no form in a form
		return Reading{Present: true, Values: []any{string(p.Data)}}, nil
	}
	r, err := parseBody(media, p.Data, BodyOptions{Hint: h}, how)
	if kind == KindJSON && h.scalar() && (how == lenient || h != nil && h.Binary) {
		// Many services treat every part as text, whatever its Content-Type is.
		r.Present = true
		r.addValues(scalars(string(p.Data), h, how), true)
		r.Values, err = distinct(r.Values), nil
	}
	return r, err
}
