//go:build unix

package speed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// key lets clients into the services that are measured.
const key = "a-key-for-measuring-4711"

// usage is what a command took.
type usage struct {
	Took, Processor time.Duration
	// Memory is the peak of the resident memory in KiB, as Linux counts.
	Memory int64
	out    string
}

// measuredIn names the file that measure writes to.
const measuredIn = "HALLMARK_SPEED_MEASURED_IN"

// TestMain is the tests, or the process that measures another one: what Linux tells of a child begins with what its parent
// held, so the parent has to be small.
func TestMain(m *testing.M) {
	if file := os.Getenv(measuredIn); file != "" {
		os.Exit(measure(file))
	}
	os.Exit(m.Run())
}

// measure runs the command of this process's arguments, writes what it took, and returns its exit code.
func measure(file string) int {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	u := usage{Took: took, Processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if all, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.Memory = all.Maxrss
	}
	text, err := json.Marshal(u)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return cmd.ProcessState.ExitCode()
}

// bench is where commands are measured.
type bench struct {
	t        *testing.T
	hallmark string
	folder   string
}

// run measures a command that has to succeed.
func (b *bench) run(command ...string) usage {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 10*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(b.t.TempDir(), "usage")
	cmd := exec.CommandContext(ctx, self, command...)
	cmd.Dir = b.folder
	cmd.Env = append(environment(), "HALLMARK_API_KEY="+key, "XDG_STATE_HOME="+b.folder, measuredIn+"="+file)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	u := usage{out: string(out)}
	if err := json.Unmarshal(text, &u); err != nil {
		b.t.Fatal(err)
	}
	return u
}

// environment is that of this process without what would change the measured ones.
func environment() []string {
	var all []string
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "HALLMARK_") && !strings.HasPrefix(name, "GITHUB_") && name != "GOGC" && name != "GOMEMLIMIT" {
			all = append(all, v)
		}
	}
	return all
}

// serve starts a fresh service, of that contract or, for an empty one, the reference service; stop ends it.
func (b *bench) serve(contract string) (base string, stop func()) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "url")
	args := []string{"serve", "--addr", "127.0.0.1:0", "--url-file", file}
	if contract != "" {
		args = append(args, "--contract", contract)
	}
	cmd := exec.Command(b.hallmark, args...)
	cmd.Env = append(environment(), "HALLMARK_API_KEY="+key)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is told to end
		close(ended)
	}()
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	}
	for late := time.After(time.Minute); ; {
		if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
			return strings.TrimSpace(string(text)), stop
		}
		select {
		case <-ended:
			b.t.Fatalf("the service ended before it was ready: %s", said.String())
		case <-late:
			stop()
			b.t.Fatalf("the service was not ready within a minute: %s", said.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
