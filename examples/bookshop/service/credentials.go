package service

import (
	"net/http"
	"slices"
	"strings"
)

// credential is a way to be let in.
type credential int

const (
	staffKey credential = iota
	customerToken
	anybody
)

// admits reports whether a request carries what its operation asks for.
func (s *Service) admits(a *asked) bool {
	o := a.operation
	if stranger(a.Request) && a.is("strangers-refused") {
		return false
	}
	if len(o.credentials) == 0 || a.is("open-to-all") {
		return true
	}
	key, sent := a.Header.Get("X-Staff-Key"), a.Header.Get("Authorization")
	if a.is("customers-let-in") && token(sent) == CustomerToken || a.is("staff-let-in") && key == StaffKey {
		return true
	}
	for _, c := range o.credentials {
		switch {
		case c == anybody && sent == "" && !a.is("anonymous-refused"), c == staffKey && !a.is("staff-refused") && matches(a, key, StaffKey), c == customerToken && (matches(a, token(sent), CustomerToken) || token(sent) == NeighbourToken):
			return true
		}
	}
	return false
}

// stranger reports whether a request carries credentials that nobody has.
func stranger(r *http.Request) bool {
	key, sent := r.Header.Get("X-Staff-Key"), token(r.Header.Get("Authorization"))
	return key != "" && key != StaffKey || sent != "" && sent != CustomerToken && sent != NeighbourToken
}

// token returns the bearer token of a header; empty for none.
func token(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// matches compares a secret; the faults compare badly.
func matches(a *asked, sent, secret string) bool {
	switch {
	case a.is("takes-any-secret"):
		return sent != ""
	case a.is("takes-a-prefix"):
		return len(sent) > 3 && strings.HasPrefix(secret, sent)
	case a.is("takes-more"):
		return strings.HasPrefix(sent, secret)
	case a.is("takes-any-case"):
		return strings.EqualFold(sent, secret)
	}
	return sent == secret
}

func unauthorized(a *asked) reply {
	if a.is("refused-stored") {
		if value, refused := readJSON(a); refused == nil {
			keepRefused(a.shop, a, value)
		}
	}
	if a.is("refused-done") {
		a.operation.answer(a)
	}
	if s := a.shop; s.is("strangers-forbidden") && (a.Header.Get("X-Staff-Key") == StaffKey || token(a.Header.Get("Authorization")) == CustomerToken) {
		return a.refused(http.StatusForbidden, "that is for others")
	}
	out := a.refused(http.StatusUnauthorized, "there is no credential that is known")
	challenge := `Bearer realm="bookshop"`
	if !slices.Contains(a.operation.credentials, customerToken) {
		challenge = `ApiKey realm="bookshop", header="X-Staff-Key"`
	}
	out.header.Set("WWW-Authenticate", challenge)
	if a.shop.is("challenges-twice") {
		out.header.Add("WWW-Authenticate", `Basic realm="bookshop"`)
	}
	return out
}
