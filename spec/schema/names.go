package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// names holds the schemas that a document names by $id, $anchor and $dynamicAnchor.
type names struct {
	// resources maps the URLs of schemas with an $id to their pointers, and addresses is the reverse.
	resources, addresses map[string]string
	// anchors and dynamic are keyed by the pointer of the resource ("" for the document), a "#" and the name.
	anchors, dynamic map[string]string
}

// names reads the names once.
func (s *Set) names() *names {
	s.naming.Do(func() {
		s.named = names{resources: map[string]string{}, addresses: map[string]string{}, anchors: map[string]string{}, dynamic: map[string]string{}}
		if s.dialect == OpenAPI31 {
			s.named.addSchema(s.doc.Node(""), "", "", "", 0)
		}
	})
	return &s.named
}

func (x *names) addSchema(n *source.Node, pointer, resource, address string, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case source.SequenceNode:
		for i, item := range n.Content {
			x.addSchema(item, index(pointer, i), resource, address, depth+1)
		}
	case source.MappingNode:
		if id, ok := textOf(n, "$id"); ok {
			if full, err := join(address, id); err == nil {
				resource, address = pointer, strings.TrimSuffix(full, "#")
				x.addresses[pointer] = address
				if _, twice := x.resources[address]; !twice {
					x.resources[address] = pointer
				}
			}
		}
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
			if name, ok := textOf(n, keyword); ok {
				key := resource + "#" + name
				if _, twice := x.anchors[key]; !twice {
					x.anchors[key] = pointer
				}
				if keyword == "$dynamicAnchor" {
					x.dynamic[key] = pointer
				}
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			x.addSchema(n.Content[i+1], jsonpointer.Join(pointer, n.Content[i].Value), resource, address, depth+1)
		}
	}
}

// textOf returns the text of a name in a mapping.
func textOf(n *source.Node, name string) (string, bool) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name && n.Content[i+1].Kind == source.ScalarNode {
			return n.Content[i+1].Value, n.Content[i+1].Value != ""
		}
	}
	return "", false
}

// join resolves a reference against an address.
func join(address, ref string) (string, error) {
	r, err := url.Parse(ref)
	if err != nil {
		return "", fmt.Errorf("the reference %s is malformed", text.Quote(ref))
	}
	if b, err := url.Parse(address); err == nil && address != "" {
		r = b.ResolveReference(r)
	}
	return r.String(), nil
}

// resourceOf returns the pointer of the resource that a place belongs to.
func (s *Set) resourceOf(pointer string) string {
	names := s.names()
	if len(names.addresses) == 0 {
		return ""
	}
	for p := pointer; strings.HasPrefix(p, "/"); p = p[:strings.LastIndexByte(p, '/')] {
		if _, ok := names.addresses[p]; ok {
			return p
		}
	}
	return ""
}

func (s *Set) dynamicAnchor(resource, name string) (pointer string, ok bool) {
	pointer, ok = s.names().dynamic[resource+"#"+name]
	return pointer, ok
}

// dynamicName returns the name of the $dynamicAnchor that a $dynamicRef refers to, if it does.
func (s *Set) dynamicName(ref, target string) string {
	_, name, _ := strings.Cut(ref, "#")
	if at, ok := s.dynamicAnchor(s.resourceOf(target), name); ok && at == target {
		return name
	}
	return ""
}

// errNowhere is returned for a reference without a target, or to the document itself.
var errNowhere = errors.New("the reference does not refer to a schema")

// target returns the pointer that a reference leads to; at is the place of the reference.
func (s *Set) target(at, ref string) (string, error) {
	// Pointers into other files do not begin with a slash; their names belong to them alone.
	if s.dialect == OpenAPI31 && strings.HasPrefix(at, "/") {
		if pointer, ok := s.namedTarget(at, ref); ok {
			return pointer, nil
		}
	}
	pointer, err := s.doc.Target(at, ref)
	if err != nil {
		return "", fmt.Errorf("the reference %s cannot be followed", text.Quote(ref))
	}
	n := s.doc.Node(pointer)
	if n == nil || pointer == "" && (lookup(n, "openapi") != nil || lookup(n, "swagger") != nil) {
		return "", errNowhere
	}
	return pointer, nil
}

// namedTarget follows a reference by the names of schemas.
func (s *Set) namedTarget(at, ref string) (string, bool) {
	address, fragment, hasFragment := strings.Cut(ref, "#")
	names := s.names()
	resource := s.resourceOf(at)
	if address != "" {
		full, err := join(names.addresses[resource], address)
		if err != nil {
			return "", false
		}
		found, ok := names.resources[full]
		if !ok {
			return "", false
		}
		resource = found
	}
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		return "", false
	}
	switch {
	case !hasFragment || plain == "":
		return resource, resource != ""
	case !strings.HasPrefix(plain, "/"):
		pointer, ok := names.anchors[resource+"#"+plain]
		return pointer, ok
	case resource == "":
		return "", false // the document's own pointers
	}
	pointer := resource + plain
	return pointer, s.doc.Node(pointer) != nil
}
