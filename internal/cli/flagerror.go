package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// NoArguments rejects arguments that belong to no flag.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, only flags; remove %q", cmd.CommandPath(), args[0])
}

// FlagError describes what is wrong with a flag on one line.
func FlagError(cmd *cobra.Command, err error) error {
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
	return errors.New(text.Visible(err.Error()))
}

// unknownFlag reports that there is no such flag, and which one may have been meant.
func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	if letters := e.GetSpecifiedShortnames(); letters != "" {
		return fmt.Errorf("there is no flag -%s for %s; flags have long names, and \"%s --%s\" lists them",
			text.Visible(letters), cmd.CommandPath(), cmd.CommandPath(), helpFlag(cmd))
	}
	name := e.GetSpecifiedName()
	if cmd.Name() == "run" && (name == "api-key" || name == "key" || name == "token") {
		return fmt.Errorf("there is no flag --%s, because other users of the machine can see the arguments of a command; "+
			"put the key into HALLMARK_API_KEY, or into a file for --api-key-file", name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("there is no flag --%s for %s; did you mean --%s?", text.Visible(name), cmd.CommandPath(), near)
	}
	hint := fmt.Sprintf("\"%s --%s\" lists them", cmd.CommandPath(), helpFlag(cmd))
	if !cmd.HasParent() {
		hint = "flags come after the command, as in hallmark run --strict"
	}
	return fmt.Errorf("there is no flag --%s for %s; %s", text.Visible(name), cmd.CommandPath(), hint)
}
