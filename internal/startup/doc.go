// Package startup spares a process that ends soon most of its garbage collections. What imports little is initialised before the
// libraries that fill the heap while they are: it imports nothing else of this module.
package startup

import (
	"os"
	"runtime"
	"runtime/debug"
)

// Pace is how often to collect after the first collection, in percent as in GOGC.
const Pace = 120

// late delays the first collection: it happens at 24 MB instead of 4 MB.
const late = 600

// first ends the late pace at the first collection.
var first = delay() //nolint:gochecknoglobals // it has to come before the initialisers of libraries

// delay makes the first collection late, unless GOGC says how often to collect.
func delay() (first runtime.Cleanup) {
	if os.Getenv("GOGC") != "" {
		return first
	}
	debug.SetGCPercent(late)
	return runtime.AddCleanup(new(*int), func(percent int) { debug.SetGCPercent(percent) }, Pace)
}

// SetPace sets how often to collect from now on, in percent as in GOGC.
func SetPace(percent int) {
	first.Stop()
	debug.SetGCPercent(percent)
}
