package spec

import (
	"net/url"
	"strings"
)

// template is a path template, segment by segment: "/a/{x}.{y}" has the segments "", "a" and "{x}.{y}".
type template []segment

// segment is the plain text of a segment around its parameters: one text more than there are parameters.
type segment []string

// newTemplate reads a path template. What documents write behind a question mark or a number sign is no part of a path.
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

// unescaped returns the segments of a path without their escapes; false when one is not well formed.
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

// matches reports whether a path fits the template. A parameter takes a part of one segment, which must not be empty.
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

// plain returns how much plain text a segment holds; all of it is more than any part.
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

// moreSpecific reports whether the template has more plain text than another at the first segment where they differ in that.
func (t template) moreSpecific(other template) bool {
	for i := range min(len(t), len(other)) {
		if a, b := t[i].plain(), other[i].plain(); a != b {
			return a > b
		}
	}
	return false
}
