package verdict

import (
	"cmp"
	"strings"
)

// location is a spot in one exchange: its status, a value in the body, a header.
type location struct {
	exchange int
	spot     string
}

const statusSpot = "status"

func locationOf(it *item) (location, bool) {
	switch {
	case it.at == 0:
		return location{}, false
	case it.Status != 0:
		return location{it.at, statusSpot}, true
	case it.Pointer != "":
		return location{it.at, "at " + it.Pointer}, true
	case it.Header != "":
		return location{it.at, "header " + it.Header}, true
	}
	// Of the whole body an area's rules speak as of one thing: how long the list is, whether it is one at all.
	return location{it.at, "body, " + it.rule.Area()}, true
}

// isSchema reports whether a finding says that a value is not as the contract's schemas want it.
func isSchema(it *item) bool {
	return it.rule.Always && it.Status == 0 && strings.Contains(it.Contract, "/schemas/")
}

// isForm reports whether a finding says that a value is not there or of another type, so that nothing else can be said of
// it: no body, no JSON, an object for an array.
func isForm(it *item) bool {
	if !it.rule.Always || it.Status != 0 || it.Header != "" {
		return false
	}
	return strings.HasSuffix(it.Contract, "/type") || strings.HasSuffix(it.Contract, "/content") || strings.HasSuffix(it.Contract, "/responses")
}

// isEnvelope reports whether a finding says that there is no body, or none that can be read.
func isEnvelope(it *item) bool { return isForm(it) && !strings.HasSuffix(it.Contract, "/type") }

// isOther reports whether a finding says that a response is about another thing than the one that the path named.
func isOther(it *item) bool {
	if !it.rule.Always || it.Status != 0 {
		return false
	}
	for _, pointer := range it.rule.Contract {
		if strings.Contains(pointer, "{") && strings.Contains(pointer, "/parameters/") {
			return true
		}
	}
	return false
}

// voids reports whether a finding about a response leaves nothing to be said by another finding that cites the response, the
// decisive one of it or an earlier one.
func voids(before, it *item, decisive bool) bool {
	if LevelRank(before.rule.Level) > LevelRank(it.rule.Level) || before.Status != 0 || isForm(it) || it.Header != "" || before.Header != "" {
		return false
	}
	field := fieldOf(before)
	same := field != "" && field == fieldOf(it)
	switch {
	case before.Pointer == "" && isForm(before):
		return true // the whole body is of no use
	case isOther(before) && !it.rule.Always && it.Pointer != "":
		return true // what was compared are two different things
	case same && !isSchema(it) && isSchema(before):
		return true // a value that is none cannot be the right one
	case same && !decisive && before.rule.ID != it.rule.ID:
		return true // it was wrong before it was compared
	}
	// What is said to be missing from a response may be there, in a part that is broken.
	return decisive && it.Pointer == "" && it.spans && !it.rule.Always && before.Pointer != "" && before.rule.Always
}

// fieldOf is the name of the field that a finding is about: of schemas' rules the one that the rule is about (a field
// that is missing has no place of its own), else the last name in the pointer.
func fieldOf(it *item) string {
	if isSchema(it) {
		for _, pointer := range it.rule.Contract {
			if _, name, ok := strings.Cut(pointer, "/properties/"); ok && !strings.Contains(name, "/") {
				return name
			}
		}
	}
	tokens := PointerTokens(it.Pointer)
	if len(tokens) == 0 {
		return ""
	}
	last := tokens[len(tokens)-1]
	if isIndex(last) {
		return ""
	}
	return last
}

// isIndex reports whether a token of a pointer is a place in a list.
func isIndex(token string) bool { return strings.Trim(token, "0123456789") == "" }

// formOf returns what came in place of what was expected, without its value. Records of earlier versions say it in words only.
func formOf(it *item) string { return cmp.Or(it.Detail, string(it.Kind), it.Actual.String()) }

// PointerTokens takes a JSON Pointer (RFC 6901) apart.
func PointerTokens(pointer string) []string {
	if !strings.HasPrefix(pointer, "/") {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens
}
