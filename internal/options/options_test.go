package options_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// command is a parsed command line, with its effective values.
type command struct {
	options.Options
	env   *cli.Env
	flags *pflag.FlagSet
}

// parse reads a command line of run in the current folder, with the given environment.
func parse(t *testing.T, variables map[string]string, args ...string) (*command, error) {
	t.Helper()
	c := &command{
		Options: options.DefaultOptions(),
		flags:   pflag.NewFlagSet("run", pflag.ContinueOnError),
		env: &cli.Env{
			Lookup: func(name string) (string, bool) { v, ok := variables[name]; return v, ok },
			Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
		},
	}
	c.AddFlags(c.flags)
	if err := c.flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	var err error
	c.Settings, err = options.Resolve(c.env, c.flags)
	return c, err
}

// inFolder makes a folder with these files the current one.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
}

func TestPrecedence(t *testing.T) {
	inFolder(t, map[string]string{"hallmark.yaml": `targets:
  staging:
    base-url: https://staging.example.com/v1
    timeout: 20s
    concurrency: 4
    seed: 7
`})
	c, err := parse(t, map[string]string{"HALLMARK_CONCURRENCY": "2", "HALLMARK_SEED": "8", "HALLMARK_API_KEY": "a-key"}, "--seed", "9")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]options.Setting{}
	for _, s := range c.Settings.Effective(c.env, c.flags).Settings {
		shown[s.Key] = s
	}
	for _, want := range []options.Setting{
		{Key: "target", Value: "staging", From: "hallmark.yaml:2"},
		{Key: "base-url", Value: "https://staging.example.com/v1", From: "hallmark.yaml:3"},
		{Key: "timeout", Value: "20s", From: "hallmark.yaml:4"},
		{Key: "concurrency", Value: "2", From: "environment HALLMARK_CONCURRENCY"},
		{Key: "seed", Value: "9", From: "flag"},
		{Key: "confirm", Value: "1", From: "default"},
		{Key: "api-key", Value: "$HALLMARK_API_KEY (set, not shown)", From: "environment HALLMARK_API_KEY"},
	} {
		if got := shown[want.Key]; got.Value != want.Value || got.From != want.From {
			t.Errorf("%s is %q from %s; want %q from %s", want.Key, got.Value, got.From, want.Value, want.From)
		}
	}
	if c.MostAtOnce() != 2 || c.Run.Concurrency != 2 || c.Run.Seed != 9 || c.Run.Timeout.Seconds() != 20 {
		t.Errorf("the run takes concurrency %d, seed %d, timeout %v", c.Run.Concurrency, c.Run.Seed, c.Run.Timeout)
	}
}

// Unless a number is given, the run determines how many concurrent requests the service can handle.
func TestConcurrency(t *testing.T) {
	inFolder(t, map[string]string{
		"hallmark.yaml": "targets: {a: {base-url: 'https://a.example.com/v1', concurrency: auto}}",
		"wrong.yaml":    "targets: {a: {base-url: 'https://a.example.com/v1', concurrency: many}}",
	})
	for _, test := range []struct {
		args           []string
		is, mostAtOnce int
	}{
		{nil, client.Auto, client.MostWidth},
		{[]string{"--target", "a"}, client.Auto, client.MostWidth},
		{[]string{"--concurrency", "auto"}, client.Auto, client.MostWidth},
		{[]string{"--concurrency", "5"}, 5, 5},
	} {
		c, err := parse(t, nil, test.args...)
		if err != nil || c.Run.Concurrency != test.is || c.MostAtOnce() != test.mostAtOnce {
			t.Errorf("%v: %v, %d at most %d", test.args, err, c.Run.Concurrency, c.MostAtOnce())
		}
	}
	for _, wrong := range []string{"0", "-1", "many"} {
		if _, err := parse(t, map[string]string{"HALLMARK_CONCURRENCY": wrong}); err == nil || !strings.Contains(err.Error(), "nor auto") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if _, err := parse(t, nil, "--config", "wrong.yaml"); err == nil || !strings.Contains(err.Error(), "auto") {
		t.Errorf("wrong.yaml: %v", err)
	}
}

func TestKey(t *testing.T) {
	const file = `targets:
  plain: {base-url: "https://plain.example.com/v1"}
  own: {base-url: "https://own.example.com/v1", api-key: {env: OWN_KEY}}
  filed: {base-url: "https://filed.example.com/v1", api-key: {file: filed.key}}
`
	for name, c := range map[string]struct {
		variables map[string]string
		args      []string
		want      string // the key
		wrong     string // or a part of the error
	}{
		"of the environment":           {map[string]string{"HALLMARK_API_KEY": "general"}, []string{"--target", "plain"}, "general", ""},
		"of a file that is named":      {map[string]string{"HALLMARK_API_KEY": "general"}, []string{"--target", "own", "--api-key-file", "filed.key"}, "of-a-file", ""},
		"of the target":                {map[string]string{"HALLMARK_API_KEY": "general", "OWN_KEY": "its-own"}, []string{"--target", "own"}, "its-own", ""},
		"of the target's file":         {map[string]string{"HALLMARK_API_KEY": "general"}, []string{"--target", "filed"}, "of-a-file", ""},
		"never another target's":       {map[string]string{"HALLMARK_API_KEY": "general"}, []string{"--target", "own"}, "", "hallmark.yaml:3: api-key: the environment has no OWN_KEY; set it to the API key; HALLMARK_API_KEY is not used for a target that names a key of its own"},
		"none":                         {nil, []string{"--target", "plain"}, "", "HALLMARK_API_KEY"},
		"of an address beside targets": {map[string]string{"HALLMARK_API_KEY": "general", "OWN_KEY": "its-own"}, []string{"--base-url", "https://own.example.com/v1"}, "general", ""},
		"a file that is empty":         {nil, []string{"--target", "plain", "--api-key-file", "empty.key"}, "", "--api-key-file empty.key: the file is empty"},
		"a file that is not there":     {nil, []string{"--target", "plain", "--api-key-file", "none.key"}, "", "--api-key-file none.key: the file cannot be read"},
		"no header can carry it":       {map[string]string{"HALLMARK_API_KEY": "two\nlines-4711"}, []string{"--target", "plain"}, "", "the API key contains a blank, a control character"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"hallmark.yaml": file, "filed.key": "of-a-file\n", "empty.key": "\n"})
			cmd, err := parse(t, c.variables, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			target, err := cmd.Target(cmd.env)
			switch {
			case c.wrong == "" && (err != nil || target.Key != c.want):
				t.Errorf("the key is %q, %v; want %q", target.Key, err, c.want)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("the error is %v; want %q in it", err, c.wrong)
			case err != nil && strings.Contains(err.Error(), "4711"):
				t.Errorf("the error shows the key: %v", err)
			}
		})
	}
}

// The user of a folder may not know of a hallmark.yaml above it: that file does not decide who gets the key.
func TestKeyIsNotSentWhereAFileAboveSays(t *testing.T) {
	const refused = "a file in a parent folder must not decide where HALLMARK_API_KEY is sent"
	for name, c := range map[string]struct {
		file  string
		args  []string
		wrong string
	}{
		"an address":              {"targets:\n  a: {base-url: \"https://a.example.com/v1\"}\n", nil, refused},
		"a proxy":                 {"targets:\n  a: {proxy: \"http://a.example.com:3128\"}\n", []string{"--target", "a", "--base-url", "https://b.example.com/v1"}, refused},
		"the file was named":      {"targets:\n  a: {base-url: \"https://a.example.com/v1\"}\n", []string{"--config", "../hallmark.yaml"}, ""},
		"the address was given":   {"targets:\n  a: {base-url: \"https://a.example.com/v1\"}\n", []string{"--base-url", "https://b.example.com/v1"}, ""},
		"the target's key is its": {"targets:\n  a: {base-url: \"https://a.example.com/v1\", api-key: {env: A_KEY}}\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"hallmark.yaml": c.file, "below/empty": ""})
			t.Chdir("below")
			cmd, err := parse(t, map[string]string{"HALLMARK_API_KEY": "general", "A_KEY": "of-a"}, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			switch _, err := cmd.Target(cmd.env); {
			case c.wrong == "" && err != nil:
				t.Error(err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("the error is %v; want %q in it", err, c.wrong)
			}
		})
	}
}

func TestProduction(t *testing.T) {
	const file = `targets:
  live: {base-url: "https://pets.example.com/v1", production: true, read-only: false}
  staging: {base-url: "https://staging.example.com/v1"}
`
	for name, c := range map[string]struct {
		variables map[string]string
		args      []string
		readOnly  bool
		notice    string
		wrong     string
	}{
		"nothing is created":             {nil, []string{"--target", "live"}, true, "so nothing is created there", ""},
		"nor by a flag":                  {nil, []string{"--target", "live", "--read-only=false"}, true, "so nothing is created there", ""},
		"nor by a variable":              {map[string]string{"HALLMARK_READ_ONLY": "false"}, []string{"--target", "live"}, true, "so nothing is created there", ""},
		"nor at its address":             {nil, []string{"--base-url", "https://PETS.example.com:443/v1/"}, true, "so nothing is created there", ""},
		"nor in the name of another one": {nil, []string{"--target", "staging", "--base-url", "https://pets.example.com./v1"}, true, "so nothing is created there", ""},
		"unless it is allowed":           {nil, []string{"--target", "live", "--allow-writes"}, false, "allows creating resources there", ""},
		"by no variable":                 {map[string]string{"HALLMARK_ALLOW_WRITES": "true"}, []string{"--target", "live"}, false, "", "HALLMARK_ALLOW_WRITES has no effect"},
		"not both":                       {nil, []string{"--target", "live", "--allow-writes", "--read-only"}, false, "", "exclude each other"},
		"other targets are not guarded":  {nil, []string{"--target", "staging"}, false, "", ""},
		"nor is another path":            {nil, []string{"--base-url", "https://pets.example.com/test/v1"}, false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"hallmark.yaml": file})
			cmd, err := parse(t, c.variables, c.args...)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("the error is %v; want %q in it", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var notice bytes.Buffer
			cmd.Settings.Warn(&notice)
			if cmd.Run.Target.ReadOnly != c.readOnly || !strings.Contains(notice.String(), c.notice) || (notice.Len() > 0) != (c.notice != "") {
				t.Errorf("read-only is %t, and it says %q", cmd.Run.Target.ReadOnly, notice.String())
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	const file = `targets:
  a:
    base-url: https://a.example.com/v1
    api-key: {env: HALLMARK_API_KEY}
    headers: {X-Route: pets, X-Token: {env: TOKEN}}
`
	variables := map[string]string{"HALLMARK_API_KEY": "general", "TOKEN": "t0ken-4711"}
	for name, c := range map[string]struct {
		token string
		args  []string
		want  []client.Header // by name, value and whether it is secret
		wrong string
	}{
		"of the file":         {"t0ken-4711", nil, []client.Header{{Name: "X-Route", Value: "pets"}, {Name: "X-Token", Value: "t0ken-4711", Secret: true}}, ""},
		"a flag wins":         {"t0ken-4711", []string{"--header", "x-route: cats"}, []client.Header{{Name: "x-route", Value: "cats"}, {Name: "X-Token", Value: "t0ken-4711", Secret: true}}, ""},
		"no variable":         {"", nil, nil, "the environment has no TOKEN; set it to the value of the header"},
		"a line in the value": {"t0ken\r\nX-Other: 4711", nil, nil, "the value contains a control character, which headers do not allow"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"hallmark.yaml": file})
			variables["TOKEN"] = c.token
			cmd, err := parse(t, variables, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			target, err := cmd.Target(cmd.env)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "4711") {
					t.Errorf("the error is %v; want %q in it", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			same := func(x, y client.Header) bool {
				return strings.EqualFold(x.Name, y.Name) && x.Value == y.Value && x.Secret == y.Secret
			}
			if !slices.EqualFunc(target.Headers, c.want, same) {
				t.Errorf("the headers are %+v, want %+v", target.Headers, c.want)
			}
			for _, h := range target.Headers {
				if h.Secret && strings.Contains(h.ForRecords(), "4711") {
					t.Errorf("records show %s", h.ForRecords())
				}
			}
		})
	}
}

func TestShards(t *testing.T) {
	gitlab := map[string]string{"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"}
	for name, c := range map[string]struct {
		text      string
		variables map[string]string
		index, of int
		wrong     string
	}{
		"none":                    {"", nil, 0, 0, ""},
		"written out":             {"2/5", nil, 2, 5, ""},
		"by GitLab":               {"auto", gitlab, 2, 5, ""},
		"by Kubernetes":           {"auto", map[string]string{"JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "3"}, 1, 3, ""},
		"the last one":            {"auto", map[string]string{"JOB_COMPLETION_INDEX": "2", "JOB_COMPLETIONS": "3"}, 3, 3, ""},
		"beyond the last":         {"auto", map[string]string{"JOB_COMPLETION_INDEX": "3", "JOB_COMPLETIONS": "3"}, 0, 0, "JOB_COMPLETION_INDEX"},
		"how many is not said":    {"auto", map[string]string{"JOB_COMPLETION_INDEX": "0"}, 0, 0, "JOB_COMPLETIONS is not; set it to the number of jobs"},
		"nothing is said":         {"auto", nil, 0, 0, "CI_NODE_INDEX and CI_NODE_TOTAL (GitLab)"},
		"two say it":              {"auto", map[string]string{"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "2"}, 0, 0, "both set"},
		"no numbers":              {"auto", map[string]string{"CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "2"}, 0, 0, "they must be numbers"},
		"they count from one":     {"0/5", nil, 0, 0, "0/5"},
		"no part six of five":     {"6/5", nil, 0, 0, "no part 6 of 5"},
		"nobody needs a thousand": {"1/1001", nil, 0, 0, "1/1001"},
		"nor something else":      {"half", nil, 0, 0, "half"},
	} {
		t.Run(name, func(t *testing.T) {
			env := &cli.Env{Lookup: func(name string) (string, bool) { v, ok := c.variables[name]; return v, ok }}
			got, err := options.ResolveShard(env, c.text)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("the error is %v; want %q in it", err, c.wrong)
				}
				return
			}
			if err != nil || got.Index != c.index || got.Of != c.of {
				t.Errorf("the shard is %v, %v; want %d of %d", got, err, c.index, c.of)
			}
		})
	}
}

func TestReadSecret(t *testing.T) {
	inFolder(t, map[string]string{"key": "secret-4711\n", "large": strings.Repeat("secret-4711", 10_000)})
	if got, err := options.ReadSecret("--api-key-file key", "key"); err != nil || got != "secret-4711\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, file := range []string{"none", "large", "."} {
		_, err := options.ReadSecret("--api-key-file "+file, file)
		if err == nil || !strings.HasPrefix(err.Error(), "--api-key-file "+file+": the file ") || strings.Contains(err.Error(), "4711") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestRerun(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		env  map[string]string
		want string
	}{
		"nothing": {nil, nil, "hallmark run"},
		"what belongs to the one run is left out": {
			[]string{"--base-url", "https://pets.example.com/v1", "--rule", "a.b", "--report", "json:-", "--seed=5", "--require-complete", "--strict"},
			nil, "hallmark run --base-url https://pets.example.com/v1 --strict",
		},
		"blanks around the address are left out, as they are when it is read": {
			[]string{"--base-url", " https://pets.example.com/v1\n"}, nil, "hallmark run --base-url https://pets.example.com/v1",
		},
		"words are quoted": {
			[]string{"--tags", "@a and not @b", "--api-key-file", "it's mine", "--operation", "x", "--operation", "y z"},
			nil, `hallmark run --api-key-file 'it'\''s mine' --tags '@a and not @b' --operation x --operation 'y z'`,
		},
		"the environment counts, and the flag wins": {
			[]string{"--concurrency", "2"},
			map[string]string{
				"HALLMARK_BASE_URL": "https://pets.example.com/v1", "HALLMARK_CONCURRENCY": "9", "HALLMARK_READ_ONLY": "true",
				"HALLMARK_STRICT": "false", "HALLMARK_OPERATION": "x, y", "HALLMARK_API_KEY": "secret", "HALLMARK_SEED": "",
			},
			"hallmark run --base-url https://pets.example.com/v1 --operation x --operation y --read-only --concurrency 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			cmd, err := parse(t, c.env, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			if got := cmd.Settings.Rerun(cmd.env, cmd.flags); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
