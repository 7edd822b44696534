package suite

import (
	"strings"
	"testing"
)

func TestTagExpressions(t *testing.T) {
	for expression, want := range map[string]struct{ yes, no string }{
		"":                              {"; @a; @a @b", ""},
		"  ":                            {"; @a", ""},
		"@a":                            {"@a; @b @a", "; @b; @ab; @A"},
		"~@a":                           {"; @b; @ab", "@a; @a @b"},
		"!@a":                           {"; @b", "@a"},
		"not @a":                        {"; @b", "@a"},
		"NOT @a":                        {"; @b", "@a"},
		"not not @a":                    {"@a", "; @b"},
		"@a && @b":                      {"@a @b; @b @c @a", "; @a; @b"},
		"@a and @b":                     {"@a @b", "@a; @b"},
		"@a&&@b":                        {"@a @b", "@a; @b"},
		"@a && ~@b":                     {"@a; @a @c", "@b; @a @b;"},
		"@a and not @b":                 {"@a", "@a @b; @b"},
		"@a,@b":                         {"@a; @b; @a @b", "; @c"},
		"@a, @b":                        {"@a; @b", "; @c"},
		"@a || @b":                      {"@a; @b", "; @c"},
		"@a or @b":                      {"@a; @b", "; @c"},
		"@a && @b, @c":                  {"@a @b; @c; @a @c", "@a; @b"},
		"@c, @a && @b":                  {"@a @b; @c; @b @c", "@a; @b"},
		"@a and @b or @c":               {"@a @b; @c", "@a; @b"},
		"@c or @a and @b":               {"@a @b; @c", "@a; @b"},
		"@a and (@b or @c)":             {"@a @b; @a @c", "@a; @c; @b @c"},
		"(@a or @b) and @c":             {"@a @c; @b @c", "@c; @a @b"},
		"not (@a or @b)":                {"; @c", "@a; @b; @a @b"},
		"not @a or @b":                  {"; @b; @a @b", "@a"},
		"~@a && ~@b":                    {"; @c", "@a; @b"},
		"((@a))":                        {"@a", "@b"},
		"@rule:list.limit.honoured":     {"@rule:list.limit.honoured", "@rule:list.limit; @rule:list.limit.honoured.too"},
		"@phase:first or @read-only":    {"@phase:first; @read-only", "@phase:last"},
		"@notable":                      {"@notable", "@a"},
		"@orphan and @android":          {"@orphan @android", "@orphan; @android"},
		" @a\t&&\n@b ":                  {"@a @b", "@a"},
		"@a and @b and @c or @d and @e": {"@a @b @c; @d @e", "@a @b; @d; @c @e"},
	} {
		filter, err := parseTags(expression)
		if err != nil {
			t.Errorf("%q: %v", expression, err)
			continue
		}
		for answer, sets := range map[bool]string{true: want.yes, false: want.no} {
			if sets == "" {
				continue
			}
			for set := range strings.SplitSeq(sets, ";") {
				if got := filter(strings.Fields(set)); got != answer {
					t.Errorf("%q of [%s]: %v, want %v", expression, strings.TrimSpace(set), got, answer)
				}
			}
		}
	}
}

func TestTagExpressionsThatCannotBeRead(t *testing.T) {
	for expression, want := range map[string]string{
		"a":            `"a" is not allowed there`,
		"@":            `"@" is not allowed there`,
		"@a @b":        `"@b" is not allowed there`,
		"@a and":       "ends too early",
		"@a &&":        "ends too early",
		"@a,":          "ends too early",
		"and @a":       `"and" is not allowed there`,
		"@a and or @b": `"or" is not allowed there`,
		"@a & @b":      `"&" is not allowed there`,
		"not":          "ends too early",
		"~":            "ends too early",
		"(@a":          "ends too early",
		"@a)":          `")" is not allowed there`,
		"()":           `")" is not allowed there`,
		"@a xor @b":    `"xor" is not allowed there`,
		"read-only":    `"read-only" is not allowed there`,
	} {
		_, err := parseTags(expression)
		if err == nil {
			t.Errorf("%q was read", expression)
			continue
		}
		if text := err.Error(); !strings.Contains(text, want) || !strings.Contains(text, expression) || strings.Contains(text, "\n") {
			t.Errorf("%q: %s; want one line that says %s", expression, text, want)
		}
	}
}
