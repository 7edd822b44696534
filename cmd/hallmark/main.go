// Command hallmark judges implementations of an HTTP interface by its contract. See "hallmark --help".
package main

import (
	"context"
	"os"
	"runtime/debug"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string //nolint:gochecknoglobals // the linker can set nothing else

// softMemory is from where on memory is collected more eagerly, in bytes. Services that answer without end come near it.
const softMemory = 64 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	ctx, stop := interruptible(context.Background(), os.Exit)
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
