package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/doctor"
)

const doctorHelp = `Check, one after the other, what a run needs: the address, the proxy, the host name, the connection, TLS and how long its
certificate is valid, whether the service responds, accepts the credential and refuses a request without one, and whether the clocks
agree. Each problem comes with a remedy. The service gets nothing but reading requests, so an empty store stays empty for the run.

With --contract, it first reports which parts of that document are not used for judging: what is not understood, what is wrong in it,
which operations no run calls and why, and which credentials are missing. It lists the operations that change something when a run
calls them, and those that are held back because they may do harm, and says which operations refused each plain body in the last run.
With an address, it calls each operation that reads, as a run that creates nothing does, and says which did not succeed and which line
in a file of values may help. Without an address it checks the document only.

The exit code is 3 if a run could not judge the service, else 0.`

// doctorFlags are the flags of run that doctor has too: what says how the target is reached.
func doctorFlags(name string) bool {
	return slices.Contains([]string{
		"target", "config", "allow-writes", "allow", "base-url", "api-key-file", "now", "read-only", "timeout", "contract", "rules-file", "values-file", "allow-remote", "per-operation", "auth-file", "role",
		"ca-file", "client-cert", "client-key", "insecure", "proxy", "header", "secret-header", "secret-query", "unix-socket", "h2c",
	}, name)
}

// doctorCommand checks a target without judging it.
func doctorCommand(a *app) *cobra.Command {
	o, asJSON := options.DefaultOptions(), false
	cmd := &cobra.Command{
		Use:   "doctor [CONTRACT]",
		Short: "Check whether a service can be judged: address, network, credential",
		Long:  doctorHelp,
		Example: `  hallmark doctor --base-url https://staging.example.com
  hallmark doctor --target staging

  # a contract alone, before there is a service, and with one
  hallmark doctor api.yaml
  hallmark doctor api.yaml --base-url https://staging.example.com`,
		Args: cli.ContractArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := cli.TakeContract(cmd.Flags(), args)
			if err != nil {
				return err
			}
			if o.Settings, err = cli.Heed(cmd.Context(), func() (*options.Settings, error) { return options.Resolve(a.Env, cmd.Flags()) }); err != nil {
				return err
			}
			o.Settings.Warn(a.Stderr)
			return runDoctor(cmd.Context(), a, o, asJSON)
		},
	}
	addRunFlags(cmd, &o, doctorFlags)
	cli.AddArgument(cmd.Flags(), &asJSON, "json", "write JSON")
	cli.GroupHelp(cmd, options.FlagGroups(), "")
	completeRun(a, cmd)
	cmd.ValidArgsFunction = completeDocuments
	return cmd
}

// diagnosis is what doctor says as JSON where a contract is named.
type diagnosis struct {
	Document *session.Document `json:"document"`
	// Checks holds the checks of the service. It is empty if no address is given.
	Checks []doctor.Check `json:"checks,omitempty"`
}

func runDoctor(ctx context.Context, a *app, o options.Options, asJSON bool) error {
	var found diagnosis
	if o.Contract.File != "" {
		var err error
		if found.Document, err = cli.Heed(ctx, func() (*session.Document, error) { return lookAt(ctx, a, o) }); err != nil {
			return err
		}
		if !asJSON {
			if err := writeDocument(a, found.Document, o.BaseURL != ""); err != nil {
				return err
			}
		}
		if o.BaseURL == "" {
			if asJSON {
				return writeJSON(a, found)
			}
			return nil
		}
	}
	o.Journal = session.NoJournal
	t, err := cli.Heed(ctx, func() (*session.Session, error) { return session.Prepare(a.Env, o, "") })
	if err != nil {
		return err
	}
	// A person waits for the diagnosis; what is down for a moment is asked again with the next call.
	t.Config.Patience.Reconnect = 0
	found.Checks, err = steps.CheckUp(ctx, t.Config)
	if signal, was := cli.Interrupted(ctx); was {
		return cli.WithCode(signal.ExitCode(), signal)
	}
	var failed error
	if err == nil && found.Document != nil && !doctor.AnyFailed(found.Checks) {
		var reads []doctor.Check
		reads, failed = session.TryReads(ctx, quietly(a.Env), o)
		found.Checks = append(found.Checks, reads...)
	}
	if signal, was := cli.Interrupted(ctx); was {
		return cli.WithCode(signal.ExitCode(), signal)
	}
	switch {
	case err != nil:
		return err
	case !asJSON:
		_, err = fmt.Fprint(a.Guarded(a.Stdout), checkLines(found.Checks))
	case found.Document != nil:
		err = writeJSON(a, found)
	default:
		err = writeJSON(a, found.Checks)
	}
	if err == nil && doctor.AnyFailed(found.Checks) {
		return cli.WithCode(verdict.ExitUnjudged, nil)
	}
	return cmp.Or(err, failed)
}

// quietly returns an environment in which warnings that were given already are not given again.
func quietly(env *cli.Env) *cli.Env {
	quiet := *env
	quiet.Stderr = io.Discard
	return &quiet
}

// lookAt reads the contract, and says what nothing in it is judged by.
func lookAt(ctx context.Context, a *app, o options.Options) (*session.Document, error) {
	basis, err := session.Load(o.Contract)
	if err != nil {
		return nil, err
	}
	return basis.Document(ctx, a.Env, o)
}

// writeDocument says what in the contract is not judged by.
func writeDocument(a *app, d *session.Document, more bool) error {
	err := d.Write(a.Guarded(a.Stdout))
	if err == nil && more {
		_, err = fmt.Fprintln(a.Stdout)
	}
	return err
}

func writeJSON(a *app, what any) error {
	return jsonout.Encode(a.Stdout, what)
}

// checkLines writes the checks, a line each, with the remedy below.
func checkLines(all []doctor.Check) string {
	var out strings.Builder
	failed, warned := 0, 0
	for _, c := range all {
		fmt.Fprintf(&out, "%-8s %-12s %s\n", c.State, c.Name, text.Visible(c.Says))
		if c.Remedy != "" {
			fmt.Fprintf(&out, "%-8s %-12s → %s\n", "", "", text.Visible(c.Remedy))
		}
		switch c.State {
		case doctor.Failed:
			failed++
		case doctor.Warned:
			warned++
		case doctor.Good, doctor.Skipped:
		}
	}
	switch {
	case failed > 0:
		out.WriteString("\nThe service cannot be judged.\n")
	case warned > 0:
		fmt.Fprintf(&out, "\nThe service can be judged; see the %s.\n", plural(warned, "warning"))
	default:
		out.WriteString("\nThe service can be judged.\n")
	}
	return out.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return text.Count(n, noun)
}
