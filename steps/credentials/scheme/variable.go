package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// VariablePrefix is the prefix of the variables that hold the secrets of schemes.
const VariablePrefix = "HALLMARK_CREDENTIAL_"

// Variable returns the name of the environment variable that holds the secret of a scheme: its name in upper case, with _ for
// every character that is neither a letter nor a digit of ASCII.
func Variable(scheme string) string {
	return VariablePrefix + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, scheme)
}

// All returns the schemes that operations name, once each, in the order of the operations and with the scopes of all of them.
func All(operations []spec.Operation) []spec.Security {
	var all []spec.Security
	index := map[string]int{}
	for _, op := range operations {
		for _, requirement := range op.Security {
			for _, s := range requirement {
				i, seen := index[s.Name]
				if !seen {
					i = len(all)
					index[s.Name] = i
					s.Scopes = slices.Clone(s.Scopes)
					all = append(all, s)
				}
				for _, scope := range s.Scopes {
					if !slices.Contains(all[i].Scopes, scope) {
						all[i].Scopes = append(all[i].Scopes, scope)
					}
				}
			}
		}
	}
	return all
}

// Unread returns a sentence for each variable with the prefix [VariablePrefix] that belongs to no scheme of the contract. names are those
// of the environment.
func Unread(schemes []spec.Security, names []string) []string {
	var known, short, all []string
	for _, s := range schemes {
		if name := Variable(s.Name); takesSecret(s) && !slices.Contains(known, name) {
			known, short = append(known, name), append(short, strings.TrimPrefix(name, VariablePrefix))
		}
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !strings.HasPrefix(name, VariablePrefix) || slices.Contains(known, name) {
			continue
		}
		sentence := fmt.Sprintf("the variable %s is not read: the contract has no such scheme; ", text.Visible(name))
		switch near := text.Similar(strings.TrimPrefix(name, VariablePrefix), short); {
		case near != "":
			sentence += "did you mean " + VariablePrefix + near + "?"
		case len(known) == 0:
			sentence += "it has none that takes a secret"
		default:
			sentence += "the variables of its schemes are " + text.Enumerate(known, "and")
		}
		all = append(all, sentence)
	}
	return all
}

// clash returns an error if two schemes read the same variable and it is set.
func clash(schemes []spec.Security, lacking func(spec.Security) bool, lookup Lookup) error {
	owners := map[string]string{}
	for _, s := range schemes {
		if !takesSecret(s) || !lacking(s) {
			continue
		}
		name := Variable(s.Name)
		if first, taken := owners[name]; taken && get(lookup, name) != "" {
			return fmt.Errorf("%s: the schemes %q and %q both read this variable; name the place of each secret under credentials: in hallmark.yaml",
				name, first, s.Name)
		}
		owners[name] = s.Name
	}
	return nil
}

// takesSecret reports whether a scheme takes a secret at all: certificates are given by --client-cert.
func takesSecret(s spec.Security) bool { return s.Type != "mutualTLS" }

// isBasic reports whether a scheme is HTTP Basic, which takes a user and a password.
func isBasic(s spec.Security) bool { return s.Type == "http" && s.Scheme == "basic" }

// isGranted reports whether a scheme takes a token granted by an endpoint.
func isGranted(s spec.Security) bool { return s.Type == "oauth2" || s.Type == "openIdConnect" }

// isBearer reports whether a scheme takes a bearer token (RFC 6750).
func isBearer(s spec.Security) bool { return isGranted(s) || s.Type == "http" && s.Scheme == "bearer" }
