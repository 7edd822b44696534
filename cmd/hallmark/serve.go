package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/bundled"
	"hallmark/internal/cli"
	"hallmark/internal/prove"
	"hallmark/internal/serve"
	"hallmark/internal/text"
	"hallmark/reference"
)

const serveHelp = `Run the reference service: a petstore that keeps every rule, to see hallmark at work and to build clients against.

It serves until it is interrupted, and then lets the requests under way finish. The animals are kept in memory, or in
a file with --data, where they survive whatever happens to the process. The API key is that of --api-key-file, else that
of HALLMARK_API_KEY, else one that is made and shown.`

const serveExample = `  # in one terminal
  hallmark serve

  # with a defect, or in an unusual way that is legal
  hallmark serve --fault limit-one-more
  hallmark serve --freedom order-random

  # in a script: a port that is free, and the address in a file once the service is ready
  hallmark serve --addr 127.0.0.1:0 --api-key-file key --url-file url`

func serveCommand(a *app) *cobra.Command {
	own := bundled.Petstore().Reference
	o, variant := serve.Options{Reference: own, Addr: "127.0.0.1:8080", BasePath: own.BasePath()}, variantFlags{}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the reference service",
		Long:    serveHelp,
		Example: serveExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Variant, err = variant.variant(); err != nil {
				return err
			}
			return serve.Run(cmd.Context(), a.Env, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.TextValue(&o.Addr, "HOST:PORT"), "addr", "where to listen; port 0 takes one that is free")
	flags.Var(cli.FileValue(&o.Data, "FILE"), "data", "keep the animals in this file")
	flags.Var(cli.FileValue(&o.KeyFile, "FILE"), "api-key-file", "a file with the API keys that let clients in, one a line")
	flags.Var(cli.NumberValue(&o.Preload, 0, serve.MaxPreload), "preload", "create this many animals before the first request")
	flags.Var(cli.TextValue(&o.BasePath, "PATH"), "base-path", "the path of the service's address, ending in /v1")
	flags.Var(cli.FileValue(&o.URLFile, "FILE"), "url-file", "write the base URL to this file when the service is ready")
	variant.add(cmd, flags)
	cli.AddSwitch(flags, &o.Log, "log", "write a line for each request to standard error")
	cli.CompleteFiles(cmd, "data")
	cli.CompleteFiles(cmd, "api-key-file")
	cli.CompleteFiles(cmd, "url-file")
	cli.CompleteWords(cmd, "addr", "127.0.0.1:8080", "127.0.0.1:0")
	cli.CompleteWords(cmd, "preload")
	cli.CompleteWords(cmd, "base-path")
	return cmd
}

// variantFlags are those by which serve puts a fault or a freedom into the service.
type variantFlags struct{ fault, freedom string }

func (v *variantFlags) add(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.Var(cli.TextValue(&v.fault, "NAME"), "fault", "break the service in this way; \"hallmark faults\" lists them")
	flags.Var(cli.TextValue(&v.freedom, "NAME"), "freedom", "make the service unusual in this legal way; \"hallmark freedoms\" lists them")
	completeCases(cmd, "fault", prove.Fault)
	completeCases(cmd, "freedom", prove.Freedom)
}

// variant is what the flags name; the service as it is when they name nothing.
func (v *variantFlags) variant() (reference.Variant, error) {
	if v.fault != "" && v.freedom != "" {
		return nil, errors.New("--fault breaks the service and --freedom keeps it legal; give one of them")
	}
	for _, f := range []struct {
		flag, name string
		kind       prove.Kind
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
				return nil, fmt.Errorf("--%s %s: this one speaks https, for which serve has no certificate; \"hallmark prove --only %s\" judges it",
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
