package promise

import (
	"regexp"
	"slices"
	"strings"

	"hallmark/internal/lazy"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/instance"
	"hallmark/spec/jsonpointer"
)

// stated reports whether the contract itself states the value of a case, so that a service may be expected to take it: a member of an
// enum, a bound of a number, an optional property that is left out. A text that was made up may be an opaque cursor, or name what does
// not exist; and so may a number that is an id. s is the schema at the place of the case, name that of the place, and base what
// the case is a variant of.
func stated(c instance.Case, s *spec.Schema, name string, base any) bool {
	if dependent(s, c.Kind == instance.OptionalLeftOut) {
		return false
	}
	value, there := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Pointer))
	was, had := exactjson.Lookup(base, jsonpointer.Tokens(c.Pointer))
	switch c.Kind {
	case instance.Member, instance.Nullable, instance.OptionalLeftOut:
		return true
	case instance.Variant, instance.Example:
		return there && !namesOther(name) && !refers(value, was) && !invents(c, s, value, was)
	case instance.Smallest: // a bound, or the first of the values
		return c.Pointer == "" && s != nil && !namesOther(name) && (bounded(s) || s.Type == "boolean" || len(s.Enum) > 0)
	case instance.OptionalAdded:
		return s != nil && !namesOther(name) && (bounded(s) || s.Type == "boolean" || len(s.Enum) > 0)
	case instance.Inside:
		if s == nil || namesOther(name) || refers(value, was) {
			return false
		}
		switch value.(type) {
		case string:
			// Only where another text that was made up got in: then it is free text, but for its length.
			_, text := was.(string)
			return had && text && s.Format == "" && len(s.Examples) == 0 && s.Default == ""
		case []any:
			return true
		}
		return bounded(s)
	case instance.Full, instance.Int64Extreme, instance.LeftOut, instance.Type, instance.NotMember, instance.Excluded, instance.Outside, instance.Null, instance.Pattern, instance.Format,
		instance.Fraction, instance.BeyondFormat, instance.NotMultiple, instance.Duplicate, instance.Unknown, instance.NoVariant, instance.Discriminator:
	}
	return false
}

// shorterFirst returns a text of another length for a case about the length of a text, where nobody knows whether the service takes a text
// that was made up: if it takes the one, it has to take the other. s is the schema at the place of the case, name that of the place.
func shorterFirst(c instance.Case, s *spec.Schema, name string) (string, bool) {
	value, there := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Pointer))
	long, text := value.(string)
	if c.Kind != instance.Inside || s == nil || !there || !text || !plainText(*s) || s.Format != "" || len(s.Enum) > 0 || conditional(s.Description) || namesOther(name) {
		return "", false
	}
	runes := []rune(long)
	n := len(runes) - 1
	if s.MaxLength != nil && len(runes) < int(*s.MaxLength) { // the shortest text: a longer one stands beside it
		return long + "x", true
	}
	if n < 1 || s.MinLength != nil && n < int(*s.MinLength) {
		return "", false
	}
	const short = 4 // a bound that a service has by mistake may lie far below the documented one
	if least := max(short, leastLength(s)); n > least {
		n = least
	}
	return string(runes[:n]), true
}

// plainText reports whether a schema says no more of a text than its length and that it may be null.
func plainText(s spec.Schema) bool {
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
	return s.Simple()
}

// bounded reports whether a schema bounds numbers.
func bounded(s *spec.Schema) bool {
	return s.Minimum != "" || s.Maximum != "" || s.ExclusiveMinimum != "" || s.ExclusiveMaximum != ""
}

// reference is how names of properties end that hold the id of something else, or a place in a list that only the service knows.
var reference = lazy.Regexp(`(?i)(^|[^a-z])(ids?|uuid|guid|key|cursor|token|after|before|since|etag|ref|slug|code|url|uri|href)$|[a-z](Ids?|ID|IDs|UUID|Key|Cursor|Token|Ref|Slug|Code|Url|URL|Uri|URI)$`)

// namesOther reports whether a name says that its value refers to something that may not exist.
func namesOther(name string) bool { return reference().MatchString(name) }

// refers reports whether a value holds a member whose name says that it refers to something, and that stood for something else, or was
// not there, in the value before.
func refers(value, was any) bool {
	switch v := value.(type) {
	case map[string]any:
		before, _ := was.(map[string]any)
		for name, member := range v {
			if namesOther(name) && jsonOf(member) != jsonOf(before[name]) || refers(member, before[name]) {
				return true
			}
		}
	case []any:
		before, _ := was.([]any)
		for i, item := range v {
			var old any
			if i < len(before) {
				old = before[i]
			}
			if refers(item, old) {
				return true
			}
		}
	}
	return false
}

// invents reports whether a case differs from what it is a variant of by a member that was made up so that a condition (if) is not kept: the
// contract says nothing of that member's value but that it is another one, and a service may know no such country. s is the schema at the
// place of the case, value what stands there, was what stood there before.
func invents(c instance.Case, s *spec.Schema, value, was any) bool {
	parts := partsOf(s, 0)
	i := slices.IndexFunc(parts, func(part *spec.Schema) bool {
		return part.If != nil && (c.Constraint == part.Pointer+"/else" || c.Constraint == part.Pointer+"/if")
	})
	if i < 0 {
		return false
	}
	is, object := value.(map[string]any)
	if !object {
		return !lists(s)
	}
	before, _ := was.(map[string]any)
	for name, member := range is {
		old, had := before[name]
		switch required := parts[i].Else != nil && slices.Contains(parts[i].Else.Schema.Required, name); {
		case had && sameText(old, member), !had && required:
		case property(s, name, 0) == nil || !lists(property(s, name, 0).Schema):
			return true
		}
	}
	return false
}

// lists reports whether a schema says which values there are: by a list, by bounds, or since there are only two.
func lists(s *spec.Schema) bool {
	return slices.ContainsFunc(partsOf(s, 0), func(part *spec.Schema) bool {
		return len(part.Enum) > 0 || part.Const != "" || part.Type == "boolean" || bounded(part)
	})
}

// condition are words by which a document says that whether a value is allowed, or may be left out, depends on something else.
var condition = lazy.Regexp(`(?i)\b(only (if|when|valid|applicable|allowed|available|applies|used|with|for)|required (if|when|unless|for|with)|must (also )?be (specified|set|provided|given|present|used)|` +
	`mandatory|mutually exclusive|either|at least one|exactly one|in combination|together with|conjunction|(can ?not|can't|must not|may not) be (used|combined|set|given|specified)|depend(s|ing)? on|unless|conflicts? with|instead of)\b`)

// conditional reports whether a description makes a value depend on something that no schema says.
func conditional(description string) bool { return condition().MatchString(description) }

// needed are words by which the description of a member says that it has to be there.
var needed = lazy.Regexp(`(?i)\b(required|mandatory|obligatory)\b`)

// needless are words that say the opposite.
var needless = lazy.Regexp(`(?i)\b(not|never|isn't|isn’t|no longer) (strictly )?(required|mandatory|obligatory)\b`)

// depending reports whether a description makes a value depend on something that no schema says. out reports whether the value is left out,
// which "Required." forbids as well.
func depending(description string, out bool) bool {
	return conditional(description) || out && needed().MatchString(description) && !needless().MatchString(description)
}

// dependent is depending of a schema and those that it is combined of.
func dependent(s *spec.Schema, out bool) bool {
	return slices.ContainsFunc(partsOf(s, 0), func(part *spec.Schema) bool { return depending(part.Description, out) })
}

// sentenceEnd ends a sentence, a paragraph or an item of a list in the prose of a document.
var sentenceEnd = lazy.Regexp(`[.!?]\s|\n\s*\n|\n\s*[-*+]\s`)

// demand are words by which a document says that something has to be there.
var demand = lazy.Regexp(`(?i)\b(must|has to|have to|needs? to|required|requires|mandatory)\b`)

// conditionalIn reports whether a sentence that names a place makes it depend on something that no schema says: "With a client token, the
// body must include appid". out reports whether the place is left out, which a plain demand forbids as well.
func conditionalIn(prose []string, name string, out bool) bool {
	if name == "" {
		return false
	}
	prose = slices.DeleteFunc(prose, func(text string) bool { return !strings.Contains(strings.ToLower(text), strings.ToLower(name)) })
	if len(prose) == 0 {
		return false
	}
	word := regexp.MustCompile(`(?i)(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`)
	for _, text := range prose {
		for _, part := range sentenceEnd().Split(text, -1) {
			if word.MatchString(part) && (conditional(part) || out && demand().MatchString(part)) {
				return true
			}
		}
	}
	return false
}

// proseAround returns what a document says of a body and of the values in it that a pointer leads through, without that at its end.
func (x *bodies) proseAround(pointer string) []string {
	prose := []string{x.op.Summary, x.op.Description, x.body.Description}
	tokens := jsonpointer.Tokens(pointer)
	for i := range tokens {
		s := schemaAt(instance.Case{Pointer: jsonpointer.Join("", tokens[:i]...)}, x.media.Schema)
		for _, part := range partsOf(s, 0) {
			prose = append(prose, part.Description)
		}
	}
	return prose
}

// depends reports whether a place in a body depends on something that no schema says: by the prose around it, or since paths name the
// resource by what its creator writes there, so that it cannot be left out.
func (x *bodies) depends(pointer string, out bool) bool {
	if out && x.options.chosenName != nil {
		if name, ok := x.options.chosenName(x.op); ok && pointer == jsonpointer.Join("", name.Name) {
			return true
		}
	}
	return conditionalIn(x.proseAround(pointer), lastName(pointer), out)
}

// lastName returns the name of the property that a pointer leads to; that of the list for an item.
func lastName(pointer string) string {
	for _, token := range slices.Backward(jsonpointer.Tokens(pointer)) {
		for _, r := range token {
			if r < '0' || r > '9' {
				return token
			}
		}
	}
	return ""
}

// schemaAt returns the schema that the case is about, as far as properties lead there; nil where they do not.
func schemaAt(c instance.Case, s *spec.Schema) *spec.Schema {
	for _, token := range jsonpointer.Tokens(c.Pointer) {
		if s == nil {
			return nil
		}
		if p := property(s, token, 0); p != nil {
			s = p.Schema
		} else {
			s = s.Item()
		}
	}
	return s
}

// property returns the property of a schema, or of one that it is combined of; nil for none.
func property(s *spec.Schema, name string, depth int) *spec.Property {
	const deepest = 8
	if s == nil || depth > deepest {
		return nil
	}
	if p := s.Property(name); p != nil {
		return p
	}
	parts := slices.Concat(s.AllOf, s.OneOf, s.AnyOf)
	if s.Ref != nil {
		parts = append(parts, *s.Ref)
	}
	for _, e := range parts {
		if p := property(e.Schema, name, depth+1); p != nil {
			return p
		}
	}
	return nil
}

// leastLength is how many characters a text has at least.
func leastLength(s *spec.Schema) int {
	if s.MinLength == nil {
		return 0
	}
	return int(*s.MinLength)
}
