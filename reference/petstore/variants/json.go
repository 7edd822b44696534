package variants

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"hallmark/reference/petstore"
)

// Middleware changes JSON as trees: map[string]any, []any, string, json.Number, bool, nil. Numbers stay the text that they
// are, so that no digit is lost.

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// readTree reads one JSON text.
func readTree(text []byte) (tree any, ok bool) {
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

// writeTree writes a tree as JSON, with nothing escaped that need not be.
func writeTree(tree any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(tree); err != nil {
		return []byte("null") // no tree of these types does that
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// setJSON replaces the body of the response.
func (x *exchange) setJSON(tree any) { x.answer = writeTree(tree) }

// edit lets f change the JSON body of the response; a body that is none stays as it is.
func (x *exchange) edit(f func(tree any) any) {
	if tree, ok := readTree(x.answer); ok {
		x.setJSON(f(tree))
	}
}

// sent is the object that was sent; nil when the body is none.
func (x *exchange) sent() map[string]any {
	tree, _ := readTree(x.body)
	object, _ := tree.(map[string]any)
	return object
}

// editItems lets f change each animal of a response: every item of a list, or the one.
func (x *exchange) editItems(f func(i int, pet map[string]any)) {
	if x.status/100 != 2 {
		return
	}
	x.edit(func(tree any) any {
		switch t := tree.(type) {
		case []any:
			for i, item := range t {
				if pet, ok := item.(map[string]any); ok {
					f(i, pet)
				}
			}
		case map[string]any:
			f(0, t)
		}
		return tree
	})
}

// editList lets f change the items of a list.
func (x *exchange) editList(f func(items []any) any) {
	if x.operation != listPets || x.status != 200 {
		return
	}
	x.edit(func(tree any) any {
		if items, ok := tree.([]any); ok {
			return f(items)
		}
		return tree
	})
}

// editError lets f change the Error body of a response.
func (x *exchange) editError(f func(body map[string]any)) {
	if x.status < 400 {
		return
	}
	x.edit(func(tree any) any {
		if body, ok := tree.(map[string]any); ok {
			f(body)
		}
		return tree
	})
}

// rawNumber is a JSON number, digit for digit.
func rawNumber(text string) json.Number { return json.Number(text) }

// rename changes the name of an animal in a response.
func rename(pet map[string]any, f func(string) string) {
	if name, ok := pet["name"].(string); ok {
		pet["name"] = f(name)
	}
}

func capitalise(pet map[string]any) { rename(pet, strings.ToUpper) }

// idIn is the id of an animal in a response.
func idIn(pet map[string]any) (int64, bool) {
	n, ok := pet["id"].(json.Number)
	if !ok {
		return 0, false
	}
	return petstore.ParseInteger(string(n))
}
