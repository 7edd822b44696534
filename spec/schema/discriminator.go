package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// choice is an anyOf or oneOf whose branch a discriminator selects.
type choice struct {
	keyword  string
	property string
	byName   map[string]*edge
	branches []*edge
	// other is the branch for values without one of their own (OpenAPI 3.2), or nil.
	other *edge
}

// discriminator reads a discriminator for a list of branches; nil if it selects none of them.
func (x *schemaReader) discriminator(d *source.Node, keyword string, list *source.Node) *choice {
	property := lookup(d, "propertyName")
	if property == nil || property.Kind != source.ScalarNode || property.Value == "" {
		x.wrong("discriminator", "a discriminator needs a propertyName")
		return nil
	}
	c := &choice{keyword: keyword, property: property.Value, byName: map[string]*edge{}}
	exempt := x.exempt.unopened().merge(access(x.set, x.pointer))
	targets := map[string]*edge{}
	for i, item := range list.Content {
		at := index(x.pointerTo(keyword), i)
		e := x.edge(at, exempt, false)
		c.branches = append(c.branches, e)
		ref := lookup(item, "$ref")
		if ref == nil {
			continue
		}
		// The implicit name of a branch is that of its schema.
		if name := ref.Value[strings.LastIndexAny(ref.Value, "/#")+1:]; name != "" {
			c.byName[unescapeName(name)] = e
		}
		if target, err := x.set.target(jsonpointer.Join(at, "$ref"), ref.Value); err == nil {
			targets[target] = e
		}
	}
	lead := func(at string, n *source.Node) *edge {
		if n == nil || n.Kind != source.ScalarNode {
			return nil
		}
		target, err := x.set.target(at, n.Value)
		if err != nil {
			// It may be the name of a schema rather than a reference.
			target = jsonpointer.Join("/components/schemas", n.Value)
			if x.set.doc.Node(target) == nil {
				x.set.hole(at, "the discriminator refers to %s, which does not exist", text.Quote(n.Value))
				return nil
			}
		}
		if e := targets[target]; e != nil {
			return e
		}
		return x.edge(target, exempt, false)
	}
	for _, m := range members(lookup(d, "mapping")) {
		if e := lead(jsonpointer.Join(x.pointerTo("discriminator"), "mapping", m.name), m.value); e != nil {
			c.byName[m.name] = e
		}
	}
	c.other = lead(jsonpointer.Join(x.pointerTo("discriminator"), "defaultMapping"), lookup(d, "defaultMapping"))
	return c
}

func unescapeName(token string) string { return jsonpointer.Tokens("/" + token)[0] }

// validate judges a value by the branch that its discriminator names. If it names none, one matching branch is
// enough.
func (c *choice) validate(ctx *jsonschema.ValidatorContext, s *session, r *rule, v any) {
	object, _ := v.(map[string]any)
	name, isText := object[c.property].(string)
	if e := c.byName[name]; e != nil && isText {
		r.follow(ctx, s, e, v)
		return
	}
	if c.other != nil && object != nil {
		r.follow(ctx, s, c.other, v)
		return
	}
	var causes []*jsonschema.ValidationError
	for _, e := range c.branches {
		err := r.visit(ctx, s, e, v)
		if err == nil {
			if isText && len(c.byName) > 0 {
				s.remark(r.pointer+"/discriminator", "the discriminator names no alternative, but the value satisfies one")
			}
			return
		}
		if cause, ok := err.(*jsonschema.ValidationError); ok { //nolint:errorlint // the validator's own type, never wrapped
			causes = append(causes, cause)
		}
	}
	if isText && len(c.byName) > 0 {
		ctx.AddError(&broken{keyword: "discriminator", name: c.property, actual: name, expected: slices.Sorted(maps.Keys(c.byName))})
		return
	}
	ctx.AddErrors(causes, alternatives(c.keyword))
}
