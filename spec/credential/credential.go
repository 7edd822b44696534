// Package credential names the credentials that scenarios present, and which of them an operation must refuse. Making one takes a
// secret: see hallmark/steps/credentials.
package credential

// Flaw says in which way a credential is wrong. Rules of a file name kinds as the parts that they cover.
type Flaw string

// The kinds of wrong credentials.
const (
	Missing  Flaw = "credential-missing"
	Empty    Flaw = "credential-empty"
	Scheme   Flaw = "credential-scheme"
	Random   Flaw = "credential-random"
	Prefix   Flaw = "credential-prefix"
	Appended Flaw = "credential-appended"
	Case     Flaw = "credential-case"
	Altered  Flaw = "credential-altered"
)

// Wrong is a way of presenting a credential that the step "the credential is <words>" knows.
type Wrong struct {
	Kind  Flaw
	Words string
}

// Words of credentials that carry the right key as Basic (RFC 7617) carries a user and a password, or as they are.
const (
	RightUnderBasic = "the right key under another scheme"
	RightAsUser     = "the right key as the user of Basic"
	RightAsPassword = "the right key as the password of Basic"
)

// WrongTokens returns all ways that must be refused; the right one is "right".
func WrongTokens() []Wrong {
	all := []Wrong{
		{Kind: Missing, Words: "missing"},
		{Kind: Empty, Words: "an empty bearer token"},
		{Kind: Scheme, Words: "of another scheme"},
		{Kind: Scheme, Words: RightUnderBasic},
		{Kind: Scheme, Words: RightAsUser},
		{Kind: Scheme, Words: RightAsPassword},
		{Kind: Random, Words: "a random key"},
		{Kind: Prefix, Words: "the right key without its last character"},
		{Kind: Prefix, Words: "the first half of the right key"},
		{Kind: Appended, Words: "the right key with a character added"},
		{Kind: Appended, Words: "the right key given twice without a gap"},
		{Kind: Case, Words: "the right key with its case swapped"},
		{Kind: Altered, Words: "a random key of the right key's length"},
		{Kind: Altered, Words: "the right key with its first character changed"},
		{Kind: Altered, Words: "the right key with its middle character changed"},
		{Kind: Altered, Words: "the right key backwards"},
	}
	for _, scheme := range otherSchemes() {
		all = append(all, Wrong{Kind: Scheme, Words: UnderScheme + scheme})
	}
	return append(all,
		Wrong{Kind: Prefix, Words: "the right key without its first character"},
		Wrong{Kind: Appended, Words: "the right key with a character put before it"},
		Wrong{Kind: Altered, Words: "the right key with a last character that sorts after it"},
		Wrong{Kind: Altered, Words: "the right key with a last character that sorts before it"},
		Wrong{Kind: Altered, Words: "the right key with a first character that sorts after it"},
		Wrong{Kind: Altered, Words: "the right key with a first character that sorts before it"},
	)
}

// UnderScheme begins the words of the right key under a scheme that follows them.
const UnderScheme = "the right key under the scheme "

// otherSchemes returns schemes that a careless comparison takes for Bearer. They sort before and after it, at its length,
// shorter and longer; some differ in one letter, some are a part of it or hold it. None is Bearer when case is ignored.
func otherSchemes() []string {
	return []string{"Aearer", "Zearer", "Beareq", "Beares", "Bear", "Bearers", "XBearer", "Digest", "Negotiate"}
}
