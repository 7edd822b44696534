package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/internal/options"
	"hallmark/reports/verdict"
)

func nothing(string) (string, bool) { return "", false }

// broken is an output at which the program itself fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("not written\nat all") }

func TestAFailureOfItsOwnIsOneLine(t *testing.T) {
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"version"}, nothing, broken{}, &stderr)
	if code != verdict.ExitHarness {
		t.Errorf("exit code %d, want %d", code, verdict.ExitHarness)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "hallmark itself failed") {
		t.Errorf("stderr: %q", got)
	}
}

// commands are the root and everything below it.
func commands(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		all = append(all, commands(c)...)
	}
	return all
}

func TestEveryFlagIsExplainedAndCompleted(t *testing.T) {
	a := &app{&cli.Env{Lookup: nothing, Stdout: io.Discard, Stderr: io.Discard}}
	for _, cmd := range commands(a.root()) {
		if cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			continue // cobra's own
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			switch _, found := cmd.GetFlagCompletionFunc(f.Name); {
			case usage == "":
				t.Errorf("%s --%s is not explained", cmd.CommandPath(), f.Name)
			case f.NoOptDefVal != "" && (kind != "" || found):
				t.Errorf("%s --%s is a switch and takes nothing", cmd.CommandPath(), f.Name)
			case f.NoOptDefVal == "" && kind == "":
				t.Errorf("%s --%s does not say what it takes", cmd.CommandPath(), f.Name)
			case f.NoOptDefVal == "" && !found:
				t.Errorf("%s --%s has no completion", cmd.CommandPath(), f.Name)
			}
		})
	}
}

func TestEveryCommandHasExamplesThatParse(t *testing.T) {
	for _, cmd := range commands((&app{&cli.Env{Lookup: nothing, Stdout: io.Discard, Stderr: io.Discard}}).root()) {
		if cmd.GroupID != "" && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " | ")
			line, _, _ = strings.Cut(line, " > ")
			words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
			if len(words) < 2 || words[0] != "hallmark" {
				continue
			}
			root := (&app{&cli.Env{Lookup: nothing, Stdout: io.Discard, Stderr: io.Discard}}).root()
			found, rest, err := root.Find(words[1:])
			if err != nil || found == root {
				t.Errorf("%s: no such command: %v", line, err)
			} else if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
			} else if err := found.ValidateArgs(found.Flags().Args()); err != nil {
				t.Errorf("%s: %v", line, err)
			}
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
			a := &app{&cli.Env{Lookup: func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }}}
			cmd := a.runCommand()
			if err := cmd.ParseFlags(c.args); err != nil {
				t.Fatal(err)
			}
			inForce, err := options.Resolve(a.Env, cmd.Flags())
			if err != nil {
				t.Fatal(err)
			}
			if got := inForce.Rerun(a.Env, cmd.Flags()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
