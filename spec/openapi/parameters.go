package openapi

import (
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/low"
	"github.com/pb33f/libopenapi/datamodel/low/base"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"
	"github.com/pb33f/libopenapi/orderedmap"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// use is a parameter and the place where an operation or its path lists it.
type use struct {
	*lowv3.Parameter
	origin
	name, in string
}

// findParameters returns the parameters of an operation and those of its path that it does not override.
func findParameters(r *reader, f found, op *lowv3.Operation) []use {
	var all []use
	own := map[string]bool{}
	for _, p := range op.Parameters.Value {
		u := use{p.Value, r.origins[p.ValueNode], p.Value.Name.Value, p.Value.In.Value}
		if u.name == "" && u.in == wire.InQuerystring { // its name appears nowhere in the query
			u.name = u.in
		}
		switch key := u.in + " " + u.name; {
		case u.name == "" || u.in == "":
			r.omit(u.at, "a parameter has no name or no location (in)")
		case !own[key]:
			own[key] = true
			all = append(all, u)
		case jsonpointer.Within(u.at.pointer, f.operation.pointer):
			r.defect(u.at, "the parameter %s is defined twice; the first is used", u.name)
		}
	}
	return all
}

// readParameters reads the parameters of an operation, except those that make up a body.
func readParameters(r *reader, f found, uses []use, secured bool) []spec.Parameter {
	var all []spec.Parameter
	path := map[string]bool{}
	for _, name := range placeholders(f.path) {
		path[name] = true
	}
	for _, u := range uses {
		switch u.in {
		case "path":
			if !path[u.name] {
				r.defect(u.at, "the path %s has no placeholder for the parameter {%s}", f.path, u.name)
				continue
			}
			delete(path, u.name)
		case "query", "cookie":
		case wire.InQuerystring:
			if orderedmap.Len(u.Content.Value) == 0 || r.version < 32 {
				r.omit(u.at, "the parameter %s is the whole query, which requires OpenAPI 3.2 and a content; it is not sent", u.name)
				continue
			}
		case "header":
			switch strings.ToLower(u.name) {
			case "accept", "content-type": // OpenAPI says to ignore them: they follow from the media types
				continue
			case "authorization":
				if !secured {
					r.omit(u.at, "OpenAPI ignores a parameter for the header %s; describe it as a security scheme", u.name)
				}
				continue
			}
		default:
			r.omit(u.at, "the parameter %s is in %q; it must be in path, query, querystring, header or cookie", u.name, u.in)
			continue
		}
		all = append(all, readParameter(r, u))
	}
	for _, name := range placeholders(f.path) {
		if path[name] {
			delete(path, name)
			r.defect(f.operation, "the path parameter {%s} of %s is not described", name, f.path)
			s := r.stub(jsonpointer.Join(f.operation.pointer, "parameters", "{"+name+"}"))
			s.Type, s.Types = "string", []string{"string"}
			all = append(all, spec.Parameter{Name: name, In: "path", Required: true, Style: "simple", Pointer: f.operation.pointer, Edge: spec.Edge{Schema: s}})
		}
	}
	return all
}

func readParameter(r *reader, u use) spec.Parameter {
	p := spec.Parameter{
		Name: u.name, In: u.in, Pointer: u.at.pointer, Via: u.via, Description: u.Description.Value, Required: u.Required.Value,
		Deprecated: u.Deprecated.Value, AllowReserved: u.AllowReserved.Value, AllowEmpty: u.AllowEmptyValue.Value,
	}
	if p.In == "path" && !p.Required {
		r.defect(u.at, "the path parameter %s must have required: true", p.Name)
		p.Required = true
	}
	p.Examples = readExamples(r, u.target, u.Example, u.Examples.Value)
	p.Edge, p.Content = readValue(r, u.target, u.Schema, u.Content, "the parameter "+p.Name)
	if p.Content == nil {
		p.Style = "simple"
		if p.In == "query" || p.In == "cookie" {
			p.Style = "form"
		}
		p.Style, p.Explode = readStyle(r, u.target, p.In, p.Style, u.Style, u.Explode)
	}
	return p
}

// styles are the styles that each location allows.
var styles = map[string][]string{
	"path":   {"simple", "label", "matrix"},
	"query":  {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
	"header": {"simple"},
	"cookie": {"form", "cookie"},
}

// readStyle reads how a value is serialized.
func readStyle(r *reader, at place, in, usual string, named low.NodeReference[string], exploded low.NodeReference[bool]) (style string, explode bool) {
	if r.version == 20 {
		return collectionFormat(r, at, in, usual)
	}
	style = usual
	switch {
	case named.ValueNode == nil:
	case slices.Contains(styles[in], named.Value):
		style = named.Value
	default:
		s, _ := r.child(at, "style")
		r.omit(s, "the style %s is not allowed in %s; %s is used", named.Value, in, usual)
	}
	if exploded.ValueNode != nil {
		return style, exploded.Value
	}
	return style, style == "form" || style == "cookie"
}

// readValue reads the schema or the media type of a parameter or a header.
func readValue(r *reader, at place, s low.NodeReference[*base.SchemaProxy], content mediaTypes, what string) (spec.Edge, *spec.Media) {
	if r.version == 20 {
		return spec.Edge{Schema: r.schemaAt(at)}, nil
	}
	if s.Value != nil {
		return r.readEdge(r.origins[s.ValueNode].at), nil
	}
	if all := readContent(r, content); len(all) > 0 {
		if len(all) > 1 {
			several, _ := r.child(at, "content")
			r.omit(several, "%s has several media types; the first is used", what)
		}
		return spec.Edge{}, &all[0]
	}
	r.omit(at, "%s has neither a schema nor a content; any value is accepted", what)
	return spec.Edge{Schema: r.stub(jsonpointer.Join(at.pointer, "schema"))}, nil
}

// placeholders returns the names in the braces of a path template.
func placeholders(path string) []string {
	var names []string
	for _, text := range placeholder.FindAllString(path, -1) {
		if name := text[1 : len(text)-1]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
