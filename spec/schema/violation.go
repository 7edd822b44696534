package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// judgement turns the errors of the validator into violations of one value.
type judgement struct {
	set   *Set
	value any
}

// leaf is an error without deeper causes.
type leaf struct {
	*jsonschema.ValidationError
	// path is the place in the value.
	path []string
}

// violations returns the violations in a tree of errors. session is the first step of all its paths.
func (x *judgement) violations(tree *jsonschema.ValidationError, session string) []Violation {
	if tree == nil {
		return nil
	}
	var all []Violation
	for _, l := range x.leaves(tree, session) {
		all = append(all, x.violation(l)...)
		if len(all) > 2*maxViolations {
			break // the order of objects is random: without some more, the selection would be too
		}
	}
	return all
}

// leaves returns the most specific errors; for alternatives, those of the one that was most likely meant.
func (x *judgement) leaves(e *jsonschema.ValidationError, session string) []leaf {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		return x.best(e, session)
	case *kind.OneOf:
		if k.Subschemas == nil {
			return x.best(e, session)
		}
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf, nil:
		var all []leaf
		for _, c := range e.Causes {
			all = append(all, x.leaves(c, session)...)
		}
		return all
	}
	return []leaf{{e, within(e.InstanceLocation, session)}}
}

func within(path []string, session string) []string {
	if len(path) > 0 && path[0] == session {
		return path[1:]
	}
	return path
}

// best returns the errors of the branch that was most likely meant, or the alternatives themselves when none was.
func (x *judgement) best(e *jsonschema.ValidationError, session string) []leaf {
	self := leaf{e, within(e.InstanceLocation, session)}
	var best []leaf
	var least []int
	for _, cause := range e.Causes {
		found := x.leaves(cause, session)
		if rank := rank(found, len(self.path)); least == nil || slices.Compare(rank, least) < 0 {
			best, least = found, rank
		}
	}
	if len(best) == 0 || least[0] > 0 {
		return []leaf{self}
	}
	return best
}

// rank returns how unlikely a branch is the one that was meant, by the most telling differences first: the value
// has another type, or is excluded by a hole; its tags differ; it fails early; it fails often.
func rank(found []leaf, depth int) []int {
	wrongType, tags, deepest := 0, 0, 0
	for _, l := range found {
		below := len(l.path) - depth
		deepest = max(deepest, below)
		switch k := l.ErrorKind.(type) {
		case *kind.Type:
			if below == 0 {
				wrongType = 1
			}
		case *kind.Const:
			if below <= 1 {
				tags++
			}
		case *kind.Enum:
			if below == 0 {
				wrongType = 1
			}
			if below == 1 {
				tags++
			}
		case *broken:
			if k.keyword == unjudged {
				wrongType = 1
			}
		}
	}
	return []int{wrongType, tags, -deepest, len(found)}
}

// violation returns the violations of a leaf: one, or one for each of the names concerned.
func (x *judgement) violation(l leaf) []Violation {
	v := Violation{Path: l.path, Schema: place(x.set, l.SchemaURL)}
	at, _ := exactjson.Lookup(x.value, l.path)
	v.Actual = at
	switch k := l.ErrorKind.(type) {
	case *broken:
		v.Keyword, v.Name, v.Actual = k.keyword, k.name, k.actual
		if k.keyword == "additionalProperties" {
			v.Path = append(slices.Clip(v.Path), k.name)
		}
		if k.keyword == "format" {
			v.Actual = at // not the clamped number
		}
		x.complete(&v, k.expected)
	case *kind.Required:
		return x.perName(v, "required", k.Missing)
	case *kind.DependentRequired:
		return x.perName(v, "dependentRequired", k.Missing)
	case *kind.AdditionalProperties:
		names := slices.Sorted(slices.Values(k.Properties))
		object, _ := at.(map[string]any)
		var all []Violation
		for _, name := range names {
			w := v
			w.Keyword, w.Name, w.Path, w.Actual = "additionalProperties", name, append(slices.Clip(v.Path), name), object[name]
			x.complete(&w, nil)
			all = append(all, w)
		}
		return all
	case *kind.MinLength, *kind.MaxLength:
		text, _ := at.(string)
		v.Keyword, v.Actual = keywordOf(k), utf8.RuneCountInString(text)
		x.complete(&v, nil)
	case *kind.MinItems, *kind.MaxItems:
		items, _ := at.([]any)
		v.Keyword, v.Actual = keywordOf(k), len(items)
		x.complete(&v, nil)
	case *kind.MinProperties, *kind.MaxProperties:
		object, _ := at.(map[string]any)
		v.Keyword, v.Actual = keywordOf(k), len(object)
		x.complete(&v, nil)
	case *kind.OneOf:
		v.Keyword = "oneOf"
		if k.Subschemas != nil {
			v.Actual = slices.Clone(k.Subschemas)
		}
		x.complete(&v, nil)
	case *kind.UniqueItems:
		v.Keyword, v.Actual = "uniqueItems", []int{k.Duplicates[0], k.Duplicates[1]}
		x.complete(&v, nil)
	case *kind.FalseSchema:
		x.forbidden(&v)
	default:
		v.Keyword = keywordOf(l.ErrorKind)
		x.complete(&v, nil)
	}
	return []Violation{v}
}

func keywordOf(k jsonschema.ErrorKind) string {
	if _, ok := k.(*kind.Not); ok {
		return "not"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return ""
}

// complete fills in what the document says about the keyword.
func (x *judgement) complete(v *Violation, expected any) {
	keyword := v.Keyword
	if (keyword == "exclusiveMinimum" || keyword == "exclusiveMaximum") && isTrue(x.set.doc.Node(v.Schema+"/"+keyword)) {
		// In OpenAPI 3.0 the number is in a sibling keyword.
		v.Constraint = v.Schema + "/" + keyword
		keyword = strings.ToLower(strings.TrimPrefix(keyword, "exclusive"))
	}
	at := jsonpointer.Join(v.Schema, keyword)
	n := x.set.doc.Node(at)
	if v.Constraint == "" {
		v.Constraint = at
	}
	if v.Keyword == "required" && n != nil {
		for i, item := range n.Content {
			if item.Value == v.Name {
				v.Constraint = index(at, i)
				break
			}
		}
	}
	v.Line = x.set.line(v.Constraint)
	switch v.Keyword {
	case "anyOf", "oneOf", "allOf", "not", "contains", "propertyNames", "required", "discriminator", "if":
		v.Expected = expected
	default:
		if n != nil {
			v.Expected, _ = Value(n)
		}
	}
}

func (x *judgement) perName(v Violation, keyword string, names []string) []Violation {
	all := make([]Violation, 0, len(names))
	for _, name := range names {
		w := v
		w.Keyword, w.Name = keyword, name
		x.complete(&w, nil)
		all = append(all, w)
	}
	return all
}

// forbidden describes a violation of a schema that is false by the keyword that contains it.
func (x *judgement) forbidden(v *Violation) {
	v.Constraint, v.Expected = v.Schema, false
	v.Line = x.set.line(v.Constraint)
	slash := strings.LastIndexByte(v.Schema, '/')
	if slash < 0 {
		return
	}
	switch last := v.Schema[slash+1:]; last {
	case "unevaluatedProperties", "unevaluatedItems", "items", "additionalItems", "additionalProperties", "contains", "not":
		v.Keyword = last
		v.closed = last == "additionalProperties" // otherwise the validator reports it differently
		v.Schema = v.Schema[:slash]
		if len(v.Path) > 0 && strings.HasSuffix(last, "Properties") {
			v.Name = v.Path[len(v.Path)-1]
		}
	}
}

// advice returns the violation of a should.
func (x *judgement) advice(a advice) Violation {
	at := jsonpointer.Join(a.schema, "properties", a.name, "writeOnly")
	if x.set.doc.Node(at) == nil {
		at = jsonpointer.Join(a.schema, "properties", a.name)
	}
	return Violation{
		Path: a.path, Schema: a.schema, Keyword: "writeOnly", Constraint: at, Line: x.set.line(at), Name: a.name,
		Expected: true, Actual: a.value, Advice: true,
	}
}

// Pointer returns the place in the value as a JSON Pointer.
func (v *Violation) Pointer() string { return jsonpointer.Join("", v.Path...) }

// String returns a short form of a violation, for tests and errors of programs; texts for people are made from the
// values.
func (v Violation) String() string {
	text := v.Pointer() + " " + v.Keyword
	if v.Name != "" {
		text += " " + strconv.Quote(v.Name)
	}
	return text + " " + v.Constraint
}
