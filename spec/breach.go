package spec

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// breach is one place where a value breaks one constraint of its schema.
type breach struct {
	schema  *Schema
	keyword string
	// variant tells breaches of one constraint apart that have different causes: null where a string is due is one
	// defect, a number another. It never holds the value.
	variant string
	// sort and detail are the finding's Kind and Detail.
	sort             Kind
	detail           string
	path             []string
	expected, actual string
	rule             string
	// among reports whether it was looked for in some items of a long list only, so that there may be more of its kind.
	among bool
}

// schema judges the decoded body by its schema.
func (x *examination) schema(d decoded) error {
	breaches, err := x.plan.breaches(d)
	if err != nil {
		return err
	}
	x.plan.mark(x.exercised, x.plan.schema, d.tree)
	x.report(d.tree, breaches)
	return nil
}

// breaches lists every place where the body breaks its schema, in the order of the body.
func (p *plan) breaches(d decoded) ([]breach, error) {
	if len(d.repeats) == 0 && !p.thorough && plainly(p.schema, d.tree) {
		return nil, nil
	}
	tree, doubtful := p.doubtful(d.tree)
	shown := tree
	if d.wild {
		tree = tamed(tree)
	}
	all := p.contradictions(d)
	if doubtful != nil {
		all = append(all, p.tooMany(d.tree)...)
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
	slices.SortStableFunc(all, func(a, b breach) int {
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

// explain turns one of the validator's errors into breaches, in our words.
func (p *plan) explain(tree any, e *jsonschema.ValidationError) ([]breach, error) {
	s, value := p.schema.at(tree, e.InstanceLocation)
	if s == nil {
		return nil, fmt.Errorf("the schema validator found an error at %s, of which the contract says nothing",
			join("", e.InstanceLocation...))
	}
	b := breach{schema: s, path: e.InstanceLocation, expected: s.expects(), actual: describe(value), detail: kindOf(value)}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return p.missing(s, e.InstanceLocation, k.Missing), nil
	case *kind.Type:
		b.keyword, b.variant, b.sort = "type", k.Got, KindType
	case *kind.Enum:
		b.keyword, b.variant, b.sort = "enum", kindOf(value), KindEnum
	case *kind.Format:
		b.keyword, b.sort = "format", KindFormat
	case *kind.Minimum:
		b.keyword, b.sort, b.expected = "minimum", KindTooSmall, "at least "+s.Minimum
	case *kind.Maximum:
		b.keyword, b.sort, b.expected = "maximum", KindTooLarge, "at most "+s.Maximum
	case *kind.MinLength:
		b.keyword, b.sort, b.expected = "minLength", KindTooSmall, "at least "+plural(*s.MinLength, "character")
		b.actual = plural(int64(k.Got), "character")
	case *kind.MaxLength:
		b.keyword, b.sort, b.expected = "maxLength", KindTooLarge, "at most "+plural(*s.MaxLength, "character")
		b.actual = plural(int64(k.Got), "character")
	case *kind.MinItems:
		b.keyword, b.sort, b.expected = "minItems", KindTooSmall, "at least "+plural(*s.MinItems, "item")
		b.actual = plural(int64(k.Got), "item")
	case *kind.MaxItems:
		b.keyword, b.sort, b.expected = "maxItems", KindTooLarge, "at most "+plural(*s.MaxItems, "item")
		b.actual = plural(int64(k.Got), "item")
	default:
		return nil, fmt.Errorf("the schema validator answered with an error of the unknown kind %T", k)
	}
	b.rule = p.owners[s][b.keyword]
	return []breach{b}, nil
}

// missing makes a breach of each required property that is not there.
func (p *plan) missing(s *Schema, path, names []string) []breach {
	var all []breach
	for _, name := range names {
		keyword := joinIndex("required", slices.Index(s.Required, name))
		all = append(all, breach{
			schema: s, keyword: keyword, path: path, rule: p.owners[s][keyword], sort: KindMissing, detail: name,
			expected: "the field " + name + ", " + s.Property(name).Schema.expects(), actual: "no field " + name,
		})
	}
	return all
}

// contradictions makes a breach of each documented field that an object holds twice with different values. JSON's grammar
// allows it, but such a body says two things of what the contract says has one value.
func (p *plan) contradictions(d decoded) []breach {
	var all []breach
	for _, r := range d.repeats {
		if s, _ := p.schema.at(d.tree, r.path); s != nil {
			all = append(all, breach{
				schema: s, path: r.path, rule: p.owners[s][""], variant: "repeated", sort: KindRepeated,
				expected: "one value, " + s.expects(),
				actual:   "the field twice, with " + describe(r.first) + " and " + describe(r.second),
			})
		}
	}
	return all
}

// report makes findings of breaches: one for all places that break one constraint in the same way.
func (x *examination) report(tree any, breaches []breach) {
	type group struct {
		first breach
		paths [][]string
		among bool
	}
	groups := map[string]*group{}
	var order []string
	for _, b := range breaches {
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
			actual = fmt.Sprintf("%s (%s%s; first at %s)", actual, least, span(tree, g.paths), join("", g.paths[0]...))
		}
		x.findings = append(x.findings, Finding{
			Rule:      g.first.rule,
			Operation: x.exchange.Operation,
			Kind:      g.first.sort,
			Detail:    g.first.detail,
			Expected:  g.first.expected,
			Actual:    actual,
			Where:     x.where(join("", g.first.path...)),
			Pointer:   join("", g.first.path...),
			Contract:  g.first.contract(),
			Exchanges: []int{x.exchange.Seq},
			Cause:     key,
		})
	}
}

// contract is the pointer of the broken constraint.
func (b breach) contract() string {
	if b.keyword == "" {
		return b.schema.Pointer
	}
	return b.schema.Pointer + "/" + b.keyword
}

// span says how many of the items of an array hold a breach; the array is the outermost on the way to it.
func span(tree any, paths [][]string) string {
	for i := range paths[0] {
		v, _ := lookup(tree, paths[0][:i])
		if all, ok := v.([]any); ok {
			items := map[string]bool{}
			for _, p := range paths {
				items[p[i]] = true
			}
			return fmt.Sprintf("%d of %s", len(items), plural(int64(len(all)), "item"))
		}
	}
	return plural(int64(len(paths)), "place")
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
