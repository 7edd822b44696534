package config

import (
	"errors"
	"regexp"
	"strings"
)

// Lookup returns a variable of the environment.
type Lookup func(name string) (string, bool)

// variableName matches the name of a variable.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expansion is a text with the environment variables inserted.
type expansion struct {
	text string
	// names are the variables in it; missing are those of them that are not set and have no default.
	names, missing []string
	// hasDefault reports whether a variable has a default, whether or not that was needed.
	hasDefault bool
}

// expand inserts variables for ${NAME} and ${NAME:-default}; $$ is a dollar sign. As everywhere in hallmark, an
// empty variable counts as not set.
func expand(text string, lookup Lookup) (expansion, error) {
	var out expansion
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			break
		}
		if after, doubled := strings.CutPrefix(rest, "$"); doubled {
			b.WriteByte('$')
			text = after
			continue
		}
		inside, opened := strings.CutPrefix(rest, "{")
		inside, after, closed := strings.Cut(inside, "}")
		switch {
		case !opened:
			return out, errors.New("a dollar sign stands alone; write ${NAME} for an environment variable, and $$ for a dollar sign")
		case !closed:
			return out, errors.New("a ${ has no }; write ${NAME} for an environment variable, and $$ for a dollar sign")
		}
		name, otherwise, hasDefault := strings.Cut(inside, ":-")
		if !variableName.MatchString(name) {
			return out, errors.New("a ${…} names no variable; write ${NAME} or ${NAME:-default}, and $$ for a dollar sign")
		}
		out.names = append(out.names, name)
		out.hasDefault = out.hasDefault || hasDefault
		value, _ := lookup(name)
		switch {
		case value != "":
			b.WriteString(value)
		case hasDefault:
			b.WriteString(otherwise)
		default:
			out.missing = append(out.missing, name)
		}
		text = after
	}
	out.text = b.String()
	return out, nil
}
