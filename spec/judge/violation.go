package judge

import (
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
	"hallmark/spec/schema"
)

// violation is one place where a value breaks one constraint of its schema.
type violation struct {
	// constraint is the pointer of what is broken, keyword the keyword in its schema ("type", "required/0"); it is empty
	// where the schema as a whole is.
	constraint, keyword string
	// variant tells violations of one constraint apart that have different causes: null where a string is due is one
	// defect, a number another. It never holds the value.
	variant string
	// sort and detail are the finding's Kind and Detail.
	sort             spec.FindingKind
	detail           string
	path             []string
	expected, actual phrase.Phrase
	rule             string
	// among reports whether it was looked for in some items of a long list only, so that there may be more of its kind.
	among bool
}

// schema judges the decoded body by its schema.
func (x *judgement) schema(d exactjson.Decoded) {
	violations := x.plan.violations(d)
	mark(x.exercised, x.plan.root, d.Tree)
	x.report(d.Tree, violations)
}

// violations returns every place where the body breaks its schema, in the order of the body.
func (p *plan) violations(d exactjson.Decoded) []violation {
	if len(d.Repeats) == 0 && keeps(p.validator, d.Tree) {
		return nil
	}
	tree, doubtful := p.doubtful(d.Tree)
	all := p.contradictions(d)
	if doubtful != nil {
		all = append(all, p.tooMany(d.Tree)...)
	}
	result := p.validator.Validate(tree, schema.Response)
	if p.unjudged != nil {
		p.unjudged(result.Unjudged)
	}
	for i := range result.Violations {
		if v := &result.Violations[i]; !v.Advice {
			b := p.explain(tree, v)
			b.among = result.More
			all = append(all, doubtful.placed([]violation{b})...)
		}
	}
	slices.SortStableFunc(all, func(a, b violation) int {
		if c := comparePaths(a.path, b.path); c != 0 {
			return c
		}
		return strings.Compare(a.keyword+a.variant, b.keyword+b.variant)
	})
	return all
}

// keeps reports whether a value keeps a schema beyond doubt, as nearly every answer of a sound service does.
func keeps(s *schema.Schema, value any) bool {
	kept, known := s.Settles(value, schema.Response)
	return known && kept
}

// contradictions makes a violation of each documented field that an object holds twice with different values. JSON's grammar
// allows it, but such a body says two things of what the contract says has one value.
func (p *plan) contradictions(d exactjson.Decoded) []violation {
	var all []violation
	for _, r := range d.Repeats {
		if at := p.root.documented(d.Tree, r.Path); at != nil {
			all = append(all, violation{
				constraint: at.constraint(""), path: r.Path, rule: at.rule(""), variant: "repeated", sort: spec.KindRepeated,
				expected: phrase.Of("one value, {}", expects(at.schema)),
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
		key := b.rule + " " + b.constraint + " " + b.variant
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
			Contract:  g.first.constraint,
			Exchanges: []int{x.exchange.Seq},
			Cause:     key,
		})
	}
}

// span returns how many of the items of an array hold a violation; the array is the outermost on the way to all of them. Where
// they have none in common it returns the number of places.
func span(tree any, paths [][]string) phrase.Phrase {
	for i := range paths[0] {
		v, _ := exactjson.Lookup(tree, paths[0][:i])
		all, ok := v.([]any)
		if !ok {
			continue
		}
		items := map[string]bool{}
		for _, p := range paths {
			if len(p) <= i || !slices.Equal(p[:i], paths[0][:i]) {
				return phrase.Of("{}", phrase.Count(len(paths), "place"))
			}
			items[p[i]] = true
		}
		return phrase.Of("{} of {}", phrase.Number(len(items)), phrase.Count(len(all), "item"))
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
