package phrase

import (
	"bytes"
	"encoding/json"
	"strconv"

	"hallmark/internal/text"
)

// Place is where something is wrong: a response, and a part of it.
type Place struct {
	// Method and Path are those of the request; the path is the one below the base URL, with the query.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Status is the response's; 0 where none came.
	Status int `json:"status,omitempty"`
	// Pointer is the JSON Pointer (RFC 6901) of a place in the body, Header the name of a header, Part any other part, or what
	// was asked, in words. At most one is set.
	Pointer string `json:"pointer,omitempty"`
	Header  string `json:"header,omitempty"`
	Part    string `json:"part,omitempty"`
	// Text is the whole place as a record of an earlier version names it, which held prose.
	Text string `json:"text,omitempty"`
}

// IsZero reports whether there is no place.
func (p Place) IsZero() bool { return p == Place{} }

// At returns the place in the body that a JSON Pointer leads to; without one, the whole response.
func (p Place) At(pointer string) Place {
	p.Pointer = pointer
	return p
}

// OfHeader returns the place of a header.
func (p Place) OfHeader(name string) Place {
	p.Header = name
	return p
}

// In returns the place of a part that words name.
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

// Map returns the place with each of its texts changed.
func (p Place) Map(change func(string) string) Place {
	for _, text := range []*string{&p.Path, &p.Pointer, &p.Header, &p.Part, &p.Text} {
		*text = change(*text)
	}
	return p
}

// UnmarshalJSON reads a place, or a string, as records of earlier versions hold in its place.
func (p *Place) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*p = Place{}
		return json.Unmarshal(data, &p.Text)
	}
	type plain Place
	return json.Unmarshal(data, (*plain)(p))
}
