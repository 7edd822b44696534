package options_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
)

// flagOfHooks returns the flag --before, and the hooks that it collects.
func flagOfHooks() (*cli.Value, *options.Options) {
	o, flags := options.DefaultOptions(), pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.AddFlags(flags)
	v, _ := flags.Lookup("before").Value.(*cli.Value)
	return v, &o
}

func TestParseHook(t *testing.T) {
	for given, want := range map[string]options.Hook{
		"./seed.sh --all":                                        {Command: []string{"./seed.sh", "--all"}},
		`./seed.sh "a b" 'c "d"' ''`:                             {Command: []string{"./seed.sh", "a b", `c "d"`, ""}},
		"[./seed.sh, --count, 3]":                                {Command: []string{"./seed.sh", "--count", "3"}},
		`["sh", "-c", "a | b"]`:                                  {Command: []string{"sh", "-c", "a | b"}},
		"{command: ./seed.sh all}":                               {Command: []string{"./seed.sh", "all"}},
		"{command: [a, b], folder: c}":                           {Command: []string{"a", "b"}, Folder: "c"},
		"{command: a | b, shell: true}":                          {Command: []string{"sh", "-c", "a | b"}},
		"POST /reset":                                            {Method: "POST", Path: "/reset"},
		"DELETE /books?all=true":                                 {Method: "DELETE", Path: "/books?all=true"},
		"{path: /reset}":                                         {Method: "POST", Path: "/reset"},
		"{method: put, path: /a, body: text}":                    {Method: "PUT", Path: "/a", Body: "text"},
		"{path: /a, body: {b: [1, c]}, headers: {X-B: c, A: d}}": {Method: "POST", Path: "/a", Body: `{"b":[1,"c"]}`, Headers: []string{"A: d", "X-B: c"}},
	} {
		flag, o := flagOfHooks()
		if err := flag.Set(given); err != nil || !reflect.DeepEqual(o.Hooks.Before, []options.Hook{want}) {
			t.Errorf("%s: %+v, %v", given, o.Hooks.Before, err)
		}
	}
	for given, want := range map[string]string{
		"":                               "there is no command and no request",
		"a | b":                          "the command contains |, which only a shell understands",
		"a $B":                           "the command contains $, which only a shell understands",
		`a "b`:                           "a quote in the command is not closed",
		"[]":                             "there is no command",
		"[a, [b]]":                       "a command is a list of words",
		"[a":                             "it is not YAML: the [ of line 1, column 1 is not closed",
		"{}":                             "a hook has either a command or the path of a request",
		"{command: a, path: /b}":         "a hook has either a command or the path of a request",
		"{command: a, body: b}":          "method, headers and body belong to a request",
		"{path: /a, shell: true}":        "shell and folder belong to a command",
		"{path: /a, method: BREW}":       "the method is one of GET, POST, PUT, PATCH, DELETE",
		"{command: [a, b], shell: true}": "shell: true takes the command as one text",
		"{command: 3}":                   "the key command has a value of another kind",
		"{path: /a, headers: {b: 1}}":    "the key headers has a value of another kind",
		"{run: a}":                       `a hook has no key "run"`,
	} {
		flag, o := flagOfHooks()
		if err := flag.Set(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %s", given, o.Hooks.Before, err, want)
		}
	}
}

func TestHooksOfAFile(t *testing.T) {
	const file = `targets:
  a:
    base-url: "https://a.example.com/v1"
    before: [./seed.sh, --all]
    between-phases: POST /reset
    after:
      - {path: /clean, headers: {Authorization: "Bearer ${TOKEN}"}, body: {all: true}}
      - [drop, it]
      - {command: x, folder: tools}
    hook-timeout: 5s
`
	inFolder(t, map[string]string{"hallmark.yaml": file})
	cmd, err := parse(t, nil, "--before-each", "./seed.sh a,b")
	if err != nil {
		t.Fatal(err)
	}
	want := options.Hooks{
		Before: []options.Hook{{Command: []string{"./seed.sh", "--all"}}}, BetweenPhases: []options.Hook{{Method: "POST", Path: "/reset"}},
		After: []options.Hook{
			{Method: "POST", Path: "/clean", Headers: []string{"Authorization: Bearer ${TOKEN}"}, Body: `{"all":true}`},
			{Command: []string{"drop", "it"}}, {Command: []string{"x"}, Folder: "tools"},
		},
		BeforeEach: []options.Hook{{Command: []string{"./seed.sh", "a,b"}}}, Timeout: cmd.Hooks.Timeout,
	}
	if !reflect.DeepEqual(cmd.Hooks, want) || cmd.Hooks.Timeout.Seconds() != 5 {
		t.Errorf("%+v", cmd.Hooks)
	}
	// A flag or a variable, which is one hook whatever commas are in it, replaces those of the file.
	cmd, err = parse(t, map[string]string{"HALLMARK_AFTER": "[clean, a, b]"}, "--before", "other", "--before", "GET /x")
	if err != nil || len(cmd.Hooks.Before) != 2 || !reflect.DeepEqual(cmd.Hooks.After, []options.Hook{{Command: []string{"clean", "a", "b"}}}) {
		t.Errorf("%+v, %v", cmd.Hooks, err)
	}

	// A file in a parent folder runs nothing, unless it is named; its commands run in its folder.
	inFolder(t, map[string]string{"hallmark.yaml": file, "below/x": ""})
	t.Chdir("below")
	cmd, err = parse(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Settings.CheckHooks(); err == nil || !strings.Contains(err.Error(), "before: a file in a parent folder must not run hooks; add --config ../hallmark.yaml") {
		t.Errorf("found above: %v", err)
	}
	cmd, err = parse(t, nil, "--config", "../hallmark.yaml")
	if err != nil || cmd.Settings.CheckHooks() != nil || len(cmd.Hooks.After) != 3 || cmd.Hooks.Before[0].Folder != ".." || cmd.Hooks.After[2].Folder != "../tools" {
		t.Errorf("named: %+v, %v", cmd.Hooks, err)
	}

	inFolder(t, map[string]string{"hallmark.yaml": strings.NewReplacer("[./seed.sh, --all]", "3", "POST /reset", "{run: x}").Replace(file)})
	_, err = parse(t, nil)
	for _, text := range []string{"hallmark.yaml:4:13: before: expected a command or a request, not the number 3", `hallmark.yaml:5:21: between-phases: a hook has no key "run"`} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v\nwant %s", err, text)
		}
	}
}

func TestHooksAreShownWithoutSecrets(t *testing.T) {
	for given, want := range map[string]string{
		"./seed.sh 'a b'":                            "./seed.sh 'a b'",
		`["./seed.sh", "a b"]`:                       "./seed.sh 'a b'",
		"{path: /a, headers: {Authorization: hush}}": "POST /a …",
		"{path: /a, body: hush}":                     "POST /a …",
		"POST /a":                                    "POST /a",
	} {
		flag, _ := flagOfHooks()
		if got := flag.Display(given); got != want {
			t.Errorf("%s: %s", given, got)
		}
	}
}
