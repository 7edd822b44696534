package openapi

import (
	"regexp"
	"slices"
	"strings"
	"time"

	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	phrase "github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// methods are the keys of a path item that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// shared are the other members of a path item.
var shared = []string{"$ref", "summary", "description", "servers", "parameters", "additionalOperations"}

// token is a token of HTTP (RFC 9110, section 5.6.2).
var token = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// found is an operation that has been located but not yet read.
type found struct {
	id, path, method string
	operation        place
	// items are the path item and those that it refers to; together they are one path item.
	items []place
	// named are the methods that the path defines.
	named []string
}

// findOperations returns all operations in document order, with their ids.
func findOperations(r *reader) []found {
	var all []found
	for _, path := range r.objectAt(r.placeAt(""), "paths") {
		if strings.HasPrefix(path.name, "x-") {
			continue
		}
		items := pathItems(r, path.place)
		var here []found
		var named []string
		add := func(method string, at place) {
			if slices.ContainsFunc(here, func(f found) bool { return f.method == method }) {
				r.defect(at, "%s %s is defined both beside the reference of its path and in its target; the first is used", method, path.name)
				return
			}
			here = append(here, found{path: path.name, method: method, items: items, operation: at})
		}
		for _, m := range membersOf(r, items, "the path "+path.name) {
			if slices.Contains(methods, m.name) {
				named = append(named, strings.ToUpper(m.name))
			}
			switch {
			case m.name == "additionalOperations":
				for _, further := range r.object(m.place, m.name) {
					if !token.MatchString(further.name) {
						r.defect(further.place, "%q is not a method name", further.name)
						continue
					}
					// As written: method names are case-sensitive (RFC 9110, section 9.1).
					add(further.name, further.place)
				}
			case m.name == "query" && r.version < 32:
				r.omit(m.place, "QUERY %s is ignored: the method requires OpenAPI 3.2", path.name)
			case slices.Contains(methods, m.name) && isNull(m.node):
				r.omit(m.place, "%s %s is ignored: it is null; an operation must be an object with responses", strings.ToUpper(m.name), path.name)
			case slices.Contains(methods, m.name):
				if operation, _, ok := r.resolve(m.place); ok {
					add(strings.ToUpper(m.name), operation)
				}
			case !slices.Contains(shared, m.name) && !strings.HasPrefix(m.name, "x-"):
				named = append(named, strings.ToUpper(r.unknownMember(m, path.name)))
			}
		}
		for i := range here {
			here[i].named = named
		}
		all = append(all, here...)
		if !strings.HasPrefix(path.name, "/") {
			r.defect(path.place, "the path %s must begin with a slash", path.name)
		}
	}
	all = slices.DeleteFunc(all, func(f found) bool {
		members := len(r.object(f.operation, f.method+" "+f.path))
		if members == 0 && f.operation.node.Kind == source.MappingNode {
			r.omit(f.operation, "%s %s is ignored: it is an empty object; an operation must have responses", f.method, f.path)
		}
		return members == 0
	})
	identify(r, all)
	return all
}

// unknownMember reports a member of a path item that OpenAPI does not define. It returns the name that was probably meant, or "".
func (r *reader) unknownMember(m member, path string) string {
	near, hint := phrase.Similar(strings.ToLower(m.name), append(slices.Clone(methods), shared...)), ""
	switch {
	case near != "":
		hint = "; did you mean " + near + "?"
	case r.version >= 32:
		hint = "; operations of other methods belong in additionalOperations"
	}
	r.omit(m.place, "%s of the path %s is ignored: it is neither an OpenAPI method nor another member of a path item%s", m.name, path, hint)
	return near
}

// pathItems returns a path item and those that it refers to. OpenAPI allows other members beside the reference of a path item.
func pathItems(r *reader, p place) []place {
	_, via, ok := r.resolve(p)
	all := []place{p}
	if !ok {
		return all
	}
	for _, pointer := range via {
		all = append(all, r.placeAt(pointer))
	}
	return all
}

// membersOf returns the members of several objects in sequence.
func membersOf(r *reader, objects []place, what string) []member {
	var all []member
	for _, one := range objects {
		all = append(all, r.object(one, what)...)
	}
	return all
}

// checkPaths reports paths that match the same requests.
func checkPaths(r *reader, all []found) {
	first := map[string]found{}
	for _, f := range all {
		key := f.method + " " + placeholder.ReplaceAllString(f.path, "{}")
		if other, twice := first[key]; !twice {
			first[key] = f
		} else if other.path != f.path {
			r.defect(f.operation, "%s %s is indistinguishable from %s in line %d", f.method, f.path, other.path, other.operation.line)
		}
	}
}

func readOperation(r *reader, f found, m *lowv3.Operation) spec.Operation {
	at := f.operation
	op := spec.Operation{
		ID: f.id, Pointer: at.pointer, Method: f.method, Path: f.path, PathMethods: f.named,
		Summary: r.prose(at, "summary"), Description: r.prose(at, "description"), Tags: r.texts(at, "tags"),
		Deprecated: r.boolean(at, "deprecated"),
	}
	if !strings.HasPrefix(op.Path, "/") {
		op.Path = "/" + op.Path
	}
	if sunset, ok := r.child(at, "x-sunset"); ok {
		day, err := time.Parse(time.DateOnly, sunset.node.Value)
		if err != nil {
			r.omit(sunset, "x-sunset is %s; it must be a date such as 2030-12-05", sunset.node.Value)
		}
		op.Sunset = day
	}
	if callbacks, ok := r.child(at, "callbacks"); ok && len(callbacks.node.Content) > 0 {
		r.omit(callbacks, "callbacks are requests sent by the service; hallmark judges only its responses")
	}
	parameters := findParameters(r, f, m)
	if r.version == 20 {
		parameters, op.Body = swaggerBody(r, f, parameters)
	} else if m.RequestBody.Value != nil {
		op.Body = readBody(r, m.RequestBody.Value, r.origins[m.RequestBody.ValueNode])
	} else if body, ok := r.child(at, "requestBody"); ok && ignoresBody(r.version, f.method) {
		r.omit(body, "the requestBody of %s is ignored: the method has no body", f.method)
	}
	if op.Body != nil && r.version == 20 && ignoresBody(r.version, f.method) {
		r.omit(at, "the body of %s is ignored: the method has no body", f.method)
		op.Body = nil
	}
	op.Security, op.StatesSecurity = readSecurity(r, at)
	op.Parameters = readParameters(r, f, parameters, len(op.Security) > 0)
	op.Responses = readAnswers(r, f, m.Responses.Value.Codes)
	for _, owner := range append([]place{at}, f.items...) {
		if len(op.Servers) == 0 {
			op.Servers = readServers(r, owner)
		}
	}
	return op
}
