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

	// loadMemory is the same while a contract is loaded, whatever is done with it: what the largest known ones need.
	loadMemory = 432 << 20

	// garbage is how much may pile up before it is collected, in bytes, where that is less than what is in use, and more than half of it.
	// A run by a contract of 1,000 operations has some 100 MiB in use; to collect at twice that takes 50 MiB more, and a tenth less
	// processor time.
	garbage = 48 << 20

	// garbageEvery is the time between two looks at how much is in use.
	garbageEvery = 50 * time.Millisecond
)

// memory bounds how much of it the process takes, beyond what it needs.
type memory struct {
	// bounded is false where whoever started the process has set bounds, or there are none.
	bounded bool
}

// start begins to bound it.
func (m memory) start() {
	debug.SetMemoryLimit(loadMemory)
	if os.Getenv("GOGC") != "" {
		return
	}
	go func() {
		percent := 100
		for range time.Tick(garbageEvery) {
			if now := growth(inUse()); now != percent {
				debug.SetGCPercent(now)
				percent = now
			}
		}
	}()
}

// inUse returns how much memory was in use when it was collected last, in bytes.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// growth returns by how much memory may grow before it is collected, in percent of what is in use.
func growth(inUse uint64) int {
	const least, most = 50, 100
	if inUse <= garbage {
		return most
	}
	return max(least, int(100*garbage/inUse))
}

// loaded sets the bound for a run of so many scenarios, above what it judges by: that of a large contract alone may exceed it.
func (m memory) loaded(scenarios int) {
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

// asked gives back what a run took for asking, where that is much: its results are drawn in other memory.
func (m memory) asked() {
	if m.bounded && inUse() >= softMemory/2 {
		debug.FreeOSMemory()
	}
}
