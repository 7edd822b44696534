package credential_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
)

// Where Basic and a bearer token are taken, the right secret of one may be right in the other; where one of them is, it is not.
func TestSecretsOfOneSchemeInAnother(t *testing.T) {
	basic := spec.Security{Name: "basic", Type: "http", Scheme: "basic"}
	bearer := spec.Security{Name: "bearer", Type: "http", Scheme: "bearer"}
	words := func(schemes ...spec.Security) []string {
		op := &spec.Operation{}
		for _, s := range schemes {
			op.Security = append(op.Security, spec.Requirement{s})
		}
		var all []string
		for _, c := range credential.WrongFor(op) {
			all = append(all, c.Words)
		}
		return all
	}
	both, alone := words(basic, bearer), slices.Concat(words(basic), words(bearer))
	for _, across := range []string{credential.RightUnderBasic, credential.RightAsUser, credential.RightAsPassword, credential.PairAsBearer} {
		if !slices.Contains(alone, across) {
			t.Errorf("%q is not tried where one scheme is taken", across)
		}
		for _, s := range []spec.Security{basic, bearer} {
			if slices.Contains(both, across+credential.ForScheme+s.Name) {
				t.Errorf("%q is tried for %s, where both schemes are taken", across, s.Name)
			}
		}
	}
	if want := credential.WrongPassword + credential.ForScheme + "basic"; !slices.Contains(both, want) {
		t.Errorf("%q is not tried", want)
	}
}
