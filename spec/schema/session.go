package schema

import (
	"errors"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// session is one validation. The validator does not know it, but passes rules the path to the current value, whose
// first step identifies the session.
type session struct {
	set       *Set
	name      string
	schema    *unit
	direction Direction
	// strict reports whether holes are treated as violated rather than satisfied. See Schema.Validate.
	strict bool
	left   int
	// frames are the units on the way from the schema to the rule at hand.
	frames []frame
	holes  map[string]Hole
	advice []advice
	// remarks holds what a value leaves open without being wrong.
	remarks map[string]Hole
	// slow are patterns that took too long in this session.
	slow map[*pattern]bool
}

type frame struct {
	unit  *unit
	depth int
}

// advice is a place that breaks no must.
type advice struct {
	path   []string
	schema string
	name   string
	value  any
}

const (
	// baseEffort and effortPerValue bound how often rules are applied in one validation. A few lines of schema may
	// have more branches than there is time for.
	baseEffort     = 100_000
	effortPerValue = 50
	// nodesPerStep is how many schemas of a unit, which the validator applies by itself, count as one step.
	nodesPerStep = 50
	// maxFrames bounds the nesting of units.
	maxFrames = 2_000
)

// errEffort ends a validation that would take too long.
var errEffort = errors.New("the schemas have more branches than can be followed")

func (s *Set) open(u *unit, d Direction, strict bool, values int) *session {
	x := &session{
		set: s, name: strconv.FormatUint(s.last.Add(1), 36), schema: u, direction: d, strict: strict,
		left: baseEffort + effortPerValue*values, holes: map[string]Hole{},
	}
	s.sessions.Store(x.name, x)
	return x
}

// remark records that a place of the document leaves open whether a value is intended.
func (s *session) remark(pointer, reason string) {
	if s.remarks == nil {
		s.remarks = map[string]Hole{}
	}
	s.remarks[pointer] = Hole{Pointer: pointer, Line: s.set.line(pointer), Reason: reason}
}

func (s *session) close() { s.set.sessions.Delete(s.name) }

// session returns the session that a rule is applied in.
func (s *Set) session(ctx *jsonschema.ValidatorContext) *session {
	if path := ctx.ValueLocation(); len(path) > 0 {
		if x, ok := s.sessions.Load(path[0]); ok {
			if x, ok := x.(*session); ok {
				return x
			}
		}
	}
	panic(errors.New("a rule was asked outside a session")) //nolint:forbidigo // the validator takes no error; run recovers
}

// spend takes n steps and reports whether there were so many left. Where there were not, rules judge nothing more, which ends the
// validation soon; run says that it gave up.
func (s *session) spend(n int) bool {
	s.left -= n
	return s.left >= 0
}

// enter notes the way into a unit and reports whether it may be followed. Only then leave is called.
func (s *session) enter(u *unit, depth int) bool {
	if len(s.frames) >= maxFrames {
		s.left = -1
	}
	if !s.spend(1 + u.nodes/nodesPerStep) {
		return false
	}
	s.frames = append(s.frames, frame{u, depth})
	return true
}

func (s *session) leave() { s.frames = s.frames[:len(s.frames)-1] }

// active reports whether the unit judges this very value already.
func (s *session) active(u *unit, depth int) bool {
	for i := len(s.frames) - 1; i >= 0 && s.frames[i].depth == depth; i-- {
		if s.frames[i].unit == u {
			return true
		}
	}
	return false
}

// outermost returns the unit that a $dynamicRef leads to.
func (s *session) outermost(name string, otherwise *unit) *unit {
	for _, f := range s.frames {
		if pointer, ok := s.set.dynamicAnchor(f.unit.resource, name); ok {
			return unitAt(s.set, unitKey{pointer: pointer})
		}
	}
	return otherwise
}

// doubt records that a value cannot be judged by a hole.
func (s *session) doubt(ctx *jsonschema.ValidatorContext, h Hole) {
	s.holes[h.Pointer] = h
	if s.strict {
		ctx.AddError(&broken{keyword: unjudged})
	}
}

// advise records a place that violates no must.
func (s *session) advise(ctx *jsonschema.ValidatorContext, schema, name string, value any) {
	const most = 1000
	if len(s.advice) < most {
		path := append([]string(nil), ctx.ValueLocation()[1:]...)
		s.advice = append(s.advice, advice{append(path, name), schema, name, value})
	}
}

// match matches a text; the error says that it timed out.
func (s *session) match(p *pattern, text string) (bool, error) {
	if s.slow[p] {
		return false, errSlow
	}
	matches, err := p.match(text)
	if err != nil {
		if s.slow == nil {
			s.slow = map[*pattern]bool{}
		}
		s.slow[p] = true
	}
	return matches, err
}

// newEntry returns a schema of objects whose members are judged according to their session.
func (s *Set) newEntry() *jsonschema.Schema {
	return &jsonschema.Schema{AdditionalProperties: &jsonschema.Schema{Extensions: []jsonschema.SchemaExt{entryRule{s}}}}
}

// entryRule leads into the schema of a session.
type entryRule struct{ set *Set }

func (e entryRule) Validate(ctx *jsonschema.ValidatorContext, v any) {
	s := e.set.session(ctx)
	compiled := s.schema.compiled(e.set)
	if !s.enter(s.schema, 1) {
		return
	}
	defer s.leave()
	if err := ctx.Validate(compiled, v, nil); err != nil {
		ctx.AddErr(err)
	}
}
