package spec

import "strings"

// Requirement is one way to be let in: all of its credentials together. An empty one lets anybody in.
type Requirement []Security

// Names names the schemes of a requirement: "key and token"; it is empty where no credential is asked for.
func (r Requirement) Names() string {
	names := make([]string, len(r))
	for i, s := range r {
		names[i] = s.Name
	}
	return strings.Join(names, " and ")
}

// Security is one credential of a requirement.
type Security struct {
	// Name is the scheme's name in the document.
	Name string
	// Type is "apiKey", "http", "oauth2", "openIdConnect" or "mutualTLS".
	Type string
	// Scheme is the HTTP authentication scheme in lower case ("bearer").
	Scheme string
	// In and Key are the place ("header", "query", "cookie") and the name of the parameter that carries an API key.
	In, Key string
	// Flows are those of OAuth 2, OpenIDURL is where OpenID Connect is discovered.
	Flows     []Flow
	OpenIDURL string
	// Scopes are those that the operation asks for.
	Scopes []string
	// Pointer is that of the requirements ("/security" when the document's own are in force),
	// SchemePointer that of the scheme.
	Pointer, SchemePointer string
}

// Place returns where a request carries the credential ("header authorization", "query key"); empty for what the connection carries.
func (s Security) Place() string {
	switch {
	case s.Type == "mutualTLS":
		return ""
	case s.Type != "apiKey":
		return "header authorization"
	case s.In == "header":
		return "header " + strings.ToLower(s.Key)
	}
	return s.In + " " + s.Key
}

// Carried returns how a request carries the credential: its place, and whether as a name with a password (RFC 7617), which no token is.
func (s Security) Carried() string {
	if s.Type == "http" && s.Scheme == "basic" {
		return s.Place() + ", Basic"
	}
	return s.Place()
}

// Flow is a way of OAuth 2 to come by a token.
type Flow struct {
	// Kind is "implicit", "password", "clientCredentials", "authorizationCode" or "deviceAuthorization".
	Kind     string
	TokenURL string
	Scopes   []string
}

// Anonymous reports whether the operation lets anybody in.
func (o *Operation) Anonymous() bool {
	for _, r := range o.Security {
		if len(r) == 0 {
			return true
		}
	}
	return len(o.Security) == 0
}

// StatesAnonymous reports whether the document says of the operation that it needs no credential: by an empty list of its own, or by an empty
// alternative.
func (o *Operation) StatesAnonymous() bool {
	return o.Anonymous() && (o.StatesSecurity || len(o.Security) > 0)
}

// Credential returns the first credential of the first way to be let in; nil when the operation lets anybody in.
func (o *Operation) Credential() *Security {
	if o.Anonymous() {
		return nil
	}
	return &o.Security[0][0]
}
