package second

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// side is the side of an exchange that is judged.
type side byte

const (
	requestSide side = iota
	responseSide
)

// needed is what the reduced document of an operation must contain.
type needed struct {
	method, path, pointer string
	side                  side
	// response is the key of the documented response ("200", "4XX", "default"), or empty.
	response string
	// names holds the member names in the value; others need no schema. nil means all.
	names map[string]bool
}

// reducer makes the document of one operation. It omits what does not affect the judgement: descriptions,
// examples, the other side of the exchange, and everything without a reference to it.
type reducer struct {
	*documents
	names map[string]bool
	// components are the parts of the document that references lead to, by section and name; moved are those from
	// elsewhere.
	components map[string]*node
	moved      map[place]string
	waiting    []wanted
	size       int
}

// wanted is the target of a reference, and its place in the reduced document.
type wanted struct {
	from          place
	section, name string
}

// maxReduced bounds a reduced document, in values.
const maxReduced = 200_000

var (
	errNotOpenAPI3 = errors.New("not OpenAPI 3")
	errTooMuch     = errors.New("what the operation needs of the contract is too large for it")
)

// reduce returns the document of one operation as JSON.
func (d *documents) reduce(n needed) ([]byte, error) {
	version, err := d.lookup("", "/openapi")
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(version.text(), "3.") {
		return nil, errNotOpenAPI3
	}
	at := placeOf(n.pointer)
	op, err := d.lookup(at.file, at.pointer)
	if err != nil {
		return nil, err
	}
	if op == nil || op.kind != objectKind {
		return nil, errors.New("the operation was not found")
	}
	r := &reducer{documents: d, names: n.names, components: map[string]*node{}, moved: map[place]string{}}
	item := object()
	if n.side == requestSide {
		parameters, err := r.shared(n.path, at)
		if err != nil {
			return nil, err
		}
		if len(parameters.items) > 0 {
			item.set("parameters", parameters)
		}
	}
	kept, err := r.operation(op, at.file, n)
	if err != nil {
		return nil, err
	}
	item.set(strings.ToLower(n.method), kept)
	doc := object("openapi", version, "info", object("title", textNode("reduced"), "version", textNode("1")), "paths", object(n.path, item))
	if dialect, err := d.lookup("", "/jsonSchemaDialect"); err == nil && dialect != nil {
		doc.set("jsonSchemaDialect", dialect)
	}
	if err := r.follow(); err != nil {
		return nil, err
	}
	doc.set("components", r.sections())
	most := maxUnfolded
	if n.names == nil {
		most = maxWhole
	}
	if unfolded(doc, most) > most {
		return nil, errTooMuch
	}
	return doc.append(nil), nil
}

// shared returns the parameters of the path of an operation: those of its item, and of the items that its
// reference leads to, which may have siblings. The first one with a name and location counts.
func (r *reducer) shared(path string, operation place) (*node, error) {
	at := place{"", jsonpointer.Join("", "paths", path)}
	item, err := r.lookup(at.file, at.pointer)
	if err != nil {
		return nil, err
	}
	if item == nil {
		at = place{operation.file, operation.pointer[:max(strings.LastIndexByte(operation.pointer, '/'), 0)]}
	}
	out, known := &node{kind: arrayKind}, map[[2]string]bool{}
	for range maxDepth {
		if item, err = r.lookup(at.file, at.pointer); err != nil || item == nil {
			return out, err
		}
		if all := item.member("parameters"); all != nil && all.kind == arrayKind {
			for _, one := range all.items {
				key, err := r.parameterKey(one, at.file)
				if err != nil {
					return nil, err
				}
				if known[key] {
					continue
				}
				known[key] = true
				value, err := r.value(one, at.file, "parameters", 0)
				if err != nil {
					return nil, err
				}
				out.items = append(out.items, value)
			}
		}
		ref := item.member("$ref").text()
		if ref == "" {
			return out, nil
		}
		at = r.target(at.file, ref)
	}
	return nil, errDeep
}

// parameterKey returns the place and the name of a parameter.
func (r *reducer) parameterKey(n *node, file string) ([2]string, error) {
	for range maxDepth {
		ref := n.member("$ref").text()
		if ref == "" {
			return [2]string{n.member("in").text(), n.member("name").text()}, nil
		}
		to := r.target(file, ref)
		found, err := r.lookup(to.file, to.pointer)
		if err != nil {
			return [2]string{}, err
		}
		if found == nil {
			return [2]string{}, fmt.Errorf("it refers to %s#%s, where nothing is", to.file, to.pointer)
		}
		n, file = found, to.file
	}
	return [2]string{}, errDeep
}

// operation returns the side of an operation that is judged.
func (r *reducer) operation(op *node, file string, n needed) (*node, error) {
	out := object()
	if n.side == responseSide {
		responses := object()
		if one := op.member("responses").member(n.response); one != nil {
			value, err := r.value(one, file, "responses", 0)
			if err != nil {
				return nil, err
			}
			responses.set(n.response, value)
		}
		out.set("responses", responses)
		return out, nil
	}
	keep := []string{"parameters", "requestBody"}
	for _, name := range keep {
		if member := op.member(name); member != nil {
			value, err := r.member(name, member, file, 0)
			if err != nil {
				return nil, err
			}
			out.set(name, value)
		}
	}
	out.set("responses", object("default", object("description", textNode(""))))
	return out, nil
}

// follow includes the targets of references until there are no new ones.
func (r *reducer) follow() error {
	for len(r.waiting) > 0 {
		w := r.waiting[0]
		r.waiting = r.waiting[1:]
		key := w.section + "/" + w.name
		if _, done := r.components[key]; done {
			continue
		}
		found, err := r.lookup(w.from.file, w.from.pointer)
		if err != nil {
			return err
		}
		if found == nil {
			return fmt.Errorf("it refers to %s#%s, where nothing is", w.from.file, w.from.pointer)
		}
		r.components[key] = nil // it may refer to itself
		value, err := r.value(found, w.from.file, w.section, 0)
		if err != nil {
			return err
		}
		r.components[key] = value
	}
	return nil
}

// sections returns the components.
func (r *reducer) sections() *node {
	out := object()
	for _, key := range slices.Sorted(maps.Keys(r.components)) {
		section, name, _ := strings.Cut(key, "/")
		all := out.member(section)
		if all == nil {
			all = object()
			out.set(section, all)
		}
		all.set(name, r.components[key])
	}
	return out
}

// How the members of an object are read, by their names: those that hold objects under arbitrary names, those that
// hold values of the user's, and those that are omitted.
var (
	byNames = map[string]bool{
		"properties": true, "patternProperties": true, "$defs": true, "definitions": true, "dependentSchemas": true, "content": true, "headers": true,
		"responses": true, "encoding": true,
	}
	asData  = map[string]bool{"enum": true, "const": true, "default": true, "required": true, "discriminator": true}
	leftOut = map[string]bool{
		"description": true, "summary": true, "title": true, "example": true, "examples": true, "externalDocs": true, "links": true, "xml": true,
		"callbacks": true, "servers": true, "security": true, "tags": true, "$comment": true,
	}
)

// member returns a member of an object of the document.
func (r *reducer) member(name string, n *node, file string, depth int) (*node, error) {
	switch {
	case asData[name]:
		r.size++
		return n, nil
	case byNames[name] && n.kind == objectKind:
		out := &node{kind: objectKind, keys: n.keys}
		for i, item := range n.items {
			if name == "properties" && r.names != nil && !r.names[n.keys[i]] {
				out.items = append(out.items, r.unread(item, file))
				continue
			}
			value, err := r.value(item, file, name, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, value)
		}
		return out, nil
	}
	return r.value(n, file, name, depth+1)
}

// unread replaces the schema of a property that does not occur in the value: only its direction may matter.
func (r *reducer) unread(n *node, file string) *node {
	out := object()
	for range maxDepth {
		for _, name := range []string{"readOnly", "writeOnly"} {
			if flag := n.member(name); flag != nil && out.member(name) == nil {
				out.set(name, flag)
			}
		}
		ref := n.member("$ref").text()
		if ref == "" {
			break
		}
		to := r.target(file, ref)
		found, err := r.lookup(to.file, to.pointer)
		if err != nil || found == nil {
			break
		}
		n, file = found, to.file
	}
	return out
}

// value returns a value of the document; under is its name.
func (r *reducer) value(n *node, file, under string, depth int) (*node, error) {
	if r.size++; r.size > maxReduced {
		return nil, errTooMuch
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch n.kind {
	case scalarKind:
		return n, nil
	case arrayKind:
		out := &node{kind: arrayKind, items: make([]*node, 0, len(n.items))}
		for _, item := range n.items {
			value, err := r.value(item, file, under, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, value)
		}
		return out, nil
	case objectKind:
	}
	out := &node{kind: objectKind}
	for i, name := range n.keys {
		if leftOut[name] || strings.HasPrefix(name, "x-") {
			continue
		}
		item := n.items[i]
		if name == "$ref" && item.text() != "" {
			out.set(name, textNode(r.refer(file, item.text(), under)))
			continue
		}
		value, err := r.member(name, item, file, depth)
		if err != nil {
			return nil, err
		}
		out.set(name, value)
	}
	return out, nil
}

// refer records the target of a reference, and returns the reference for the reduced document.
func (r *reducer) refer(file, ref, under string) string {
	to := r.target(file, ref)
	if tokens := jsonpointer.Tokens(to.pointer); to.file == "" && len(tokens) >= 3 && tokens[0] == "components" && isPlain(to.pointer) {
		r.waiting = append(r.waiting, wanted{place{"", jsonpointer.Join("", tokens[:3]...)}, tokens[1], tokens[2]})
		return "#" + to.pointer
	}
	section := sectionOf(under)
	name, known := r.moved[to]
	if !known {
		name = "moved." + strconv.Itoa(len(r.moved))
		r.moved[to] = name
	}
	r.waiting = append(r.waiting, wanted{to, section, name})
	return "#" + jsonpointer.Join("", "components", section, name)
}

// sectionOf returns the section of the components that an object belongs to, by its name.
func sectionOf(under string) string {
	switch under {
	case "parameters", "headers", "responses":
		return under
	case "requestBody", "requestBodies":
		return "requestBodies"
	}
	return "schemas"
}

// isPlain reports whether a pointer needs no escaping in a reference.
func isPlain(pointer string) bool {
	return strings.IndexFunc(pointer, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("/._-", r)
	}) < 0
}
