package options_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// demanding is an operation that demands both of two schemes.
func demanding() []spec.Operation {
	return []spec.Operation{{ID: "list", Security: []spec.Requirement{{
		{Name: "app-key", Type: "apiKey", In: "header", Key: "X-Key"}, {Name: "login", Type: "http", Scheme: "basic"},
	}}}}
}

func (c *command) keyring(variables map[string]string, roles ...string) (*scheme.Keyring, error) {
	key := scheme.Secret{Text: variables["HALLMARK_API_KEY"], Place: "HALLMARK_API_KEY"}
	return c.Settings.Keyring(c.env, demanding(), "https://a.example.com", key, &http.Client{}, false, roles...)
}

func TestKeyring(t *testing.T) {
	const file = `targets:
  a:
    base-url: "https://a.example.com/v1"
    credentials:
      login: {user: "${WHO:-ann}", password: {file: pw}}
      unused: {env: A_TOKEN}
    roles:
      boss: {app-key: {env: BOSS_KEY}}
`
	inFolder(t, map[string]string{"hallmark.yaml": file, "pw": "Pass-1\n"})
	variables := map[string]string{"HALLMARK_API_KEY": "general", "BOSS_KEY": "of-boss", "A_TOKEN": "t"}
	cmd, err := parse(t, variables)
	if err != nil {
		t.Fatal(err)
	}
	k, err := cmd.keyring(variables, "", "boss")
	if err != nil {
		t.Fatal(err)
	}
	op := demanding()[0]
	for role, want := range map[string]string{"": "general $HALLMARK_API_KEY", "boss": "of-boss $HALLMARK_CREDENTIAL_APP_KEY_BOSS"} {
		c, err := k.For(t.Context(), &op, role)
		if err != nil || len(c.Parts) != 2 || c.Parts[0].Value+" "+c.Parts[0].Shown != want || c.Parts[1].Value != "Basic YW5uOlBhc3MtMQ==" {
			t.Errorf("%q: %+v, %v", role, c, err)
		}
	}
	for name, value := range map[string]string{"BOSS_KEY": "", "A_TOKEN": ""} {
		before := variables[name]
		variables[name] = value
		if _, err := cmd.keyring(variables, "boss"); err == nil || !strings.Contains(err.Error(), "the environment has no "+name) || !strings.Contains(err.Error(), "hallmark.yaml:") {
			t.Errorf("%s: %v", name, err)
		}
		variables[name] = before
	}
	// The other roles are for scenarios that act as somebody else; a role whose secret is missing is left out.
	for key, there := range map[string]bool{"of-boss": true, "": false} {
		variables["BOSS_KEY"] = key
		k, err := cmd.keyring(variables, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, known := k.Roles["boss"]; known != there {
			t.Errorf("the role is known: %v, want %v", known, there)
		}
	}
	variables["BOSS_KEY"] = ""
	if _, err := cmd.keyring(variables, ""); err != nil {
		t.Errorf("a role that is not asked for needs no secret: %v", err)
	}
	if _, err := cmd.keyring(variables, "bos"); err == nil || !strings.Contains(err.Error(), "did you mean boss?") {
		t.Error(err)
	}
}

// The rule for the API key holds for the secrets of schemes, too: a file that is found above does not decide who gets them.
func TestCredentialsAreNotSentWhereAFileAboveSays(t *testing.T) {
	const address = "targets:\n  a:\n    base-url: \"https://a.example.com/v1\"\n"
	for name, c := range map[string]struct {
		file  string
		args  []string
		wrong bool
	}{
		"an address":               {address, nil, true},
		"named as a place":         {address + "    credentials: {app-key: {env: HALLMARK_CREDENTIAL_APP_KEY}, login: {env: LOGIN}}\n", nil, true},
		"a log-in":                 {"targets:\n  a:\n    credentials: {login: {env: LOGIN}, app-key: {login: {path: \"https://b.example.com\", body: \"${HALLMARK_CREDENTIAL_APP_KEY}\", token: /a}}}\n", []string{"--target", "a", "--base-url", "https://b.example.com/v1"}, true},
		"a token endpoint":         {"targets:\n  a:\n    credentials: {login: {env: LOGIN}, app-key: {client-id: a, client-secret: {env: HALLMARK_CREDENTIAL_APP_KEY}, token-url: \"https://b.example.com\"}}\n", []string{"--target", "a", "--base-url", "https://b.example.com/v1"}, true},
		"the file was named":       {address, []string{"--config", "../hallmark.yaml"}, false},
		"the address was given":    {address, []string{"--base-url", "https://b.example.com/v1"}, false},
		"the target has their own": {address + "    credentials: {app-key: {env: A_KEY}, login: {env: LOGIN}}\n", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"hallmark.yaml": c.file, "below/empty": ""})
			t.Chdir("below")
			variables := map[string]string{"HALLMARK_CREDENTIAL_APP_KEY": "general", "HALLMARK_CREDENTIAL_LOGIN": "a:b", "A_KEY": "of-a", "LOGIN": "c:d"}
			cmd, err := parse(t, variables, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			_, err = cmd.keyring(variables, "")
			const refused = "a file in a parent folder must not decide where HALLMARK_CREDENTIAL_"
			if c.wrong != (err != nil) || c.wrong && !strings.Contains(err.Error(), refused) {
				t.Error(err)
			}
		})
	}
}

func TestKeyringOfAuthFile(t *testing.T) {
	inFolder(t, map[string]string{
		"hallmark.yaml": "targets:\n  a:\n    base-url: \"https://a.example.com/v1\"\n    auth-file: auth.yaml\n    roles: {boss: {app-key: {env: BOSS_KEY}}}\n",
		"auth.yaml":     "auth:\n- name: ann\n  fixedHeaders: [{name: X-Key, value: of-ann}]\n- name: bob\n  fixedHeaders: [{name: X-Key, value: of-bob}]\n",
	})
	variables := map[string]string{"HALLMARK_API_KEY": "general", "BOSS_KEY": "of-boss", "HALLMARK_CREDENTIAL_LOGIN": "a:b"}
	cmd, err := parse(t, variables)
	if err != nil {
		t.Fatal(err)
	}
	k, err := cmd.keyring(variables, "", "bob", "boss")
	if err != nil {
		t.Fatal(err)
	}
	op := demanding()[0]
	for role, want := range map[string]string{"": "of-ann", "bob": "of-bob", "boss": "of-boss"} {
		c, err := k.For(t.Context(), &op, role)
		if err != nil || len(c.Parts) != 2 || c.Parts[0].Value != want {
			t.Errorf("%q: %+v, %v", role, c, err)
		}
	}
	if _, err := cmd.keyring(variables, "eve"); err == nil || !strings.Contains(err.Error(), "the roles are boss, ann and bob") {
		t.Error(err)
	}
}

func TestWarnCredentials(t *testing.T) {
	inFolder(t, map[string]string{"hallmark.yaml": "targets:\n  a: {base-url: \"https://a.example.com/v1\", credentials: {login: {env: HALLMARK_CREDENTIAL_OF_A}}}\n"})
	cmd, err := parse(t, map[string]string{"HALLMARK_CREDENTIAL_OF_A": "1"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.env.Stderr = &out
	cmd.Settings.WarnCredentials(cmd.env, demanding(), []string{
		"HALLMARK_CREDENTIAL_OF_A=1", "HALLMARK_CREDENTIAL_APP_KEY=2", "HALLMARK_CREDENTIAL_LOGON=s3cret", "HALLMARK_CREDENTIAL_EMPTY=", "HOME=/",
	})
	const want = "hallmark: warning: the variable HALLMARK_CREDENTIAL_LOGON is not read: the contract has no such scheme; did you mean HALLMARK_CREDENTIAL_LOGIN?\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
}
