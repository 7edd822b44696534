package promise

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// Words for what a rule is broken by, by which rules of a file may cover a part of it. The words for wrong credentials are those of their
// cases; see [spec.PartsOf].
const (
	// PartMissing is a body that is not there, PartUnreadable one that cannot be parsed.
	PartMissing    = "missing"
	PartUnreadable = "unreadable"
	// PartPlain is a plain request, PartUnknown one that names what does not exist, PartUnclear one that some accept and others refuse.
	PartPlain   = "plain"
	PartUnknown = "unknown"
	PartUnclear = "unclear"
	// PartLeftOut is something that may be left out.
	PartLeftOut = "left-out"
	// PartNull is a value that is null.
	PartNull = "null"
	// PartSunset is the header of that name.
	PartSunset = "sunset"
	// PartComplete is what a list has to show.
	PartComplete = "complete"
	// PartEcho is the response to the request that sent a value.
	PartEcho = "echo"
	// PartDefault is a limit that is left out, PartDefaultSame how many items that shows.
	PartDefault     = "default"
	PartDefaultSame = "default-same"
	// PartRight is the right credential, which is accepted.
	PartRight = "credential-right"
	// PartUnauthorized is what is refused for its credential.
	PartUnauthorized = "unauthorized"
	// PartNotAllowed is a value that the contract does not allow.
	PartNotAllowed = "not-allowed"
	// PartSometimes is what is broken by some of several equal requests.
	PartSometimes = "sometimes"
)

// OfCredential returns the kind of promise that a request with the credential of those words tests, and its part; both are empty if the
// operation does not have to reject such a credential.
func OfCredential(op *spec.Operation, words string) (Kind, string) {
	for _, c := range credential.WrongFor(op) {
		if c.Words == words {
			return ofCredential(c.Kind), string(c.Kind)
		}
	}
	return "", ""
}

func ofCredential(k credential.Flaw) Kind {
	if k == credential.Missing {
		return CredentialMissing
	}
	return CredentialWrong
}

// part returns the word for requests of an aspect; empty for none.
func (a Aspect) part() string {
	return map[Aspect]string{Keeps: PartPlain, Unknown: PartUnknown, Unclear: PartUnclear}[a]
}

// PartsOfRequest returns what a request is about that differs from one that succeeded, if there is one: a word for its aspect, and the places
// of the contract in which the two differ.
func PartsOfRequest(aspect Aspect, was, is *request.Request) []string {
	parts := []string{aspect.part()}
	if was == nil || is == nil || is.Operation == nil {
		return parts
	}
	for _, p := range is.Operation.Parameters {
		before, had := was.Value(request.PlaceOf(p))
		now, has := is.Value(request.PlaceOf(p))
		if had && has && sameText(before, now) || !had && !has {
			continue
		}
		if !has {
			parts = append(parts, PartLeftOut)
		}
		parts = append(parts, p.Pointer)
	}
	return append(parts, partsOfBody(was, is)...)
}

// partsOfBody returns the places of the members in which two JSON bodies differ.
func partsOfBody(was, is *request.Request) []string {
	b := is.Operation.Body
	if b == nil || b.JSON() == nil || b.JSON().Schema == nil {
		return nil
	}
	before, _, _ := was.Body()
	now, _, _ := is.Body()
	old, one := before.(map[string]any)
	changed, other := now.(map[string]any)
	if !one || !other {
		return nil
	}
	var parts []string
	for _, p := range b.JSON().Schema.Properties {
		v, had := old[p.Name]
		w, has := changed[p.Name]
		if had && has && sameText(v, w) || !had && !has || p.Schema == nil {
			continue
		}
		if !has {
			parts = append(parts, PartLeftOut)
		}
		parts = append(parts, PlacesOfMember(b.JSON().Schema, p)...)
	}
	return parts
}

// PlacesOfMember returns the places of a member in the contract, from the outside in.
func PlacesOfMember(s *spec.Schema, p spec.Property) []string {
	places := []string{jsonpointer.Join(s.Pointer, "properties", p.Name)}
	if p.Schema != nil && p.Schema.Pointer != places[0] {
		places = append(places, p.Schema.Pointer)
	}
	return places
}
