package scheme

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// The places of a part.
const (
	InHeader = "header"
	InQuery  = "query"
	InCookie = "cookie"
)

const authorization = "Authorization"

// Part is one header, query parameter or cookie of a request.
type Part struct {
	// Scheme is the name of the scheme that it is for, or empty.
	Scheme string
	// In is "header", "query" or "cookie".
	In, Name, Value string
	// Shown replaces the value in records: a text with shell variables in place of secrets.
	Shown string
}

// same reports whether two parts are equal to a service.
func (p Part) same(o Part) bool {
	if p.In != o.In || p.Value != o.Value {
		return false
	}
	return p.Name == o.Name || p.In == InHeader && strings.EqualFold(p.Name, o.Name)
}

// Credential is what a request carries to be accepted or rejected.
type Credential struct {
	Parts []Part
	// Words describes the credential.
	Words string
	// Right reports whether it must be accepted, Open whether the document does not say.
	Right, Open bool

	role string
	// tokens holds the tokens fetched for it.
	tokens []fetched
}

// Carried returns the credential in the form that scenarios send.
func (c Credential) Carried() credentials.Credential {
	out := credentials.Credential{Words: c.Words, Right: c.Right, Open: c.Open}
	for _, p := range c.Parts {
		part := client.CredentialPart{In: p.In, Name: p.Name, Value: p.Value, Shown: p.Shown}
		if p.In == InQuery {
			part.Shown = client.ShownInURL(p.Value, p.Shown)
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// holds reports whether the credential has all of the parts.
func (c Credential) holds(parts []Part) bool {
	for _, p := range parts {
		if !slices.ContainsFunc(c.Parts, p.same) {
			return false
		}
	}
	return true
}

// Impossible says why a credential cannot be made with these secrets.
type Impossible struct{ Reason string }

func (i Impossible) Error() string { return i.Reason }
