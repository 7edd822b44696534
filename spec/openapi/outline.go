package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel/low"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	phrase "github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// An outline builds the nodes that a libopenapi model is built from: a copy of one object of the document and everything below it,
// with empty objects in place of schemas and examples. The copy differs from the document where libopenapi 0.42.4 would lose information:
//
//   - References are replaced by their targets. libopenapi ignores the siblings of a reference, and drops a whole list if one reference in it dangles.
//   - Unknown members are left out. libopenapi would use them for missing members with similar names, and ignores case when it matches names.
//   - Members of the wrong kind are left out and reported. libopenapi reads an object as "" and "true" as no boolean.
//   - Names chosen by the document get a prefix. libopenapi skips names that begin with x- and takes others for missing members.
type outline struct {
	*reader
	// inPart reports whether the outline is of the headers of a part of a body.
	inPart bool
}

// origin is where a node of an outline comes from.
type origin struct {
	// at is where the object is used, target where it is defined, and via the pointers of the references between them.
	at, target place
	via        []string
	// lost reports that there is no such object: a reference cannot be followed, or the value has the wrong kind.
	lost bool
}

// chosen is the prefix of names chosen by the document.
const chosen = "="

// field is the type of a member: one of the following, or the kind of the objects that it maps names to.
type field string

const (
	textField   field = "a string"
	proseField  field = "a text for people, of any kind"
	flagField   field = "a boolean"
	schemaField field = "a schema"
	valueField  field = "any value, null included"
	textsField  field = "strings by name"
	unreadField field = "something that hallmark does not support"
)

// fields are the supported members of each kind of object, in OpenAPI 3 and Swagger 2.0.
var fields = map[field]map[string]field{
	"parameter": {
		"name": textField, "in": textField, "description": proseField, "required": flagField, "deprecated": flagField, "style": textField,
		"explode": flagField, "allowReserved": flagField, "allowEmptyValue": flagField, "schema": schemaField, "content": "media type",
		"example": valueField, "examples": "example",
	},
	"header": {
		"description": proseField, "required": flagField, "deprecated": flagField, "style": textField, "explode": flagField, "schema": schemaField,
		"content": "media type", "example": valueField, "examples": "example",
	},
	"request body": {"description": proseField, "required": flagField, "content": "media type"},
	"response":     {"description": proseField, "headers": "header", "content": "media type", "links": "link"},
	"media type": {
		"schema": schemaField, "itemSchema": schemaField, "example": valueField, "examples": "example", "encoding": "encoding",
		"itemEncoding": unreadField, "prefixEncoding": unreadField,
	},
	"encoding":        {"contentType": textField, "style": textField, "explode": flagField, "allowReserved": flagField, "headers": "header"},
	"example":         {"value": valueField, "dataValue": valueField},
	"link":            {"operationId": textField, "operationRef": textField, "parameters": textsField, "requestBody": proseField},
	"server":          {"url": textField, "variables": "server variable"},
	"server variable": {"default": textField},
	"security scheme": {
		"type": textField, "scheme": textField, "bearerFormat": textField, "in": textField, "name": textField, "openIdConnectUrl": textField,
	},
}

// modelOf returns the libopenapi model of an outline. An outline has no references, so libopenapi needs no file system, network or index.
func modelOf[T any, P low.Buildable[T]](n *yaml.Node) (m P, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	m = new(T)
	return m, errors.Join(low.BuildModel(n, m), m.Build(context.Background(), nil, n, nil))
}

// operation returns the model of an operation, including the parameters of its path.
func (o *outline) operation(f found) (*lowv3.Operation, error) {
	o.nulls(f.operation, "parameters", "requestBody", "security", "servers", "consumes", "produces")
	parameters, n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, mapping()
	for _, item := range f.items {
		o.nulls(item, "parameters", "servers")
	}
	for _, owner := range append([]place{f.operation}, f.items...) {
		for _, at := range o.list(owner, "parameters") {
			if p := o.referred(at, "parameter"); !o.origins[p].lost {
				parameters.Content = append(parameters.Content, p)
			}
		}
	}
	put(n, "parameters", parameters)
	body, ok := o.child(f.operation, "requestBody")
	if ok = ok && o.version >= 30 && !ignoresBody(o.version, f.method); ok {
		b := o.referred(body, "request body")
		if ok = !o.origins[b].lost; ok {
			put(n, "requestBody", b)
		}
	}
	responses := o.responses(f)
	put(n, "responses", responses)
	op, err := modelOf[lowv3.Operation](n)
	if err == nil && (len(op.Parameters.Value) != len(parameters.Content) || (op.RequestBody.Value != nil) != ok ||
		op.Responses.Value == nil || 2*op.Responses.Value.Codes.Len() != len(responses.Content)) {
		err = errors.New("it does not hold all of the outline")
	}
	return op, err
}

// responses returns the documented responses of an operation.
func (o *outline) responses(f found) *yaml.Node {
	all, seen := mapping(), map[string]bool{}
	responses, ok := o.part(f.operation, "responses")
	if !ok || responses.node.Kind == source.MappingNode && len(responses.node.Content) == 0 {
		o.defect(f.operation, "%s %s documents no responses", f.method, f.path)
		return all
	}
	for _, m := range o.reader.object(responses, "responses") {
		key, ok := answerKey(m.name)
		switch {
		case strings.HasPrefix(m.name, "x-"):
		case !ok:
			o.omit(m.place, "%s is neither a status, a range of statuses nor default", m.name)
		case seen[key]:
			o.omit(m.place, "the response %s is defined twice; the first is used", m.name)
		default:
			seen[key] = true
			put(all, chosen+key, o.referred(m.place, "response"))
		}
	}
	return all
}

// answerKey normalizes a key of responses: a status, a range such as 4XX, or default. It reports false for any other key.
func answerKey(name string) (key string, ok bool) {
	key = strings.ToUpper(name)
	if key == "DEFAULT" {
		return "default", true
	}
	if len(key) == 3 && key[0] >= '1' && key[0] <= '5' && key[1:] == "XX" {
		return key, true
	}
	status, err := strconv.Atoi(key)
	return key, err == nil && len(key) == 3 && status >= 100 && status <= 599
}

// ignoresBody reports whether the requestBody of a method is ignored. HTTP defines no meaning for the body of GET and HEAD requests and
// forbids one for TRACE (RFC 9110, section 9.3). OpenAPI 3.0 also ignores it for DELETE; 3.1 permits but discourages it.
func ignoresBody(version int, method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodTrace:
		return true
	case http.MethodDelete:
		return version == 30
	}
	return false
}

// needed are the kinds of objects that mean nothing when empty and are left out. Empty objects of other kinds still document a response
// status or a media type.
var needed = []field{"parameter", "header", "link", "request body"}

// referred returns the outline of the object at a place, following references.
func (o *outline) referred(at place, kind field) *yaml.Node {
	target, via, ok := o.resolve(at)
	n := mapping()
	switch {
	case !ok:
	case target.node.Kind != source.MappingNode && slices.Contains(needed, kind):
		o.omit(target, "%s must be an object, not %s", phrase.WithArticle(string(kind)), source.Describe(target.node))
		ok = false
	default:
		n = o.object(target, kind)
	}
	o.origins[n] = origin{at: at, target: target, via: via, lost: !ok}
	return n
}

// object returns the outline of an object of a kind.
func (o *outline) object(p place, kind field) *yaml.Node {
	n := mapping()
	if p.node.Kind != source.MappingNode {
		o.omit(p, "%s must be an object, not %s; it is read as an empty one", phrase.WithArticle(string(kind)), source.Describe(p.node))
		return n
	}
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		name, value := p.node.Content[i].Value, p.node.Content[i+1]
		f := fields[kind][name]
		if f == "" {
			continue
		}
		at := place{value, jsonpointer.Join(p.pointer, name), int(p.node.Content[i].Line)}
		if isNull(value) && f != valueField {
			if f != textField && f != proseField && f != flagField { // null is common for these and unambiguous
				o.absent(at, name)
			}
			continue
		}
		switch f {
		case textField:
			if text := o.text(p, name); value.Kind == source.ScalarNode {
				put(n, name, scalar(text))
			}
		case proseField:
			put(n, name, scalar(o.prose(p, name)))
		case flagField:
			flag := o.boolean(p, name)
			if _, is := boolOf(value); is {
				put(n, name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(flag)})
			}
		case schemaField, valueField:
			whole := mapping()
			o.origins[whole] = origin{at: at, target: at}
			put(n, name, whole)
		case textsField:
			texts := mapping()
			for _, m := range o.objectAt(p, name) {
				put(texts, chosen+m.name, scalar(m.node.Value))
			}
			put(n, name, texts)
		case unreadField:
			o.omit(at, "%s is not understood", name)
		default:
			put(n, name, o.named(p, name, f))
		}
	}
	return n
}

// named returns the outlines of the objects in a member that maps names to objects.
func (o *outline) named(p place, name string, kind field) *yaml.Node {
	all := mapping()
	if kind == "example" && o.version == 20 { // its examples are keyed by media type
		return all
	}
	for _, m := range o.objectAt(p, name) {
		switch kind {
		case "encoding":
			if o.inPart { // its headers may refer back to this one
				o.omit(m.place, "the header of a part cannot have parts itself")
				continue
			}
			o.inPart = true
			put(all, chosen+m.name, o.object(m.place, kind))
			o.inPart = false
		case "server variable":
			put(all, chosen+m.name, o.object(m.place, kind))
		default:
			put(all, chosen+m.name, o.referred(m.place, kind))
		}
	}
	return all
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: value}
}

// put adds a member to a mapping.
func put(n *yaml.Node, name string, value *yaml.Node) {
	n.Content = append(n.Content, scalar(name), value)
}
