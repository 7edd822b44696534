package credential

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Words of wrong credentials that belong to one type of scheme. Those of a bearer token are the words of [WrongTokens].
const (
	EmptyKey         = "an empty key"
	EmptyBasic       = "empty Basic credentials"
	RandomPair       = "a random user with a random password"
	WrongPassword    = "the right user with another password"
	WrongUser        = "the right password with another user"
	WithoutPassword  = "the right user without a password"
	WithoutUser      = "the right password without a user"
	PairAsBearer     = "the right pair as a bearer token"
	PasswordShorter  = "the right user with the password without its last character"
	PasswordLonger   = "the right user with a character added to the password"
	PasswordSwapped  = "the right user with the case of the password swapped"
	PasswordReplaced = "the right user with the last character of the password changed"
	KeyElsewhere     = "the right key in another place"
	KeyRenamed       = "the right key under another name"
	TokenLowerCase   = "the right key under bearer in lower case"
	TokenBare        = "the right key without a scheme"
	TokenInQuery     = "the right key in the query"
)

// Words of credentials that are right elsewhere.
const (
	// OfScheme is the right credential of a scheme, whose name follows, that the operation does not name.
	OfScheme = "the right one of the scheme "
	// OfAlternative is the right credential of one of the alternatives that an operation lists, whose schemes follow.
	OfAlternative = "the right one of the alternative "
	// NoCredential is none at all, where an operation demands none.
	NoCredential = "missing"
	// RandomOfScheme is a made-up credential of a scheme, whose name follows.
	RandomOfScheme = "a random one of the scheme "
	// WithoutScope is the right credential of somebody whose scopes, as the configuration declares them, lack one that the operation asks for.
	WithoutScope = "that of a role without the scope"
)

// ForScheme joins the words of a credential with the name of the scheme that they are about, where there are several.
const ForScheme = " for "

// WrongFor returns the wrong credentials that an operation must refuse, by the schemes that it names: none where it
// lets anybody in. Where it names several schemes, the words name the one that they are about.
func WrongFor(op *spec.Operation) []Wrong {
	if op.Anonymous() {
		return nil
	}
	schemes, together := schemesOf(op)
	all := []Wrong{{Kind: Missing, Words: NoCredential}}
	if len(schemes) == 1 && schemes[0].Type == "mutualTLS" {
		return nil // a certificate belongs to the connection, not to a request
	}
	for _, s := range schemes {
		add := func(c Wrong) {
			if len(schemes) > 1 {
				c.Words += ForScheme + s.Name
			}
			all = append(all, c)
		}
		if together[s.Name] && s.Type != "mutualTLS" {
			add(Wrong{Kind: Missing, Words: NoCredential})
		}
		for _, c := range wrongCredentials(s) {
			if !acrossSchemes(c, schemes) {
				add(c)
			}
		}
	}
	return all
}

// Guessable reports whether a credential of a scheme can be made up by its document alone: a request carries it, and its form is known.
func Guessable(s spec.Security) bool {
	switch s.Type {
	case "apiKey", "oauth2", "openIdConnect":
		return true
	}
	return s.Type == "http" && (s.Scheme == "basic" || s.Scheme == "bearer")
}

// acrossSchemes reports whether a credential is the right token as Basic carries a user and a password, or the reverse, where an operation
// takes both: many services take the same secret in either.
func acrossSchemes(c Wrong, schemes []spec.Security) bool {
	if !slices.Contains([]string{RightUnderBasic, RightAsUser, RightAsPassword, PairAsBearer}, c.Words) {
		return false
	}
	return slices.ContainsFunc(schemes, func(one spec.Security) bool {
		return slices.ContainsFunc(schemes, func(other spec.Security) bool {
			return one.Place() == other.Place() && one.Carried() != other.Carried()
		})
	})
}

// OpenFor returns credentials of which a document does not say whether they are let in: the right API key or token, but
// not where or as the document wants it.
func OpenFor(op *spec.Operation) []Wrong {
	if op.Anonymous() {
		return nil
	}
	var all []Wrong
	schemes, _ := schemesOf(op)
	for _, s := range schemes {
		var open []string
		switch {
		case s.Type == "apiKey":
			open = []string{KeyElsewhere, KeyRenamed}
		case s.Type == "http" && s.Scheme == "bearer":
			open = []string{TokenLowerCase, TokenBare, TokenInQuery}
		}
		for _, words := range open {
			if len(schemes) > 1 {
				words += ForScheme + s.Name
			}
			all = append(all, Wrong{Kind: Scheme, Words: words})
		}
	}
	return all
}

// schemesOf returns the schemes that an operation names, each once, and which of them are asked for beside others.
func schemesOf(op *spec.Operation) (schemes []spec.Security, together map[string]bool) {
	together = map[string]bool{}
	for _, requirement := range op.Security {
		for _, s := range requirement {
			if !slices.ContainsFunc(schemes, func(o spec.Security) bool { return o.Name == s.Name }) {
				schemes = append(schemes, s)
			}
			together[s.Name] = together[s.Name] || len(requirement) > 1
		}
	}
	return schemes, together
}

// wrongCredentials returns the wrong credentials of one scheme.
func wrongCredentials(s spec.Security) []Wrong {
	switch {
	case s.Type == "mutualTLS":
		return nil
	case s.Type == "http" && s.Scheme == "basic":
		return []Wrong{
			{Kind: Empty, Words: EmptyBasic},
			{Kind: Random, Words: RandomPair},
			{Kind: Altered, Words: WrongPassword},
			{Kind: Altered, Words: WrongUser},
			{Kind: Empty, Words: WithoutPassword},
			{Kind: Empty, Words: WithoutUser},
			{Kind: Scheme, Words: PairAsBearer},
			{Kind: Prefix, Words: PasswordShorter},
			{Kind: Appended, Words: PasswordLonger},
			{Kind: Case, Words: PasswordSwapped},
			{Kind: Altered, Words: PasswordReplaced},
		}
	case s.Type == "apiKey", s.Type == "http" && s.Scheme != "bearer":
		all := []Wrong{{Kind: Empty, Words: EmptyKey}}
		for _, c := range WrongTokens() {
			switch c.Kind {
			case Missing, Empty, Scheme:
			default:
				all = append(all, c)
			}
		}
		return all
	}
	all := WrongTokens()
	return slices.DeleteFunc(all, func(c Wrong) bool { return c.Kind == Missing })
}
