package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// app makes the commands.
type app struct {
	*cli.Env
}

// run executes a command line and returns the exit code. Errors are written to stderr as sentences.
func run(ctx context.Context, args []string, lookup func(string) (string, bool), stdout, stderr io.Writer, m *memory) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "hallmark: hallmark itself failed, and proved nothing: %s\n", text.Visible(fmt.Sprint(p)))
			code = verdict.ExitHarness
		}
	}()
	a := &app{&cli.Env{Lookup: lookup, Stdout: stdout, Stderr: stderr, Commands: stderr, Version: cli.Version(version), Loaded: m.loaded, Asked: m.asked}}
	a.Stderr = a.Guarded(stderr)
	root := a.root()
	root.SetArgs(append([]string{}, args...))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, syscall.EPIPE) && cli.ExitCode(err) == cli.ExitUsage {
		return verdict.ExitOK // who read the output has gone: it was enough
	}
	if err != nil {
		fmt.Fprint(a.Stderr, cli.Message(err))
	}
	return cli.ExitCode(err)
}

// heeds reports whether a command ends by itself when it is interrupted: what it began has to be ended politely.
func heeds(name string) bool {
	return slices.Contains([]string{"run", "doctor", "replay", "serve", "proxy", "prove", "watch"}, name)
}

// heed makes a command and its subcommands end as soon as they are interrupted.
func heed(c *cobra.Command) {
	if do := c.RunE; do != nil {
		c.RunE = func(cmd *cobra.Command, args []string) error {
			_, err := cli.Heed(cmd.Context(), func() (struct{}, error) { return struct{}{}, do(cmd, args) })
			return err
		}
	}
	for _, sub := range c.Commands() {
		heed(sub)
	}
}

const rootHelp = `hallmark judges a service over HTTP: whether it keeps every rule of its interface. That is the Petstore interface, whose
rules it brings, or your own, whose rules it derives from an OpenAPI document (--contract).`

const rootExample = `  # judge a service
  export HALLMARK_API_KEY=...
  hallmark run --base-url https://pets.example.com/v1

  # judge a service by your own OpenAPI document; the first says what that will take
  hallmark doctor --contract api.yaml
  hallmark run --contract api.yaml --base-url https://staging.example.com

  # see it at work on the bundled reference service
  hallmark serve`

const exitCodes = `Exit codes:
  0    no must rule is violated, and at least one was exercised
  1    a must rule is violated (with --strict, a should rule too), or an entry of --deviations no longer holds
  2    wrong usage or configuration; nothing was judged
  3    the service could not be judged: unreachable, key refused, lost on the way, a hook failed, or a limit was reached (--max-time)
  4    too little was judged: by --contract, an operation was not called because a credential is missing, or most never succeeded (--accept-partial
       accepts both); with --require-complete: must rules were not exercised; with --require-prose: sentences of the document were not judged; with
       --require-coverage: less of the contract was judged
  70   hallmark itself failed
  130  interrupted (143: asked to end by SIGTERM); reports are marked incomplete`

// root is the command line.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "hallmark",
		Short:         "Judge a service by its contract",
		Long:          rootHelp,
		Example:       rootExample,
		Version:       cli.Version(version),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.UnknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("hallmark {{.Version}}\n")
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddGroup(&cobra.Group{ID: "judge", Title: "Judge:"}, &cobra.Group{ID: "work", Title: "Work on the suite:"})
	for group, commands := range map[string][]*cobra.Command{
		"judge": {
			runCommand(a), checkCommand(a), watchCommand(a), doctorCommand(a), initCommand(a), configCommand(a),
			mergeCommand(a), reportCommand(a), replayCommand(a), compareCommand(a), historyCommand(a), ledgerCommand(a), deviationsCommand(a),
			verifyCommand(a), keygenCommand(a),
			rulesCommand(a), explainCommand(a), stepsCommand(a), diffCommand(a), versionCommand(a),
		},
		"work": {deriveCommand(a), serveCommand(a), proxyCommand(a), proveCommand(a), faultsCommand(a), freedomsCommand(a)},
	} {
		for _, c := range commands {
			c.GroupID = group
			if !heeds(c.Name()) {
				heed(c)
			}
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(cli.HelpCommand())
	root.InitDefaultCompletionCmd()
	cli.RequireShell(root)
	return root
}
