//go:build unix

package speed

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

//nolint:gochecknoglobals // a flag of the tests
var earlier = flag.String("speed.before", "", "another binary, to be measured in turns with the one of -speed.hallmark")

// TestVersus measures two binaries in turns: make bench-versus BEFORE=binary.
func TestVersus(t *testing.T) {
	if *program == "" || *earlier == "" {
		t.Skip("-speed.hallmark and -speed.before name the binaries that are measured")
	}
	began := busy()
	now := &bench{t: t, hallmark: *program, folder: t.TempDir()}
	before := &bench{t: t, hallmark: *earlier, folder: t.TempDir()}
	var rows [][]string
	for _, m := range []*measured{
		{name: "Petstore", operations: 3, rounds: rounds, latencies: []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond}},
		{name: "made", operations: 50, rounds: rounds, latencies: []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond}},
		{name: "made", operations: 1000, rounds: madeRounds, latencies: []time.Duration{0}},
	} {
		if m.name == "made" {
			m.file = now.document(m.operations)
		}
		for _, latency := range m.latencies {
			rows = append(rows, versus(m, latency, before, now))
			fmt.Fprintf(os.Stderr, "%s, %d operations, %v: measured\n", m.name, m.operations, latency)
		}
	}
	fmt.Print("\n" + where(began, busy()) + "\n\n" + table([]string{
		"Contract", "Latency", "Processor time before", "now", "÷ before", "Time before", "now", "÷ before", "Memory before", "now",
	}, rows) + "\n")
}

// versus measures both in turns, each against a fresh service, and tells their medians; behind latency each is measured once.
func versus(m *measured, latency time.Duration, before, now *bench) []string {
	through, times := func(tb testing.TB, service string) (string, func()) { return delayed(tb, service, latency) }, 1
	if latency == 0 {
		through, times = nil, m.rounds
	}
	of := map[*bench][]usage{}
	for range times {
		for _, b := range []*bench{before, now} {
			now.against(m, through, func(base string) { of[b] = append(of[b], b.judged(m, base)) })
		}
	}
	row := []string{fmt.Sprintf("%s, %d operations", m.name, m.operations), fmt.Sprintf("%d ms", latency.Milliseconds())}
	for _, what := range []func(usage) time.Duration{processor, took} {
		x, y := median(of[before], what), median(of[now], what)
		row = append(row, fmt.Sprintf("%.2f s", x.Seconds()), fmt.Sprintf("%.2f s", y.Seconds()), fmt.Sprintf("%.2f", float64(y)/float64(x)))
	}
	for _, b := range []*bench{before, now} {
		row = append(row, fmt.Sprintf("%d MiB", median(of[b], memory)>>10))
	}
	return row
}
