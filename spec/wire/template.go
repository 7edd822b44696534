package wire

import (
	"strconv"
	"strings"

	"hallmark/internal/text"
)

// Template is a path template of OpenAPI, such as "/orders/{id}.{format}".
type Template struct {
	// Names holds the parameters in order.
	Names []string
	// literals holds the texts before, between and after the parameters: one more than Names.
	literals []string
}

// ParseTemplate parses a path template.
func ParseTemplate(path string) (Template, error) {
	var t Template
	bad := func(at int, why string) (Template, error) {
		return Template{}, &Error{Reason: Malformed, Place: "character " + strconv.Itoa(at+1) + " of " + text.Quote(path), Text: why}
	}
	if !strings.HasPrefix(path, "/") {
		return bad(0, `the path does not begin with "/"`)
	}
	for at := 0; ; {
		open := strings.IndexAny(path[at:], "{}#")
		if open < 0 {
			t.literals = append(t.literals, literal(path[at:]))
			return t, nil
		}
		switch path[at+open] {
		case '}':
			return bad(at+open, `a "}" has no "{"`)
		case '#':
			return bad(at+open, "the path holds a fragment, which no request carries")
		}
		t.literals = append(t.literals, literal(path[at:at+open]))
		at += open + 1
		end := strings.IndexAny(path[at:], "{}")
		if end < 0 || path[at+end] == '{' {
			return bad(at-1, `a "{" has no "}"`)
		}
		if end == 0 {
			return bad(at-1, "a parameter has no name")
		}
		t.Names = append(t.Names, path[at:at+end])
		at += end + 1
	}
}

// literal encodes what a path cannot contain, and keeps what is already percent-encoded.
func literal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && unhexAt(s, i+1) < 16 && unhexAt(s, i+2) < 16 {
			b.WriteByte('%')
			continue
		}
		b.WriteString(percentEncode(s[i:i+1], "/?!$&'()*+,;=:@"))
	}
	return b.String()
}

// Fill returns the path with each parameter replaced by its text, as Serialize wrote it.
func (t Template) Fill(texts map[string]string) (string, error) {
	var b strings.Builder
	for i, name := range t.Names {
		text, ok := texts[name]
		switch {
		case !ok:
			return "", &Error{Reason: Malformed, Text: "there is no value for the path parameter " + name}
		case text == "":
			return "", &Error{Reason: Uncarriable, Text: "the path parameter " + name + " is empty"}
		}
		b.WriteString(t.literals[i])
		b.WriteString(text)
	}
	b.WriteString(t.literals[len(t.Names)])
	path := b.String()
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return "", dotSegment(segment)
		}
	}
	return path, nil
}

func dotSegment(segment string) error {
	return &Error{Reason: Uncarriable, Text: "clients and servers remove a path segment that is " + text.Quote(segment)}
}

// Match splits a path, without its query, by the template. The texts are still encoded. If several parameters
// share a segment, the first ends as early as it can.
func (t Template) Match(path string) (map[string]string, bool) {
	rest, ok := strings.CutPrefix(path, t.literals[0])
	if !ok {
		return nil, false
	}
	texts := make(map[string]string, len(t.Names))
	for i, name := range t.Names {
		next, last := t.literals[i+1], i == len(t.Names)-1
		end := len(rest)
		switch {
		case last:
			if end = len(rest) - len(next); end < 1 || rest[end:] != next {
				return nil, false
			}
		case next == "":
			end = min(1, len(rest))
		case len(rest) > 0:
			if end = strings.Index(rest[1:], next); end < 0 {
				return nil, false
			}
			end++
		}
		text := rest[:end]
		if text == "" || strings.Contains(text, "/") {
			return nil, false
		}
		if before, twice := texts[name]; twice && before != text {
			return nil, false
		}
		texts[name] = text
		rest = rest[end+len(next):]
	}
	return texts, rest == ""
}
