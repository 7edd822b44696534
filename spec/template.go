package spec

import (
	"net/url"
	"strings"
)

// template is a path template by segments: "/a/{x}.{y}" has the segments "", "a" and "{x}.{y}".
type template []segment

// segment holds the plain texts around the parameters of a segment: one more than there are parameters.
type segment []string

// newTemplate parses a path template. A query or fragment that some documents append is not part of the path.
func newTemplate(path string) template {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	var t template
	for text := range strings.SplitSeq(path, "/") {
		var s segment
		for {
			before, rest, opens := strings.Cut(text, "{")
			_, after, closes := strings.Cut(rest, "}")
			if !opens || !closes {
				t = append(t, append(s, text))
				break
			}
			s, text = append(s, before), after
		}
	}
	return t
}

// unescaped returns the unescaped segments of a path, and false if an escape is malformed.
func unescaped(path string) ([]string, bool) {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return nil, false
		}
		segments[i] = plain
	}
	return segments, true
}

// matches reports whether a path matches the template. A parameter matches a non-empty part of one segment.
func (t template) matches(path []string) bool {
	if len(t) != len(path) {
		return false
	}
	for i, s := range t {
		if !s.matches(path[i]) {
			return false
		}
	}
	return true
}

func (s segment) matches(text string) bool {
	if len(s) == 1 {
		return text == s[0]
	}
	last := len(s) - 1
	text, begins := strings.CutPrefix(text, s[0])
	text, ends := strings.CutSuffix(text, s[last])
	if !begins || !ends {
		return false
	}
	for _, between := range s[1:last] {
		if text == "" {
			return false
		}
		i := strings.Index(text[1:], between)
		if i < 0 {
			return false
		}
		text = text[1+i+len(between):]
	}
	return text != ""
}

// plain returns the length of the plain text of a segment; a segment without parameters exceeds any other.
func (s segment) plain() int {
	if len(s) == 1 {
		return 1 << 20
	}
	n := 0
	for _, text := range s {
		n += len(text)
	}
	return n
}

// moreSpecific reports whether the template has more plain text than other in the first segment in which they differ.
func (t template) moreSpecific(other template) bool {
	for i := range min(len(t), len(other)) {
		if a, b := t[i].plain(), other[i].plain(); a != b {
			return a > b
		}
	}
	return false
}
