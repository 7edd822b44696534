package scenario

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

// Target is the implementation under test.
type Target struct {
	// BaseURL has no trailing slash.
	BaseURL string
	// Key is the API key that the target accepts. It appears in no record.
	Key string
	// KeyPlace says where the key was found, to help with fixing it; empty if unknown.
	KeyPlace string
	// ReadOnly keeps the run from sending anything that may create something.
	ReadOnly bool
	// Allowed holds the ids of operations that are called although they may do harm: see [Run.Danger].
	Allowed []string
	// MaxCreated bounds how many resources the run may create.
	MaxCreated int
	// MaxSensitive bounds how many users, tokens, messages or payments the run may create of each kind; 0 means
	// [budget.DefaultOfAKind].
	MaxSensitive int
	// Headers are sent with every request.
	Headers []client.Header
	// Query holds the query parameters that every request carries.
	Query []client.QueryParameter
	// Keyring makes the credentials of the contract's security schemes; nil if the API key is the only one. Role
	// selects the secrets to use; empty means those without a role.
	Keyring *scheme.Keyring
	Role    string
	// Secrets are other texts that must appear in no record, such as a proxy's password.
	Secrets []string
}

// Redactor returns a redactor for everything that records of this target must not hold.
func (t Target) Redactor() *redact.Redactor {
	more := make([]redact.Secret, 0, len(t.Headers)+len(t.Secrets))
	for _, h := range t.Headers {
		more = append(more, h.Secrets()...)
	}
	for _, q := range t.Query {
		more = append(more, q.Secrets()...)
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

// TooShort names the secrets that are too short to be searched for in responses: they occur in ordinary words.
func (t Target) TooShort() []string {
	var all []string
	if t.Key != "" && len(t.Key) < redact.MinLength {
		all = append(all, "the API key")
	}
	short := func(s redact.Secret) bool { return len(s.Text) < redact.MinLength }
	for _, h := range t.Headers {
		if slices.ContainsFunc(h.Secrets(), short) {
			all = append(all, "the header "+h.Name)
		}
	}
	for _, q := range t.Query {
		if slices.ContainsFunc(q.Secrets(), short) {
			all = append(all, "the query parameter "+q.Name)
		}
	}
	if t.Keyring != nil {
		all = append(all, t.Keyring.TooShort(t.Key)...)
	}
	return all
}

// LeastSecret is the minimum length, in bytes, of a secret that is redacted from every response.
const LeastSecret = redact.MinLength

// ParseBaseURL checks and normalizes the base URL of a service: absolute, http or https, without a query or a
// fragment. It trims white space and a trailing slash.
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
	// url.URL escapes the zone of an IPv6 address.
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String() + trimmed, nil
}

// CheckBasePath returns an error if a base URL from ParseBaseURL does not end in path. An empty path allows any
// base URL.
func CheckBasePath(base, path string) error {
	if path == "" || strings.HasSuffix(base, path) {
		return nil
	}
	return fmt.Errorf("the base URL %q does not end in the path segment %s, as the addresses of this interface do", base, strings.TrimPrefix(path, "/"))
}

// missingScheme reports whether an address lacks only its scheme, and which one to try: http:// for local hosts,
// IP addresses and ports, https:// for other names.
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

// withoutURL returns an error about a URL without the URL, which may contain a password.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
