package scheme

import (
	"context"
	"fmt"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/credential"
)

// ofAlternative makes the right credential of the alternative of an operation whose schemes have these names. The error is an [Impossible]
// where the role lacks a secret of it. The API key may not be meant for a scheme, so it serves only the alternative that requests carry.
func ofAlternative(ctx context.Context, k *Keyring, op *spec.Operation, role, names string) (Credential, error) {
	// A refusal says that this alternative does not let in, and not that the run has lost its access: so it is not called the right one.
	made := Credential{Words: credential.OfAlternative + names, role: role}
	usual, _ := k.choose(op, role, "")
	why := fmt.Errorf("%s has no alternative %q", op.ID, names)
	for _, requirement := range op.Security {
		if requirement.Names() != names {
			continue
		}
		if why = k.owns(requirement, role, usual.Names() == names); why != nil {
			continue
		}
		for _, s := range requirement {
			if err := k.add(ctx, role, s, &made); err != nil {
				return Credential{}, err
			}
		}
		return made, addWhole(ctx, k, role, &made)
	}
	return Credential{}, why
}

// owns returns an [Impossible] where a role lacks the secret of a scheme of a requirement. The API key counts as one only if key is true.
func (k *Keyring) owns(requirement spec.Requirement, role string, key bool) error {
	places := map[string]bool{}
	var missing []string
	for _, s := range requirement {
		place := s.Place()
		if place != "" && places[place] {
			return Impossible{"a request carries one credential in " + strings.ReplaceAll(place, " ", " of ")}
		}
		places[place] = true
		served := k.Roles[role].Secrets[s.Name].Variable == KeyVariable
		if !k.has(role, s) || served && !key {
			missing = append(missing, Variable(s.Name))
		}
	}
	if len(missing) > 0 {
		return Impossible{"each alternative needs a secret of its own; set " + text.Enumerate(missing, "and")}
	}
	return nil
}
