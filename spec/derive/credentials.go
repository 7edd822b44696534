package derive

import (
	"slices"

	"hallmark/spec"
)

// Credential is a way of presenting a credential that the step "the credential is <words>" knows.
type Credential struct {
	Kind  Kind
	Words string
	// Once marks a further variation of its kind. It is tried beside a plain request of each operation, but not again and
	// again.
	Once bool
}

// Words of credentials that carry the right key as Basic (RFC 7617) carries a user and a password, or as they are.
const (
	RightUnderBasic = "the right key under another scheme"
	RightAsUser     = "the right key as the user of Basic"
	RightAsPassword = "the right key as the password of Basic"
)

// Credentials returns all ways that must be refused; the right one is "right".
func Credentials() []Credential { return slices.Clone(wrong) }

// wrong are the ways that must be refused.
var wrong = allWrong()

func allWrong() []Credential {
	all := []Credential{
		{Kind: CredentialMissing, Words: "missing"},
		{Kind: CredentialEmpty, Words: "an empty bearer token"},
		{Kind: CredentialScheme, Words: "of another scheme"},
		{Kind: CredentialScheme, Words: RightUnderBasic},
		{Kind: CredentialScheme, Words: RightAsUser},
		{Kind: CredentialScheme, Words: RightAsPassword},
		{Kind: CredentialRandom, Words: "a random key"},
		{Kind: CredentialPrefix, Words: "the right key without its last character"},
		{Kind: CredentialPrefix, Words: "the first half of the right key"},
		{Kind: CredentialAppended, Words: "the right key with a character added"},
		{Kind: CredentialAppended, Words: "the right key given twice without a gap"},
		{Kind: CredentialCase, Words: "the right key with its case swapped"},
		{Kind: CredentialAltered, Words: "a random key of the right key's length"},
		{Kind: CredentialAltered, Words: "the right key with its first character changed"},
		{Kind: CredentialAltered, Words: "the right key with its middle character changed"},
		{Kind: CredentialAltered, Words: "the right key backwards"},
	}
	for _, scheme := range otherSchemes() {
		all = append(all, Credential{Kind: CredentialScheme, Words: UnderScheme + scheme, Once: true})
	}
	return append(all,
		Credential{Kind: CredentialPrefix, Words: "the right key without its first character", Once: true},
		Credential{Kind: CredentialAppended, Words: "the right key with a character put before it", Once: true},
		Credential{Kind: CredentialAltered, Words: "the right key with a last character that sorts after it", Once: true},
		Credential{Kind: CredentialAltered, Words: "the right key with a last character that sorts before it", Once: true},
		Credential{Kind: CredentialAltered, Words: "the right key with a first character that sorts after it", Once: true},
		Credential{Kind: CredentialAltered, Words: "the right key with a first character that sorts before it", Once: true},
	)
}

// UnderScheme begins the words of the right key under a scheme that follows them.
const UnderScheme = "the right key under the scheme "

// otherSchemes returns schemes that a careless comparison takes for Bearer. They sort before and after it, at its length,
// shorter and longer; some differ in one letter, some are a part of it or hold it. None is Bearer when case is ignored.
func otherSchemes() []string {
	return []string{"Aearer", "Zearer", "Beareq", "Beares", "Bear", "Bearers", "XBearer", "Digest", "Negotiate"}
}

// RepeatedCredentials returns the bad credentials that are worth asking again and again.
func RepeatedCredentials() []Credential {
	return slices.DeleteFunc(Credentials(), func(c Credential) bool { return c.Once })
}

// eachKind returns a bad credential of each kind, the first one.
func eachKind() []Credential {
	seen := map[Kind]bool{}
	return slices.DeleteFunc(Credentials(), func(c Credential) bool {
		again := seen[c.Kind]
		seen[c.Kind] = true
		return again
	})
}

// wrongRequest is a request that is wrong in a way of its own, whatever the credential.
type wrongRequest struct {
	title string
	given []string
	call  string
	// missing leaves the other bad credentials out: what is looked at before all credentials shows without one.
	missing bool
}

// credentials makes the cases of an operation's security: every bad credential beside a plain request, and one of each kind beside
// requests that are wrong in another way too.
func credentials(m *maker) {
	if m.op.Anonymous() || !m.documents(401) {
		return
	}
	security := m.op.Credential()
	chain := []string{security.Pointer, security.SchemePointer}
	refused := []string{statusIs(401)}
	if m.success() != nil && isCallable(m.op) {
		m.add(testCase{kind: CredentialRight, pointers: chain, title: "the credential is right",
			given: []string{CredentialIs.Write("right")}, then: []string{statusIs(m.success().Status)}})
	}
	for _, c := range Credentials() {
		m.add(testCase{kind: c.Kind, pointers: chain, title: "the credential is <credential>",
			given: []string{CredentialIs.Write("<credential>")}, then: refused, row: []exampleValue{{"credential", c.Words}}})
	}
	for _, w := range wrongRequests(m) {
		for _, c := range eachKind() {
			if w.missing && c.Kind != CredentialMissing {
				continue
			}
			given := append([]string{CredentialIs.Write("<credential>")}, w.given...)
			m.add(testCase{kind: CredentialFirst, pointers: chain, title: w.title + ", the credential is <credential>",
				given: given, call: w.call, then: refused, row: []exampleValue{{"credential", c.Words}}})
		}
	}
}

// isCallable reports whether the operation can be called without a value that only another response can give.
func isCallable(op spec.Operation) bool {
	for _, p := range op.Parameters {
		if p.In == "path" {
			return false
		}
	}
	return true
}

// wrongRequests returns requests that break the contract in one other way each.
func wrongRequests(m *maker) []wrongRequest {
	var out []wrongRequest
	for _, p := range m.op.Parameters {
		if p.In == "path" {
			out = append(out, wrongRequest{title: p.Name + " belongs to nothing", call: m.op.ID + " is called with an unknown " + p.Name})
			if p.Schema.Type == "integer" {
				out = append(out, wrongRequest{title: p.Name + " is a word", call: m.called(p.Name + " abc")})
			}
			continue
		}
		for _, bad := range append(outside(p.Schema), notMembers(p.Schema)...) {
			if bad.text != "" {
				out = append(out, wrongRequest{title: p.Name + " is " + bad.is, call: m.called(p.Name + " " + bare(bad.text))})
				break
			}
		}
	}
	if b := m.op.Body; b != nil {
		out = append(out, wrongRequest{title: "there is no body", given: []string{NoBody}},
			wrongRequest{title: "the body is called text/plain", given: []string{ContentTypeIs.Write("text/plain")}, missing: true},
			wrongRequest{title: "there is no Content-Type", given: []string{ContentTypeIs.Write("absent")}, missing: true},
			wrongRequest{title: "the body is cut short", given: []string{PlainBody + "cut short"}})
		for _, p := range b.Properties() {
			if p.Required {
				out = append(out, wrongRequest{title: p.Name + " is left out", given: []string{WithoutMember.Write(p.Name)}})
				break
			}
		}
	}
	return out
}
