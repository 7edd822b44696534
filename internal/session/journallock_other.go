//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package session

import (
	"os"
	"time"
)

// lockJournal reports whether nobody else seems to use a journal: whether it was not written for an hour. Windows itself also
// refuses to remove what another process has open.
func lockJournal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
