package traffic

import (
	"bufio"
	"net"
	"net/http"
)

// response is the response of a handler, which keeps a copy.
type response struct {
	http.ResponseWriter

	status   int
	header   http.Header
	body     copied
	hijacked bool
}

// WriteHeader keeps the headers as they are sent.
func (r *response) WriteHeader(status int) {
	if r.status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		r.status, r.header = status, r.Header().Clone()
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status, r.header = http.StatusOK, r.Header().Clone()
	}
	n, err := r.ResponseWriter.Write(p)
	r.body.addBytes(p[:n])
	return n, err
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Flush is for handlers that ask for an [http.Flusher].
func (r *response) Flush() {
	if r.status == 0 {
		r.status, r.header = http.StatusOK, r.Header().Clone()
	}
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// Hijack is for handlers that ask for an [http.Hijacker].
func (r *response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, both, err := http.NewResponseController(r.ResponseWriter).Hijack()
	r.hijacked = err == nil
	return conn, both, err
}
