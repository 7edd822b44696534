package options

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/authfile"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// Keyring returns the credentials of roles for the security schemes that operations name. Secrets come from the role in hallmark.yaml, then
// from the target, then from the schemes' variables, and last from the API key, which may be empty. The role without a name is that of the
// target itself. Keyring sends nothing; the client is used later to fetch tokens.
func (s *Settings) Keyring(env *cli.Env, operations []spec.Operation, base string, key scheme.Secret, client *http.Client, certificate bool, names ...string) (*scheme.Keyring, error) {
	schemes := scheme.All(operations)
	roles := map[string]scheme.Role{}
	for _, name := range names {
		role, err := s.role(env, name)
		if err != nil {
			return nil, err
		}
		if roles[name], err = scheme.Read(schemes, scheme.Sources{Role: role, Key: key.Text, KeyPlace: key.Place, Lookup: env.Lookup}); err != nil {
			return nil, err
		}
		for _, secret := range roles[name].Secrets {
			if secret.Variable == KeyVariable && key.Place != KeyVariable {
				continue // the target's own
			}
			if err := s.checkRoute(secret.Variable); err != nil {
				return nil, err
			}
		}
	}
	for name, role := range s.otherRoles(env, names) {
		read, err := scheme.Read(schemes, scheme.Sources{Role: role, Key: key.Text, KeyPlace: key.Place, Lookup: env.Lookup})
		for _, secret := range read.Secrets {
			if err == nil && (secret.Variable != KeyVariable || key.Place == KeyVariable) {
				err = s.checkRoute(secret.Variable)
			}
		}
		if err == nil {
			roles[name] = read
		}
	}
	return scheme.New(scheme.Config{Schemes: schemes, Roles: roles, BaseURL: base, Client: client, Certificate: certificate}), nil
}

// WarnCredentials warns about variables that look like secrets of schemes but belong to none that the operations name. Variables that
// hallmark.yaml refers to may have any name.
func (s *Settings) WarnCredentials(env *cli.Env, operations []spec.Operation, environ []string) {
	var names []string
	file := s.text()
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if value != "" && !strings.Contains(file, name) {
			names = append(names, name)
		}
	}
	for _, sentence := range scheme.Unread(scheme.All(operations), names) {
		fmt.Fprintf(env.Stderr, "hallmark: warning: %s\n", sentence)
	}
}

// otherRoles returns the roles of the target that are not named and whose secrets are all available. Scenarios compare their permissions;
// roles without their secrets are left out.
func (s *Settings) otherRoles(env *cli.Env, named []string) map[string]scheme.Role {
	all := map[string]scheme.Role{}
	if s.Target == nil {
		return all
	}
	for name := range s.Target.Roles {
		if slices.Contains(named, name) {
			continue
		}
		if role, err := s.role(env, name); err == nil {
			all[name] = role
		}
	}
	return all
}

// role returns a role from hallmark.yaml. A secret for a scheme that the contract lacks is read as well, since a target may be judged by
// several contracts.
func (s *Settings) role(env *cli.Env, name string) (scheme.Role, error) {
	role := scheme.Role{Secrets: map[string]scheme.Secret{}}
	switch {
	case s.Target == nil && s.authFile == "" && name != "":
		return role, fmt.Errorf("--role %s: there are no roles: hallmark.yaml names some for a target (roles), and --auth-file a file with users", text.Visible(name))
	case s.Target == nil && s.authFile == "":
		return role, nil
	case s.Target == nil, s.Target.Roles[name] == nil && (name != "" || s.authFile != "" && len(s.Target.Credentials) == 0):
		return s.user(name)
	}
	all, err := s.Target.Role(name)
	if err != nil {
		return role, err
	}
	for _, c := range all {
		if err := s.checkCredentialRoute(c); err != nil {
			return role, err
		}
		if role.Secrets[c.Scheme], err = s.secretOf(env, c); err != nil {
			return role, err
		}
	}
	return role, nil
}

// user returns a role from the WebFuzzing Commons file; the first one if name is empty.
func (s *Settings) user(name string) (scheme.Role, error) {
	var known []string
	if s.Target != nil {
		known = slices.Sorted(maps.Keys(s.Target.Roles))
	}
	if s.authFile != "" {
		if err := s.checkAuthFileRoute(); err != nil {
			return scheme.Role{}, err
		}
		file := "--" + authFileFlag + " " + text.Visible(s.authFile)
		if from := s.origin(authFileFlag); from != fromFlag {
			file = from + ": " + authFileFlag + ": " + text.Visible(s.authFile)
		}
		users, err := authfile.Load(s.authFile)
		if err != nil {
			return scheme.Role{}, fmt.Errorf("%s: %w", file, cli.Bare(err))
		}
		for _, u := range users {
			if u.Name == name || name == "" {
				return u.Role, nil
			}
			known = append(known, u.Name)
		}
		if name == "" {
			return scheme.Role{}, fmt.Errorf("%s: the file names no user", file)
		}
	}
	return scheme.Role{}, noRole(name, known)
}

// noRole returns an error for an unknown role that lists the existing ones.
func noRole(name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("--role %s: there is no such role; the target has none, and no --auth-file is given", text.Visible(name))
	}
	for i := range known {
		known[i] = text.Visible(known[i])
	}
	there := "the only role is " + known[0]
	if len(known) > 1 {
		there = "the roles are " + text.Enumerate(known, "and")
	}
	if near := cli.Nearest(name, known); near != "" {
		there = "did you mean " + near + "? " + strings.ToUpper(there[:1]) + there[1:]
	}
	return fmt.Errorf("--role %s: there is no such role; %s", text.Visible(name), there)
}

// checkAuthFileRoute prevents sending the secrets of a file that the user named to an address from a hallmark.yaml that was only found in a
// parent folder.
func (s *Settings) checkAuthFileRoute() error {
	if !s.above || !s.given[authFileFlag] {
		return nil
	}
	for _, flag := range keyRoute() {
		if setting, there := s.Target.Settings[flag]; there && !s.given[flag] {
			return s.routeError(setting.Line, flag, "what --"+authFileFlag+" holds")
		}
	}
	return nil
}

// secretOf reads the secret of a scheme from the place given in hallmark.yaml.
func (s *Settings) secretOf(env *cli.Env, c config.Credential) (scheme.Secret, error) {
	out := scheme.Secret{User: c.User, ClientID: c.ClientID, TokenURL: c.TokenURL, Scopes: c.Scopes, Place: s.file.At(c.Line)}
	of := "credentials." + c.Scheme
	for _, part := range []struct {
		from *config.Source
		name string
		to   *string
	}{
		{c.Secret, "", &out.Text},
		{c.UserFrom, ".user", &out.User},
		{c.Password, ".password", &out.Password},
		{c.ClientFrom, ".client-id", &out.ClientID},
		{c.ClientSecret, ".client-secret", &out.ClientSecret},
	} {
		if part.from == nil {
			continue
		}
		var err error
		if *part.to, err = s.found(env, part.from, of+part.name); err != nil {
			return out, err
		}
	}
	if c.Login == nil {
		return out, nil
	}
	var err error
	out.Login, err = s.loginOf(env, c.Login, of+".login")
	return out, err
}

// found reads a secret that must exist.
func (s *Settings) found(env *cli.Env, from *config.Source, of string) (string, error) {
	p := source(s, from, of)
	value, err := secret(env, p)
	switch {
	case err != nil:
		return "", err
	case value == "" && p.file != "":
		return "", fmt.Errorf("%s: the file is empty; it must hold the secret", p.named)
	case value == "":
		return "", fmt.Errorf("%s: the environment has no %s; set it to the secret", p.named, p.variable)
	}
	return value, nil
}

// loginOf returns a log-in with its secrets.
func (s *Settings) loginOf(env *cli.Env, l *config.Login, of string) (*scheme.Login, error) {
	out := &scheme.Login{
		Method: l.Method, URL: l.Path, Body: l.Body, ContentType: l.ContentType, Pointer: l.Token, Header: l.TokenHeader, Cookie: l.TokenCookie,
		Lifetime: l.Lifetime, Expires: l.ExpiresIn,
	}
	for _, name := range l.Variables {
		out.Secrets = append(out.Secrets, env.Getenv(name))
	}
	var err error
	if l.BodyFrom != nil {
		if out.Body, err = s.found(env, l.BodyFrom, of+".body"); err != nil {
			return nil, err
		}
	}
	for _, h := range l.Headers {
		header := scheme.Header{Name: http.CanonicalHeaderKey(h.Name), Value: h.Value}
		if h.From != nil {
			if header.Value, err = s.found(env, h.From, of+".headers."+h.Name); err != nil {
				return nil, err
			}
		}
		header.Value = strings.TrimSpace(header.Value)
		out.Headers = append(out.Headers, header)
	}
	return out, nil
}

// isOurs reports whether a variable belongs to the user whatever a file says: the API key, or the secret of a scheme.
func isOurs(variable string) bool {
	return variable == KeyVariable || strings.HasPrefix(variable, scheme.VariablePrefix)
}

// checkRoute prevents sending a secret from the environment to an address from a hallmark.yaml that was only found in a parent folder.
func (s *Settings) checkRoute(variable string) error {
	if !s.above || !isOurs(variable) {
		return nil
	}
	for _, flag := range keyRoute() {
		if setting, there := s.Target.Settings[flag]; there && !s.given[flag] {
			return s.routeError(setting.Line, flag, variable)
		}
	}
	return nil
}

// checkCredentialRoute does the same for secrets that a file sends to an address of its own.
func (s *Settings) checkCredentialRoute(c config.Credential) error {
	if !s.above {
		return nil
	}
	var variables []string
	for _, source := range c.Sources() {
		variables = append(variables, source.Env)
	}
	if c.Login != nil {
		variables = append(variables, c.Login.Variables...)
	}
	for _, name := range variables {
		if !isOurs(name) {
			continue
		}
		if c.Login != nil || c.TokenURL != "" {
			return s.routeError(c.Line, "credentials."+text.Visible(c.Scheme), name)
		}
		if err := s.checkRoute(name); err != nil {
			return err
		}
	}
	return nil
}

// routeError returns the error for a file that must not decide where a secret is sent.
func (s *Settings) routeError(line int, what, variable string) error {
	hint := "add --config " + text.ShellQuote(s.file.Name)
	if s.Target.Name != "" && variable == KeyVariable {
		hint += ", or give the target " + text.Visible(s.Target.Name) + " an api-key of its own"
	}
	return fmt.Errorf("%s: %s: a file in a parent folder must not decide where %s is sent; %s", s.file.At(line), what, variable, hint)
}
