package html

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
)

const (
	// deepest is the maximum depth at which JSON is laid out; deeper parts are shown as received.
	deepest = 100
	// wide is the maximum number of characters of a value on one line.
	wide = 88
)

// node is a JSON value in its original spelling: nothing is decoded, so every digit and escape is preserved.
type node struct {
	// kind is '{', '[', or 0 for anything else.
	kind byte
	// key is the quoted member name; raw is the text of a scalar value.
	key, raw string
	kids     []node
	// open reports whether the text ends within the value.
	open bool
}

// parseJSON parses an object or an array, even if it is truncated. Anything else is not laid out.
func parseJSON(text []byte) (node, bool) {
	r := &jsonReader{text: string(text)}
	r.space()
	if c := r.peek(); c != '{' && c != '[' {
		return node{}, false
	}
	n, ok := r.value(0)
	r.space()
	return n, ok && r.at == len(r.text)
}

type jsonReader struct {
	text string
	at   int
}

func (r *jsonReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *jsonReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *jsonReader) value(depth int) (node, bool) {
	if depth > deepest {
		return node{}, false
	}
	switch c := r.peek(); c {
	case '{', '[':
		r.at++
		return r.inside(node{kind: c}, c+2, depth) // a closing bracket is two code points after the opening one
	case '"':
		raw, ok := r.quoted()
		return node{raw: raw, open: r.at == len(r.text)}, ok
	}
	start := r.at
	for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n\":[{", r.text[r.at]) < 0 {
		r.at++
	}
	return node{raw: r.text[start:r.at]}, r.at > start
}

// inside parses the members of an object or the items of an array.
func (r *jsonReader) inside(n node, end byte, depth int) (node, bool) {
	for {
		r.space()
		switch {
		case r.at == len(r.text):
			n.open = true
			return n, true
		case r.peek() == end && len(n.kids) == 0:
			r.at++
			return n, true
		}
		key := ""
		if n.kind == '{' {
			var ok bool
			if key, ok = r.quoted(); !ok {
				return n, false
			}
			r.space()
			if r.at == len(r.text) {
				n.kids, n.open = append(n.kids, node{key: key}), true
				return n, true
			}
			if r.peek() != ':' {
				return n, false
			}
			r.at++
			r.space()
			if r.at == len(r.text) {
				n.kids, n.open = append(n.kids, node{key: key}), true
				return n, true
			}
		}
		kid, ok := r.value(depth + 1)
		if !ok {
			return n, false
		}
		kid.key = key
		n.kids = append(n.kids, kid)
		r.space()
		switch {
		case r.at == len(r.text):
			n.open = true
			return n, true
		case r.peek() == end:
			r.at++
			return n, true
		case r.peek() != ',':
			return n, false
		}
		r.at++
	}
}

// quoted reads a string with its quotes, or the rest of the text if the string has no end.
func (r *jsonReader) quoted() (string, bool) {
	if r.peek() != '"' {
		return "", false
	}
	start := r.at
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return r.text[start:r.at], true
		}
	}
	r.at = len(r.text)
	return r.text[start:], true
}

// width returns the number of characters of a value on one line. It may stop counting beyond limit.
func (n *node) width(limit int) int {
	w := utf8.RuneCountInString(n.raw)
	if n.key != "" {
		w += utf8.RuneCountInString(n.key) + 2
	}
	if n.kind != 0 {
		w += 2
	}
	for i := range n.kids {
		if w > limit {
			return w
		}
		w += n.kids[i].width(limit-w) + 2
	}
	return w
}

// pretty prints values over several lines; a value that fits on one line gets a line of its own.
type pretty struct {
	marks map[string]bool
	// longest is the maximum number of characters shown of a string.
	longest int

	text   []byte
	ends   []int
	marked []bool
	hit    bool // something in the line is marked
	inMark bool
}

func (p *pretty) write(markup string) { p.text = append(p.text, markup...) }

func (p *pretty) escape(s string) { p.text = appendEscaped(p.text, s, specials) }

func (p *pretty) node(n node, pointer string, indent int) {
	began := pointer != "" && !p.inMark && p.marks[pointer]
	if began {
		p.write("<mark>")
		p.inMark, p.hit = true, true
	}
	if n.key != "" {
		p.escape(n.key)
		p.write(": ")
	}
	switch {
	case n.kind == 0:
		p.escape(text.Elide(n.raw, p.longest))
		if n.open {
			p.write("…")
		}
	case n.width(wide-indent) <= wide-indent:
		p.row(n, pointer)
	default:
		p.column(n, pointer, indent)
	}
	if began {
		p.write("</mark>")
		p.inMark = false
	}
}

// row writes an object or array on one line.
func (p *pretty) row(n node, pointer string) {
	p.text = append(p.text, n.kind)
	for i, kid := range n.kids {
		if i > 0 {
			p.write(", ")
		}
		p.node(kid, p.below(pointer, kid, i), 0)
	}
	p.end(n)
}

// column writes an object or array with a line for each member.
func (p *pretty) column(n node, pointer string, indent int) {
	p.text = append(p.text, n.kind)
	for i, kid := range n.kids {
		p.newline(indent + 2)
		p.node(kid, p.below(pointer, kid, i), indent+2)
		if i < len(n.kids)-1 {
			p.write(",")
		}
	}
	p.newline(indent)
	p.end(n)
}

func (p *pretty) end(n node) {
	if n.open {
		// Show a missing end once, at the innermost place.
		if last := len(n.kids) - 1; last < 0 || !n.kids[last].open {
			p.write("…")
		}
		return
	}
	p.text = append(p.text, n.kind+2)
}

// endLine ends a line, and closes an open mark so that every line is complete markup.
func (p *pretty) endLine() {
	if p.inMark {
		p.write("</mark>")
	}
	p.ends, p.marked = append(p.ends, len(p.text)), append(p.marked, p.hit)
}

// newline starts a line and reopens a mark.
func (p *pretty) newline(indent int) {
	p.endLine()
	p.write("\n")
	p.hit = p.inMark
	if p.inMark {
		p.write("<mark>")
	}
	for range indent {
		p.write(" ")
	}
}

// below returns the JSON Pointer of a member or an item, or "" if nothing is marked.
func (p *pretty) below(pointer string, kid node, i int) string {
	if len(p.marks) == 0 {
		return ""
	}
	return pointer + "/" + token(kid, i)
}

// token returns the JSON Pointer token of a member or an item.
func token(kid node, i int) string {
	if kid.key == "" {
		return strconv.Itoa(i)
	}
	var name string
	if json.Unmarshal([]byte(kid.key), &name) != nil {
		name = kid.key
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
