package scheme

import (
	"context"
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
)

// ofAlternative returns the right credential of the alternative of an operation that consists of the named schemes. The error is an
// [Impossible] if the role lacks one of its secrets. The API key may not be meant for a scheme, so it serves only the alternative that
// other requests use.
func ofAlternative(ctx context.Context, k *Keyring, op *spec.Operation, role, names string) (Credential, error) {
	// A refusal means that this alternative does not grant access, not that the run has lost its access. So Right is not set.
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
			if err := k.addPart(ctx, role, s, &made); err != nil {
				return Credential{}, err
			}
		}
		return made, addWhole(ctx, k, role, &made)
	}
	return Credential{}, why
}

// owns returns an [Impossible] if a role lacks the secret of a scheme of a requirement. The API key counts only if key is true.
func (k *Keyring) owns(requirement spec.Requirement, role string, key bool) error {
	places := map[string]bool{}
	var missing []string
	for _, s := range requirement {
		place := s.Place()
		if place != "" && places[place] {
			return Impossible{"a request can carry only one credential in " + strings.ReplaceAll(place, " ", " of ")}
		}
		places[place] = true
		served := k.Roles[role].Secrets[s.Name].Variable == KeyVariable
		if !k.has(role, s) || served && !key {
			missing = append(missing, Variable(s.Name))
		}
	}
	if len(missing) > 0 {
		return Impossible{"each alternative needs its own secret; set " + text.Enumerate(missing, "and")}
	}
	return nil
}
