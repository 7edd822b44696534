package client

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
)

// dialTrace tracks whether a request gets a connection.
type dialTrace struct {
	connected, handshakeFailed, wrote atomic.Bool
	// again reports whether the transport repeated the request because the other side broke the connection after it was sent.
	again atomic.Bool
	conn  atomic.Pointer[watchedConn]
}

func (w *dialTrace) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if w.connected.Swap(true) && !w.closedBefore() {
				w.again.Store(true)
			}
			conn := info.Conn
			if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
				conn = wrapped.NetConn()
			}
			if watched, ok := conn.(*watchedConn); ok {
				w.conn.Store(watched)
			}
		},
		WroteHeaders: func() { w.wrote.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err != nil {
				w.handshakeFailed.Store(true)
			}
		},
	}
}

// ended reports whether the connection of the request can no longer be read.
func (w *dialTrace) ended() bool {
	conn := w.conn.Load()
	return conn != nil && conn.ended.Load()
}

// closedBefore reports whether the other side had closed the connection before the request was sent.
func (w *dialTrace) closedBefore() bool {
	conn := w.conn.Load()
	return conn != nil && (!w.wrote.Load() || conn.late.Load())
}

// read reports whether the other side closed the connection after it had read the request: with unread bytes it would have been reset.
func (w *dialTrace) read() bool {
	conn := w.conn.Load()
	return conn != nil && conn.eof.Load() && !w.closedBefore()
}

// failed reports whether there was no connection, for a possibly temporary reason, so that nothing was sent. An
// unknown host name is temporary only if the target is known to have answered before.
func (w *dialTrace) failed(err error, known bool) bool {
	if w.connected.Load() {
		return false
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound && !known {
		return false
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	if !w.handshakeFailed.Load() || !known {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}
