package score

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Basis is a contract with what is derived from it.
type Basis struct {
	Contract  *spec.Contract
	Promises  *promise.Promises
	Catalogue *spec.Catalogue
	// Suite holds the scenarios, or is nil if none are played.
	Suite *suite.Suite
}

// Faults returns the faults derived from the contract.
func (b Basis) Faults() []fault.Fault { return fault.Of(b.Contract, b.Promises, b.Catalogue) }

// ProxyOptions are the options of a proxy.
type ProxyOptions struct {
	// To is the base URL of the service, Addr the address to listen on, as HOST:PORT.
	To, Addr string
	// Fault and Freedom name what the proxy applies, if anything.
	Fault, Freedom string
	// URLFile, if set, is the file that receives the base URL once the proxy is ready.
	URLFile string
}

// UnknownError reports that there is no fault or freedom of that name.
type UnknownError struct {
	What, Name string
	Known      []string
}

func (e UnknownError) Error() string {
	return fmt.Sprintf("--%s: there is no %s %q", e.What, e.What, text.Visible(e.Name))
}

// handler returns the handler that the proxy puts in front of a service.
func (o ProxyOptions) handler(b Basis, service http.Handler, base string, w *watch) (*mutate.Handler, error) {
	front := newFront(b.Contract, b.Promises)
	unknown := UnknownError{What: "fault", Name: o.Fault}
	switch {
	case o.Fault != "" && o.Freedom != "":
		return nil, errors.New("--fault breaks the contract and --freedom keeps it; give one of them")
	case o.Fault != "":
		for _, f := range b.Faults() {
			if f.Name == o.Fault {
				return front.faulty(service, base, w, f)
			}
			unknown.Known = append(unknown.Known, f.Name)
		}
		return nil, unknown
	case o.Freedom != "":
		unknown = UnknownError{What: "freedom", Name: o.Freedom}
		for _, f := range mutate.Freedoms() {
			if f.Name == o.Freedom {
				return front.free(service, base, w, f), nil
			}
			unknown.Known = append(unknown.Known, f.Name)
		}
		return nil, unknown
	}
	return front.plain(service, base, w), nil
}

// Serve runs a proxy until the context ends.
func Serve(ctx context.Context, b Basis, o ProxyOptions, out, log io.Writer) error {
	to, err := scenario.ParseBaseURL(o.To)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	service, err := url.Parse(to)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	base := strings.TrimRight(service.EscapedPath(), "/")
	transport := client.NewTransport(64)
	w := newWatch()
	w.Changed = func(x *mutate.Exchange) {
		fmt.Fprintf(log, "changed: %s %s, answered %d\n", x.Request.Method, text.Visible(x.Request.URL.EscapedPath()), x.Status)
	}
	handler, err := o.handler(b, mutate.Forward(service, transport), base, w)
	if err != nil {
		return err
	}
	p, err := listen(ctx, o.Addr, handler, service, base)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	defer p.close()
	if _, err := fmt.Fprintf(out, "The proxy is ready at %s, until it is interrupted. The service is at %s.\n", p.url, to); err != nil {
		return err
	}
	if o.URLFile != "" {
		if err := files.Replace(o.URLFile, p.url+"\n"); err != nil {
			return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Visible(o.URLFile), err)
		}
	}
	<-ctx.Done()
	return nil
}

// listener is a listening proxy.
type listener struct {
	// url is its base URL.
	url   string
	close func()
}

// listen serves a handler in front of a service.
func listen(ctx context.Context, addr string, handler *mutate.Handler, service *url.URL, base string) (listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return listener{}, fmt.Errorf("the proxy cannot listen at %s: %w", text.Visible(addr), err)
	}
	origin := "http://" + l.Addr().String()
	handler.Middleware = append(handler.Middleware, mutate.Readdress(service.Scheme+"://"+service.Host, origin))
	server := &http.Server{Handler: mutate.Gateway(handler), ReadHeaderTimeout: 30 * time.Second}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // it returns when the server is closed; its error does not matter
	}()
	return listener{url: origin + base, close: func() {
		_ = server.Close() // requests in flight belong to a suite that has ended
		<-served
	}}, nil
}
