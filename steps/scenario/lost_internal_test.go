package scenario

import (
	"slices"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// Only what had been sent before the first connection broke, and nothing that the target survived, may have ended it.
func TestUnderWay(t *testing.T) {
	begin := time.Now()
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	var u underWay
	u.addLost(lostRequest{seq: 1, started: at(0), at: at(10)}) // a response to a later request came
	u.responded(at(20))
	u.addLost(lostRequest{seq: 4, started: at(24), at: at(42)})
	u.addLost(lostRequest{seq: 3, read: true, started: at(22), at: at(40)})
	u.addLost(lostRequest{seq: 5, started: at(50), at: at(51)}) // sent to a dead target
	u.responded(at(21))                                         // had been sent before the loss
	if got, want := u.suspects(), []record.Suspect{{Exchange: 3, Read: true}, {Exchange: 4}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
