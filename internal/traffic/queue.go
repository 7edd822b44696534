package traffic

import "sync"

// Bounds of what waits to be judged: exchanges, and bytes of their bodies.
const mostWaiting, mostWaitingBytes = 2048, 64 << 20

// Queue passes exchanges on to a judge without making anybody wait. When the judge falls behind, exchanges are dropped and counted.
type Queue struct {
	judge func(*Exchange)
	waits chan *Exchange
	ended chan struct{}

	mu      sync.Mutex
	bytes   int
	dropped int
	closed  bool
}

// NewQueue returns a queue in front of a function, which is called for one exchange at a time.
func NewQueue(judge func(*Exchange)) *Queue {
	q := &Queue{judge: judge, waits: make(chan *Exchange, mostWaiting), ended: make(chan struct{})}
	go func() {
		defer close(q.ended)
		for x := range q.waits {
			size := weight(x) // judging may decode the body
			q.judge(x)
			q.mu.Lock()
			q.bytes -= size
			q.mu.Unlock()
		}
	}()
	return q
}

// weight is how many bytes an exchange takes while it waits, about.
func weight(x *Exchange) int {
	return cap(x.Request.Body) + cap(x.Response.Body) + len(x.Request.URL) + headerBytes(x.Request.Header) + headerBytes(x.Response.Header) + exchangeBytes
}

// Add adds an exchange, or drops it.
func (q *Queue) Add(x *Exchange) {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := weight(x)
	if q.closed || q.bytes+size > mostWaitingBytes {
		q.dropped++
		return
	}
	select {
	case q.waits <- x:
		q.bytes += size
	default:
		q.dropped++
	}
}

// Close waits until everything that was added is judged, and returns how many exchanges were dropped.
func (q *Queue) Close() (dropped int) {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.waits)
	}
	q.mu.Unlock()
	<-q.ended
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}
