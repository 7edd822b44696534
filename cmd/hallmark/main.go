// Command hallmark judges implementations of an HTTP interface by its contract. See "hallmark --help".
package main

import (
	"context"
	"os"
	"runtime/debug"

	"hallmark/internal/cli"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string //nolint:gochecknoglobals // the linker can set nothing else

// softMemory is from where on a run collects its memory more eagerly, in bytes: well above what it needs, and near it only
// when a service answers without end.
const softMemory = 64 << 20

func main() {
	if len(os.Args) > 1 && os.Args[1] == "run" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	ctx, stop := cli.Interruptible(context.Background(), os.Exit)
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
