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

// noteLost counts lost exchanges; several in a row end the run. Of an operation that did not answer in time it tells
// whether it hangs.
func (r *Run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.contact.Count()
		if r.latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.SetLost(r.latencies.Hanging(ex.Operation)) // it says more than what was lost before
		}
		return
	}
	if why.Refused == 0 && !why.Unsent {
		r.underWay.add(ex, r.requestWords(ex))
	}
	if r.contact.Lost(ex.Started, why.Refused) {
		r.End(Outage{r.underWay.words() + "the target stopped answering: " + ex.Lost})
	}
}

// requestWords names a request: POST /pets {"name":"x"} (exchange 12).
func (r *Run) requestWords(ex *spec.Exchange) string {
	words := ex.Request.Method + " " + check.Path(ex)
	if len(ex.Request.Body) > 0 {
		words += " " + text.Elide(text.Visible(string(r.Client.Redactor.Bytes(ex.Request.Body))), longestBody)
	}
	return fmt.Sprintf("%s (exchange %d)", words, ex.Seq)
}

const (
	// longestBody is how much of a body is quoted of a request that was under way, in characters.
	// mostUnderWay is how many are named: as many as are under way at first.
	longestBody, mostUnderWay = 80, 8
	// aroundLoss is how much later than a loss a response may be noted that came before it.
	aroundLoss = time.Second
)

// underWay are the requests that were sent and got no response, by which a target may have been lost. Safe for concurrent use.
type underWay struct {
	mu       sync.Mutex
	answered time.Time
	lost     []lostRequest
}

type lostRequest struct {
	started, at time.Time
	words       string
}

// responded notes that a response came: what was lost long before it was not what the target was lost by.
func (u *underWay) responded() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answered = time.Now()
	u.lost = slices.DeleteFunc(u.lost, func(l lostRequest) bool { return u.answered.Sub(l.at) > aroundLoss })
}

func (u *underWay) add(ex *spec.Exchange, words string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = append(u.lost, lostRequest{ex.Started, time.Now(), words})
}

// words names the requests, those that were sent first before the others; empty for none.
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

// noteLostText keeps the first reason why the target could not be judged to the end.
func (r *Run) noteLostText(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lostText == "" {
		r.lostText = text
	}
}

// LostText is the reason why the target could not be judged to the end; empty when it was.
func (r *Run) LostText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lostText
}

// SetLost puts a reason in the place of any before.
func (r *Run) SetLost(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lostText = text
}

// Interruptions are what the record says of exchanges that were lost; nil where there were none.
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
