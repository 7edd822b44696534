package promise

import (
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Kinds about entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13).
const (
	// NewTag: a changed resource has another ETag.
	NewTag Kind = "etag.changes"
	// NotModified: a read with the current ETag is answered 304. Modified: a read with an old one shows the resource.
	NotModified Kind = "etag.not-modified"
	Modified    Kind = "etag.modified"
	// Stale: a change for an old state is refused. CurrentTag: one for the current state is accepted.
	Stale      Kind = "etag.stale"
	CurrentTag Kind = "etag.current"
	// Unconditional: a change that names no state is refused if 428 is documented.
	Unconditional Kind = "etag.required"
	// Existing: a PUT that may only create does not replace an existing resource. Shown: a 304 shows the ETag.
	Existing Kind = "etag.existing"
	Shown    Kind = "etag.shown"
)

// tagKinds returns the kinds of promises about entity tags.
func tagKinds() []Kind {
	return []Kind{NewTag, NotModified, Modified, Stale, CurrentTag, Unconditional, Existing, Shown}
}

// Steps about conditional requests.
const (
	ReadsByTag      sentence.Sentence = "{name} reads it by the ETag that it has"
	ReadsByOldTag   sentence.Sentence = "{name} reads it by the ETag that it had before"
	ChangesByTag    sentence.Sentence = "{name} changes it by the ETag that it has"
	ChangesByOldTag sentence.Sentence = "{name} changes it by the ETag that it had before"
	DeletesByTag    sentence.Sentence = "{name} deletes it by the ETag that it has"
	DeletesByOldTag sentence.Sentence = "{name} deletes it by the ETag that it had before"
	CreatesOnly     sentence.Sentence = "{name} is to create it only where there is none"
)

// changer returns the operation that changes the resource of a life, or nil.
func (l life) changer() *spec.Operation {
	for _, op := range []*spec.Operation{l.Patcher, l.Replacer} {
		if op != nil && l.changes(op) {
			return op
		}
	}
	return nil
}

// tellsUnmodified reports whether a read documents 304 for a known ETag. A 304 alone may be for dates.
func tellsUnmodified(op *spec.Operation) bool {
	return exactly(op, http.StatusNotModified) != nil && (resource.Tagged(op) || resource.Condition(op, resource.IfNoneMatch) != nil)
}

// refusesStale reports whether a change documents that it respects If-Match: by the parameter, or by a 412 besides
// an ETag of the read. A 412 alone may be about anything.
func refusesStale(op *spec.Operation, l life) bool {
	return resource.Condition(op, resource.IfMatch) != nil || exactly(op, http.StatusPreconditionFailed) != nil && resource.Tagged(l.Reader)
}

// takesCurrent reports whether a change documents that it may name the ETag of the read, or has to. A change that has to name one is judged only
// where a * is accepted: otherwise it never succeeds.
func takesCurrent(op *spec.Operation, l life) bool {
	return resource.Condition(op, resource.IfMatch) != nil && resource.Tagged(l.Reader)
}

// demandsState reports whether a change requires If-Match, and only 428 says how it is refused without one. If
// more is said about refusals, If-Match is tested like other required parameters.
func demandsState(op *spec.Operation) bool {
	p := resource.Condition(op, resource.IfMatch)
	return p != nil && p.Required && exactly(op, http.StatusPreconditionRequired) != nil && !Refuses(op)
}

// createsOnly reports whether a PUT documents that it can be limited to creating: by If-None-Match, and 412 for an
// existing resource.
func createsOnly(op *spec.Operation, l life) bool {
	return op.Method == http.MethodPut && l.changes(op) && resource.Condition(op, resource.IfNoneMatch) != nil &&
		exactly(op, http.StatusPreconditionFailed) != nil && resource.Demands(op) == nil
}

// describeTags adds the inferred rules about entity tags.
func describeTags(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if demandsState(op) {
		d.addRule(Unconditional, false, op.ID+" rejects requests without the If-Match that it requires", resource.Condition(op, resource.IfMatch).Pointer, exactly(op, http.StatusPreconditionRequired).Pointer)
		d.source("inferred: it requires If-Match, and documents 428 (RFC 6585, section 3)")
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.Reader.ID == op.ID }); ok && tellsUnmodified(op) {
		infer(l, NotModified, op.ID+" answers 304 to an If-None-Match with the current ETag", "it documents 304 (RFC 9110, section 13.1.2)")
		if l.changer() != nil {
			infer(l, Modified, op.ID+" returns the changed resource to an If-None-Match with the ETag from before the change", "it documents 304 (RFC 9110, section 13.1.2)")
		}
		d.addRule(Shown, false, "A 304 of "+op.ID+" has an ETag if a 200 has one", exactly(op, http.StatusNotModified).Pointer)
		d.source("RFC 9110, section 15.4.5")
	}
	l, ok := firstLife(d.lives, func(l life) bool { return l.changing(op) })
	if !ok {
		return
	}
	if l.changes(op) && resource.Tagged(l.Reader) {
		infer(l, NewTag, "After a change by "+op.ID+", "+l.Reader.ID+" returns another ETag, unless its ETags are weak", "a strong ETag identifies one representation (RFC 9110, section 8.8.1)")
	}
	if refusesStale(op, l) && l.changer() != nil {
		infer(l, Stale, op.ID+" rejects a change whose If-Match is out of date", "If-Match prevents lost updates (RFC 9110, section 13.1.1)")
	}
	if createsOnly(op, l) {
		infer(l, Existing, op.ID+" does not replace an existing resource if the request has If-None-Match: *", "the condition is false for an existing resource (RFC 9110, section 13.1.2)")
	}
	if takesCurrent(op, l) {
		infer(l, CurrentTag, op.ID+" accepts a change whose If-Match is the ETag that "+l.Reader.ID+" returned", "the strong ETag in If-Match is the current one (RFC 9110, section 13.1.1)")
	}
}

// deriveTags adds scenarios about entity tags.
func deriveTags(d *deriver, lives []*life) {
	op, name := d.op, d.op.ID
	add := func(k Kind, l life, by *spec.Operation, title, then string, asks int, when ...string) {
		d.group(Case{
			Kind: k, Aspect: Lives, Title: title, Given: PlainRequest.Write(by.ID) + Succeeded, When: when, Then: []string{then}, Writes: true,
			Contract: []string{op.Pointer, l.Reader.Pointer}, Asks: asks,
		})
	}
	if demandsState(op) {
		p := resource.Condition(op, resource.IfMatch)
		d.group(Case{Kind: Unconditional, Aspect: Breaks, Title: p.Name + " is left out", Change: withoutParameter(*p), Contract: []string{p.Pointer}})
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Reader.ID == op.ID }); ok && tellsUnmodified(op) {
		add(NotModified, l, l.creates, "what has not changed is not sent again", IsNotModified, 2, Creates, Reads.Write(name), ReadsByTag.Write(name))
		add(Shown, l, l.creates, "who knows what has not changed is shown its ETag", TagIsShown, 2, Creates, Reads.Write(name), ReadsByTag.Write(name))
		if by := l.changer(); by != nil {
			add(Modified, l, by, "what has changed is sent to who knows it as it was", IsShownAsNow, 2,
				ToBeChanged, ChangesAll.Write(by.ID), Reads.Write(name), ReadsByOldTag.Write(name))
		}
	}
	l, ok := firstLife(lives, func(l life) bool { return l.changing(op) })
	if !ok {
		return
	}
	reads := Reads.Write(l.Reader.ID)
	if l.changes(op) && resource.Tagged(l.Reader) {
		add(NewTag, l, op, "what is changed has another ETag", HasAnotherTag, 1, ToBeChanged, ChangesAll.Write(name), reads)
	}
	byTag, byOldTag := ChangesByTag.Write(name), ChangesByOldTag.Write(name)
	if op.Method == http.MethodDelete {
		byTag, byOldTag = DeletesByTag.Write(name), DeletesByOldTag.Write(name)
	}
	if by := l.changer(); refusesStale(op, l) && by != nil {
		if l.changes(op) {
			by = op
		}
		before := []string{ToBeChanged, ChangesAll.Write(by.ID), reads, byOldTag}
		add(Stale, l, by, "an ETag of before is refused", OldTagRefused, 2, before...)
		add(Unchanged, l, by, "what an ETag of before is refused for is not done", NothingChanged, 3, append(before, reads)...)
	}
	if createsOnly(op, l) {
		when := []string{ToBeChanged, CreatesOnly.Write(name)}
		add(Existing, l, op, "what is there is not created", RefusedForThere, 1, when...)
		add(Unchanged, l, op, "what is there is not replaced", NothingChanged, 2, append(when, reads)...)
	}
	if takesCurrent(op, l) {
		add(CurrentTag, l, op, "the ETag that it has is taken", TagLetsIn, 2, ToBeChanged, byTag)
	}
}

// CurrentState is a placeholder in an If-Match or If-Unmodified-Since header of a plain request for the current
// state of the resource, which must be read before the request is sent.
const CurrentState = `"hallmark-current-state"`

// withCondition returns a request with a required conditional header. No state is made up for a request that is
// meant to succeed.
func withCondition(r request.Request, p spec.Parameter) request.Request {
	place := request.PlaceOf(p)
	reads := r.Operation.Method == http.MethodGet || r.Operation.Method == http.MethodHead
	switch {
	case demanded(r.Operation, p):
		return r.WithText(place, CurrentState)
	case !p.Required:
	case strings.EqualFold(p.Name, resource.IfNoneMatch) && reads:
		return r.WithText(place, `"hallmark-none"`)
	case strings.EqualFold(p.Name, resource.IfMatch), strings.EqualFold(p.Name, resource.IfNoneMatch):
		return r.WithText(place, "*")
	case strings.EqualFold(p.Name, resource.IfUnmodifiedSince):
		return r.WithText(place, "Fri, 31 Dec 9999 23:59:59 GMT")
	default:
		return r.WithText(place, "Thu, 01 Jan 1970 00:00:00 GMT")
	}
	return r
}

// byState returns further plain requests for when no other succeeds: with the state if the document does not
// require it, and with any state if it does.
func byState(r request.Request, o Options) []request.Request {
	p := resource.Condition(r.Operation, resource.IfMatch)
	if p == nil || r.Operation.Method == http.MethodGet || r.Operation.Method == http.MethodHead {
		return nil
	}
	if _, given := o.given.Parameter(r.Operation, *p); given {
		return nil
	}
	if !demanded(r.Operation, *p) {
		return []request.Request{r.WithText(request.PlaceOf(*p), CurrentState)}
	}
	if p.Schema != nil && !o.Valid(p.Schema, "*") {
		return nil
	}
	return []request.Request{r.WithText(request.PlaceOf(*p), "*")}
}

// demanded reports whether each request of an operation must name the state with a parameter.
func demanded(op *spec.Operation, p spec.Parameter) bool {
	d := resource.Demands(op)
	return d != nil && request.PlaceOf(*d) == request.PlaceOf(p)
}

// ignorable reports whether a service may ignore a wrong value of a header: RFC 9110, sections 13.1.3 to 13.1.5,
// requires ignoring invalid dates, and does not say what to do with an If-None-Match that is no list of entity
// tags.
func ignorable(p spec.Parameter) bool {
	return resource.IsCondition(p) && !strings.EqualFold(p.Name, resource.IfMatch)
}
