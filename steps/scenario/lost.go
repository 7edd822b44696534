package scenario

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/client"
)

// Outage ends a run whose target stopped answering.
type Outage struct{ Text string }

func (e Outage) Error() string { return e.Text }

// noteLost counts a lost exchange; several in a row end the run. After a timeout it checks whether the operation
// hangs.
func (r *Run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.contact.Count()
		if r.latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.SetLost(r.latencies.Hanging(ex.Operation)) // more specific than an earlier reason
		}
		return
	}
	if why.Refused == 0 && !why.Unsent {
		r.underWay.addLost(ex, r.requestWords(ex))
	}
	if r.contact.Lost(ex.Started, why.Refused) {
		r.End(Outage{r.underWay.words() + "the target stopped answering: " + ex.Lost})
	}
}

// requestWords describes a request: POST /pets {"name":"x"} (exchange 12).
func (r *Run) requestWords(ex *spec.Exchange) string {
	words := ex.Request.Method + " " + check.Path(ex)
	if len(ex.Request.Body) > 0 {
		words += " " + text.Elide(text.Visible(string(r.Client.Redactor.Bytes(ex.Request.Body))), longestBody)
	}
	return fmt.Sprintf("%s (exchange %d)", words, ex.Seq)
}

const (
	// longestBody is how many characters of a body are quoted for a request that was in flight. mostUnderWay is how
	// many such requests are named: as many as are sent concurrently at first.
	longestBody, mostUnderWay = 80, 8
	// aroundLoss is how much later than a loss an earlier response may be recorded.
	aroundLoss = time.Second
)

// underWay holds the requests that were sent and got no response, one of which may have brought the target down.
// It is safe for concurrent use.
type underWay struct {
	mu       sync.Mutex
	answered time.Time
	lost     []lostRequest
}

type lostRequest struct {
	started, at time.Time
	words       string
}

// responded records that a response arrived: requests lost long before it did not bring the target down.
func (u *underWay) responded() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answered = time.Now()
	u.lost = slices.DeleteFunc(u.lost, func(l lostRequest) bool { return u.answered.Sub(l.at) > aroundLoss })
}

func (u *underWay) addLost(ex *spec.Exchange, words string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = append(u.lost, lostRequest{ex.Started, time.Now(), words})
}

// words names the requests in the order they were sent; empty if there are none.
func (u *underWay) words() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	slices.SortStableFunc(u.lost, func(a, b lostRequest) int { return a.started.Compare(b.started) })
	var all []string
	for _, l := range u.lost {
		if len(all) == mostUnderWay {
			all = append(all, fmt.Sprintf("%d more", len(u.lost)-mostUnderWay))
			break
		}
		all = append(all, l.words)
	}
	if len(all) == 0 {
		return ""
	}
	return text.Enumerate(all, "and") + " " + text.Were(len(u.lost)) + " under way; "
}

// noteLostText records the first reason why the target could not be judged completely.
func (r *Run) noteLostText(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lostText == "" {
		r.lostText = text
	}
}

// LostText returns the reason why the target could not be judged completely, or "".
func (r *Run) LostText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lostText
}

// SetLost replaces the reason that LostText returns.
func (r *Run) SetLost(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lostText = text
}

// Interruptions returns what the record says about lost exchanges, or nil if there were none.
func (r *Run) Interruptions() *record.Interruptions {
	seen, hanging := r.contact.Interruptions(), r.latencies.Operations()
	if seen.Lost == 0 && seen.Refused == 0 && len(hanging) == 0 {
		return nil
	}
	return &record.Interruptions{
		Allowed: r.Patience.Reconnect, Refused: seen.Refused, Longest: seen.Longest, Lost: seen.Lost, Replayed: seen.Replayed,
		Hanging: hanging,
	}
}
