package spec

import (
	"strconv"
	"strings"
	"time"
)

// What the objects of a contract may hold. Everything else is refused, see document.only.
var (
	documentKeys = allow("openapi", "info", "servers", "security", "tags", "paths", "components", "externalDocs",
		"jsonSchemaDialect")
	pathKeys = allow("summary", "description", "parameters", "get", "put", "post", "delete", "patch", "options", "head",
		"trace")
	operationKeys = allow("operationId", "summary", "description", "tags", "externalDocs", "parameters", "requestBody",
		"responses", "security", "deprecated")
	parameterKeys = allow("name", "in", "required", "description", "deprecated", "schema", "example", "examples")
	bodyKeys      = allow("description", "required", "content")
	answerKeys    = allow("description", "headers", "content", "links")
	mediaKeys     = allow("schema", "example", "examples")
	linkKeys      = allow("operationId", "parameters", "description")
)

// methodKeys are the keys of a path item that hold operations.
var methodKeys = allow("get", "put", "post", "delete", "patch", "options", "head", "trace")

// readOperations reads all operations, in the order of the document.
func (d *document) readOperations() []Operation {
	d.only("", "the document", documentKeys)
	var all []Operation
	for _, path := range d.keys("/paths", "paths") {
		item := join("/paths", path)
		if !strings.HasPrefix(path, "/") {
			fail(d.line(item), "the path %s must begin with a slash", path)
		}
		d.only(item, "the path "+path, pathKeys)
		for _, method := range d.keys(item, path) {
			if methodKeys[method] {
				all = append(all, d.readOperation(path, method))
			}
		}
	}
	if len(all) == 0 {
		fail(d.line("/paths"), "it defines no operations (paths), so there is nothing to judge")
	}
	d.checkOperations(all)
	return all
}

// checkOperations holds what concerns several operations.
func (d *document) checkOperations(all []Operation) {
	ids := map[string]string{}
	for _, op := range all {
		if first, twice := ids[op.ID]; twice {
			fail(d.line(op.Pointer), "the operationId %s is here a second time, first in line %d", op.ID, d.line(first))
		}
		ids[op.ID] = op.Pointer
	}
	for _, op := range all {
		for _, a := range op.Answers {
			for _, l := range a.Links {
				if ids[l.Operation] == "" {
					fail(d.line(a.Pointer), "the link %s leads to the operation %s, which does not exist", l.Name, l.Operation)
				}
			}
		}
	}
}

func (d *document) readOperation(path, method string) Operation {
	pointer := join("/paths", path, method)
	what := strings.ToUpper(method) + " " + path
	d.only(pointer, what, operationKeys)
	op := Operation{
		ID:         d.text(pointer, "operationId"),
		Pointer:    pointer,
		Method:     strings.ToUpper(method),
		Path:       path,
		Summary:    d.text(pointer, "summary"),
		Parameters: d.readParameters(path, pointer),
		Security:   d.readSecurity(pointer),
		Deprecated: d.truth(pointer, "deprecated"),
	}
	if op.ID == "" {
		fail(d.line(pointer), "%s has no operationId; rules and scenarios call operations by it", what)
	}
	if sunset := d.text(pointer, "x-sunset"); sunset != "" {
		day, err := time.Parse(time.DateOnly, sunset)
		if err != nil {
			fail(d.line(join(pointer, "x-sunset")), "x-sunset is %s; it must be a date such as 2030-12-05", sunset)
		}
		op.Sunset = day
	}
	if n, at := d.child(pointer, "requestBody"); n != nil {
		op.Body = d.readBody(at, "the request body of "+op.ID)
	}
	op.Answers = d.readAnswers(join(pointer, "responses"), op.ID)
	return op
}

// readParameters reads the operation's parameters and those that its path shares, which the operation's own replace.
func (d *document) readParameters(path, operation string) []Parameter {
	var all []Parameter
	own := map[string]bool{}
	for _, list := range []string{join(operation, "parameters"), join("/paths", path, "parameters")} {
		for i := range max(0, d.size(list, "parameters")) {
			p := d.readParameter(joinIndex(list, i))
			if key := p.In + " " + p.Name; !own[key] {
				own[key] = true
				all = append(all, p)
			} else if within(list, operation) {
				fail(d.line(p.Pointer), "the parameter %s is here a second time", p.Name)
			}
		}
	}
	for _, p := range all {
		if p.In == "path" && !strings.Contains(path, "{"+p.Name+"}") {
			fail(d.line(p.Pointer), "the path %s has no place for the parameter {%s}", path, p.Name)
		}
	}
	for _, name := range placeholders(path) {
		if !own["path "+name] {
			fail(d.line(operation), "the path parameter {%s} of %s is not described", name, path)
		}
	}
	return all
}

func (d *document) readParameter(pointer string) Parameter {
	at := d.follow(pointer)
	d.only(at, "a parameter", parameterKeys)
	p := Parameter{
		Name:     d.text(at, "name"),
		In:       d.text(at, "in"),
		Required: d.truth(at, "required"),
		Pointer:  pointer,
		Via:      d.way(pointer),
	}
	switch p.In {
	case "query", "path", "header":
	default:
		fail(d.line(at), "the parameter %s is in %q; query, path and header are supported", p.Name, p.In)
	}
	if p.Name == "" {
		fail(d.line(at), "a parameter has no name")
	}
	if p.In == "path" && !p.Required {
		fail(d.line(at), "the path parameter %s must have required: true", p.Name)
	}
	n, schema := d.child(at, "schema")
	if n == nil {
		fail(d.line(at), "the parameter %s has no schema", p.Name)
	}
	p.Schema = d.readSchema(schema, nil)
	return p
}

func (d *document) readBody(pointer, what string) *RequestBody {
	at := d.follow(pointer)
	d.only(at, what, bodyKeys)
	b := &RequestBody{Required: d.truth(at, "required"), Pointer: pointer, Via: d.way(pointer)}
	media, schema := d.readContent(at, what)
	if len(media) != 1 {
		fail(d.line(at), "%s must have one media type, application/json", what)
	}
	b.MediaType, b.Schema = media[0], schema
	return b
}

func (d *document) readAnswers(pointer, operation string) []Answer {
	var all []Answer
	for _, code := range d.keys(pointer, "responses") {
		use := join(pointer, code)
		status, err := strconv.Atoi(code)
		if err != nil || len(code) != 3 || status < 200 || status > 599 {
			fail(d.line(use), "%s documents a response %s; only single statuses such as 404 are supported", operation, code)
		}
		at := d.follow(use)
		what := "the response " + code + " of " + operation
		d.only(at, what, answerKeys)
		a := Answer{Status: status, Pointer: use, Via: d.way(use), Links: d.readLinks(at)}
		a.MediaTypes, a.Schema = d.readContent(at, what)
		all = append(all, a)
	}
	if len(all) == 0 {
		fail(d.line(pointer[:strings.LastIndexByte(pointer, '/')]), "%s documents no responses (responses)", operation)
	}
	return all
}

// readContent reads the JSON media type of a body and its schema.
func (d *document) readContent(pointer, what string) ([]string, *Schema) {
	content := join(pointer, "content")
	types := d.keys(content, "content")
	if len(types) == 0 {
		return nil, nil
	}
	if len(types) > 1 || !strings.EqualFold(types[0], jsonMedia) {
		fail(d.line(content), "%s has the media types %s; only %s is supported", what, strings.Join(types, ", "), jsonMedia)
	}
	media := join(content, types[0])
	d.only(media, "the content of "+what, mediaKeys)
	n, schema := d.child(media, "schema")
	if n == nil {
		fail(d.line(media), "the content of %s has no schema", what)
	}
	return types, d.readSchema(schema, nil)
}

func (d *document) readLinks(answer string) []Link {
	var all []Link
	list := join(answer, "links")
	for _, name := range d.keys(list, "links") {
		at := d.follow(join(list, name))
		d.only(at, "the link "+name, linkKeys)
		l := Link{Name: name, Operation: d.text(at, "operationId"), Parameters: map[string]string{}}
		if l.Operation == "" {
			fail(d.line(at), "the link %s names no operationId", name)
		}
		for _, parameter := range d.keys(join(at, "parameters"), "parameters") {
			value := d.text(join(at, "parameters"), parameter)
			body, ok := strings.CutPrefix(value, "$response.body#")
			if !ok {
				fail(d.line(join(at, "parameters", parameter)),
					"the link %s takes %s from %s; only $response.body#/… is supported", name, parameter, value)
			}
			l.Parameters[parameter] = body
		}
		all = append(all, l)
	}
	return all
}

// readSecurity reads which credentials an operation asks for: its own requirement, or the document's.
func (d *document) readSecurity(operation string) []Security {
	pointer := join(operation, "security")
	if _, own := d.places[pointer]; !own {
		pointer = "/security"
	}
	var all []Security
	for i := range max(0, d.size(pointer, "security")) {
		requirement := joinIndex(pointer, i)
		names := d.keys(requirement, "a security requirement")
		if len(names) == 0 {
			return nil // {} lets anybody in, whatever the other ways are
		}
		if len(names) > 1 {
			fail(d.line(requirement), "a security requirement asks for several schemes at once; one is supported")
		}
		declared := join("/components/securitySchemes", names[0])
		if _, ok := d.places[declared]; !ok {
			fail(d.line(requirement), "the security scheme %s is not declared in components", names[0])
		}
		at := d.follow(declared)
		if kind := d.text(at, "type"); kind != "http" {
			fail(d.line(at), "the security scheme %s is of type %q; only http is supported", names[0], kind)
		}
		scheme := strings.ToLower(d.text(at, "scheme"))
		if scheme != "bearer" {
			fail(d.line(at), "the security scheme %s uses HTTP %q; only bearer is supported", names[0], scheme)
		}
		all = append(all, Security{Name: names[0], Scheme: scheme, Pointer: pointer, SchemePointer: at})
	}
	return all
}

// placeholders are the names in braces in a path template.
func placeholders(path string) []string {
	var names []string
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") {
			names = append(names, segment[1:len(segment)-1])
		}
	}
	return names
}

// jsonMedia is the media type of every body that hallmark judges.
const jsonMedia = "application/json"

// contentType is the name of the header that carries a media type.
const contentType = "Content-Type"
