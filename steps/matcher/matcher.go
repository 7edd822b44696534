package matcher

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Matcher matches the texts of steps against the pattern of a form. The pattern is compiled for the first text that begins and ends as
// it does: most forms match no step of a suite.
type Matcher struct {
	beginning, ending string
	compiled          func() *regexp.Regexp
}

// New returns the matcher of a pattern.
func New(pattern string) Matcher {
	return Matcher{
		beginning: literalBeginning(pattern), ending: literalEnding(pattern),
		compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + pattern + "$") }),
	}
}

// Match returns what the groups of the pattern are in the text of a step, and reports whether the whole text matches.
func (m Matcher) Match(text string) (groups []string, ok bool) {
	if !strings.HasPrefix(text, m.beginning) || !strings.HasSuffix(text, m.ending) {
		return nil, false
	}
	found := m.compiled().FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	return found[1:], true
}

// special are the characters that mean something else in a pattern.
const special = `\.+*?()[]{}|^$`

// literalBeginning returns what each text begins with that matches a pattern, as far as plain letters say it.
func literalBeginning(pattern string) string {
	end := strings.IndexAny(pattern, special)
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

// literalEnding returns the same of what each text ends with.
func literalEnding(pattern string) string {
	last := strings.LastIndexAny(pattern, special)
	ending := pattern[last+1:]
	if last >= 0 && pattern[last] == '\\' { // which belongs to the character behind it
		_, size := utf8.DecodeRuneInString(ending)
		return ending[size:]
	}
	return ending
}
