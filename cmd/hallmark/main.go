// Command hallmark judges implementations of an HTTP interface by its contract. See "hallmark --help".
package main

import (
	"context"
	"os"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string //nolint:gochecknoglobals // the linker can set nothing else

func main() {
	var m memory
	command := ""
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	if os.Getenv("GOMEMLIMIT") == "" && command != "prove" { // it runs many services and suites side by side
		m.start()
	}
	if command == "run" {
		m.pace()
	}
	ctx, stop := cli.Interruptible(context.Background(), os.Exit)
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr, &m)
	stop()
	os.Exit(code)
}
