package scheme_test

import (
	"errors"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// of returns a keyring with one operation's schemes and those of others, and secrets by their schemes' names.
func of(roles map[string]map[string]scheme.Secret, all ...*spec.Operation) *scheme.Keyring {
	c := scheme.Config{Roles: map[string]scheme.Role{}}
	var operations []spec.Operation
	for _, op := range all {
		operations = append(operations, *op)
	}
	c.Schemes = scheme.All(operations)
	for name, secrets := range roles {
		c.Roles[name] = scheme.Role{Secrets: secrets}
	}
	return scheme.New(c)
}

func TestCredentialsOfOtherSchemes(t *testing.T) {
	asked := operation(spec.Requirement{header})
	for name, c := range map[string]struct {
		other   spec.Security
		secrets map[string]scheme.Secret
		want    string
	}{
		"another place":          {bearer, map[string]scheme.Secret{"app-key": {Text: "key-1"}, "jwt": {Text: "token-1"}}, "Bearer token-1"},
		"a pair":                 {basic, map[string]scheme.Secret{"app-key": {Text: "key-1"}, "login": {Text: "u:p"}}, "Basic dTpw"},
		"the same secret":        {bearer, map[string]scheme.Secret{"app-key": {Text: "key-1"}, "jwt": {Text: "key-1"}}, ""},
		"no secret of its own":   {bearer, map[string]scheme.Secret{"app-key": {Text: "key-1"}}, ""},
		"the same place":         {spec.Security{Name: "jwt", Type: "apiKey", In: "header", Key: "x-app-key"}, map[string]scheme.Secret{"app-key": {Text: "key-1"}, "jwt": {Text: "key-2"}}, ""},
		"a certificate is shown": {mutual, map[string]scheme.Secret{"app-key": {Text: "key-1"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := of(map[string]map[string]scheme.Secret{"": c.secrets}, asked, operation(spec.Requirement{c.other}))
			made, err := k.Make(t.Context(), asked, "", credential.OfScheme+c.other.Name)
			if c.want == "" {
				if !errors.As(err, new(scheme.Impossible)) {
					t.Errorf("%+v, %v", made, err)
				}
				return
			}
			if err != nil || len(made.Parts) != 1 || made.Parts[0].Value != c.want || made.Right {
				t.Errorf("%+v, %v, want %s", made, err, c.want)
			}
		})
	}
}

func TestCredentialsWithoutScopes(t *testing.T) {
	token := func(text string, scopes ...string) scheme.Secret { return scheme.Secret{Text: text, Scopes: scopes} }
	asks := func(scopes ...string) spec.Requirement {
		s := oauth
		s.Scopes = scopes
		return spec.Requirement{s}
	}
	for name, c := range map[string]struct {
		op    *spec.Operation
		other scheme.Secret
		made  bool
	}{
		"it lacks the scope":                {operation(asks("loans:write")), token("b", "loans:read"), true},
		"it has one of two":                 {operation(asks("loans:read", "fines:read")), token("b", "loans:read"), true},
		"it has the scope":                  {operation(asks("loans:write")), token("b", "loans:write"), false},
		"nobody says what it has":           {operation(asks("loans:write")), token("b"), false},
		"its scope may include the other":   {operation(asks("loans:write")), token("b", "loans"), false},
		"it rules":                          {operation(asks("loans:write")), token("b", "library_admin"), false},
		"it may write, which may read, too": {operation(asks("loans:read")), token("b", "fines:write"), false},
		"a part of the name":                {operation(asks("read:user")), token("b", "user"), false},
		"another alternative lets it in":    {operation(asks("loans:write"), asks("loans:read")), token("b", "loans:read"), false},
		"it lacks both alternatives":        {operation(asks("loans:write"), asks("fines:write")), token("b", "loans:read"), true},
		"it is the token of the run":        {operation(asks("loans:write")), token("a", "loans:read"), false},
	} {
		t.Run(name, func(t *testing.T) {
			k := of(map[string]map[string]scheme.Secret{"": {"oauth": token("a", "loans:read", "loans:write")}, "other": {"oauth": c.other}}, c.op)
			made, err := k.Make(t.Context(), c.op, "", credential.WithoutScope)
			if c.made != (err == nil) || err != nil && !errors.As(err, new(scheme.Impossible)) {
				t.Errorf("%+v, %v", made, err)
			}
			if c.made && made.Parts[0].Value != "Bearer b" {
				t.Errorf("it is %s", made.Parts[0].Value)
			}
		})
	}
}
