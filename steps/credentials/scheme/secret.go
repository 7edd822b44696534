package scheme

import (
	"errors"
	"fmt"
	"strings"

	"hallmark/spec"
	"hallmark/steps/credentials"
)

// Lookup returns a variable of the environment.
type Lookup func(name string) (string, bool)

// get returns a variable; one that is set to nothing is not set. The end of a line behind it is no part of it.
func get(lookup Lookup, name string) string {
	value, _ := lookup(name)
	return strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
}

// Secret is what opens a scheme.
type Secret struct {
	// Text is the secret as one text: the key, the token, or "user:password"; for OAuth 2 a token, or "id:secret".
	Text string
	// User and Password are those of Basic, or of the password grant of OAuth 2.
	User, Password string
	// ClientID and ClientSecret are those of OAuth 2. A client without a secret is a public one.
	ClientID, ClientSecret string
	// TokenURL replaces the document's, and Scopes those of the operations.
	TokenURL string
	Scopes   []string
	// Login is the request that fetches a token.
	Login *Login
	// Variable is the environment variable that holds Text. Records name it in the place of the secret; without one they name
	// [Variable] of the scheme.
	Variable string
	// Place says where the secret was found, for messages.
	Place string
}

// Role is the secrets of somebody who uses the service.
type Role struct {
	// Secrets are those of the schemes, by their names.
	Secrets map[string]Secret
	// Headers are sent where an operation demands a credential, whatever its schemes. One that stands where a scheme wants its
	// credential is the credential of that scheme.
	Headers []Header
	// Login fetches what is sent likewise; nil for none.
	Login *Login
}

// Header is a header with a secret value.
type Header struct{ Name, Value string }

// Sources are where the secrets of a role are found.
type Sources struct {
	// Role is what a file says of it.
	Role Role
	// Key is the API key, which serves every scheme that takes one secret and has none of its own; KeyPlace is where it was found.
	Key, KeyPlace string
	Lookup        Lookup
}

// KeyVariable is the environment variable of the API key.
const KeyVariable = "HALLMARK_API_KEY"

// Read returns the role with a secret for each scheme that has one: the file's, else that of the scheme's own variable, else
// the API key, unless that is nothing that the scheme takes. The error names what is wrong and where it was found, and holds no
// secret.
func Read(schemes []spec.Security, from Sources) (Role, error) {
	role := Role{Secrets: map[string]Secret{}, Headers: from.Role.Headers, Login: from.Role.Login}
	lacking := func(s spec.Security) bool {
		_, own := from.Role.Secrets[s.Name]
		return !own
	}
	if err := clash(schemes, lacking, from.Lookup); err != nil {
		return Role{}, err
	}
	var unfit error // why the first scheme that the API key was tried for does not take it
	for _, s := range schemes {
		secret, given := from.Role.Secrets[s.Name]
		if !given && takesSecret(s) {
			secret, given = fromEnvironment(s, from)
		}
		if !given {
			continue
		}
		if err := secret.check(s); err != nil {
			err = fmt.Errorf("%s: the secret of the scheme %q %w", secret.Place, s.Name, err)
			if secret.Variable != KeyVariable {
				return Role{}, err
			}
			if unfit == nil {
				unfit = err
			}
			continue
		}
		role.Secrets[s.Name] = secret
	}
	if unfit != nil && len(role.Secrets) == 0 { // it opens nothing
		return Role{}, unfit
	}
	return role, nil
}

// fromEnvironment returns the secret of a scheme that no file gives.
func fromEnvironment(s spec.Security, from Sources) (Secret, bool) {
	name := Variable(s.Name)
	if value := get(from.Lookup, name); value != "" {
		return Secret{Text: value, Variable: name, Place: name}, true
	}
	if from.Key != "" && !isBasic(s) && len(from.Role.Headers) == 0 && from.Role.Login == nil {
		return Secret{Text: from.Key, Variable: KeyVariable, Place: from.KeyPlace}, true
	}
	return Secret{}, false
}

// check says what is wrong with a secret for a scheme. It shows nothing of it.
func (s Secret) check(of spec.Security) error {
	user, password, pair := s.pair()
	switch {
	case of.Type == "mutualTLS":
		return errors.New("is not used: it takes a certificate; give it with --client-cert")
	case s.Login != nil:
		return s.Login.check()
	case isBasic(of):
		switch {
		case !pair:
			return errors.New("has no colon; write user:password")
		case user == "" && password == "":
			return errors.New("is empty; write user:password")
		case strings.ContainsFunc(user+password, isControl):
			return errors.New("holds a control character, which Basic cannot carry")
		case strings.Contains(user, ":"):
			return errors.New("has a colon in the user's name, which Basic cannot carry")
		}
		return nil
	case s.granted(of):
		_, err := grantOf(of, nil, s)
		return err
	case s.Text == "":
		return errors.New("is empty")
	case of.Type == "apiKey" && of.In == "query":
		return nil
	case of.Type == "apiKey" && of.In == "cookie":
		if strings.ContainsFunc(s.Text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
			return errors.New("holds a character that no cookie can carry")
		}
		return nil
	case isBearer(of):
		if err := credentials.CheckKey(s.Text); err != nil {
			return errors.New("holds a blank, a control character or a character outside ASCII, which no bearer token holds")
		}
		return nil
	}
	return checkHeaderValue(s.Text)
}

// checkHeaderValue says what keeps a text from being the value of a header.
func checkHeaderValue(value string) error {
	switch {
	case strings.ContainsFunc(value, isControl):
		return errors.New("holds a control character, which no header can carry")
	case strings.TrimSpace(value) != value:
		return errors.New("begins or ends with a blank, which no header keeps")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// pair returns the user and the password; ok reports whether there are any.
func (s Secret) pair() (user, password string, ok bool) {
	if s.Text != "" {
		return strings.Cut(s.Text, ":")
	}
	return s.User, s.Password, s.User != "" || s.Password != ""
}

// granted reports whether the secret is sent to a token endpoint, and not to the service. A token holds no colon (RFC 6750,
// section 2.1), so that a text with one is the client's id and secret, or a user and a password.
func (s Secret) granted(of spec.Security) bool {
	if s.Login != nil || !isBearer(of) {
		return false
	}
	if s.ClientID != "" || s.User != "" {
		return true
	}
	return isGranted(of) && strings.Contains(s.Text, ":")
}

// variable returns the environment variable by which records name the secret.
func (s Secret) variable(of spec.Security) string {
	if s.Variable != "" && s.Login == nil && !s.granted(of) {
		return s.Variable
	}
	return Variable(of.Name)
}
