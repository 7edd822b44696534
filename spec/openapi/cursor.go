package openapi

import (
	"strings"

	"hallmark/spec/jsonpointer"
	"hallmark/spec/source"
)

// place is a value of the document and where it stands.
type place struct {
	node    *source.Node
	pointer string
	// line is that of its key, from 1.
	line int
}

// member is a member of an object.
type member struct {
	name string
	place
}

// at returns the place at a pointer that is known to exist.
func (r *reader) at(pointer string) place {
	return place{r.doc.Node(pointer), pointer, r.doc.Line(pointer)}
}

// child returns the member of a name; false when there is none, or null.
func (r *reader) child(p place, name string) (place, bool) {
	key, value := r.doc.Member(p.node, name)
	if value == nil || isNull(value) {
		return place{}, false
	}
	return place{value, jsonpointer.Join(p.pointer, name), int(key.Line)}, true
}

// isNull reports whether a value is null, which says as much as leaving it out.
func isNull(n *source.Node) bool {
	return n.Kind == source.ScalarNode && (n.Value == "" || len(n.Value) <= 4) && n.ShortTag() == "!!null"
}

// absent lists a member that is null where an object or a list belongs.
func (r *reader) absent(p place, name string) {
	r.omit(p, "%s is null, and is read as if it were left out", name)
}

// nulls lists those of the named members of an object that are null.
func (r *reader) nulls(p place, names ...string) {
	for _, name := range names {
		if at, ok := present(r, p, name); ok && isNull(at.node) {
			r.absent(at, name)
		}
	}
}

// object returns the members of an object in their order; what is another kind of value is left out.
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

// objectAt returns the members of the object that a member is; none when it is not there.
func (r *reader) objectAt(p place, name string) []member {
	at, ok := r.part(p, name)
	if !ok {
		return nil
	}
	return r.object(at, name)
}

// part returns the object or list that a member is or refers to. OpenAPI has references in some places only, but documents
// that are divided into files have them everywhere.
func (r *reader) part(p place, name string) (place, bool) {
	at, ok := r.child(p, name)
	if !ok {
		return place{}, false
	}
	at, _, ok = r.resolve(at)
	return at, ok
}

// list returns the items of the list that a member is; none when it is not there, or is no list.
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

// text returns the text that a member is; empty when it is not there, or is an object or a list.
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

// prose is text of people for people, which may be anything: some documents keep it in files.
func (r *reader) prose(p place, name string) string {
	if at, ok := r.child(p, name); ok && at.node.Kind == source.ScalarNode {
		return at.node.Value
	}
	return ""
}

// texts returns the texts in the list that a member is.
func (r *reader) texts(p place, name string) []string {
	var all []string
	for _, item := range r.list(p, name) {
		if item.node.Kind != source.ScalarNode || isNull(item.node) {
			r.omit(item, "%s must hold texts, not %s", name, source.Describe(item.node))
			continue
		}
		all = append(all, item.node.Value)
	}
	return all
}

// boolean reports whether a member is true; an absent one is false.
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

// boolOf reads a boolean, also one that was put into quotes.
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

// resolve follows references from a place: it returns the object that is meant, and the places on the way to it, its own
// last. It is false when a reference leads nowhere.
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
		p = r.at(pointer)
		if via = append(via, pointer); len(via) > farthest {
			r.dangling(ref, "the reference "+ref.node.Value+" leads back to itself")
			return p, via, false
		}
	}
}

// follow returns where a reference leads; false when that is nowhere.
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
