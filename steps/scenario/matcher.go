package scenario

import (
	"regexp"
	"strings"
	"sync"
)

// Matcher matches the texts of steps against the pattern of a form. The pattern is compiled for the first text that begins as it does: most forms
// match no step of a suite.
type Matcher struct {
	beginning string
	compiled  func() *regexp.Regexp
}

// NewMatcher returns the matcher of a pattern.
func NewMatcher(pattern string) Matcher {
	return Matcher{
		beginning: literalBeginning(pattern),
		compiled:  sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + pattern + "$") }),
	}
}

// Match returns what the groups of the pattern are in the text of a step, and reports whether the whole text matches.
func (m Matcher) Match(text string) (groups []string, ok bool) {
	if !strings.HasPrefix(text, m.beginning) {
		return nil, false
	}
	found := m.compiled().FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	return found[1:], true
}

// literalBeginning returns what each text begins with that matches a pattern, as far as plain letters say it.
func literalBeginning(pattern string) string {
	end := strings.IndexAny(pattern, `\.+*?()[]{}|^$`)
	switch {
	case end < 0:
		return pattern
	case end == 0:
		return ""
	}
	if strings.IndexByte("*?{|", pattern[end]) >= 0 { // the character before it may be missing
		return ""
	}
	return pattern[:end]
}
