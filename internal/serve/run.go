package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference"
)

// MaxPreload bounds the resources created before the first request.
const MaxPreload = 1_000_000

// Options configure the service.
type Options struct {
	// Reference creates the service.
	Reference reference.Implementation
	// Addr is the address to listen at, as HOST:PORT; port 0 selects a free one.
	Addr string
	// BasePath is the path of its base URL.
	BasePath string
	// Data is the file for persistent data; empty keeps data in memory.
	Data string
	// KeyFile contains the accepted API keys, one per line; if empty, the key of the environment is used, or a generated one.
	KeyFile string
	// URLFile is the file that receives the address when the service is ready; empty for none.
	URLFile string
	// Preload is the number of resources to create before the first request.
	Preload int
	// Log writes a line per request to standard error.
	Log bool
	// Variant is the fault or freedom of the service.
	Variant reference.Variant
}

// Run serves until the context ends.
func Run(ctx context.Context, env *cli.Env, o Options) (err error) {
	keys, made, err := apiKeys(env, o.Reference, o.KeyFile)
	if err != nil {
		return err
	}
	options := reference.Options{Keys: keys, BasePath: o.BasePath, Variant: o.Variant}
	if o.Log {
		options.Log = slog.New(slog.NewTextHandler(env.Stderr, nil))
	}
	if o.Data != "" {
		file, err := o.Reference.Open(o.Data)
		if err != nil {
			return fmt.Errorf("--data %s: %w", text.Visible(o.Data), err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		options.Store = file
	}
	service, err := o.Reference.New(options)
	if err != nil {
		return err
	}
	defer service.Close()
	if err := checkURLFile(o.URLFile); err != nil {
		return err
	}
	if err := service.Preload(ctx, o.Preload); err != nil {
		if _, asked := cli.Interrupted(ctx); asked {
			return nil
		}
		return err
	}
	listener, err := cli.Listen(ctx, "--addr", o.Addr)
	if err != nil {
		return err
	}
	url := "http://" + cli.Reachable(listener.Addr()) + service.BasePath()
	if err := announce(env.Stdout, url, o.URLFile, made); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := service.Serve(ctx, listener); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	return nil
}
