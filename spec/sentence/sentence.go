// Package sentence holds steps of features as templates. The text of a step and the texts that it matches are one value, for the writers of
// features and for the step itself.
package sentence

import (
	"regexp"
	"strconv"
	"strings"
)

// Sentence is a step with places for values: "{name} reads it". Without places it is the step's exact text.
type Sentence string

// The places, each with the pattern of the texts allowed there.
const (
	// Name is a name, quoted if it contains more than letters, digits and a few signs.
	Name = `([\w\-./~$\[\]{}@:]+|"(?:[^"\\]|\\.)*")`
	// JSON is any JSON text, Text a JSON string.
	JSON = `((?:\{|\[|"|-?\d|true|false|null).*)`
	Text = `("(?:[^"\\]|\\.)*")`
)

// pattern returns the pattern of a place, given the text in its braces. Words match anything.
func pattern(place string) string {
	switch place {
	case "name":
		return Name
	case "json":
		return JSON
	case "text":
		return Text
	case "place": // the place of a parameter
		return `(path|query|querystring|header|cookie)`
	case "member": // of a body
		return `(\S+)`
	case "value": // of a member
		return `((?:\{|\[|").*|-?[\d.eE+-]+|true|false|null)`
	case "statuses":
		return `(\d{3}(?: or \d{3})*)`
	case "number":
		return `(\d+)`
	case "media": // a media type without parameters
		return `(\S+)`
	case "medias": // media types, or one with parameters
		return `(\S.*)`
	}
	return `(.+)`
}

// Pattern returns the regular expression that matches texts of the step, with a group for each place.
func (s Sentence) Pattern() string {
	var b strings.Builder
	for rest := string(s); ; {
		before, place, behind, found := cut(rest)
		b.WriteString(regexp.QuoteMeta(before))
		if !found {
			return b.String()
		}
		b.WriteString(pattern(place))
		rest = behind
	}
}

// Write returns the step with values in its places. Names are quoted by [Quoted] if necessary.
func (s Sentence) Write(values ...string) string {
	before, behind := s.Around(values...)
	return before + behind
}

// Around returns the text before and after the first place for which there is no value.
func (s Sentence) Around(values ...string) (before, behind string) {
	var b strings.Builder
	rest := string(s)
	for _, value := range values {
		said, place, after, _ := cut(rest)
		if place == "name" {
			value = Quoted(value)
		}
		b.WriteString(said + value)
		rest = after
	}
	before, _, behind, _ = cut(rest)
	return b.String() + before, behind
}

// Beginning returns the common prefix of all texts of the step.
func (s Sentence) Beginning() string {
	before, _, _, _ := cut(string(s))
	return before
}

// cut returns the text before a place, its name, and the text after it.
func cut(text string) (before, place, behind string, found bool) {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return text, "", "", false
	}
	place, behind, found = strings.Cut(rest, "}")
	return before, place, behind, found
}

// plainName matches a name that needs no quotes in a step.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_\-./~$\[\]{}@:]+$`)

// Quoted returns a name as written in steps.
func Quoted(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
