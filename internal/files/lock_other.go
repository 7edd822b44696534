//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package files

import (
	"os"
	"time"
)

// Lock reports whether nobody else seems to use a file: whether it was not written for an hour. Windows itself also refuses to
// remove what another process has open.
func Lock(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
