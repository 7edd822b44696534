//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package files

import (
	"os"
	"syscall"
)

// Lock locks a file until it is closed or the process ends in any way. It reports whether the file was not in use.
func Lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
