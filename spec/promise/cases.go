package promise

import (
	"regexp"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/exactjson"
	"hallmark/spec/instance"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/spec/wire"
)

// Options are what deriving goes by.
type Options struct {
	// Seed chooses among values that are as good as each other.
	Seed uint64
	// PerOperation bounds the cases of one operation.
	PerOperation int
	// Valid reports whether a value keeps a schema on its way in a request.
	Valid func(s *spec.Schema, value any) bool
	// Wrong reports whether a value breaks a schema beyond doubt.
	Wrong func(s *spec.Schema, value any) bool
}

// The default bound on the cases of one operation: as many as keep the document within total requests, but never fewer than least
// nor more than most. 150 operations stay within 10,000 requests.
const (
	total       = 9_500
	least, most = 60, 400
)

// defaultPerOperation is how many cases each of that many operations may have.
func defaultPerOperation(operations int) int { return max(least, min(most, total/max(operations, 1))) }

// deriver makes the cases of one operation.
type deriver struct {
	op       *spec.Operation
	options  Options
	generate *instance.Generator
	refuses  bool
	// groups are cases by what they are about, the most valuable group and case first.
	groups [][]Case
}

// Cases returns the cases of an operation: first a plain request, then of each kind of promise some, as many as options admit.
func Cases(op *spec.Operation, o Options) []Case {
	d := deriver{op: op, options: o, refuses: Refuses(op), generate: instance.New(instance.Options{
		Seed: o.Seed, Direction: instance.Request, Valid: o.Valid, Limit: o.PerOperation,
	})}
	d.credentials()
	d.absent()
	d.parameters()
	d.body()
	d.unusual()
	plain := Case{Kind: Success, Aspect: Keeps, Title: "a plain request", Contract: []string{op.Pointer}}
	return append([]Case{plain}, roundRobin(d.groups, o.PerOperation-1)...)
}

// roundRobin takes from each group in turn, so that no kind of promise starves another.
func roundRobin(groups [][]Case, most int) []Case {
	taken := make([]int, len(groups))
	for n := 0; n < most; {
		took := false
		for i := range groups {
			if taken[i] < len(groups[i]) && n < most {
				taken[i]++
				n++
				took = true
			}
		}
		if !took {
			break
		}
	}
	var all []Case
	for i, group := range groups {
		all = append(all, group[:taken[i]]...)
	}
	return all
}

func (d *deriver) group(cases ...Case) {
	if len(cases) > 0 {
		d.groups = append(d.groups, cases)
	}
}

// fault returns the aspect of a request with one fault: where no refusal is documented, what comes of it is open.
func (d *deriver) fault() Aspect {
	if d.refuses {
		return Breaks
	}
	return Open
}

// credentials adds requests without a valid credential.
func (d *deriver) credentials() {
	if d.op.Anonymous() {
		return
	}
	var cases []Case
	for _, c := range derive.SchemeCredentials(d.op) {
		kind := CredentialWrong
		if c.Kind == derive.CredentialMissing {
			kind = CredentialMissing
		}
		cases = append(cases, Case{
			Kind: kind, Aspect: Unauthorized, Title: "the credential is " + c.Words, Change: Change{Before: Credential, Behind: c.Words},
			Contract: []string{d.op.Security[0][0].Pointer},
		})
	}
	d.group(cases...)
}

// absent adds requests for what does not exist: one for each parameter of the path.
func (d *deriver) absent() {
	if exactly(d.op, 404) == nil {
		return
	}
	var cases []Case
	for _, p := range d.op.Parameters {
		if p.In == wire.InPath && !creates(d.op, p) {
			cases = append(cases, Case{
				Kind: NotFound, Aspect: Unknown, Title: p.Name + " belongs to nothing", Change: Change{Before: form(UnknownParameter, p.Name)},
				Contract: []string{p.Pointer},
			})
		}
	}
	d.group(cases...)
}

// creates reports whether an operation may create what a parameter names that names nothing yet.
func creates(op *spec.Operation, p spec.Parameter) bool {
	slots := resource.SlotsOf(op)
	return resource.Chooses(op) && slots[len(slots)-1].Parameter.Name == p.Name
}

// UnknownParameter gives a parameter of the path a value that names nothing.
const UnknownParameter = "its path parameter %s belongs to nothing"

// parameters adds values of parameters, allowed ones and faults.
func (d *deriver) parameters() {
	var missing, allowed []Case
	wrong := newKinds()
	for _, p := range d.op.Parameters {
		chain := append([]string{p.Pointer}, p.Via...)
		if p.Required && p.In != wire.InPath && !d.emptyIsNothing(p) {
			missing = append(missing, Case{
				Kind: ParameterMissing, Aspect: d.fault(), Title: p.Name + " is left out", Change: withoutParameter(p), Contract: chain,
			})
		}
		edge, examples := p.Edge, p.Examples
		if p.Content != nil {
			edge, examples = p.Content.Edge, append(slices.Clone(examples), p.Content.Examples...)
		}
		if edge.Schema == nil {
			continue
		}
		subject := instance.Subject{Name: p.Name, Edge: edge, Outer: chain, Examples: examples}
		param, hint := request.Param(d.op, place(p)), request.HintOf(edge.Schema)
		if p.In != wire.InPath { // another value there names another thing
			for _, c := range d.generate.Valid(subject).Cases {
				if !stated(c, edge.Schema, p.Name) || doubtful(edge.Schema, c.Value) {
					continue
				}
				if s := param.Survives(c.Value, hint); s.Fate == wire.Carried && !s.Absent && s.Open == "" && s.Fragile == "" {
					allowed = append(allowed, Case{Kind: Accepted, Aspect: Differs, Title: c.Description, Change: withParameter(p, c.Value), Contract: c.Chain})
				}
			}
		}
		for _, c := range d.generate.Invalid(subject).Cases {
			if d.stillWrong(param, hint, edge.Schema, c.Value) {
				wrong.add(c.Kind, Case{Kind: ParameterValue, Aspect: d.fault(), Title: c.Description, Change: withParameter(p, c.Value), Contract: c.Chain})
			}
		}
		if !p.Required && p.In != wire.InPath && !d.asksInside(p) {
			allowed = append(allowed, Case{Kind: Accepted, Aspect: Differs, Title: p.Name + " is left out", Change: withoutParameter(p), Contract: chain})
		}
	}
	d.group(missing...)
	d.group(allowed...)
	d.groups = append(d.groups, wrong.groups...)
}

// stated reports whether the contract itself states the value of a case, so that a service may be expected to take it: a member of an
// enum, a bound of a number, an optional property that is left out. A text that was made up may be an opaque cursor, or name what does
// not exist; and so may a number that is an id.
func stated(c instance.Case, s *spec.Schema, name string) bool {
	always := []instance.Kind{instance.Member, instance.OptionalLeftOut, instance.Nullable, instance.Variant, instance.Example}
	if slices.Contains(always, c.Kind) {
		return true
	}
	if namesOther(name) || s == nil {
		return false
	}
	bounded := s.Minimum != "" || s.Maximum != ""
	if c.Kind == instance.Smallest && c.Pointer == "" { // a bound, or the first of the values
		return bounded || s.Type == "boolean" || len(s.Enum) > 0
	}
	return c.Kind == instance.Inside && (bounded || s.MaxLength != nil || s.MaxItems != nil) ||
		c.Kind == instance.OptionalAdded && (bounded || s.Type == "boolean" || len(s.Enum) > 0)
}

// reference is how names of properties end that hold the id of something else, or a place in a list that only the service knows.
var reference = regexp.MustCompile(`(?i)(^|[^a-z])(ids?|uuid|guid|key|cursor|token|after|before|since|etag|ref|slug|code|url|uri|href)$|[a-z](Ids?|ID|IDs|UUID|Key|Cursor|Token|Ref|Slug|Code|Url|URL|Uri|URI)$`)

// namesOther reports whether a name says that its value refers to something that may not exist.
func namesOther(name string) bool { return reference.MatchString(name) }

// lastName returns the name of the property that a pointer leads to; that of the list for an item.
func lastName(pointer string) string {
	for _, token := range slices.Backward(jsonpointer.Tokens(pointer)) {
		if strings.ContainsFunc(token, func(r rune) bool { return r < '0' || r > '9' }) {
			return token
		}
	}
	return ""
}

// schemaAt returns the schema that the case is about, as far as properties lead there; nil where they do not.
func schemaAt(c instance.Case, s *spec.Schema) *spec.Schema {
	for _, token := range jsonpointer.Tokens(c.Pointer) {
		if s == nil {
			return nil
		}
		if p := s.Property(token); p != nil {
			s = p.Schema
		} else {
			s = s.Item()
		}
	}
	return s
}

// asksInside reports whether a parameter is an exploded object that needs members: many services take each of those for a parameter of
// its own, which is required.
func (d *deriver) asksInside(p spec.Parameter) bool {
	return p.Content == nil && p.Schema != nil && p.Explode && slices.Contains(request.HintOf(p.Schema).Types, "object") &&
		!d.options.Valid(p.Schema, map[string]any{})
}

// emptyIsNothing reports whether a parameter may be an object without members, of which nothing is sent: nobody can tell that from a
// parameter that is left out.
func (d *deriver) emptyIsNothing(p spec.Parameter) bool {
	_, sent, err := request.Param(d.op, place(p)).Serialize(map[string]any{})
	return p.Content == nil && p.Schema != nil && slices.Contains(request.HintOf(p.Schema).Types, "object") && err == nil && !sent &&
		d.options.Valid(p.Schema, map[string]any{})
}

// stillWrong reports whether a value breaks its schema however a server reads what is sent of it.
func (d *deriver) stillWrong(p wire.Param, h *wire.Hint, s *spec.Schema, value any) bool {
	read := p.Survives(value, h)
	if read.Fate == wire.Lost || read.Fate == wire.Vanishes || read.Absent || read.Truncated || len(read.Values) == 0 {
		return false
	}
	return !slices.ContainsFunc(read.Values, func(v any) bool { return !d.options.Wrong(s, v) })
}

// body adds bodies, allowed ones and faults.
func (d *deriver) body() {
	b := d.op.Body
	if b == nil {
		return
	}
	chain := append([]string{b.Pointer}, b.Via...)
	if b.Required {
		d.group(Case{Kind: BodyMissing, Aspect: d.fault(), Title: "there is no body", Change: Change{Before: NoBody}, Contract: chain})
	} else {
		// That a body is optional is what documents say when they say nothing, and seldom meant.
		d.group(Case{Kind: Accepted, Aspect: Open, Title: "there is no body", Change: Change{Before: NoBody}, Contract: chain})
	}
	media := b.JSON()
	if media == nil || media.Schema == nil || !media.IsJSON() {
		return // of forms and files the plain request alone is sent
	}
	subject := instance.Subject{Name: "the body", Edge: media.Edge, Outer: append(chain, media.Pointer), Examples: media.Examples}
	valid := d.generate.Valid(subject)
	d.malformed(chain, jsonOf(valid.Base))
	var allowed []Case
	for _, c := range valid.Cases {
		if at := schemaAt(c, media.Schema); !stated(c, at, lastName(c.Pointer)) || doubtful(media.Schema, c.Value) {
			continue
		}
		if change, ok := bodyChange(valid.Base, c); ok {
			allowed = append(allowed, Case{Kind: Accepted, Aspect: Differs, Title: c.Description, Change: change, Contract: c.Chain})
		}
	}
	d.group(allowed...)
	invalid := d.generate.Invalid(subject)
	faults := newKinds()
	for _, c := range invalid.Cases {
		if c.Value == nil && !b.Required || !d.options.Wrong(media.Schema, c.Value) {
			continue // readers in wide use make no difference between null and no body
		}
		if change, ok := bodyChange(invalid.Base, c); ok {
			faults.add(c.Kind, Case{Kind: bodyKind(c), Aspect: d.fault(), Title: c.Description, Change: change, Contract: c.Chain})
		}
	}
	d.groups = append(d.groups, faults.groups...)
}

// malformed adds bodies that are no JSON text, though nearly the plain one.
func (d *deriver) malformed(chain []string, plain string) {
	var cases []Case
	for _, m := range []struct{ text, title string }{
		{plain[:max(0, len(plain)-1)], "the body lacks its last character"},
		{plain + "}", "the body is followed by a brace"},
		{plain + " {}", "the body is followed by an object"},
		{"nonesuch", "the body is a bare word"},
		{strings.ReplaceAll(plain, `"`, "'"), "the body is in single quotes"},
		{plain[:max(0, len(plain)-1)] + "," + plain[max(0, len(plain)-1):], "the body has a comma before its end"},
	} {
		if _, err := exactjson.Decode([]byte(m.text)); err != nil {
			cases = append(cases, Case{
				Kind: BodyMalformed, Aspect: d.fault(), Title: m.title, Change: Change{Before: BodyReads, Value: jsonText(m.text)}, Contract: chain,
			})
		}
	}
	if d.op.Body.Required { // else it may be left out
		cases = append(cases, Case{Kind: BodyMissing, Aspect: d.fault(), Title: "the body is empty", Change: Change{Before: BodyReads, Value: `""`}, Contract: chain})
	}
	d.group(cases...)
}

// kinds are cases by the kind of their value, in the order in which the kinds came.
type kinds struct {
	at     map[instance.Kind]int
	groups [][]Case
}

func newKinds() *kinds { return &kinds{at: map[instance.Kind]int{}} }

func (k *kinds) add(kind instance.Kind, c Case) {
	i, known := k.at[kind]
	if !known {
		i = len(k.groups)
		k.at[kind] = i
		k.groups = append(k.groups, nil)
	}
	k.groups[i] = append(k.groups[i], c)
}

// bodyKind returns the kind of promise that a faulty body puts to the test.
func bodyKind(c instance.Case) Kind {
	switch {
	case c.Kind == instance.LeftOut:
		return PropertyMissing
	case c.Kind == instance.Unknown:
		return PropertyUnknown
	case c.Pointer == "":
		return BodyType
	}
	return PropertyValue
}

// bodyChange returns the difference between a base and a case of it, at the place that the case is about; false where there is
// none.
func bodyChange(base any, c instance.Case) (Change, bool) {
	if c.Pointer == "" {
		return Change{Before: BodyIs, Value: jsonText(c.Value)}, true
	}
	was, had := exactjson.Lookup(base, jsonpointer.Tokens(c.Pointer))
	is, has := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Pointer))
	switch {
	case !has && had:
		return Change{Before: form(NotInBody, c.Pointer)}, true
	case has && (!had || jsonText(was) != jsonText(is)):
		if parent := c.Pointer[:strings.LastIndexByte(c.Pointer, '/')]; parent != "" {
			if _, there := exactjson.Lookup(base, jsonpointer.Tokens(parent)); !there {
				return Change{Before: BodyIs, Value: jsonText(c.Value)}, true
			}
		}
		return Change{Before: form(InBody, c.Pointer), Value: jsonText(is)}, true
	case jsonText(base) != jsonText(c.Value):
		return Change{Before: BodyIs, Value: jsonText(c.Value)}, true
	}
	return Change{}, false
}
