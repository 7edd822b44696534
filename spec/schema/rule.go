package schema

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// rule holds what a schema says beyond the keywords left to the validator: references, patterns, formats, null,
// discriminators, the direction of a value, and holes.
type rule struct {
	set     *Set
	pointer string

	refs      []*edge
	nonNull   *edge
	pattern   *pattern
	format    string
	required  []string
	excused   exemptions
	writeOnly []string
	names     *edge
	byPattern []patternEdge
	// others is additionalProperties if there are patternProperties, and known the properties that it does not apply
	// to.
	others *edge
	known  []string
	choice *choice
	// early is the const of a schema from before OpenAPI 3.1.
	early *exactjson.Value
	// contested are members of the enum that the type excludes: whether they are allowed is open.
	contested []exactjson.Value
	holes     []Hole
	// unclear are patterns of patternProperties that cannot be judged by.
	unclear []Hole
}

type patternEdge struct {
	pattern *pattern
	edge    *edge
}

func (r *rule) empty() bool {
	return r.refs == nil && r.nonNull == nil && r.pattern == nil && r.format == "" && r.required == nil && r.writeOnly == nil &&
		r.names == nil && r.byPattern == nil && r.others == nil && r.choice == nil && r.early == nil && r.contested == nil && r.holes == nil && r.unclear == nil
}

// ruleOf hands the validator the rule of a translated schema.
func ruleOf(_ *jsonschema.CompilerContext, schema map[string]any) (jsonschema.SchemaExt, error) {
	r, ok := schema[ruleKey]
	if !ok {
		return nil, nil
	}
	ext, ok := r.(jsonschema.SchemaExt)
	if !ok {
		return nil, errors.New("a rule was expected")
	}
	return ext, nil
}

// Validate judges a value by the rule.
func (r *rule) Validate(ctx *jsonschema.ValidatorContext, v any) {
	s := r.set.session(ctx)
	if !s.spend(1) {
		return
	}
	if r.nonNull != nil {
		if v != nil {
			r.follow(ctx, s, r.nonNull, v)
		}
		return
	}
	for _, h := range r.holes {
		s.doubt(ctx, h)
	}
	for _, c := range r.contested {
		if c.Equal(exactjson.Value{Tree: v, Valid: true}) {
			s.doubt(ctx, r.set.hole(r.pointer+"/enum", "the enum contains %s, which the type excludes", c.String()))
		}
	}
	if r.early != nil && !r.early.Equal(exactjson.Value{Tree: v, Valid: true}) {
		s.doubt(ctx, r.set.hole(r.pointer+"/const", "const is ignored before OpenAPI 3.1"))
	}
	for _, e := range r.refs {
		r.follow(ctx, s, e, v)
	}
	switch v := v.(type) {
	case string:
		r.text(ctx, s, v)
	case json.Number:
		if r.format != "" && !holds(r.format, v) {
			ctx.AddError(&broken{keyword: "format", actual: v})
		}
	case map[string]any:
		r.object(ctx, s, v)
	}
	if r.choice != nil {
		r.choice.validate(ctx, s, r, v)
	}
}

func (r *rule) text(ctx *jsonschema.ValidatorContext, s *session, v string) {
	if r.format != "" && !holds(r.format, v) {
		ctx.AddError(&broken{keyword: "format", actual: v})
	}
	if r.pattern == nil {
		return
	}
	switch matches, err := s.match(r.pattern, v); {
	case err != nil:
		s.doubt(ctx, r.set.hole(r.pointer+"/pattern", "the pattern takes too long to match"))
	case !matches:
		ctx.AddError(&broken{keyword: "pattern", actual: v})
	}
}

func (r *rule) object(ctx *jsonschema.ValidatorContext, s *session, v map[string]any) {
	for _, name := range r.required {
		if _, there := v[name]; !there && !r.excused.excuses(name, s.direction) {
			ctx.AddError(&broken{keyword: "required", name: name, actual: v})
		}
	}
	if s.direction == Response {
		for _, name := range r.writeOnly {
			if value, there := v[name]; there {
				s.advise(ctx, r.pointer, name, value)
			}
		}
	}
	if r.names == nil && r.byPattern == nil && r.unclear == nil && r.others == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if r.names != nil && r.visit(ctx, s, r.names, name, name) != nil {
			ctx.AddError(&broken{keyword: "propertyNames", name: name, actual: name})
		}
		r.member(ctx, s, name, v[name])
	}
}

// member applies patternProperties to a member, and additionalProperties if that depends on the patterns.
func (r *rule) member(ctx *jsonschema.ValidatorContext, s *session, name string, value any) {
	covered := slices.Contains(r.known, name)
	for _, p := range r.byPattern {
		matches, err := s.match(p.pattern, name)
		if err != nil {
			s.doubt(ctx, r.set.hole(p.edge.key.pointer, "the pattern takes too long to match"))
			covered = true
			continue
		}
		if matches {
			covered = true
			ctx.EvaluatedProp(name)
			ctx.AddErr(r.visit(ctx, s, p.edge, value, name))
		}
	}
	if covered {
		return
	}
	for _, h := range r.unclear {
		s.doubt(ctx, h)
		covered = true
	}
	if covered || r.others == nil {
		return
	}
	ctx.EvaluatedProp(name)
	if n := r.set.doc.Node(r.others.key.pointer); n != nil {
		if allowed, ok := boolean(n); ok && !allowed {
			ctx.AddError(&broken{keyword: "additionalProperties", name: name, actual: value})
			return
		}
	}
	ctx.AddErr(r.visit(ctx, s, r.others, value, name))
}

// follow judges the value itself by the schema that an edge leads to.
func (r *rule) follow(ctx *jsonschema.ValidatorContext, s *session, e *edge, v any) {
	if err := r.visit(ctx, s, e, v); err != nil {
		ctx.AddErr(err)
	}
}

// visit applies the schema that an edge leads to to a value at a path within the current one.
func (r *rule) visit(ctx *jsonschema.ValidatorContext, s *session, e *edge, v any, path ...string) error {
	u := follow(r.set, e)
	if e.dynamic != "" {
		u = s.outermost(e.dynamic, u)
	}
	compiled := u.compiled(r.set)
	depth := len(ctx.ValueLocation()) + len(path)
	if s.active(u, depth) {
		// The value is already being judged by that schema. This happens if the discriminator of a base schema refers to the schemas derived
		// from it.
		return nil
	}
	if !s.enter(u, depth) {
		return nil
	}
	defer s.leave()
	return ctx.Validate(compiled, v, path)
}
