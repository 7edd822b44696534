package promise

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"hallmark/spec"
)

// Kind is a kind of promise. It ends the ids of rules, behind the operation ("listPets.success").
type Kind string

// What holds for every response of an operation.
const (
	// Available: no server error that is not documented, for a request that keeps the contract.
	Available Kind = "no-server-error"
	// Success: a 2xx status is documented.
	Success Kind = "success"
	// Documented: another status than a success is documented; a should, since documents need not list every error.
	Documented Kind = "documented"
	// MediaType, Body and Headers: what comes with the status is as documented.
	MediaType Kind = "media-type"
	Body      Kind = "body"
	// ErrorMediaType: an error is of a documented media type, where a document can only name those of all responses at once; a should.
	ErrorMediaType Kind = "error-media-type"
	Headers        Kind = "headers"
	// Robust: no server error for a request that breaks the contract; a should.
	Robust Kind = "robust"
	// WriteOnly: a property that is only to be written is not shown; a should.
	WriteOnly Kind = "write-only"
	// Challenge: a 401 says how to be let in; a should. Location: a 201 says where; a should.
	Challenge Kind = "challenge"
	Location  Kind = "location"
	// Deprecation: what succeeds by an operation that is deprecated says so; a should.
	Deprecation Kind = "deprecation"
	// UniqueNames: no object of a JSON text has a member twice; a should.
	UniqueNames Kind = "unique-names"
	// Problem: the status in problem details is that of the response; a should.
	Problem Kind = "problem-details"
)

// What only some requests put to the test.
const (
	// Accepted: what differs from a request that succeeded in another allowed value only is not refused.
	Accepted Kind = "accepted"
	// ParameterMissing and the next: what differs from a request that succeeded in one fault is refused.
	ParameterMissing Kind = "refused.parameter-missing"
	ParameterValue   Kind = "refused.parameter"
	BodyMissing      Kind = "refused.body-missing"
	BodyMalformed    Kind = "refused.body-malformed"
	// BodyExtended: a body that only a reader with extensions takes for JSON is refused; a should, for RFC 8259 allows extensions.
	BodyExtended     Kind = "refused.body-extended"
	BodyType         Kind = "refused.body-type"
	PropertyMissing  Kind = "refused.property-missing"
	PropertyValue    Kind = "refused.property"
	PropertyUnknown  Kind = "refused.property-unknown"
	MediaTypeRefused Kind = "refused.media-type"
	// PartHeader: a part without a header that it must have, or with one that its schema does not allow, is refused.
	PartHeader Kind = "refused.part-header"
	// CredentialMissing and CredentialWrong: no access without the credential that the contract asks for.
	CredentialMissing Kind = "credential.missing"
	CredentialWrong   Kind = "credential.wrong"
	// CredentialAccepted: access by each alternative of the credentials that the contract asks for.
	CredentialAccepted Kind = "credential.accepted"
	// CredentialIgnored: a wrong credential changes nothing where the contract says that none is needed.
	CredentialIgnored Kind = "credential.ignored"
	// OtherScheme: no access with a credential of a scheme that the contract names for other operations only; inferred, for a document
	// need not list all that a service takes.
	OtherScheme Kind = "credential.other-scheme"
	// Scope: no access for somebody whose token lacks a scope that the contract asks for.
	Scope Kind = "credential.scope"
	// NotFound: an identifier that cannot exist.
	NotFound Kind = "not-found"
	// Link: a documented link leads where it says.
	Link Kind = "link"
	// MethodNotAllowed: a method that the path lacks is answered 405 with Allow; a should.
	MethodNotAllowed Kind = "method-not-allowed"
	// Refusal: what refuses a fault is a documented status; a should.
	Refusal Kind = "refused.documented"
	// Head: HEAD in the place of a GET that succeeds is no server error; a should.
	Head Kind = "head"
)

// Kinds returns all kinds of promises.
func Kinds() []Kind {
	return append(stateKinds(), []Kind{
		Available, Success, Documented, MediaType, ErrorMediaType, Body, Headers, Robust, WriteOnly, Challenge, Location, Accepted, ParameterMissing, ParameterValue,
		BodyMissing, BodyMalformed, BodyExtended, BodyType, PropertyMissing, PropertyValue, PropertyUnknown, PartHeader, MediaTypeRefused, CredentialMissing, CredentialWrong, CredentialAccepted, CredentialIgnored, Scope,
		NotFound, Link, MethodNotAllowed, UniqueNames, Problem, Refusal, Head, Deprecation,
	}...)
}

// Base returns the kind itself where its name goes on with that of a link.
func (k Kind) Base() Kind {
	if strings.HasPrefix(string(k), string(Link)+".") {
		return Link
	}
	return k
}

// Names are what operations are called in the ids of rules and the names of files.
type Names map[string]string

// NamesOf returns a name for each operation: the letters, digits, hyphens and underscores of its id, with a hyphen for
// whatever lies between them. Where that would give two operations one name, those whose ids hold other characters get an
// ending that tells them apart.
func NamesOf(operations []spec.Operation) Names {
	plain, count := Names{}, map[string]int{}
	for _, op := range operations {
		plain[op.ID] = slug(op.ID)
		count[strings.ToLower(plain[op.ID])]++ // file names may not tell case apart
	}
	names := Names{}
	for id, name := range plain {
		if count[strings.ToLower(name)] > 1 && name != id || name == "" {
			name = strings.TrimPrefix(fmt.Sprintf("%s-%04x", name, checksum(id)), "-")
		}
		names[id] = name
	}
	return names
}

func slug(id string) string {
	var b strings.Builder
	gap := false
	for _, r := range id {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// checksum is 16 bits of a text.
func checksum(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) & 0xffff }

// Rule returns the id of the rule of an operation and a kind.
func (n Names) Rule(operation string, k Kind) string { return n[operation] + "." + string(k) }

// level is that of a kind of rule.
func (k Kind) level() spec.Level {
	if slices.Contains([]Kind{Documented, Robust, BodyExtended, ErrorMediaType, WriteOnly, Challenge, Location, MethodNotAllowed, UniqueNames, Problem, Refusal, Head, Deprecation, Shown}, k) {
		return spec.Should
	}
	if k.Inferred() {
		return spec.Inferred
	}
	return spec.Must
}
