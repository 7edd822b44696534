package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/spec/wire"
)

// A stream of items (events, JSON lines, a JSON sequence) may never end, so the client reads its beginning and
// closes it.

// streamBounds says how much of a stream is read.
type streamBounds struct {
	// items is how many items are enough once a stream has been open for least.
	items int64
	least time.Duration
	// first is how long the first stream of an operation is read, later how long each of the following ones is. If
	// the first one has sent no item by then, it is read for silent.
	first, later, silent time.Duration
}

func defaultStreamBounds() streamBounds {
	return streamBounds{items: 100, least: 250 * time.Millisecond, first: 3 * time.Second, later: time.Second, silent: 5 * time.Second}
}

// streams tracks the operations whose streams were read.
type streams struct {
	bounds streamBounds

	mu   sync.Mutex
	seen map[string]bool
}

// boundsOf returns the bounds for the next stream of an operation.
func (s *streams) boundsOf(operation string) streamBounds {
	s.mu.Lock()
	defer s.mu.Unlock()
	bounds := s.bounds
	if s.seen[operation] {
		bounds.first, bounds.silent = bounds.later, bounds.later
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[operation] = true
	return bounds
}

// errStreamRead ends the reading of a stream after enough was read.
var errStreamRead = errors.New("enough was read of the stream")

// openStream is the body of a response that is a stream. It ends when the service ends it or enough was read; then
// closed is true.
type openStream struct {
	io.ReadCloser
	ctx    context.Context
	bounds streamBounds
	kind   wire.MediaKind
	began  time.Time
	timer  *time.Timer
	closed bool

	items atomic.Int64
	// blank reports whether the last line read is empty so far.
	blank bool
}

// isStream reports whether content of a kind is a sequence of items, which may never end.
func isStream(kind wire.MediaKind) bool {
	return kind == wire.KindEvents || kind == wire.KindLines || kind == wire.KindSequence
}

// openStream wraps the body of a response that is a stream of unknown length; it returns nil for other responses.
func (c *Client) openStream(ctx context.Context, clock *stopwatch, what *Call, resp *http.Response) *openStream {
	kind := wire.KindOf(resp.Header.Get("Content-Type"))
	if resp.StatusCode/100 != 2 || resp.ContentLength >= 0 || !isStream(kind) && !what.Streams {
		return nil
	}
	s := &openStream{ReadCloser: resp.Body, ctx: ctx, bounds: c.streams.boundsOf(what.Operation), kind: kind, began: time.Now(), blank: true}
	s.timer = time.AfterFunc(time.Hour, func() {
		if s.items.Load() > 0 || time.Since(s.began) >= s.bounds.silent {
			clock.cancel(errStreamRead)
		} else {
			s.timer.Reset(s.bounds.silent - s.bounds.first)
		}
	})
	s.timer.Reset(s.bounds.first)
	resp.Body = s
	return s
}

// Read reads until enough was read.
func (s *openStream) Read(to []byte) (int, error) {
	if s.items.Load() >= s.bounds.items && time.Since(s.began) >= s.bounds.least {
		s.closed = true
		return 0, io.EOF
	}
	n, err := s.ReadCloser.Read(to)
	s.count(to[:n])
	if cause := context.Cause(s.ctx); err != nil && !errors.Is(err, io.EOF) && (errors.Is(cause, errStreamRead) || errors.Is(cause, context.DeadlineExceeded)) {
		s.closed, err = true, io.EOF
	}
	return n, err
}

// Close closes the stream.
func (s *openStream) Close() error {
	s.timer.Stop()
	return s.ReadCloser.Close()
}

// count counts the items that end in a text.
func (s *openStream) count(text []byte) {
	ended := 0
	switch s.kind {
	case wire.KindSequence:
		ended = bytes.Count(text, []byte{recordSeparator})
	case wire.KindEvents:
		for _, c := range text {
			switch {
			case c != '\n' && c != '\r':
				s.blank = false
			case c == '\n' && s.blank:
				ended++
			case c == '\n':
				s.blank = true
			}
		}
	default:
		ended = bytes.Count(text, []byte{'\n'})
	}
	s.items.Add(int64(ended))
}

// recordSeparator precedes each text of a JSON sequence (RFC 7464).
const recordSeparator = '\x1e'

// whole returns the items of a stream that were read completely, without the part that was in transit when the
// stream was closed.
func (s *openStream) whole(raw []byte) []byte {
	var last int
	switch s.kind {
	case wire.KindEvents: // an incomplete event is none
		return raw
	case wire.KindSequence:
		if last = bytes.LastIndexByte(raw, recordSeparator); bytes.HasSuffix(raw, []byte("\n")) {
			return raw
		}
		last--
	default:
		last = bytes.LastIndexByte(raw, '\n')
	}
	return raw[:max(last+1, 0)]
}
