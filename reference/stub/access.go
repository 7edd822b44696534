package stub

import (
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// admits reports whether a request meets one of the alternatives for access. A connection without a certificate
// meets none that requires one, unless all do: then something in front of the service checks it.
func (a access) admits(r *http.Request, all spec.Requirement, ways []spec.Requirement) bool {
	certified := func(way spec.Requirement) bool {
		return slices.ContainsFunc(way, func(s spec.Security) bool { return s.Type == "mutualTLS" })
	}
	if certified(all) && (r.TLS == nil || len(r.TLS.PeerCertificates) == 0) && slices.ContainsFunc(ways, func(way spec.Requirement) bool { return !certified(way) }) {
		return false
	}
	return !slices.ContainsFunc(all, func(one spec.Security) bool { return !a.has(r, one) })
}

// has reports whether a request carries the credential of a scheme.
func (a access) has(r *http.Request, s spec.Security) bool {
	secret := a.secrets[s.Name]
	if secret == "" {
		secret = a.general
	}
	switch {
	case s.Type == "mutualTLS":
		return true // the connection carries it
	case s.Type == "apiKey" && s.In == "query":
		return isSecret(r.URL.Query()[s.Key], secret)
	case s.Type == "apiKey" && s.In == "cookie":
		var values []string
		for _, cookie := range r.CookiesNamed(s.Key) {
			values = append(values, cookie.Value)
		}
		return isSecret(values, secret)
	case s.Type == "apiKey":
		return isSecret(r.Header.Values(s.Key), secret)
	}
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	name, text, _ := strings.Cut(values[0], " ")
	text = strings.TrimLeft(text, " ")
	if s.Type != "http" {
		return strings.EqualFold(name, "bearer") && isSecret([]string{text}, secret)
	}
	if s.Scheme != "basic" && s.Scheme != "bearer" { // the document does not say how such a credential is made
		return isSecret(values, secret) || strings.EqualFold(name, s.Scheme) && isSecret([]string{text}, secret)
	}
	if !strings.EqualFold(name, s.Scheme) {
		return false
	}
	if s.Scheme == "basic" {
		plain, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !strings.Contains(string(plain), ":") {
			return false
		}
		if !strings.Contains(secret, ":") && secret != "" { // a password without a name is accepted with any name
			_, text, _ = strings.Cut(string(plain), ":")
			return isSecret([]string{text}, secret) || isSecret([]string{strings.TrimSuffix(string(plain), ":")}, secret)
		}
		text = string(plain)
	}
	return isSecret([]string{text}, secret)
}

// isSecret reports whether there is exactly one text and it equals the secret. Without a secret, any text is accepted.
func isSecret(texts []string, secret string) bool {
	if len(texts) != 1 || texts[0] == "" {
		return false
	}
	return secret == "" || subtle.ConstantTimeCompare([]byte(texts[0]), []byte(secret)) == 1
}

// challenge returns the value of WWW-Authenticate.
func challenge(ways []spec.Requirement) string {
	var all []string
	for _, way := range ways {
		for _, s := range way {
			one := "Bearer"
			switch {
			case s.Type == "http" && s.Scheme == "basic":
				one = `Basic realm="api"`
			case s.Type == "http" && s.Scheme != "bearer" && s.Scheme != "":
				one = strings.ToUpper(s.Scheme[:1]) + s.Scheme[1:] + ` realm="api"`
			case s.Type == "apiKey":
				one = `ApiKey realm="api"`
			case s.Type == "mutualTLS":
				continue
			}
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return strings.Join(all, ", ")
}
