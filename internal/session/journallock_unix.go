//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package session

import (
	"os"
	"syscall"
)

// lockJournal marks a journal as being in use until the file is closed or the process ends, however it ends. It reports
// whether nobody else uses it.
func lockJournal(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
