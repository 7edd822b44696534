package second

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// documents are the files of a contract. They are read when they are needed: of a JSON text only the places that are.
type documents struct {
	own   string
	texts map[string]string
	files map[string]*file
}

// file is one file of the contract.
type file struct {
	root *node // nil for a JSON text
	text string
	// parts maps the pointers of values that references may lead to to their positions in a JSON text; read holds
	// those already parsed.
	parts map[string][2]int
	read  map[string]*node
}

// partDepth is the depth of such parts by the name of the document's member; 1 for others.
var partDepth = map[string]int{"paths": 2, "components": 3, "definitions": 2, "webhooks": 2, "responses": 2, "parameters": 2}

// file returns a file by its name; the document itself has none.
func (d *documents) file(name string) (*file, error) {
	if f := d.files[name]; f != nil {
		return f, nil
	}
	text, ok := d.texts[name]
	if !ok {
		return nil, fmt.Errorf("it refers to %s, which is not there", name)
	}
	f := &file{text: text, read: map[string]*node{}}
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") && f.divide() == nil {
		d.files[name] = f
		return f, nil
	}
	root, err := parseYAML([]byte(text))
	if err != nil {
		return nil, err
	}
	f.root, f.parts = root, nil
	d.files[name] = f
	return f, nil
}

// divide finds the parts of a JSON text.
func (f *file) divide() error {
	f.parts = map[string][2]int{}
	dec := jsontext.NewDecoder(bytes.NewReader([]byte(f.text)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return f.walk(dec, "", 0, 1)
}

// walk records the parts below an object, down to a depth.
func (f *file) walk(dec *jsontext.Decoder, at string, depth, most int) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		pointer, limit := jsonpointer.Join(at, key), most
		if depth == 0 {
			limit = max(partDepth[key], 1)
		}
		if depth+1 < limit && dec.PeekKind() == '{' {
			if err := f.walk(dec, pointer, depth+1, limit); err != nil {
				return err
			}
			continue
		}
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		end := int(dec.InputOffset())
		f.parts[pointer] = [2]int{end - len(raw), end}
	}
	_, err := dec.ReadToken()
	return err
}

// lookup returns the node at a pointer of a file, or nil.
func (d *documents) lookup(name, pointer string) (*node, error) {
	f, err := d.file(name)
	if err != nil {
		return nil, err
	}
	if f.root != nil {
		return f.root.at(pointer), nil
	}
	tokens := jsonpointer.Tokens(pointer)
	for depth := min(3, len(tokens)); depth > 0; depth-- {
		part := jsonpointer.Join("", tokens[:depth]...)
		span, there := f.parts[part]
		if !there {
			continue
		}
		n := f.read[part]
		if n == nil {
			if n, err = parseJSON([]byte(f.text[span[0]:span[1]])); err != nil {
				return nil, err
			}
			f.read[part] = n
		}
		return n.at(jsonpointer.Join("", tokens[depth:]...)), nil
	}
	if pointer == "" && f.parts != nil {
		return parseJSON([]byte(f.text))
	}
	return nil, nil
}

// place is a place in the contract: a file and a pointer.
type place struct{ file, pointer string }

// placeOf parses a pointer of the contract, which begins with the name of a file if it is outside the document
// itself.
func placeOf(pointer string) place {
	if pointer == "" || pointer[0] == '/' {
		return place{"", pointer}
	}
	name, within, _ := strings.Cut(pointer, "#")
	return place{name, within}
}

// target returns the place that a reference in a file leads to.
func (d *documents) target(from, ref string) place {
	address, fragment, _ := strings.Cut(ref, "#")
	if address == "" {
		return place{from, unescape(fragment)}
	}
	name := path.Join(path.Dir(from), unescape(address))
	if name == d.own {
		name = ""
	}
	return place{name, unescape(fragment)}
}

// unescape decodes the percent-encoding of part of a reference.
func unescape(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
