// Package sentence holds steps of features as templates: what a step says and which texts it reads are one value, for those who write
// features and for the step itself.
package sentence

import (
	"regexp"
	"strconv"
	"strings"
)

// Sentence is what a step says, with places for values: "{name} reads it". A text without places is a step as it is.
type Sentence string

// The places, each with the pattern of what may stand there.
const (
	// Name is a name, in quotes where it holds more than letters, digits and a few signs.
	Name = `([\w\-./~$\[\]{}@:]+|"(?:[^"\\]|\\.)*")`
	// JSON is any JSON text, Text a JSON string.
	JSON = `((?:\{|\[|"|-?\d|true|false|null).*)`
	Text = `("(?:[^"\\]|\\.)*")`
)

// pattern is that of a place, by what stands in the braces. Words may be anything.
func pattern(place string) string {
	switch place {
	case "name":
		return Name
	case "json":
		return JSON
	case "text":
		return Text
	case "place": // where a parameter stands
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

// Pattern returns the regular expression that the texts of the step match, with a group for each place.
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

// Write returns the step with values in its places, names as [Quoted] writes them.
func (s Sentence) Write(values ...string) string {
	before, behind := s.Around(values...)
	return before + behind
}

// Around returns the step before and behind the first place that none of the values fills.
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

// Beginning returns what all texts of the step begin with.
func (s Sentence) Beginning() string {
	before, _, _, _ := cut(string(s))
	return before
}

// cut returns what stands before a place, its name, and what stands behind it.
func cut(text string) (before, place, behind string, found bool) {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return text, "", "", false
	}
	place, behind, found = strings.Cut(rest, "}")
	return before, place, behind, found
}

// plainName is a name that a step can hold as it is.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_\-./~$\[\]{}@:]+$`)

// Quoted returns a name as steps write it.
func Quoted(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
