package derive

import (
	"strconv"
	"strings"
)

// testCase is one derived scenario: what is given, what is called, what must come of it. Steps may hold <column>
// placeholders; row gives their values. Cases of one rule with the same steps become one outline.
type testCase struct {
	kind Kind
	// pointers lead to the constraint that the case is about, from the outside in.
	pointers []string
	// title completes the rule's sentence: "name is left out".
	title string
	// given and then are steps without keywords, call is the When step.
	given []string
	call  string
	then  []string
	row   []exampleValue
	// also are ids of further rules that the case exercises.
	also []string
}

// exampleValue is one value of an Examples row.
type exampleValue struct{ column, text string }

// shape is equal for cases that differ only in their row.
func (c testCase) shape() string {
	columns := make([]string, 0, len(c.row))
	for _, x := range c.row {
		columns = append(columns, x.column)
	}
	return strings.Join([]string{
		strings.Join(c.given, "\n"), c.call, strings.Join(c.then, "\n"), strings.Join(columns, "|"), strings.Join(c.also, " "),
	}, "\x00")
}

// request is equal for cases that ask and expect the same, whatever their titles say.
func (c testCase) request() string {
	c = c.filled()
	return strings.Join([]string{strings.Join(c.given, "\n"), c.call, strings.Join(c.then, "\n"), strings.Join(c.also, " ")}, "\x00")
}

// filled puts the row's values into title and steps: an outline of one row reads better as a scenario.
func (c testCase) filled() testCase {
	fill := func(text string) string {
		for _, x := range c.row {
			text = strings.ReplaceAll(text, "<"+x.column+">", x.text)
		}
		return text
	}
	all := func(steps []string) []string {
		var out []string
		for _, s := range steps {
			out = append(out, fill(s))
		}
		return out
	}
	c.title, c.given, c.call, c.then, c.row = fill(c.title), all(c.given), fill(c.call), all(c.then), nil
	return c
}

// bare writes a parameter's value so that a step can read it back: as it is, or as a JSON string when it is empty or
// holds blanks or quotes.
func bare(text string) string {
	if text == "" || strings.ContainsAny(text, " \t\"|<>\\") {
		return strconv.Quote(text)
	}
	return text
}
