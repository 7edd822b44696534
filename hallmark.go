// Package hallmark judges HTTP services by their OpenAPI documents inside go test.
//
// [Run] derives a suite of scenarios from a document and plays it against an http.Handler, without a port, or against a running service.
// Each rule of the interface is a subtest, named after its operation:
//
//	func TestContract(t *testing.T) {
//		hallmark.Run(t, hallmark.Options{Contract: "api.yaml", Handler: api.New(db)})
//	}
//
//	go test -run 'TestContract/addBook/created.kept'
//
// [Watch] judges the responses that the existing tests of a handler receive anyway, and counts the operations that they reach. [Steps] adds
// hallmark's sentences to a godog suite of your own.
//
// Within a major version, what this package exports keeps its meaning. The set of rules and the texts of failures may change with every
// version. Everything else in this module is internal.
package hallmark

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// Options says what is judged, and by what. Contract is required, and one of Handler and BaseURL.
type Options struct {
	// Contract is the path of an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0), relative to the folder of the test, or its http or https
	// address. The files rules.yaml and values.yaml beside it apply as they do on the command line.
	Contract string
	// Handler is judged in this process, over connections in memory.
	Handler http.Handler
	// BaseURL is the address of a running service, with the path that precedes those of the document. If Contract is an address, its default
	// is the document's first server, if that is on the same host. With a Handler it is only what the handler sees: its default then is
	// http://localhost with the path of the document's first server.
	BaseURL string
	// Credentials holds the secrets of the document's security schemes, by name: a key, a token, or "user:password" for HTTP Basic. Those
	// that are missing come from the variables HALLMARK_CREDENTIAL_<SCHEME>. Operations whose secret is missing are not called, and the test
	// fails for that.
	Credentials map[string]string
	// Before is called before the first request, for example to fill a database, and After when everything has been asked and what the run
	// created has been removed. Their errors fail the test. For [Steps] that is before and after each scenario.
	Before, After func(context.Context) error
	// BeforeEach is called once for each resource, before its first scenario, with its name: the first segment of the paths that are about
	// it, such as "books". Scenarios of other resources may be in progress. An error ends the run and fails the test. [Steps] does not call it.
	BeforeEach func(ctx context.Context, resource string) error
	// RequireComplete fails the test when a must rule was not exercised. It has no effect if -run selects rules.
	RequireComplete bool
	// Seed repeats the order and the examples of an earlier run, which its failure names. 0 is 1: the same test asks the same.
	Seed int64
	// Reports are written at the end, each as "FORMAT:PATH": "html:report.html", "junit:hallmark.xml".
	Reports []string
	// Flags are further flags of "hallmark run", such as "--allow=deleteAll" or "--deviations=known.yaml".
	Flags []string
}

// errNothing says that the options have nothing to judge.
var errNothing = errors.New("hallmark.Options has nothing to judge: give a Handler, or a BaseURL")

// settings returns the options of a run on the command line that mean the same. The base URL is that of the document if none is given.
func (o Options) settings(env *cli.Env) (options.Options, error) {
	all := options.DefaultOptions()
	flags := pflag.NewFlagSet("hallmark", pflag.ContinueOnError)
	all.AddFlags(flags)
	switch {
	case o.Contract == "":
		return all, errors.New("hallmark.Options has no Contract: give the path of an OpenAPI document")
	case o.Handler == nil && o.BaseURL == "" && !cli.IsURL(o.Contract):
		return all, errNothing
	}
	args := []string{"--contract=" + o.Contract, "--no-github"}
	if o.BaseURL != "" {
		args = append(args, "--base-url="+o.BaseURL)
	}
	if o.Handler != nil {
		args = append(args, "--journal=none") // what it created goes with the process
	}
	if o.Seed != 0 {
		args = append(args, "--seed="+strconv.FormatInt(o.Seed, 10))
	}
	if o.RequireComplete {
		args = append(args, "--require-complete")
	}
	for _, report := range o.Reports {
		args = append(args, "--report="+report)
	}
	if err := flags.Parse(append(args, o.Flags...)); err != nil {
		return all, err
	}
	contract, err := session.ReadContract(all.Contract)
	if err != nil {
		return all, err
	}
	if err := o.checkCredentials(contract); err != nil {
		return all, err
	}
	switch {
	case o.Handler == nil:
	case all.BaseURL == "":
		err = flags.Set("base-url", "http://localhost"+basePath(contract))
	case strings.HasPrefix(all.BaseURL, "https:"):
		err = errors.New("hallmark.Options has a Handler, which is not asked by TLS, and a BaseURL with https: write http")
	}
	if err != nil {
		return all, err
	}
	all.Settings, err = options.Resolve(env, flags)
	if all.Run.Seed == 0 {
		all.Run.Seed = 1
	}
	return all, err
}

// checkCredentials returns an error for a secret of a scheme that the document does not have.
func (o Options) checkCredentials(contract *spec.Contract) error {
	var known []string
	for _, s := range scheme.All(contract.Operations()) {
		known = append(known, s.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Credentials)) {
		switch {
		case slices.Contains(known, name):
		case len(known) == 0:
			return fmt.Errorf("hallmark.Options.Credentials: the document's operations need no credentials, so there is no security scheme %q", name)
		default:
			return fmt.Errorf("hallmark.Options.Credentials: the document's operations name no security scheme %q; %s", name, cli.Suggest(name, known, "they name "+text.Enumerate(known, "and")))
		}
	}
	return nil
}

// environment returns the environment of a run: the variables of the process, the credentials of the options, and no terminal.
func (o Options) environment() *cli.Env {
	credentials := map[string]string{}
	for name, secret := range o.Credentials {
		credentials[scheme.Variable(name)] = secret
	}
	return &cli.Env{
		Version: cli.Version(""),
		Lookup: func(name string) (string, bool) {
			if secret, ok := credentials[name]; ok {
				return secret, true
			}
			return lookup(name)
		},
	}
}

// basePath returns the path of a document's first server, or "" if it has none.
func basePath(contract *spec.Contract) string {
	servers := contract.Servers()
	if len(servers) == 0 || strings.ContainsAny(servers[0].BasePath(), "{}") {
		return ""
	}
	return strings.TrimRight(servers[0].BasePath(), "/")
}
