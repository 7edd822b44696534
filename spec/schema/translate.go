package schema

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// ruleKey is the keyword that holds the rule of a translated schema.
const ruleKey = "hallmark"

// translator translates one unit into JSON Schema 2020-12: a schema and what is written within it, without
// following references. Keywords that the validator supports stay; the rest goes into rules. The places of
// keywords stay as they are in the document, except those in aliases.
type translator struct {
	set  *Set
	unit *unit
	// edges are the schemas that the unit leads to.
	edges []*edge
	// nodes is the number of schemas in the unit.
	nodes int
	depth int
}

// root translates the whole unit.
func (t *translator) root() any {
	key := t.unit.key
	n := t.set.doc.Node(key.pointer)
	return t.schema(n, key.pointer, key.exempt, key.plain)
}

// schema translates one schema. For a plain one the value is known not to be null.
func (t *translator) schema(n *source.Node, pointer string, exempt exemptions, plain bool) any {
	t.nodes++
	t.depth++
	defer func() { t.depth-- }()
	switch {
	case t.depth > maxDepth:
		return t.unknown(pointer, "the schema is nested deeper than %d levels", maxDepth)
	case n != nil && n.Kind == source.ScalarNode:
		if value, ok := boolean(n); ok {
			return value
		}
	}
	if n == nil || n.Kind != source.MappingNode {
		return t.unknown(pointer, "a schema must be an object, not %s", describe(n))
	}
	x := &schemaReader{
		translator: t, pointer: pointer, exempt: exempt, plain: plain,
		keywords: members(n), out: map[string]any{}, rule: &rule{set: t.set, pointer: pointer},
	}
	return x.read()
}

// unknown returns a schema about which nothing is known.
func (t *translator) unknown(pointer, format string, args ...any) any {
	h := t.set.hole(pointer, format, args...)
	return map[string]any{ruleKey: &rule{set: t.set, pointer: pointer, holes: []Hole{h}}}
}

const (
	// maxUnit is how many schemas a unit may hold before those within it become separate units: the compiler's time
	// is quadratic.
	maxUnit = 1000
	// maxWidth is how many schemas one keyword may hold.
	maxWidth = 5000
)

// child translates a schema within the unit.
func (t *translator) child(n *source.Node, pointer string, exempt exemptions) any {
	isObject := n != nil && n.Kind == source.MappingNode
	// A schema with an $id is a separate resource, within which references are resolved differently.
	if isObject && (t.nodes >= maxUnit || t.set.dialect == OpenAPI31 && lookup(n, "$id") != nil) {
		return map[string]any{ruleKey: &rule{set: t.set, pointer: pointer, refs: []*edge{t.edge(pointer, exempt, false)}}}
	}
	return t.schema(n, pointer, exempt, false)
}

func (t *translator) edge(pointer string, exempt exemptions, plain bool) *edge {
	e := &edge{key: unitKey{pointer: pointer, exempt: exempt, plain: plain}}
	t.edges = append(t.edges, e)
	return e
}

// schemaReader translates one schema object.
type schemaReader struct {
	*translator
	pointer string
	// exempt holds the names whose absence is excused by an enclosing schema.
	exempt exemptions
	plain  bool
	// parted is why no value satisfies the schemas of allOf, or empty.
	parted   string
	keywords []member
	out      map[string]any
	rule     *rule
}

func (x *schemaReader) get(name string) *source.Node {
	for i := range x.keywords {
		if x.keywords[i].name == name {
			return x.keywords[i].value
		}
	}
	return nil
}

func (x *schemaReader) pointerTo(keyword string) string { return jsonpointer.Join(x.pointer, keyword) }

// wrong records a keyword that cannot be applied.
func (x *schemaReader) wrong(keyword, format string, args ...any) {
	x.rule.holes = append(x.rule.holes, x.set.hole(x.pointerTo(keyword), format, args...))
}

func (x *schemaReader) read() any {
	nullable := !x.plain && (isTrue(x.get("nullable")) || isTrue(x.get("x-nullable")))
	ref := x.get("$ref")
	if x.get("allOf") != nil || ref != nil && x.set.dialect == OpenAPI31 && len(x.keywords) > 1 {
		x.exempt = x.exempt.merge(opened(x.set, x.pointer))
		x.parted = excluding(x.set, x.pointer, x.plain)
	}
	if nullable && (ref != nil || slices.ContainsFunc(x.keywords, judgesNull)) {
		// null is allowed, whatever its siblings are.
		x.rule.nonNull = x.edge(x.pointer, x.exempt, true)
		return map[string]any{ruleKey: x.rule}
	}
	if ref != nil && ref.Kind == source.ScalarNode {
		if x.parted == "" {
			x.reference("$ref", ref)
		} else {
			x.wrong("$ref", "%s", x.parted)
		}
		if x.set.dialect != OpenAPI31 {
			return map[string]any{ruleKey: x.rule} // its siblings are ignored
		}
	}
	for _, k := range x.keywords {
		x.keyword(k.name, k.value)
	}
	x.types(nullable)
	x.enum(nullable)
	x.bounds()
	x.contradictions()
	x.objects()
	x.arrays()
	x.alternatives()
	x.closed()
	if x.rule.empty() {
		if len(x.out) == 0 {
			return true
		}
		return x.out
	}
	x.out[ruleKey] = x.rule
	return x.out
}

// judgesNull reports whether a keyword may exclude null independently of the types and the enum.
func judgesNull(k member) bool {
	switch k.name {
	case "allOf", "anyOf", "oneOf", "not", "const", "if", "$dynamicRef":
		return true
	}
	return false
}

// keyword reads one keyword that does not depend on others. What is not read anywhere is an annotation.
func (x *schemaReader) keyword(name string, n *source.Node) {
	switch name {
	case "multipleOf":
		x.multipleOf(name, n)
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties":
		x.count(name, n)
	case "uniqueItems":
		x.flag(name, n)
	case "pattern":
		x.patternText(name, n)
	case "format":
		x.format(n)
	case "not":
		switch {
		case x.set.dialect == Swagger2:
		case x.set.isHalf(n, x.pointerTo(name)):
			x.wrong(name, "it uses keywords that are ignored before OpenAPI 3.1")
		default:
			x.subschema(name, n)
		}
	default:
		switch {
		case x.set.dialect == OpenAPI31:
			x.keyword2020(name, n)
		case name == "const":
			x.earlyConstant(n)
		}
	}
}

// keyword2020 reads one keyword of JSON Schema that OpenAPI supports since 3.1.
func (x *schemaReader) keyword2020(name string, n *source.Node) {
	switch name {
	case "const":
		x.constant(name, n)
	case "if", "then", "else", "contains", "unevaluatedProperties", "unevaluatedItems":
		x.subschema(name, n)
	case "minContains", "maxContains":
		x.count(name, n)
	case "dependentSchemas":
		x.named(name, n)
	case "dependentRequired":
		x.dependentRequired(name, n)
	case "propertyNames":
		x.propertyNames(name, n)
	case "$dynamicRef":
		x.reference(name, n)
	}
}

// reference reads $ref and $dynamicRef.
func (x *schemaReader) reference(keyword string, n *source.Node) {
	if n.Kind != source.ScalarNode || !isText(n) {
		x.wrong(keyword, "a reference must be a string, not %s", describe(n))
		return
	}
	target, err := x.set.target(x.pointerTo(keyword), n.Value)
	if err != nil {
		x.wrong(keyword, "%v", err)
		return
	}
	e := x.edge(target, x.exempt, false)
	if keyword == "$dynamicRef" {
		e.dynamic = x.set.dynamicName(n.Value, target)
	}
	x.rule.refs = append(x.rule.refs, e)
}

// subschema reads a keyword that holds one schema.
func (x *schemaReader) subschema(keyword string, n *source.Node) {
	x.out[keyword] = x.child(n, x.pointerTo(keyword), "")
}

// named reads a keyword that holds schemas by name.
func (x *schemaReader) named(keyword string, n *source.Node) {
	if n == nil || n.Kind != source.MappingNode {
		x.wrong(keyword, "%s must be an object, not %s", keyword, describe(n))
		return
	}
	all := members(n)
	if len(all) > maxWidth {
		x.wrong(keyword, "%s has more than %d schemas", keyword, maxWidth)
		return
	}
	out := make(map[string]any, len(all))
	for _, m := range all {
		out[m.name] = x.child(m.value, jsonpointer.Join(x.pointerTo(keyword), m.name), "")
	}
	x.out[keyword] = out
}

func (x *schemaReader) flag(keyword string, n *source.Node) {
	value, ok := boolean(n)
	if !ok {
		x.wrong(keyword, "%s must be true or false, not %s", keyword, describe(n))
		return
	}
	if value {
		x.out[keyword] = true
	}
}

// mostCount is the maximum of any count in a value; a bound beyond it is no bound.
const mostCount = 1 << 31

func (x *schemaReader) count(keyword string, n *source.Node) {
	literal, ok := number(n)
	text, whole := exactjson.CanonicalInt(literal)
	if !ok || !whole || strings.HasPrefix(text, "-") {
		x.wrong(keyword, "%s must be an integer of 0 or more, not %s", keyword, describe(n))
		return
	}
	if len(text) > 9 {
		if strings.HasPrefix(keyword, "min") {
			x.out[keyword] = mostCount
		}
		return
	}
	x.out[keyword] = literalOf(text)
}

func (x *schemaReader) multipleOf(keyword string, n *source.Node) {
	literal, ok := number(n)
	if !ok || exactjson.IsHuge(string(literal)) || !positive(literal) {
		x.wrong(keyword, "multipleOf must be greater than 0, not %s", describe(n))
		return
	}
	x.out[keyword] = literal
}

func (x *schemaReader) patternText(keyword string, n *source.Node) {
	if n == nil || n.Kind != source.ScalarNode || !isText(n) {
		x.wrong(keyword, "a pattern must be a string, not %s", describe(n))
		return
	}
	p, err := patternOf(x.set, n.Value)
	if err != nil {
		x.wrong(keyword, "the pattern %s cannot be used: %v", text.Quote(n.Value), err)
		return
	}
	x.rule.pattern = p
}

func (x *schemaReader) format(n *source.Node) {
	if n != nil && n.Kind == source.ScalarNode && Asserts(n.Value, x.set.formats) {
		x.rule.format = n.Value
	}
}

func (x *schemaReader) constant(keyword string, n *source.Node) {
	value, ok := Value(n)
	if !ok {
		x.wrong(keyword, "the constant is not a JSON value")
		return
	}
	x.out[keyword] = exactjson.ClampNumbers(value)
}

// earlyConstant reads a const from before OpenAPI 3.1, where it has no meaning to the letter but is meant as in
// 3.1. It leads to no accusation; a different value is in doubt.
func (x *schemaReader) earlyConstant(n *source.Node) {
	if value, ok := Value(n); ok {
		x.rule.early = &exactjson.Value{Tree: value, Valid: true}
	}
}

func (x *schemaReader) propertyNames(keyword string, n *source.Node) {
	if value, ok := boolean(n); ok && value {
		return
	}
	x.rule.names = x.edge(x.pointerTo(keyword), "", false)
}
