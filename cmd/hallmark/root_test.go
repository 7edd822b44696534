package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

func nothing(string) (string, bool) { return "", false }

// broken is an output at which the program itself fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("not written\nat all") }

func TestAFailureOfItsOwnIsOneLine(t *testing.T) {
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"version"}, nothing, broken{}, &stderr, &memory{})
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

// Every flag of run is a key, or has a reason why it is none.
func TestEveryFlagIsAKey(t *testing.T) {
	cmd := runCommand((&app{&cli.Env{Lookup: nothing}}))
	keys := map[string]config.Key{}
	for _, k := range options.TargetShape().Keys {
		keys[k.Name] = k
	}
	refused := options.NotInFiles()
	count := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*cli.Value)
		if !ours {
			return
		}
		count++
		key, isKey := keys[f.Name]
		if _, isRefused := refused[f.Name]; isKey == isRefused {
			t.Errorf("--%s is a key: %v, and refused: %v", f.Name, isKey, isRefused)
		}
		if isKey && (key.Help == "" || key.Check == nil || key.List != v.List) {
			t.Errorf("the key %s is not described: %+v", f.Name, key)
		}
		// The values that hold without the key are values of the key.
		if isKey && key.Default != "" && !v.List && key.Check(key.Default) != nil {
			t.Errorf("the key %s does not take its own default, %q", f.Name, key.Default)
		}
	})
	if count < 20 {
		t.Errorf("only %d flags were looked at", count)
	}
}

// The help of a command with many flags fits on a screen, and every flag of run is in one group of the long help.
func TestHelpFitsOnAScreen(t *testing.T) {
	help := func(args ...string) string {
		var stdout bytes.Buffer
		if code := run(t.Context(), args, nothing, &stdout, io.Discard, &memory{}); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
		return stdout.String()
	}
	for command, most := range map[string]int{"run": 48, "config": 55, "doctor": 48, "replay": 48} {
		short := help(command, "--help")
		if n := strings.Count(short, "\n"); n > most {
			t.Errorf("%s --help has %d lines, want at most %d", command, n, most)
		}
		for _, text := range []string{short, help(command, "--help-all")} {
			for line := range strings.Lines(text) {
				if len(line) > 160 {
					t.Errorf("%s: a line of %d columns: %s", command, len(line), line)
				}
			}
		}
	}
	grouped := map[string]int{}
	for _, g := range options.FlagGroups() {
		for _, f := range g.Flags {
			grouped[f.Name]++
		}
	}
	all := help("run", "--help-all")
	runCommand(&app{&cli.Env{Lookup: nothing}}).Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == "help-all" {
			return
		}
		if grouped[f.Name] != 1 {
			t.Errorf("--%s is in %d groups of flags, want 1", f.Name, grouped[f.Name])
		}
		if !strings.Contains(all, "--"+f.Name+" ") {
			t.Errorf("run --help-all does not list --%s", f.Name)
		}
		delete(grouped, f.Name)
	})
	for name := range grouped {
		t.Errorf("the group of --%s names a flag that run does not have", name)
	}
	for _, word := range []string{"pet", "animal"} {
		if strings.Contains(strings.ToLower(help("run", "--help")), word) {
			t.Errorf("run --help speaks of %q: it serves any contract", word)
		}
	}
}
