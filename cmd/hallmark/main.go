// Command hallmark judges implementations of an HTTP interface by its contract. See "hallmark --help".
package main

import (
	"context"
	"os"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string //nolint:gochecknoglobals // the linker can set nothing else

func main() {
	ctx, stop := interruptible(context.Background(), os.Exit)
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
