package options

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Network holds the flags that say how to reach the service.
type Network struct {
	network       client.Network
	headers       []string
	secretHeaders []string
	query         []string
	proxyShown    string
	// keyVariable and keyFile are where the API key was found, if not in HALLMARK_API_KEY.
	keyVariable, keyFile string
}

func (o *Network) addFlags(flags *pflag.FlagSet) {
	flags.Var(cli.FileValue(&o.network.CAFile, "FILE"), "ca-file", "trust the certificates of this file (PEM), too")
	flags.Var(cli.FileValue(&o.network.ClientCert, "FILE"), "client-cert", "the certificate to show to the service (PEM)")
	flags.Var(cli.FileValue(&o.network.ClientKey, "FILE"), "client-key", "its key (PEM), if --client-cert does not contain it")
	cli.AddSwitch(flags, &o.network.Insecure, "insecure", "do not check certificates; every report says so")
	flags.Var(cli.WithShow(cli.TextValue(&o.network.Proxy, "URL"), client.ShowProxy), "proxy", "send everything through this proxy, instead of those of HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
	flags.Var(cli.WithShow(cli.ListValue(&o.headers, "HEADER"), func(text string) string { return client.ShowHeader(text, false) }),
		"header", "send this header too, as 'Name: value'; ${NAME} in it is an environment variable, kept secret; repeatable")
	flags.Var(cli.WithShow(cli.ListValue(&o.secretHeaders, "HEADER"), func(text string) string { return client.ShowHeader(text, true) }),
		"secret-header", "the same, and keep the whole value out of records; repeatable")
	flags.Var(cli.WithShow(cli.ListValue(&o.query, "PARAMETER"), client.ShowQueryParameter),
		"secret-query", "send this query parameter too, as 'name=value', and keep the value out of records; repeatable")
	flags.Var(cli.FileValue(&o.network.UnixSocket, "PATH"), "unix-socket", "connect to this socket; the host of the base URL is then only a name")
	cli.AddSwitch(flags, &o.network.H2C, "h2c", "use HTTP/2 without TLS (h2c with prior knowledge)")
}

// Transport returns the transport for the requests, and the secrets of the proxy. If socketMayCome is set, the socket may appear later,
// while the run waits for the service.
func (o *Network) Transport(env *cli.Env, concurrency int, socketMayCome bool) (t *client.Transport, secrets []string, err error) {
	o.network.SocketMayCome = socketMayCome
	if o.network.Proxy != "" {
		if o.network.Proxy, o.proxyShown, secrets, err = client.ProxyURL(o.network.Proxy, env.Lookup); err != nil {
			return nil, nil, err
		}
	}
	t, err = o.network.Transport(concurrency)
	return t, secrets, err
}

// Through opens all connections with dial, in place of the network.
func (o *Network) Through(dial func(context.Context) (net.Conn, error)) { o.network.Dial = dial }

// addHeaders adds the headers and query parameters from the flags to the target.
func (o *Network) addHeaders(target *scenario.Target, env *cli.Env) error {
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
	for _, text := range o.query {
		q, err := client.ParseQueryParameter(text, env.Lookup)
		if err != nil {
			return fmt.Errorf("--secret-query: %w", err)
		}
		target.Query = append(target.Query, q)
	}
	return nil
}

// setKeySource stores where the API key was found.
func (o *Network) setKeySource(p secretSource) {
	if o.keyFile = p.file; p.file == "" && p.variable != KeyVariable {
		o.keyVariable = p.variable
	}
}

// Connection returns the connection for records.
func (o *Network) Connection(target scenario.Target) record.Connection {
	w := record.Connection{
		Insecure: o.network.Insecure && strings.HasPrefix(target.BaseURL, "https:"),
		CAFile:   o.network.CAFile, ClientCert: o.network.ClientCert, ClientKey: o.network.ClientKey,
		Proxy: o.proxyShown, UnixSocket: o.network.UnixSocket, H2C: o.network.H2C,
		KeyVariable: o.keyVariable, KeyFile: o.keyFile,
	}
	for _, h := range target.Headers {
		w.Headers = append(w.Headers, record.Header{Name: h.Name, Value: h.ForRecords(), Secret: h.Secret})
	}
	return w
}

// Warning returns what the user should know before the run, or "".
func (o *Network) Warning(w record.Connection, target scenario.Target) string {
	text := ""
	if w.Insecure {
		text = "hallmark: warning: --insecure: no certificate is checked, so anyone on the network path can read the API key and change every response\n"
	}
	for _, secret := range target.TooShort() {
		text += fmt.Sprintf("hallmark: warning: %s is too short to redact reliably: with fewer than %d characters, reports show it wherever a response does, except after Bearer or Basic; use a longer one\n",
			secret, scenario.LeastSecret)
	}
	return text
}
