package promise

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// describe words a violation: its kind, what the schema requires, and what is there.
func describe(v *schema.Violation) (kind spec.FindingKind, expected, actual phrase.Phrase) {
	shown := phrase.Of("{}", phrase.JSON(exactjson.Describe(v.Actual)))
	constant := phrase.JSON(literal(v.Expected))
	switch v.Keyword {
	case "required", "dependentRequired":
		return spec.KindMissing, phrase.Of("the property {}", phrase.Field(v.Name)), phrase.Of("no property {}", phrase.Field(v.Name))
	case "type":
		return spec.KindType, phrase.Of(types(v.Expected)), shown
	case "enum":
		return spec.KindEnum, phrase.Of("one of {}", constant), shown
	case "const":
		return spec.KindEnum, phrase.Of("{}", constant), shown
	case "format":
		return spec.KindFormat, phrase.Of("a value of the format {}", constant), shown
	case "pattern":
		return spec.KindFormat, phrase.Of("a text that matches {}", constant), shown
	case "minimum":
		return spec.KindTooSmall, phrase.Of("at least {}", constant), shown
	case "maximum":
		return spec.KindTooLarge, phrase.Of("at most {}", constant), shown
	case "exclusiveMinimum":
		return spec.KindTooSmall, phrase.Of("more than {}", constant), shown
	case "exclusiveMaximum":
		return spec.KindTooLarge, phrase.Of("less than {}", constant), shown
	case "multipleOf":
		return spec.KindForbidden, phrase.Of("a multiple of {}", constant), shown
	case "minLength", "minItems", "minProperties":
		noun := counted(v.Keyword)
		return spec.KindTooSmall, phrase.Of("at least {} "+noun, constant), phrase.Of("{} "+noun, phrase.JSON(literal(v.Actual)))
	case "maxLength", "maxItems", "maxProperties":
		noun := counted(v.Keyword)
		return spec.KindTooLarge, phrase.Of("at most {} "+noun, constant), phrase.Of("{} "+noun, phrase.JSON(literal(v.Actual)))
	case "uniqueItems":
		return spec.KindDuplicate, phrase.Of("items that differ from each other"), shown
	case "additionalProperties", "unevaluatedProperties", "propertyNames":
		return spec.KindForbidden, phrase.Of("only properties that the schema lists"), phrase.Of("the property {}", phrase.Field(v.Name))
	case "writeOnly":
		return spec.KindForbidden, phrase.Of("no property {}, which is write-only", phrase.Field(v.Name)), phrase.Of("the property {}", phrase.Field(v.Name))
	case "discriminator":
		return spec.KindEnum, phrase.Of("a value of {} that the discriminator knows", phrase.Field(v.Name)), shown
	case "oneOf":
		return spec.KindForbidden, phrase.Of("a value of exactly one of the alternatives (oneOf)"), shown
	case "anyOf":
		return spec.KindForbidden, phrase.Of("a value of one of the alternatives (anyOf)"), shown
	case "not":
		return spec.KindForbidden, phrase.Of("a value that does not match the schema of not"), shown
	case "":
		return spec.KindForbidden, phrase.Of("no value"), shown
	}
	return spec.KindForbidden, phrase.Of("a value that keeps " + v.Keyword), shown
}

// literal returns a value of the document, or a count, as it is written.
func literal(value any) string {
	switch v := value.(type) {
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case json.Number:
		return v.String()
	case []any:
		words := make([]string, len(v))
		for i, one := range v {
			words[i] = literal(one)
		}
		return text.Enumerate(words, "and")
	case string:
		return text.Quote(v)
	}
	return exactjson.Describe(value)
}

// detailOf distinguishes violations of one kind, without the value.
func detailOf(v *schema.Violation) string {
	if v.Name != "" {
		return v.Name
	}
	return exactjson.TypeName(v.Actual)
}

// counted returns what a keyword counts.
func counted(keyword string) string {
	switch {
	case strings.HasSuffix(keyword, "Length"):
		return "characters"
	case strings.HasSuffix(keyword, "Items"):
		return "items"
	}
	return "properties"
}

// types names the types that a schema allows.
func types(expected any) string {
	var all []string
	switch e := expected.(type) {
	case string:
		all = []string{e}
	case []any:
		for _, t := range e {
			if name, ok := t.(string); ok {
				all = append(all, name)
			}
		}
	}
	for i, t := range all {
		if t != "null" {
			all[i] = text.WithArticle(t)
		}
	}
	if len(all) == 0 {
		return "another type"
	}
	return text.Enumerate(all, "or")
}

// address returns the URL of a request without the base: as many segments as the operation's path has, and the
// query.
func address(ex *spec.Exchange, op *spec.Operation) string {
	u, err := url.Parse(ex.Request.URL)
	if err != nil {
		return op.Path
	}
	path := u.EscapedPath()
	segments := strings.Split(path, "/")
	if n := strings.Count(op.Path, "/"); len(segments) > n {
		path = "/" + strings.Join(segments[len(segments)-n:], "/")
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return strings.Trim(strconv.Quote(text.Literal(path)), `"`)
}
