package promise

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// What several requests show together. No document states it; it follows from a pair of operations that create and
// read the same resource, and from the meaning of HTTP.
const (
	// Readable: a created resource can be read.
	Readable Kind = "created.readable"
	// Kept: it comes back as sent.
	Kept Kind = "created.kept"
	// CreatedReadOnly: a creation does not set read-only members.
	CreatedReadOnly Kind = "created.read-only"
	// Distinct: two created resources have different identifiers.
	Distinct Kind = "created.distinct"
	// Placed: the Location of a created resource leads to it.
	Placed Kind = "created.location"
	// Itself: a read shows the requested resource.
	Itself Kind = "read.itself"
	// Steady: reading changes nothing that was sent.
	Steady Kind = "read.steady"
	// Gone: a deleted resource cannot be read. Again: deleting it again succeeds, or says that it is not there.
	Gone  Kind = "deleted.gone"
	Again Kind = "deleted.again"
	// Spared: a deletion deletes nothing else.
	Spared Kind = "deleted.alone"
)

// stateKinds returns the inferred kinds of promises. OtherScheme is the only one about requests to a single
// operation.
func stateKinds() []Kind {
	return append(slices.Concat(updateKinds(), concurrentKinds(), tagKinds()), OtherScheme, Acted, Bytes, ErrorStatus, Readable, Kept, CreatedReadOnly, Distinct, Placed, NoTrace, Itself, Steady, Gone, Again, Spared, Vanished, Limited, Filtered, Chosen, Once, AsRead, Listed, Disjoint, Complete, Ends, Totals, Sorted, Ordered, Unique, SameKey, OtherKey, Apart)
}

// inferred holds the inferred kinds of promises.
var inferred = stateKinds()

// Inferred reports whether promises of the kind are inferred.
func (k Kind) Inferred() bool { return slices.Contains(inferred, k) }

// life is what can be done with the resources of a creating operation.
type life struct {
	resource.Life
	creates *spec.Operation
}

// lives maps the ids of operations to the lives of resources that they have a part in.
type lives map[string][]*life

// livesOf returns the lives of a contract's resources that are beyond doubt: of those that can be read
// ([resource.LifeOf]), or that only lists show ([resource.UnreadLifeOf]).
func livesOf(operations []spec.Operation, m *resource.Map, lifeOf func(*resource.Map, *spec.Operation) (resource.Life, bool)) lives {
	all := lives{}
	for i := range operations {
		if found, ok := lifeOf(m, &operations[i]); ok {
			l := &life{found, &operations[i]}
			for _, id := range l.parts() {
				all[id] = append(all[id], l)
			}
		}
	}
	return all
}

// ofOperation returns the lives in which an operation has a part, in the order of the creating operations.
func (all lives) ofOperation(op *spec.Operation) []*life { return all[op.ID] }

// parts returns the ids of the operations that have a part in a life, without duplicates.
func (l life) parts() []string {
	ids := []string{l.creates.ID}
	if l.Lister != nil {
		ids = append(ids, l.Lister.Operation.ID)
	}
	for _, op := range append([]*spec.Operation{l.Reader, l.Remover, l.Replacer, l.Patcher}, l.Actions...) {
		if op != nil {
			ids = append(ids, op.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// located reports whether both the body of a 201 and a Location may say what was created.
func (l life) located() bool {
	return l.Creator.Way == resource.Created && len(l.Creator.Path) > 0 && exactly(l.creates, 201) != nil
}

// showingOperation returns the operation that reads the resource or, if there is none, lists it.
func (l life) showingOperation() *spec.Operation {
	if l.Reader == nil {
		return l.Lister.Operation
	}
	return l.Reader
}

// firstLife returns the first life for which part returns true.
func firstLife(lives []*life, part func(life) bool) (life, bool) {
	for _, l := range lives {
		if part(*l) {
			return *l, true
		}
	}
	return life{}, false
}

// describeLives adds the inferred rules of an operation.
func describeLives(d *describer) {
	op := d.op
	infer := func(l life, k Kind, says, meaning string) {
		does := " reads; "
		if l.Reader == nil {
			does = " lists; "
		}
		d.addRule(k, false, says, l.creates.Pointer, l.showingOperation().Pointer)
		d.source("inferred: " + l.creates.ID + " creates what " + l.showingOperation().ID + does + meaning)
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.creates.ID == op.ID }); ok {
		infer(l, Readable, "A resource that "+op.ID+" creates can be read with "+l.Reader.ID, "RFC 9110, section 9.3.3")
		if op.Body != nil && op.Body.JSON() != nil {
			infer(l, Kept, l.Reader.ID+" returns what was sent to "+op.ID, "RFC 9110, section 9.3.3")
			if l.takesReadOnly(op) {
				infer(l, CreatedReadOnly, op.ID+" does not set read-only properties (readOnly)", "OpenAPI Specification, Schema Object, readOnly")
			}
		}
		if l.Creator.Way == resource.Created {
			infer(l, Distinct, "Resources that "+op.ID+" creates have different identifiers", "a 201 means that a new resource was created (RFC 9110, section 15.3.2); another success, that the resource can be read by its identifier")
		}
		if l.located() {
			infer(l, Placed, "The Location header of "+op.ID+" leads to the created resource", "the Location of a 201 identifies the created resource (RFC 9110, section 15.3.2)")
		}
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.Reader.ID == op.ID }); ok {
		infer(l, Itself, op.ID+" returns the resource that its path names", "a request target names one resource (RFC 9110, section 3.1)")
		infer(l, Steady, op.ID+" returns the same when it is called twice", "GET is safe (RFC 9110, section 9.2.1)")
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		infer(l, Gone, "After "+op.ID+" has deleted a resource, "+l.Reader.ID+" answers 404 or 410", "RFC 9110, section 9.3.5")
		infer(l, Again, "Deleting a resource with "+op.ID+" again succeeds, or is answered 404 or 410", "DELETE is idempotent (RFC 9110, section 9.2.2)")
		infer(l, Spared, op.ID+" deletes no other resource: "+l.Reader.ID+" still returns one that was created before", "DELETE applies to its target (RFC 9110, section 9.3.5)")
	}
	describeUnique(d, infer)
	describeUnread(d, infer)
	describeLists(d, infer)
	describeKeys(d, infer)
	describeUpdates(d, infer)
	describeActions(d, infer)
	describeConcurrent(d, infer)
	describeTags(d, infer)
	describeBytes(d)
}

// Steps about the lives of resources.
const (
	Creates                           = "it creates a resource"
	CreatesWhole                      = "it creates a resource with all that is known"
	CreatesReadOnly                   = "it creates a resource with values of what is only to be read"
	CreatesOther                      = "another one is created"
	Reads           sentence.Sentence = "{name} reads it"
	ReadsAgain      sentence.Sentence = "{name} reads it once more"
	Deletes         sentence.Sentence = "{name} deletes it"
	DeletesAgain    sentence.Sentence = "{name} deletes it once more"
	LeadsToIt                         = "its Location leads to it"
	OneOfTwo        sentence.Sentence = "it creates two, {name} deletes the later one, and {name} reads the earlier one before and after that"
	StillThere                        = "the earlier one is still there"
)

// Their expected outcomes, as steps.
const (
	IsFound           = "it is found"
	HoldsSent         = "it holds what was sent"
	NotAsSent         = "what is only to be read is not what was sent"
	IdentifiersDiffer = "their identifiers differ"
	IsTheOneAsked     = "it is the one that was asked for"
	IsAsItWas         = "it is as it was"
	IsGone            = "it is gone"
	IsNoError         = "that is no error"
	IsNotListed       = "it is not listed any more"
	NoneIsThere       = "none of it is there"
	IsNotThere        = "it is not there"
	ShowsSent         = "it shows what was sent"
	LeftOutIsNotKept  = "what was left out is not what it was"
	RestIsAsItWas     = "the rest of it is as it was"
	ReadOnlyIsAsItWas = "what is only to be read is as it was"
	NothingChanged    = "nothing of it was changed"
	HasAnotherTag     = "it has another ETag"
	IsNotModified     = "it is not modified"
	IsShownAsNow      = "it is shown as it is now"
	OldTagRefused     = "the ETag of before is refused"
	TagLetsIn         = "the ETag lets it in"
	TagIsShown        = "the ETag is shown with it"
	RefusedForThere   = "it is refused, for there is one"
)

// asksWhole is how many requests it takes to make a service show all members of a resource: to create, read,
// replace, patch and list it, if the first page shows it.
const asksWhole = 5

// deriveLives adds scenarios about the resources in which an operation has a part.
func deriveLives(d *deriver) {
	op, lives := d.op, d.options.lives().ofOperation(d.op)
	plain := func(l life) string { return PlainRequest.Write(l.creates.ID) + Succeeded }
	add := func(k Kind, l life, title string, when []string, then ...string) {
		d.group(Case{
			Kind: k, Aspect: Lives, Title: title, Given: plain(l), When: append([]string{Creates}, when...), Then: then, Writes: true,
			Contract: []string{l.creates.Pointer, l.Reader.Pointer},
		})
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID }); ok {
		reads := Reads.Write(l.Reader.ID)
		add(Readable, l, "what is created can be read", []string{reads}, IsFound)
		if op.Body != nil && op.Body.JSON() != nil {
			deriveKept(d, l, reads)
			deriveForgotten(d, l, reads)
			if l.takesReadOnly(op) {
				d.group(Case{
					Kind: CreatedReadOnly, Aspect: Lives, Title: "what is only to be read is sent", Given: plain(l), When: []string{CreatesReadOnly, reads}, Then: []string{NotAsSent},
					Writes: true, Contract: []string{l.creates.Pointer, l.Reader.Pointer}, Makes: 1,
				})
			}
		}
		deriveUnclearRead(d, l, reads)
		if l.located() {
			add(Placed, l, "its Location leads to what is created", nil, LeadsToIt)
		}
		deriveUnique(d, l)
		if l.Creator.Way == resource.Created {
			add(Distinct, l, "two that are created are told apart", []string{CreatesOther}, IdentifiersDiffer)
			d.group(Case{
				Kind: Available, Aspect: Allowed, Title: "the same is there already", When: []string{SentTwice}, Writes: true, Asks: 1, Makes: 1,
				Given: plain(l), Contract: []string{l.creates.Pointer},
			})
		}
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Reader.ID == op.ID }); ok {
		reads := Reads.Write(op.ID)
		add(Itself, l, "a read shows the one that was asked for", []string{reads}, IsTheOneAsked)
		again := ReadsAgain.Write(op.ID)
		add(Steady, l, "reading changes nothing", []string{reads, again}, IsAsItWas)
		if l.creates.Body != nil && l.creates.Body.JSON() != nil && len(l.Settable(l.creates)) > 0 {
			d.group(Case{
				Kind: Steady, Aspect: Lives, Title: "reading changes nothing of all that it has", Given: plain(l), When: []string{CreatesWhole, reads, again},
				Then: []string{IsAsItWas}, Writes: true, Asks: asksWhole, Makes: 1, Contract: []string{l.creates.Pointer, l.Reader.Pointer},
			})
		}
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		add(Gone, l, "what is deleted is gone", []string{Deletes.Write(op.ID), Reads.Write(l.Reader.ID)}, IsGone)
		add(Again, l, "what is gone is deleted again", []string{Deletes.Write(op.ID), DeletesAgain.Write(op.ID)}, IsNoError)
		d.group(Case{
			Kind: Spared, Aspect: Lives, Title: "another one is deleted", Given: plain(l), When: []string{OneOfTwo.Write(op.ID, l.Reader.ID)},
			Then: []string{StillThere}, Writes: true, Contract: []string{op.Pointer, l.Reader.Pointer}, Asks: 4, Makes: 1,
		})
	}
	deriveNear(d, lives)
	deriveUnread(d)
	deriveLists(d, d.options.listed(op))
	deriveKeys(d, lives)
	deriveUpdates(d, lives)
	deriveActions(d, lives)
	deriveConcurrent(d, lives)
	deriveTags(d, lives)
	deriveBytes(d)
}

// deriveKept adds that each allowed value comes back.
func deriveKept(d *deriver, l life, reads string) {
	one := Case{
		Kind: Kept, Aspect: Lives, Title: "what is sent comes back", Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{Creates, reads},
		Then: []string{HoldsSent}, Writes: true, Contract: []string{l.creates.Pointer, l.showingOperation().Pointer},
	}
	all := []Case{one}
	known := map[string]bool{}
	for _, group := range d.groups {
		for _, c := range group {
			if (c.Kind != Accepted && c.Kind != Available) || !inBody(c.Change) || known[c.Change.Step()] {
				continue
			}
			if known[c.Change.Step()] = true; l.Reader == nil && len(all) > mostListed {
				continue
			}
			next := one
			next.Title, next.Change, next.Contract = c.Title, c.Change, slices.Concat(one.Contract, c.Contract)
			all = append(all, next)
		}
	}
	d.group(all...)
	media := d.op.Body.JSON()
	if media.Schema == nil {
		return
	}
	left, most := mostListed, mostValues
	if l.Reader == nil {
		most /= 2
	}
	base := d.generate.Base(instance.Subject{Name: "the body", Edge: media.Edge, Examples: media.Examples})
	for i := range media.Schema.Properties {
		p := &media.Schema.Properties[i]
		var values []Case
		for _, u := range valuesFor(d, p.Schema) {
			change := changeOf(InBody, jsonpointer.Join("", p.Name), jsonText(u.value))
			changed, ok := replaced(base, jsonpointer.Join("", p.Name), u.value)
			if !ok || known[change.Step()] || len(values) >= most || l.Reader == nil && left == 0 || !d.options.Valid(media.Schema, changed) {
				continue
			}
			next := one
			next.Title, next.Change = p.Name+" "+u.says, change
			next.Contract = append(slices.Clone(one.Contract), propertyPlace(media.Schema, p.Name), p.Schema.Pointer)
			values = append(values, next)
			left--
		}
		d.group(values...)
	}
}

// deriveForgotten adds that a creation keeps what a change of the resource can set.
func deriveForgotten(d *deriver, l life, reads string) {
	changes := l.Replacer
	if changes == nil || !l.changes(changes) {
		changes = l.Patcher
	}
	if changes == nil || !l.changes(changes) || l.creates.ID == changes.ID {
		return
	}
	d.group(Case{
		Kind: Kept, Aspect: Lives, Title: "what a change can set is kept at once", Given: PlainRequest.Write(changes.ID) + Succeeded,
		When: []string{ToBeChanged, ChangesAll.Write(changes.ID), reads}, Then: []string{AsCreated}, Writes: true, Makes: 1, Asks: 3,
		Contract: []string{l.creates.Pointer, changes.Pointer, l.Reader.Pointer},
	})
}

// takesReadOnly reports whether the body of an operation has a place for members that are read-only.
func (l life) takesReadOnly(op *spec.Operation) bool {
	return slices.ContainsFunc(l.ReadOnly(), func(name string) bool { return HasPlaceFor(op, name) })
}

// HasPlaceFor reports whether the body of an operation has a place for a member that is read-only in the representation. It has none if the
// body names the member without marking it as read-only: then a creation sets what only it may set.
func HasPlaceFor(op *spec.Operation, name string) bool {
	s := op.Body.Schema()
	if s == nil {
		return false
	}
	if p := property(s, name, 0); p != nil {
		return p.Schema != nil && p.Schema.ReadOnly
	}
	return s.AdditionalProperties == nil || !s.AdditionalProperties.Schema.Forbidden
}

// mostValues bounds how many values of a member are sent to see whether they come back.
const mostValues = 8

// mostListed bounds how many values of all members are searched for in lists, which may be long.
const mostListed = 20

// NameInMap is the name of a member whose name the client chooses: plain enough for services that change the case
// of names.
const NameInMap = "hallmark"

// valuesFor returns values for a member that is not an object with documented members: one or two plain ones, and
// those that services tend to change.
func valuesFor(d *deriver, s *spec.Schema) []unusual {
	if s == nil || s.ReadOnly {
		return nil
	}
	var all []unusual
	if resource.TextList(s) {
		for _, list := range []unusual{{[]any{"hallmark one"}, "has one text"}, {[]any{"hallmark two", "hallmark one"}, "has two texts"}} {
			if d.options.Valid(s, list.value) {
				all = append(all, list)
			}
		}
		return all
	}
	if resource.NameMap(s) {
		for _, text := range []string{"hallmark one", "hallmark two"} {
			if one := map[string]any{NameInMap: text}; d.options.Valid(s, one) {
				all = append(all, unusual{one, "holds a member of its own, " + text})
			}
		}
		return all
	}
	for _, text := range s.Enum {
		if v, err := exactjson.Decode([]byte(text)); err == nil {
			all = append(all, unusual{v.Tree, "is " + text})
		}
	}
	if s.Type == "integer" && s.Simple() && len(s.Enum) == 0 {
		for _, n := range []string{"1", "2"} {
			if d.options.Valid(s, json.Number(n)) {
				all = append(all, unusual{json.Number(n), "is " + n})
			}
		}
	}
	return append(all, unusualFor(d, s)...)
}

// inBody reports whether a change sets a member of a body.
func inBody(c Change) bool {
	unknown, _ := InBody.Around("/hallmarkUnknown")
	return strings.HasPrefix(c.Before, InBody.Beginning()) && c.Before != unknown
}

// Unread returns what can be done with what an operation creates and only a list shows; false if that is in doubt.
func (p *Promises) Unread(op *spec.Operation) (resource.Life, bool) {
	l, ok := firstLife(p.options.unread().ofOperation(op), func(l life) bool { return l.creates.ID == op.ID })
	return l.Life, ok
}

// Life returns what can be done with what an operation creates; false if it creates nothing that can be read, or
// that is in doubt.
func (p *Promises) Life(op *spec.Operation) (resource.Life, bool) {
	l, ok := firstLife(p.options.lives().ofOperation(op), func(l life) bool { return l.creates.ID == op.ID })
	return l.Life, ok
}

// Listed returns what can be done with what an operation lists; false if it lists nothing that is created, or that
// is in doubt.
func (p *Promises) Listed(op *spec.Operation) (resource.Life, bool) {
	l, ok := lister(p.options.lives().ofOperation(op), op.ID)
	if !ok {
		l, ok = lister(p.options.unread().ofOperation(op), op.ID)
	}
	return l.Life, ok
}

// Others returns other values for the place of a change, as JSON.
func (p *Promises) Others(op *spec.Operation, before string) []string {
	var all []string
	_, _, others := p.derived()
	for _, c := range others[op.ID] {
		if c.Before == before {
			all = append(all, c.Value)
		}
	}
	return all
}
