//go:build unix

package speed

import (
	"strconv"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// computed are the times that a replay computes after each response, to show what a client may spend on one.
var computed = []time.Duration{0, 20 * time.Microsecond, 40 * time.Microsecond, 60 * time.Microsecond, 80 * time.Microsecond, 100 * time.Microsecond}

// computingReplays measures replays whose client computes after each response, by how much longer that takes.
func (b *bench) computingReplays(m *measured) string {
	times := make([][]time.Duration, len(computed))
	for range rounds {
		for i, d := range computed {
			work := computing(d)
			b.against(m, nil, func(base string) { times[i] = append(times[i], replay(b.t, base, m.requests, usual, work)) })
		}
	}
	bare := median(times[0], itself)
	var rows [][]string
	for i, d := range computed {
		took := median(times[i], itself)
		rows = append(rows, []string{text.Number(int(d.Microseconds())) + " µs", seconds(took), ratio(took, bare)})
	}
	return "A replay by " + strconv.Itoa(usual) + " of the " + m.name + "'s requests whose client computes after each response, medians of " +
		strconv.Itoa(rounds) + ":\n\n" + table([]string{"Computes for each response", "Time", "÷ bare replay"}, rows)
}

// computing returns work that keeps a processor busy for about that long, and touches no memory.
func computing(d time.Duration) func() {
	const sample = 1 << 20
	began := time.Now()
	_ = compute(sample)
	n := int(float64(sample) * float64(d) / float64(time.Since(began)))
	return func() { _ = compute(n) }
}

//go:noinline
func compute(n int) uint64 {
	x := uint64(1)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}
