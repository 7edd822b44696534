package scheme

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
)

// Config configures a [Keyring].
type Config struct {
	// Schemes are the schemes of the contract; see [All].
	Schemes []spec.Security
	// Roles holds the secrets by role. The role "" is used if none is named.
	Roles map[string]Role
	// BaseURL is the address of the service, to which paths of log-ins and relative token endpoints refer.
	BaseURL string
	// Client sends the requests for tokens. Redirects are not followed.
	Client *http.Client
	// Certificate reports whether the client has a certificate.
	Certificate bool
	// ExactCase reports whether a rule states that the operation tells upper case from lower case in every secret, or is nil. A hexadecimal
	// secret with its case swapped is not taken for a wrong one otherwise.
	ExactCase func(*spec.Operation) bool
	// Now is the clock, or nil for time.Now.
	Now func() time.Time
}

// Keyring makes the credentials of a run and stores the tokens that it fetched. It is safe for concurrent use.
type Keyring struct {
	Config
	schemes map[string]spec.Security
	shown   map[string]string

	mu      sync.Mutex
	tokens  map[tokenKey]*token
	masks   []Masker
	secrets map[string]string
}

// New returns a keyring. It sends nothing.
func New(c Config) *Keyring {
	k := &Keyring{Config: c, schemes: map[string]spec.Security{}, shown: map[string]string{}, tokens: map[tokenKey]*token{}, secrets: map[string]string{}}
	if k.Now == nil {
		k.Now = time.Now
	}
	taken := map[string]bool{}
	for _, s := range c.Schemes {
		k.schemes[s.Name] = s
		name := Variable(s.Name)
		for i := 2; taken[name]; i++ {
			name = fmt.Sprintf("%s_%d", Variable(s.Name), i)
		}
		taken[name] = true
		k.shown[s.Name] = name
	}
	for name := range c.Roles {
		k.learnRole(name)
	}
	return k
}

// Missing reports that there is no secret for an operation, and names the variables that could hold one. It is equal for all operations
// that lack the same secrets, so they can be reported together.
type Missing struct {
	Operation string
	// Alternatives holds the names of the variables; all of one alternative are needed.
	Alternatives [][]string
	// Key reports whether HALLMARK_API_KEY would suffice, too.
	Key bool
}

// certificateFlag is the flag that provides the certificate for mutual TLS.
const certificateFlag = "--client-cert"

func (m Missing) Error() string {
	if m.certificate() {
		return "no client certificate is given for it; " + m.Remedy()
	}
	return "no credential is given for it; " + m.Remedy()
}

// certificate reports whether only a certificate would suffice.
func (m Missing) certificate() bool {
	return len(m.Alternatives) == 1 && slices.Equal(m.Alternatives[0], []string{certificateFlag})
}

// Remedy says how to provide the credential.
func (m Missing) Remedy() string {
	if m.certificate() {
		return "add " + certificateFlag
	}
	var ways []string
	for _, names := range m.Alternatives {
		way := text.Enumerate(names, "and")
		if len(names) > 1 {
			way = "both " + way
			if len(names) > 2 {
				way = "all of " + text.Enumerate(names, "and")
			}
		}
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	if m.Key {
		ways = append(ways, KeyVariable)
	}
	return "set " + text.Enumerate(ways, "or") + ", or name its place under credentials: in hallmark.yaml"
}

// missing returns what an operation lacks.
func (k *Keyring) missing(op *spec.Operation, role string) Missing {
	m := Missing{Operation: op.ID}
	for _, requirement := range op.Security {
		var names []string
		key := true
		for _, s := range requirement {
			if k.has(role, s) {
				continue
			}
			name := Variable(s.Name)
			switch {
			case s.Type == "mutualTLS":
				name = certificateFlag
			case isBasic(s):
				name += " (user:password)"
			case s.Type == "oauth2" && hasFlow(s, "password") && !hasFlow(s, "clientCredentials"):
				name += " (a token, or user:password)"
			case s.Type == "openIdConnect", s.Type == "oauth2" && hasFlow(s, "clientCredentials"):
				name += " (a token, or id:secret of a client)"
			}
			names = append(names, name)
			key = key && takesSecret(s) && !isBasic(s)
		}
		if len(names) == 0 {
			continue // its parts would occupy the same place
		}
		m.Alternatives = append(m.Alternatives, names)
		m.Key = m.Key || key
	}
	return m
}

// hasFlow reports whether an OAuth 2 scheme has a flow of a kind.
func hasFlow(s spec.Security, kind string) bool {
	return slices.ContainsFunc(s.Flows, func(f spec.Flow) bool { return f.Kind == kind })
}

// Lacks returns a [Missing] if a role has no credential that an operation requires, otherwise nil.
func (k *Keyring) Lacks(op *spec.Operation, role string) error {
	r := k.Roles[role]
	if _, ok := k.choose(op, role, ""); ok || op.Anonymous() || len(r.Headers) > 0 || r.Login != nil {
		return nil
	}
	return k.missing(op, role)
}

// has reports whether a role has the secret of a scheme.
func (k *Keyring) has(role string, s spec.Security) bool {
	if s.Type == "mutualTLS" {
		return k.Certificate
	}
	r := k.Roles[role]
	if _, own := r.Secrets[s.Name]; own {
		return true
	}
	for _, h := range r.Headers {
		if _, ok := ofHeader(s, h); ok {
			return true
		}
	}
	return r.Login != nil && r.Login.serves(s)
}

// For returns the credential with which a role calls an operation: that of an alternative whose secrets are all available, or none if the
// operation allows that and some secret is missing. The error is a [Missing], or says why no token could be fetched.
func (k *Keyring) For(ctx context.Context, op *spec.Operation, role string) (Credential, error) {
	c := Credential{Words: "right", Right: true, role: role}
	chosen, ok := k.choose(op, role, "")
	r := k.Roles[role]
	switch {
	case !ok && len(op.Security) == 0:
		return c, nil
	case !ok && (len(r.Headers) > 0 || r.Login != nil):
		return c, addWhole(ctx, k, role, &c)
	case !ok && op.Anonymous():
		return c, nil
	case !ok:
		return Credential{}, k.missing(op, role)
	}
	for _, s := range chosen {
		if err := k.addPart(ctx, role, s, &c); err != nil {
			return Credential{}, err
		}
	}
	return c, addWhole(ctx, k, role, &c)
}

// choose returns an alternative whose secrets are all available, and that contains scheme if that is not empty. Alternatives with secrets
// of their own come before one that the API key serves, which may not be meant for it; among equals the first wins.
func (k *Keyring) choose(op *spec.Operation, role, scheme string) (best spec.Requirement, found bool) {
	fewest := 0
	for _, requirement := range op.Security {
		usable := len(requirement) > 0
		places := map[string]bool{}
		named, served := scheme == "", 0
		for _, s := range requirement {
			place := s.Place()
			usable = usable && k.has(role, s) && (place == "" || !places[place])
			places[place] = true
			named = named || s.Name == scheme
			if k.Roles[role].Secrets[s.Name].Variable == KeyVariable {
				served++
			}
		}
		if usable && named && (!found || served < fewest) {
			best, found, fewest = requirement, true, served
		}
	}
	return best, found
}

// material is what the credential of a scheme is made from.
type material struct {
	// text is a key or a token; user and password belong to Basic.
	text, user, password string
	variable             string
	// token is the fetched token, or nil.
	token *fetched
	// exactCase is that of the operation; see [Config].
	exactCase bool
}

// addPart adds the part of one scheme.
func (k *Keyring) addPart(ctx context.Context, role string, s spec.Security, to *Credential) error {
	if s.Type == "mutualTLS" {
		return nil
	}
	m, err := k.material(ctx, role, s)
	if err != nil {
		return err
	}
	to.Parts = append(to.Parts, m.part(s))
	if m.token != nil {
		to.tokens = append(to.tokens, *m.token)
	}
	return nil
}

// material returns what the credential of a scheme is made from, fetching a token if it is one.
func (k *Keyring) material(ctx context.Context, role string, s spec.Security) (material, error) {
	r := k.Roles[role]
	secret, own := r.Secrets[s.Name]
	if !own {
		return wholeMaterial(ctx, k, role, s)
	}
	m := material{variable: k.variable(role, s, secret)}
	switch {
	case secret.Login != nil:
		got, err := k.token(ctx, tokenKey{role, s.Name}, loginFetcher(k, secret.Login, s))
		if err != nil {
			return m, fmt.Errorf("the log-in for the scheme %q: %w", s.Name, err)
		}
		m.text, m.token = got.value, &got
	case secret.granted(s):
		g, err := grantOf(s, k.schemes[s.Name].Scopes, secret)
		if err != nil {
			return m, fmt.Errorf("the secret of the scheme %q %w", s.Name, err)
		}
		got, err := k.token(ctx, tokenKey{role, s.Name}, func(ctx context.Context) (fetched, error) { return granted(ctx, k, g) })
		if err != nil {
			return m, fmt.Errorf("the token of the scheme %q: %w", s.Name, err)
		}
		m.text, m.token = got.value, &got
	case isBasic(s):
		m.user, m.password, _ = secret.pair()
	default:
		m.text = secret.Text
	}
	return m, nil
}

// variable returns the shell variable that stands for the secret of a scheme in records.
func (k *Keyring) variable(role string, s spec.Security, secret Secret) string {
	name := secret.variable(s)
	if own := k.shown[s.Name]; name == Variable(s.Name) && secret.Variable == "" && own != "" {
		name = own
	}
	if role != "" && name != KeyVariable && secret.Variable == "" {
		name += "_" + strings.TrimPrefix(Variable(role), VariablePrefix)
	}
	return name
}

// part returns the part of a request that carries the right credential.
func (m material) part(s spec.Security) Part {
	p := Part{Scheme: s.Name, In: InHeader, Name: authorization}
	switch {
	case s.Type == "apiKey":
		p.In, p.Name = s.In, s.Key
		p.Value, p.Shown = m.text, "$"+m.variable
	case isBasic(s):
		return basic(p, m.user+":"+m.password, "$"+m.variable)
	case isBearer(s):
		p.Value, p.Shown = "Bearer "+m.text, "Bearer $"+m.variable
	default:
		p.Value, p.Shown = m.text, "$"+m.variable
	}
	return p
}

// basic returns the part with Basic credentials (RFC 7617). shown is the pair in shell syntax.
func basic(p Part, pair, shown string) Part {
	p.Value = "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
	p.Shown = `Basic $(printf %s "` + shown + `" | base64 -w0)`
	return p
}

// Words returns the wrong credentials that the operation must reject; see [credential.WrongFor].
func Words(op *spec.Operation) []credential.Wrong { return credential.WrongFor(op) }

// OneSecret returns a keyring with the same secret for each scheme that the operations name.
func OneSecret(operations []spec.Operation, secret string) *Keyring {
	schemes, secrets := All(operations), map[string]Secret{}
	for _, s := range schemes {
		secrets[s.Name] = Secret{Text: secret, Variable: KeyVariable}
	}
	return New(Config{Schemes: schemes, Roles: map[string]Role{"": {Secrets: secrets}}})
}
