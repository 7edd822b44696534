package credentials

import (
	"github.com/hallmark-kit/hallmark/steps/client"
)

// Credential is the credential of a request.
type Credential struct {
	// Header is the value of the Authorization header; Present reports whether it is sent at all.
	Header  string
	Present bool
	// Shown replaces the header's value in records: a shell expression if the key is a part of it.
	Shown string
	// Parts carry the credentials of a contract's security schemes instead; see package scheme.
	Parts []client.CredentialPart
	// Words describes the credential.
	Words string
	// Right reports whether it must be accepted, Open whether the interface leaves that open.
	Right, Open bool
}

// KeyVariable replaces the key in records and curl commands.
const KeyVariable = "$HALLMARK_API_KEY"

// Client returns the credential as package client sends it.
func (c Credential) Client() client.Credential {
	return client.Credential{Header: c.Header, Present: c.Present, Shown: c.Shown, Parts: c.Parts}
}

// Right returns the credential with the right key.
func Right(key string) Credential {
	return Credential{Header: "Bearer " + key, Present: true, Shown: "Bearer " + KeyVariable, Words: "right", Right: true}
}

// Impossible says why a kind of credential cannot be made from this key.
type Impossible struct{ Reason string }

func (i Impossible) Error() string { return i.Reason }
