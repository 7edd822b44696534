//go:build unix

package acceptance

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/tests/shop"
)

// The binary must start no process by itself: whatever is found on PATH would get the whole environment, and the API key with it. Only the
// hooks that the user configured are started.
func TestBinaryStartsNoProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: make test FULL=1 tries every command")
	}
	binary, err := exec.LookPath("hallmark")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	marker, fakes := filepath.Join(folder, "started"), filepath.Join(folder, "fakes")
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

	if err := os.WriteFile(filepath.Join(folder, "api.yaml"), shop.Contract(), 0o600); err != nil {
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
		{"version"}, {"version", "--proof"}, {"--help"}, {"rules"}, {"faults"}, {"completion", "bash"}, {"keygen", "vendor"},
		{"config", "--show", "--base-url", address},
		{"doctor", "--base-url", address},
		{"run", "--base-url", address, "--rule", "list", "--report", "json:record.json", "--report", "html:report.html", "--report", "conformance:report.yaml"},
		{"report"}, {"ledger"}, {"verify", "report.yaml"}, {"compare", "record.json", "record.json"},
		{"derive", "--out", "derived"},
		{"init", "suite", "--contract", "api.yaml"}, {"diff", "api.yaml", "api.yaml"},
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
	cmd := exec.CommandContext(t.Context(), binary, "run", "--base-url", address, "--rule", "list", "--before", "uname -s", "--after", "[hostname, a b]")
	cmd.Dir, cmd.Env = folder, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("with hooks: %v\n%s", err, out)
	}
	if names := started(); names != "uname -s\nhostname a b" {
		t.Errorf("hallmark run with hooks started %q", names)
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

// A dependency that can start processes is looked at before it comes in: godog runs the go command while it is initialized, unless
// steps/pathguard keeps it from that, and nothing calls the rest of its builder. oasdiff starts git for a source that
// names a revision, and is given none. A session starts hooks and the commands of a file of values that --values-file names, and a score the command
// that stands behind the hyphens of prove.
func TestWhatImportsOSExec(t *testing.T) {
	args := append(append([]string{"list", "-deps"}, buildFlags()...), "-f", `{{range .Imports}}{{if eq . "os/exec"}}{{$.ImportPath}}{{end}}{{end}}`, program)
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	want := []string{
		"github.com/cucumber/godog/internal/builder", "github.com/oasdiff/oasdiff/load", "go/build", "github.com/hallmark-kit/hallmark/internal/score", "github.com/hallmark-kit/hallmark/internal/session",
		"internal/goroot",
	}
	slices.Sort(want) // the path of this module is the publisher's
	if !slices.Equal(got, want) {
		t.Errorf("these packages of the binary import os/exec:\n%q, want\n%q", got, want)
	}
}
