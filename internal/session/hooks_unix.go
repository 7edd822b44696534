//go:build unix

package session

import (
	"os/exec"
	"syscall"
)

// killWhole makes the end of a command's context end what the command has started, too.
func killWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
