package config

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pb33f/go-yaml"
)

// Credential is where the secret of a security scheme is found, or how one is fetched.
type Credential struct {
	// Scheme is the name of the scheme in the contract.
	Scheme string
	Line   int
	// Secret is the place of a key, of a token or of "user:password"; nil if the parts below are used.
	Secret *Source
	// User and ClientID may be written in the file; a password and a client's secret may not.
	User, ClientID         string
	UserFrom, ClientFrom   *Source
	Password, ClientSecret *Source
	TokenURL               string
	Scopes                 []string
	Login                  *Login

	missing []Problem
}

// Login is a request that logs somebody in.
type Login struct {
	Method, Path, ContentType string
	Headers                   []Header
	Body                      string
	BodyFrom                  *Source
	// Token is the JSON Pointer of the token in the response; alternatively TokenHeader or TokenCookie names where it
	// is.
	Token, TokenHeader, TokenCookie string
	// Lifetime is how long the token is valid; or ExpiresIn is the JSON Pointer of the number of seconds.
	Lifetime  time.Duration
	ExpiresIn string
	// Variables are the environment variables in the path and in the body.
	Variables []string
}

// The keys of a credential and of a log-in, in the order in which messages list them.
func credentialNames() []string {
	return []string{"env", "file", "user", "password", "client-id", "client-secret", "token-url", "scopes", loginKey}
}

func loginNames() []string {
	return []string{"method", "path", "headers", "body", "content-type", "token", "token-header", "token-cookie", "lifetime", "expires-in"}
}

const loginKey = "login"

// headerName matches the names that a header may have. A log-in may send headers that are otherwise reserved for
// the suite.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// credentials reads the secrets of schemes, by the schemes' names.
func (r *reader) credentials(of string, n *yaml.Node) []Credential {
	var all []Credential
	for _, e := range r.entries(of, n) {
		if c, ok := r.credential(of+"."+e.name, e); ok {
			all = append(all, c)
		}
	}
	return all
}

// roles reads named sets of credentials.
func (r *reader) roles(e entry) map[string][]Credential {
	all := map[string][]Credential{}
	for _, role := range r.entries(rolesKey, e.value) {
		if role.name == "" {
			r.report(role.key, "roles: a role needs a name")
			continue
		}
		all[role.name] = r.credentials(rolesKey+"."+role.name, role.value)
	}
	return all
}

// credential reads one credential. A value where only a place is allowed is not shown: it may be the secret.
func (r *reader) credential(of string, e entry) (Credential, bool) {
	c := Credential{Scheme: e.name, Line: e.key.Line}
	known := credentialNames()
	if e.value.Kind != yaml.MappingNode {
		r.report(e.value, "%s: do not write a secret into a file that is shared; write {env: NAME}, {file: PATH}, or keys such as user and password", of)
		return c, false
	}
	before := len(r.problems.all)
	place := entry{name: e.name, key: e.key, value: &yaml.Node{Kind: yaml.MappingNode, Line: e.value.Line, Column: e.value.Column}}
	given := map[string]bool{}
	for _, part := range r.entries(of, e.value) {
		given[part.name] = true
		at := of + "." + part.name
		switch part.name {
		case "env", "file":
			place.value.Content = append(place.value.Content, part.key, part.value)
		case "user":
			c.User, c.UserFrom = r.textOrPlace(at, part, &c.missing)
		case "client-id":
			c.ClientID, c.ClientFrom = r.textOrPlace(at, part, &c.missing)
		case "password":
			c.Password = r.place(at, part)
		case "client-secret":
			c.ClientSecret = r.place(at, part)
		case "token-url":
			c.TokenURL = r.word(at, part, &c.missing)
		case "scopes":
			c.Scopes = r.words(at, part, &c.missing)
		case loginKey:
			c.Login = r.login(at, part, &c.missing)
		default:
			r.report(part.key, "%s: only %s are allowed here, not a secret", of, strings.Join(known, ", "))
		}
	}
	if len(r.problems.all) > before {
		return c, false
	}
	secret := given["env"] || given["file"]
	if secret {
		c.Secret = r.source(place, of, nil)
	}
	parts := given["user"] || given["password"] || given["client-id"] || given["client-secret"]
	switch {
	case !secret && !parts && c.Login == nil:
		r.report(e.key, "%s: the place of the secret is missing; write {env: NAME} or {file: PATH}, or user and password, client-id and client-secret, or login", of)
	case secret && (parts || c.Login != nil), parts && c.Login != nil:
		r.report(e.key, "%s: env or file, the parts of a secret, and login exclude each other", of)
	case given["user"] != given["password"]:
		r.report(e.key, "%s: user and password belong together", of)
	case given["client-secret"] && !given["client-id"]:
		r.report(e.key, "%s: client-secret needs client-id", of)
	}
	return c, len(r.problems.all) == before
}

// place reads {env: NAME} or {file: PATH}.
func (r *reader) place(of string, e entry) *Source {
	if e.value.Kind != yaml.MappingNode {
		r.report(e.value, "%s: do not write a secret into a file that is shared; write {env: NAME} or {file: PATH}", of)
		return nil
	}
	for _, part := range r.entries(of, e.value) {
		if part.name != "env" && part.name != "file" {
			r.report(part.key, "%s: only env and file are allowed here, not a secret", of)
			return nil
		}
	}
	return r.source(e, of, nil)
}

// textOrPlace reads a text, or the place of one.
func (r *reader) textOrPlace(of string, e entry, missing *[]Problem) (string, *Source) {
	if e.value.Kind == yaml.MappingNode {
		return "", r.place(of, e)
	}
	return r.word(of, e, missing), nil
}

// word reads a text that is not empty.
func (r *reader) word(of string, e entry, missing *[]Problem) string {
	v, ok := r.scalar(Key{Name: of, Kind: Text}, e.value)
	*missing = append(*missing, v.missing...)
	if ok && v.text == "" && len(v.missing) == 0 {
		r.report(e.value, "%s: there is no value", of)
	}
	return v.text
}

// words reads a text or a list of texts.
func (r *reader) words(of string, e entry, missing *[]Problem) []string {
	if e.value.Kind != yaml.SequenceNode {
		return []string{r.word(of, e, missing)}
	}
	var all []string
	for _, n := range e.value.Content {
		all = append(all, r.word(of, entry{name: e.name, key: e.key, value: resolved(n)}, missing))
	}
	return all
}

// login reads a request that logs somebody in.
func (r *reader) login(of string, e entry, missing *[]Problem) *Login {
	l, before := &Login{}, len(r.problems.all)
	secret := func(at string, part entry) string {
		v, _ := r.scalar(Key{Name: at, Kind: Text, secret: true}, part.value)
		*missing = append(*missing, v.missing...)
		l.Variables = append(l.Variables, v.names...)
		if v.hasDefault {
			r.report(part.value, "%s: a default for a secret is a secret in a file; write ${NAME} without one", at)
		}
		return v.text
	}
	pointer := func(at string, part entry) string {
		text := r.word(at, part, missing)
		if text != "" && !strings.HasPrefix(text, "/") {
			r.report(part.value, "%s: expected a JSON Pointer, which begins with /", at)
		}
		return text
	}
	for _, part := range r.entries(of, e.value) {
		at := of + "." + part.name
		switch part.name {
		case "method":
			if l.Method = strings.ToUpper(r.word(at, part, missing)); !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, l.Method) {
				r.report(part.value, "%s: expected one of GET, POST, PUT, PATCH, DELETE", at)
			}
		case "path":
			l.Path = secret(at, part)
		case headersKey:
			for _, h := range r.entries(at, part.value) {
				if !headerName.MatchString(h.name) {
					r.report(h.key, "%s: a header's name is made of letters, digits and hyphens", at)
				} else if header, ok := r.header(h); ok {
					l.Headers = append(l.Headers, header)
				}
			}
		case "body":
			if part.value.Kind == yaml.MappingNode {
				l.BodyFrom = r.place(at, part)
			} else {
				l.Body = secret(at, part)
			}
		case "content-type":
			l.ContentType = r.word(at, part, missing)
		case "token":
			l.Token = pointer(at, part)
		case "token-header":
			l.TokenHeader = r.word(at, part, missing)
		case "token-cookie":
			l.TokenCookie = r.word(at, part, missing)
		case "lifetime":
			text := r.word(at, part, missing)
			var err error
			if l.Lifetime, err = time.ParseDuration(text); err != nil || l.Lifetime <= 0 {
				r.report(part.value, "%s: expected a length of time such as 10m", at)
			}
		case "expires-in":
			l.ExpiresIn = pointer(at, part)
		default:
			r.report(part.key, "%s: only %s are allowed here", of, strings.Join(loginNames(), ", "))
		}
	}
	ways := 0
	for _, text := range []string{l.Token, l.TokenHeader, l.TokenCookie} {
		if text != "" {
			ways++
		}
	}
	switch {
	case len(r.problems.all) > before:
	case l.Path == "" && len(*missing) == 0:
		r.report(e.key, "%s: there is no path", of)
	case ways != 1:
		r.report(e.key, "%s: name the place of the token in the response with one of token, token-header, token-cookie", of)
	case l.Lifetime > 0 && l.ExpiresIn != "":
		r.report(e.key, "%s: lifetime and expires-in exclude each other", of)
	}
	return l
}

// Role returns the credentials of a role: its own, and those of the target for the other schemes. The empty name
// means the target itself. The error lists what the environment lacks for the role.
func (t *Target) Role(name string) ([]Credential, error) {
	own := t.Roles[name]
	all := slices.Clone(own)
	for _, c := range t.Credentials {
		if !slices.ContainsFunc(own, func(o Credential) bool { return o.Scheme == c.Scheme }) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b Credential) int { return strings.Compare(a.Scheme, b.Scheme) })
	var missing []Problem
	for _, c := range all {
		missing = append(missing, c.allMissing()...)
	}
	return all, join(missing)
}

// allMissing are the variables that a credential needs and that are not set.
func (c Credential) allMissing() []Problem {
	all := slices.Clone(c.missing)
	for _, s := range c.Sources() {
		all = append(all, s.missing...)
	}
	if c.Login != nil {
		for _, h := range c.Login.Headers {
			all = append(all, h.missing...)
		}
	}
	return all
}

// Sources returns the places where secrets of the credential are found.
func (c Credential) Sources() []*Source {
	all := []*Source{c.Secret, c.UserFrom, c.Password, c.ClientFrom, c.ClientSecret}
	if c.Login != nil {
		all = append(all, c.Login.BodyFrom)
		for _, h := range c.Login.Headers {
			all = append(all, h.From)
		}
	}
	return slices.DeleteFunc(all, func(s *Source) bool { return s == nil })
}

// joinCredentials returns the credentials of a target, supplemented by those of the defaults.
func joinCredentials(own, defaults []Credential) []Credential {
	all := slices.Clone(own)
	for _, c := range defaults {
		if !slices.ContainsFunc(own, func(o Credential) bool { return o.Scheme == c.Scheme }) {
			all = append(all, c)
		}
	}
	return all
}

// credentialSchema describes the secret of a scheme.
func credentialSchema() object {
	textOrPlace := func(text string) object {
		return object{"anyOf": []object{{"type": "string", "minLength": 1}, secretPlace()}, "description": text}
	}
	return object{
		"type": "object", "additionalProperties": false, "minProperties": 1,
		"properties": object{
			"env": envSchema(), "file": fileSchema(),
			"user":          textOrPlace("the user of Basic, or of the password grant of OAuth 2"),
			"password":      described("the user's password", secretPlace()),
			"client-id":     textOrPlace("the client's id at the token endpoint"),
			"client-secret": described("the client's secret", secretPlace()),
			"token-url":     object{"type": "string", "minLength": 1, "description": "the token endpoint, instead of the document's"},
			"scopes": object{
				"description": "the scopes to ask for, instead of those that the operations name; of a token that is given, all that it allows",
				"anyOf":       []object{{"type": "string"}, {"type": "array", "items": object{"type": "string"}}},
			},
			loginKey: loginSchema(),
		},
	}
}

func loginSchema() object {
	pointer := func(text string) object { return object{"type": "string", "pattern": "^/", "description": text} }
	word := func(text string) object { return object{"type": "string", "minLength": 1, "description": text} }
	return object{
		"type": "object", "additionalProperties": false, "required": []string{"path"},
		"description": "a request that logs somebody in and returns a token; it is sent again before the token expires",
		"oneOf":       []object{{"required": []string{"token"}}, {"required": []string{"token-header"}}, {"required": []string{"token-cookie"}}},
		"properties": object{
			"method":       object{"enum": []string{"GET", "POST", "PUT", "PATCH", "DELETE"}, "default": "POST", "description": "the method"},
			"path":         word("the path, after that of base-url, or an address"),
			headersKey:     headersSchema(),
			"body":         object{"anyOf": []object{{"type": "string"}, secretPlace()}, "description": "the body; ${NAME} is a variable of the environment, kept secret"},
			"content-type": object{"type": "string", "default": "application/json", "description": "the media type of the body"},
			"token":        pointer("the JSON Pointer of the token in the response"),
			"token-header": word("the header of the response that holds the token"),
			"token-cookie": word("the cookie of the response that is the token"),
			"lifetime":     object{"type": "string", "pattern": lengthOfTime, "description": "how long the token is valid"},
			"expires-in":   pointer("the JSON Pointer of the number of seconds that the token is valid"),
		},
	}
}

func credentialsSchema() object {
	return object{
		"type": []string{"object", "null"}, "additionalProperties": credentialSchema(),
		"description": "where the secrets of the contract's security schemes are found, by the schemes' names; HALLMARK_CREDENTIAL_<SCHEME> is not used for those",
	}
}

func rolesSchema() object {
	return object{
		"type": "object", "propertyNames": object{"minLength": 1}, "additionalProperties": credentialsSchema(),
		"description": "named sets of secrets, for several users of the service; what a role leaves out is that of credentials",
	}
}
