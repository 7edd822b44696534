package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// softMemory is from where on a run collects its memory more eagerly, in bytes: well above what it needs, and near it only
	// when a service answers without end. With 64 MiB such a run takes up to three times the processor time, and a twentieth less memory.
	softMemory = 80 << 20

	// scenarioMemory is what a run with reports needs for each of its scenarios, in bytes: its steps and its exchanges. With a bound
	// near that a run by the bookshop's contract, of 2,300 scenarios, takes three times as long.
	scenarioMemory = 96 << 10

	// loadMemory bounds the memory of every command, in bytes, and that of a run until it begins: what it takes to load the largest known
	// contracts.
	loadMemory = 432 << 20

	// garbage is how much may pile up before it is collected, in bytes, where that is between leastPace and usualPace of what is in use.
	garbage = 32 << 20

	// resultPace is how often to collect while the results of a large run are drawn, in percent as in GOGC. All that it kept comes back into
	// memory then, which would be the peak of the run.
	resultPace = 15

	// usualPace is how often to collect where little is in use, in percent as in GOGC. With Go's own default of 100 a run of the Petstore
	// takes 8 MiB of 70 less, and 8 % more processor time.
	usualPace = 200

	// leastPace is how often to collect where much is in use, in percent as in GOGC. A run by a contract of 1,000 operations has some 80 MiB
	// in use; with 50 it takes 15 MiB of 207 less, and a twentieth more processor time.
	leastPace = 65

	// garbageEvery is the time between two looks at how much is in use. Without them the peak of a run by a contract of 1,000 operations is
	// 1.27 times as high (245 MiB for 192).
	garbageEvery = 50 * time.Millisecond
)

// memory bounds how much memory the process takes beyond what it needs.
type memory struct {
	// bounded is false if the process was started with limits of its own, or if there are none.
	bounded bool
	// stopPacing ends what pace began; nil where there is nothing to end.
	stopPacing func()
}

// start sets the bound for every command, which loaded replaces for a run.
func (m *memory) start() {
	m.bounded = true
	debug.SetMemoryLimit(loadMemory)
}

// pace adapts the garbage collector's pace to the memory in use until asked is called, unless the process was started with a pace of its
// own.
func (m *memory) pace() {
	if os.Getenv("GOGC") == "" {
		m.stopPacing = startPacing()
	}
}

// startPacing adapts the pace of the collector to the memory in use until stop is called, which restores usualPace.
func startPacing() (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(garbageEvery)
		defer tick.Stop()
		debug.SetGCPercent(usualPace)
		percent := usualPace
		setPace := func(to int) {
			if to != percent {
				debug.SetGCPercent(to)
				percent = to
			}
		}
		for {
			select {
			case <-tick.C:
				setPace(growth(inUse()))
			case <-quit:
				setPace(usualPace)
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}

// inUse returns how much memory was in use when it was collected last, in bytes.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// growth returns by how much memory may grow before it is collected, in percent of what is in use.
func growth(inUse uint64) int {
	if inUse <= garbage*100/usualPace {
		return usualPace
	}
	return max(leastPace, int(100*garbage/inUse))
}

// loaded begins a run of so many scenarios. It bounds the memory that the run takes beyond what it judges by: a large contract alone may
// exceed the bound.
func (m *memory) loaded(scenarios int) {
	if !m.bounded {
		return
	}
	bound := max(softMemory, int64(scenarios)*scenarioMemory)
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	if now.HeapAlloc >= softMemory/2 {
		runtime.GC()
		runtime.ReadMemStats(&now)
		bound += int64(now.HeapAlloc) * 3 / 2 //nolint:gosec // no heap has 2^62 bytes
	}
	debug.SetMemoryLimit(bound)
}

// asked ends the pacing of a run that has asked everything. If its memory is much, it is returned to the system, and the results, which are
// drawn in other memory, are held to little more than they need until the process ends.
func (m *memory) asked() {
	paced := m.stopPacing != nil
	if paced {
		m.stopPacing()
		m.stopPacing = nil
	}
	if !m.bounded || inUse() < softMemory/2 {
		return
	}
	debug.FreeOSMemory()
	if paced {
		debug.SetGCPercent(resultPace)
	}
}
