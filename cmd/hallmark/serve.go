package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/serve"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

const serveHelp = `Run the reference service: a petstore that keeps every rule, to see hallmark at work and to build clients against.

It serves until it is interrupted, and then lets the requests under way finish. What is created is kept in memory, or in
a file with --data, where they survive the end of the process. The API key is that of --api-key-file, else that of
HALLMARK_API_KEY, else a generated one, which is shown.

With --contract, it serves that OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0): created resources can be read, listed, changed and deleted,
requests that violate the document are refused as it says, and values are the document's examples or generated from its schemas, always the
same for the same --seed. The secret of each security scheme is that of HALLMARK_CREDENTIAL_<SCHEME>, else that of HALLMARK_API_KEY, else a
generated one, which is shown.`

const serveExample = `  # in one terminal
  hallmark serve

  # with a defect, or in an unusual way that is legal
  hallmark serve --fault limit-one-more
  hallmark serve --freedom order-random

  # a service of your own document, which remembers what was created
  hallmark serve --contract api.yaml --data api.db

  # in a script: a port that is free, and the address in a file once the service is ready
  hallmark serve --addr 127.0.0.1:0 --api-key-file key --url-file url`

func serveCommand(a *app) *cobra.Command {
	own := bundled.Petstore().Reference
	o, variant := serve.Options{Reference: own, Addr: "127.0.0.1:8080", BasePath: own.BasePath()}, variantFlags{}
	file, seed := "", 1
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the reference service",
		Long:    serveHelp,
		Example: serveExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if file != "" {
				return serveContract(cmd, a, o, file, seed, variant.freedom)
			}
			if cmd.Flags().Changed("seed") {
				return errors.New("--seed chooses the generated values of a service of a contract; name the contract with --contract")
			}
			if o.Variant, err = variant.variant(); err != nil {
				return err
			}
			return serve.Run(cmd.Context(), a.Env, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.TextValue(&o.Addr, "HOST:PORT"), "addr", "where to listen; port 0 takes one that is free")
	flags.Var(cli.FileValue(&file, "FILE"), "contract", "serve this OpenAPI document")
	flags.Var(cli.NumberValue(&seed, 0, math.MaxInt32), "seed", "with --contract: chooses the generated values")
	flags.Var(cli.FileValue(&o.Data, "FILE"), "data", "keep what is created in this file")
	flags.Var(cli.FileValue(&o.KeyFile, "FILE"), "api-key-file", "a file with the accepted API keys, one a line")
	flags.Var(cli.NumberValue(&o.Preload, 0, serve.MaxPreload), "preload", "create this many resources before the first request")
	flags.Var(cli.TextValue(&o.BasePath, "PATH"), "base-path", "the path of the service's address, ending in /v1; with --contract any, by default that of its first server")
	flags.Var(cli.FileValue(&o.URLFile, "FILE"), "url-file", "write the base URL to this file when the service is ready")
	variant.register(cmd, flags)
	cli.AddSwitch(flags, &o.Log, "log", "write a line for each request to standard error")
	cli.CompleteFiles(cmd, "contract")
	cli.CompleteWords(cmd, "seed")
	cli.CompleteFiles(cmd, "data")
	cli.CompleteFiles(cmd, "api-key-file")
	cli.CompleteFiles(cmd, "url-file")
	cli.CompleteWords(cmd, "addr", "127.0.0.1:8080", "127.0.0.1:0")
	cli.CompleteWords(cmd, "preload")
	cli.CompleteWords(cmd, "base-path")
	return cmd
}

// serveContract serves a contract.
func serveContract(cmd *cobra.Command, a *app, o serve.Options, file string, seed int, freedom string) error {
	for _, other := range []string{"fault", "preload", "api-key-file"} {
		if cmd.Flags().Changed(other) {
			return fmt.Errorf("--%s is for the reference service; it does not go with --contract", other)
		}
	}
	contract, err := cli.Heed(cmd.Context(), func() (*spec.Contract, error) { return session.ReadContract(options.Contract{File: file}) })
	if err != nil {
		return err
	}
	run := serve.Contract{Contract: contract, File: file, Seed: uint64(max(0, seed)), Addr: o.Addr, Data: o.Data, URLFile: o.URLFile, Log: o.Log}
	if freedom != "" {
		run.Freedoms = []string{freedom}
	}
	if cmd.Flags().Changed("base-path") {
		run.BasePath = o.BasePath
	}
	for _, s := range scheme.All(contract.Operations()) {
		if s.Type != "mutualTLS" {
			run.Schemes = append(run.Schemes, serve.Scheme{Name: s.Name, Variable: scheme.Variable(s.Name), Pair: s.Type == "http" && s.Scheme == "basic"})
		}
	}
	return serve.RunContract(cmd.Context(), a.Env, run)
}

// variantFlags are the flags of serve that put a fault or a freedom into the service.
type variantFlags struct{ fault, freedom string }

func (v *variantFlags) register(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.Var(cli.TextValue(&v.fault, "NAME"), "fault", "break the service in this way; \"hallmark faults\" lists them")
	flags.Var(cli.TextValue(&v.freedom, "NAME"), "freedom", "make the service unusual in this legal way; \"hallmark freedoms\" lists them, and with --contract a wrong name does")
	for flag, kind := range map[string]prove.CaseKind{"fault": prove.Fault, "freedom": prove.Freedom} {
		propose(cmd, flag, contractOfFlags, func(from options.Contract) ([]cobra.Completion, error) {
			if from.File != "" {
				return nil, nil // these are variants of the reference service
			}
			return caseNames(casesOf(kind))
		})
	}
}

// variant returns the named variant, or the unmodified service if the flags name none.
func (v *variantFlags) variant() (reference.Variant, error) {
	if v.fault != "" && v.freedom != "" {
		return nil, errors.New("--fault breaks the service and --freedom keeps it legal; give one of them")
	}
	for _, f := range []struct {
		flag, name string
		kind       prove.CaseKind
	}{{"fault", v.fault, prove.Fault}, {"freedom", v.freedom, prove.Freedom}} {
		if f.name == "" {
			continue
		}
		cases, err := casesOf(f.kind)
		if err != nil {
			return nil, err
		}
		var names []string
		for _, c := range cases {
			if c.Name == f.name && c.Secure() {
				return nil, fmt.Errorf("--%s %s: this one uses https, for which serve has no certificate; \"hallmark prove --only %s\" judges it",
					f.flag, f.name, f.name)
			}
			if c.Name == f.name {
				return c.Variant(), nil
			}
			names = append(names, c.Name)
		}
		return nil, fmt.Errorf("--%s: there is no %s %q; %s", f.flag, f.kind, text.Visible(f.name),
			cli.Suggest(f.name, names, fmt.Sprintf("\"hallmark %ss\" lists them", f.flag)))
	}
	return nil, nil
}
