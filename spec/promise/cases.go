package promise

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Options configures the derivation of cases.
type Options struct {
	// Seed chooses among equivalent values.
	Seed uint64
	// PerOperation bounds the cases of one operation; 0 lets the budget decide.
	PerOperation int
	// Valid reports whether a value conforms to a schema in a request.
	Valid func(s *spec.Schema, value any) bool
	// Wrong reports whether a value certainly violates a schema.
	Wrong func(s *spec.Schema, value any) bool

	// within returns the validator behind Valid and Wrong, which counts steps; nil if the work is not bounded.
	within func(*spec.Schema) *schema.Schema
	// used counts the work of plain requests; nil if that is not counted.
	used *atomic.Int64
	// texts holds the texts of the seed, which many operations need; nil if each makes its own.
	texts *instance.Texts
	// operations holds all operations of the contract, and schemes the security schemes that they name.
	operations []spec.Operation
	schemes    []spec.Security
	// sayings reads what sentences say of single operations.
	sayings *prose.Sayings
	// given holds constants that replace made-up values, or nil.
	given *values.Values
	// lives returns the lives of its resources, unread those of resources that only lists show; nil if none are
	// inferred.
	lives, unread func() lives
	// names reports whether a path parameter names something that may not exist; nil means that each does.
	names func(*spec.Operation, spec.Parameter) bool
	// chosen return the members of a creation's body with which the client names or identifies the resource; none if
	// none are inferred.
	chosen []func(*spec.Operation) (spec.Property, bool)
}

// listed returns the lives of resources that an operation may list.
func (o Options) listed(op *spec.Operation) []*life {
	return slices.Concat(o.lives().ofOperation(op), o.unread().ofOperation(op))
}

// deriver derives the cases of one operation.
type deriver struct {
	op       *spec.Operation
	options  Options
	generate *instance.Generator
	refuses  bool
	// groups holds cases by subject, with the most valuable group and case first.
	groups [][]Case
	// baseCases holds cases that seldom take a request.
	baseCases []Case
}

// drafted returns the possible cases of an operation, first a plain request, then some for each kind of promise,
// and the kinds that they test.
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
	d.deriveBounds()
	deriveUnusual(&d)
	deriveOnceMore(&d)
	if o.lives != nil {
		deriveLives(&d)
	}
	for i := range d.groups {
		d.groups[i] = slices.DeleteFunc(d.groups[i], unwritable)
	}
	d.groups = slices.DeleteFunc(d.groups, func(group []Case) bool { return len(group) == 0 })
	d.baseCases = slices.DeleteFunc(d.baseCases, unwritable)
	kinds := map[Kind]bool{}
	for _, group := range append(slices.Clip(d.groups), d.baseCases) {
		for _, c := range group {
			kinds[c.Kind] = true
			if c.Aspect == Breaks && listsRefusals(op) {
				kinds[Refusal] = true
			}
		}
	}
	plain := Case{Kind: Success, Aspect: Keeps, Title: "a plain request", Contract: []string{op.Pointer}}
	return newDraft(plain, d.groups, slices.Clone(d.baseCases[:min(len(d.baseCases), mostBack)]), limit), kinds
}

// longestLine is the maximum length of a line of a case, in bytes: Gherkin's library reads no line of 64 KiB, and
// steps/suite none of 60 KiB.
const longestLine = 56 << 10

// unwritable reports whether a case has a line that is too long for a feature file.
func unwritable(c Case) bool {
	said := func(texts ...string) bool {
		n := 0
		for _, text := range texts {
			n += len(text)
		}
		return n > longestLine
	}
	alone := func(text string) bool { return len(text) > longestLine }
	return said(c.Change.Before, c.Change.Value, c.Change.Behind) || said(c.First.Before, c.First.Value, c.First.Behind) ||
		len(c.Title)+len(c.Change.Value) > longestLine/2 && said(cellEscaper.Replace(c.Title), cellEscaper.Replace(c.Change.Value)) ||
		slices.ContainsFunc(c.When, alone) || slices.ContainsFunc(c.Then, alone)
}

// deriveOnceMore adds a case that sends a POST to an existing resource twice: whatever the resource's state is by
// then, the second request is valid too.
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
	_, ok := firstLife(d.options.lives().ofOperation(d.op), func(l life) bool { return l.creates.ID == d.op.ID })
	return ok
}

// mistakable reports whether requests to an operation may be taken for requests to another one: some documents
// distinguish operations of the same path by a fragment, which requests do not carry.
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

// roundRobin takes one case of each kind of promise, even if these exceed the limit, and then cases from each
// group in turn, so no group starves another. What it takes under a smaller bound is a subset of what it takes
// under a larger one, so it may be applied to its own result.
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

// fault returns the aspect of a request with one fault: if no refusal is documented, the outcome is open.
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
	for _, c := range credential.WrongFor(d.op) {
		cases = append(cases, Case{
			Kind: ofCredential(c.Kind), Part: string(c.Kind), Aspect: Unauthorized, Title: "the credential is " + c.Words, Change: changeOf(Credential, c.Words),
			Contract: []string{d.op.Security[0][0].Pointer},
		})
	}
	d.group(cases...)
	deriveForbidden(d)
	deriveAlternatives(d)
}

// deriveAlternatives adds requests with the credential of each alternative, if there are several.
func deriveAlternatives(d *deriver) {
	all := alternatives(d.op)
	if len(all) < 2 {
		return
	}
	var cases []Case
	for _, names := range all {
		words := credential.OfAlternative + names
		if names == noAlternative {
			words = credential.NoCredential
		}
		cases = append(cases, Case{
			Kind: CredentialAccepted, Aspect: LetIn, Title: "the credential is " + words, Change: changeOf(Credential, words),
			Contract: []string{securityPointer(d.op)},
		})
	}
	d.group(cases...)
}

// noAlternative is the name of the alternative without a credential.
const noAlternative = "none"

// alternatives returns the names of the alternative credentials that an operation accepts.
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

// securityPointer returns the pointer of an operation's security requirements.
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
			Kind: CredentialIgnored, Aspect: Ignores, Title: "the credential is " + credential.RandomOfScheme + name, Change: changeOf(Credential, credential.RandomOfScheme+name),
			Contract: []string{securityPointer(d.op)},
		}
		if len(d.op.Security) > 0 { // the plain request may have the credential of another alternative
			c.First = changeOf(Credential, credential.NoCredential)
		}
		cases = append(cases, c)
	}
	d.group(cases...)
}

// admitting matches paths and ids of operations that sign clients in.
var admitting = regexp.MustCompile(`(?i)token|log[-_]?(in|on)|sign[-_]?in|oauth|auth([^o]|$)|authoriz|authentic|session|password|introspect|revoke`)

// ignoredSchemes returns the security schemes of a contract whose wrong credentials an operation must ignore, one
// for each place of credentials in requests. There are none if the document does not state that the operation
// needs no credential, or documents that it refuses one, or if the operation signs clients in itself, as token
// endpoints do with the Authorization header (RFC 6749, section 5.2).
func ignoredSchemes(op *spec.Operation, all []spec.Security) []string {
	if !op.StatesAnonymous() || explicitly(op, http.StatusUnauthorized) || admitting.MatchString(op.Path+" "+op.ID) {
		return nil
	}
	carried := map[string]bool{}
	var names []string
	for _, s := range all {
		if credential.Guessable(s) && !carried[s.Carried()] {
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
		others = append(others, one(OtherScheme, credential.OfScheme+name))
	}
	d.group(others...)
	if scoped(d.op) {
		d.group(one(Scope, credential.WithoutScope))
	}
}

// schemesOf returns the security schemes that operations name, without duplicates.
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

// otherSchemes returns the security schemes that other operations name and this one does not, if their credentials
// are in another place than all that this one accepts, or one is Basic and the other is not: the document does not
// say whether a service accepts the same token under several names.
func otherSchemes(op *spec.Operation, all []spec.Security) []string {
	if op.Anonymous() {
		return nil
	}
	taken := map[string]bool{}
	for _, requirement := range op.Security {
		for _, s := range requirement {
			if s.Type == "mutualTLS" {
				return nil // the connection carries it in any case
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

// scoped reports whether each alternative of an operation requires a scope of a token.
func scoped(op *spec.Operation) bool {
	return !op.Anonymous() && !slices.ContainsFunc(op.Security, func(all spec.Requirement) bool {
		return !slices.ContainsFunc(all, func(s spec.Security) bool {
			return len(s.Scopes) > 0 && (s.Type == "oauth2" || s.Type == "openIdConnect")
		})
	})
}

// absent adds requests for what does not exist: one for each path parameter.
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

// creates reports whether an operation may create a resource under a new value of a parameter: its clients choose
// names, or it is a PUT that documents a 201.
func creates(op *spec.Operation, p spec.Parameter) bool {
	slots := resource.SlotsOf(op)
	if len(slots) == 0 {
		return false
	}
	last := slots[len(slots)-1]
	puts := op.Method == http.MethodPut && exactly(op, http.StatusCreated) != nil && last.Key == resource.Anonymous(op.Path)
	return (puts || resource.Chooses(op)) && last.Parameter.Name == p.Name
}

// UnknownParameter gives a path parameter a value that names nothing.
const UnknownParameter sentence.Sentence = "its path parameter {name} belongs to nothing"

// kindGroups holds cases by the kind of their value, in order of first appearance.
type kindGroups struct {
	at     map[instance.Variation]int
	groups [][]Case
}

func newKinds() *kindGroups { return &kindGroups{at: map[instance.Variation]int{}} }

func (k *kindGroups) addCase(kind instance.Variation, c Case) {
	i, known := k.at[kind]
	if !known {
		i = len(k.groups)
		k.at[kind] = i
		k.groups = append(k.groups, nil)
	}
	k.groups[i] = append(k.groups[i], c)
}
