package phrase

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Phrase is a format with typed values. It becomes prose when rendered, see [Phrase.String].
type Phrase struct {
	// Form is the format, which is the same for every finding of a check; {} stands for the next value.
	Form string `json:"form"`
	// Values holds the values of this finding, in order.
	Values []Value `json:"values,omitempty"`
}

const hole = "{}"

// Of returns a phrase.
func Of(form string, values ...Value) Phrase { return Phrase{form, values} }

// Verbatim returns a phrase with a fixed text, as for records of earlier versions, which held prose.
func Verbatim(prose string) Phrase {
	if prose == "" {
		return Phrase{}
	}
	return Of(hole, Text(prose))
}

// With appends more words and values to the phrase.
func (p Phrase) With(form string, values ...Value) Phrase { return p.Then(Of(form, values...)) }

// Then concatenates two phrases.
func (p Phrase) Then(next Phrase) Phrase {
	return Phrase{p.Form + next.Form, slices.Concat(p.Values, next.Values)}
}

// IsZero reports whether the phrase is empty.
func (p Phrase) IsZero() bool { return p.Form == "" }

// String renders the phrase as prose.
func (p Phrase) String() string {
	var out strings.Builder
	p.render(func(words string, _ *Value) { out.WriteString(words) })
	return out.String()
}

// render passes the parts of the phrase in order: words and rendered values.
func (p Phrase) render(part func(words string, v *Value)) {
	form := p.Form
	for i := range p.Values {
		before, after, ok := strings.Cut(form, hole)
		if !ok {
			break
		}
		part(before, nil)
		v := p.Values[i]
		part(v.String(), &v)
		if v.Length != 0 {
			part(" ("+text.Count(v.Length, "character")+")", nil)
		}
		form = after
	}
	part(form, nil)
}

// Around renders the phrase in three parts: the words before its JSON strings, those strings with what is between them, and the words
// after. Without a JSON string everything is in before.
func (p Phrase) Around() (before, values, after string) {
	seen := false
	p.render(func(words string, v *Value) {
		switch {
		case v != nil && v.isString():
			seen = true
			values, after = values+after+words, ""
		case seen:
			after += words
		default:
			before += words
		}
	})
	return before, values, after
}

// Map returns the phrase with change applied to each text among its values.
func (p Phrase) Map(change func(string) string) Phrase {
	out := Phrase{Form: p.Form, Values: slices.Clone(p.Values)}
	for i := range out.Values {
		out.Values[i].change(change)
	}
	return out
}

// UnmarshalJSON decodes a phrase, or a string as in records of earlier versions.
func (p *Phrase) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		var prose string
		err := json.Unmarshal(data, &prose)
		*p = Verbatim(prose)
		return err
	}
	type plain Phrase
	return json.Unmarshal(data, (*plain)(p))
}
