package promise

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Case is one request that tests a promise: a plain request, or one that differs in one change from a plain one
// that succeeded.
type Case struct {
	Kind   Kind
	Aspect Aspect
	// Title says what is special about it ("limit is its maximum, 100").
	Title string
	// First is a change that the service must accept before anything is concluded from Change; zero for none.
	First Change
	// Change is the change to the plain request; zero for none.
	Change Change
	// Given is the first step of a case about the life of a resource, or empty.
	Given string
	// When replaces the step that sends the request, unless it is empty. Then follows; it is empty if the aspect
	// implies it.
	When, Then []string
	// Phase is the tag of its phase, or empty. Writes reports whether it changes something although its operation
	// only reads.
	Phase  string
	Writes bool
	// Asks is how many requests it takes beyond those of any case of its operation, Makes how many resources beyond
	// one.
	Asks, Makes int
	// Contract holds the places of the document that it is about, from the outside in.
	Contract []string
	// Part is a word for what it is about of its rule, by which rules of a file may cover it; empty for none. See [spec.Catalogue.Resolve].
	Part string

	// covered is the id of the derived rule that the case is about where another rule covers it; empty where none does.
	covered string
}

// Change is one difference from a plain request, in the words of a step: those before a value, the value, and
// those after it.
type Change struct {
	Before, Value, Behind string
}

// Step returns the change as a step.
func (c Change) Step() string { return c.Before + c.Value + c.Behind }

// outline returns the change as a step of a scenario outline, with a placeholder for the value.
func (c Change) outline() string {
	if c.Value == "" {
		return c.Before
	}
	return c.Before + placeholder + c.Behind
}

// The changes, as steps.
const (
	HasParameter sentence.Sentence = "its {place} parameter {name} is {json}"
	NoParameter  sentence.Sentence = "it has no {place} parameter {name}"
	BodyIs       sentence.Sentence = "its body is {json}"
	InBody       sentence.Sentence = "in its body, {name} is {json}"
	NotInBody    sentence.Sentence = "its body has no {name}"
	NoBody                         = "it has no body"
	BodyReads    sentence.Sentence = "its body reads {text}"
	SentAs       sentence.Sentence = "its body is sent with the Content-Type {media}"
	AsksFor      sentence.Sentence = "it asks for nothing but {medias}"
	WrittenAs    sentence.Sentence = "its body is written as {medias}"
	Credential   sentence.Sentence = "its credential is {words}"
	// NoPartHeader and PartHeaderIs change a header of a part of a multipart body.
	NoPartHeader sentence.Sentence = "its part {name} has no header {name}"
	PartHeaderIs sentence.Sentence = "in its part {name}, the header {name} is {json}"
	// BodyWritten precedes a way of writing a body, and BodySent a way of damaging it.
	BodyWritten = "its body is written "
	BodySent    = "its body is sent "
)

// changeOf returns a change in the words of a step. The last value is the one that may be in a table column; it
// must be written as in a step.
func changeOf(says sentence.Sentence, values ...string) Change {
	last := len(values) - 1
	before, behind := says.Around(values[:last]...)
	return Change{Before: before, Value: values[last], Behind: behind}
}

// withParameter returns the change that gives a parameter another value.
func withParameter(p spec.Parameter, value any) Change {
	return changeOf(HasParameter, p.In, p.Name, jsonText(value))
}

// withoutParameter returns the change that leaves a parameter out.
func withoutParameter(p spec.Parameter) Change {
	return changeOf(NoParameter, p.In, sentence.Quoted(p.Name))
}

// jsonOf returns a value as JSON.
func jsonOf(value any) string {
	if file, ok := value.(wire.File); ok {
		value = string(file.Data)
	}
	data, err := wire.JSON(value)
	if err != nil {
		return "null"
	}
	return string(data)
}

// jsonText returns a value as JSON that a Gherkin table can hold, without anything like a placeholder.
func jsonText(value any) string {
	return placeholders.Replace(jsonOf(value))
}

// sameText reports whether two values have the same JSON text; values without one count as null.
func sameText(a, b any) bool {
	if isPlainJSON(a) && isPlainJSON(b) {
		return equalJSON(a, b)
	}
	return jsonText(a) == jsonText(b)
}

// isPlainJSON reports whether a value consists of JSON types and can be marshalled, so that different values have
// different texts.
func isPlainJSON(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if !isPlainJSON(member) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !isPlainJSON(item) })
	case string:
		return utf8.ValidString(v)
	case json.Number:
		return exactjson.IsNumber(string(v))
	case nil, bool:
		return true
	}
	return false
}

// equalJSON reports whether two such values are equal, with numbers compared as text: 1 and 1.0 differ.
func equalJSON(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, is := b.(map[string]any)
		if !is || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			if other, there := y[name]; !there || !equalJSON(member, other) {
				return false
			}
		}
		return true
	case []any:
		y, is := b.([]any)
		return is && slices.EqualFunc(x, y, equalJSON)
	case string:
		y, is := b.(string)
		return is && x == y
	case json.Number:
		y, is := b.(json.Number)
		return is && x == y
	}
	return a == b
}

// placeholders escapes what Gherkin treats as a placeholder, in JSON.
var placeholders = strings.NewReplacer("<", `\u003c`, ">", `\u003e`)

// placeOfParameter returns the place of a parameter in a request.
func placeOfParameter(p spec.Parameter) request.Place { return request.PlaceOf(p) }

// placesOf returns the places of the document that a value is about, from the outside in, the keyword last.
func placesOf(c instance.Case) []string {
	if c.Constraint == "" {
		return c.Chain
	}
	return append(slices.Clip(c.Chain), c.Constraint)
}
