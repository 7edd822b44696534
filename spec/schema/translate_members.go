package schema

import (
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// objects reads the keywords about members of objects.
func (x *schemaReader) objects() {
	x.required()
	properties := x.get("properties")
	switch {
	case properties == nil || properties.Kind == source.ScalarNode && properties.ShortTag() == "!!null":
	default:
		x.named("properties", properties)
		x.findWriteOnly(properties)
	}
	if n := x.get("required"); n != nil && n.Kind == source.SequenceNode {
		for _, item := range n.Content {
			if x.closes(item.Value) {
				allow(x.out, item.Value)
			}
		}
	}
	if n := x.get("additionalProperties"); n != nil && x.partner("additionalProperties") == "" {
		x.out["additionalProperties"] = x.child(n, x.pointerTo("additionalProperties"), "")
	}
	if n := x.get("patternProperties"); n != nil && x.set.dialect == OpenAPI31 {
		x.patternProperties(n)
	}
	for _, h := range slices.Concat(x.rule.holes, x.rule.unclear) {
		if h.Pointer == x.pointerTo("properties") || h.Pointer == x.pointerTo("patternProperties") {
			// It is unknown which properties are additional.
			delete(x.out, "additionalProperties")
			x.rule.others = nil
		}
	}
}

// partner returns the ignored keyword because of which another one is ignored, or "".
func (x *schemaReader) partner(keyword string) string {
	return x.set.dialect.Partner(keyword, func(other string) bool { return x.get(other) != nil })
}

// required reads required. If a name's absence may be excused, the rule checks the whole keyword.
func (x *schemaReader) required() {
	n := x.get("required")
	if n == nil {
		return
	}
	if _, ok := boolean(n); ok {
		return // of a parameter, or of JSON Schema before draft 4: it does not apply to members
	}
	if n.Kind != source.SequenceNode {
		x.wrong("required", "required must be a list of names, not %s", describe(n))
		return
	}
	names := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		if item.Kind != source.ScalarNode {
			x.wrong("required", "required must be a list of names, but contains %s", describe(item))
			return
		}
		if !slices.Contains(names, item.Value) && !x.closes(item.Value) {
			names = append(names, item.Value)
		}
	}
	if len(names) == 0 {
		return
	}
	excused := x.exempt.merge(access(x.set, x.pointer))
	if slices.ContainsFunc(names, excused.any) {
		x.rule.required, x.rule.excused = names, excused
		return
	}
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	x.out["required"] = out
}

// allow makes objects allow a member with any value.
func allow(out map[string]any, name string) {
	properties, ok := out["properties"].(map[string]any)
	if !ok {
		properties = map[string]any{}
		out["properties"] = properties
	}
	properties[name] = true
}

// closes reports whether the schema both requires and forbids a member, so that no object could conform: neither
// it nor its parts describe the member, and it allows no others. Such an object may have the member or not.
func (x *schemaReader) closes(name string) bool {
	allowed, flag := boolean(x.get("additionalProperties"))
	if !flag || allowed || x.exempt.holds("o"+name) || lookup(x.get("properties"), name) != nil || x.get("patternProperties") != nil {
		return false
	}
	if x.get("allOf") == nil && x.get("$ref") == nil && x.get("oneOf") == nil && x.get("anyOf") == nil {
		return true
	}
	whole := describeNames(x.set, x.pointer)
	return !whole.branches && !slices.Contains(whole.properties, name)
}

// findWriteOnly records the properties that no response should contain.
func (x *schemaReader) findWriteOnly(properties *source.Node) {
	if x.set.dialect == Swagger2 {
		return
	}
	for _, p := range members(properties) {
		at := jsonpointer.Join(x.pointerTo("properties"), p.name)
		if flagsOf(x.set, at, p.value, x.set.dialect == OpenAPI30).writeOnly {
			x.rule.writeOnly = append(x.rule.writeOnly, p.name)
		}
	}
}

// patternProperties reads patternProperties and, since it depends on the names that they match,
// additionalProperties.
func (x *schemaReader) patternProperties(n *source.Node) {
	if n.Kind != source.MappingNode {
		x.wrong("patternProperties", "patternProperties must be an object, not %s", describe(n))
		return
	}
	all := members(n)
	if len(all) > maxWidth {
		x.rule.unclear = append(x.rule.unclear, x.set.hole(x.pointerTo("patternProperties"), "patternProperties has more than %d schemas", maxWidth))
		return
	}
	for _, m := range all {
		at := jsonpointer.Join(x.pointerTo("patternProperties"), m.name)
		p, err := patternOf(x.set, m.name)
		if err != nil {
			x.rule.unclear = append(x.rule.unclear, x.set.hole(at, "the pattern %s cannot be used: %v", text.Quote(m.name), err))
			continue
		}
		x.rule.byPattern = append(x.rule.byPattern, patternEdge{p, x.edge(at, "", false)})
	}
	if x.get("additionalProperties") == nil {
		return
	}
	delete(x.out, "additionalProperties")
	x.rule.others = x.edge(x.pointerTo("additionalProperties"), "", false)
	for _, p := range members(x.get("properties")) {
		x.rule.known = append(x.rule.known, p.name)
	}
}

func (x *schemaReader) dependentRequired(keyword string, n *source.Node) {
	if n == nil || n.Kind != source.MappingNode {
		x.wrong(keyword, "%s must be an object, not %s", keyword, describe(n))
		return
	}
	out := map[string]any{}
	for _, m := range members(n) {
		if m.value == nil || m.value.Kind != source.SequenceNode {
			x.wrong(keyword, "%s must contain lists of names, not %s", keyword, describe(m.value))
			return
		}
		names := []any{}
		for _, item := range m.value.Content {
			names = append(names, item.Value)
		}
		out[m.name] = names
	}
	x.out[keyword] = out
}

// arrays reads the keywords about items.
func (x *schemaReader) arrays() {
	if n := x.get("prefixItems"); n != nil && x.set.dialect == OpenAPI31 {
		if x.list("prefixItems", n, ""); x.out["prefixItems"] == nil {
			return // where the other items begin is unknown
		}
	}
	n := x.get("items")
	switch {
	case n == nil, x.partner("items") != "":
	case n.Kind == source.SequenceNode:
		// Drafts before 2020-12 used this for items by position, and some documents use it for alternatives.
		x.wrong("items", "items is a list, which OpenAPI does not allow")
	default:
		x.out["items"] = x.child(n, x.pointerTo("items"), "")
	}
}

// alternatives reads allOf, anyOf and oneOf.
func (x *schemaReader) alternatives() {
	switch n := x.get("allOf"); {
	case n == nil:
	case x.parted != "":
		x.wrong("allOf", "%s", x.parted)
	default:
		// The access to a property in one of them applies to what another requires.
		x.list("allOf", n, x.exempt.merge(access(x.set, x.pointer)))
	}
	if x.set.dialect == Swagger2 {
		return
	}
	for _, keyword := range [...]string{"oneOf", "anyOf"} {
		n := x.get(keyword)
		if n == nil {
			continue
		}
		if d := x.get("discriminator"); d != nil && d.Kind == source.MappingNode && n.Kind == source.SequenceNode && x.rule.choice == nil {
			if x.rule.choice = x.discriminator(d, keyword, n); x.rule.choice != nil {
				continue
			}
		}
		x.list(keyword, n, x.exempt.unopened().merge(access(x.set, x.pointer)))
	}
}

// closed treats additionalProperties: false in combination with other schemas for the same value as
// unevaluatedProperties: false. To the letter it forbids every property that only those describe, which the author
// cannot have meant.
func (x *schemaReader) closed() {
	if x.out["additionalProperties"] != false {
		return
	}
	for _, name := range x.exempt.opens() {
		if lookup(x.get("properties"), name) == nil {
			allow(x.out, name)
		}
	}
	for _, keyword := range [...]string{"allOf", "oneOf", "anyOf", "$ref"} {
		if x.get(keyword) != nil {
			delete(x.out, "additionalProperties")
			x.out["unevaluatedProperties"] = false
			x.unit.alias(x.pointerTo("unevaluatedProperties"), x.pointerTo("additionalProperties"))
			return
		}
	}
}

// list reads a keyword that holds a list of schemas.
func (x *schemaReader) list(keyword string, n *source.Node, exempt exemptions) {
	if n.Kind != source.SequenceNode || len(n.Content) == 0 {
		x.wrong(keyword, "%s must be a list of at least one schema, not %s", keyword, describe(n))
		return
	}
	if len(n.Content) > maxWidth {
		x.wrong(keyword, "%s has more than %d schemas", keyword, maxWidth)
		return
	}
	out := make([]any, len(n.Content))
	for i, item := range n.Content {
		if keyword == "oneOf" && x.onlyNull(item) {
			out[i] = map[string]any{"type": []any{"null"}}
			continue
		}
		out[i] = x.child(item, index(x.pointerTo(keyword), i), exempt)
	}
	x.out[keyword] = out
}

// onlyNull reports whether a branch says nothing but nullable: true. It allows all values, which in a oneOf would
// leave no value for the others; it is meant as null.
func (x *schemaReader) onlyNull(n *source.Node) bool {
	all := members(n)
	if !isTrue(lookup(n, "nullable")) || x.set.dialect == Swagger2 {
		return false
	}
	for _, m := range all {
		switch m.name {
		case "nullable", "title", "description", "example", "default", "deprecated":
		default:
			return false
		}
	}
	return true
}
