package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
)

const watchHelp = `Judge what clients and a running service say to each other: a reverse proxy that passes everything on as it is, and judges
copies beside the traffic, as "hallmark check" does. When it is interrupted (Ctrl-C or SIGTERM), it reports, and
its exit code is that of check.

The proxy passes on paths, headers (Host and X-Forwarded headers included), streams, trailers and upgrades, and adds none. It buffers no body;
bodies of more than 1 MiB are not judged. When judging falls behind, exchanges go unjudged and are counted; no traffic waits for it.
It listens without TLS, by HTTP/1.1 and HTTP/2 (h2c).`

const watchExample = `  # in one terminal: the service at port 8080
  hallmark watch --contract api.yaml --to http://127.0.0.1:8080/v2 --listen 127.0.0.1:8081

  # in another one: any tests, at the proxy
  BASE_URL=http://127.0.0.1:8081/v2 npm test

  # one of a hundred exchanges of a busy service
  hallmark watch --contract api.yaml --to https://staging.example.com/v2 --service-host --sample 1/100`

// watchFlags are the flags of run that watch has too: what judges, what is reported, and how the service is reached.
func watchFlags(name string) bool {
	return checkFlags(name) || slices.Contains([]string{"ca-file", "client-cert", "client-key", "insecure", "proxy", "unix-socket", "h2c"}, name)
}

// watchCommand judges what passes through a proxy.
func watchCommand(a *app) *cobra.Command {
	o := session.TrafficOptions{Options: options.DefaultOptions()}
	w := session.WatchOptions{Listen: "127.0.0.1:0", Sample: 1}
	sample := "1/1"
	var shared *pflag.FlagSet
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "Judge what passes through a proxy in front of a service",
		Long:    watchHelp,
		Example: watchExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := takeJudging(a, &o, shared, w.To == ""); err != nil {
				return err
			}
			if w.To == "" {
				w.To = o.FromFile.BaseURL
			}
			if err := o.Detail.Check(); err != nil {
				return err
			}
			if w.To == "" {
				return errors.New("no service is given; name its address: --to http://127.0.0.1:8080/v2, or a target of hallmark.yaml")
			}
			var err error
			if w.Sample, err = sampleOf(sample); err != nil {
				return err
			}
			return session.WatchService(cmd.Context(), a.Env, o, w)
		},
	}
	cmd.Flags().SortFlags = false
	to, listen, part := cli.TextValue(&w.To, "URL"), cli.TextValue(&w.Listen, "HOST:PORT"), cli.TextValue(&sample, "1/N")
	to.ArgumentOnly, listen.ArgumentOnly, part.ArgumentOnly = true, true, true
	cmd.Flags().Var(to, "to", "the address of the service, with the path that comes before those of the contract (default the base-url of the target in hallmark.yaml)")
	cmd.Flags().Var(listen, "listen", "where to listen; port 0 takes one that is free")
	cmd.Flags().Var(part, "sample", "judge one exchange of N")
	cli.AddArgument(cmd.Flags(), &w.ServiceHost, "service-host", "send the Host of --to instead of the one that clients ask for")
	file := cli.FileValue(&w.URLFile, "FILE")
	file.ArgumentOnly = true
	cmd.Flags().Var(file, "url-file", "write the base URL to this file when the proxy is ready")
	shared = addRunFlags(cmd, &o.Options, watchFlags)
	completeTraffic(a, cmd)
	completeNetwork(cmd)
	cli.CompleteFiles(cmd, "url-file")
	for _, flag := range []string{"to", "listen", "sample"} {
		cli.CompleteWords(cmd, flag)
	}
	return cmd
}

// sampleOf returns N of 1/N.
func sampleOf(text string) (int64, error) {
	of, is := strings.CutPrefix(text, "1/")
	n, err := strconv.ParseInt(of, 10, 64)
	if !is || err != nil || n < 1 || n > math.MaxInt32 {
		return 0, fmt.Errorf("--sample: %q is no sample; write 1/10 to judge one exchange of ten", text)
	}
	return n, nil
}
