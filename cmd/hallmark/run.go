package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
)

const runHelp = `Judge a service: send it the requests of the whole suite, and report which rules of the interface it breaks.

Name the service with --base-url, or with --target, a target of hallmark.yaml ("hallmark init" writes that file).
The API key comes from the place that the target names, else from HALLMARK_API_KEY or from a file. It is never an argument,
because other users of the machine can see those.

With a CONTRACT (or --contract), the rules and the scenarios follow from that OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0).
The secret of each of its security schemes comes from hallmark.yaml, from HALLMARK_CREDENTIAL_<SCHEME>, or from HALLMARK_API_KEY;
operations whose secret is not given are not called. "hallmark doctor --contract FILE" says beforehand what is missing. Without
a contract, the built-in one applies.

A run creates resources, but never more than --max-created; --plan says how many. Most of their names contain "hallmark-"; a few
cannot (a single character, digits only). A run finally removes what it created, if the contract provides for that. --read-only
creates nothing. "hallmark ledger" lists what was created, also after a run that was killed. Reports and a journal are written
while the run goes on. A run that ends early leaves what it has, marked as incomplete, and "hallmark report" makes reports from
the journal later.

` + exitCodes

const runExample = `  hallmark run api.yaml --base-url https://staging.example.com

  # a target of hallmark.yaml; "hallmark config --show" shows its settings
  hallmark run --target staging

  # by the document that the service itself serves: its address is the one that the document names, if that is on the same host
  hallmark run https://staging.example.com/openapi.json

  # as a gate in CI: should rules count, every must rule has to be exercised, and the CI system shows the scenarios
  hallmark run --base-url "$STAGING" --strict --require-complete --report junit:hallmark.xml

  # show what a run would do, without sending anything
  hallmark run --target staging --plan

  # create nothing
  hallmark run --target production --read-only

  # judge the rules of one kind again
  hallmark run --target staging --rule listTickets.list --verbose

  # the record as JSON on standard output; the text for people goes to standard error
  hallmark run --target staging --report json:- | jq .result.verdict`

const runClosing = `Exit codes: 0 conformant, 1 violated, 2 wrong usage, 3 the service could not be judged, 4 too little was judged.
`

func runCommand(a *app) *cobra.Command {
	o := options.DefaultOptions()
	cmd := &cobra.Command{
		Use:     "run [CONTRACT]",
		Short:   "Judge a service",
		Long:    runHelp,
		Example: runExample,
		Args:    cli.ContractArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := cli.TakeContract(cmd.Flags(), args)
			if err != nil {
				return err
			}
			if o.Settings, err = cli.Heed(cmd.Context(), func() (*options.Settings, error) { return options.Resolve(a.Env, cmd.Flags()) }); err != nil {
				return err
			}
			if err := o.Detail.Check(); err != nil {
				return err
			}
			o.Settings.Warn(a.Stderr)
			return session.Run(cmd.Context(), a.Env, o, o.Settings.Rerun(a.Env, cmd.Flags()))
		},
	}
	o.AddFlags(cmd.Flags())
	cmd.Long += "\n\n" + variables(cmd.Flags())
	cli.GroupHelp(cmd, options.FlagGroups(), runClosing)
	completeRun(a, cmd)
	cmd.ValidArgsFunction = completeDocuments
	return cmd
}

// variables lists the environment's names of all flags.
func variables(flags *pflag.FlagSet) string {
	names := []string{options.KeyVariable}
	flags.VisitAll(func(f *pflag.Flag) {
		if v, ours := f.Value.(*cli.Value); ours && !v.ArgumentOnly {
			names = append(names, cli.Variable(f.Name))
		}
	})
	s := "Environment: each flag has a variable, which applies where the flag is not given; separate several values by\ncommas.\n"
	for _, line := range text.Wrap(strings.Join(names, ", "), 110) {
		s += "  " + line + "\n"
	}
	return strings.TrimSuffix(s, "\n")
}
