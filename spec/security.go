package spec

import "strings"

// Requirement is one alternative for authorization: all of its credentials together. An empty one needs no credentials.
type Requirement []Security

// Names returns the names of the schemes: "key and token", or "" if no credential is required.
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
	// In and Key are the location ("header", "query", "cookie") and the name of the parameter for an API key.
	In, Key string
	// Flows are those of OAuth 2, OpenIDURL is the discovery URL of OpenID Connect.
	Flows     []Flow
	OpenIDURL string
	// Scopes are those that the operation requires.
	Scopes []string
	// Pointer is the place of the requirements ("/security" for those of the document), SchemePointer that of the scheme.
	Pointer, SchemePointer string
}

// Place returns where a request carries the credential ("header authorization", "query key"), or "" if the connection does.
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

// Carried returns how a request carries the credential: its place, and whether it is a user name with a password (RFC 7617) rather than a token.
func (s Security) Carried() string {
	if s.Type == "http" && s.Scheme == "basic" {
		return s.Place() + ", Basic"
	}
	return s.Place()
}

// Flow is an OAuth 2 flow for obtaining a token.
type Flow struct {
	// Kind is "implicit", "password", "clientCredentials", "authorizationCode" or "deviceAuthorization".
	Kind     string
	TokenURL string
	Scopes   []string
}

// Anonymous reports whether the operation accepts requests without credentials.
func (o *Operation) Anonymous() bool {
	for _, r := range o.Security {
		if len(r) == 0 {
			return true
		}
	}
	return len(o.Security) == 0
}

// StatesAnonymous reports whether the document explicitly states that the operation needs no credentials, by an empty list of its own or an
// empty alternative.
func (o *Operation) StatesAnonymous() bool {
	return o.Anonymous() && (o.StatesSecurity || len(o.Security) > 0)
}

// Credential returns the first credential of the first alternative, or nil if the operation needs none.
func (o *Operation) Credential() *Security {
	if o.Anonymous() {
		return nil
	}
	return &o.Security[0][0]
}
