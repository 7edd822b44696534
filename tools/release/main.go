// The command release does for tools/release.sh what a shell cannot do alike on all systems: archives whose bytes depend on their contents
// only, checksums, bills of materials, and pages of man.
//
//	release archive FILE SECONDS FOLDER        a .tar.gz or .zip of a folder, all of it as of that time
//	release sbom BINARY VERSION SECONDS NOTICE what a binary consists of, as CycloneDX
//	release manual BINARY VERSION FOLDER       the help of a program and of its commands, as pages of man
//	release sums FOLDER                        the SHA-256 of each file
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := release(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(ctx context.Context, args []string, out io.Writer) error {
	command, args := "", args
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch {
	case command == "archive" && len(args) == 3:
		moment, err := momentOf(args[1])
		if err != nil {
			return err
		}
		return writeArchive(args[0], moment, args[2])
	case command == "sbom" && len(args) == 4:
		moment, err := momentOf(args[2])
		if err != nil {
			return err
		}
		return writeSBOM(out, args[0], args[1], moment, args[3])
	case command == "manual" && len(args) == 3:
		return writeManual(helpOf(ctx, args[0]), args[1], args[2])
	case command == "sums" && len(args) == 1:
		return writeSums(out, args[0])
	}
	return errors.New("wrong usage; the comment of tools/release/main.go lists the commands")
}

func momentOf(seconds string) (time.Time, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time in seconds: %w", seconds, err)
	}
	return time.Unix(n, 0).UTC(), nil
}
