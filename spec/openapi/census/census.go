// Package census counts what an OpenAPI document describes, in its own traversal of the text, and compares that with the contract read from
// it. It shares nothing with the reader but the text and its references, so it reveals what the reader silently ignores.
package census

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// ItemKind is the kind of a counted item.
type ItemKind string

// The kinds.
const (
	Operation   ItemKind = "operation"
	Parameter   ItemKind = "parameter"
	RequestBody ItemKind = "media type of a request"
	Response    ItemKind = "response"
	Content     ItemKind = "media type of a response"
	Header      ItemKind = "header of a response"
	PartHeader  ItemKind = "header of a part"
	Security    ItemKind = "security requirement"
)

// Item is something that the document describes.
type Item struct {
	Kind ItemKind
	// Operation is the method and the path; Name distinguishes items of one kind within it.
	Operation, Name string
	// Places holds the pointers where it is named, and those from there to its definition.
	Places []string
}

// key identifies an item.
func (i *Item) key() string { return string(i.Kind) + "\x00" + i.Operation + "\x00" + i.Name }

// Words describes the item: "the parameter query limit of GET /pets".
func (i *Item) Words() string {
	if i.Kind == Operation {
		return "the operation " + i.Operation
	}
	return "the " + string(i.Kind) + " " + i.Name + " of " + i.Operation
}

// Missing returns the items of the document that are neither in the contract nor listed in a remark. version is the OpenAPI version: 20,
// 30, 31, 32. remarks holds the pointers of what is listed as omitted or wrong.
func Missing(doc *source.Document, version int, operations []spec.Operation, remarks []string) []Item {
	known := map[string]bool{}
	for _, item := range ofContract(operations) {
		known[item.key()] = true
	}
	var all []Item
	absent := map[string]bool{}
	for _, item := range Of(doc, version) {
		if absent[item.Operation] {
			continue // the operation covers it
		}
		absent[item.Operation] = item.Kind == Operation && !known[item.key()]
		if !known[item.key()] && !item.listed(remarks) {
			known[item.key()] = true // once is enough
			all = append(all, item)
		}
	}
	return all
}

// listed reports whether a remark is about one of the places of an item, or about something within it.
func (i *Item) listed(remarks []string) bool {
	return slices.ContainsFunc(i.Places, func(place string) bool {
		return slices.ContainsFunc(remarks, func(remark string) bool { return jsonpointer.Within(remark, place) })
	})
}

// ofContract returns the items in a contract.
func ofContract(operations []spec.Operation) []Item {
	var all []Item
	for i := range operations {
		op := &operations[i]
		name := op.Method + " " + op.Path
		add := func(k ItemKind, what string) { all = append(all, Item{Kind: k, Operation: name, Name: what}) }
		content := func(k ItemKind, before string, media []spec.Media) {
			for j := range media {
				add(k, before+media[j].Type)
				for part, e := range media[j].Encoding {
					for _, h := range e.Headers {
						add(PartHeader, before+media[j].Type+" "+part+" "+strings.ToLower(h.Name))
					}
				}
			}
		}
		add(Operation, "")
		for j := range op.Parameters {
			add(Parameter, op.Parameters[j].In+" "+op.Parameters[j].Name)
		}
		if op.Body != nil {
			add(Parameter, "body")
			content(RequestBody, "", op.Body.Content)
			for j := range op.Body.Content {
				if s := op.Body.Content[j].Schema; s != nil {
					for _, p := range s.Properties {
						add(Parameter, "formData "+p.Name)
					}
				}
			}
		}
		for j := range op.Responses {
			a := &op.Responses[j]
			add(Response, strings.ToUpper(a.Key))
			content(Content, strings.ToUpper(a.Key)+" ", a.Content)
			for k := range a.Headers {
				add(Header, strings.ToUpper(a.Key)+" "+strings.ToLower(a.Headers[k].Name))
			}
		}
		for _, r := range op.Security {
			if len(r) == 0 {
				add(Security, "{}")
			}
			for _, s := range r {
				add(Security, s.Name)
			}
		}
	}
	return all
}

// methods are the members of a path item that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// fixed are the other members of a path item.
var fixed = []string{"$ref", "summary", "description", "servers", "parameters", "additionalOperations"}

// Of returns the items that a document describes, in order.
func Of(doc *source.Document, version int) []Item {
	w := walker{doc: doc, version: version}
	root := node{doc.Node(""), ""}
	for _, path := range w.members(w.child(root, "paths")) {
		if strings.HasPrefix(path.name, "x-") {
			continue
		}
		name := path.name
		if !strings.HasPrefix(name, "/") {
			name = "/" + name
		}
		items, _ := w.chain(path.node)
		for _, item := range items {
			for _, m := range own(item) {
				switch {
				case m.name == "additionalOperations":
					for _, further := range w.members(m.node) {
						w.operation(further.name+" "+name, further.node, items)
					}
				case slices.Contains(methods, m.name):
					w.operation(strings.ToUpper(m.name)+" "+name, m.node, items)
				case !slices.Contains(fixed, m.name) && !strings.HasPrefix(m.name, "x-"):
					w.addItem(Operation, strings.ToUpper(m.name)+" "+name, "", m.at)
				}
			}
		}
	}
	return w.items
}

// node is a value of the document and its pointer.
type node struct {
	*source.Node
	at string
}

// member is a member of an object.
type member struct {
	name string
	node
}

type walker struct {
	doc     *source.Document
	version int
	items   []Item
}

func (w *walker) addItem(k ItemKind, operation, name string, places ...string) {
	w.items = append(w.items, Item{k, operation, name, places})
}

// chain returns an object and the objects that its reference leads to, in order, with their pointers.
func (w *walker) chain(n node) (all []node, places []string) {
	const farthest = 20
	for range farthest {
		if n.Node == nil {
			return all, places
		}
		all, places = append(all, n), append(places, n.at)
		ref := w.child(n, "$ref")
		if ref.Node == nil || ref.Kind != source.ScalarNode {
			return all, places
		}
		target, err := w.doc.Target(ref.at, ref.Value)
		if err != nil {
			return all, places
		}
		n = node{w.doc.Node(target), target}
	}
	return all, places
}

// end returns the object that a reference leads to, or the object itself, with the pointers on the way.
func (w *walker) end(n node) (node, []string) {
	all, places := w.chain(n)
	if len(all) == 0 {
		return node{}, nil
	}
	return all[len(all)-1], places
}

// child returns a member, without a node if it is absent or null.
func (w *walker) child(n node, name string) node {
	if n.Node == nil || n.Kind != source.MappingNode {
		return node{}
	}
	if _, value := w.doc.Member(n.Node, name); value != nil && value.ShortTag() != "!!null" {
		return node{value, jsonpointer.Join(n.at, name)}
	}
	return node{}
}

// members returns the members of an object after following its references.
func (w *walker) members(n node) []member {
	n, _ = w.end(n)
	return own(n)
}

// own returns the members of an object.
func own(n node) []member {
	if n.Node == nil || n.Kind != source.MappingNode {
		return nil
	}
	var all []member
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		all = append(all, member{name, node{n.Content[i+1], jsonpointer.Join(n.at, name)}})
	}
	return all
}

// list returns the items of a list.
func (w *walker) list(n node) []node {
	if n, _ = w.end(n); n.Node == nil || n.Kind != source.SequenceNode {
		return nil
	}
	all := make([]node, len(n.Content))
	for i, item := range n.Content {
		all[i] = node{item, jsonpointer.Index(n.at, i)}
	}
	return all
}

func (w *walker) text(n node, name string) string {
	if value := w.child(n, name); value.Node != nil && value.Kind == source.ScalarNode {
		return value.Value
	}
	return ""
}

// operation counts an operation of a path with its items, including those shared by the path.
func (w *walker) operation(name string, at node, path []node) {
	op, places := w.end(at)
	w.addItem(Operation, name, "", places...)
	for _, owner := range append([]node{op}, path...) {
		for _, p := range w.list(w.child(owner, "parameters")) {
			w.parameter(name, p)
		}
	}
	if body, places := w.end(w.child(op, "requestBody")); w.version > 20 && body.Node != nil {
		w.content(RequestBody, name, "", w.child(body, "content"), places)
	}
	for _, r := range w.members(w.child(op, "responses")) {
		if strings.HasPrefix(r.name, "x-") {
			continue
		}
		key := strings.ToUpper(r.name)
		answer, places := w.end(r.node)
		w.addItem(Response, name, key, places...)
		if w.version > 20 {
			w.content(Content, name, key+" ", w.child(answer, "content"), places)
		}
		w.headers(Header, name, key+" ", answer)
	}
	w.security(name, op)
}

// parameter counts a parameter. Some headers, which other members determine, are ignored as OpenAPI prescribes.
func (w *walker) parameter(operation string, at node) {
	p, places := w.end(at)
	in, name := w.text(p, "in"), w.text(p, "name")
	switch {
	case in == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(name)):
	case in == "body":
		w.addItem(Parameter, operation, "body", places...)
	default:
		w.addItem(Parameter, operation, in+" "+name, places...)
	}
}

// content counts media types, and the headers of their parts.
func (w *walker) content(k ItemKind, operation, before string, at node, places []string) {
	for _, m := range w.members(at) {
		media, own := w.end(m.node)
		w.addItem(k, operation, before+m.name, append(own, places...)...)
		for _, part := range w.members(w.child(media, "encoding")) {
			w.headers(PartHeader, operation, before+m.name+" "+part.name+" ", part.node, places...)
		}
	}
}

// headers counts headers except Content-Type, which OpenAPI prescribes to ignore.
func (w *walker) headers(k ItemKind, operation, before string, owner node, places ...string) {
	for _, h := range w.members(w.child(owner, "headers")) {
		if _, own := w.end(h.node); !strings.EqualFold(h.name, "Content-Type") {
			w.addItem(k, operation, before+strings.ToLower(h.name), append(own, places...)...)
		}
	}
}

// security counts the schemes that an operation requires, by itself or through the document, and the alternative without any.
func (w *walker) security(operation string, op node) {
	all := w.child(op, "security")
	if all.Node == nil {
		all = w.child(node{w.doc.Node(""), ""}, "security")
	}
	for i, r := range w.list(all) {
		if r.Kind != source.MappingNode {
			w.addItem(Security, operation, strconv.Itoa(i), r.at)
			continue
		}
		schemes := w.members(r)
		if len(schemes) == 0 {
			w.addItem(Security, operation, "{}", r.at)
		}
		for _, s := range schemes {
			w.addItem(Security, operation, s.name, s.at)
		}
	}
}
