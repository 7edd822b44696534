package session

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/reports/record"
	"hallmark/steps"
	"hallmark/steps/client"
)

// reachOptions are the flags of run that say how the service is reached.
type reachOptions struct {
	reach          client.Network
	headers        []string
	secretHeaders  []string
	proxyShown     string
	proxyPasswords []string
	// KeyVariable and keyFile say where the API key was found, if not in HALLMARK_API_KEY.
	keyVariable, keyFile string
}

func (o *reachOptions) addFlags(flags *pflag.FlagSet) {
	flags.Var(cli.FileValue(&o.reach.CAFile, "FILE"), "ca-file", "trust the certificates of this file (PEM), too")
	flags.Var(cli.FileValue(&o.reach.ClientCert, "FILE"), "client-cert", "the certificate to show to the service (PEM)")
	flags.Var(cli.FileValue(&o.reach.ClientKey, "FILE"), "client-key", "its key (PEM), if --client-cert does not hold it")
	cli.AddSwitch(flags, &o.reach.Insecure, "insecure", "check no certificate; every report says so")
	flags.Var(cli.WithShow(cli.TextValue(&o.reach.Proxy, "URL"), client.ShowProxy), "proxy", "send everything through this proxy, instead of those of HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
	flags.Var(cli.WithShow(cli.ListValue(&o.headers, "HEADER"), func(text string) string { return client.ShowHeader(text, false) }),
		"header", "send this header too, as 'Name: value'; ${NAME} in it is a variable of the environment, kept secret; repeatable")
	flags.Var(cli.WithShow(cli.ListValue(&o.secretHeaders, "HEADER"), func(text string) string { return client.ShowHeader(text, true) }),
		"secret-header", "the same, and keep all of its value out of records; repeatable")
	flags.Var(cli.FileValue(&o.reach.UnixSocket, "PATH"), "unix-socket", "connect to this socket; the base URL's host is only a name then")
	cli.AddSwitch(flags, &o.reach.H2C, "h2c", "speak HTTP/2 without TLS, unasked")
}

// transport makes what carries the requests.
func (o *reachOptions) transport(env *cli.Env, concurrency int) (*client.Transport, error) {
	if o.reach.Proxy != "" {
		var err error
		if o.reach.Proxy, o.proxyShown, o.proxyPasswords, err = client.ProxyURL(o.reach.Proxy, env.Lookup); err != nil {
			return nil, err
		}
	}
	return o.reach.Transport(concurrency)
}

// addTo says to the target what the flags say of headers.
func (o *reachOptions) addTo(target *steps.Target, env *cli.Env) error {
	for _, list := range []struct {
		flag   string
		texts  []string
		secret bool
	}{{"header", o.headers, false}, {"secret-header", o.secretHeaders, true}} {
		for _, text := range list.texts {
			h, err := client.ParseHeader(text, list.secret, env.Lookup)
			if err != nil {
				return fmt.Errorf("--%s: %w", list.flag, err)
			}
			target.Headers = append(target.Headers, h)
		}
	}
	return nil
}

// keyFrom says where the API key was found.
func (o *reachOptions) keyFrom(p secretSource) {
	if o.keyFile = p.file; p.file == "" && p.variable != KeyVariable {
		o.keyVariable = p.variable
	}
}

// way is what records say of it.
func (o *reachOptions) way(target steps.Target) record.Connection {
	w := record.Connection{
		Insecure: o.reach.Insecure && strings.HasPrefix(target.BaseURL, "https:"),
		CAFile:   o.reach.CAFile, ClientCert: o.reach.ClientCert, ClientKey: o.reach.ClientKey,
		Proxy: o.proxyShown, UnixSocket: o.reach.UnixSocket, H2C: o.reach.H2C,
		KeyVariable: o.keyVariable, KeyFile: o.keyFile,
	}
	for _, h := range target.Headers {
		w.Headers = append(w.Headers, record.Header{Name: h.Name, Value: h.ForRecords(), Secret: h.Secret})
	}
	return w
}

// warning is what a person has to know before a run that is not what it seems; empty when there is nothing.
func (o *reachOptions) warning(w record.Connection, target steps.Target) string {
	text := ""
	if w.Insecure {
		text = "hallmark: warning: --insecure: no certificate is checked, so whoever stands between can read the API key and change every response\n"
	}
	for _, secret := range target.TooShort() {
		text += fmt.Sprintf("hallmark: warning: %s has fewer than %d characters, as any word may: where a response shows it, reports do too, unless it stands behind Bearer or Basic; test with a longer one\n",
			secret, steps.LeastSecret)
	}
	return text
}
