package scheme

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Lookup returns an environment variable.
type Lookup func(name string) (string, bool)

// get returns a variable without a trailing line end. An empty variable counts as not set.
func get(lookup Lookup, name string) string {
	value, _ := lookup(name)
	return strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
}

// Secret is the secret of a scheme.
type Secret struct {
	// Text is the secret as a single text: the key, the token, or "user:password"; for OAuth 2 a token, or "id:secret".
	Text string
	// User and Password are those of Basic, or of the OAuth 2 password grant.
	User, Password string
	// ClientID and ClientSecret are those of OAuth 2. A client without a secret is public.
	ClientID, ClientSecret string
	// TokenURL overrides the document's, and Scopes those of the operations.
	TokenURL string
	Scopes   []string
	// Login is the request that fetches a token.
	Login *Login
	// Variable is the environment variable that holds Text. Records show it in place of the secret, or [Variable] of the scheme if it is
	// empty.
	Variable string
	// Place says where the secret was found, for messages.
	Place string
}

// Role holds the secrets of one kind of user of the service.
type Role struct {
	// Secrets holds the secrets by scheme.
	Secrets map[string]Secret
	// Headers are sent to every operation that requires a credential, whatever its schemes. A header in the place of a scheme's credential
	// is the credential of that scheme.
	Headers []Header
	// Login, if set, fetches a token that is sent in the same way.
	Login *Login
}

// Header is a header with a secret value.
type Header struct{ Name, Value string }

// Sources says where the secrets of a role are found.
type Sources struct {
	// Role is what a file says about the role.
	Role Role
	// Key is the API key, which serves every scheme that takes a single secret and has none of its own. KeyPlace is where it was found.
	Key, KeyPlace string
	Lookup        Lookup
}

// KeyVariable is the environment variable of the API key.
const KeyVariable = "HALLMARK_API_KEY"

// Read returns the role with a secret for each scheme that has one: the file's, else that of the scheme's own variable, else the API key if
// it suits the scheme. The error says what is wrong and where it was found, without revealing a secret.
func Read(schemes []spec.Security, from Sources) (Role, error) {
	role := Role{Secrets: map[string]Secret{}, Headers: from.Role.Headers, Login: from.Role.Login}
	lacking := func(s spec.Security) bool {
		_, own := from.Role.Secrets[s.Name]
		return !own
	}
	if err := clash(schemes, lacking, from.Lookup); err != nil {
		return Role{}, err
	}
	var unfit error // why the first scheme that the API key was tried for does not accept it
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
	if unfit != nil && len(role.Secrets) == 0 { // it serves no scheme
		return Role{}, unfit
	}
	return role, nil
}

// fromEnvironment returns the secret of a scheme for which a file has none.
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

// check returns an error if a secret does not suit a scheme. The error reveals nothing of it.
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
			return errors.New("contains a control character, which Basic cannot carry")
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
			return errors.New("contains a character that cookies cannot carry")
		}
		return nil
	case isBearer(of):
		if err := credentials.CheckKey(s.Text); err != nil {
			return errors.New("contains a blank, a control character or a non-ASCII character, which bearer tokens cannot contain")
		}
		return nil
	}
	return checkHeaderValue(s.Text)
}

// checkHeaderValue returns an error if a text cannot be the value of a header.
func checkHeaderValue(value string) error {
	switch {
	case strings.ContainsFunc(value, isControl):
		return errors.New("contains a control character, which headers cannot carry")
	case strings.TrimSpace(value) != value:
		return errors.New("begins or ends with a blank, which headers do not preserve")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// pair returns the user and the password; ok reports whether the secret has them.
func (s Secret) pair() (user, password string, ok bool) {
	if s.Text != "" {
		return strings.Cut(s.Text, ":")
	}
	return s.User, s.Password, s.User != "" || s.Password != ""
}

// granted reports whether the secret is sent to a token endpoint instead of the service. Tokens contain no colon (RFC 6750, section 2.1),
// so a text with one is the client's id and secret, or a user and a password.
func (s Secret) granted(of spec.Security) bool {
	if s.Login != nil || !isBearer(of) {
		return false
	}
	if s.ClientID != "" || s.User != "" {
		return true
	}
	return isGranted(of) && strings.Contains(s.Text, ":")
}

// variable returns the environment variable that stands for the secret in records.
func (s Secret) variable(of spec.Security) string {
	if s.Variable != "" && s.Login == nil && !s.granted(of) {
		return s.Variable
	}
	return Variable(of.Name)
}
