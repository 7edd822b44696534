package judge

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
)

// violation is one place where a value breaks one constraint of its schema.
type violation struct {
	schema  *spec.Schema
	keyword string
	// variant tells violations of one constraint apart that have different causes: null where a string is due is one
	// defect, a number another. It never holds the value.
	variant string
	// sort and detail are the finding's Kind and Detail.
	sort             spec.Kind
	detail           string
	path             []string
	expected, actual phrase.Phrase
	rule             string
	// among reports whether it was looked for in some items of a long list only, so that there may be more of its kind.
	among bool
}

// schema judges the decoded body by its schema.
func (x *judgement) schema(d exactjson.Decoded) error {
	violations, err := x.plan.violations(d)
	if err != nil {
		return err
	}
	x.plan.mark(x.exercised, x.plan.schema, d.Tree)
	x.report(d.Tree, violations)
	return nil
}

// violations returns every place where the body breaks its schema, in the order of the body.
func (p *plan) violations(d exactjson.Decoded) ([]violation, error) {
	if len(d.Repeats) == 0 && !p.thorough && fits(p.schema, d.Tree) {
		return nil, nil
	}
	tree, doubtful := p.doubtful(d.Tree)
	shown := tree
	if d.Huge {
		tree = exactjson.ClampNumbers(tree)
	}
	all := p.contradictions(d)
	if doubtful != nil {
		all = append(all, p.tooMany(d.Tree)...)
	}
	if err := p.validator.Validate(tree); err != nil {
		var top *jsonschema.ValidationError
		if !errors.As(err, &top) {
			return nil, fmt.Errorf("the schema validator failed: %w", err)
		}
		var failed error
		leaves(top, func(leaf *jsonschema.ValidationError) {
			found, err := p.explain(shown, leaf)
			if err != nil {
				failed = err
			}
			all = append(all, doubtful.placed(found)...)
		})
		if failed != nil {
			return nil, failed
		}
		if len(all) == 0 && doubtful == nil {
			return nil, errors.New("the schema validator refused a response without saying why")
		}
	}
	// The validator walks objects in random order; findings must not.
	slices.SortStableFunc(all, func(a, b violation) int {
		if c := comparePaths(a.path, b.path); c != 0 {
			return c
		}
		return strings.Compare(a.keyword+a.variant, b.keyword+b.variant)
	})
	return all, nil
}

// leaves visits the errors that have no deeper cause.
func leaves(e *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	if len(e.Causes) == 0 {
		visit(e)
		return
	}
	for _, c := range e.Causes {
		leaves(c, visit)
	}
}

// explain turns one of the validator's errors into violations, in our words.
func (p *plan) explain(tree any, e *jsonschema.ValidationError) ([]violation, error) {
	s, value := schemaAt(p.schema, tree, e.InstanceLocation)
	if s == nil {
		return nil, fmt.Errorf("the schema validator found an error at %s, of which the contract says nothing",
			jsonpointer.Join("", e.InstanceLocation...))
	}
	b := violation{schema: s, path: e.InstanceLocation, expected: phrase.Of("{}", expects(s)), actual: describe(value), detail: exactjson.TypeName(value)}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return p.missing(s, e.InstanceLocation, k.Missing), nil
	case *kind.Type:
		b.keyword, b.variant, b.sort = "type", k.Got, spec.KindType
	case *kind.Enum:
		b.keyword, b.variant, b.sort = "enum", exactjson.TypeName(value), spec.KindEnum
	case *kind.Format:
		b.keyword, b.sort = "format", spec.KindFormat
	case *kind.Minimum:
		b.keyword, b.sort, b.expected = "minimum", spec.KindTooSmall, phrase.Of("at least {}", phrase.JSON(s.Minimum))
	case *kind.Maximum:
		b.keyword, b.sort, b.expected = "maximum", spec.KindTooLarge, phrase.Of("at most {}", phrase.JSON(s.Maximum))
	case *kind.MinLength:
		b.keyword, b.sort, b.expected = "minLength", spec.KindTooSmall, phrase.Of("at least {}", phrase.Count(*s.MinLength, "character"))
		b.actual = phrase.Of("{}", phrase.Count(k.Got, "character"))
	case *kind.MaxLength:
		b.keyword, b.sort, b.expected = "maxLength", spec.KindTooLarge, phrase.Of("at most {}", phrase.Count(*s.MaxLength, "character"))
		b.actual = phrase.Of("{}", phrase.Count(k.Got, "character"))
	case *kind.MinItems:
		b.keyword, b.sort, b.expected = "minItems", spec.KindTooSmall, phrase.Of("at least {}", phrase.Count(*s.MinItems, "item"))
		b.actual = phrase.Of("{}", phrase.Count(k.Got, "item"))
	case *kind.MaxItems:
		b.keyword, b.sort, b.expected = "maxItems", spec.KindTooLarge, phrase.Of("at most {}", phrase.Count(*s.MaxItems, "item"))
		b.actual = phrase.Of("{}", phrase.Count(k.Got, "item"))
	default:
		return nil, fmt.Errorf("the schema validator answered with an error of the unknown kind %T", k)
	}
	b.rule = p.rules[s][b.keyword]
	return []violation{b}, nil
}

// missing makes a violation of each required property that is not there.
func (p *plan) missing(s *spec.Schema, path, names []string) []violation {
	var all []violation
	for _, name := range names {
		keyword := jsonpointer.Index("required", slices.Index(s.Required, name))
		expected := phrase.Of("the field {}", phrase.Field(name))
		if p := s.Property(name); p != nil {
			expected = expected.With(", {}", expects(p.Schema))
		}
		all = append(all, violation{
			schema: s, keyword: keyword, path: path, rule: p.rules[s][keyword], sort: spec.KindMissing, detail: name,
			expected: expected, actual: phrase.Of("no field {}", phrase.Field(name)),
		})
	}
	return all
}

// contradictions makes a violation of each documented field that an object holds twice with different values. JSON's grammar
// allows it, but such a body says two things of what the contract says has one value.
func (p *plan) contradictions(d exactjson.Decoded) []violation {
	var all []violation
	for _, r := range d.Repeats {
		if s, _ := schemaAt(p.schema, d.Tree, r.Path); s != nil {
			all = append(all, violation{
				schema: s, path: r.Path, rule: p.rules[s][""], variant: "repeated", sort: spec.KindRepeated,
				expected: phrase.Of("one value, {}", expects(s)),
				actual:   phrase.Of("the field twice, with ").Then(describe(r.First)).With(" and ").Then(describe(r.Second)),
			})
		}
	}
	return all
}

// report makes findings of violations: one for all places that break one constraint in the same way.
func (x *judgement) report(tree any, violations []violation) {
	type group struct {
		first violation
		paths [][]string
		among bool
	}
	groups := map[string]*group{}
	var order []string
	for _, b := range violations {
		key := b.rule + " " + b.contract() + " " + b.variant
		if groups[key] == nil {
			groups[key] = &group{first: b}
			order = append(order, key)
		}
		groups[key].paths = append(groups[key].paths, b.path)
		groups[key].among = groups[key].among || b.among
	}
	for _, key := range order {
		g := groups[key]
		actual := g.first.actual
		if len(g.paths) > 1 {
			least := ""
			if g.among {
				least = "at least "
			}
			actual = actual.With(" ("+least).Then(span(tree, g.paths)).With("; first at {})", phrase.Pointer(jsonpointer.Join("", g.paths[0]...)))
		}
		x.findings = append(x.findings, spec.Finding{
			Rule:      g.first.rule,
			Operation: x.exchange.Operation,
			Kind:      g.first.sort,
			Detail:    g.first.detail,
			Expected:  g.first.expected,
			Actual:    actual,
			Where:     x.where(jsonpointer.Join("", g.first.path...)),
			Pointer:   jsonpointer.Join("", g.first.path...),
			Contract:  g.first.contract(),
			Exchanges: []int{x.exchange.Seq},
			Cause:     key,
		})
	}
}

// contract returns the pointer of the broken constraint.
func (b violation) contract() string {
	if b.keyword == "" {
		return b.schema.Pointer
	}
	return b.schema.Pointer + "/" + b.keyword
}

// span returns how many of the items of an array hold a violation; the array is the outermost on the way to it.
func span(tree any, paths [][]string) phrase.Phrase {
	for i := range paths[0] {
		v, _ := exactjson.Lookup(tree, paths[0][:i])
		if all, ok := v.([]any); ok {
			items := map[string]bool{}
			for _, p := range paths {
				items[p[i]] = true
			}
			return phrase.Of("{} of {}", phrase.Number(len(items)), phrase.Count(len(all), "item"))
		}
	}
	return phrase.Of("{}", phrase.Count(len(paths), "place"))
}

// comparePaths orders places as they stand in a body: array indexes as numbers.
func comparePaths(a, b []string) int {
	return slices.CompareFunc(a, b, func(s, t string) int {
		i, errI := strconv.Atoi(s)
		j, errJ := strconv.Atoi(t)
		if errI == nil && errJ == nil {
			return i - j
		}
		return strings.Compare(s, t)
	})
}
