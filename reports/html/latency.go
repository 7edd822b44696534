package html

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// bins is the number of bars in a plot.
const bins = 56

// latency shows response times by operation on a common logarithmic scale.
type latency struct {
	Operations []operationLatency
	Ticks      []mark
}

type operationLatency struct {
	id                string // of the operation; empty for none
	p95               time.Duration
	Operation         visible
	Count             int
	Median, P95, Most string
	Slowest           int // the number of the slowest exchange
	Bars              []bar
	MedianAt, P95At   float64
}

// bar and mark have positions and sizes in percent of the plot.
type bar struct{ X, Width, Y, Height float64 }

type mark struct {
	X    float64
	Says string
}

func latencyOf(rec *record.Record) latency {
	by := map[string][]time.Duration{}
	slowest := map[string]int{}
	most := map[string]time.Duration{}
	low, high := time.Duration(math.MaxInt64), time.Duration(0)
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if ex.Response == nil || ex.Elapsed <= 0 {
			continue
		}
		by[ex.Operation] = append(by[ex.Operation], ex.Elapsed)
		if ex.Elapsed > most[ex.Operation] {
			most[ex.Operation], slowest[ex.Operation] = ex.Elapsed, ex.Seq
		}
		low, high = min(low, ex.Elapsed), max(high, ex.Elapsed)
	}
	if len(by) == 0 {
		return latency{}
	}
	s := newScale(low, high)
	l := latency{Ticks: s.ticks()}
	for _, op := range sortedKeys(by) {
		times := by[op]
		slices.Sort(times)
		one := operationLatency{
			id: op, p95: quantile(times, 0.95),
			Operation: visible(op), Count: len(times), Slowest: slowest[op], Bars: s.bars(times),
			Median: text.Latency(quantile(times, 0.5)), P95: text.Latency(quantile(times, 0.95)), Most: text.Latency(times[len(times)-1]),
			MedianAt: s.percentOf(quantile(times, 0.5)), P95At: s.percentOf(quantile(times, 0.95)),
		}
		if op == "" {
			one.Operation = "none of the contract's"
		}
		l.Operations = append(l.Operations, one)
	}
	return l
}

// slowOperation is a line of the table of the slowest operations.
type slowOperation struct {
	Anchor string
	*operationLatency
}

// mostSlow is the number of operations in that table.
const mostSlow = 10

// slowest returns the units with the highest 95th percentile, the slowest first.
func slowest(units []unit) []slowOperation {
	var all []slowOperation
	for i := range units {
		if l := units[i].Latency; l != nil && l.id != "" {
			all = append(all, slowOperation{units[i].Anchor, l})
		}
	}
	slices.SortStableFunc(all, func(x, y slowOperation) int { return cmp.Compare(y.p95, x.p95) })
	return all[:min(len(all), mostSlow)]
}

// quantile returns a quantile of the sorted values by the nearest-rank method.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// scale is logarithmic. It spans at least a decade, so equal times do not look different.
type scale struct{ from, to float64 }

func newScale(low, high time.Duration) scale {
	from, to := math.Log10(float64(low)), math.Log10(float64(high))
	if room := 1 - (to - from); room > 0 {
		from, to = from-room/2, to+room/2
	}
	return scale{from - 0.05, to + 0.05}
}

// percentOf returns the position of a time, in percent.
func (s scale) percentOf(d time.Duration) float64 {
	return round(100 * (math.Log10(float64(d)) - s.from) / (s.to - s.from))
}

func (s scale) bars(times []time.Duration) []bar {
	var counts [bins]int
	most := 0
	for _, d := range times {
		i := min(bins-1, max(0, int(s.percentOf(d)*bins/100)))
		counts[i]++
		most = max(most, counts[i])
	}
	var all []bar
	for i, n := range counts {
		if n > 0 {
			height := round(max(6, 100*float64(n)/float64(most))) // a single response among hundreds must be visible too
			all = append(all, bar{X: round(float64(i) * 100 / bins), Width: round(100.0/bins - 0.25), Y: round(100 - height), Height: height})
		}
	}
	return all
}

// ticks returns the round times within the scale.
func (s scale) ticks() []mark {
	steps := []float64{1}
	if s.to-s.from < 1.6 {
		steps = []float64{1, 2, 5}
	}
	var all []mark
	for decade := math.Floor(s.from); decade <= s.to; decade++ {
		for _, step := range steps {
			d := time.Duration(step * math.Pow(10, decade))
			if x := s.percentOf(d); d > 0 && x > 3 && x < 94 {
				all = append(all, mark{x, tickWords(d)})
			}
		}
	}
	return all
}

func tickWords(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return text.Number(int(d/time.Microsecond)) + " µs"
	case d < time.Second:
		return text.Number(int(d/time.Millisecond)) + " ms"
	}
	return text.Number(int(d/time.Second)) + " s"
}

func round(x float64) float64 { return math.Round(x*100) / 100 }
