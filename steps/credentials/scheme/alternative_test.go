package scheme_test

import (
	"errors"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

func TestCredentialsOfAlternatives(t *testing.T) {
	op := operation(spec.Requirement{header}, spec.Requirement{bearer}, spec.Requirement{header, basic})
	own := func(text string) scheme.Secret { return scheme.Secret{Text: text} }
	key := scheme.Secret{Text: "key", Variable: scheme.KeyVariable}
	for name, c := range map[string]struct {
		secrets map[string]scheme.Secret
		of      string
		parts   int // 0 where it cannot be made
	}{
		"the first":                         {map[string]scheme.Secret{"app-key": own("k"), "jwt": own("t")}, "app-key", 1},
		"the second":                        {map[string]scheme.Secret{"app-key": own("k"), "jwt": own("t")}, "jwt", 1},
		"two together":                      {map[string]scheme.Secret{"app-key": own("k"), "login": own("u:p")}, "app-key and login", 2},
		"one of two is missing":             {map[string]scheme.Secret{"app-key": own("k")}, "app-key and login", 0},
		"no secret":                         {map[string]scheme.Secret{"app-key": own("k")}, "jwt", 0},
		"the API key serves what is usual":  {map[string]scheme.Secret{"app-key": key, "jwt": key}, "app-key", 1},
		"the API key may be of another one": {map[string]scheme.Secret{"app-key": key, "jwt": key}, "jwt", 0},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := of(map[string]map[string]scheme.Secret{"": c.secrets}, op).Make(t.Context(), op, "", credential.OfAlternative+c.of)
			switch {
			case c.parts == 0 && !errors.As(err, new(scheme.Impossible)):
				t.Errorf("%+v, %v; it cannot be made", made, err)
			case c.parts > 0 && (err != nil || len(made.Parts) != c.parts || made.Right):
				t.Errorf("%+v, %v", made, err)
			}
		})
	}
}
