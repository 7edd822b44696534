package promise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// stated reports whether the contract itself states the value of a case, so that a service can be expected to
// accept it: a member of an enum, a bound of a number, an optional property left out. A made-up text may be an
// opaque cursor, or name what does not exist; so may a number that is an id. s is the schema at the place of the
// case, name the name of the place, and base the value that the case is a variant of.
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
			// Only if another made-up text was accepted: then it is free text, except for its length.
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

// shorterFirst returns a text of another length for a case about the length of a text, if it is unknown whether
// the service accepts made-up texts: if it accepts the one, it must accept the other. s is the schema at the place
// of the case, name the name of the place.
func shorterFirst(c instance.Case, s *spec.Schema, name string) (string, bool) {
	value, there := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Pointer))
	long, text := value.(string)
	if c.Kind != instance.Inside || s == nil || !there || !text || !plainText(*s) || s.Format != "" || len(s.Enum) > 0 || conditional(s.Description) || namesOther(name) {
		return "", false
	}
	runes := []rune(long)
	n := len(runes) - 1
	if s.MaxLength != nil && len(runes) < int(*s.MaxLength) { // for the shortest text, compare with a longer one
		return long + "x", true
	}
	if n < 1 || s.MinLength != nil && n < int(*s.MinLength) {
		return "", false
	}
	const short = 4 // a mistaken bound of a service may be far below the documented one
	if least := max(short, leastLength(s)); n > least {
		n = least
	}
	return string(runes[:n]), true
}

// plainText reports whether a schema restricts texts only by length, and may allow null.
func plainText(s spec.Schema) bool {
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
	return s.Simple()
}

// bounded reports whether a schema bounds numbers.
func bounded(s *spec.Schema) bool {
	return s.Minimum != "" || s.Maximum != "" || s.ExclusiveMinimum != "" || s.ExclusiveMaximum != ""
}

// reference matches names of properties that hold the id of something else, or a position in a list that only the
// service knows.
var reference = regexp.MustCompile(`(?i)(^|[^a-z])(ids?|uuid|guid|key|cursor|token|after|before|since|etag|ref|slug|code|url|uri|href)$|[a-z](Ids?|ID|IDs|UUID|Key|Cursor|Token|Ref|Slug|Code|Url|URL|Uri|URI)$`)

// namesOther reports whether a name says that its value refers to something that may not exist.
func namesOther(name string) bool { return reference.MatchString(name) }

// refers reports whether a value holds a member that is named like a reference, and that is new or different from
// the earlier value.
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

// invents reports whether a case differs from its base in a made-up member that makes a condition (if) fail: the
// contract only says that the member has another value, and a service may not know, say, such a country. s is the
// schema at the place of the case, value the value there, was the one in the base.
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
		return !listsValues(s)
	}
	before, _ := was.(map[string]any)
	for name, member := range is {
		old, had := before[name]
		switch required := parts[i].Else != nil && slices.Contains(parts[i].Else.Schema.Required, name); {
		case had && sameText(old, member), !had && required:
		case property(s, name, 0) == nil || !listsValues(property(s, name, 0).Schema):
			return true
		}
	}
	return false
}

// listsValues reports whether a schema says which values there are: by an enum, by bounds, or by being boolean.
func listsValues(s *spec.Schema) bool {
	return slices.ContainsFunc(partsOf(s, 0), func(part *spec.Schema) bool {
		return len(part.Enum) > 0 || part.Const != "" || part.Type == "boolean" || bounded(part)
	})
}

// condition matches words with which a document says that a value's validity, or presence, depends on something
// else.
var condition = regexp.MustCompile(`(?i)\b(only (if|when|valid|applicable|allowed|available|applies|used|with|for)|required (if|when|unless|for|with)|must (also )?be (specified|set|provided|given|present|used)|` +
	`mandatory|mutually exclusive|either|at least one|exactly one|in combination|together with|conjunction|(can ?not|can't|must not|may not) be (used|combined|set|given|specified)|depend(s|ing)? on|unless|conflicts? with|instead of)\b`)

// conditional reports whether a description makes a value depend on something that no schema expresses.
func conditional(description string) bool { return condition.MatchString(description) }

// needed matches words with which the description of a member requires it.
var needed = regexp.MustCompile(`(?i)\b(required|mandatory|obligatory)\b`)

// needless matches words that say the opposite.
var needless = regexp.MustCompile(`(?i)\b(not|never|isn't|isn’t|no longer) (strictly )?(required|mandatory|obligatory)\b`)

// depending reports whether a description makes a value depend on something that no schema expresses. out reports
// whether the value is left out, which "Required." forbids as well.
func depending(description string, out bool) bool {
	return conditional(description) || out && needed.MatchString(description) && !needless.MatchString(description)
}

// dependent is depending for a schema and those that it is composed of.
func dependent(s *spec.Schema, out bool) bool {
	return slices.ContainsFunc(partsOf(s, 0), func(part *spec.Schema) bool { return depending(part.Description, out) })
}

// sentenceEnd matches the end of a sentence, a paragraph or a list item in the prose of a document.
var sentenceEnd = regexp.MustCompile(`[.!?]\s|\n\s*\n|\n\s*[-*+]\s`)

// demand matches words with which a document requires something.
var demand = regexp.MustCompile(`(?i)\b(must|has to|have to|needs? to|required|requires|mandatory)\b`)

// conditionalIn reports whether a sentence that names a place makes it depend on something that no schema
// expresses: "With a client token, the body must include appid". out reports whether the place is left out, which
// a plain demand forbids as well.
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
		for _, part := range sentenceEnd.Split(text, -1) {
			if word.MatchString(part) && (conditional(part) || out && demand.MatchString(part)) {
				return true
			}
		}
	}
	return false
}

// proseAround returns the descriptions of a body and of the values along a pointer, except the last one.
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

// depends reports whether a place in a body depends on something that no schema expresses: by the prose around it,
// or because paths name the resource by its value, so it cannot be left out.
func (x *bodies) depends(pointer string, out bool) bool {
	if tokens := jsonpointer.Tokens(pointer); out && len(tokens) == 1 && x.options.chooses(x.op, tokens[0]) {
		return true
	}
	return conditionalIn(x.proseAround(pointer), lastName(pointer), out)
}

// chooses reports whether clients name or identify what an operation creates by a member of its body.
func (o *Options) chooses(op *spec.Operation, member string) bool {
	return slices.ContainsFunc(o.chosen, func(chosen func(*spec.Operation) (spec.Property, bool)) bool {
		one, ok := chosen(op)
		return ok && one.Name == member
	})
}

// Chooses reports whether clients name or identify what an operation creates by a member of its body. It may be needed although the
// contract does not require it.
func (p *Promises) Chooses(op *spec.Operation, member string) bool {
	return p.options.chooses(op, member)
}

// lastName returns the name of the property that a pointer leads to; for an item, that of its list.
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

// schemaAt returns the schema that the case is about, as far as properties lead there, or nil.
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

// property returns a property of a schema, or of one that it is composed of, or nil.
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

// leastLength returns the minimum length of a text, in characters.
func leastLength(s *spec.Schema) int {
	if s.MinLength == nil {
		return 0
	}
	return int(*s.MinLength)
}
