package traffic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// ProxyOptions are the options of a proxy.
type ProxyOptions struct {
	// To is where the service is: its scheme and host count.
	To *url.URL
	// Transport sends the requests. It must neither decompress responses nor follow redirects.
	Transport http.RoundTripper
	// Judge gets the exchanges that are judged.
	Judge func(*Exchange)
	// Sample judges one exchange of so many; 1 judges all.
	Sample int
	// Most is how many bytes of a body are copied to be judged.
	Most int
	// ServiceHost sends the host of the service instead of that which the client asked for.
	ServiceHost bool
}

// Proxy is a reverse proxy that passes everything on as it is, and has copies of it judged.
type Proxy struct {
	http.Handler

	queue *Queue
	room  *Room
	// passed counts the exchanges from which some are chosen (--sample), unsampled those without a copy, failed those without a response.
	passed, unsampled, failed atomic.Int64
}

// mostUnderWay is how many bytes the copies of exchanges under way may take together.
const mostUnderWay = 64 << 20

// NewProxy returns a proxy. Close it to have everything judged.
//
// It passes on method, path, query, headers and trailers, Host and X-Forwarded headers included, and adds none. As HTTP demands of every
// proxy, it leaves out the headers that belong to one connection (RFC 9110, section 7.6.1), unless the connection switches protocols.
func NewProxy(o ProxyOptions) *Proxy {
	p := &Proxy{room: NewRoom(mostUnderWay)}
	tap := &Tap{Most: o.Most, Requests: true, Wants: p.sampler(o.Sample), Room: p.room}
	if o.Judge != nil {
		p.queue = NewQueue(o.Judge)
		tap.Submit = p.queue.Add
	}
	transport := o.Transport
	if p.queue != nil {
		transport = tap.Transport(transport)
	}
	p.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = o.To.Scheme, o.To.Host
			r.Out.URL.RawQuery = r.In.URL.RawQuery // also what cannot be parsed
			r.Out.Trailer = r.In.Trailer           // its values come after the body
			if o.ServiceHost {
				r.Out.Host = o.To.Host
			}
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if values, given := r.In.Header[name]; given {
					r.Out.Header[name] = values
				}
			}
		},
		Transport:     transport,
		FlushInterval: -1, // streams reach the client as they come
		BufferPool:    &buffers{},
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			p.failed.Add(1)
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	return p
}

// sampler returns a function that selects one exchange of so many, the first of each.
func (p *Proxy) sampler(of int) func() bool {
	return func() bool {
		wanted := of <= 1 || (p.passed.Add(1)-1)%int64(of) == 0
		if !wanted {
			p.unsampled.Add(1)
		}
		return wanted
	}
}

// Close waits until everything is judged, and returns how many exchanges were not, by reason.
func (p *Proxy) Close() map[Reason]int {
	all := map[Reason]int{Unsampled: int(p.unsampled.Load()), NoResponse: int(p.failed.Load()), Crowded: p.room.Dropped()}
	if p.queue != nil {
		all[Behind] = p.queue.Close()
	}
	return all
}

// buffers are those with which bodies are copied.
type buffers struct{ pool sync.Pool }

// Get returns a buffer.
func (b *buffers) Get() []byte {
	if got, is := b.pool.Get().(*[]byte); is {
		return *got
	}
	return make([]byte, 32<<10)
}

// Put takes a buffer back.
func (b *buffers) Put(used []byte) { b.pool.Put(&used) }

// grace is how long requests in flight may take when the proxy ends.
const grace = 5 * time.Second

// Serve serves a handler at a listener until the context ends, by HTTP/1.1 and by HTTP/2 without TLS. Requests in flight may end then.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 30 * time.Second, Protocols: protocols, ErrorLog: log.New(io.Discard, "", 0),
		MaxHeaderBytes: 1 << 20,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return fmt.Errorf("the proxy cannot serve: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(ending); errors.Is(err, context.DeadlineExceeded) {
		_ = server.Close() // streams need not end
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
