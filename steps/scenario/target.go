package scenario

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"hallmark/steps/client"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/redact"
)

// Target is the implementation under test.
type Target struct {
	// BaseURL has no slash at its end.
	BaseURL string
	// Key is the API key that the target accepts. It stands in no record.
	Key string
	// KeyPlace says where the key was found, for whoever has to fix it; empty when nobody knows.
	KeyPlace string
	// Plain returns the values, as JSON texts, of the properties of plain bodies that the target must know
	// ("categoryId": "1").
	Plain map[string]string
	// ReadOnly keeps the run from sending anything that may create anything.
	ReadOnly bool
	// Allowed are the operations that are called though they may harm: see Dangerous.
	Allowed []string
	// MaxCreated bounds how many resources the run may create.
	MaxCreated int
	// MaxSensitive bounds how many users, tokens, messages or payments it may create of each kind; 0 stands for
	// [budget.DefaultOfAKind].
	MaxSensitive int
	// Headers are sent with every request.
	Headers []client.Header
	// Keyring makes the credentials of the contract's security schemes; nil where the API key is the only one. Role names whose
	// secrets are used, empty for those without a name.
	Keyring *scheme.Keyring
	Role    string
	// Secrets are other texts that must stand in no record: a proxy's password.
	Secrets []string
}

// KeyHint is where to look when the key is refused.
func (t Target) KeyHint() string {
	if t.KeyPlace == "" {
		return "HALLMARK_API_KEY or --api-key-file"
	}
	return t.KeyPlace
}

// Redactor are all that records of this target must not hold.
func (t Target) Redactor() *redact.Redactor {
	more := make([]redact.Secret, 0, len(t.Headers)+len(t.Secrets))
	for _, h := range t.Headers {
		more = append(more, h.Secrets()...)
	}
	for _, s := range t.Secrets {
		more = append(more, redact.Secret{Text: s, Shown: "…"})
	}
	all := SecretsOf(t.Key, more...)
	if t.Keyring != nil {
		t.Keyring.Mask(all)
	}
	return all
}

// TooShort names the secrets that are too short to be looked for in what the service answers: any word may hold them.
func (t Target) TooShort() []string {
	var all []string
	if t.Key != "" && len(t.Key) < redact.MinLength {
		all = append(all, "the API key")
	}
	for _, h := range t.Headers {
		for _, s := range h.Secrets() {
			if len(s.Text) < redact.MinLength {
				all = append(all, "the header "+h.Name)
				break
			}
		}
	}
	if t.Keyring != nil {
		all = append(all, t.Keyring.TooShort()...)
	}
	return all
}

// LeastSecret is how long a secret is, in bytes, that is taken out of whatever the service answers.
const LeastSecret = redact.MinLength

// ParseBaseURL checks the address of a service: absolute, http or https, without a query or a fragment. White space around it and a
// slash at the end are taken off.
func ParseBaseURL(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", fmt.Errorf("no base URL is given; give one with --base-url, for example https://api.example.com/v1")
	}
	if scheme, ok := missingScheme(text); ok {
		return "", fmt.Errorf("the base URL %q does not begin with http:// or https://; add %s in front: %s", text, scheme, scheme+text)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", fmt.Errorf("the base URL cannot be read: %w", withoutURL(err))
	case u.User != nil, u.Scheme != "http" && u.Scheme != "https" && strings.Contains(text, "@"):
		return "", fmt.Errorf("the base URL holds a user name; the key belongs in HALLMARK_API_KEY or --api-key-file")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("the base URL %q does not begin with http:// or https://", text)
	case u.Host == "" || u.Hostname() == "":
		return "", fmt.Errorf("the base URL %q names no host", text)
	case u.Port() != "" && !validPort(u.Port()):
		return "", fmt.Errorf("the base URL %q names the port %s; ports are numbers from 1 to 65535", text, u.Port())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("the base URL holds a query or a fragment; give the address only")
	}
	trimmed := strings.TrimRight(u.EscapedPath(), "/")
	// By way of url.URL, which writes the zone of an IPv6 address as URLs want it.
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String() + trimmed, nil
}

// CheckBasePath reports an error when a base URL that ParseBaseURL returned does not end in a path, as the addresses of an interface
// do. An empty path is that of an interface without such a rule.
func CheckBasePath(base, path string) error {
	if path == "" || strings.HasSuffix(base, path) {
		return nil
	}
	return fmt.Errorf("the base URL %q does not end in the path segment %s, as the addresses of this interface do", base, strings.TrimPrefix(path, "/"))
}

// missingScheme reports whether an address lacks nothing but its scheme, and which one to try: http:// for a host of this
// machine or a port, https:// for other names.
func missingScheme(text string) (scheme string, ok bool) {
	if strings.Contains(text, "://") || strings.HasPrefix(text, "/") {
		return "", false
	}
	u, err := url.Parse("http://" + text)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.HasPrefix(text, "http:") || strings.HasPrefix(text, "https:") {
		return "", false
	}
	if u.Port() == "443" || u.Port() == "" && u.Hostname() != "localhost" && net.ParseIP(u.Hostname()) == nil {
		return "https://", true
	}
	return "http://", true
}

// validPort reports whether a port can be connected to.
func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// withoutURL is an error about a URL that does not show it: a password may be in it.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
