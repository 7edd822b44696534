package stub

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// router finds operations by method and path.
type router struct{ root node }

// node is a place in the tree of paths.
type node struct {
	plain map[string]*node
	// templates are the segments with parameters, those with more literal text first.
	templates []*branch
	methods   map[string]*operation
}

type branch struct {
	segment segment
	node    node
}

// segment is a part of a path template between slashes: texts and the parameters between them.
type segment struct {
	texts []string // one more than names
	names []string
}

// segments splits a path template. The part after a question mark or a number sign is not part of the path.
func segments(path string) []segment {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	var all []segment
	for text := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		var s segment
		for {
			before, rest, opens := strings.Cut(text, "{")
			name, after, closes := strings.Cut(rest, "}")
			if !opens || !closes {
				s.texts = append(s.texts, text)
				break
			}
			s.texts, s.names, text = append(s.texts, before), append(s.names, name), after
		}
		all = append(all, s)
	}
	return all
}

// whole reports whether a segment is one parameter and nothing else.
func (s segment) whole() bool {
	return len(s.names) == 1 && s.texts[0] == "" && s.texts[1] == ""
}

// filed reports whether a segment is a parameter and the ending of a file.
func (s segment) filed() bool {
	return len(s.names) == 1 && s.texts[0] == "" && strings.HasPrefix(s.texts[1], ".")
}

// take returns the texts of the segment's parameters, still encoded; false if it does not match.
func (s segment) take(text string) ([]string, bool) {
	last := len(s.texts) - 1
	text, begins := strings.CutPrefix(text, s.texts[0])
	text, ends := strings.CutSuffix(text, s.texts[last])
	if !begins || !ends {
		return nil, false
	}
	var all []string
	for _, between := range s.texts[1:last] {
		if text == "" {
			return nil, false
		}
		i := strings.Index(text[1:], between)
		if i < 0 || between == "" {
			return nil, false
		}
		all, text = append(all, text[:i+1]), text[1+i+len(between):]
	}
	return append(all, text), text != ""
}

// plain returns how much of a segment is plain text.
func (s segment) plain() int {
	n := 0
	for _, t := range s.texts {
		n += len(t)
	}
	return n
}

func (r *router) addRoute(op *operation) {
	at := &r.root
	for _, s := range op.segments {
		at = at.below(s)
	}
	if at.methods == nil {
		at.methods = map[string]*operation{}
	}
	if at.methods[op.Method] == nil {
		at.methods[op.Method] = op
	}
}

// below returns the node of a segment, and creates it if there is none.
func (n *node) below(s segment) *node {
	if len(s.names) == 0 {
		text, err := url.PathUnescape(s.texts[0])
		if err != nil {
			text = s.texts[0]
		}
		if n.plain == nil {
			n.plain = map[string]*node{}
		}
		if n.plain[text] == nil {
			n.plain[text] = &node{}
		}
		return n.plain[text]
	}
	for _, b := range n.templates {
		if slices.Equal(b.segment.texts, s.texts) {
			return &b.node
		}
	}
	added := &branch{segment: s}
	n.templates = append(n.templates, added)
	slices.SortStableFunc(n.templates, func(a, b *branch) int { return b.segment.plain() - a.segment.plain() })
	return &added.node
}

// find returns the operation of a request and the texts of its path's parameters; nil for none, with the methods
// that the address has.
func (r *router) find(method, path string) (op *operation, texts map[string]string, allowed []string) {
	asked := strings.Split(strings.TrimPrefix(path, "/"), "/")
	known := map[string]bool{}
	var values []string
	var search func(n *node, left []string) *operation
	search = func(n *node, left []string) *operation {
		if len(left) == 0 {
			if op := n.methods[method]; op != nil {
				return op
			}
			if op := n.methods[http.MethodGet]; op != nil && method == http.MethodHead {
				return op
			}
			for m := range n.methods {
				known[m] = true
			}
			return nil
		}
		if plain, err := url.PathUnescape(left[0]); err == nil && n.plain[plain] != nil {
			if op := search(n.plain[plain], left[1:]); op != nil {
				return op
			}
		}
		for _, b := range n.templates {
			taken, fits := b.segment.take(left[0])
			if !fits {
				continue
			}
			before := len(values)
			values = append(values, taken...)
			if op := search(&b.node, left[1:]); op != nil {
				return op
			}
			values = values[:before]
		}
		return nil
	}
	op = search(&r.root, asked)
	if op == nil {
		if known[http.MethodGet] {
			known[http.MethodHead] = true
		}
		return nil, nil, slices.Sorted(maps.Keys(known))
	}
	texts = make(map[string]string, len(values))
	i := 0
	for _, s := range op.segments { // two templates of one form may have different names for their parameters
		for _, name := range s.names {
			texts[name] = values[i]
			i++
		}
	}
	return op, texts, nil
}
