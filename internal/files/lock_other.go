//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package files

import (
	"os"
	"time"
)

// Lock reports whether a file seems to be unused: it was not written for an hour. Windows itself also refuses to remove open files.
func Lock(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
