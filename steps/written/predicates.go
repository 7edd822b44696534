package written

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// equals is "… is <JSON>".
func equals(s *scenario.Scenario, source string) (predicate, error) {
	want, err := Value(s, source)
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("{}", shownValue(want)), missingOr(there, spec.KindDiffers), there && exactjson.Equal(is, want)
	}, err
}

// isNot is "… is not <JSON>": another value, or none.
func isNot(s *scenario.Scenario, source string) (predicate, error) {
	want, err := Value(s, source)
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("another value than {}", shownValue(want)), spec.KindForbidden, !there || !exactjson.Equal(is, want)
	}, err
}

// isOneOf is "… is one of <JSON array>".
func isOneOf(s *scenario.Scenario, source string) (predicate, error) {
	v, err := Value(s, source)
	all, _ := v.([]any)
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("one of {}", shownValue(v)), missingOr(there, spec.KindEnum), there && slices.ContainsFunc(all, func(one any) bool { return exactjson.Equal(is, one) })
	}, err
}

// matches is "… matches <regular expression>".
func matches(_ *scenario.Scenario, source string) (predicate, error) {
	expression, err := compiled(source)
	if err != nil {
		return nil, err
	}
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		kind := spec.KindFormat
		t, isText := is.(string)
		if !isText {
			kind = spec.KindType
		}
		return phrase.Of("a text that matches {}", phrase.Text(expression.String())), missingOr(there, kind), isText && expression.MatchString(t)
	}, nil
}

// compiled reads a regular expression in quotes, as it is written: a backslash stands for itself.
func compiled(quoted string) (*regexp.Regexp, error) {
	source := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`), `\"`, `"`)
	expression, err := regexp.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("%s is no regular expression: %w", text.Short(quoted), err)
	}
	return expression, nil
}

// isA is "… is a string".
func isA(_ *scenario.Scenario, name string) (predicate, error) {
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		good := false
		switch v := is.(type) {
		case string:
			good = name == "string"
		case bool:
			good = name == "boolean"
		case []any:
			good = name == "array"
		case map[string]any:
			good = name == "object"
		case json.Number:
			_, integer := exactjson.CanonicalInt(v)
			good = name == "number" || name == "integer" && integer
		}
		return phrase.Of("{}", phrase.Text(text.WithArticle(name))), missingOr(there, spec.KindType), there && good
	}, nil
}

// isThere is "… is present" and "… is absent".
func isThere(_ *scenario.Scenario, word string) (predicate, error) {
	return func(_ any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		if word == "absent" {
			return phrase.Of("nothing"), spec.KindForbidden, !there
		}
		return phrase.Of("a value"), spec.KindMissing, there
	}, nil
}

// contains is "… contains <JSON>": a text that holds it, a list with such an item, or an object with such members.
func contains(s *scenario.Scenario, source string) (predicate, error) {
	want, err := Value(s, source)
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("a value that contains {}", shownValue(want)), missingOr(there, spec.KindDiffers), there && holdsWithin(is, want)
	}, err
}

func holdsWithin(is, want any) bool {
	switch is := is.(type) {
	case string:
		part, text := want.(string)
		return text && strings.Contains(is, part)
	case []any:
		return slices.ContainsFunc(is, func(one any) bool {
			_, object := want.(map[string]any)
			return exactjson.Equal(one, want) || object && holdsWithin(one, want)
		})
	case map[string]any:
		members, object := want.(map[string]any)
		for name, value := range members {
			if other, there := is[name]; !there || !exactjson.Equal(other, value) && !nested(other, value) {
				return false
			}
		}
		return object
	}
	return false
}

// nested reports whether an object within an object holds the members of another one.
func nested(is, want any) bool {
	_, inner := is.(map[string]any)
	_, also := want.(map[string]any)
	return inner && also && holdsWithin(is, want)
}

// compares is "… is at least <number>".
func compares(_ *scenario.Scenario, rest string) (predicate, error) {
	words, number := rest[:strings.LastIndexByte(rest, ' ')], rest[strings.LastIndexByte(rest, ' ')+1:]
	bound, ok := rational(json.Number(number))
	if !ok {
		return nil, fmt.Errorf("%s is no number that can be compared", text.Short(number))
	}
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		kind := spec.KindTooSmall
		if words == "at most" || words == "less than" {
			kind = spec.KindTooLarge
		}
		n, isNumber := is.(json.Number)
		x, exact := rational(n)
		if !isNumber {
			kind = spec.KindType
		}
		return phrase.Of("a number {} {}", phrase.Text(words), phrase.JSON(number)), missingOr(there, kind), there && isNumber && (!exact || ordered(words, x.Cmp(bound)))
	}, nil
}

func ordered(words string, sign int) bool {
	switch words {
	case "at least":
		return sign >= 0
	case "at most":
		return sign <= 0
	case "more than":
		return sign > 0
	}
	return sign < 0
}

// rational returns a number exactly; false for one whose digits would fill the memory, which nobody compares.
func rational(n json.Number) (*big.Rat, bool) {
	if !exactjson.IsNumber(n.String()) || exactjson.IsHuge(n.String()) {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}

// counts is "… has at most 3 items".
func counts(_ *scenario.Scenario, rest string) (predicate, error) {
	words, number, _ := strings.Cut(rest, "\x00")
	n, err := atoi(number)
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		list, isList := is.([]any)
		kind, good := fits(words, len(list), n)
		if !isList {
			kind = spec.KindType
		}
		return phrase.Of("{} {}", phrase.Text(words), phrase.Count(n, "item")), missingOr(there, kind), isList && good
	}, err
}

// fits reports whether a count is as words say, and how it is wrong where it is not.
func fits(words string, is, n int) (spec.FindingKind, bool) {
	kind := spec.KindTooLarge
	if is < n {
		kind = spec.KindTooSmall
	}
	switch words {
	case "at least":
		return kind, is >= n
	case "at most":
		return kind, is <= n
	}
	return kind, is == n
}

func missingOr(there bool, kind spec.FindingKind) spec.FindingKind {
	if there {
		return kind
	}
	return spec.KindMissing
}
