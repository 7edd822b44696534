package promise

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"hallmark/internal/lazy"
	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/instance"
	"hallmark/spec/resource"
	"hallmark/spec/schema"
	"hallmark/spec/sentence"
	"hallmark/spec/values"
	"hallmark/spec/wire"
)

// Options are what deriving goes by.
type Options struct {
	// Seed chooses among values that are as good as each other.
	Seed uint64
	// PerOperation bounds the cases of one operation; 0 chooses by the budget.
	PerOperation int
	// Valid reports whether a value keeps a schema on its way in a request.
	Valid func(s *spec.Schema, value any) bool
	// Wrong reports whether a value breaks a schema beyond doubt.
	Wrong func(s *spec.Schema, value any) bool

	// within returns what Valid and Wrong ask, which counts steps; nil where the work is not bounded.
	within func(*spec.Schema) *schema.Schema
	// used counts the work of plain requests; nil where nobody does.
	used *atomic.Int64
	// texts are those of the seed, which many operations need; nil where each makes its own.
	texts *instance.Texts
	// operations are all of the contract, and schemes those that it names.
	operations []spec.Operation
	schemes    []spec.Security
	// given are constants that stand in for whatever would be made up; nil for none.
	given *values.Values
	// lives returns those of its resources, unread those of resources that only lists show; nil where none are looked for.
	lives, unread func() lives
	// names reports whether a parameter of a path names something that may not be there; nil for each of them.
	names func(*spec.Operation, spec.Parameter) bool
	// chosenName returns the member of a creation's body by which its client names what is made; nil where none is looked for.
	chosenName func(*spec.Operation) (spec.Property, bool)
}

// listed returns the lives in which an operation has a part that may be to list.
func (o Options) listed(op *spec.Operation) []*life {
	return slices.Concat(o.lives().of(op), o.unread().of(op))
}

// deriver makes the cases of one operation.
type deriver struct {
	op       *spec.Operation
	options  Options
	generate *instance.Generator
	refuses  bool
	// groups are cases by what they are about, the most valuable group and case first.
	groups [][]Case
	// back are cases that seldom take a request.
	back []Case
}

// drafted returns what may be asked of an operation, first a plain request, then some of each kind of promise, and the kinds that
// this puts to the test.
func drafted(op *spec.Operation, o Options, limit int, work *instance.Work) (draft, map[Kind]bool) {
	o = o.bounded(work)
	d := deriver{op: op, options: o, refuses: Refuses(op) && !mistakable(op, o.operations), generate: instance.New(instance.Options{
		Seed: o.Seed, Direction: instance.Request, Valid: o.Valid, Limit: limit, Texts: o.texts, Work: work,
	})}
	d.credentials()
	d.absent()
	deriveLinks(&d)
	deriveMethod(&d)
	deriveHead(&d)
	deriveAccept(&d)
	d.parameters()
	d.body()
	deriveUnusual(&d)
	deriveOnceMore(&d)
	if o.lives != nil {
		deriveLives(&d)
	}
	for i := range d.groups {
		d.groups[i] = slices.DeleteFunc(d.groups[i], unwritable)
	}
	d.groups = slices.DeleteFunc(d.groups, func(group []Case) bool { return len(group) == 0 })
	d.back = slices.DeleteFunc(d.back, unwritable)
	kinds := map[Kind]bool{}
	for _, group := range append(slices.Clip(d.groups), d.back) {
		for _, c := range group {
			kinds[c.Kind] = true
			if c.Aspect == Breaks && listsRefusals(op) {
				kinds[Refusal] = true
			}
		}
	}
	plain := Case{Kind: Success, Aspect: Keeps, Title: "a plain request", Contract: []string{op.Pointer}}
	return newDraft(plain, d.groups, slices.Clone(d.back[:min(len(d.back), mostBack)]), limit), kinds
}

// longest is how long what a case says in one line may be, in bytes: Gherkin's library reads no line of 64 KiB, and steps/suite none of 60 KiB.
const longest = 56 << 10

// unwritable reports whether a case has a line that is too long for a feature file.
func unwritable(c Case) bool {
	said := func(texts ...string) bool {
		n := 0
		for _, text := range texts {
			n += len(text)
		}
		return n > longest
	}
	alone := func(text string) bool { return len(text) > longest }
	return said(c.Change.Before, c.Change.Value, c.Change.Behind) || said(c.First.Before, c.First.Value, c.First.Behind) ||
		len(c.Title)+len(c.Change.Value) > longest/2 && said(cells.Replace(c.Title), cells.Replace(c.Change.Value)) ||
		slices.ContainsFunc(c.When, alone) || slices.ContainsFunc(c.Then, alone)
}

// deriveOnceMore adds that what is done by POST to something that is there is asked for once more: whatever state that is in by then, a request
// for it keeps the contract.
func deriveOnceMore(d *deriver) {
	if _, name, below := strings.Cut(d.op.Path, "}/"); d.op.Method == http.MethodPost && below && !strings.HasSuffix(name, "}") && !d.creates() {
		d.group(Case{
			Kind: Available, Aspect: Allowed, Title: "it is asked for once more", When: []string{Sent, Sent}, Contract: []string{d.op.Pointer},
		})
	}
}

// creates reports whether the operation is known to create a resource.
func (d *deriver) creates() bool {
	if d.options.lives == nil {
		return false
	}
	_, ok := first(d.options.lives().of(d.op), func(l life) bool { return l.creates.ID == d.op.ID })
	return ok
}

// mistakable reports whether requests to an operation may be taken for ones to another: documents tell operations of the same path apart
// by what stands behind a number sign, which no request carries.
func mistakable(op *spec.Operation, all []spec.Operation) bool { return len(twins(op, all)) > 0 }

// twins returns the operations that requests to one may be taken for.
func twins(op *spec.Operation, all []spec.Operation) []*spec.Operation {
	path, _, fragment := strings.Cut(op.Path, "#")
	if !fragment {
		return nil
	}
	var found []*spec.Operation
	for i := range all {
		other := &all[i]
		if same, _, _ := strings.Cut(other.Path, "#"); other.ID != op.ID && other.Method == op.Method && resource.Anonymous(same) == resource.Anonymous(path) {
			found = append(found, other)
		}
	}
	return found
}

// roundRobin takes one case of each kind of promise, even where these are more than were asked for, and then from each group in turn, so
// that none starves another. What it takes for a smaller bound is among what it takes for a larger one, so it may be applied to its result.
func roundRobin(groups [][]Case, most int) [][]Case {
	taken := make([][]bool, len(groups))
	n, seen := 0, map[Kind]bool{}
	for i, group := range groups {
		taken[i] = make([]bool, len(group))
		for j := range group {
			if c := &group[j]; !seen[c.Kind] {
				seen[c.Kind], taken[i][j] = true, true
				n++
			}
		}
	}
	for took := true; took && n < most; {
		took = false
		for i := range groups {
			if j := slices.Index(taken[i], false); j >= 0 && n < most {
				took, taken[i][j] = true, true
				n++
			}
		}
	}
	var all [][]Case
	kept := make([]Case, 0, n)
	for i, group := range groups {
		begin := len(kept)
		for j := range group {
			if taken[i][j] {
				kept = append(kept, group[j])
			}
		}
		if begin < len(kept) {
			all = append(all, kept[begin:len(kept):len(kept)])
		}
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
	if mistakable(d.op, d.options.operations) {
		return
	}
	if d.op.Anonymous() {
		deriveAlternatives(d)
		deriveIgnored(d)
		return
	}
	var cases []Case
	for _, c := range derive.SchemeCredentials(d.op) {
		kind := CredentialWrong
		if c.Kind == derive.CredentialMissing {
			kind = CredentialMissing
		}
		cases = append(cases, Case{
			Kind: kind, Aspect: Unauthorized, Title: "the credential is " + c.Words, Change: changeOf(Credential, c.Words),
			Contract: []string{d.op.Security[0][0].Pointer},
		})
	}
	d.group(cases...)
	deriveForbidden(d)
	deriveAlternatives(d)
}

// deriveAlternatives adds requests with the credential of each alternative, where there are several.
func deriveAlternatives(d *deriver) {
	all := alternatives(d.op)
	if len(all) < 2 {
		return
	}
	var cases []Case
	for _, names := range all {
		words := derive.OfAlternative + names
		if names == noAlternative {
			words = derive.NoCredential
		}
		cases = append(cases, Case{
			Kind: CredentialAccepted, Aspect: LetIn, Title: "the credential is " + words, Change: changeOf(Credential, words),
			Contract: []string{securityPointer(d.op)},
		})
	}
	d.group(cases...)
}

// noAlternative stands for the alternative without a credential among the names of others.
const noAlternative = "none"

// alternatives returns the credentials of which each lets in to an operation, as their schemes are named.
func alternatives(op *spec.Operation) []string {
	var all []string
	for _, requirement := range op.Security {
		names := requirement.Names()
		if names == "" {
			names = noAlternative
		}
		if !slices.Contains(all, names) {
			all = append(all, names)
		}
	}
	return all
}

// securityPointer returns the pointer of the requirements of an operation that has or states some.
func securityPointer(op *spec.Operation) string {
	for _, requirement := range op.Security {
		if len(requirement) > 0 {
			return requirement[0].Pointer
		}
	}
	return op.Pointer + "/security"
}

// deriveIgnored adds requests with made-up credentials to an operation that needs none.
func deriveIgnored(d *deriver) {
	var cases []Case
	for _, name := range ignoredSchemes(d.op, d.options.schemes) {
		c := Case{
			Kind: CredentialIgnored, Aspect: Ignores, Title: "the credential is " + derive.RandomOfScheme + name, Change: changeOf(Credential, derive.RandomOfScheme+name),
			Contract: []string{securityPointer(d.op)},
		}
		if len(d.op.Security) > 0 { // the plain request may have the credential of another alternative
			c.First = changeOf(Credential, derive.NoCredential)
		}
		cases = append(cases, c)
	}
	d.group(cases...)
}

// admitting matches addresses and ids of operations that let somebody in.
var admitting = lazy.Regexp(`(?i)token|log[-_]?(in|on)|sign[-_]?in|oauth|auth([^o]|$)|authoriz|authentic|session|password|introspect|revoke`)

// ignoredSchemes returns the schemes of a contract of which a wrong credential must change nothing for an operation, one for each place in
// which requests carry credentials: none where the document does not say that the operation needs no credential, or foresees that it refuses one,
// and where it lets somebody in itself, as token endpoints do by the header Authorization (RFC 6749, section 5.2).
func ignoredSchemes(op *spec.Operation, all []spec.Security) []string {
	if !op.StatesAnonymous() || explicitly(op, http.StatusUnauthorized) || admitting().MatchString(op.Path+" "+op.ID) {
		return nil
	}
	carried := map[string]bool{}
	var names []string
	for _, s := range all {
		if derive.Guessable(s) && !carried[s.Carried()] {
			carried[s.Carried()] = true
			names = append(names, s.Name)
		}
	}
	return names
}

// deriveForbidden adds requests with credentials that are valid for other operations.
func deriveForbidden(d *deriver) {
	one := func(k Kind, words string) Case {
		return Case{Kind: k, Aspect: Forbidden, Title: "the credential is " + words, Change: changeOf(Credential, words), Contract: []string{d.op.Security[0][0].Pointer}}
	}
	var others []Case
	for _, name := range otherSchemes(d.op, d.options.schemes) {
		others = append(others, one(OtherScheme, derive.OfScheme+name))
	}
	d.group(others...)
	if scoped(d.op) {
		d.group(one(Scope, derive.WithoutScope))
	}
}

// schemesOf returns the schemes that operations name, each once.
func schemesOf(operations []spec.Operation) []spec.Security {
	var all []spec.Security
	known := map[string]bool{}
	for i := range operations {
		for _, requirement := range operations[i].Security {
			for _, s := range requirement {
				if !known[s.Name] {
					known[s.Name] = true
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// otherSchemes returns those of a contract's schemes that operations name, and this one does not, whose credentials stand in another
// place than all that this one takes, or are of Basic where those are not, and the reverse: a service that takes one token under several
// names is not told apart by its document.
func otherSchemes(op *spec.Operation, all []spec.Security) []string {
	if op.Anonymous() {
		return nil
	}
	taken := map[string]bool{}
	for _, requirement := range op.Security {
		for _, s := range requirement {
			if s.Type == "mutualTLS" {
				return nil // the connection carries it whatever else a request carries
			}
			taken[s.Carried()] = true
		}
	}
	var names []string
	for _, s := range all {
		if s.Type != "mutualTLS" && !taken[s.Carried()] {
			names = append(names, s.Name)
		}
	}
	return names
}

// scoped reports whether each way to be let in to an operation asks for a scope of a token.
func scoped(op *spec.Operation) bool {
	return !op.Anonymous() && !slices.ContainsFunc(op.Security, func(all spec.Requirement) bool {
		return !slices.ContainsFunc(all, func(s spec.Security) bool {
			return len(s.Scopes) > 0 && (s.Type == "oauth2" || s.Type == "openIdConnect")
		})
	})
}

// absent adds requests for what does not exist: one for each parameter of the path.
func (d *deriver) absent() {
	if exactly(d.op, 404) == nil {
		return
	}
	var cases []Case
	for _, p := range d.op.Parameters {
		if p.In == wire.InPath && !creates(d.op, p) && (d.options.names == nil || d.options.names(d.op, p)) {
			cases = append(cases, Case{
				Kind: NotFound, Aspect: Unknown, Title: p.Name + " belongs to nothing", Change: Change{Before: UnknownParameter.Write(p.Name)},
				Contract: []string{p.Pointer},
			})
		}
	}
	d.group(cases...)
}

// creates reports whether an operation may create what a parameter names that names nothing yet: its clients choose names, or it is a
// PUT that documents a 201, whatever the name is.
func creates(op *spec.Operation, p spec.Parameter) bool {
	slots := resource.SlotsOf(op)
	if len(slots) == 0 {
		return false
	}
	last := slots[len(slots)-1]
	puts := op.Method == http.MethodPut && exactly(op, http.StatusCreated) != nil && last.Key == resource.Anonymous(op.Path)
	return (puts || resource.Chooses(op)) && last.Parameter.Name == p.Name
}

// UnknownParameter gives a parameter of the path a value that names nothing.
const UnknownParameter sentence.Sentence = "its path parameter {name} belongs to nothing"

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
