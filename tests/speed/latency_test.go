//go:build unix

package speed

import (
	"io"
	"net"
	"net/url"
	"testing"
	"time"
)

// delayed starts a proxy in front of a service by which every byte of its responses comes that much later; how many come is as
// without it. base is its address, with the path of the service's.
func delayed(tb testing.TB, service string, latency time.Duration) (base string, stop func()) {
	tb.Helper()
	to, err := url.Parse(service)
	if err != nil {
		tb.Fatal(err)
	}
	socket, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	go func() {
		for {
			down, err := socket.Accept()
			if err != nil {
				return // stopped
			}
			up, err := (&net.Dialer{}).DialContext(tb.Context(), "tcp", to.Host)
			if err != nil {
				_ = down.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(up, down) // until the client closes
				_ = up.(*net.TCPConn).CloseWrite()
			}()
			go func() {
				copyLater(down, up, latency)
				_ = down.Close()
				_ = up.Close()
			}()
		}
	}()
	return "http://" + socket.Addr().String() + to.Path, func() { _ = socket.Close() }
}

// late is what is to be written when its time has come.
type late struct {
	data []byte
	due  time.Time
}

// copyLater copies what it reads so much later, until there is no more.
func copyLater(to io.Writer, from io.Reader, latency time.Duration) {
	waiting := make(chan late, 1024)
	go func() {
		defer close(waiting)
		for {
			data := make([]byte, 32<<10)
			n, err := from.Read(data)
			if n > 0 {
				waiting <- late{data[:n], time.Now().Add(latency)}
			}
			if err != nil {
				return
			}
		}
	}()
	for one := range waiting {
		<-time.After(time.Until(one.due))
		if _, err := to.Write(one.data); err != nil {
			for range waiting { // so that who reads comes to its end
			}
			return
		}
	}
}
