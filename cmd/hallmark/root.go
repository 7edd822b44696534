package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/reports"
)

// app is what the commands have of the world.
type app struct {
	lookup         func(string) (string, bool) // a variable of the environment
	stdout, stderr io.Writer
	// commands is where the runner of GitHub Actions takes its commands from.
	commands io.Writer
}

// env is a variable of the environment. One that is set to nothing counts as not set.
func (a *app) env(name string) string {
	text, _ := a.lookup(name)
	return text
}

// run executes a command line and gives the exit code. Whatever goes wrong ends as a sentence on stderr.
func run(ctx context.Context, args []string, lookup func(string) (string, bool), stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "hallmark: hallmark itself failed, and proved nothing: %s\n", visible(fmt.Sprint(p)))
			code = reports.ExitHarness
		}
	}()
	a := &app{lookup: lookup, stdout: stdout, stderr: stderr, commands: stderr}
	a.stderr = a.guarded(stderr)
	root := a.root()
	root.SetArgs(append([]string{}, args...))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, syscall.EPIPE) && exitCode(err) == exitUsage {
		return reports.ExitOK // who read the output has gone: it was enough
	}
	if err != nil {
		fmt.Fprint(a.stderr, message(err))
	}
	return exitCode(err)
}

const rootHelp = `hallmark judges an implementation of the Petstore interface over HTTP: whether it keeps every rule that the
interface states. The same suite judges the bundled reference service and any address.`

const rootExample = `  # judge a service
  export HALLMARK_API_KEY=...
  hallmark run --base-url https://pets.example.com/v1

  # see it at work on the bundled reference service
  hallmark serve`

const exitCodes = `Exit codes:
  0    no must rule is violated, and at least one was exercised
  1    a must rule is violated (with --strict, a should rule too), or an entry of --deviations no longer holds
  2    wrong usage or configuration; nothing was judged
  3    the service could not be judged: unreachable, key refused, lost on the way, or a limit was reached (--max-time)
  4    with --require-complete: must rules were not exercised
  70   hallmark itself failed
  130  interrupted (143: asked to end by SIGTERM); reports are marked incomplete`

// root is the command line.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "hallmark",
		Short:         "Judge implementations of the Petstore interface",
		Long:          rootHelp,
		Example:       rootExample,
		Version:       currentVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("hallmark {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(&cobra.Group{ID: "judge", Title: "Judge:"}, &cobra.Group{ID: "work", Title: "Work on the suite:"})
	for group, commands := range map[string][]*cobra.Command{
		"judge": {
			a.runCommand(), a.doctorCommand(), a.initCommand(), a.configCommand(),
			a.mergeCommand(), a.reportCommand(), a.replayCommand(), a.compareCommand(), a.ledgerCommand(), a.deviationsCommand(),
			a.verifyCommand(), a.keygenCommand(),
			a.rulesCommand(), a.versionCommand(),
		},
		"work": {a.deriveCommand(), a.serveCommand(), a.proveCommand(), a.faultsCommand(), a.freedomsCommand()},
	} {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(helpCommand())
	root.InitDefaultCompletionCmd()
	nameAShell(root)
	return root
}

// commandNames are the commands that do something, in the order of their names.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.GroupID != "" {
			names = append(names, c.Name())
		}
	}
	return names
}

// unknownCommand says that there is no such command, and which may have been meant.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := append(commandNames(root), "help", "completion")
	return fmt.Errorf("there is no command %q; %s", args[0], meant(args[0], names, "the commands are "+strings.Join(names, ", ")))
}

// nameAShell makes an error of completion without the name of a shell that it knows.
func nameAShell(root *cobra.Command) {
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Short = "Write a script by which a shell completes commands, flags and the ids of rules"
	var shells []string
	for _, c := range completion.Commands() {
		shells = append(shells, c.Name())
		c.Args = noArguments
	}
	all := "the shells are " + strings.Join(shells, ", ")
	completion.Args = nil
	completion.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("name a shell: %s", strings.Join(shells, ", "))
		}
		return fmt.Errorf("there is no completion for %q; %s", args[0], meant(args[0], shells, all))
	}
}

// noArguments refuses words that belong to no flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if cmd.Name() == "run" && strings.Contains(args[0], "://") {
		hint = "; give the address with --base-url"
	}
	return fmt.Errorf("%s takes no arguments, only flags: %q is too much%s", cmd.CommandPath(), args[0], hint)
}

// helpCommand is cobra's, but an unknown command is an error for it.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Explain a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(cmd.Root(), rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// flagError says what is wrong with a flag, in one line.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, e)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		kind, _ := pflag.UnquoteUsage(e.GetFlag())
		return fmt.Errorf("--%s needs a value: --%s %s", e.GetSpecifiedName(), e.GetSpecifiedName(), kind)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s: %w", e.GetFlag().Name, e.Unwrap())
	}
	return errors.New(visible(err.Error()))
}

// unknownFlag says that there is no such flag, and which may have been meant.
func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	if letters := e.GetSpecifiedShortnames(); letters != "" {
		return fmt.Errorf("there is no flag -%s for %s; flags have long names, and \"%s --help\" lists them",
			visible(letters), cmd.CommandPath(), cmd.CommandPath())
	}
	name := e.GetSpecifiedName()
	if cmd.Name() == "run" && (name == "api-key" || name == "key" || name == "token") {
		return fmt.Errorf("there is no flag --%s, since other users of a machine can see the arguments of a command; "+
			"put the key into HALLMARK_API_KEY, or into a file for --api-key-file", name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := nearest(name, names); near != "" {
		return fmt.Errorf("there is no flag --%s for %s; did you mean --%s?", visible(name), cmd.CommandPath(), near)
	}
	hint := fmt.Sprintf("\"%s --help\" lists them", cmd.CommandPath())
	if !cmd.HasParent() {
		hint = "flags come after the command, as in hallmark run --strict"
	}
	return fmt.Errorf("there is no flag --%s for %s; %s", visible(name), cmd.CommandPath(), hint)
}
