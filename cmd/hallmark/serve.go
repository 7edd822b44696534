package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/reference/petstore"
	"hallmark/reference/petstore/variants"
	"hallmark/reports/verdict"
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

// maxPreload bounds --preload.
const maxPreload = 1_000_000

// serveOptions are the flags of serve.
type serveOptions struct {
	addr, data, keyFile, basePath, urlFile string
	preload                                int
	log                                    bool
	variant                                variantFlags
}

func (a *app) serveCommand() *cobra.Command {
	o := serveOptions{addr: "127.0.0.1:8080", basePath: petstore.DefaultBasePath}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the reference service",
		Long:    serveHelp,
		Example: serveExample,
		Args:    cli.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.TextValue(&o.addr, "HOST:PORT"), "addr", "where to listen; port 0 takes one that is free")
	flags.Var(cli.FileValue(&o.data, "FILE"), "data", "keep the animals in this file")
	flags.Var(cli.FileValue(&o.keyFile, "FILE"), "api-key-file", "a file with the API keys that let clients in, one a line")
	flags.Var(cli.NumberValue(&o.preload, 0, maxPreload), "preload", "create this many animals before the first request")
	flags.Var(cli.TextValue(&o.basePath, "PATH"), "base-path", "the path of the service's address, ending in /v1")
	flags.Var(cli.FileValue(&o.urlFile, "FILE"), "url-file", "write the base URL to this file when the service is ready")
	o.variant.add(cmd, flags)
	cli.AddSwitch(flags, &o.log, "log", "write a line for each request to standard error")
	cli.CompleteFiles(cmd, "data")
	cli.CompleteFiles(cmd, "api-key-file")
	cli.CompleteFiles(cmd, "url-file")
	cli.CompleteWords(cmd, "addr", "127.0.0.1:8080", "127.0.0.1:0")
	cli.CompleteWords(cmd, "preload")
	cli.CompleteWords(cmd, "base-path")
	return cmd
}

func (a *app) serve(ctx context.Context, o serveOptions) (err error) {
	keys, made, err := a.serviceKeys(o.keyFile)
	if err != nil {
		return err
	}
	options := petstore.Options{Keys: keys, BasePath: o.basePath, Store: petstore.NewMemory()}
	if o.log {
		options.Log = slog.New(slog.NewTextHandler(a.Stderr, nil))
	}
	if o.data != "" {
		file, err := petstore.OpenFile(o.data)
		if err != nil {
			return fmt.Errorf("--data %s: %w", text.Printable(o.data), err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		options.Store = file
	}
	variant, err := o.variant.variant()
	if err != nil {
		return err
	}
	service, err := variants.Build(options, variant)
	if err != nil {
		return err
	}
	defer service.Close()
	if err := checkURLFile(o.urlFile); err != nil {
		return err
	}
	if err := petstore.Preload(ctx, options.Store, o.preload); err != nil {
		if _, asked := cli.Interrupted(ctx); asked {
			return nil
		}
		return err
	}
	listener, err := listen(ctx, o.addr)
	if err != nil {
		return err
	}
	url := "http://" + reachable(listener.Addr()) + service.BasePath
	if err := a.announce(url, o.urlFile, made); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := petstore.Serve(ctx, listener, service.Handler, options.Timeouts, options.Log); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	return nil
}

// serviceKeys are the keys that let clients in. One that was made is given a second time, to be shown.
func (a *app) serviceKeys(file string) (keys []string, made string, err error) {
	if file == "" {
		if key := a.Getenv(session.KeyVariable); key != "" {
			return []string{key}, "", nil
		}
		made = petstore.NewKey()
		return []string{made}, made, nil
	}
	s, err := session.ReadSecret("--api-key-file "+text.Printable(file), file)
	if err != nil {
		return nil, "", err
	}
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			keys = append(keys, line)
		}
	}
	if len(keys) == 0 {
		return nil, "", fmt.Errorf("--api-key-file %s: the file holds no API key", text.Printable(file))
	}
	return keys, "", nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("--addr: %q is no address to listen at; write for example 127.0.0.1:8080", addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("--addr %s: the service cannot listen there: %w", text.Printable(addr), err)
	}
	return listener, nil
}

// reachable is an address at which clients of this machine find a listener.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
}

// checkURLFile makes sure that the address can be written, and removes that of an earlier service: who waits for the file
// must not find it too early.
func checkURLFile(file string) error {
	if file == "" {
		return nil
	}
	info, err := os.Lstat(file)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--url-file %s: this is no plain file", text.Printable(file))
	}
	if err == nil {
		err = os.Remove(file)
	} else if probe, wrong := os.CreateTemp(filepath.Dir(file), ".hallmark-*.tmp"); wrong != nil {
		err = wrong
	} else {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Printable(file), cli.Bare(err))
	}
	return nil
}

// announce says where the service is, and how to let hallmark judge it.
func (a *app) announce(url, file, made string) error {
	s := "The reference service is ready at " + url + ", until it is interrupted.\n"
	if made != "" {
		s += "Its API key was made for this time. To judge it, in another terminal:\n\n  export " + session.KeyVariable + "=" + made + "\n"
	} else {
		s += "To judge it, in another terminal, with one of its API keys in " + session.KeyVariable + ":\n\n"
	}
	s += "  hallmark run --base-url " + url + "\n\n"
	if _, err := io.WriteString(a.Stdout, s); err != nil {
		return fmt.Errorf("the address could not be written: %w", cli.Bare(err))
	}
	if file == "" {
		return nil
	}
	if err := replaceFile(file, url+"\n"); err != nil {
		return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Printable(file), cli.Bare(err))
	}
	return nil
}
