package wire

import (
	"strconv"
	"strings"
)

// flat is a value as the styles represent it: one text, a list of texts, or a list of names and texts.
type flat struct {
	shape   shape
	text    string
	items   []string
	members []member
}

type member struct{ name, text string }

// shape is the shape of a flat value. As in RFC 6570 ("undefined"), null, and what contains only null, has no
// shape.
type shape int

const (
	nothing shape = iota
	scalar
	list
	object
)

// flatten returns a value as the styles represent it. Members and items that are null are omitted (RFC 6570,
// section 2.3). An item may be a list if nested has a delimiter for it, see Param.Nested.
func flatten(value any, nested string) (flat, error) {
	switch v := value.(type) {
	case nil:
		return flat{}, nil
	case []any:
		f := flat{}
		for i, item := range v {
			if item == nil {
				continue
			}
			text, ok := itemText(item, nested)
			if !ok {
				return flat{}, notFlat("item " + strconv.Itoa(i))
			}
			f.shape, f.items = list, append(f.items, text)
		}
		return f, nil
	case map[string]any:
		f := flat{}
		for _, name := range sortedNames(v) {
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
		return flat{}, &Error{Reason: Unsupported, Text: "this is not a JSON value"}
	}
	return flat{shape: scalar, text: text}, nil
}

// itemText returns an item of a list as text: a scalar, or a list of scalars joined by the first delimiter of
// nested.
func itemText(item any, nested string) (string, bool) {
	items, isList := item.([]any)
	if !isList || nested == "" {
		return scalarText(item)
	}
	texts := make([]string, len(items))
	for i := range items {
		var ok bool
		if texts[i], ok = itemText(items[i], nested[1:]); !ok {
			return "", false
		}
	}
	return strings.Join(texts, nested[:1]), true
}

func notFlat(place string) error {
	return &Error{Reason: Undefined, Place: place, Text: "OpenAPI does not define how nested arrays and objects are written in this style"}
}
