package lifecycle

import (
	"context"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// A pacer spreads the repetitions of a read over a patience, further and further apart. Only its pauses count, not the time that responses
// take: a busy service gets as many chances to show a change as an idle one.
type pacer struct {
	pause, left time.Duration
}

func newPacer(patience time.Duration) *pacer {
	const first = 20 * time.Millisecond
	return &pacer{pause: first, left: patience}
}

// wait pauses before the next repetition, the last of which comes when the patience is over. It returns false once it is, and an error if
// ctx ends.
func (p *pacer) wait(ctx context.Context) (bool, error) {
	if p.left <= 0 {
		return false, nil
	}
	pause := min(p.pause, p.left)
	if err := client.Sleep(ctx, pause); err != nil {
		return false, err
	}
	p.left -= pause
	p.pause = min(2*p.pause, scenario.MostSettle)
	return true, nil
}
