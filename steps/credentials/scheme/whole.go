package scheme

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// What a role sends whatever the schemes of an operation: fixed headers, and the token of its own log-in.

// addWhole adds what a role always sends, except in places that are already taken.
func addWhole(ctx context.Context, k *Keyring, role string, to *Credential) error {
	r := k.Roles[role]
	var parts []Part
	for _, h := range r.Headers {
		parts = append(parts, Part{In: InHeader, Name: h.Name, Value: h.Value, Shown: "$" + headerVariable(role, h.Name)})
	}
	if r.Login != nil {
		got, err := k.token(ctx, tokenKey{role: role}, loginFetcher(k, r.Login, spec.Security{}))
		if err != nil {
			return fmt.Errorf("the log-in of %s: %w", roleName(role), err)
		}
		to.tokens = append(to.tokens, got)
		parts = append(parts, r.Login.parts(got, role)...)
	}
	for _, p := range parts {
		if !slices.ContainsFunc(to.Parts, func(o Part) bool {
			return o.In == p.In && (o.Name == p.Name || p.In == InHeader && strings.EqualFold(o.Name, p.Name))
		}) {
			to.Parts = append(to.Parts, p)
		}
	}
	return nil
}

// wholeMaterial returns what the credential of a scheme is made from if the role's headers or its log-in provide it.
func wholeMaterial(ctx context.Context, k *Keyring, role string, s spec.Security) (material, error) {
	r := k.Roles[role]
	for _, h := range r.Headers {
		if m, ok := ofHeader(s, h); ok {
			m.variable = headerVariable(role, h.Name)
			return m, nil
		}
	}
	got, err := k.token(ctx, tokenKey{role: role}, loginFetcher(k, r.Login, spec.Security{}))
	if err != nil {
		return material{}, fmt.Errorf("the log-in of %s: %w", roleName(role), err)
	}
	for _, p := range r.Login.parts(got, role) {
		m, ok := material{}, false
		switch {
		case p.In == InHeader:
			m, ok = ofHeader(s, Header{p.Name, p.Value})
		case s.Type == "apiKey" && s.In == p.In && s.Key == p.Name:
			m, ok = material{text: p.Value}, true
		}
		if ok {
			m.variable, m.token = strings.Trim(p.Shown, "${}"), &got
			return m, nil
		}
	}
	return material{}, Impossible{fmt.Sprintf("the log-in of %s gave nothing for the scheme %q", roleName(role), s.Name)}
}

// ofHeader extracts the credential of a scheme from a header in the scheme's place.
func ofHeader(s spec.Security, h Header) (material, bool) {
	if s.Place() != InHeader+" "+strings.ToLower(h.Name) {
		return material{}, false
	}
	word, rest, found := strings.Cut(h.Value, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case isBearer(s):
		return material{text: rest}, found && strings.EqualFold(word, "Bearer") && rest != ""
	case isBasic(s):
		pair, err := base64.StdEncoding.DecodeString(rest)
		user, password, colon := strings.Cut(string(pair), ":")
		return material{user: user, password: password}, found && strings.EqualFold(word, "Basic") && err == nil && colon
	}
	return material{text: h.Value}, h.Value != ""
}

// headerVariable returns the shell variable that stands for a header of a role.
func headerVariable(role, header string) string {
	name := Variable(http.CanonicalHeaderKey(header))
	if role != "" {
		name += "_" + strings.TrimPrefix(Variable(role), VariablePrefix)
	}
	return name
}

func roleName(role string) string {
	if role == "" {
		return "the target"
	}
	return fmt.Sprintf("the role %q", role)
}
