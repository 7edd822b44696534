package phrase

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Place is where a defect was found: a response, and a part of it.
type Place struct {
	// Method and Path belong to the request; Path is relative to the base URL and includes the query.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Status is the response's status, or 0 if there was none.
	Status int `json:"status,omitempty"`
	// Pointer is the JSON Pointer (RFC 6901) of a place in the body, Header the name of a header, and Part the description of any other
	// part, or of what was requested. At most one is set.
	Pointer string `json:"pointer,omitempty"`
	Header  string `json:"header,omitempty"`
	Part    string `json:"part,omitempty"`
	// Text is the whole place as text, from a record of an earlier version.
	Text string `json:"text,omitempty"`
}

// IsZero reports whether there is no place.
func (p Place) IsZero() bool { return p == Place{} }

// At returns the place in the body at a JSON Pointer, or the whole response if that is empty.
func (p Place) At(pointer string) Place {
	p.Pointer = pointer
	return p
}

// OfHeader returns the place of a header.
func (p Place) OfHeader(name string) Place {
	p.Header = name
	return p
}

// In returns the place of a described part.
func (p Place) In(part string) Place {
	p.Part = part
	return p
}

// String renders the place: "GET /pets?limit=3 → 200, /3/id".
func (p Place) String() string {
	if p.Text != "" || p.IsZero() {
		return p.Text
	}
	out := p.Method + " " + p.Path + " → no response"
	if p.Status != 0 {
		out = p.Method + " " + p.Path + " → " + strconv.Itoa(p.Status)
	}
	switch {
	case p.Pointer != "":
		return out + ", " + text.Literal(p.Pointer)
	case p.Header != "":
		return out + ", header " + p.Header
	case p.Part != "":
		return out + ", " + p.Part
	}
	return out
}

// Map returns the place with change applied to each of its texts.
func (p Place) Map(change func(string) string) Place {
	for _, text := range []*string{&p.Path, &p.Pointer, &p.Header, &p.Part, &p.Text} {
		*text = change(*text)
	}
	return p
}

// UnmarshalJSON decodes a place, or a string as in records of earlier versions.
func (p *Place) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*p = Place{}
		return json.Unmarshal(data, &p.Text)
	}
	type plain Place
	return json.Unmarshal(data, (*plain)(p))
}
