package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testShape has a key of each kind.
func testShape() *Shape {
	return &Shape{
		Keys: []Key{
			{Name: "address", Kind: Text}, {Name: "file", Kind: Path}, {Name: "count", Kind: Number}, {Name: "on", Kind: Switch},
			{Name: "time", Kind: Duration}, {Name: "day", Kind: Date}, {Name: "size", Kind: Choice, Choices: []string{"big", "small"}},
			{Name: "any", Kind: Any}, {Name: "rate", Kind: Decimal}, {Name: "rule", Kind: Text, List: true}, {Name: "raw", Kind: Text, Verbatim: true},
			{Name: "even", Kind: Number, Check: func(text string) error {
				if strings.Trim(text[len(text)-1:], "02468") != "" {
					return errors.New("odd")
				}
				return nil
			}},
		},
		Refused: map[string]string{"never": "because"},
		Nearest: func(word string, known []string) string {
			for _, k := range known {
				if strings.HasPrefix(k, word) {
					return k
				}
			}
			return ""
		},
		CheckHeader: func(name string) error {
			if name == "Host" {
				return errors.New("no Host")
			}
			return nil
		},
		SecretHeader: func(name string) bool { return name == "Token" },
	}
}

func environment(name string) (string, bool) {
	text, there := map[string]string{"A": "a", "N": "12", "EMPTY": ""}[name]
	return text, there
}

func readText(t *testing.T, text string) *File {
	t.Helper()
	f, err := testShape().Read([]byte(text), "f", "dir", environment)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "${A}": "a", "x${A}y${A}": "xaya", "$$": "$", "$${A}": "${A}", "$$$$": "$$",
		"${EMPTY:-x}": "x", "${NOT:-}": "", "${NOT:-a b}": "a b", "${A:-x}": "a", "${NOT:-$}": "$", "}": "}", "{A}": "{A}",
	} {
		got, err := expand(text, environment)
		if err != nil || got.text != want || len(got.missing) > 0 {
			t.Errorf("%s: got %q, missing %v, %v; want %q", text, got.text, got.missing, err, want)
		}
	}
	for text, missing := range map[string][]string{"${NOT}": {"NOT"}, "${EMPTY}": {"EMPTY"}, "${X} ${A} ${Y}": {"X", "Y"}} {
		if got, err := expand(text, environment); err != nil || !cmp.Equal(got.missing, missing) {
			t.Errorf("%s: missing %v, %v; want %v", text, got.missing, err, missing)
		}
	}
	for _, text := range []string{"$", "$A", "a$", "${", "${A", "${}", "${A B}", "${A-x}", "${1}", "$ {A}", "$$$"} {
		if got, err := expand(text, environment); err == nil {
			t.Errorf("%s: no error, but %q", text, got.text)
		}
	}
}

func TestValues(t *testing.T) {
	for value, want := range map[string]string{
		"address: x": "address=x", `address: "12"`: "address=12", "address: x${A}": "address=xa", "address: $$": "address=$",
		"address: ''": "address=", "file: a/b": "file=dir/a/b", "file: /a": "file=/a", "file: '-'": "file=-", "file: none": "file=none",
		"file: ${A}": "file=dir/a", "count: 12": "count=12", "count: -9223372036854775808": "count=-9223372036854775808",
		"count: 9007199254740993": "count=9007199254740993", "count: ${N}": "count=12", "on: true": "on=true", "on: False": "on=False",
		"on: ${NOT:-true}": "on=true", "time: 10s": "time=10s", "time: 1": "time=1", "day: 2027-01-31": "day=2027-01-31",
		"day: 2027-01-31T10:00:00Z": "day=2027-01-31T10:00:00Z", "size: big": "size=big", "any: 1.5": "any=1.5", "any: 1.10": "any=1.10",
		"rate: 0.5": "rate=0.5", "rate: 5": "rate=5", "any: true": "any=true", "any: x": "any=x", "rule: a": "rule=a", "rule: [a, b]": "rule=a,b", "rule: []": "rule=",
		"rule: [x, '${A}']": "rule=x,a", "raw: x${A}": "raw=x${A}", "even: 12": "even=12", "address: |\n      x": "address=x\n",
		"address: &x y": "address=y",
	} {
		f := readText(t, "targets:\n  t:\n    "+value+"\n")
		target, err := f.Target("t", nil)
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		for name, s := range target.Settings {
			if got := name + "=" + strings.Join(s.Texts, ","); got != strings.TrimRight(want, "\n") && got != want || s.Line != 3 {
				t.Errorf("%s: got %s in line %d, want %s", value, got, s.Line, want)
			}
		}
		if len(target.Settings) != 1 {
			t.Errorf("%s: %d settings", value, len(target.Settings))
		}
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"a":                         "f:1:1: the file: expected keys with values, not text",
		"addres: x":                 `f:1:1: there is no key "addres"; did you mean address? It belongs to a target: write it under targets: and the target's name, or under defaults:`,
		"never: x":                  `f:1:1: the key "never" is not allowed in a file: because`,
		"zzz: x":                    `f:1:1: there is no key "zzz" here; the keys are targets, defaults, target`,
		"target: x":                 `f:1:9: target: there is no target "x"; the file has none`,
		"target: 5":                 "f:1:9: target: expected text, not the number 5; put it into quotes",
		"targets: x":                "f:1:10: targets: expected keys with values, not text",
		"targets: {t: x}":           "f:1:14: the target t: expected keys with values, not text",
		"targets: {? [a] : x}":      "f:1:13: targets: a key is a word, not a list",
		"targets: {t: , t: }":       `f:1:16: the key "t" is here twice, first in line 1`,
		"targets: {'': }":           `f:1:11: "" cannot be the name of a target: it needs letters, and no blanks or commas`,
		"targets: {-x: }":           `f:1:11: "-x" cannot be the name of a target: it needs letters, and no blanks or commas`,
		"targets: {\"a\\u009b\": }": `f:1:11: "a\u009b" cannot be the name of a target: it needs letters, and no blanks or commas`,
		"defaults: [x]":             "f:1:11: defaults: expected keys with values, not a list",
	} {
		if err := readText(t, text).Err(); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
	for value, want := range map[string]string{
		"addr: x":                                 `there is no key "addr" here; did you mean address?`,
		"token: x":                                `there is no key "token" here; did you mean api-key?`,
		"address: 1":                              "address: expected text, not the number 1; put it into quotes",
		"address: true":                           "address: expected text, not true; put it into quotes",
		"address: 2027-01-31":                     "address: expected text, not a date; put it into quotes",
		"address: !x y":                           "address: expected text, not a value of the kind \"!x\"; put it into quotes",
		"address: !%1b%5bm y":                     "address: expected text, not a value of the kind \"!\\x1b[m\"; put it into quotes",
		"address:":                                "address: there is no value; write text, or leave the line out",
		"address: {a: b}":                         "address: expected text, not keys with values",
		"address: $A":                             "address: a dollar sign stands alone; write ${NAME} for an environment variable, and $$ for a dollar sign",
		"file: [a]":                               "file: expected the name of a file, not a list",
		"count: x":                                "count: expected a whole number, not text",
		"count: '5'":                              "count: expected a whole number, not text; write it without quotes",
		"rate: x":                                 "rate: expected a number, not text",
		"rate: '0.5'":                             "rate: expected a number, not text; write it without quotes",
		"count: true":                             "count: expected a whole number, not true",
		"on: 1":                                   "on: expected true or false, not the number 1",
		"on: yes":                                 `on: expected true or false, not the text "yes"`,
		"on: 'true'":                              `on: expected true or false, not the text "true"`,
		"time: true":                              "time: expected a length of time such as 10s or 1m30s, not true",
		"day: 5":                                  "day: expected a date such as 2027-01-31, not the number 5",
		"any: [a]":                                "any: expected a text or a number, not a list",
		"rule: {a: b}":                            "rule: expected text, or a list of such, not keys with values",
		"rule: [a, [b]]":                          "rule: expected text, not a list",
		"rule: [a, null]":                         "rule: there is no value; write text, or leave the line out",
		"even: 13":                                "even: odd",
		"raw: ${A:-x}":                            "raw: a default such as ${NAME:-…} is not known here, since the value may hold a secret, and a default for a secret is a secret in a file; write ${NAME}",
		"api-key: literal":                        "api-key: do not write a key into a file that is shared; write {env: NAME}, with the name of a variable of the environment, or {file: PATH}",
		"api-key: {env: x y}":                     "api-key.env: expected the name of a variable, made of letters, digits and _, without a $",
		"api-key: {env: 5}":                       "api-key.env: expected the name of a variable, made of letters, digits and _, without a $",
		"api-key: {file: ''}":                     "api-key.file: no name is given",
		"api-key: {}":                             "api-key: its place is missing; write {env: NAME}, with the name of a variable of the environment, or {file: PATH}",
		"api-key: {env: A, file: b}":              "api-key: env and file exclude each other",
		"api-key: {literal4711}":                  "api-key: only env and file are allowed here, not a key; write {env: NAME}, with the name of a variable of the environment, or {file: PATH}",
		"api-key: {env: A, env: literal4711}":     "a key of api-key is here twice, first in line 3",
		"headers: {X-Token: 4711}":                "headers.X-Token: expected text; put it into quotes",
		"address: ${4711}":                        "address: a ${…} names no variable; write ${NAME} or ${NAME:-default}, and $$ for a dollar sign",
		"api-key: {value: literal}":               "api-key: only env and file are allowed here, not a key; write {env: NAME}, with the name of a variable of the environment, or {file: PATH}",
		"production: maybe":                       `production: expected true or false, not the text "maybe"`,
		"production: ${NOT:-true}":                "production: write true or false here: an environment variable cannot set it",
		"headers: x":                              "headers: expected keys with values, not text",
		"headers: {Host: x}":                      "headers: no Host",
		"headers: {A: x, a: y}":                   "headers: a is here twice, first in line 3",
		"headers: {A: }":                          "headers.A: there is no value; write text, or leave the line out",
		"headers: {A: {}}":                        "headers.A: there is no value; write a text, or one of {env: NAME}, {file: PATH}, {value: TEXT, secret: true}",
		"headers: {A: {secret: true}}":            "headers.A: there is no value; write a text, or one of {env: NAME}, {file: PATH}, {value: TEXT, secret: true}",
		"headers: {A: {value: x, env: B}}":        "headers.A: value and the place where it is found exclude each other",
		`headers: {A: "x\ny"}`:                    "headers.A: the value contains a control character, which a header cannot",
		"implementation: {org: x}":                `there is no key "org" here; did you mean organization?`,
		"implementation: {url: 5}":                "implementation.url: expected text, not the number 5; put it into quotes",
		"<<: {a: b}":                              "the target t: << is not supported; write what several targets share under defaults:",
		"address: ${NOT}":                         "address: the environment has no NOT; set it, or write ${NOT:-…} with what to take instead",
		"api-key: {file: '${NOT}'}":               "api-key.file: the environment has no NOT; set it, or write ${NOT:-…} with what to take instead",
		"headers: {A: '${NOT}'}":                  "headers.A: the environment has no NOT; set it",
		"headers: {A: 'Token ${NOT:-s3cr3t}'}":    secretDefault,
		"headers: {A: {value: '${NOT:-s3cr3t}'}}": secretDefault,
		"headers: {A: {value: '${NOT:-s3cr3t}', secret: true}}":      secretDefault,
		"headers: {Token: {value: '${NOT:-s3cr3t}', secret: false}}": strings.Replace(secretDefault, "headers.A", "headers.Token", 1),
		"headers: {A: {file: '${NOT}'}}":                             "headers.A.file: the environment has no NOT; set it, or write ${NOT:-…} with what to take instead",
		"implementation: {url: '${NOT}'}":                            "implementation.url: the environment has no NOT; set it, or write ${NOT:-…} with what to take instead",
	} {
		_, err := readText(t, "targets:\n  t:\n    "+value+"\n").Target("t", nil)
		if err == nil || atLineThree.ReplaceAllString(err.Error(), "") != want || !atLineThree.MatchString(err.Error()) {
			t.Errorf("%s:\ngot  %v\nwant f:3:…: %s", value, err, want)
		}
	}
}

const secretDefault = "headers.A: a header with a variable in it is a secret, and a default for a secret is a secret in a file; " +
	"write ${NAME} without a default, or {value: …, secret: false} where it is none"

// A header that is declared not to be secret may have a default.
func TestDefaultOfAHeader(t *testing.T) {
	target, err := readText(t, "targets:\n  t:\n    headers: {Route: {value: '${NOT:-pets}', secret: false}}\n").Target("t", nil)
	if err != nil || len(target.Headers) != 1 || target.Headers[0].Value != "pets" || target.Headers[0].Secret {
		t.Errorf("got %+v, %v", target, err)
	}
}

// atLineThree matches the place of all the mistakes in TestProblems.
var atLineThree = regexp.MustCompile(`^f:3:[0-9]+: `)

// A target takes precedence over the defaults, key by key and header by header; unused variables need not be set.
func TestDefaults(t *testing.T) {
	f := readText(t, `
target: b
defaults:
  address: ${NOT_HERE}
  count: 1
  api-key: {env: COMMON}
  production: true
  headers: {X-A: common, X-B: common}
  implementation: {url: common, contact: common}
targets:
  a:
    address: own
    api-key: {file: own}
    production: false
    headers: {x-a: own}
    implementation: {url: own}
  b:
  c: {address: "${NOR_HERE}"}
`)
	if err := f.Err(); err != nil {
		t.Fatal(err)
	}
	if name, line, err := f.Default(); name != "b" || line != 2 || err != nil {
		t.Errorf("default %s in line %d, %v", name, line, err)
	}
	a, err := f.Target("a", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Line != 11 || a.Production || a.Key.File != filepath.Join("dir", "own") || a.Key.Env != "" || len(a.Settings) != 2 ||
		a.Settings["address"].Texts[0] != "own" || a.Settings["count"].Line != 5 || a.Implementation != (Implementation{URL: "own", Contact: "common"}) {
		t.Errorf("a is %+v, its key %+v", a, a.Key)
	}
	if len(a.Headers) != 2 || a.Headers[0].Value != "common" || a.Headers[0].Name != "X-B" || a.Headers[1].Value != "own" {
		t.Errorf("the headers of a are %+v", a.Headers)
	}
	if _, err := f.Target("b", nil); err == nil || !strings.Contains(err.Error(), "f:4:12: address: the environment has no NOT_HERE") {
		t.Errorf("b: %v", err)
	}
	b, err := f.Target("b", map[string]bool{"address": true})
	if err != nil || !b.Production || b.ProductionLine != 7 || b.Key.Env != "COMMON" {
		t.Errorf("b is %+v, %v", b, err)
	}
	if _, err := f.Target("c", nil); err == nil || !strings.Contains(err.Error(), "NOR_HERE") || strings.Contains(err.Error(), "NOT_HERE") {
		t.Errorf("c: %v", err)
	}
	alone, err := f.Target("", map[string]bool{"address": true})
	if err != nil || alone.Key != nil || len(alone.Headers) > 0 || alone.Implementation != (Implementation{}) || alone.Settings["count"].Texts[0] != "1" {
		t.Errorf("an address of nobody is %+v, %v", alone, err)
	}
	if f.Production("a") || !f.Production("b") || f.Value("a", "address") != "own" || f.Value("b", "address") != "" {
		t.Error("what is known of targets that are not chosen is wrong")
	}
}

func TestHeadersAndSecrets(t *testing.T) {
	f := readText(t, `
targets:
  t:
    headers:
      A: plain
      B: x ${A}
      C: {env: VARIABLE}
      D: {file: f}
      E: {value: x, secret: true}
      F: {env: VARIABLE, secret: false}
      G: {value: x}
`)
	target, err := f.Target("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Header{
		{Name: "A", Value: "plain", Line: 5},
		{Name: "B", Value: "x a", Secret: true, Line: 6, names: []string{"A"}},
		{Name: "C", From: &Source{Env: "VARIABLE", Line: 7}, Secret: true, Line: 7},
		{Name: "D", From: &Source{File: filepath.Join("dir", "f"), Line: 8}, Secret: true, Line: 8},
		{Name: "E", Value: "x", Secret: true, Line: 9},
		{Name: "F", From: &Source{Env: "VARIABLE", Line: 10}, Line: 10},
		{Name: "G", Value: "x", Line: 11},
	}
	if diff := cmp.Diff(want, target.Headers, cmp.AllowUnexported(Header{}, Source{})); diff != "" {
		t.Error(diff)
	}
}

func TestDefaultTarget(t *testing.T) {
	for text, want := range map[string]string{
		"targets: {a: }":                         "a",
		"targets: {a: , b: }":                    "f has several targets; name one with --target: a, b",
		"targets: {a: , b: }\ntarget: b":         "b",
		"":                                       "f has no targets; add one, or give an address with --base-url",
		"target: ${NOT}\ntargets: {a: }":         "f:1:9: target: the environment has no NOT; set it, or write ${NOT:-…} with what to take instead",
		"target: ${NOT:-b}\ntargets: {a: , b: }": "b",
		"targets:":                               "f has no targets; add one, or give an address with --base-url",
		"# only this":                            "f has no targets; add one, or give an address with --base-url",
	} {
		name, _, err := readText(t, text).Default()
		if err != nil {
			name = err.Error()
		}
		if name != want {
			t.Errorf("%q: got %s, want %s", text, name, want)
		}
	}
}

func TestNoYAML(t *testing.T) {
	for text, want := range map[string]string{
		"a: [":            "f:1:5: it is not YAML: it ends too early: a bracket is not closed",
		"a: b\n---\nc: d": "f: there are several documents; remove the --- lines and keep one",
		"a: *secret4711":  "put a text that begins with * into quotes",
		"\x00":            "f:1:1: it is not YAML: it contains the control character U+0000",
		"\xff\xfea":       "UTF",
	} {
		_, err := testShape().Read([]byte(text), "f", ".", environment)
		var problem Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "4711") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(filepath.Join(root, "a", Name), 0o755); err != nil { // a folder of that name is none
		t.Fatal(err)
	}
	if err := os.Mkdir(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if found, err := Find(deep); found != "" || err != nil {
		t.Errorf("found %q, %v", found, err)
	}
	want := filepath.Join(root, Name)
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{root, filepath.Join(root, "a"), deep} {
		if found, err := Find(from); found != want || err != nil {
			t.Errorf("from %s: found %q, %v", from, found, err)
		}
	}
}

// FuzzRead looks for texts that are not read to an end, or whose literal keys are shown.
func FuzzRead(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("targets: {a: {api-key: secret4711}}"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("defaults: &d {count: 1}\ntargets: {a: *d, b: {<<: *d}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := testShape().Read(data, "f", "dir", environment)
		if err != nil {
			return
		}
		_ = file.Err()
		_, _, _ = file.Default()
		for _, name := range append(file.Targets(), "") {
			if target, err := file.Target(name, nil); (target == nil) == (err == nil) {
				t.Errorf("%q: a target or an error, not %v and %v", name, target, err)
			}
		}
	})
}
