package promise

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/request"
	"hallmark/spec/sentence"
	"hallmark/spec/wire"
)

// Case is one request that puts a promise to the test: a plain request, or one that differs from a plain one that succeeded in
// one change.
type Case struct {
	Kind   Kind
	Aspect Aspect
	// Title says in a clause what is special about it ("limit is its maximum, 100").
	Title string
	// First is a change that the service has to take before anything is concluded from the next; zero for none.
	First Change
	// Change is what is done to the plain request; zero for nothing.
	Change Change
	// Given is what a case about a life begins with; empty for nothing.
	Given string
	// When is what is done in the place of sending the request; empty for that. Then follows; it is empty where the aspect says it.
	When, Then []string
	// Phase is the tag of the phase that it belongs to; empty for none. Writes reports whether it changes something though its
	// operation only reads.
	Phase  string
	Writes bool
	// Asks is how many requests it takes beyond those of any case of its operation, Makes how many resources beyond one.
	Asks, Makes int
	// Contract are the places of the document that it is about, from the outside in.
	Contract []string
}

// Change is one difference from a plain request, in the words of a step: those before a value, the value, and those behind it.
type Change struct {
	Before, Value, Behind string
}

// Step returns the change as a step.
func (c Change) Step() string { return c.Before + c.Value + c.Behind }

// outline returns the change as a step of a scenario outline, whose column holds the value.
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
	// BodyWritten stands before a way in which a body is written, and BodySent before one in which it is damaged.
	BodyWritten = "its body is written "
	BodySent    = "its body is sent "
)

// changeOf returns a change as a step says it. The last of the values is the one that may stand in a table, as it is to be written.
func changeOf(says sentence.Sentence, values ...string) Change {
	last := len(values) - 1
	before, behind := says.Around(values[:last]...)
	return Change{Before: before, Value: values[last], Behind: behind}
}

// withParameter gives a parameter another value.
func withParameter(p spec.Parameter, value any) Change {
	return changeOf(HasParameter, p.In, p.Name, jsonText(value))
}

// withoutParameter leaves a parameter out.
func withoutParameter(p spec.Parameter) Change {
	return changeOf(NoParameter, p.In, sentence.Quoted(p.Name))
}

// jsonOf returns a value as JSON text.
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

// jsonText returns a value as JSON text that a table of Gherkin can hold: no character in it is taken for a placeholder.
func jsonText(value any) string {
	return placeholders.Replace(jsonOf(value))
}

// sameText reports whether two values have one JSON text; what has none is written as null.
func sameText(a, b any) bool {
	if written(a) && written(b) {
		return alike(a, b)
	}
	return jsonText(a) == jsonText(b)
}

// written reports whether a value is of JSON's own types alone, and can be written, so that texts differ where values do.
func written(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if !written(member) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !written(item) })
	case string:
		return utf8.ValidString(v)
	case json.Number:
		return exactjson.IsNumber(string(v))
	case nil, bool:
		return true
	}
	return false
}

// alike reports whether two values that can be written are the same, and their numbers digit for digit: 1 and 1.0 are written differently.
func alike(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, is := b.(map[string]any)
		if !is || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			if other, there := y[name]; !there || !alike(member, other) {
				return false
			}
		}
		return true
	case []any:
		y, is := b.([]any)
		return is && slices.EqualFunc(x, y, alike)
	case string:
		y, is := b.(string)
		return is && x == y
	case json.Number:
		y, is := b.(json.Number)
		return is && x == y
	}
	return a == b
}

// placeholders escapes what Gherkin takes for a placeholder, in JSON.
var placeholders = strings.NewReplacer("<", `\u003c`, ">", `\u003e`)

// place is the place of a parameter in a request.
func place(p spec.Parameter) request.Place { return request.PlaceOf(p) }
