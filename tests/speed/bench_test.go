//go:build unix

package speed

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

//nolint:gochecknoglobals // flags of the tests
var (
	program = flag.String("speed.hallmark", "", "the binary to be measured")
	newman  = flag.String("speed.newman", "", "the program newman, to be measured beside it; it is left out where there is none")
	page    = flag.String("speed.page", "", "the page that keeps the tables, between its markers")
)

const (
	// rounds is how often the Petstore is measured where the service answers at once, madeRounds the other contracts; medians count.
	rounds, madeRounds = 5, 3
	// high is the concurrency that is compared with the default, usual that of a bare replay beside the default.
	high, usual = 32, 8
)

// measured is one contract whose service is judged.
type measured struct {
	name       string
	operations int
	// file is empty for the Petstore, which comes with the program.
	file      string
	rounds    int
	latencies []time.Duration

	requests               []request
	scenarios              int
	run                    usage
	sequential, concurrent time.Duration
	behind                 []behind
}

// behind is how long everything takes behind a latency.
type behind struct {
	latency                               time.Duration
	run, runHigh, replayUsual, replayHigh time.Duration
}

// TestBench measures: make bench.
func TestBench(t *testing.T) {
	if *program == "" {
		t.Skip("-speed.hallmark names the binary that is measured")
	}
	began, before := time.Now(), busy()
	b := &bench{t: t, hallmark: *program, folder: t.TempDir()}
	all := []*measured{
		{name: "Petstore", operations: 3, rounds: rounds, latencies: []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond}},
		{name: "made", operations: 50, rounds: madeRounds, latencies: []time.Duration{20 * time.Millisecond}},
		{name: "made", operations: 1000, rounds: madeRounds},
	}
	for _, m := range all {
		if m.name == "made" {
			m.file = b.document(m.operations)
		}
		b.judge(m)
		fmt.Fprintf(os.Stderr, "%s, %d operations: measured after %.0f s\n", m.name, m.operations, time.Since(began).Seconds())
	}
	besides := b.computingReplays(all[0]) + "\n" + b.besides(all[0])
	tables := where(before, busy()) + "\n\n" + runsTable(all) + "\n" + latencyTable(all) + "\n" + besides
	fmt.Print("\n" + tables + "\n")
	if *page != "" {
		keep(t, *page, tables)
	}
}

// document writes a contract of so many operations.
func (b *bench) document(operations int) string {
	b.t.Helper()
	text, err := contract(operations)
	if err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(b.folder, fmt.Sprintf("%d.json", operations))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return file
}

// judge measures runs, and replays of what a run sent.
func (b *bench) judge(m *measured) {
	var noted tape
	b.against(m, noted.before, func(base string) {
		m.scenarios = scenarios(b.t, b.judged(m, base).out)
		m.requests = noted.requests
	})
	var runs []usage
	var sequential, concurrent []time.Duration
	for range m.rounds {
		b.against(m, nil, func(base string) { runs = append(runs, b.judged(m, base)) })
		b.against(m, nil, func(base string) { sequential = append(sequential, replay(b.t, base, m.requests, 1)) })
		b.against(m, nil, func(base string) { concurrent = append(concurrent, replay(b.t, base, m.requests, usual)) })
	}
	m.run = usage{Took: median(runs, took), Processor: median(runs, processor), Memory: median(runs, memory)}
	m.sequential, m.concurrent = median(sequential, itself), median(concurrent, itself)
	for _, latency := range m.latencies {
		at := behind{latency: latency}
		through := func(tb testing.TB, service string) (string, func()) { return delayed(tb, service, latency) }
		if latency == 0 {
			through = nil
		}
		b.against(m, through, func(base string) { at.run = b.judged(m, base).Took })
		b.against(m, through, func(base string) { at.runHigh = b.judged(m, base, "--concurrency", strconv.Itoa(high)).Took })
		b.against(m, through, func(base string) { at.replayUsual = replay(b.t, base, m.requests, usual) })
		b.against(m, through, func(base string) { at.replayHigh = replay(b.t, base, m.requests, high) })
		m.behind = append(m.behind, at)
	}
}

// against starts a fresh service, and what stands before it, for as long as do takes.
func (b *bench) against(m *measured, before func(tb testing.TB, service string) (string, func()), do func(base string)) {
	b.t.Helper()
	base, stop := b.serve(m.file)
	defer stop()
	if before != nil {
		var end func()
		base, end = before(b.t, base)
		defer end()
	}
	do(base)
}

// judged measures one run, as a team would start it.
func (b *bench) judged(m *measured, base string, flags ...string) usage {
	b.t.Helper()
	args := []string{b.hallmark, "run", "--base-url", base, "--quiet"}
	if m.file != "" {
		args = append(args, "--contract", m.file)
	}
	return b.run(append(args, flags...)...)
}

// scenarios reads how many scenarios a run had from its last line.
func scenarios(t *testing.T, out string) int {
	t.Helper()
	found := regexp.MustCompile(`([\d,]+) scenarios`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("the run does not say how many scenarios it had: %s", out)
	}
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func took(u usage) time.Duration           { return u.Took }
func processor(u usage) time.Duration      { return u.Processor }
func memory(u usage) int64                 { return u.Memory }
func itself(d time.Duration) time.Duration { return d }
func median[T any, V cmp.Ordered](all []T, of func(T) V) V {
	values := make([]V, len(all))
	for i, one := range all {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
