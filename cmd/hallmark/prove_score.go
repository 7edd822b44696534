package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
)

const scoreHelp = `

With --contract, the proof is about that OpenAPI document, and needs no source of any service. The faults that follow from it ("hallmark
faults --contract FILE") are put in front of a service that keeps it: a service made from the document alone or, with --base-url, one
that is running. A fault counts only if it showed, that is, if some response violated the contract. The result is how many of these the
derived scenarios find, how many by the rule that the fault breaks, and whether legal variations are accepted.

With a command after --, the result is the score of that test suite instead, in whatever language it is written: it runs once for each
fault, and has found it if it exits with a status other than 0. {url} in its arguments is the base URL that it has to use, which is also
in HALLMARK_URL. The faults that it misses are listed by the rule that they break, with the hallmark scenarios that would find them.`

const scoreExample = `

  # what the derived scenarios find, with a service made from the document, and with a running one
  hallmark prove --contract api.yaml
  hallmark prove --contract api.yaml --base-url http://127.0.0.1:8090/v2

  # the score of a suite of your own
  hallmark prove --contract api.yaml --base-url http://127.0.0.1:8090/v2 -- newman run shop.json --env-var baseUrl={url}`

// scoreOptions are the flags of prove for a contract.
type scoreOptions struct {
	contract options.Contract
	baseURLs []string
	reset    string
	html     string
	sample   int
	only     []string
	asJSON   bool
	workers  int
	seed     int64
}

// addScore adds the flags to prove, and lets it take a command.
func addScore(a *app, cmd *cobra.Command, own *proveOptions) {
	o := scoreOptions{sample: -1}
	proof := cmd.RunE
	cmd.Long += scoreHelp
	cmd.Example += scoreExample
	cmd.Use = "prove [flags] [-- COMMAND…]"
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.contract.File == "" || cmd.ArgsLenAtDash() != 0 {
			return cli.NoArguments(cmd, args)
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.contract.File == "" {
			for _, flag := range []string{"base-url", "reset", "html", "sample"} {
				if cmd.Flags().Changed(flag) {
					return fmt.Errorf("--%s is for faults that follow from a contract; name it with --contract", flag)
				}
			}
			return proof(cmd, args)
		}
		o.only, o.asJSON, o.workers, o.seed = own.only, own.asJSON, own.prover.Workers, own.prover.Seed
		if !cmd.Flags().Changed("workers") && len(o.baseURLs) > 0 {
			o.workers = 1 // runs that share a service see what others do
			if len(args) > 0 {
				o.workers = runtime.GOMAXPROCS(0)
			}
		}
		return runScore(cmd.Context(), a, cmd.Flags(), o, args)
	}
	flags := cmd.Flags()
	o.contract.AddFlags(flags)
	flags.Var(cli.ListValue(&o.baseURLs, "URL"), "base-url", "with --contract: the address of a service that keeps it; repeatable, for a command, where several are alike")
	flags.Var(cli.TextValue(&o.reset, "COMMAND"), "reset", "with a command behind --: run this in the shell before each run; the service is then asked by one suite at a time")
	flags.Var(cli.NumberValue(&o.sample, 0, 1_000_000), "sample", "with --contract: try at most this many faults, chosen evenly; 0 tries all (default 200 for a command, else 1000)")
	flags.Var(cli.FileValue(&o.html, "FILE"), "html", "with --contract: write a page, too")
	completeContract(cmd)
	cli.CompleteFiles(cmd, "html", "html")
	for _, flag := range []string{"base-url", "reset", "sample"} {
		cli.CompleteWords(cmd, flag)
	}
}
