package verdict

import (
	"cmp"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// location is a place in an exchange: the status, a value in the body, or a header.
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
	// All rules of an area about the whole body concern one thing, such as the length of the list, or whether it is a list at all.
	return location{it.at, "body, " + it.rule.Area()}, true
}

// isSchema reports whether a finding says that a value does not match a schema of the contract.
func isSchema(it *item) bool {
	if !it.rule.Always || it.Status != 0 {
		return false
	}
	return strings.Contains(it.Contract, "/schemas/") || it.Header == "" && strings.Contains(it.Contract+"/", "/schema/")
}

// isForm reports whether a finding says that a value is missing or has another type, which leaves nothing else to say about it: no body, no
// JSON, an object instead of an array.
func isForm(it *item) bool {
	if !it.rule.Always || it.Status != 0 || it.Header != "" {
		return false
	}
	if it.Kind == spec.KindUnreadable {
		return it.Pointer == "" // its place in the contract is the media type
	}
	return strings.HasSuffix(it.Contract, "/type") || strings.HasSuffix(it.Contract, "/content") || strings.HasSuffix(it.Contract, "/responses")
}

// isType reports whether a finding says that a whole body has another type.
func isType(it *item) bool { return it.Kind == spec.KindType && it.Status == 0 && it.Pointer == "" }

// isEnvelope reports whether a finding says that the body is missing or unreadable.
func isEnvelope(it *item) bool { return isForm(it) && !strings.HasSuffix(it.Contract, "/type") }

// isOther reports whether a finding says that a response is about another resource than the path names.
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

// voids reports whether an earlier finding about a response makes another finding meaningless that cites the response, as its decisive
// exchange or an earlier one.
func voids(before, it *item, decisive bool) bool {
	if LevelRank(before.rule.Level) > LevelRank(it.rule.Level) || before.Status != 0 || isForm(it) || it.Header != "" || before.Header != "" {
		return false
	}
	field := fieldOf(before)
	same := field != "" && field == fieldOf(it)
	switch {
	case before.Pointer == "" && isForm(before):
		return true // the whole body is unusable
	case isOther(before) && !it.rule.Always && it.Pointer != "":
		return true // two different resources were compared
	case same && !isSchema(it) && isSchema(before):
		return true // a missing value or one of the wrong type cannot be correct
	case same && !decisive && before.rule.ID != it.rule.ID:
		return true // it was wrong before it was compared
	}
	// What is reported missing from a response may be present in a broken part.
	return decisive && it.Pointer == "" && (it.spans || it.Kind == spec.KindLost) && !it.rule.Always && before.Pointer != "" && before.rule.Always
}

// fieldOf returns the name of the field that a finding is about: the rule's field for rules about schemas (a missing field has no place of
// its own), otherwise the last name in the pointer.
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

// isIndex reports whether a token of a pointer is an index into a list.
func isIndex(token string) bool { return strings.Trim(token, "0123456789") == "" }

// formOf returns what was received instead of what was expected, without its value. Records of earlier versions have it only as text.
func formOf(it *item) string { return cmp.Or(it.Detail, string(it.Kind), it.Actual.String()) }

// PointerTokens splits a JSON Pointer (RFC 6901) into tokens.
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
