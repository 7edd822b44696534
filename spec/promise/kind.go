package promise

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Kind is a kind of promise. Rule ids end with it, after the operation ("listPets.success").
type Kind string

// Kinds that hold for every response of an operation.
const (
	// Available: no undocumented server error in response to a valid request.
	Available Kind = "no-server-error"
	// Success: a 2xx status is documented.
	Success Kind = "success"
	// Documented: a status other than a success is documented; a should, since documents need not list every error.
	Documented Kind = "documented"
	// MediaType, Body and Headers: the media type, body and headers are as documented for the status.
	MediaType Kind = "media-type"
	Body      Kind = "body"
	// ErrorMediaType: an error has a documented media type, in documents that can only list those of all responses
	// together; a should.
	ErrorMediaType Kind = "error-media-type"
	Headers        Kind = "headers"
	// Robust: no server error in response to an invalid request; a should.
	Robust Kind = "robust"
	// WriteOnly: a write-only property is not shown; a should.
	WriteOnly Kind = "write-only"
	// Challenge: a 401 says how to authenticate; a should. Location: a 201 has a Location; a should.
	Challenge Kind = "challenge"
	Location  Kind = "location"
	// Deprecation: successes of a deprecated operation say that it is deprecated; a should.
	Deprecation Kind = "deprecation"
	// UniqueNames: no JSON object has duplicate member names; a should.
	UniqueNames Kind = "unique-names"
	// Problem: the status in problem details is that of the response; a should.
	Problem Kind = "problem-details"
)

// Kinds that only some requests test.
const (
	// Accepted: a request that differs from a successful one only in another allowed value is not refused.
	Accepted Kind = "accepted"
	// ParameterMissing and the next: a request that differs from a successful one in one fault is refused.
	ParameterMissing Kind = "refused.parameter-missing"
	ParameterValue   Kind = "refused.parameter"
	BodyMissing      Kind = "refused.body-missing"
	BodyMalformed    Kind = "refused.body-malformed"
	// BodyExtended: a body that only parsers with extensions accept as JSON is refused; a should, since RFC 8259
	// allows extensions.
	BodyExtended    Kind = "refused.body-extended"
	BodyType        Kind = "refused.body-type"
	PropertyMissing Kind = "refused.property-missing"
	PropertyValue   Kind = "refused.property"
	PropertyUnknown Kind = "refused.property-unknown"
	// Reversed: a body whose range ends before it begins, where a sentence says that it may not.
	Reversed         Kind = "refused.range"
	MediaTypeRefused Kind = "refused.media-type"
	// PartHeader: a part that lacks a required header, or has one that violates its schema, is refused.
	PartHeader Kind = "refused.part-header"
	// CredentialMissing and CredentialWrong: no access without the required credential.
	CredentialMissing Kind = "credential.missing"
	CredentialWrong   Kind = "credential.wrong"
	// CredentialAccepted: access with each alternative of the required credentials.
	CredentialAccepted Kind = "credential.accepted"
	// CredentialIgnored: a wrong credential changes nothing if the contract says that none is needed.
	CredentialIgnored Kind = "credential.ignored"
	// OtherScheme: no access with a credential of a scheme that the contract names for other operations only;
	// inferred, since a document need not list everything that a service accepts.
	OtherScheme Kind = "credential.other-scheme"
	// Scope: no access if the token lacks a required scope.
	Scope Kind = "credential.scope"
	// NotFound: an identifier that cannot exist is not found.
	NotFound Kind = "not-found"
	// Link: a documented link leads where it says.
	Link Kind = "link"
	// MethodNotAllowed: a method that the path lacks is answered 405 with Allow; a should.
	MethodNotAllowed Kind = "method-not-allowed"
	// Refusal: a fault is refused with a documented status; a should.
	Refusal Kind = "refused.documented"
	// Head: HEAD instead of a successful GET causes no server error; a should.
	Head Kind = "head"
)

// Kinds returns all kinds of promises.
func Kinds() []Kind {
	return append(stateKinds(), []Kind{
		Available, Success, Documented, MediaType, ErrorMediaType, Body, Headers, Robust, WriteOnly, Challenge, Location, Accepted, ParameterMissing, ParameterValue,
		BodyMissing, BodyMalformed, BodyExtended, BodyType, PropertyMissing, PropertyValue, PropertyUnknown, Reversed, PartHeader, MediaTypeRefused, CredentialMissing, CredentialWrong, CredentialAccepted, CredentialIgnored, Scope,
		NotFound, Link, MethodNotAllowed, UniqueNames, Problem, Refusal, Head, Deprecation,
	}...)
}

// Base returns the kind without the name of a link.
func (k Kind) Base() Kind {
	if strings.HasPrefix(string(k), string(Link)+".") {
		return Link
	}
	return k
}

// Names maps operation ids to their names in rule ids and file names.
type Names map[string]string

// NamesOf returns a name for each operation: the letters, digits, hyphens and underscores of its id, with a hyphen
// for everything else between them. If two operations would have the same name, those whose ids hold other
// characters get a distinguishing suffix.
func NamesOf(operations []spec.Operation) Names {
	plain, count := Names{}, map[string]int{}
	for _, op := range operations {
		plain[op.ID] = slug(op.ID)
		count[strings.ToLower(plain[op.ID])]++ // file names may be case-insensitive
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

// checksum returns 16 bits of the checksum of a text.
func checksum(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) & 0xffff }

// Kind returns the kind of the rule of an operation; false where the id is not that of one of its rules.
func (n Names) Kind(operation, rule string) (Kind, bool) {
	kind, ok := strings.CutPrefix(rule, n[operation]+".")
	return Kind(kind), ok
}

// Rule returns the id of the rule of an operation and a kind.
func (n Names) Rule(operation string, k Kind) string { return n[operation] + "." + string(k) }

// level returns the level of rules of a kind.
func (k Kind) level() spec.Level {
	if slices.Contains([]Kind{Documented, Robust, BodyExtended, ErrorMediaType, WriteOnly, Challenge, Location, MethodNotAllowed, UniqueNames, Problem, Refusal, Head, Deprecation, Shown}, k) {
		return spec.Should
	}
	if k.Inferred() {
		return spec.Inferred
	}
	return spec.Must
}
