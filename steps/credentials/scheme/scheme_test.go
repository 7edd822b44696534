package scheme_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// schemes of every type.
var (
	header  = spec.Security{Name: "app-key", Type: "apiKey", In: "header", Key: "X-App-Key"}
	query   = spec.Security{Name: "queryKey", Type: "apiKey", In: "query", Key: "token"}
	cookie  = spec.Security{Name: "session", Type: "apiKey", In: "cookie", Key: "sid"}
	basic   = spec.Security{Name: "login", Type: "http", Scheme: "basic"}
	bearer  = spec.Security{Name: "jwt", Type: "http", Scheme: "bearer"}
	digest  = spec.Security{Name: "hmac", Type: "http", Scheme: "hmac"}
	oauth   = spec.Security{Name: "oauth", Type: "oauth2", Flows: []spec.Flow{{Kind: "clientCredentials", TokenURL: "/oauth/token"}}, Scopes: []string{"read"}}
	openID  = spec.Security{Name: "oidc", Type: "openIdConnect", OpenIDURL: "/id"}
	mutual  = spec.Security{Name: "cert", Type: "mutualTLS"}
	authKey = spec.Security{Name: "authKey", Type: "apiKey", In: "header", Key: "authorization"}
)

func operation(all ...spec.Requirement) *spec.Operation {
	return &spec.Operation{ID: "listBooks", Method: "GET", Path: "/books", Security: all}
}

// environment returns a lookup of "NAME=value" texts.
func environment(all ...string) scheme.Lookup {
	return func(name string) (string, bool) {
		for _, one := range all {
			if key, value, _ := strings.Cut(one, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

// keyring returns the keyring of an operation, with secrets of the environment.
func keyring(t testing.TB, op *spec.Operation, environ ...string) *scheme.Keyring {
	t.Helper()
	schemes := scheme.All([]spec.Operation{*op})
	lookup := environment(environ...)
	key, _ := lookup(scheme.KeyVariable)
	role, err := scheme.Read(schemes, scheme.Sources{Key: key, KeyPlace: scheme.KeyVariable, Lookup: lookup})
	if err != nil {
		t.Fatal(err)
	}
	return scheme.New(scheme.Config{
		Schemes: schemes, Roles: map[string]scheme.Role{"": role}, BaseURL: "http://127.0.0.1:1", Client: &http.Client{},
		Certificate: slices.Contains(environ, "certificate=yes"),
	})
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// carried writes what a credential carries.
func carried(c scheme.Credential) string {
	var all []string
	for _, p := range c.Parts {
		all = append(all, p.In+" "+p.Name+"="+p.Value)
	}
	return strings.Join(all, "; ")
}

func TestFor(t *testing.T) {
	type alternatives = []spec.Requirement
	for name, test := range map[string]struct {
		security alternatives
		environ  []string
		want     string
	}{
		"header":       {alternatives{{header}}, []string{"HALLMARK_CREDENTIAL_APP_KEY=k-1"}, "header X-App-Key=k-1"},
		"query":        {alternatives{{query}}, []string{"HALLMARK_CREDENTIAL_QUERYKEY=a b&c"}, "query token=a b&c"},
		"cookie":       {alternatives{{cookie}}, []string{"HALLMARK_CREDENTIAL_SESSION=abc"}, "cookie sid=abc"},
		"basic":        {alternatives{{basic}}, []string{"HALLMARK_CREDENTIAL_LOGIN=ann:p:w"}, "header Authorization=Basic " + b64("ann:p:w")},
		"bearer":       {alternatives{{bearer}}, []string{"HALLMARK_CREDENTIAL_JWT=e30.e30.x"}, "header Authorization=Bearer e30.e30.x"},
		"another":      {alternatives{{digest}}, []string{"HALLMARK_CREDENTIAL_HMAC=HMAC id=1, sig=2"}, "header Authorization=HMAC id=1, sig=2"},
		"ready token":  {alternatives{{oauth}}, []string{"HALLMARK_CREDENTIAL_OAUTH=tok"}, "header Authorization=Bearer tok"},
		"OpenID token": {alternatives{{openID}}, []string{"HALLMARK_CREDENTIAL_OIDC=tok"}, "header Authorization=Bearer tok"},
		"API key for all": {
			alternatives{{header, query}},
			[]string{"HALLMARK_API_KEY=one", "HALLMARK_CREDENTIAL_QUERYKEY=two"}, "header X-App-Key=one; query token=two",
		},
		"API key is not for Basic":   {alternatives{{basic}, {header}}, []string{"HALLMARK_API_KEY=one"}, "header X-App-Key=one"},
		"first of several":           {alternatives{{bearer}, {header}}, []string{"HALLMARK_CREDENTIAL_APP_KEY=k", "HALLMARK_CREDENTIAL_JWT=j"}, "header Authorization=Bearer j"},
		"one that was meant for it":  {alternatives{{bearer}, {header}}, []string{"HALLMARK_API_KEY=j", "HALLMARK_CREDENTIAL_APP_KEY=k"}, "header X-App-Key=k"},
		"one that takes the API key": {alternatives{{bearer}, {header}}, []string{"HALLMARK_API_KEY=a key"}, "header X-App-Key=a key"},
		"the one that is there":      {alternatives{{bearer}, {basic, header}, {header}}, []string{"HALLMARK_CREDENTIAL_APP_KEY=k"}, "header X-App-Key=k"},
		"all of them":                {alternatives{{basic, header, cookie}}, []string{"HALLMARK_CREDENTIAL_APP_KEY=k", "HALLMARK_CREDENTIAL_LOGIN=a:b", "HALLMARK_CREDENTIAL_SESSION=s"}, "header Authorization=Basic " + b64("a:b") + "; header X-App-Key=k; cookie sid=s"},
		"one place for two":          {alternatives{{basic, bearer}, {header}}, []string{"HALLMARK_CREDENTIAL_JWT=j", "HALLMARK_CREDENTIAL_LOGIN=a:b", "HALLMARK_CREDENTIAL_APP_KEY=k"}, "header X-App-Key=k"},
		"optional, given":            {alternatives{{}, {header}}, []string{"HALLMARK_CREDENTIAL_APP_KEY=k"}, "header X-App-Key=k"},
		"optional, not given":        {alternatives{{header}, {}}, nil, ""},
		"none":                       {nil, []string{"HALLMARK_API_KEY=one"}, ""},
		"certificate":                {alternatives{{mutual}, {header}}, []string{"certificate=yes"}, ""},
		"no certificate":             {alternatives{{mutual}, {header}}, []string{"HALLMARK_API_KEY=k"}, "header X-App-Key=k"},
	} {
		t.Run(name, func(t *testing.T) {
			op := operation(test.security...)
			for range 5 {
				c, err := keyring(t, op, test.environ...).For(t.Context(), op, "")
				if err != nil || !c.Right || carried(c) != test.want {
					t.Fatalf("%q, %v; want %q", carried(c), err, test.want)
				}
			}
		})
	}
}

func TestMissing(t *testing.T) {
	for want, security := range map[string][]spec.Requirement{
		"no credential is given for it; set HALLMARK_CREDENTIAL_APP_KEY or HALLMARK_API_KEY, or name its place under credentials: in hallmark.yaml":                                                                             {{header}},
		"no credential is given for it; set HALLMARK_CREDENTIAL_LOGIN (user:password), or name its place under credentials: in hallmark.yaml":                                                                                   {{basic}},
		"no credential is given for it; set both HALLMARK_CREDENTIAL_LOGIN (user:password) and HALLMARK_CREDENTIAL_APP_KEY, HALLMARK_CREDENTIAL_JWT or HALLMARK_API_KEY, or name its place under credentials: in hallmark.yaml": {{basic, header}, {bearer}},
		"no credential is given for it; set HALLMARK_CREDENTIAL_OAUTH (a token, or id:secret of a client) or HALLMARK_API_KEY, or name its place under credentials: in hallmark.yaml":                                           {{oauth}},
		"no client certificate is given for it; add --client-cert": {{mutual}},
	} {
		op := operation(security...)
		_, err := keyring(t, op).For(t.Context(), op, "")
		if !errors.As(err, new(scheme.Missing)) || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestVariables(t *testing.T) {
	for name, want := range map[string]string{
		"bearerAuth": "HALLMARK_CREDENTIAL_BEARERAUTH", "api-key.v2": "HALLMARK_CREDENTIAL_API_KEY_V2", "Schlüssel 1": "HALLMARK_CREDENTIAL_SCHL_SSEL_1",
	} {
		if got := scheme.Variable(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	two := []spec.Security{{Name: "api-key", Type: "apiKey", In: "header", Key: "A"}, {Name: "api_key", Type: "apiKey", In: "query", Key: "a"}}
	_, err := scheme.Read(two, scheme.Sources{Lookup: environment("HALLMARK_CREDENTIAL_API_KEY=s3cret")})
	if err == nil || !strings.Contains(err.Error(), `the schemes "api-key" and "api_key" both read this variable`) || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
	own := scheme.Role{Secrets: map[string]scheme.Secret{"api-key": {Text: "own"}}}
	role, err := scheme.Read(two, scheme.Sources{Role: own, Lookup: environment("HALLMARK_CREDENTIAL_API_KEY=s3cret")})
	if err != nil || role.Secrets["api-key"].Text != "own" || role.Secrets["api_key"].Text != "s3cret" {
		t.Errorf("%+v, %v", role, err)
	}
	got := scheme.Unread([]spec.Security{header, bearer, mutual}, []string{"HALLMARK_CREDENTIAL_APPKEY", "HALLMARK_CREDENTIAL_JWT", "HALLMARK_CREDENTIAL_ZZZZZZZZZ", "HALLMARK_API_KEY", "HOME"})
	want := []string{
		"the variable HALLMARK_CREDENTIAL_APPKEY is not read: the contract has no such scheme; did you mean HALLMARK_CREDENTIAL_APP_KEY?",
		"the variable HALLMARK_CREDENTIAL_ZZZZZZZZZ is not read: the contract has no such scheme; the variables of its schemes are HALLMARK_CREDENTIAL_APP_KEY and HALLMARK_CREDENTIAL_JWT",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestBadSecretsAreNotShown(t *testing.T) {
	for _, test := range []struct {
		s     spec.Security
		value string
	}{
		{basic, "nocolonS3CRET"}, {basic, "user:S3CRET\x01"}, {bearer, "two S3CRET"}, {cookie, "S3CRET;"}, {header, " S3CRET\x02"}, {digest, "x S3CRET\n\n"},
		{spec.Security{Name: "o", Type: "oauth2", Flows: []spec.Flow{{Kind: "implicit"}}}, "id:S3CRET"},
	} {
		_, err := scheme.Read([]spec.Security{test.s}, scheme.Sources{Lookup: environment(scheme.Variable(test.s.Name) + "=" + test.value)})
		if err == nil || strings.Contains(err.Error(), "S3CRET") || !strings.Contains(err.Error(), scheme.Variable(test.s.Name)) {
			t.Errorf("%s, %q: %v", test.s.Name, test.value, err)
		}
	}
}

// everySecret is an environment with an odd secret for each scheme.
func everySecret(secret string) []string {
	var all []string
	for _, name := range []string{"APP_KEY", "QUERYKEY", "SESSION", "JWT", "HMAC", "OAUTH", "OIDC", "AUTHKEY"} {
		all = append(all, "HALLMARK_CREDENTIAL_"+name+"="+secret)
	}
	return append(all, "HALLMARK_CREDENTIAL_LOGIN=ann:"+secret)
}

var secrets = []string{
	"Shop-Key-4711-abcXYZ", "k", "aa", "qqqqqqqq", "xxxx", "abc=", "YWJjZGVm", "deadbeef00", "123e4567-e89b-12d3-a456-426614174000", "12345678",
	strings.Repeat("Long1!", 20), "e30.e30.abcdefA", "$HOME`x`\\\"!'",
}

// No wrong credential is ever a right one, of any alternative.
func TestWrongCredentialsAreNeverRight(t *testing.T) {
	all := []spec.Security{header, query, cookie, basic, bearer, digest, oauth, openID, authKey}
	var operations []*spec.Operation
	for i, a := range all {
		operations = append(operations, operation(spec.Requirement{a}))
		for _, b := range all[i+1:] {
			operations = append(operations, operation(spec.Requirement{a, b}), operation(spec.Requirement{a}, spec.Requirement{b}),
				operation(spec.Requirement{a}, spec.Requirement{a, b}), operation(spec.Requirement{a, b}, spec.Requirement{b}))
		}
	}
	made, impossible := 0, 0
	for _, secret := range secrets {
		for _, op := range operations {
			schemes := scheme.All([]spec.Operation{*op})
			role, err := scheme.Read(schemes, scheme.Sources{Lookup: environment(everySecret(secret)...)})
			if err != nil {
				continue // no scheme of this kind can carry such a secret
			}
			k := scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": role}})
			var right []scheme.Credential
			for _, requirement := range op.Security {
				c, err := k.For(t.Context(), operation(requirement), "")
				if err == nil {
					right = append(right, c)
				}
			}
			for _, wrong := range scheme.Words(op) {
				c, err := k.Make(t.Context(), op, "", wrong.Words)
				if err != nil {
					if !errors.As(err, new(scheme.Impossible)) {
						t.Fatalf("%s: %v", wrong.Words, err)
					}
					impossible++
					continue
				}
				made++
				for _, r := range right {
					if !c.Right && covers(c, r) {
						t.Errorf("%q with %q is right: %s", wrong.Words, secret, carried(c))
					}
				}
			}
		}
	}
	if made < 10*impossible {
		t.Logf("made %d, impossible %d", made, impossible)
	}
	if made < 1000 {
		t.Errorf("only %d were made", made)
	}
}

// covers reports whether all that a right credential carries is in another.
func covers(c, right scheme.Credential) bool {
	for _, want := range right.Parts {
		if !slices.ContainsFunc(c.Parts, func(p scheme.Part) bool {
			return p.In == want.In && strings.EqualFold(p.Name, want.Name) && p.Value == want.Value
		}) {
			return false
		}
	}
	return true
}

func TestWrongCredentials(t *testing.T) {
	one := []string{"HALLMARK_CREDENTIAL_APP_KEY=Key-4711", "HALLMARK_CREDENTIAL_LOGIN=ann:Pass1", "HALLMARK_CREDENTIAL_SESSION=s-12345", "HALLMARK_CREDENTIAL_AUTHKEY=Bearer tok-en1"}
	for _, test := range []struct {
		security []spec.Requirement
		words    string
		want     string // empty for an Impossible
	}{
		{[]spec.Requirement{{header}}, credential.EmptyKey, "header X-App-Key="},
		{[]spec.Requirement{{header}}, "the right key without its last character", "header X-App-Key=Key-471"},
		{[]spec.Requirement{{header}}, "the right key with its case swapped", "header X-App-Key=kEY-4711"},
		{[]spec.Requirement{{header}}, credential.KeyElsewhere, "query X-App-Key=Key-4711"},
		{[]spec.Requirement{{header}}, credential.KeyRenamed, "header hallmark-X-App-Key=Key-4711"},
		{[]spec.Requirement{{header}, {query}}, credential.KeyElsewhere + credential.ForScheme + "app-key", ""},
		{[]spec.Requirement{{basic}}, credential.WithoutPassword, "header Authorization=Basic " + b64("ann:")},
		{[]spec.Requirement{{basic}}, credential.WithoutUser, "header Authorization=Basic " + b64(":Pass1")},
		{[]spec.Requirement{{basic}}, credential.PasswordShorter, "header Authorization=Basic " + b64("ann:Pass")},
		{[]spec.Requirement{{basic}}, credential.PasswordSwapped, "header Authorization=Basic " + b64("ann:pASS1")},
		{[]spec.Requirement{{basic}}, credential.PasswordLonger, "header Authorization=Basic " + b64("ann:Pass1x")},
		{[]spec.Requirement{{basic}}, credential.PairAsBearer, "header Authorization=Bearer ann:Pass1"},
		{[]spec.Requirement{{authKey}}, "the right key without its last character", "header authorization=Bearer tok-en"},
		{[]spec.Requirement{{authKey}}, "the right key with its first character changed", ""},
		{[]spec.Requirement{{basic, header}}, "missing for login", "header X-App-Key=Key-4711"},
		{[]spec.Requirement{{basic, header}}, "missing for app-key", "header Authorization=Basic " + b64("ann:Pass1")},
		{[]spec.Requirement{{basic, header}, {header}}, "missing for login", ""}, // the key alone lets in
		{[]spec.Requirement{{header}, {header, cookie}}, credential.EmptyKey + " for session", ""},
		{[]spec.Requirement{{header, cookie}}, credential.EmptyKey + " for session", "header X-App-Key=Key-4711; cookie sid="},
		{[]spec.Requirement{{header}, {bearer}}, "an empty bearer token for jwt", ""}, // no secret for it
	} {
		op := operation(test.security...)
		c, err := keyring(t, op, one...).Make(t.Context(), op, "", test.words)
		switch {
		case test.want == "" && !errors.As(err, new(scheme.Impossible)):
			t.Errorf("%s: %s, %v; want it to be impossible", test.words, carried(c), err)
		case test.want != "" && (err != nil || carried(c) != test.want || c.Right):
			t.Errorf("%s: %s, %v; want %s", test.words, carried(c), err, test.want)
		}
	}
	op := operation(spec.Requirement{header})
	for _, exact := range []bool{false, true} { // either case of hexadecimal digits may be right, unless a rule states otherwise
		k := keyring(t, op, "HALLMARK_CREDENTIAL_APP_KEY=4711ab")
		k.ExactCase = func(*spec.Operation) bool { return exact }
		c, err := k.Make(t.Context(), op, "", "the right key with its case swapped")
		if impossible := errors.As(err, new(scheme.Impossible)); impossible == exact || exact && carried(c) != "header X-App-Key=4711AB" {
			t.Errorf("case is exact: %t: %s, %v", exact, carried(c), err)
		}
	}
	if _, err := keyring(t, op, one...).Make(t.Context(), op, "", "nonsense"); err == nil || errors.As(err, new(scheme.Impossible)) {
		t.Error(err)
	}
	if words := scheme.Words(operation(spec.Requirement{}, spec.Requirement{header})); words != nil {
		t.Errorf("whoever lets anybody in refuses nothing: %v", words)
	}
	certified := operation(spec.Requirement{mutual}, spec.Requirement{header})
	if _, err := keyring(t, certified, append(one, "certificate=yes")...).Make(t.Context(), certified, "", "missing"); !errors.As(err, new(scheme.Impossible)) {
		t.Errorf("the certificate lets in: %v", err)
	}
}

// Ways to carry a bearer token that a contract leaves open.
func TestOpenTokens(t *testing.T) {
	op := operation(spec.Requirement{bearer})
	for words, want := range map[string]string{
		credential.TokenLowerCase: "header Authorization=bearer tok-en1",
		credential.TokenBare:      "header Authorization=tok-en1",
		credential.TokenInQuery:   "query access_token=tok-en1",
	} {
		c, err := keyring(t, op, "HALLMARK_CREDENTIAL_JWT=tok-en1").Make(t.Context(), op, "", words)
		if err != nil || carried(c) != want || c.Right || !c.Open {
			t.Errorf("%s: %s, right %v, open %v, %v; want %s", words, carried(c), c.Right, c.Open, err, want)
		}
	}
}

// What records show in place of a secret does not hold it, and is the secret again in a shell that knows it.
func TestShownIsTheSecretInAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	for _, secret := range []string{"Shop-Key-4711-abcXYZ", "qqqqqqqq", "abc+/==", "a'b\"c$d`e\\f"} {
		var script strings.Builder
		var want []string
		for _, s := range []spec.Security{header, query, cookie, basic, bearer, digest, oauth} {
			op := operation(spec.Requirement{s})
			schemes := scheme.All([]spec.Operation{*op})
			role, err := scheme.Read(schemes, scheme.Sources{Lookup: environment(everySecret(secret)...)})
			if err != nil {
				continue
			}
			k := scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": role}})
			for _, words := range append([]string{"right"}, words(op)...) {
				c, err := k.Make(t.Context(), op, "", words)
				if err != nil {
					continue
				}
				for _, p := range c.Parts {
					if strings.Contains(p.Shown, secret) {
						t.Errorf("%s shows the secret: %s", words, p.Shown)
					}
					script.WriteString("printf '%s\\n' \"" + p.Shown + "\"\n")
					want = append(want, p.Value)
				}
			}
		}
		cmd := exec.CommandContext(t.Context(), bash, "-c", script.String())
		cmd.Env = append(os.Environ(), everySecret(secret)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%q: a shell makes %q of it, want %q", secret, got[i], want[i])
				}
			}
		}
		if len(want) < 20 {
			t.Errorf("only %d were tried", len(want))
		}
	}
}

func words(op *spec.Operation) []string {
	var all []string
	for _, c := range slices.Concat(scheme.Words(op), credential.OpenFor(op)) {
		all = append(all, c.Words)
	}
	return all
}
