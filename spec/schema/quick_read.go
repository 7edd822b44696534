package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// quickly returns the unit in its quick form; nil if every value conforms.
func (u *unit) quickly(s *Set) *quick {
	u.quickOnce.Do(func() {
		t := translator{set: s, unit: &unit{key: u.key}}
		u.quick = quickOf(t.root())
	})
	return u.quick
}

// quickOf returns the quick form of a translated schema; nil if every value conforms.
func quickOf(translated any) *quick {
	switch t := translated.(type) {
	case bool:
		if t {
			return nil
		}
		return &quick{never: true}
	case map[string]any:
		q := &quick{}
		for name, value := range t {
			if !q.keyword(name, value) {
				return &quick{open: true}
			}
		}
		return q
	}
	return &quick{open: true}
}

// keyword reads one keyword of a translation; false if it is not supported.
func (q *quick) keyword(name string, value any) bool {
	switch name {
	case "type":
		return q.readTypes(value)
	case "enum":
		all, is := value.([]any)
		return is && q.readValues(all)
	case "const":
		return q.readValues([]any{value})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return q.readBound(name, value)
	case "minLength", "maxLength":
		return readLimit(&q.ofTexts().length, name == "maxLength", value)
	case "minItems", "maxItems":
		return readLimit(&q.ofArrays().size, name == "maxItems", value)
	case "minProperties", "maxProperties":
		return readLimit(&q.ofObjects().size, name == "maxProperties", value)
	case "uniqueItems":
		q.ofArrays().unique = true
	case "items":
		q.ofArrays().items = quickOf(value)
	case "required":
		return q.readRequired(value)
	case "properties":
		return q.readProperties(value)
	case "additionalProperties":
		q.ofObjects().others = quickOf(value)
	case "allOf", "anyOf", "oneOf", "not":
		return q.readParts(name, value)
	case ruleKey:
		r, is := value.(*rule)
		return is && q.readRule(r)
	default:
		return false
	}
	return true
}

func (q *quick) readTypes(value any) bool {
	names, is := value.([]any)
	for _, name := range names {
		i := slices.IndexFunc(types, func(t string) bool { return name == t })
		if i < 0 {
			return false
		}
		q.types |= 1 << i
	}
	return is
}

func (q *quick) readValues(all []any) bool {
	if q.values != nil {
		return false // enum and const
	}
	q.values = all
	return true
}

func (q *quick) readBound(name string, value any) bool {
	literal, is := value.(json.Number)
	if !is || exactjson.IsHuge(string(literal)) {
		return false
	}
	b, numbers := boundOf(literal), q.ofNumbers()
	switch name {
	case "minimum":
		numbers.minimum = b
	case "maximum":
		numbers.maximum = b
	case "exclusiveMinimum":
		numbers.above = b
	case "exclusiveMaximum":
		numbers.below = b
	default:
		numbers.multipleOf = b
	}
	return b != nil
}

// readLimit reads how many there may be at most or at least.
func readLimit(r *quickRange, most bool, value any) bool {
	limit := int64(mostCount)
	if literal, is := value.(json.Number); is {
		var err error
		if limit, err = strconv.ParseInt(string(literal), 10, 31); err != nil {
			return false
		}
	} else if value != mostCount {
		return false
	}
	if most {
		r.most, r.bounded = limit, true
	} else {
		r.least = limit
	}
	return true
}

func (q *quick) ofNumbers() *quickNumber {
	if q.number == nil {
		q.number = &quickNumber{}
	}
	return q.number
}

func (q *quick) ofTexts() *quickText {
	if q.text == nil {
		q.text = &quickText{}
	}
	return q.text
}

func (q *quick) ofArrays() *quickArray {
	if q.array == nil {
		q.array = &quickArray{}
	}
	return q.array
}

func (q *quick) ofObjects() *quickObject {
	if q.object == nil {
		q.object = &quickObject{}
	}
	return q.object
}

func (q *quick) ofParts() *quickParts {
	if q.parts == nil {
		q.parts = &quickParts{}
	}
	return q.parts
}

func (q *quick) readRequired(value any) bool {
	names, is := value.([]any)
	o := q.ofObjects()
	for _, name := range names {
		text, isText := name.(string)
		o.required, is = append(o.required, text), is && isText
	}
	return is
}

func (q *quick) readProperties(value any) bool {
	all, is := value.(map[string]any)
	o := q.ofObjects()
	o.properties = make([]quickProperty, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		o.properties = append(o.properties, quickProperty{name, quickOf(all[name])})
	}
	return is
}

func (q *quick) readParts(name string, value any) bool {
	parts := q.ofParts()
	if name == "not" {
		parts.not = quickOf(value)
		q.never = q.never || parts.not == nil
		return true
	}
	all, is := value.([]any)
	branches := make([]*quick, len(all))
	for i, branch := range all {
		branches[i] = quickOf(branch)
	}
	switch name {
	case "allOf":
		parts.allOf = branches
	case "anyOf":
		parts.anyOf = branches
	default:
		parts.oneOf = branches
	}
	return is
}

// readRule reads a rule; false if it holds more than is supported.
func (q *quick) readRule(r *rule) bool {
	if r.names != nil || r.byPattern != nil || r.others != nil || r.early != nil || r.contested != nil || r.holes != nil || r.unclear != nil {
		return false
	}
	for _, e := range r.refs {
		if e.dynamic != "" {
			return false
		}
	}
	q.refs, q.nonNull = r.refs, r.nonNull
	if r.pattern != nil {
		q.ofTexts().pattern = r.pattern
	}
	switch r.format {
	case "":
	case "int32", "int64":
		q.ofNumbers().format = r.format
	default:
		q.ofTexts().format = r.format
	}
	if r.required != nil {
		o := q.ofObjects()
		o.required, o.excused = append(o.required, r.required...), r.excused
	}
	if r.writeOnly != nil {
		q.ofObjects().writeOnly = r.writeOnly
	}
	if r.choice != nil {
		q.ofParts().choice = r.choice
	}
	return true
}
