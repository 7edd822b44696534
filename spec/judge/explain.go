package judge

import (
	"cmp"
	"encoding/json"
	"fmt"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
	"hallmark/spec/schema"
)

// explain turns a violation of a schema into one of the contract: which rule it breaks, and in which words it is told.
func (p *plan) explain(tree any, v *schema.Violation) violation {
	value, _ := exactjson.Lookup(tree, v.Path)
	at := p.locate(tree, v)
	b := violation{
		constraint: v.Constraint, keyword: v.Keyword, path: v.Path,
		expected: phrase.Of("a value that matches its schema"), actual: describe(value), detail: exactjson.TypeName(value),
	}
	if at != nil {
		b.expected = phrase.Of("{}", expects(at.schema))
	}
	if within := len(v.Schema) + 1; len(v.Constraint) > within {
		b.keyword = v.Constraint[within:] // required/0
	}
	b.rule = p.root.rule("")
	if at != nil {
		b.rule = at.rule(b.keyword)
	}
	word := words[v.Keyword]
	b.sort = cmp.Or(word.sort, spec.KindForbidden)
	switch v.Keyword {
	case "required", "dependentRequired":
		b.detail, b.actual = v.Name, phrase.Of("no field {}", phrase.Field(v.Name))
		b.expected = phrase.Of("the field {}", phrase.Field(v.Name))
		if at != nil {
			if p := at.schema.Property(v.Name); p != nil {
				b.expected = b.expected.With(", {}", expects(p.Schema))
			}
		}
	case "format":
		if name, ok := v.Expected.(string); ok && name != "int32" && name != "int64" { // the schema tells those
			b.expected = phrase.Of("a string of the format {}", phrase.Text(name))
		}
	case "type", "enum":
		b.variant = exactjson.TypeName(value)
	case "additionalProperties", "unevaluatedProperties", "propertyNames", "discriminator":
		b.variant, b.detail = v.Name, v.Name
		b.expected = phrase.Of(word.form, phrase.Field(v.Name))
	default:
		switch {
		case word.noun != "":
			b.expected, b.actual = phrase.Of(word.form, count(v.Expected, word.noun)), phrase.Of("{}", count(v.Actual, word.noun))
		case word.bare:
			b.expected = phrase.Of(word.form)
		case word.form != "":
			b.expected = phrase.Of(word.form, phrase.JSON(literal(v.Expected)))
		}
	}
	return b
}

// word is how a keyword is told: the kind of finding, the form of what is expected, and the noun of what is counted.
type word struct {
	sort spec.FindingKind
	form string
	noun string
	// bare reports whether the form says all.
	bare bool
}

// words are how the keywords are told. A keyword that is not among them is told by what its schema asks for.
var words = map[string]word{
	"type": {sort: spec.KindType}, "enum": {sort: spec.KindEnum}, "format": {sort: spec.KindFormat},
	"const":            {sort: spec.KindEnum, form: "{}"},
	"required":         {sort: spec.KindMissing},
	"minimum":          {sort: spec.KindTooSmall, form: "at least {}"},
	"maximum":          {sort: spec.KindTooLarge, form: "at most {}"},
	"exclusiveMinimum": {sort: spec.KindTooSmall, form: "more than {}"},
	"exclusiveMaximum": {sort: spec.KindTooLarge, form: "less than {}"},
	"multipleOf":       {sort: spec.KindFormat, form: "a multiple of {}"},
	"pattern":          {sort: spec.KindFormat, form: "a string that matches {}"},
	"minLength":        {sort: spec.KindTooSmall, form: "at least {}", noun: "character"},
	"maxLength":        {sort: spec.KindTooLarge, form: "at most {}", noun: "character"},
	"minItems":         {sort: spec.KindTooSmall, form: "at least {}", noun: "item"},
	"maxItems":         {sort: spec.KindTooLarge, form: "at most {}", noun: "item"},
	"minProperties":    {sort: spec.KindTooSmall, form: "at least {}", noun: "field"},
	"maxProperties":    {sort: spec.KindTooLarge, form: "at most {}", noun: "field"},
	"uniqueItems":      {sort: spec.KindDuplicate, form: "items that all differ", bare: true},
	"contains":         {sort: spec.KindMissing, form: "an item that matches the schema", bare: true},
	"minContains":      {sort: spec.KindTooSmall, form: "at least {} items that match the schema"},
	"maxContains":      {sort: spec.KindTooLarge, form: "at most {} items that match the schema"},
	"anyOf":            {sort: spec.KindType, form: "a value of one of the documented forms", bare: true},
	"oneOf":            {sort: spec.KindType, form: "a value of exactly one of the documented forms", bare: true},
	"not":              {form: "no value that matches the schema of not", bare: true},
	"items":            {form: "no more items", bare: true}, "unevaluatedItems": {form: "no more items", bare: true},
	"": {form: "no value", bare: true},

	"dependentRequired":     {sort: spec.KindMissing},
	"additionalProperties":  {form: "no field {}"},
	"unevaluatedProperties": {form: "no field {}"},
	"propertyNames":         {form: "fields named as the schema requires, not {}"},
	"discriminator":         {sort: spec.KindEnum, form: "a documented value of the field {}"},
}

// count returns a number of things, as the validator gives it or the document writes it.
func count(number any, noun string) phrase.Value {
	switch n := number.(type) {
	case int:
		return phrase.Count(n, noun)
	case json.Number:
		if whole, ok := exactjson.CanonicalInt(n); ok {
			if i, err := json.Number(whole).Int64(); err == nil {
				return phrase.Count(i, noun)
			}
		}
	}
	return phrase.Text(fmt.Sprint(number))
}

// literal returns a value of the document as JSON text, bounded.
func literal(value any) string {
	switch v := value.(type) {
	case json.Number:
		return string(v)
	case string:
		return text.Quote(v)
	}
	return exactjson.Describe(value)
}

// locate returns the place of the schema that is broken; nil when the model does not lead there.
func (p *plan) locate(tree any, v *schema.Violation) *location {
	path := v.Path
	switch v.Keyword {
	case "additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems":
		if len(path) > 0 { // the schema is that of what holds the value
			path = path[:len(path)-1]
		}
	}
	return p.root.find(tree, path, v.Schema)
}
