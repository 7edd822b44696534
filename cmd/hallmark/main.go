// Command hallmark judges implementations of an HTTP interface by its contract. See "hallmark --help".
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"

	"hallmark/internal/cli"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string //nolint:gochecknoglobals // the linker can set nothing else

// softMemory is from where on a run collects its memory more eagerly, in bytes: well above what it needs, and near it only
// when a service answers without end. With 64 MiB such a run takes up to three times the processor time, and a twentieth less memory.
const softMemory = 80 << 20

// scenarioMemory is what a run needs for each of its scenarios, in bytes: its steps and its exchanges. With a bound
// near that a run by the bookshop's contract, of 2,300 scenarios, takes three times as long.
const scenarioMemory = 96 << 10

// loadMemory is the same while a contract is loaded, whatever is done with it: what the largest known ones need.
const loadMemory = 432 << 20

func main() {
	proves := len(os.Args) > 1 && os.Args[1] == "prove" // it runs many services and suites side by side
	if os.Getenv("GOMEMLIMIT") == "" && !proves {
		debug.SetMemoryLimit(loadMemory)
	}
	ctx, stop := cli.Interruptible(context.Background(), os.Exit)
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr, boundMemory)
	stop()
	os.Exit(code)
}

// boundMemory sets that bound for a run of so many scenarios, above what it judges by: that of a large contract alone may exceed it.
func boundMemory(scenarios int) {
	if os.Getenv("GOMEMLIMIT") != "" {
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
