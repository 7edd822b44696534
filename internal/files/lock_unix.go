//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package files

import (
	"os"
	"syscall"
)

// Lock marks a file as being in use until it is closed or the process ends, however it ends. It reports whether nobody else
// uses the file.
func Lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
