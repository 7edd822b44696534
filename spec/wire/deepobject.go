package wire

import (
	"slices"
	"strconv"
	"strings"
)

// maxDeep is the maximum nesting of a deepObject that is parsed; anything deeper is a member with brackets in its
// name.
const maxDeep = 32

// serializeDeep writes color[R]=100&color[G]=200. Nested objects and arrays, which OpenAPI leaves open, are
// written as most frameworks parse them: a[b][c]=1, a[b][]=1 for scalar items, a[b][0][c]=1 for others.
func serializeDeep(p Param, value any) (text string, sent bool, err error) {
	var pairs []string
	var write func(name string, value any) error
	write = func(name string, value any) error {
		switch v := value.(type) {
		case nil:
			return nil
		case map[string]any:
			for _, member := range sortedNames(v) {
				if err := write(name+"["+member+"]", v[member]); err != nil {
					return err
				}
			}
			return nil
		case []any:
			flat := !slices.ContainsFunc(v, func(item any) bool { _, ok := scalarText(item); return !ok })
			for i, item := range v {
				index := strconv.Itoa(i)
				if flat {
					index = ""
				}
				if err := write(name+"["+index+"]", item); err != nil {
					return err
				}
			}
			return nil
		}
		text, ok := scalarText(value)
		if !ok {
			return &Error{Reason: Unsupported, Text: "this is not a JSON value"}
		}
		pairs = append(pairs, p.encodeName(name)+"="+p.encode(text, true))
		return nil
	}
	if err := write(p.Name, value); err != nil {
		return "", false, err
	}
	return strings.Join(pairs, "&"), len(pairs) > 0, nil
}

// undefinedDeep reports whether OpenAPI leaves open how a value is written in style deepObject: it defines objects
// of scalars only.
func undefinedDeep(value any) bool {
	members, ok := value.(map[string]any)
	if !ok {
		return true
	}
	for _, member := range members {
		if _, ok := scalarText(member); !ok && member != nil {
			return true
		}
	}
	return false
}

// expectsNested reports whether the schema has an array or an object for a member of an object.
func (h *Hint) expectsNested(value any) bool {
	members, _ := value.(map[string]any)
	for name := range members {
		if member, _ := h.member(name); member.admits("array") || member.admits("object") {
			return true
		}
	}
	return false
}

// node holds the pairs of a deepObject for one place.
type node struct {
	texts []string
	names []string
	under map[string]*node
}

func (n *node) child(name string) *node {
	if n.under == nil {
		n.under = map[string]*node{}
	}
	c := n.under[name]
	if c == nil {
		c = &node{}
		n.under[name], n.names = c, append(n.names, name)
	}
	return c
}

// deepTree arranges pairs in a tree by the brackets of their names; nil if none belongs to the parameter.
func deepTree(name string, pairs []pair) *node {
	var root *node
	for _, pair := range pairs {
		rest, ok := strings.CutPrefix(pair.name, name)
		if !ok || rest != "" && rest[0] != '[' {
			continue
		}
		if root == nil {
			root = &node{}
		}
		at := root
		for depth := 0; rest != ""; depth++ {
			end := strings.IndexByte(rest, ']')
			if rest[0] != '[' || end < 0 || depth == maxDeep {
				at = at.child(rest)
				break
			}
			at, rest = at.child(rest[1:end]), rest[end+1:]
		}
		at.texts = append(at.texts, pair.text)
	}
	return root
}

// values returns the possible values of the node: arrays if the hint allows them, or if all names are empty or
// indices.
func (n *node) values(h *Hint, how manner) (all []any, whole bool) {
	if len(n.names) == 0 {
		if h.admits("array") || len(n.texts) > 1 && !h.scalar() {
			return listOf(n.texts, h.items(), how)
		}
		for _, text := range n.texts { // a repeated name: some parsers take the first, others the last
			all = append(all, scalars(text, h, how)...)
		}
		return distinct(all), true
	}
	if isArray := n.indices(); isArray && (h.admits("array") || !h.admits("object")) {
		var lists [][]any
		whole = true
		for _, name := range n.names {
			c := n.under[name]
			if len(c.names) == 0 {
				for _, text := range c.texts {
					lists = append(lists, scalars(text, h.items(), how))
				}
				continue
			}
			values, ok := c.values(h.items(), how)
			lists, whole = append(lists, values), whole && ok
		}
		rows, ok := product(lists)
		for _, row := range rows {
			all = append(all, row)
		}
		return all, whole && ok
	}
	var lists [][]any
	whole = true
	for _, name := range n.names {
		hint, _ := h.member(name)
		values, ok := n.under[name].values(hint, how)
		lists, whole = append(lists, values), whole && ok
	}
	rows, ok := product(lists)
	for _, row := range rows {
		members := make(map[string]any, len(row))
		for i, name := range n.names {
			members[name] = row[i]
		}
		all = append(all, members)
	}
	return all, whole && ok
}

// indices reports whether all names are empty, or count up from 0.
func (n *node) indices() bool {
	for i, name := range n.names {
		if name != strconv.Itoa(i) && (name != "" || len(n.names) > 1) {
			return false
		}
	}
	return true
}
