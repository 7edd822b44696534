package cli

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Listen listens at the address that a flag gives, as HOST:PORT.
func Listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("%s: %q is not an address to listen on; write for example 127.0.0.1:8080", flag, addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("%s %s: nothing can listen there: %w", flag, text.Visible(addr), err)
	}
	return listener, nil
}

// Reachable returns an address at which clients on this machine reach a listener.
func Reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
}
