package hallmark

import (
	"flag"
	"regexp"
	"slices"
	"strings"
)

// selection is what -run selects among the subtests of a run: alternatives, each with a pattern for each level of names.
type selection struct{ alternatives [][]*regexp.Regexp }

// matches reports whether the test of a rule will run.
func (s *selection) matches(rule string) bool {
	operation, name := nameOf(rule)
	return slices.ContainsFunc(s.alternatives, func(levels []*regexp.Regexp) bool { return match(levels, []string{operation, name}) })
}

// pattern returns the value of go test's flag -run.
func pattern() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}

// chosen returns what -run selects below a test, or nil if that is everything. As in package testing, the pattern is divided by slashes into
// one pattern for each level of names, and by bars into alternatives, except in brackets and parentheses.
func chosen(test, run string) *selection {
	names := strings.Split(test, "/")
	var s selection
	for _, alternative := range outside(run, '|') {
		var levels []*regexp.Regexp
		for _, level := range outside(alternative, '/') {
			compiled, err := regexp.Compile(strings.ReplaceAll(level, " ", "_"))
			if err != nil {
				return nil // package testing has refused it
			}
			levels = append(levels, compiled)
		}
		own := min(len(names), len(levels))
		if !match(levels[:own], names) {
			continue // it selects another test
		}
		if own == len(levels) {
			return nil
		}
		s.alternatives = append(s.alternatives, levels[own:])
	}
	return &s
}

// match reports whether each pattern matches the name of its level.
func match(levels []*regexp.Regexp, names []string) bool {
	for i, level := range levels {
		if i < len(names) && !level.MatchString(names[i]) {
			return false
		}
	}
	return true
}

// outside splits a pattern at a character, except in brackets, in parentheses and behind a backslash.
func outside(pattern string, at byte) []string {
	var all []string
	start, brackets, parentheses := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']' && brackets > 0:
			brackets--
		case c == '(' && brackets == 0:
			parentheses++
		case c == ')' && brackets == 0:
			parentheses--
		case c == at && brackets == 0 && parentheses == 0:
			all = append(all, pattern[start:i])
			start = i + 1
		}
	}
	return append(all, pattern[start:])
}

// skipping reports whether go test's flag -skip leaves tests out.
func skipping() bool { return given("test.skip") }

// given reports whether a flag of go test has a value.
func given(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != "" && f.Value.String() != "false"
}
