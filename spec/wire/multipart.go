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

	"hallmark/internal/text"
)

// maxParts is how many parts of a multipart body are read.
const maxParts = 10_000

// Part is one part of a multipart body.
type Part struct {
	// Name is that of the form field; empty in other multipart types than form-data. FileName is empty for what is no file.
	Name, FileName string
	// Type is the part's Content-Type; empty when it has none.
	Type   string
	Header textproto.MIMEHeader
	Data   []byte
}

// serializeMultipart writes a part for each member, and for each item of an array (RFC 7578).
func serializeMultipart(m Media, value any, o BodyOptions) (Body, error) {
	members, ok := value.(map[string]any)
	switch {
	case !ok:
		return Body{}, &Error{Reason: Undefined, Text: "a form carries objects only"}
	case m.Subtype != "form-data":
		return Body{}, unsupported(m)
	case !isBoundary(o.Boundary):
		return Body{}, &Error{Reason: Malformed, Text: text.Quote(o.Boundary) + " is no boundary: it takes 1 to 70 of the characters of RFC 2046"}
	}
	var b bytes.Buffer
	for _, name := range names(members) {
		hint, _ := o.Hint.member(name)
		parts, err := partsOf(name, members[name], hint, o.Encoding[name])
		if err != nil {
			return Body{}, within(name, err)
		}
		for _, part := range parts {
			if bytes.Contains(part.Data, []byte("--"+o.Boundary)) {
				return Body{}, &Error{Reason: Uncarriable, Place: name, Text: "the content holds the boundary; choose another one"}
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

// isBoundary reports whether s is a boundary that needs no quotes beyond those of a parameter (RFC 2046, section 5.1.1).
func isBoundary(s string) bool {
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && strings.IndexByte("'()+_,-./:=?", c) < 0 {
			return false
		}
	}
	return s != "" && len(s) <= 70
}

// partsOf returns the parts of one property: one for each item of an array, unless its style or content type says otherwise.
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
			return nil, &Error{Reason: Undefined, Place: "item " + strconv.Itoa(i), Text: "OpenAPI does not say how null is written in a part"}
		}
		if item == nil && e.ContentType == "" {
			continue
		}
		part := Part{Name: name, Header: textproto.MIMEHeader{}}
		media := e.media(item, h.items())
		body, err := SerializeBody(media, item, BodyOptions{})
		if err != nil {
			return nil, err
		}
		part.Data = body.Data
		file, isFile := item.(File)
		switch {
		case isFile && file.Name != "":
			part.FileName = file.Name
		case isFile, h.items() != nil && h.items().Binary, e.ContentType != "" && KindOf(media) == KindBinary:
			part.FileName = name // servers take only what has a file name for a file
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

// styledParts writes a property as a query parameter of its style would be, with a part in the place of each pair (OpenAPI 3.1,
// Encoding Object: style counts in multipart/form-data too).
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
	b.WriteString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + fieldEscaper.Replace(p.Name) + "\"")
	if p.FileName != "" {
		b.WriteString("; filename=\"" + fieldEscaper.Replace(p.FileName) + "\"")
	}
	b.WriteString("\r\n")
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

// ParseMultipart reads the parts of a multipart body of any subtype.
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

// parseMultipart reads multipart/form-data into an object.
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
		read := func(i int) (Reading, error) { return parts[i].value(hint, o.Encoding[name], how) }
		var property Reading
		if hint.admits("array") && KindOf(parts[own[0]].Type) != KindJSON || len(own) > 1 {
			items := hint
			if hint.admits("array") {
				items = hint.items()
			}
			property, err = listReading(len(own), func(i int) (Reading, error) { return parts[own[i]].value(items, o.Encoding[name], how) })
		} else {
			property, err = read(own[0])
			if hint.admits("array") {
				property = property.orOne()
			}
		}
		if err != nil {
			return Reading{}, within("part "+strconv.Itoa(own[0]+1)+" ("+name+")", err)
		}
		b.add(name, property)
	}
	return b.reading(), nil
}

// orOne adds to what a part of JSON means that it is the only one of an array: each of those has a part of its own.
func (r Reading) orOne() Reading {
	for _, v := range slices.Clone(r.Values) {
		if _, whole := v.([]any); !whole {
			r.Values = append(r.Values, []any{v})
		}
	}
	return r
}

// value reads the content of a part by its own content type.
func (p Part) value(h *Hint, e Encoding, how manner) (Reading, error) {
	media := p.Type
	if media == "" {
		media = e.media("", h)
	}
	if m, err := ParseMedia(media); err == nil && m.Kind() == KindMultipart {
		return Reading{Present: true, Values: []any{string(p.Data)}}, nil // no form in a form
	}
	if kind := KindOf(media); kind == KindXML || kind == KindForeign || p.FileName != "" && kind != KindJSON {
		return Reading{Present: true, Values: []any{string(p.Data)}}, nil
	}
	return parseBody(media, p.Data, BodyOptions{Hint: h}, how)
}
