package openapi

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/pb33f/libopenapi/datamodel/low"
	"github.com/pb33f/libopenapi/datamodel/low/base"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"
)

// model is what libopenapi makes of an outline.
type model struct {
	*outline
	document *lowv3.Document
	// paths are the path items by the nodes of the outline, and securities the security schemes.
	paths      map[*yaml.Node]*lowv3.PathItem
	securities map[string]low.ValueReference[*lowv3.SecurityScheme]
}

// operationModel is an operation of a model, and the path item that holds it.
type operationModel struct {
	*lowv3.Operation
	item *lowv3.PathItem
}

// newModel has libopenapi make a model of an outline. It is given no file system and no network: all references lead to components.
func newModel(o *outline) (m *model, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%v", r)
		}
	}()
	info := &datamodel.SpecInfo{
		SpecType: "openapi", Version: "3.2.0", VersionNumeric: 3.2, SpecFormat: datamodel.OAS32, SpecFileType: datamodel.YAMLFileType,
		SpecBytes: new([]byte), RootNode: &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{o.root}},
	}
	document, wrong := lowv3.CreateDocumentFromConfig(info, &datamodel.DocumentConfiguration{
		SkipCircularReferenceCheck: true, SkipJSONConversion: true, SkipMetadataCollection: true, SkipExternalRefResolution: true,
		ExtractRefsSequentially: true, Logger: slog.New(slog.DiscardHandler),
	})
	if document == nil || document.Paths.Value == nil || document.Components.Value == nil ||
		len(document.Security.Value) != size(o.root, "security") || len(document.Servers.Value) != size(o.root, "servers") {
		return nil, errors.Join(errors.New("it does not hold all of the outline"), wrong)
	}
	m = &model{outline: o, document: document, paths: map[*yaml.Node]*lowv3.PathItem{}, securities: map[string]low.ValueReference[*lowv3.SecurityScheme]{}}
	for _, item := range document.Paths.Value.PathItems.FromOldest() {
		m.paths[item.ValueNode] = item.Value
	}
	for name, s := range document.Components.Value.SecuritySchemes.Value.FromOldest() {
		m.securities[name.Value] = s
	}
	if all := o.components["securitySchemes"]; all != nil && len(m.securities) != len(all.Content)/2 {
		return nil, errors.Join(errors.New("it does not hold all security schemes"), wrong)
	}
	return m, nil
}

// operation returns an operation of the model; false where libopenapi has none, or less than the outline holds.
func (m *model) operation(f found) (operationModel, bool) {
	item := m.paths[m.items[f.path]]
	if item == nil {
		return operationModel{}, false
	}
	var op low.NodeReference[*lowv3.Operation]
	switch f.method {
	case "GET":
		op = item.Get
	case "PUT":
		op = item.Put
	case "POST":
		op = item.Post
	case "DELETE":
		op = item.Delete
	case "OPTIONS":
		op = item.Options
	case "HEAD":
		op = item.Head
	case "PATCH":
		op = item.Patch
	case "TRACE":
		op = item.Trace
	case "QUERY":
		op = item.Query
	default:
		for name, further := range item.AdditionalOperations.Value.FromOldest() {
			if name.Value == f.method {
				op = further
			}
		}
	}
	if op.Value == nil {
		return operationModel{}, false
	}
	of := operationModel{op.Value, item}
	n, around := op.ValueNode, m.items[f.path]
	return of, len(of.Parameters.Value) == size(n, "parameters") && len(item.Parameters.Value) == size(around, "parameters") &&
		2*len(m.responses(of)) == size(n, "responses") &&
		len(of.Servers.Value) == size(n, "servers") && len(item.Servers.Value) == size(around, "servers") &&
		len(of.Security.Value) == size(n, "security") && (of.Security.KeyNode != nil) == (get(n, "security") != nil) &&
		(of.RequestBody.Value != nil) == (get(n, "requestBody") != nil)
}

// size returns how many nodes a member of a mapping holds.
func size(n *yaml.Node, name string) int {
	if n = get(n, name); n == nil {
		return 0
	}
	return len(n.Content)
}

// modelled returns what an object of a model stands for in the document.
func modelled[T any](m *model, v low.ValueReference[T]) origin {
	if v.IsReference() {
		return m.origins[v.GetReferenceNode()]
	}
	return m.origins[v.ValueNode]
}

// body returns what the body of an operation stands for.
func (m *model) body(op operationModel) origin {
	if op.RequestBody.IsReference() {
		return m.origins[op.RequestBody.GetReferenceNode()]
	}
	return m.origins[op.RequestBody.ValueNode]
}

// response is a documented response: its key, and what it stands for.
type response struct {
	key string
	origin
}

// responses returns the responses of an operation in the order of the document.
func (m *model) responses(op operationModel) []response {
	if op.Responses.Value == nil {
		return nil
	}
	keys := map[*yaml.Node]bool{}
	for key := range op.Responses.Value.Codes.KeysFromOldest() {
		keys[key.KeyNode] = true
	}
	if key := op.Responses.Value.Default.KeyNode; key != nil {
		keys[key] = true
	}
	var all []response
	for i, key := range op.Responses.ValueNode.Content {
		if keys[key] {
			all = append(all, response{key.Value, m.origins[op.Responses.ValueNode.Content[i+1]]})
		}
	}
	return all
}

// security returns the requirements of an operation: its own, or those of the document.
func (m *model) security(op operationModel) (all []low.ValueReference[*base.SecurityRequirement], own bool) {
	if op.Security.KeyNode != nil {
		return op.Security.Value, true
	}
	return m.document.Security.Value, false
}
