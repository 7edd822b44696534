package authfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/authfile"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []authfile.User
	}{
		"fixed headers": {`
schemaVersion: "0.1.0"
configs: {maxTime: "5m"}
auth:
  - name: ann
    fixedHeaders:
      - {name: authorization, value: " Basic YW5uOnB3 "}
  - name: bob
    fixedHeaders:
      - {name: X-Key, value: "12"}
      - {name: X-Tenant, value: books}
`, []authfile.User{
			{Name: "ann", Role: scheme.Role{Headers: []scheme.Header{{Name: "Authorization", Value: "Basic YW5uOnB3"}}}},
			{Name: "bob", Role: scheme.Role{Headers: []scheme.Header{{Name: "X-Key", Value: "12"}, {Name: "X-Tenant", Value: "books"}}}},
		}},
		"cookies by a template": {`
auth:
  - name: ann
    loginEndpointAuth:
      payloadRaw: "{\"user\": \"ann\", \"password\": \"Pass-1\"}"
  - name: bob
    loginEndpointAuth:
      contentType: application/x-www-form-urlencoded
      payloadUserPwd: {username: b&b, password: "4 5", usernameField: user, passwordField: pwd}
authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
    expectCookies: true
`, []authfile.User{
			{Name: "ann", Role: scheme.Role{Login: &scheme.Login{
				Method: "POST", URL: "/login", AtRoot: true, ContentType: "application/json", Cookies: true,
				Body: `{"user": "ann", "password": "Pass-1"}`, Secrets: []string{"Pass-1"},
			}}},
			{Name: "bob", Role: scheme.Role{Login: &scheme.Login{
				Method: "POST", URL: "/login", AtRoot: true, ContentType: "application/x-www-form-urlencoded", Cookies: true,
				Body: "user=b%26b&pwd=4+5", Secrets: []string{"4 5"},
			}}},
		}},
		"a token of the body, as in earlier versions": {`
auth:
  - name: ann
    loginEndpointAuth:
      externalEndpointURL: https://id.example.com/token
      verb: put
      headers: [{name: x-tenant, value: books}]
      payloadUserPwd: {username: ann, password: 'a"b<', usernameField: user, passwordField: password}
      token: {extractFromField: /data/token, httpHeaderName: Authorization, headerPrefix: "Bearer ", headerPostfix: null}
`, []authfile.User{{Name: "ann", Role: scheme.Role{Login: &scheme.Login{
			Method: "PUT", URL: "https://id.example.com/token", AtRoot: true, Headers: []scheme.Header{{Name: "X-Tenant", Value: "books"}},
			Body: `{"user": "ann", "password": "a\"b<"}`, Secrets: []string{`a"b<`},
			Pointer: "/data/token", SendIn: "header", SendName: "Authorization", SendAs: "Bearer {token}",
		}}}}},
		"a token of a header, as in later ones": {`
auth:
  - name: ann
    loginEndpointAuth:
      endpoint: /login
      verb: GET
      token: {extractFrom: header, extractSelector: X-Auth, sendIn: query, sendName: key, sendTemplate: "t-{token}"}
`, []authfile.User{{Name: "ann", Role: scheme.Role{Login: &scheme.Login{
			Method: "GET", URL: "/login", AtRoot: true, Header: "X-Auth", SendIn: "query", SendName: "key", SendAs: "t-{token}",
		}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := authfile.Read([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	const login = "auth:\n  - name: ann\n    loginEndpointAuth:\n      "
	for text, want := range map[string]string{
		"":                           "it is empty",
		"a: [":                       "line 1: it is not YAML, at column 5",
		`{"auth": S3CRET}`:           "line 1: auth: expected a list",
		`{"auth": S3CRET`:            "line 1: it is not JSON, at column 10",
		"[]":                         "line 1: the file: expected keys",
		"auth: {}":                   "line 1: auth: expected a list",
		"auth: [S3CRET]":             "line 1: auth: expected keys",
		"auth: [{name: a}]":          "neither fixedHeaders nor loginEndpointAuth",
		"auth: [{fixedHeaders: []}]": "a user has no name",
		"auth:\n- {name: a, fixedHeaders: [{name: A, value: S3CRET}]}\n- {name: a, fixedHeaders: [{name: A, value: S3CRET}]}": "line 3: the user \"a\" is defined twice",
		"auth:\n- {name: a, fixedHeaders: [{name: 'A B', value: S3CRET}]}":                                                    "line 2: the user a: fixedHeaders: a header's name",
		"auth:\n- {name: a, fixedHeaders: [{name: A, value: \"S3CRET\\0\"}]}":                                                 "control character",
		"auth:\n- {name: a, requireMockHandling: true, fixedHeaders: [{name: A, value: b}]}":                                  "requireMockHandling",
		"auth:\n- {name: a, fixedHeader: [{name: A, value: b}]}":                                                              "line 2: auth: unknown key fixedHeader",
		login + "verb: FLY":                                                                                     "expected one of POST",
		login + "verb: POST\n      expectCookies: true":                                                         "neither endpoint nor externalEndpointURL",
		login + "verb: POST\n      endpoint: /a":                                                                "neither token nor expectCookies",
		login + "verb: POST\n      endpoint: /a\n      token: {extractFromField: x}":                            "begins with /",
		login + "verb: POST\n      endpoint: /a\n      token: {}":                                               "name the place of the token",
		login + "verb: POST\n      endpoint: /a\n      expectCookies: 1":                                        "expected true or false",
		login + "verb: POST\n      externalEndpointURL: 'file:///a'":                                            "http://",
		login + "verb: POST\n      endpoint: /a\n      payloadUserPwd: {username: a}":                           "there is no password",
		login + "verb: POST\n      endpoint: /a\n      payloadRaw: S3CRET\n      payloadUserPwd: {username: a}": "exclude each other",
	} {
		_, err := authfile.Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "S3CRET") {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("auth:\n  - name: a\n    fixedHeaders: [{name: A, value: b}]\nauthTemplate: {loginEndpointAuth: {verb: POST}}\n"))
	f.Add([]byte("auth: &a\n  - *a\nauthTemplate: *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		users, err := authfile.Read(data)
		if err == nil && users == nil && !strings.Contains(string(data), "auth") {
			t.Error("nothing was read, and nothing is wrong")
		}
	})
}
