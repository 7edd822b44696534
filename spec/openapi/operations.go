package openapi

import (
	"strconv"
	"strings"
	"time"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// What the objects of a contract may hold. Everything else is refused, see reader.only.
var (
	documentKeys = set("openapi", "info", "servers", "security", "tags", "paths", "components", "externalDocs",
		"jsonSchemaDialect")
	pathKeys = set("summary", "description", "parameters", "get", "put", "post", "delete", "patch", "options", "head",
		"trace")
	operationKeys = set("operationId", "summary", "description", "tags", "externalDocs", "parameters", "requestBody",
		"responses", "security", "deprecated")
	parameterKeys = set("name", "in", "required", "description", "deprecated", "schema", "example", "examples")
	bodyKeys      = set("description", "required", "content")
	answerKeys    = set("description", "headers", "content", "links")
	mediaKeys     = set("schema", "example", "examples")
	linkKeys      = set("operationId", "parameters", "description")
)

// jsonMedia is the media type of every body that hallmark judges.
const jsonMedia = "application/json"

// methodKeys are the keys of a path item that hold operations.
var methodKeys = set("get", "put", "post", "delete", "patch", "options", "head", "trace")

// readOperations reads all operations, in the order of the document.
func (d reader) readOperations() []spec.Operation {
	d.only("", "the document", documentKeys)
	var all []spec.Operation
	for _, path := range d.keys("/paths", "paths") {
		item := jsonpointer.Join("/paths", path)
		if !strings.HasPrefix(path, "/") {
			fail(d.Line(item), "the path %s must begin with a slash", path)
		}
		d.only(item, "the path "+path, pathKeys)
		for _, method := range d.keys(item, path) {
			if methodKeys[method] {
				all = append(all, d.readOperation(path, method))
			}
		}
	}
	if len(all) == 0 {
		fail(d.Line("/paths"), "it defines no operations (paths), so there is nothing to judge")
	}
	d.checkOperations(all)
	return all
}

// checkOperations holds what concerns several operations.
func (d reader) checkOperations(all []spec.Operation) {
	ids := map[string]string{}
	for _, op := range all {
		if first, twice := ids[op.ID]; twice {
			fail(d.Line(op.Pointer), "the operationId %s is here a second time, first in line %d", op.ID, d.Line(first))
		}
		ids[op.ID] = op.Pointer
	}
	for _, op := range all {
		for _, a := range op.Answers {
			for _, l := range a.Links {
				if ids[l.Operation] == "" {
					fail(d.Line(a.Pointer), "the link %s leads to the operation %s, which does not exist", l.Name, l.Operation)
				}
			}
		}
	}
}

func (d reader) readOperation(path, method string) spec.Operation {
	pointer := jsonpointer.Join("/paths", path, method)
	what := strings.ToUpper(method) + " " + path
	d.only(pointer, what, operationKeys)
	op := spec.Operation{
		ID:         d.text(pointer, "operationId"),
		Pointer:    pointer,
		Method:     strings.ToUpper(method),
		Path:       path,
		Summary:    d.text(pointer, "summary"),
		Parameters: d.readParameters(path, pointer),
		Security:   d.readSecurity(pointer),
		Deprecated: d.boolean(pointer, "deprecated"),
	}
	if op.ID == "" {
		fail(d.Line(pointer), "%s has no operationId; rules and scenarios call operations by it", what)
	}
	if sunset := d.text(pointer, "x-sunset"); sunset != "" {
		day, err := time.Parse(time.DateOnly, sunset)
		if err != nil {
			fail(d.Line(jsonpointer.Join(pointer, "x-sunset")), "x-sunset is %s; it must be a date such as 2030-12-05", sunset)
		}
		op.Sunset = day
	}
	if n, at := d.Child(pointer, "requestBody"); n != nil {
		op.Body = d.readBody(at, "the request body of "+op.ID)
	}
	op.Answers = d.readAnswers(jsonpointer.Join(pointer, "responses"), op.ID)
	return op
}

// readParameters reads the operation's parameters and those that its path shares, which the operation's own replace.
func (d reader) readParameters(path, operation string) []spec.Parameter {
	var all []spec.Parameter
	own := map[string]bool{}
	for _, list := range []string{jsonpointer.Join(operation, "parameters"), jsonpointer.Join("/paths", path, "parameters")} {
		for i := range d.size(list, "parameters") {
			p := d.readParameter(jsonpointer.Index(list, i))
			if key := p.In + " " + p.Name; !own[key] {
				own[key] = true
				all = append(all, p)
			} else if jsonpointer.Within(list, operation) {
				fail(d.Line(p.Pointer), "the parameter %s is here a second time", p.Name)
			}
		}
	}
	for _, p := range all {
		if p.In == "path" && !strings.Contains(path, "{"+p.Name+"}") {
			fail(d.Line(p.Pointer), "the path %s has no place for the parameter {%s}", path, p.Name)
		}
	}
	for _, name := range placeholders(path) {
		if !own["path "+name] {
			fail(d.Line(operation), "the path parameter {%s} of %s is not described", name, path)
		}
	}
	return all
}

func (d reader) readParameter(pointer string) spec.Parameter {
	at := d.follow(pointer)
	d.only(at, "a parameter", parameterKeys)
	p := spec.Parameter{
		Name:     d.text(at, "name"),
		In:       d.text(at, "in"),
		Required: d.boolean(at, "required"),
		Pointer:  pointer,
		Via:      d.references(pointer),
	}
	switch p.In {
	case "query", "path", "header":
	default:
		fail(d.Line(at), "the parameter %s is in %q; query, path and header are supported", p.Name, p.In)
	}
	if p.Name == "" {
		fail(d.Line(at), "a parameter has no name")
	}
	if p.In == "path" && !p.Required {
		fail(d.Line(at), "the path parameter %s must have required: true", p.Name)
	}
	n, schema := d.Child(at, "schema")
	if n == nil {
		fail(d.Line(at), "the parameter %s has no schema", p.Name)
	}
	p.Edge = d.readEdge(schema)
	p.Style, p.Explode = "simple", false
	if p.In == "query" {
		p.Style, p.Explode = "form", true
	}
	return p
}

func (d reader) readBody(pointer, what string) *spec.RequestBody {
	at := d.follow(pointer)
	d.only(at, what, bodyKeys)
	b := &spec.RequestBody{Required: d.boolean(at, "required"), Pointer: pointer, Via: d.references(pointer)}
	b.Content = d.readContent(at, what)
	if len(b.Content) != 1 {
		fail(d.Line(at), "%s must have one media type, application/json", what)
	}
	return b
}

func (d reader) readAnswers(pointer, operation string) []spec.Answer {
	var all []spec.Answer
	for _, code := range d.keys(pointer, "responses") {
		use := jsonpointer.Join(pointer, code)
		status, err := strconv.Atoi(code)
		if err != nil || len(code) != 3 || status < 200 || status > 599 {
			fail(d.Line(use), "%s documents a response %s; only single statuses such as 404 are supported", operation, code)
		}
		at := d.follow(use)
		what := "the response " + code + " of " + operation
		d.only(at, what, answerKeys)
		a := spec.Answer{Key: code, Status: status, Pointer: use, Via: d.references(use), Links: d.readLinks(at)}
		a.Content = d.readContent(at, what)
		all = append(all, a)
	}
	if len(all) == 0 {
		fail(d.Line(pointer[:strings.LastIndexByte(pointer, '/')]), "%s documents no responses (responses)", operation)
	}
	return all
}

// readContent reads the JSON media type of a body and its schema.
func (d reader) readContent(pointer, what string) []spec.Media {
	content := jsonpointer.Join(pointer, "content")
	types := d.keys(content, "content")
	if len(types) == 0 {
		return nil
	}
	if len(types) > 1 || !strings.EqualFold(types[0], jsonMedia) {
		fail(d.Line(content), "%s has the media types %s; only %s is supported", what, strings.Join(types, ", "), jsonMedia)
	}
	media := jsonpointer.Join(content, types[0])
	d.only(media, "the content of "+what, mediaKeys)
	n, schema := d.Child(media, "schema")
	if n == nil {
		fail(d.Line(media), "the content of %s has no schema", what)
	}
	return []spec.Media{{Type: types[0], Pointer: media, Edge: d.readEdge(schema)}}
}

func (d reader) readLinks(answer string) []spec.Link {
	var all []spec.Link
	list := jsonpointer.Join(answer, "links")
	for _, name := range d.keys(list, "links") {
		at := d.follow(jsonpointer.Join(list, name))
		d.only(at, "the link "+name, linkKeys)
		l := spec.Link{Name: name, Operation: d.text(at, "operationId"), Parameters: map[string]string{}}
		if l.Operation == "" {
			fail(d.Line(at), "the link %s names no operationId", name)
		}
		for _, parameter := range d.keys(jsonpointer.Join(at, "parameters"), "parameters") {
			value := d.text(jsonpointer.Join(at, "parameters"), parameter)
			body, ok := strings.CutPrefix(value, "$response.body#")
			if !ok {
				fail(d.Line(jsonpointer.Join(at, "parameters", parameter)),
					"the link %s takes %s from %s; only $response.body#/… is supported", name, parameter, value)
			}
			l.Parameters[parameter] = body
		}
		all = append(all, l)
	}
	return all
}

// readSecurity reads which credentials an operation asks for: its own requirement, or the document's.
func (d reader) readSecurity(operation string) []spec.Requirement {
	pointer := jsonpointer.Join(operation, "security")
	if !d.Exists(pointer) {
		pointer = "/security"
	}
	var all []spec.Requirement
	for i := range d.size(pointer, "security") {
		requirement := jsonpointer.Index(pointer, i)
		names := d.keys(requirement, "a security requirement")
		if len(names) == 0 {
			all = append(all, nil)
			continue
		}
		if len(names) > 1 {
			fail(d.Line(requirement), "a security requirement asks for several schemes at once; one is supported")
		}
		declared := jsonpointer.Join("/components/securitySchemes", names[0])
		if !d.Exists(declared) {
			fail(d.Line(requirement), "the security scheme %s is not declared in components", names[0])
		}
		at := d.follow(declared)
		if kind := d.text(at, "type"); kind != "http" {
			fail(d.Line(at), "the security scheme %s is of type %q; only http is supported", names[0], kind)
		}
		scheme := strings.ToLower(d.text(at, "scheme"))
		if scheme != "bearer" {
			fail(d.Line(at), "the security scheme %s uses HTTP %q; only bearer is supported", names[0], scheme)
		}
		all = append(all, spec.Requirement{{Name: names[0], Type: "http", Scheme: scheme, Pointer: pointer, SchemePointer: at}})
	}
	return all
}

// placeholders returns the names in braces in a path template.
func placeholders(path string) []string {
	var names []string
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") {
			names = append(names, segment[1:len(segment)-1])
		}
	}
	return names
}
