package derive

import (
	"slices"

	"hallmark/spec"
	"hallmark/spec/credential"
)

// eachKind returns a bad credential of each kind, the first one.
func eachKind() []credential.Wrong {
	seen := map[credential.Kind]bool{}
	return slices.DeleteFunc(credential.WrongTokens(), func(c credential.Wrong) bool {
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
	for _, c := range credential.WrongTokens() {
		m.add(testCase{kind: Kind(c.Kind), pointers: chain, title: "the credential is <credential>",
			given: []string{CredentialIs.Write("<credential>")}, then: refused, row: []exampleValue{{"credential", c.Words}}})
	}
	for _, w := range wrongRequests(m) {
		for _, c := range eachKind() {
			if w.missing && c.Kind != credential.Missing {
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
