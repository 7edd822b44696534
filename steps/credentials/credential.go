package credentials

import (
	"hallmark/steps/client"
)

// Credential is what a request carries to be let in.
type Credential struct {
	// Header is the value of the Authorization header; Present reports whether it is sent at all.
	Header  string
	Present bool
	// Shown stands for the header's value in records: an expression of the shell where the key is a part of it.
	Shown string
	// Query is a key that is sent in the query instead, with the name of the parameter.
	Query string
	// Parts are what carries the credentials of a contract's security schemes instead; see package scheme.
	Parts []client.CredentialPart
	// Words says what it is.
	Words string
	// Right reports whether it must be let in, Open that the interface does not say.
	Right, Open bool
}

// Client returns the credential as package client sends it.
func (c Credential) Client() client.Credential {
	return client.Credential{Header: c.Header, Present: c.Present, Shown: c.Shown, Query: c.Query, Parts: c.Parts}
}

// Right returns the credential of the right key.
func Right(key string) Credential {
	return Credential{Header: "Bearer " + key, Present: true, Shown: "Bearer " + client.KeyVariable, Words: "right", Right: true}
}

// Impossible says why a kind of credential cannot be made of this key.
type Impossible struct{ Reason string }

func (i Impossible) Error() string { return i.Reason }
