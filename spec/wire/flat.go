package wire

import "strconv"

// flat is a value as the styles know it: one text, a list of texts, or a list of names and texts.
type flat struct {
	shape   shape
	text    string
	items   []string
	members []member
}

type member struct{ name, text string }

// shape is what a flat value is. Nothing, as in RFC 6570 ("undefined"), is null, and what holds nothing else.
type shape int

const (
	nothing shape = iota
	scalar
	list
	object
)

// flatten returns a value for a style that has no nesting. Members and items that are null are left out (RFC 6570, section 2.3).
func flatten(value any) (flat, error) {
	switch v := value.(type) {
	case nil:
		return flat{}, nil
	case []any:
		f := flat{}
		for i, item := range v {
			if item == nil {
				continue
			}
			text, ok := scalarText(item)
			if !ok {
				return flat{}, notFlat("item " + strconv.Itoa(i))
			}
			f.shape, f.items = list, append(f.items, text)
		}
		return f, nil
	case map[string]any:
		f := flat{}
		for _, name := range names(v) {
			if v[name] == nil {
				continue
			}
			text, ok := scalarText(v[name])
			if !ok {
				return flat{}, notFlat("member " + name)
			}
			f.shape, f.members = object, append(f.members, member{name, text})
		}
		return f, nil
	}
	text, ok := scalarText(value)
	if !ok {
		return flat{}, &Error{Reason: Unsupported, Text: "this is no JSON value"}
	}
	return flat{shape: scalar, text: text}, nil
}

func notFlat(place string) error {
	return &Error{Reason: Undefined, Place: place, Text: "OpenAPI does not say how an array or object inside another is written in this style"}
}
