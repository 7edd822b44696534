package scheme

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Credentials that are valid, but not for the operation they are sent to.

// ofScheme returns the right credential of a scheme that an operation does not list.
func ofScheme(ctx context.Context, k *Keyring, op *spec.Operation, role, name string) (Credential, error) {
	made := Credential{Words: credential.OfScheme + name, role: role}
	s, known := k.schemes[name]
	if !known {
		return made, fmt.Errorf("the contract has no scheme %q that an operation names", name)
	}
	if !k.has(role, s) {
		return made, Impossible{fmt.Sprintf("no secret is given for the scheme %s (%s)", name, Variable(name))}
	}
	own, err := k.material(ctx, role, s)
	if err != nil {
		return made, err
	}
	for _, requirement := range op.Security {
		for _, listed := range requirement {
			if listed.Carried() == s.Carried() {
				return made, Impossible{fmt.Sprintf("a credential of the scheme %s uses the same place", listed.Name)}
			}
			if !k.has(role, listed) || listed.Type == "mutualTLS" {
				continue
			}
			m, err := k.material(ctx, role, listed)
			if err != nil {
				return made, err
			}
			if m.secret() == own.secret() {
				return made, Impossible{fmt.Sprintf("the secrets of the schemes %s and %s are the same", name, listed.Name)}
			}
		}
	}
	made.Parts = append(made.Parts, own.part(s))
	return made, k.checkWrong(ctx, op, role, nil, made)
}

// randomOf makes up a credential of a scheme, for an operation that needs none.
func randomOf(ctx context.Context, k *Keyring, op *spec.Operation, role, name string) (Credential, error) {
	made := Credential{Words: credential.RandomOfScheme + name, role: role}
	s, known := k.schemes[name]
	switch {
	case !known:
		return made, fmt.Errorf("the contract has no scheme %q that an operation names", name)
	case !op.StatesAnonymous() || !credential.Guessable(s):
		return made, Impossible{"only an operation that needs no credential must ignore one, and only some schemes say what a credential looks like"}
	}
	random := credentials.RandomKey(24)
	p := material{text: random, user: "hallmark", password: random}.part(s)
	p.Shown = p.Value
	made.Parts = append(made.Parts, p)
	return made, addToOptional(ctx, k, op, role, &made)
}

// addToOptional adds what a role always sends to a request of an operation with optional credentials. Other operations without required
// credentials are called without; see [Keyring.For].
func addToOptional(ctx context.Context, k *Keyring, op *spec.Operation, role string, to *Credential) error {
	if len(op.Security) == 0 {
		return nil
	}
	return addWhole(ctx, k, role, to)
}

// secret returns the text by which a service may recognize a user.
func (m material) secret() string {
	if m.text != "" {
		return m.text
	}
	return m.user + ":" + m.password
}

// withoutScope returns the credential of another role whose declared scopes lack one that an operation requires in every alternative.
func withoutScope(ctx context.Context, k *Keyring, op *spec.Operation, run string) (Credential, error) {
	var none error = Impossible{"no other role declares scopes that lack one of the operation's (the key scopes of a secret of a role in hallmark.yaml)"}
	for _, role := range slices.Sorted(maps.Keys(k.Roles)) {
		if role == run {
			continue
		}
		for _, requirement := range op.Security {
			made := Credential{Words: credential.WithoutScope, role: role}
			usable := len(requirement) > 0
			for _, s := range requirement {
				usable = usable && k.has(role, s)
			}
			if !usable || !lacksScope(k, requirement, role) {
				continue
			}
			places := map[string]bool{}
			for _, s := range requirement {
				places[s.Place()] = true
			}
			if slices.ContainsFunc(op.Security, func(other spec.Requirement) bool {
				reachable := !slices.ContainsFunc(other, func(s spec.Security) bool { return !places[s.Place()] })
				return reachable && !lacksScope(k, other, role)
			}) {
				none = Impossible{"the credential of a role without the scope may satisfy another alternative of the operation"}
				continue
			}
			for _, s := range requirement {
				if err := k.addPart(ctx, role, s, &made); err != nil {
					return made, err
				}
			}
			if err := checkScopes(made, requirement, k.Roles[role]); err != nil {
				none = err
				continue
			}
			return made, sameAsOwn(ctx, k, op, run, made)
		}
	}
	return Credential{}, none
}

// sameAsOwn returns an [Impossible] if a credential is the one that the run uses.
func sameAsOwn(ctx context.Context, k *Keyring, op *spec.Operation, run string, made Credential) error {
	own, err := k.For(ctx, op, run)
	if err != nil {
		return err
	}
	if made.holds(own.Parts) {
		return Impossible{"the role has the credential of the run itself"}
	}
	return nil
}

// checkScopes returns an [Impossible] if a token was granted with scopes other than those requested.
func checkScopes(made Credential, requirement spec.Requirement, role Role) error {
	for _, token := range made.tokens {
		if token.unscoped {
			return Impossible{"the token endpoint does not know the scopes that are declared"}
		}
		for _, s := range requirement {
			declared := role.Secrets[s.Name].Scopes
			for _, scope := range token.scopes {
				if len(declared) > 0 && !slices.Contains(declared, scope) {
					return Impossible{"the token endpoint grants the role more than it declares"}
				}
			}
		}
	}
	return nil
}

// lacksScope reports whether a role declares scopes for a scheme of a requirement that lack a required one and do not include it.
func lacksScope(k *Keyring, requirement spec.Requirement, role string) bool {
	return slices.ContainsFunc(requirement, func(s spec.Security) bool {
		secret, own := k.Roles[role].Secrets[s.Name]
		if !own || len(secret.Scopes) == 0 || s.Type != "oauth2" && s.Type != "openIdConnect" {
			return false
		}
		return slices.ContainsFunc(s.Scopes, func(asked string) bool {
			return !slices.ContainsFunc(secret.Scopes, func(has string) bool { return includes(has, asked) })
		})
	})
}

// includes reports whether a scope may include another one, as services interpret them: its name is part of the other's, or suggests that
// it allows more.
func includes(has, asked string) bool {
	has, asked = strings.ToLower(has), strings.ToLower(asked)
	return strings.Contains(asked, has) || strings.Contains(has, "*") || strength(has) > strength(asked)
}

// strength estimates how much a scope allows by the words in its name: 1 for changes, 2 for administration.
func strength(scope string) int {
	strongest := 0
	for _, word := range strings.FieldsFunc(scope, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		switch word {
		case "admin", "all", "full", "root", "super", "superuser", "owner", "manage", "manager", "any", "everything", "staff", "internal", "system":
			strongest = 2
		case "write", "edit", "modify", "update", "create", "delete", "rw", "readwrite", "send", "post", "push", "maintain":
			strongest = max(strongest, 1)
		}
	}
	return strongest
}
