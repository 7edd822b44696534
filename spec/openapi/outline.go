package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"hallmark/spec/jsonpointer"
	"hallmark/spec/source"
)

// outline is what libopenapi makes a model of: the paths of a document with their operations, and of these the parameters, bodies, responses,
// security and servers, by name. What they say in detail is read where they stand.
//
// It has the form of OpenAPI 3.2 whatever the document is written in, and holds nothing that libopenapi would stumble over, or look up by a
// guess: references that lead nowhere or to other files, values of the wrong kind, names that look like extensions. These are listed while the
// outline is made. libopenapi makes an object anew for each reference to it, so none of them is large.
type outline struct {
	r    *reader
	root *yaml.Node
	// items are the path items by their templates.
	items map[string]*yaml.Node
	// origins are what the nodes of the outline stand for.
	origins map[*yaml.Node]origin
	// components are the components by their kind, and references what leads to them, by kind and pointer.
	components map[string]*yaml.Node
	references map[string]string
	// schemes are the names that security schemes have in the outline, by their own.
	schemes map[string]string
	// keys are the keys of its mappings, each once.
	keys map[string]*yaml.Node
}

// origin is what a node of an outline stands for.
type origin struct {
	name string
	// at is where it is named in the document, target where it stands. They differ where a reference leads there, via those places.
	at, target place
	via        []string
	// lost reports whether a reference leads nowhere.
	lost bool
}

// newOutline makes the outline of a document with those operations.
func newOutline(r *reader, operations []found) *outline {
	o := &outline{
		r: r, root: mapping(), items: map[string]*yaml.Node{}, origins: map[*yaml.Node]origin{}, components: map[string]*yaml.Node{},
		references: map[string]string{}, schemes: map[string]string{}, keys: map[string]*yaml.Node{},
	}
	document, paths, components := r.at(""), mapping(), mapping()
	o.put(o.root, "openapi", scalar("3.2.0"))
	o.put(o.root, "info", mapping())
	o.put(o.root, "paths", paths)
	o.put(o.root, "components", components)
	for _, f := range operations {
		r.operation = f.id
		item := o.items[f.path]
		if item == nil {
			item = mapping()
			o.items[f.path] = item
			o.put(paths, "/"+strings.TrimPrefix(f.path, "/"), item)
		}
		if own := o.operation(item, f); own {
			continue
		}
		if security := o.security(document); security != nil && get(o.root, "security") == nil {
			o.put(o.root, "security", security)
		}
	}
	r.operation = ""
	o.put(o.root, "servers", o.servers(document))
	for kind, all := range o.components {
		o.put(components, kind, all)
	}
	return o
}

// operation adds an operation to its path item. It reports whether the operation has a security of its own.
func (o *outline) operation(item *yaml.Node, f found) (secured bool) {
	n, within, name := mapping(), item, strings.ToLower(f.method)
	if f.method != strings.ToUpper(name) || !slices.Contains(methods, name) {
		if within, name = get(item, "additionalOperations"), f.method; within == nil {
			within = mapping()
			o.put(item, "additionalOperations", within)
		}
	}
	o.put(within, name, n)

	o.put(n, "parameters", o.parameters(f.operation))
	if shared := o.parameters(f.items...); get(item, "parameters") == nil {
		o.put(item, "parameters", shared)
	} else { // they were gone through for what is wrong with them, which concerns this operation too
		for _, n := range shared.Content {
			delete(o.origins, n)
		}
	}
	if body, ok := o.r.child(f.operation, "requestBody"); ok && o.r.version >= 30 && !ignoresBody(o.r.version, f.method) {
		if body := o.refer("requestBodies", body, func(place) *yaml.Node { return mapping() }); !o.origins[body].lost {
			o.put(n, "requestBody", body)
		}
	}
	o.put(n, "responses", o.responses(f))
	servers := o.servers(f.operation)
	o.put(n, "servers", servers)
	for _, one := range f.items {
		if len(servers.Content) == 0 {
			if servers = o.servers(one); len(servers.Content) > 0 && get(item, "servers") == nil {
				o.put(item, "servers", servers)
			}
		}
	}
	security := o.security(f.operation)
	if security != nil {
		o.put(n, "security", security)
	}
	return security != nil
}

// refer returns the node for what is named at a place and may stand at another one: a reference to a component of a kind then.
func (o *outline) refer(kind string, at place, made func(target place) *yaml.Node) *yaml.Node {
	target, via, ok := o.r.resolve(at)
	if !ok {
		n := mapping()
		o.origins[n] = origin{at: at, target: target, via: via, lost: true}
		return n
	}
	n := made(target)
	if len(via) > 0 {
		key := kind + " " + target.pointer
		if o.references[key] == "" {
			if o.components[kind] == nil {
				o.components[kind] = mapping()
			}
			name := "c" + strconv.Itoa(len(o.references))
			o.put(o.components[kind], name, n)
			o.references[key] = "#/components/" + kind + "/" + name
		}
		n = mapping()
		o.put(n, "$ref", scalar(o.references[key]))
	}
	o.origins[n] = origin{at: at, target: target, via: via}
	return n
}

// parameters returns the parameters that operations or path items list.
func (o *outline) parameters(owners ...place) *yaml.Node {
	all := sequence()
	for _, owner := range owners {
		for _, at := range o.r.list(owner, "parameters") {
			n := o.refer("parameters", at, func(target place) *yaml.Node { return o.texts(target, "name", "in") })
			if !o.origins[n].lost {
				all.Content = append(all.Content, n)
			}
		}
	}
	return all
}

// responses returns the documented responses of an operation.
func (o *outline) responses(f found) *yaml.Node {
	all := mapping()
	responses, ok := o.r.part(f.operation, "responses")
	if !ok || responses.node.Kind == source.MappingNode && len(responses.node.Content) == 0 {
		o.r.defect(f.operation, "%s %s documents no responses (responses)", f.method, f.path)
		return all
	}
	for _, m := range o.r.object(responses, "responses") {
		if strings.HasPrefix(m.name, "x-") {
			continue
		}
		key, ok := answerKey(m.name)
		switch {
		case !ok:
			o.r.omit(m.place, "%s is no status, no range of statuses and not default", m.name)
		case get(all, key) != nil:
			o.r.omit(m.place, "the response %s is here a second time; the first counts", m.name)
		default:
			o.put(all, key, o.refer("responses", m.place, func(place) *yaml.Node { return mapping() }))
		}
	}
	return all
}

// answerKey returns a key of responses as it is meant: a status, a range such as 4XX, or default. It is false for any other.
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

// security returns the requirements that an operation or the document lists; nil where it lists none itself.
func (o *outline) security(owner place) *yaml.Node {
	if _, own := o.r.child(owner, "security"); !own {
		return nil
	}
	all := sequence()
	for _, item := range o.r.list(owner, "security") {
		requirement := mapping()
		for _, m := range o.r.object(item, "a security requirement") {
			scopes := sequence()
			for _, scope := range m.node.Content {
				scopes.Content = append(scopes.Content, scalar(scope.Value))
			}
			key := scalar(o.scheme(m))
			requirement.Content = append(requirement.Content, key, scopes)
			o.origins[key] = origin{name: m.name, at: m.place}
		}
		all.Content = append(all.Content, requirement)
	}
	return all
}

// scheme returns the name that a security scheme has in the outline: some have names that libopenapi takes for others.
func (o *outline) scheme(m member) string {
	known, seen := o.schemes[m.name]
	if !seen {
		known = "s" + strconv.Itoa(len(o.schemes))
		o.schemes[m.name] = known
	}
	declared := jsonpointer.Join("/components/securitySchemes", m.name)
	if o.r.version == 20 {
		declared = jsonpointer.Join("/securityDefinitions", m.name)
	}
	if !o.r.doc.Exists(declared) {
		pointer, err := o.r.doc.Target(m.pointer, m.name)
		if o.r.version < 32 || err != nil {
			o.r.dangling(m.place, "the security scheme "+m.name+" is not declared")
			return known
		}
		declared = pointer
	}
	at, via, ok := o.r.resolve(o.r.at(declared))
	if !ok {
		return known
	}
	n := o.texts(at, "type")
	switch o.r.text(at, "type") {
	case "http":
		n = o.texts(at, "type", "scheme", "bearerFormat")
	case "apiKey":
		n = o.texts(at, "type", "in", "name")
	case "openIdConnect":
		n = o.texts(at, "type", "openIdConnectUrl")
	}
	if seen {
		return known
	}
	if o.components["securitySchemes"] == nil {
		o.components["securitySchemes"] = mapping()
	}
	o.origins[n] = origin{name: m.name, target: at, via: via}
	o.put(o.components["securitySchemes"], known, n)
	return known
}

// servers returns the servers of the document, a path or an operation. Swagger 2.0 has none.
func (o *outline) servers(owner place) *yaml.Node {
	all := sequence()
	if o.r.version == 20 {
		return all
	}
	for _, item := range o.r.list(owner, "servers") {
		n, variables := o.texts(item, "url"), mapping()
		for _, v := range o.r.objectAt(item, "variables") {
			o.put(variables, v.name, o.texts(v.place, "default"))
		}
		o.put(n, "variables", variables)
		o.origins[n] = origin{at: item, target: item}
		all.Content = append(all.Content, n)
	}
	return all
}

// texts returns an object with those members, which are texts.
func (o *outline) texts(p place, names ...string) *yaml.Node {
	n := mapping()
	for _, name := range names {
		if value := o.r.text(p, name); value != "" {
			o.put(n, name, scalar(value))
		}
	}
	return n
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func sequence() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"} }

func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: value}
}

// put adds a member to a mapping.
func (o *outline) put(n *yaml.Node, name string, value *yaml.Node) {
	key := o.keys[name]
	if key == nil {
		key = scalar(name)
		o.keys[name] = key
	}
	n.Content = append(n.Content, key, value)
}

// get returns a member of a mapping; nil where there is none.
func get(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}
