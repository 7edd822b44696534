package openapi

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// place is a value of the document and its position.
type place struct {
	node    *source.Node
	pointer string
	// line is the line of its key, starting at 1.
	line int
}

// member is a member of an object.
type member struct {
	name string
	place
}

// placeAt returns the place at a pointer that must exist.
func (r *reader) placeAt(pointer string) place {
	return place{r.doc.Node(pointer), pointer, r.doc.Line(pointer)}
}

// child returns the named member. It returns false if the member is missing or null.
func (r *reader) child(p place, name string) (place, bool) {
	key, value := r.doc.Member(p.node, name)
	if value == nil || isNull(value) {
		return place{}, false
	}
	return place{value, jsonpointer.Join(p.pointer, name), int(key.Line)}, true
}

// isNull reports whether a value is null. A null member is read as a missing one.
func isNull(n *source.Node) bool {
	return n.Kind == source.ScalarNode && (n.Value == "" || len(n.Value) <= 4) && n.ShortTag() == "!!null"
}

// absent reports a member that is null where an object or a list belongs.
func (r *reader) absent(p place, name string) {
	r.omit(p, "%s is null, and is read as if it were left out", name)
}

// nulls reports the named members of an object that are null.
func (r *reader) nulls(p place, names ...string) {
	for _, name := range names {
		if at, ok := present(r, p, name); ok && isNull(at.node) {
			r.absent(at, name)
		}
	}
}

// object returns the members of an object in their order. It reports values of other kinds as omissions.
func (r *reader) object(p place, what string) []member {
	if p.node.Kind != source.MappingNode {
		r.omit(p, "%s must be an object, not %s", what, source.Describe(p.node))
		return nil
	}
	all := make([]member, 0, len(p.node.Content)/2)
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		key := p.node.Content[i]
		all = append(all, member{key.Value, place{p.node.Content[i+1], jsonpointer.Join(p.pointer, key.Value), int(key.Line)}})
	}
	return all
}

// objectAt returns the members of the object in the named member, or none if it is missing.
func (r *reader) objectAt(p place, name string) []member {
	at, ok := r.part(p, name)
	if !ok {
		return nil
	}
	return r.object(at, name)
}

// part returns the object or list in the named member, following references. OpenAPI allows references in some places only, but
// documents that are split into files use them everywhere.
func (r *reader) part(p place, name string) (place, bool) {
	at, ok := r.child(p, name)
	if !ok {
		return place{}, false
	}
	at, _, ok = r.resolve(at)
	return at, ok
}

// list returns the items of the list in the named member, or none if it is missing or not a list.
func (r *reader) list(p place, name string) []place {
	at, ok := r.part(p, name)
	if !ok {
		return nil
	}
	if at.node.Kind != source.SequenceNode {
		r.omit(at, "%s must be a list, not %s", name, source.Describe(at.node))
		return nil
	}
	all := make([]place, 0, len(at.node.Content))
	for i, item := range at.node.Content {
		all = append(all, place{item, jsonpointer.Index(at.pointer, i), int(item.Line)})
	}
	return all
}

// text returns the string in the named member, or "" if it is missing, an object or a list.
func (r *reader) text(p place, name string) string {
	at, ok := r.child(p, name)
	if !ok {
		return ""
	}
	if at.node.Kind != source.ScalarNode {
		r.omit(at, "%s must be text, not %s", name, source.Describe(at.node))
		return ""
	}
	return at.node.Value
}

// prose returns a text written for people. Any kind of value is accepted: some documents keep such texts in files.
func (r *reader) prose(p place, name string) string {
	if at, ok := r.child(p, name); ok && at.node.Kind == source.ScalarNode {
		return at.node.Value
	}
	return ""
}

// texts returns the strings of the list in the named member.
func (r *reader) texts(p place, name string) []string {
	var all []string
	for _, item := range r.list(p, name) {
		if item.node.Kind != source.ScalarNode || isNull(item.node) {
			r.omit(item, "%s must hold strings, not %s", name, source.Describe(item.node))
			continue
		}
		all = append(all, item.node.Value)
	}
	return all
}

// boolean reports whether the named member is true.
func (r *reader) boolean(p place, name string) bool {
	at, ok := r.child(p, name)
	if !ok {
		return false
	}
	value, isBool := boolOf(at.node)
	if !isBool {
		r.omit(at, "%s must be true or false, not %s", name, source.Describe(at.node))
		return false
	}
	return value
}

// boolOf reads a boolean, even a quoted one.
func boolOf(n *source.Node) (value, ok bool) {
	if n.Kind != source.ScalarNode {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// resolve follows references from a place. It returns their final target and the places on the way, the target last, and false
// if a reference cannot be followed.
func (r *reader) resolve(p place) (target place, via []string, ok bool) {
	const farthest = 100
	for {
		ref, is := r.child(p, "$ref")
		if !is || ref.node.Kind != source.ScalarNode {
			return p, via, true
		}
		pointer, ok := r.follow(ref)
		if !ok {
			return p, via, false
		}
		p = r.placeAt(pointer)
		if via = append(via, pointer); len(via) > farthest {
			r.dangling(ref, "the reference "+ref.node.Value+" refers to itself")
			return p, via, false
		}
	}
}

// follow returns the pointer that a reference refers to, and false if there is nothing.
func (r *reader) follow(ref place) (string, bool) {
	pointer, err := r.doc.Target(ref.pointer, ref.node.Value)
	if err != nil {
		text := err.Error()
		if wrong, is := err.(*source.Error); is { //nolint:errorlint // Target wraps nothing
			text = wrong.Text
		}
		r.dangling(ref, text)
	}
	return pointer, err == nil
}
