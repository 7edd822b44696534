package scheme

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// grant is an OAuth 2 token request (RFC 6749): with the client's own credentials (section 4.4), or with a user's password (section 4.3).
type grant struct {
	// tokenURL is the endpoint; discovery is the OpenID Connect address that names it.
	tokenURL, discovery string
	id, secret          string
	user, password      string
	byPassword          bool
	scopes              []string
}

// grantOf returns the grant of a scheme that fits a secret.
func grantOf(s spec.Security, scopes []string, secret Secret) (grant, error) {
	g := grant{id: secret.ClientID, secret: secret.ClientSecret, user: secret.User, password: secret.Password, tokenURL: secret.TokenURL, scopes: secret.Scopes}
	g.byPassword = g.user != ""
	flow := func(kind string) *spec.Flow {
		if i := slices.IndexFunc(s.Flows, func(f spec.Flow) bool { return f.Kind == kind }); i >= 0 {
			return &s.Flows[i]
		}
		return nil
	}
	if g.id == "" && g.user == "" {
		first, second, _ := strings.Cut(secret.Text, ":")
		if flow("clientCredentials") == nil && flow("password") != nil {
			g.user, g.password, g.byPassword = first, second, true
		} else {
			g.id, g.secret = first, second
		}
	}
	if len(g.scopes) == 0 {
		g.scopes = scopes
	}
	if g.tokenURL != "" {
		return g, nil
	}
	if s.Type == "openIdConnect" {
		if g.discovery = s.OpenIDURL; g.discovery == "" {
			return g, errors.New("needs token-url: the document has no OpenID Connect address")
		}
		return g, nil
	}
	kind := "clientCredentials"
	if g.byPassword {
		kind = "password"
	}
	if f := flow(kind); f != nil && f.TokenURL != "" {
		g.tokenURL = f.TokenURL
		return g, nil
	}
	return g, fmt.Errorf("cannot be used: the document has no flow of the kind %s; give a token instead, which contains no colon, or token-url", kind)
}

// granted requests a token.
func granted(ctx context.Context, k *Keyring, g grant) (fetched, error) {
	endpoint := g.tokenURL
	if endpoint == "" {
		var err error
		if endpoint, err = discover(ctx, k, g.discovery); err != nil {
			return fetched{}, err
		}
	}
	endpoint, err := resolve(k, endpoint, false)
	if err != nil {
		return fetched{}, err
	}
	got, r, err := ask(ctx, k, endpoint, g, true)
	if g.secret != "" && r.status >= 400 && r.status < 500 && errorCode(r) != "invalid_scope" {
		// Some servers accept the client's credentials only in the body (RFC 6749, section 2.3.1).
		if second, again, failed := ask(ctx, k, endpoint, g, false); failed == nil || errorCode(again) == "invalid_scope" {
			got, r, err = second, again, failed
		}
	}
	if err != nil && errorCode(r) == "invalid_scope" && len(g.scopes) > 0 {
		g.scopes = nil // the document lists the scopes for all clients together
		got, err = granted(ctx, k, g)
		got.unscoped = true
	}
	return got, err
}

// errorCode returns the error in a token endpoint's response (RFC 6749, section 5.2).
func errorCode(r reply) string {
	code, _ := tokenAt(r.body, "/error")
	return code
}

// ask sends a request to a token endpoint, with the client's credentials in the header or in the body.
func ask(ctx context.Context, k *Keyring, endpoint string, g grant, inHeader bool) (fetched, reply, error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if g.byPassword {
		form = url.Values{"grant_type": {"password"}, "username": {g.user}, "password": {g.password}}
	}
	if len(g.scopes) > 0 {
		form.Set("scope", strings.Join(g.scopes, " "))
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	switch {
	case g.id == "":
	case g.secret != "" && inHeader:
		pair := url.QueryEscape(g.id) + ":" + url.QueryEscape(g.secret)
		header.Set(authorization, "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))
	default:
		form.Set("client_id", g.id)
		if g.secret != "" {
			form.Set("client_secret", g.secret)
		}
	}
	r, err := send(ctx, k, http.MethodPost, endpoint, header, form.Encode())
	if err != nil {
		return fetched{}, r, err
	}
	if r.status != http.StatusOK && r.status != http.StatusCreated {
		return fetched{}, r, errors.New(refusal(k, r))
	}
	value, err := tokenAt(r.body, "/access_token")
	if err != nil {
		return fetched{}, r, err
	}
	if kind, err := tokenAt(r.body, "/token_type"); err == nil && (strings.EqualFold(kind, "DPoP") || strings.EqualFold(kind, "mac")) {
		return fetched{}, r, fmt.Errorf("the token has the type %s, but hallmark supports only bearer tokens", text.Visible(kind))
	}
	got := fetched{value: value}
	if err := checkToken(value); err != nil {
		return fetched{}, r, err
	}
	if value, err := valueAt(r.body, "/expires_in"); err == nil {
		got.lifetime, _ = seconds(value)
	}
	if scopes, err := tokenAt(r.body, "/scope"); err == nil {
		got.scopes = strings.Fields(scopes)
	}
	k.learn(value, "")
	return got, r, nil
}

// checkToken returns an error if a token cannot be sent in a header.
func checkToken(value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token contains a character that headers cannot carry")
	}
	return nil
}

// discover returns the token endpoint from OpenID Connect metadata (OpenID Connect Discovery 1.0, section 4).
func discover(ctx context.Context, k *Keyring, address string) (string, error) {
	const wellKnown = "/.well-known/"
	if !strings.Contains(address, wellKnown) {
		address = strings.TrimSuffix(address, "/") + wellKnown + "openid-configuration"
	}
	address, err := resolve(k, address, false)
	if err != nil {
		return "", err
	}
	r, err := send(ctx, k, http.MethodGet, address, nil, "")
	if err != nil {
		return "", err
	}
	if r.status != http.StatusOK {
		return "", fmt.Errorf("discovery: %s", refusal(k, r))
	}
	endpoint, err := tokenAt(r.body, "/token_endpoint")
	if err != nil {
		return "", fmt.Errorf("discovery: %w", err)
	}
	if u, err := url.Parse(endpoint); err != nil || !u.IsAbs() {
		return "", errors.New("discovery: the token_endpoint is not an absolute address")
	}
	return endpoint, nil
}
