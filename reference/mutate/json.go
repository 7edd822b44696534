package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// Middleware changes JSON as trees: map[string]any, []any, string, json.Number, bool, nil. Numbers stay as they
// are written, so that no digit is lost.

// Number is n as a JSON tree has it.
func Number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// ReadJSON reads one JSON text.
func ReadJSON(text []byte) (tree any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return tree, true
}

// WriteJSON writes a tree as JSON, with nothing escaped that need not be.
func WriteJSON(tree any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(tree); err != nil {
		return []byte("null") // no tree of these types does that
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// SetJSON replaces the body of the response.
func (x *Exchange) SetJSON(tree any) { x.Answer = WriteJSON(tree) }

// Edit calls f with the JSON body of the response. Any other body is left unchanged.
func (x *Exchange) Edit(f func(tree any) any) {
	if tree, ok := ReadJSON(x.Answer); ok {
		x.SetJSON(f(tree))
	}
}

// Sent returns the object in the request's body, or nil if the body is not an object.
func (x *Exchange) Sent() map[string]any {
	tree, _ := ReadJSON(x.Body)
	object, _ := tree.(map[string]any)
	return object
}
