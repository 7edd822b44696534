package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

func grouped(t *testing.T, args ...string) string {
	t.Helper()
	var name, own string
	count := 3
	cmd := &cobra.Command{
		Use: "ask", Long: "Ask.\n\nAnd more.", Example: "  # once\n  hallmark ask\n\n  hallmark ask --count 2\n\n  hallmark ask --own x",
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.Flags().Var(cli.TextValue(&own, "TEXT"), "own", "a flag of its own")
	cmd.Flags().Var(cli.NumberValue(&count, 0, 9), "count", "how often; repeatable")
	cmd.Flags().VarP(cli.TextValue(&name, "NAME"), "name", "n", "the name")
	cli.GroupHelp(cmd, []cli.FlagGroup{
		{Title: "First", Flags: []cli.GroupedFlag{{Name: "name", Brief: "in short"}, {Name: "nonesuch", Brief: "no flag"}}},
		{Title: "Second", Flags: []cli.GroupedFlag{{Name: "count"}}},
	}, "The end.\n")
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGroupHelp(t *testing.T) {
	const short = `Ask.

Usage:
  ask [flags]

Examples:
  hallmark ask
  hallmark ask --count 2

Flags:
      --own TEXT   a flag of its own

First:
  -n, --name NAME  in short

The end.
"ask --help-all" explains all flags.
`
	for _, args := range [][]string{{"--help"}, {"-h"}, {"--name", "x", "--help"}, {"--help-all=false", "--help"}} {
		if got := grouped(t, args...); got != short {
			t.Errorf("%v:\n%s", args, got)
		}
	}
	all := grouped(t, "--help-all")
	for _, want := range []string{"And more.", "--own x", "\nSecond:\n      --count N    how often; repeatable (default 3)\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("--help-all does not say %q:\n%s", want, all)
		}
	}
	if got := grouped(t); got != "" {
		t.Errorf("without a flag, help is shown:\n%s", got)
	}
}
