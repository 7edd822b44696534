package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/score"
	"github.com/hallmark-kit/hallmark/internal/session"
)

const proxyHelp = `Put a fault, or a freedom, in front of a running service: a reverse proxy that forwards requests and does one thing wrong.

The faults follow from the contract ("hallmark faults --contract FILE" lists them, with the rule that each breaks). The proxy checks
its changes against the contract: if a changed response would still be valid, the original is passed on. For each response that it breaks it
writes a line to standard error. It learns a valid credential from successful requests; no secret is written anywhere. Without --fault and
--freedom the proxy changes nothing.`

const proxyExample = `  # in one terminal: the service at port 8080, but listBooks ignores its limit
  hallmark proxy --to http://127.0.0.1:8080/v2 --contract api.yaml --fault listBooks.ignores.limit

  # in another one: any tests
  hallmark run --contract api.yaml --base-url http://127.0.0.1:8081/v2`

func proxyCommand(a *app) *cobra.Command {
	o := score.ProxyOptions{Addr: "127.0.0.1:8081"}
	var contract options.Contract
	cmd := &cobra.Command{
		Use:     "proxy",
		Short:   "Put a fault in front of a running service",
		Long:    proxyHelp,
		Example: proxyExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if contract.File == "" {
				return errors.New("no contract is given; the faults follow from it: --contract FILE")
			}
			basis, err := cli.Heed(cmd.Context(), func() (*session.Basis, error) { return session.Load(contract) })
			if err != nil {
				return err
			}
			return runProxy(cmd.Context(), a, o, score.Basis{Contract: basis.Contract, Promises: basis.Promises(), Catalogue: basis.Catalogue})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.TextValue(&o.To, "URL"), "to", "the address of the service, with the path that comes before those of the contract")
	flags.Var(cli.TextValue(&o.Fault, "NAME"), "fault", "what to do wrong; \"hallmark faults --contract FILE\" lists the names")
	flags.Var(cli.TextValue(&o.Freedom, "NAME"), "freedom", "in which legal way to answer; \"hallmark freedoms --contract FILE\" lists the names")
	flags.Var(cli.TextValue(&o.Addr, "HOST:PORT"), "addr", "where to listen; port 0 takes one that is free")
	flags.Var(cli.FileValue(&o.URLFile, "FILE"), "url-file", "write the base URL to this file when the proxy is ready")
	contract.AddFlags(flags)
	completeContract(cmd)
	cli.CompleteFiles(cmd, "url-file")
	completeCases(cmd, "fault", prove.Fault)
	completeCases(cmd, "freedom", prove.Freedom)
	for _, flag := range []string{"to", "addr"} {
		cli.CompleteWords(cmd, flag)
	}
	return cmd
}

func runProxy(ctx context.Context, a *app, o score.ProxyOptions, basis score.Basis) error {
	err := score.Serve(ctx, basis, o, a.Stdout, a.Stderr)
	if _, asked := cli.Interrupted(ctx); asked && err == nil {
		return nil
	}
	if unknown, is := errors.AsType[score.UnknownError](err); is {
		return fmt.Errorf("%w; %s", err, cli.Suggest(unknown.Name, unknown.Known, "\"hallmark "+unknown.What+"s --contract FILE\" lists them"))
	}
	return err
}
