package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

// Contract holds the flags for the contract, if it is not the built-in one. Every command that reads a contract has them.
type Contract struct {
	// File is an OpenAPI document, or empty for the built-in one.
	File string
	// Rules is a file that changes the rules; if empty, rules.yaml beside File is used if it exists.
	Rules string
	// Values is a file of constants for requests; if empty, values.yaml beside File is used if it exists.
	Values string
	// AllowRemote follows references of the document out of its folder and to the network.
	AllowRemote bool
	// PerOperation limits the derived cases of an operation; 0 means as many as fit the request budget.
	PerOperation int
}

// NoRules is the value of --rules-file and --values-file that reads no file.
const NoRules = "none"

// maxPerOperation limits --per-operation: no document has more cases.
const maxPerOperation = 10_000

// AddFlags adds the flags to a command.
func (c *Contract) AddFlags(flags *pflag.FlagSet) {
	flags.VarP(cli.FileOrURLValue(&c.File, "FILE"), "contract", "c", "an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0) to judge by, instead of the built-in one; or its http or https address")
	flags.Var(cli.FileValue(&c.Rules, "FILE"), "rules-file", "a file that changes levels and sentences of rules, switches some off and adds others, or none (default rules.yaml beside the contract)")
	flags.Var(cli.FileValue(&c.Values, "FILE"), "values-file", "a file with values for parameters and bodies that the contract does not give, or none (default values.yaml beside the contract)")
	c.AddReading(flags)
}

// AddReading adds the flags that say how a document is read, for commands that take documents as arguments.
func (c *Contract) AddReading(flags *pflag.FlagSet) {
	cli.AddSwitch(flags, &c.AllowRemote, "allow-remote", "follow references of the contract that lead outside its folder or to the network")
	flags.Var(cli.NumberValue(&c.PerOperation, 0, maxPerOperation), "per-operation", "derive at most this many cases for each operation of the contract; 0 derives as many as 10,000 requests allow")
}
