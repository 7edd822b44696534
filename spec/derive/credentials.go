package derive

// Credential is a way of presenting a credential that the step "the credential is <words>" knows.
type Credential struct {
	Kind  Kind
	Words string
}

// Credentials lists all ways that must be refused; the right one is "right".
func Credentials() []Credential {
	return []Credential{
		{CredentialMissing, "missing"},
		{CredentialEmpty, "an empty bearer token"},
		{CredentialScheme, "of another scheme"},
		{CredentialScheme, "the right key under another scheme"},
		{CredentialScheme, "the right key as the user of Basic"},
		{CredentialScheme, "the right key as the password of Basic"},
		{CredentialRandom, "a random key"},
		{CredentialPrefix, "the right key without its last character"},
		{CredentialPrefix, "the first half of the right key"},
		{CredentialAppended, "the right key with a character added"},
		{CredentialAppended, "the right key given twice without a gap"},
		{CredentialCase, "the right key with its case swapped"},
		{CredentialAltered, "a random key of the right key's length"},
		{CredentialAltered, "the right key with its first character changed"},
		{CredentialAltered, "the right key with its middle character changed"},
		{CredentialAltered, "the right key backwards"},
	}
}

// wrong is a request that is wrong in a way of its own, whatever the credential.
type wrong struct{ title, given, call string }

// credentials makes the cases of the operation's security: every bad credential beside a plain request, and beside
// requests that are wrong in another way too.
func (m *maker) credentials() {
	if len(m.op.Security) == 0 || !m.documents(401) {
		return
	}
	security := m.op.Security[0]
	chain := []string{security.Pointer, security.SchemePointer}
	refused := []string{answerIs(401)}
	if m.success() != nil && m.plainlyCallable() {
		m.add(testCase{kind: CredentialRight, pointers: chain, title: "the credential is right",
			given: []string{"the credential is right"}, then: []string{answerIs(m.success().Status)}})
	}
	for _, c := range Credentials() {
		m.add(testCase{kind: c.Kind, pointers: chain, title: "the credential is <credential>",
			given: []string{"the credential is <credential>"}, then: refused, row: []cell{{"credential", c.Words}}})
	}
	for _, w := range m.wrongs() {
		for _, c := range Credentials() {
			given := []string{"the credential is <credential>"}
			if w.given != "" {
				given = append(given, w.given)
			}
			m.add(testCase{kind: CredentialFirst, pointers: chain, title: w.title + ", the credential is <credential>",
				given: given, call: w.call, then: refused, row: []cell{{"credential", c.Words}}})
		}
	}
}

// plainlyCallable tells whether the operation can be called without a value that only another answer can give.
func (m *maker) plainlyCallable() bool {
	for _, p := range m.op.Parameters {
		if p.In == "path" {
			return false
		}
	}
	return true
}

// wrongs gives requests that break the contract in one other way each.
func (m *maker) wrongs() []wrong {
	var out []wrong
	for _, p := range m.op.Parameters {
		if p.In == "path" {
			out = append(out, wrong{title: p.Name + " belongs to nothing", call: m.op.ID + " is called with an unknown " + p.Name})
			if p.Schema.Type == "integer" {
				out = append(out, wrong{title: p.Name + " is a word", call: m.called(p.Name + " abc")})
			}
			continue
		}
		for _, bad := range append(outside(p.Schema), notMembers(p.Schema)...) {
			if bad.text != "" {
				out = append(out, wrong{title: p.Name + " is " + bad.is, call: m.called(p.Name + " " + bare(bad.text))})
				break
			}
		}
	}
	if b := m.op.Body; b != nil {
		out = append(out, wrong{title: "there is no body", given: "there is no body"},
			wrong{title: "the body is cut short", given: "a plain body cut short"})
		for _, p := range b.Schema.Properties {
			if p.Required {
				out = append(out, wrong{title: p.Name + " is left out", given: "a plain body without " + p.Name})
				break
			}
		}
	}
	return out
}
