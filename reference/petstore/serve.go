package petstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// maxHeader is the maximum size of a request's line and headers, in bytes.
const maxHeader = 64 << 10

// Timeouts limits the waits of [Serve]. A zero field means its default, given in its comment.
type Timeouts struct {
	ReadHeader time.Duration // for a request's headers: 10 s
	Read       time.Duration // for a whole request: 30 s
	Write      time.Duration // for the response, from the end of the request's headers: 60 s
	Idle       time.Duration // for the next request of a connection: 120 s
	Shutdown   time.Duration // for the requests in flight when the service ends: 10 s
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		ReadHeader: cmp.Or(t.ReadHeader, 10*time.Second),
		Read:       cmp.Or(t.Read, 30*time.Second),
		Write:      cmp.Or(t.Write, 60*time.Second), // longer than Read: a body that comes too slowly gets a response
		Idle:       cmp.Or(t.Idle, 120*time.Second),
		Shutdown:   cmp.Or(t.Shutdown, 10*time.Second),
	}
}

// Serve serves requests on l with the handler until ctx ends. Then it closes l, lets the requests in flight finish, and returns nil, or an
// error if some of them exceeded the shutdown timeout and were cut off. It also returns an error if l fails. l is closed in any case. A nil
// log logs nothing.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, timeouts Timeouts, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	timeouts = timeouts.withDefaults()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: timeouts.ReadHeader,
		ReadTimeout:       timeouts.Read,
		WriteTimeout:      timeouts.Write,
		IdleTimeout:       timeouts.Idle,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("the service at %s stopped: %w", l.Addr(), err), server.Close())
	case <-ctx.Done():
	}

	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeouts.Shutdown)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		_ = server.Close() // its error does not matter: the connections are cut anyway
		err = fmt.Errorf("requests were still in flight %v after the end: %w", timeouts.Shutdown, err)
	}
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
