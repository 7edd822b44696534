package config

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const withCredentials = `
defaults:
  credentials:
    shared: {env: SHARED}
    key: {env: OF_DEFAULTS}
targets:
  staging:
    address: x
    credentials:
      key: {env: KEY}
      basic: {user: ann, password: {file: pw}}
      oauth: {client-id: {env: ID}, client-secret: {env: SECRET}, token-url: https://id.example/token, scopes: [a, b]}
      session:
        login:
          method: put
          path: /session?tenant=${A}
          headers: {Authorization: {env: BASIC}}
          body: '{"pin": "${N}", "cost": "$$5"}'
          token: /data/token
          lifetime: 10m
    roles:
      admin:
        key: {env: ADMIN}
  other:
    address: y
`

func TestCredentials(t *testing.T) {
	f := readText(t, withCredentials)
	target, err := f.Target("staging", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := target.Role("admin")
	if err != nil {
		t.Fatal(err)
	}
	want := []Credential{
		{Scheme: "basic", User: "ann", Password: &Source{File: "dir/pw"}},
		{Scheme: "key", Secret: &Source{Env: "ADMIN"}},
		{
			Scheme: "oauth", ClientFrom: &Source{Env: "ID"}, ClientSecret: &Source{Env: "SECRET"},
			TokenURL: "https://id.example/token", Scopes: []string{"a", "b"},
		},
		{Scheme: "session", Login: &Login{
			Method: "PUT", Path: "/session?tenant=a", Headers: []Header{{Name: "Authorization", From: &Source{Env: "BASIC"}, Secret: true}},
			Body: `{"pin": "12", "cost": "$5"}`, Token: "/data/token", Lifetime: 10 * time.Minute, Variables: []string{"A", "N"},
		}},
		{Scheme: "shared", Secret: &Source{Env: "SHARED"}},
	}
	ignored := []cmp.Option{
		cmpopts.IgnoreUnexported(Credential{}, Source{}, Header{}), cmpopts.IgnoreFields(Credential{}, "Line"),
		cmpopts.IgnoreFields(Source{}, "Line"), cmpopts.IgnoreFields(Header{}, "Line"),
	}
	if diff := cmp.Diff(want, got, ignored...); diff != "" {
		t.Error(diff)
	}
	if own, err := target.Role(""); err != nil || own[1].Secret.Env != "KEY" {
		t.Errorf("%+v, %v", own, err)
	}
	other, err := f.Target("other", nil)
	if err != nil || len(other.Credentials) != 2 || len(other.Roles) != 0 {
		t.Errorf("%+v, %v", other, err)
	}
	if nameless, err := f.Target("", nil); err != nil || len(nameless.Credentials)+len(nameless.Roles) > 0 {
		t.Errorf("an address that is none of the file's gets credentials: %+v, %v", nameless, err)
	}
}

// A mistake is reported with its line, and without text that may be a secret.
func TestCredentialMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"key: S3CRET":                 "do not write a secret into a file",
		"key: [S3CRET]":               "do not write a secret into a file",
		"key: {S3CRET: 1}":            "only env, file, user",
		"key: {S3CRET: 1, S3CRET: 2}": "is here twice",
		"key: {}":                     "the place of the secret is missing",
		"key: {env: A, file: b}":      "env and file exclude each other",
		"key: {env: A, user: b, password: {env: C}}": "exclude each other",
		"key: {user: b}":                                                    "user and password belong together",
		"key: {user: b, password: S3CRET}":                                  "do not write a secret into a file",
		"key: {user: b, password: {S3CRET: x}}":                             "only env and file",
		"key: {client-secret: {env: A}}":                                    "client-secret needs client-id",
		"key: {login: {path: /a}}":                                          "name the place of the token",
		"key: {login: {token: /a}}":                                         "there is no path",
		"key: {login: {path: /a, token: a}}":                                "begins with /",
		"key: {login: {path: /a, token: /a, lifetime: 5}}":                  "expected text",
		"key: {login: {path: /a, token: /a, lifetime: -5s}}":                "a length of time",
		"key: {login: {path: /a, token: /a, lifetime: 5s, expires-in: /e}}": "lifetime and expires-in exclude each other",
		"key: {login: {path: /a, token: /a, method: FLY}}":                  "expected one of GET",
		"key: {login: {path: /a, token: /a, body: '${PW:-S3CRET}'}}":        "a default for a secret",
		"key: {login: {path: /a, token: /a, headers: {'a b': c}}}":          "letters, digits and hyphens",
		"key: {login: {path: /a, token: /a, token-cookie: b}}":              "with one of token",
		"key: {login: {path: /a, token: /a, S3CRET: b}}":                    "only method, path",
	} {
		f := readText(t, "targets:\n  t:\n    credentials:\n      "+text+"\n")
		err := f.Err()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "S3CRET") || !strings.Contains(err.Error(), "f:4:") {
			t.Errorf("%s: %v", text, err)
		}
	}
	f := readText(t, "targets:\n  t:\n    credentials:\n      key: {login: {path: /a, token: /a, body: '${LACKING}'}}\n")
	target, err := f.Target("t", nil)
	if err != nil {
		t.Fatalf("who needs no credential needs no variable: %v", err)
	}
	if _, err := target.Role(""); err == nil || !strings.Contains(err.Error(), "the environment has no LACKING") {
		t.Error(err)
	}
}

func TestCredentialsAreInTheSchema(t *testing.T) {
	schema, err := testShape().Schema()
	if err != nil || !json.Valid(schema) {
		t.Fatal(err)
	}
	for _, name := range append(credentialNames(), loginNames()...) {
		if !strings.Contains(string(schema), `"`+name+`": {`) {
			t.Errorf("the schema has no %s", name)
		}
	}
}
