package promise

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Kinds about changing a resource.
const (
	// Updated: what a change sends is read afterwards.
	Updated Kind = "updated.kept"
	// Replaced: what a PUT omits is not what it was before.
	Replaced Kind = "updated.replaced"
	// Rest: a PATCH keeps what it does not name.
	Rest Kind = "updated.rest"
	// Merged: a merge patch removes what is null in it, and merges objects (RFC 7396, section 2).
	Merged Kind = "updated.merged"
	// ReadOnly: a request does not change read-only members.
	ReadOnly Kind = "updated.read-only"
	// Unchanged: a refused request changed nothing.
	Unchanged Kind = "refused.unchanged"
)

// updateKinds returns the kinds of promises about changing a resource.
func updateKinds() []Kind { return []Kind{Updated, Replaced, Rest, Merged, ReadOnly, Unchanged} }

// Steps about changes of resources.
const (
	ToBeChanged                   = "there is a resource to be changed"
	Changes     sentence.Sentence = "{name} changes it"
	ChangesAll  sentence.Sentence = "{name} gives it other values"
	LeavesOut   sentence.Sentence = "{name} leaves out what it may"
	// ChangesMember changes a single member.
	ChangesMember sentence.Sentence = "{name} changes its member {name} alone"
	// Nulls sets a single member to null, ChangesInside changes a single member of an object.
	Nulls         sentence.Sentence = "{name} sets its member {name} to null"
	ChangesInside sentence.Sentence = "{name} changes one member in {name}"
	// IsRemoved and InsideStays are the expected outcomes.
	IsRemoved   = "what is null is not what it was"
	InsideStays = "what else is in it is as it was"
	// AsCreated: what a change can set is not missing after a creation that set it.
	AsCreated = "what was sent to create it was shown, too"
	// SameIdentity: the identifier and the time of the creation outlast a change.
	SameIdentity = "its identifier and the time of its creation are as they were"
)

// changes reports whether an operation replaces or patches the resource of a life with a JSON object.
func (l life) changes(op *spec.Operation) bool {
	part := l.Replacer != nil && l.Replacer.ID == op.ID || l.Patcher != nil && l.Patcher.ID == op.ID
	return part && op.Body != nil && op.Body.JSON() != nil && !op.Body.JSON().IsPatch()
}

// changing reports whether an operation changes or deletes the resource of a life.
func (l life) changing(op *spec.Operation) bool {
	return l.changes(op) || l.Remover != nil && l.Remover.ID == op.ID
}

// LifeChanged returns what can be done with what an operation changes or deletes; false if that is in doubt.
func LifeChanged(p *Promises, op *spec.Operation) (found resource.Life, creates *spec.Operation, ok bool) {
	l, ok := firstLife(p.options.lives().ofOperation(op), func(l life) bool { return l.changing(op) })
	return l.Life, l.creates, ok
}

// describeUpdates adds the inferred rules of an operation that changes resources.
func describeUpdates(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := firstLife(d.lives, func(l life) bool { return l.changing(op) }); ok {
		infer(l, Unchanged, "A request that "+op.ID+" rejects does not change what "+l.Reader.ID+" returns", "a 4xx means that nothing was done")
	}
	l, ok := firstLife(d.lives, func(l life) bool { return l.changes(op) })
	if !ok {
		return
	}
	meaning := "PUT sets the state of its target (RFC 9110, section 9.3.4)"
	if op.Method == http.MethodPatch {
		meaning = "PATCH applies changes to its target (RFC 5789, section 2)"
	}
	infer(l, Updated, l.Reader.ID+" returns what was sent to "+op.ID, meaning)
	if op.Method == http.MethodPut {
		infer(l, Replaced, "Properties that a request to "+op.ID+" leaves out do not keep their values", "PUT replaces (RFC 9110, section 9.3.4)")
	} else {
		infer(l, Rest, "Properties that a request to "+op.ID+" does not name keep their values", "PATCH applies changes only (RFC 5789, section 2)")
	}
	if op.Body.JSON().IsMergePatch() && (len(l.nullable(op)) > 0 || len(l.objects(op)) > 0) {
		infer(l, Merged, "A merge patch of "+op.ID+" removes properties that are null in it, and merges objects", "RFC 7396, section 2")
	}
	infer(l, ReadOnly, op.ID+" does not change read-only properties (readOnly), the identifier or the time of the creation", "OpenAPI Specification, Schema Object, readOnly")
}

// deriveUpdates adds scenarios about an operation that changes resources.
func deriveUpdates(d *deriver, lives []*life) {
	op := d.op
	l, ok := firstLife(lives, func(l life) bool { return l.changing(op) })
	if !ok {
		return
	}
	reads, name := Reads.Write(l.Reader.ID), op.ID
	one := func(k Kind, title, then string, when ...string) Case {
		return Case{
			Kind: k, Aspect: Lives, Title: title, Given: PlainRequest.Write(name) + Succeeded, When: append([]string{ToBeChanged}, when...), Then: []string{then}, Writes: true,
			Contract: []string{op.Pointer, l.Reader.Pointer},
		}
	}
	if l.changes(op) {
		deriveUpdated(d, l, one(Updated, "what is sent is read", ShowsSent, Changes.Write(name), reads), one(Updated, "other values of all that it has are read", ShowsSent, ChangesAll.Write(name), reads))
		if op.Method == http.MethodPut && len(l.Optional(op)) > 1 {
			d.group(one(Replaced, "what is left out is not what it was", LeftOutIsNotKept,
				ChangesAll.Write(name), reads, LeavesOut.Write(name), reads, ChangesAll.Write(name), reads, LeavesOut.Write(name), reads))
		}
		if op.Method == http.MethodPatch {
			d.group(restCases(l.changeableAlone(op), func(member string) Case {
				return one(Rest, "what is not named stays: "+member+" is changed", RestIsAsItWas, ChangesMember.Write(op.ID, member), reads)
			})...)
		}
		if op.Body.JSON().IsMergePatch() {
			var all []Case
			for _, name := range l.nullable(op) {
				all = append(all, one(Merged, name+" is null", IsRemoved, Nulls.Write(op.ID, name), reads))
			}
			for _, name := range l.objects(op) {
				all = append(all, one(Merged, "a member in "+name+" is changed", InsideStays, ChangesInside.Write(op.ID, name), reads))
			}
			d.group(all[:min(len(all), 2*mostAlone)]...)
		}
		if slices.ContainsFunc(l.Names(), func(name string) bool { return l.Identifies(name) || resource.CreationTime(name, l.Member(name)) }) {
			d.group(one(ReadOnly, "its identifier and the time of its creation stay", SameIdentity, ChangesAll.Write(name), reads))
		}
		deriveReadOnly(d, l, one(ReadOnly, "", ReadOnlyIsAsItWas, Changes.Write(name), reads))
	}
	deriveUnchanged(d, one(Unchanged, "", NothingChanged, Changes.Write(name), reads))
}

// nullable returns the first members that a merge patch may remove: texts and numbers that may be null in it, and need not be there.
func (l life) nullable(op *spec.Operation) []string {
	var all []string
	for _, p := range l.Optional(op) {
		if slices.Contains(p.Schema.Types, "null") && len(p.Schema.Enum) == 0 && has(l.Settable(l.creates), p.Name) && len(all) < mostAlone {
			all = append(all, p.Name)
		}
	}
	return all
}

// objects returns the first members that are objects with several plain members, none of which a patch needs.
func (l life) objects(op *spec.Operation) []string {
	var all []string
	for _, p := range l.Settable(op) {
		if len(l.Inside(op, p.Name)) > 1 && len(l.Inside(l.creates, p.Name)) > 1 && len(all) < mostAlone {
			all = append(all, p.Name)
		}
	}
	return all
}

func has(all []spec.Property, name string) bool {
	return slices.ContainsFunc(all, func(p spec.Property) bool { return p.Name == name })
}

// mostAlone bounds how many members are changed alone.
const mostAlone = 3

// changeableAlone returns members that a request may change alone: first texts on which hardly anything depends.
// If there are others, the last of them is no name: a change of a name shows only when something else changes.
func (l life) changeableAlone(op *spec.Operation) []string {
	var texts, others []string
	for _, p := range l.Settable(op) {
		s := *p.Schema
		s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
		switch {
		case resource.FreeText(p.Schema):
			texts = append(texts, p.Name)
		case len(s.Enum) > 1, s.Simple() && (s.Type == "integer" || s.Type == "number"):
			others = append(others, p.Name)
		}
	}
	all := slices.Concat(texts[:min(len(texts), mostAlone-1)], others)
	return all[:min(len(all), mostAlone)]
}

// restCases returns a case for each member.
func restCases(members []string, of func(member string) Case) []Case {
	var all []Case
	for _, m := range members {
		all = append(all, of(m))
	}
	return all
}

// deriveUpdated adds that each allowed value that can be sent is read afterwards.
func deriveUpdated(d *deriver, l life, one, all Case) {
	d.group(all)
	values := []Case{one}
	known := map[string]bool{}
	for _, group := range d.groups {
		for _, c := range group {
			if len(values) >= mostValues {
				break
			}
			if (c.Kind != Accepted && c.Kind != Available) || !inBody(c.Change) || known[c.Change.Step()] || l.Identifies(memberOf(c.Change)) {
				continue
			}
			known[c.Change.Step()] = true
			next := one
			next.Title, next.Change = c.Title, c.Change
			values = append(values, next)
		}
	}
	d.group(values...)
}

// memberOf returns the member of a body that a change is about.
func memberOf(c Change) string {
	_, pointer, _ := strings.Cut(c.Before, InBody.Beginning())
	tokens := jsonpointer.Tokens(strings.Trim(strings.TrimSuffix(pointer, " is "), `"`))
	if len(tokens) == 0 {
		return ""
	}
	return tokens[0]
}

// deriveReadOnly adds other values of read-only members, if the body may have them.
func deriveReadOnly(d *deriver, l life, one Case) {
	media := d.op.Body.JSON()
	if media.Schema == nil {
		return
	}
	base := d.generate.Base(instance.Subject{Name: "the body", Edge: media.Edge, Examples: media.Examples})
	var all []Case
	for _, name := range l.Names() {
		s := l.Member(name)
		if inner := property(media.Schema, name, 0); inner != nil && inner.Schema != nil && inner.Schema.ReadOnly {
			s = inner.Schema
		}
		if s == nil || !s.ReadOnly || len(all) >= mostValues {
			continue
		}
		pointer := jsonpointer.Join("", name)
		for _, value := range Foreign() {
			changed, ok := replaced(base, pointer, value)
			if !ok || !d.options.Valid(s, value) || !d.options.Valid(media.Schema, changed) {
				continue
			}
			next := one
			next.Title, next.Change = name+" is sent with another value", changeOf(InBody, pointer, jsonText(value))
			all = append(all, next)
			break
		}
	}
	d.group(all...)
}

// Foreign returns values that a service does not come up with by itself, one of each form, for members that clients do not set.
func Foreign() []any {
	return []any{"hallmark-read-only", "2001-02-03T04:05:06Z", "2001-02-03", "0f6e2a4c-0000-4000-8000-27182818284f", json.Number("4503599627370999"), json.Number("536870977")}
}

// mostRefused bounds the faults of an operation after which it is checked whether something changed.
const mostRefused = 4

// deriveUnchanged adds that faults change nothing.
func deriveUnchanged(d *deriver, one Case) {
	var faults, strangers []Case
	for _, group := range d.groups {
		for _, c := range group {
			next := one
			next.Title, next.Change, next.First = c.Title, c.Change, c.First
			switch {
			case c.First != (Change{}):
			case c.Kind == CredentialMissing:
				strangers = append(strangers, next)
			case (c.Kind == PropertyValue || c.Kind == PropertyMissing || c.Kind == PropertyUnknown) && len(faults) < mostRefused && d.op.Method != http.MethodDelete &&
				(strings.HasPrefix(c.Change.Before, InBody.Beginning()) || c.Change.Before == NotInBody.Beginning()):
				if !slices.ContainsFunc(faults, func(f Case) bool { return f.Change.Before == c.Change.Before }) {
					faults = append(faults, next)
				}
			}
		}
	}
	d.group(strangers...)
	d.group(faults...)
}
