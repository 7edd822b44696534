package second

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
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
	*source.Document
	names map[string]bool
	// components are the parts of the document that references lead to, by section and name; moved holds the names of
	// those from elsewhere, by their pointers.
	components map[string]*source.Node
	moved      map[string]string
	waiting    []wanted
	size       int
}

// wanted is the target of a reference, and its place in the reduced document.
type wanted struct{ pointer, section, name string }

const (
	// maxReduced bounds a reduced document, in values.
	maxReduced = 200_000
	// maxDepth bounds its nesting, and chains of references.
	maxDepth = 400
)

var (
	errNotOpenAPI3 = errors.New("not OpenAPI 3")
	errDeep        = errors.New("the document nests too deep")
	errNumber      = errors.New("it contains a number that JSON cannot represent")
	errTooMuch     = errors.New("what the operation needs of the contract is too large for it")
)

// reduce returns the document of one operation as JSON.
func reduce(doc *source.Document, n needed) (string, error) {
	version := doc.Text("/openapi")
	if !strings.HasPrefix(version, "3.") {
		return "", errNotOpenAPI3
	}
	op := doc.Node(n.pointer)
	if op == nil || op.Kind != source.MappingNode {
		return "", errors.New("the operation was not found")
	}
	r := &reducer{Document: doc, names: n.names, components: map[string]*source.Node{}, moved: map[string]string{}}
	item := object()
	if n.side == requestSide {
		parameters, err := r.shared(n.path, n.pointer)
		if err != nil {
			return "", err
		}
		if len(parameters.Content) > 0 {
			set(item, "parameters", parameters)
		}
	}
	kept, err := r.operation(op, rootOf(n.pointer), n)
	if err != nil {
		return "", err
	}
	set(item, strings.ToLower(n.method), kept)
	out := object("openapi", textNode(version), "info", object("title", textNode("reduced"), "version", textNode("1")), "paths", object(n.path, item))
	if dialect := doc.Node("/jsonSchemaDialect"); dialect != nil {
		set(out, "jsonSchemaDialect", dialect)
	}
	if err := r.follow(); err != nil {
		return "", err
	}
	set(out, "components", r.sections())
	most := maxUnfolded
	if n.names == nil {
		most = maxWhole
	}
	if unfolded(out, most) > most {
		return "", errTooMuch
	}
	text, ok := source.JSON(out)
	if !ok {
		return "", errNumber
	}
	return text, nil
}

// rootOf returns the pointer of the file that a pointer leads into.
func rootOf(pointer string) string {
	name, _ := source.FileOf(pointer)
	if name == "" {
		return ""
	}
	return name + "#"
}

// shared returns the parameters of the path of an operation: those of its item, and of the items that its
// reference leads to, which may have siblings. The first one with a name and location counts.
func (r *reducer) shared(path, operation string) (*source.Node, error) {
	at := jsonpointer.Join("", "paths", path)
	if !r.Exists(at) {
		at = operation[:max(strings.LastIndexByte(operation, '/'), 0)]
	}
	out, known := &source.Node{Kind: source.SequenceNode}, map[[2]string]bool{}
	for range maxDepth {
		item, file := r.Node(at), rootOf(at)
		if all := member(item, "parameters"); all != nil && all.Kind == source.SequenceNode {
			for _, one := range all.Content {
				key, err := r.parameterKey(one, file)
				if err != nil {
					return nil, err
				}
				if known[key] {
					continue
				}
				known[key] = true
				value, err := r.value(one, file, "parameters", 0)
				if err != nil {
					return nil, err
				}
				out.Content = append(out.Content, value)
			}
		}
		ref := textOf(member(item, "$ref"))
		if ref == "" {
			return out, nil
		}
		var err error
		if at, err = r.Target(file, ref); err != nil {
			return nil, err
		}
	}
	return nil, errDeep
}

// parameterKey returns the place and the name of a parameter.
func (r *reducer) parameterKey(n *source.Node, file string) ([2]string, error) {
	for range maxDepth {
		ref := textOf(member(n, "$ref"))
		if ref == "" {
			return [2]string{textOf(member(n, "in")), textOf(member(n, "name"))}, nil
		}
		to, err := r.Target(file, ref)
		if err != nil {
			return [2]string{}, err
		}
		n, file = r.Node(to), rootOf(to)
	}
	return [2]string{}, errDeep
}

// operation returns the side of an operation that is judged.
func (r *reducer) operation(op *source.Node, file string, n needed) (*source.Node, error) {
	out := object()
	if n.side == responseSide {
		responses := object()
		if one := member(member(op, "responses"), n.response); one != nil {
			value, err := r.value(one, file, "responses", 0)
			if err != nil {
				return nil, err
			}
			set(responses, n.response, value)
		}
		set(out, "responses", responses)
		return out, nil
	}
	for _, name := range []string{"parameters", "requestBody"} {
		if part := member(op, name); part != nil {
			value, err := r.member(name, part, file, 0)
			if err != nil {
				return nil, err
			}
			set(out, name, value)
		}
	}
	set(out, "responses", object("default", object("description", textNode(""))))
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
		r.components[key] = nil // it may refer to itself
		value, err := r.value(r.Node(w.pointer), rootOf(w.pointer), w.section, 0)
		if err != nil {
			return err
		}
		r.components[key] = value
	}
	return nil
}

// sections returns the components.
func (r *reducer) sections() *source.Node {
	out := object()
	for _, key := range slices.Sorted(maps.Keys(r.components)) {
		section, name, _ := strings.Cut(key, "/")
		all := member(out, section)
		if all == nil {
			all = object()
			set(out, section, all)
		}
		set(all, name, r.components[key])
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
func (r *reducer) member(name string, n *source.Node, file string, depth int) (*source.Node, error) {
	switch {
	case asData[name]:
		r.size++
		return n, nil
	case byNames[name] && n.Kind == source.MappingNode:
		out := object()
		for key, item := range members(n) {
			if name == "properties" && r.names != nil && !r.names[key] {
				set(out, key, r.unread(item, file))
				continue
			}
			value, err := r.value(item, file, name, depth+1)
			if err != nil {
				return nil, err
			}
			set(out, key, value)
		}
		return out, nil
	}
	return r.value(n, file, name, depth+1)
}

// unread replaces the schema of a property that does not occur in the value: only its direction may matter.
func (r *reducer) unread(n *source.Node, file string) *source.Node {
	out := object()
	for range maxDepth {
		for _, name := range []string{"readOnly", "writeOnly"} {
			if flag := member(n, name); flag != nil && member(out, name) == nil {
				set(out, name, flag)
			}
		}
		ref := textOf(member(n, "$ref"))
		if ref == "" {
			break
		}
		to, err := r.Target(file, ref)
		if err != nil {
			break
		}
		n, file = r.Node(to), rootOf(to)
	}
	return out
}

// value returns a value of the document; under is its name.
func (r *reducer) value(n *source.Node, file, under string, depth int) (*source.Node, error) {
	if r.size++; r.size > maxReduced {
		return nil, errTooMuch
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch n.Kind {
	case source.ScalarNode:
		return n, nil
	case source.SequenceNode:
		out := &source.Node{Kind: source.SequenceNode, Content: make([]*source.Node, 0, len(n.Content))}
		for _, item := range n.Content {
			value, err := r.value(item, file, under, depth+1)
			if err != nil {
				return nil, err
			}
			out.Content = append(out.Content, value)
		}
		return out, nil
	case source.MappingNode:
	}
	out := object()
	for name, item := range members(n) {
		if leftOut[name] || strings.HasPrefix(name, "x-") {
			continue
		}
		var value *source.Node
		var err error
		if name == "$ref" && textOf(item) != "" {
			value, err = r.refer(file, textOf(item), under)
		} else {
			value, err = r.member(name, item, file, depth)
		}
		if err != nil {
			return nil, err
		}
		set(out, name, value)
	}
	return out, nil
}

// refer records the target of a reference, and returns the reference for the reduced document.
func (r *reducer) refer(file, ref, under string) (*source.Node, error) {
	to, err := r.Target(file, ref)
	if err != nil {
		return nil, err
	}
	if tokens := jsonpointer.Tokens(to); rootOf(to) == "" && len(tokens) >= 3 && tokens[0] == "components" && isPlain(to) {
		r.waiting = append(r.waiting, wanted{jsonpointer.Join("", tokens[:3]...), tokens[1], tokens[2]})
		return textNode("#" + to), nil
	}
	section := sectionOf(under)
	name, known := r.moved[to]
	if !known {
		name = "moved." + strconv.Itoa(len(r.moved))
		r.moved[to] = name
	}
	r.waiting = append(r.waiting, wanted{to, section, name})
	return textNode("#" + jsonpointer.Join("", "components", section, name)), nil
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

// member returns the value of a member of an object, or nil.
func member(n *source.Node, name string) *source.Node {
	for key, value := range members(n) {
		if key == name {
			return value
		}
	}
	return nil
}

// members returns the members of an object in order; none for other values.
func members(n *source.Node) iter.Seq2[string, *source.Node] {
	return func(yield func(string, *source.Node) bool) {
		if n == nil || n.Kind != source.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// textOf returns the text of a string, or "".
func textOf(n *source.Node) string {
	if n == nil || n.Tag != source.StringTag {
		return ""
	}
	return n.Value
}

// textNode returns a text as a node.
func textNode(text string) *source.Node {
	return &source.Node{Kind: source.ScalarNode, Tag: source.StringTag, Value: text}
}

// object returns an object of names and values in turn.
func object(pairs ...any) *source.Node {
	n := &source.Node{Kind: source.MappingNode}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		value, _ := pairs[i+1].(*source.Node)
		set(n, name, value)
	}
	return n
}

// set adds a member to an object.
func set(n *source.Node, name string, value *source.Node) {
	n.Content = append(n.Content, textNode(name), value)
}
