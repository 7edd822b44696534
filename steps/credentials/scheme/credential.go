package scheme

import (
	"net/url"
	"slices"
	"strings"

	"hallmark/steps/client"
	"hallmark/steps/credentials"
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
	// Scheme is the name of the scheme that it is for; empty for what belongs to none.
	Scheme string
	// In is "header", "query" or "cookie".
	In, Name, Value string
	// Shown stands for the value in records: a text in which variables of the shell stand for secrets.
	Shown string
}

// shownInURL returns what stands for the value of a query parameter in records, escaped as the value is.
func (p Part) shownInURL() string {
	escaped := strings.ReplaceAll(url.QueryEscape(p.Value), "+", "%20")
	switch {
	case p.Shown == p.Value:
		return escaped
	case escaped == p.Value:
		return p.Shown
	}
	return `$(printf %s "` + p.Shown + `" | jq -sRr @uri)`
}

// same reports whether two parts are the same to a service.
func (p Part) same(o Part) bool {
	if p.In != o.In || p.Value != o.Value {
		return false
	}
	return p.Name == o.Name || p.In == InHeader && strings.EqualFold(p.Name, o.Name)
}

// Credential is what a request carries to be let in, or to be refused.
type Credential struct {
	Parts []Part
	// Words say what it is.
	Words string
	// Right reports whether it must be let in, Open that the document does not say.
	Right, Open bool

	role string
	// tokens are those that were fetched for it.
	tokens []fetched
}

// Carried returns the credential as scenarios send it.
func (c Credential) Carried() credentials.Credential {
	out := credentials.Credential{Words: c.Words, Right: c.Right, Open: c.Open}
	for _, p := range c.Parts {
		part := client.CredentialPart{In: p.In, Name: p.Name, Value: p.Value, Shown: p.Shown}
		if p.In == InQuery {
			part.Shown = p.shownInURL()
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// holds reports whether all of the parts are among those of the credential.
func (c Credential) holds(parts []Part) bool {
	for _, p := range parts {
		if !slices.ContainsFunc(c.Parts, p.same) {
			return false
		}
	}
	return true
}

// Impossible says why a credential cannot be made of these secrets.
type Impossible struct{ Reason string }

func (i Impossible) Error() string { return i.Reason }
