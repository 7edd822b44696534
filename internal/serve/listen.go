package serve

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func listen(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("--addr: %q is not an address to listen on; write for example 127.0.0.1:8080", addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("--addr %s: the service cannot listen there: %w", text.Visible(addr), err)
	}
	return listener, nil
}

// reachable returns an address at which clients on this machine reach a listener.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
}
