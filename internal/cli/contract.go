package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// ContractArgument accepts the contract as the only argument of a command.
func ContractArgument(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one argument, the contract, and flags; remove %q", cmd.CommandPath(), args[1])
	}
	return nil
}

// TakeContract sets the flag --contract to the argument of a command, if there is one.
func TakeContract(flags *pflag.FlagSet, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if flags.Changed("contract") {
		return errors.New("the contract is given twice: --contract " + text.ShellQuote(FlagText(flags, "contract")) + ", and " + text.ShellQuote(args[0]))
	}
	return flags.Set("contract", args[0])
}
