package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Contract configures the service of a contract.
type Contract struct {
	// Contract is the contract to serve, File its file.
	Contract *spec.Contract
	File     string
	// Schemes are its security schemes.
	Schemes []Scheme
	// Freedoms are the freedoms that the service takes.
	Freedoms []string
	// Seed determines the generated values.
	Seed uint64
	// Addr, BasePath, Data, URLFile and Log are as in [Options]; an empty base path is that of the contract's first server.
	Addr, BasePath, Data, URLFile string
	Log                           bool
}

// Scheme is a security scheme and the environment variable of its secret.
type Scheme struct {
	Name, Variable string
	// Pair reports whether the secret is a user name and a password.
	Pair bool
}

// grace is how long pending requests may take after shutdown.
const grace = 10 * time.Second

// RunContract serves a contract until the context ends.
func RunContract(ctx context.Context, env *cli.Env, o Contract) (err error) {
	secrets, made := o.secrets(env)
	settings := stub.Options{Seed: o.Seed, Freedoms: o.Freedoms, BasePath: o.BasePath, Secrets: secrets}
	if settings.BasePath == "" {
		if servers := o.Contract.Servers(); len(servers) > 0 && !strings.ContainsAny(servers[0].BasePath(), "{}") {
			settings.BasePath = servers[0].BasePath()
		}
	}
	if o.Log {
		settings.Log = slog.New(slog.NewTextHandler(env.Stderr, nil))
	}
	if o.Data != "" {
		file, err := stub.Open(o.Data)
		if err != nil {
			return fmt.Errorf("--data %s: %w", text.Visible(o.Data), err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		settings.Store = file
	}
	service, err := stub.New(o.Contract, settings)
	if err != nil {
		return fmt.Errorf("--contract %s: %w", text.Visible(o.File), err)
	}
	if err := checkURLFile(o.URLFile); err != nil {
		return err
	}
	listener, err := cli.Listen(ctx, "--addr", o.Addr)
	if err != nil {
		return err
	}
	url := "http://" + cli.Reachable(listener.Addr()) + service.BasePath()
	if err := o.announce(env.Stdout, url, made); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := serveUntil(ctx, listener, service); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	return nil
}

// secrets returns the secrets of the schemes: from their variables, otherwise the API key, otherwise generated ones. made has the lines that
// set the variables for the generated ones.
func (o Contract) secrets(env *cli.Env) (secrets map[string]string, made []string) {
	secrets = map[string]string{}
	key := ""
	for _, s := range o.Schemes {
		if secret := env.Getenv(s.Variable); secret != "" {
			secrets[s.Name] = secret
			continue
		}
		if secret := env.Getenv(options.KeyVariable); secret != "" && !s.Pair {
			secrets[s.Name] = secret
			continue
		}
		if key == "" {
			key = rand.Text()
		}
		secrets[s.Name] = key
		if s.Pair {
			secrets[s.Name] = "hallmark:" + key
		}
		made = append(made, "export "+s.Variable+"="+secrets[s.Name])
	}
	return secrets, made
}

// announce prints where the service is and how to judge it.
func (o Contract) announce(out io.Writer, url string, made []string) error {
	s := "The service of " + text.Visible(o.File) + " is ready at " + url + ", until it is interrupted.\n"
	switch {
	case len(made) > 0:
		s += "Its secrets were made for this time. To judge it, in another terminal:\n\n  " + strings.Join(made, "\n  ") + "\n"
	case len(o.Schemes) > 0:
		s += "To judge it, in another terminal, with its secrets in the same variables:\n\n"
	default:
		s += "To judge it, in another terminal:\n\n"
	}
	s += "  hallmark run --contract " + text.ShellQuote(o.File) + " --base-url " + url + "\n\n"
	if _, err := io.WriteString(out, s); err != nil {
		return fmt.Errorf("the address could not be written: %w", cli.Bare(err))
	}
	if o.URLFile == "" {
		return nil
	}
	if err := files.Replace(o.URLFile, url+"\n"); err != nil {
		return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Visible(o.URLFile), err)
	}
	return nil
}

// serveUntil serves requests from l until the context ends, and then waits for pending requests.
func serveUntil(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("the service at %s stopped: %w", l.Addr(), err), server.Close())
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := server.Shutdown(late)
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
