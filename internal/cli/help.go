package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// commandNames returns the names of the runnable commands, sorted.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.GroupID != "" {
			names = append(names, c.Name())
		}
	}
	return names
}

// UnknownCommand reports that there is no such command, and which one may have been meant.
func UnknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if own, ok := synonyms()[args[0]]; ok {
		return fmt.Errorf("there is no command %q; what you look for is hallmark %s", args[0], own)
	}
	names := append(commandNames(root), "help", "completion")
	return fmt.Errorf("there is no command %q; %s", args[0], Suggest(args[0], names, "the commands are "+strings.Join(names, ", ")))
}

// synonyms returns the names by which other tools call what a command does.
func synonyms() map[string]string {
	return map[string]string{
		"test": "run", "verify-service": "run", "fuzz": "run", "mock": "serve", "stub": "serve", "lint": "doctor", "validate": "doctor",
		"upgrade": "version", "generate": "derive", "breaking": "diff", "new": "init",
	}
}

// RequireShell makes completion without the name of a known shell an error.
func RequireShell(root *cobra.Command) {
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Short = "Write a shell script that completes commands, flags and rule ids"
	var shells []string
	for _, c := range completion.Commands() {
		shells = append(shells, c.Name())
		c.Args = NoArguments
	}
	all := "the shells are " + strings.Join(shells, ", ")
	completion.Args = nil
	completion.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("name a shell: %s", strings.Join(shells, ", "))
		}
		return fmt.Errorf("there is no completion for %q; %s", args[0], Suggest(args[0], shells, all))
	}
}

// HelpCommand returns cobra's help command, except that an unknown command is an error.
func HelpCommand() *cobra.Command {
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
				return UnknownCommand(cmd.Root(), rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
