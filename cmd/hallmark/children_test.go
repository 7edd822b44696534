//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// buildFlags are the flags that this test was built with, so that a build with them compiles nothing again.
func buildFlags(t *testing.T) []string {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("the test binary holds no build information")
	}
	flags := []string{"-buildvcs=false"}
	for _, s := range info.Settings {
		if slices.Contains([]string{"-race", "-tags", "-trimpath"}, s.Key) {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// The binary must start no process: whatever is found on PATH would get the whole environment, and the API key with it.
func TestBinaryStartsNoProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: make test FULL=1 builds the binary for this")
	}
	folder := t.TempDir()
	binary, marker, fakes := filepath.Join(folder, "hallmark"), filepath.Join(folder, "started"), filepath.Join(folder, "fakes")
	build := exec.CommandContext(t.Context(), "go", append(append([]string{"build", "-o", binary}, buildFlags(t)...), ".")...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.Mkdir(fakes, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go", "git", "uname", "sh", "bash", "stty", "tput", "hostname", "xdg-open", "less"} {
		script := "#!/bin/sh\necho " + name + " \"$@\" >>'" + marker + "'\n"
		if err := os.WriteFile(filepath.Join(fakes, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"PATH=" + fakes + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + folder, "TERM=xterm", "GORACE=atexit_sleep_ms=0",
		"HALLMARK_API_KEY=only-for-this-page",
	}
	started := func() string {
		text, err := os.ReadFile(marker)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	// The fakes have to be able to tell.
	probe := exec.CommandContext(t.Context(), filepath.Join(fakes, "go"), "probe")
	probe.Env = env
	if err := probe.Run(); err != nil || started() != "go probe" {
		t.Fatalf("the fake go did not note its start: %v, %q", err, started())
	}
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}

	url := filepath.Join(folder, "url")
	service := exec.CommandContext(t.Context(), binary, "serve", "--addr", "127.0.0.1:0", "--url-file", url)
	service.Dir, service.Env = folder, env
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = service.Process.Kill()
		_ = service.Wait()
	})
	address := awaitText(t, url)
	for _, args := range [][]string{
		{"version"}, {"version", "--proof"}, {"--help"}, {"rules"}, {"faults"}, {"init"}, {"completion", "bash"}, {"keygen", "vendor"},
		{"config", "--show", "--base-url", address},
		{"doctor", "--base-url", address},
		{"run", "--base-url", address, "--rule", "list", "--report", "json:record.json", "--report", "html:report.html", "--report", "conformance:report.yaml"},
		{"report"}, {"ledger"}, {"verify", "report.yaml"}, {"compare", "record.json", "record.json"},
		{"derive", "--out", "derived"},
	} {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		var out bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, env, &out, &out
		if err := cmd.Run(); err != nil {
			t.Errorf("hallmark %s: %v\n%s", strings.Join(args, " "), err, out.Bytes())
		}
		if names := started(); names != "" {
			t.Fatalf("hallmark %s started %q", strings.Join(args, " "), names)
		}
	}
	if names := started(); names != "" {
		t.Errorf("hallmark serve started %q", names)
	}
}

// awaitText waits for a file, and returns what is in it.
func awaitText(t *testing.T, path string) string {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); ; {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			return strings.TrimSpace(string(text))
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s did not come within %v", path, patience)
		}
	}
}

// A dependency that can start processes is looked at before it comes in: the first two only do when they are called,
// and pathguard keeps the last from it. A session starts the commands of a file of values that --values-file names.
func TestWhatImportsOSExec(t *testing.T) {
	args := append(append([]string{"list", "-deps"}, buildFlags(t)...), "-f", `{{range .Imports}}{{if eq . "os/exec"}}{{$.ImportPath}}{{end}}{{end}}`, ".")
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if want := []string{"github.com/cucumber/godog/internal/builder", "go/build", "hallmark/internal/session", "internal/goroot"}; !slices.Equal(got, want) {
		t.Errorf("these packages of the binary import os/exec:\n%q, want\n%q", got, want)
	}
}
